package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// copies is a place at which documents hold copies of things that have a life
// of their own: objects with an identity, or fields beside a reference that
// are named after it (categoryId, categoryName). Several rules ask about
// them; they are measured once.
type copies struct {
	entity *model.Entity
	holder *profile.Node // the objects that hold the copied fields
	path   profile.Path
	id     *profile.Node    // the field of the holder that says which thing it is
	ref    *model.Reference // of id; nil if the things have no documents of their own here
	flat   bool             // the holder is no copy, only the fields named after the reference are
	fields []*profile.Node  // scalars that may be copied
	clock  *profile.Node    // the holder's own time of update, nil if it or the document has none

	probe    *copyProbe     // nil if it is known without that nothing will be said
	original *originalProbe // nil without ref or probe

	snapshots     *snapshotProbe // nil if no document is there several times
	snapshotIndex int

	measured *measures
}

// maxCopiedFields bounds the fields that are followed at one place.
const maxCopiedFields = 24

// allCopies finds the places and starts to watch them. It is to be called
// while the rules run, [copies.measure] after.
func (p *Pass) allCopies() []*copies {
	return once(p, "copies", func() []*copies {
		var all []*copies
		for _, e := range p.DB.Entities() {
			all = append(all, p.copiesIn(e)...)
		}
		findOriginals(all)
		p.watchSnapshots(all)
		watched := map[*originalProbe]bool{}
		for _, c := range all {
			if !p.worthFollowing(c) {
				c.original = nil
				continue
			}
			c.probe = Watch(p, c.entity, newCopyProbe(c.settings()))
			if o := c.original; o != nil && !watched[o] {
				watched[o] = true
				Watch(p, c.ref.To, o)
			}
		}
		return all
	})
}

func (p *Pass) copiesIn(e *model.Entity) []*copies {
	var found []*copies
	if p.historical(e) {
		return nil
	}
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Object == nil || n.Types[profile.Object] == 0 || n.Object.Sampled() {
			return true
		}
		if n.Parent != nil && p.frozen(n) {
			return false // what was true at the time, and so is all below it
		}
		var identity *profile.Node
		if n.Parent != nil {
			if c := p.embedded(e, n); c != nil {
				identity = c.id
				found = append(found, c)
			}
		}
		found = append(found, p.beside(e, n, identity)...)
		return true
	})
	return found
}

// historical reports whether the documents record what was: orders, invoices.
func (p *Pass) historical(e *model.Entity) bool {
	if p.Lexicon.Has(lexicon.HistoricalParent, e.Collection.Name) || p.Lexicon.Has(lexicon.HistoricalParent, entityName(e)) {
		return true
	}
	return p.recordsEvent(e.Root())
}

// recordsEvent reports whether an object says of itself that it records
// something that happened: it carries the number or the time of an order, a
// payment, a shipment ("orderDate", "invoiceNo").
func (p *Pass) recordsEvent(n *profile.Node) bool {
	for _, f := range n.Object.Fields() {
		tokens := lexicon.Tokens(f.Step.Name)
		last := len(tokens) - 1
		if last < 1 || !slices.Contains([]string{"date", "at", "on", "time", "timestamp", "no", "nr", "number"}, tokens[last]) {
			continue
		}
		if slices.Contains(notices, tokens[last-1]) {
			continue // lastMessageAt, reminderDate: of a conversation, of a task
		}
		if p.Lexicon.Has(lexicon.HistoricalParent, strings.Join(tokens[:last], " ")) {
			return true
		}
	}
	return false
}

// notices tell somebody how things stood. Unlike orders, documents that are no
// notices themselves may say when the last one was sent.
var notices = []string{"notice", "notification", "notify", "reminder", "alert", "message", "email", "mail"}

// frozen reports whether the objects at a node below the document are meant to
// stay as they are: they stand in a record of what was, or carry a field that
// was captured on purpose.
func (p *Pass) frozen(n *profile.Node) bool {
	if n.Step.Kind == profile.Field && (p.Lexicon.Has(lexicon.HistoricalParent, n.Step.Name) || p.Lexicon.Has(lexicon.SnapshotField, n.Step.Name)) {
		return true
	}
	for _, f := range n.Object.Fields() {
		if p.Lexicon.Has(lexicon.SnapshotField, f.Step.Name) {
			return true
		}
	}
	return p.recordsEvent(n) || p.soldLine(n)
}

// soldLine reports whether the objects are lines of something that took
// place: they, or the objects around them, have a quantity beside a price, and
// the document a date that is not about the document itself.
func (p *Pass) soldLine(n *profile.Node) bool {
	if !hasQuantity(n) && !hasQuantity(n.Parent) {
		return false
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	return slices.ContainsFunc(root.Object.Fields(), func(f *profile.Node) bool {
		tokens := lexicon.Tokens(f.Step.Name)
		return len(tokens) > 0 && slices.Contains([]string{"date", "at", "on", "time"}, tokens[len(tokens)-1]) &&
			!p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && holdsDates(f)
	})
}

func hasQuantity(n *profile.Node) bool {
	return n != nil && n.Object != nil && slices.ContainsFunc(n.Object.Fields(), func(f *profile.Node) bool {
		tokens := lexicon.Tokens(f.Step.Name)
		return slices.Contains(tokens, "quantity") || slices.Contains(tokens, "qty")
	})
}

func holdsDates(n *profile.Node) bool {
	if n.Types[profile.Date] > 0 {
		return true
	}
	if n.Scalars == nil {
		return false
	}
	dates := int64(0)
	for f := profile.FormDate; f <= profile.FormRFC1123; f++ {
		c, _ := n.Scalars.FormCount(f)
		dates += c
	}
	return dates > 0 && 2*dates >= n.Present()
}

const identified = 0.9 // share of the objects that must have the identity

// embedded says what the objects at n are copies of; nil if they have no
// identity.
func (p *Pass) embedded(e *model.Entity, n *profile.Node) *copies {
	c := &copies{entity: e, holder: n, path: n.Path(), id: model.Identity(n)}
	if c.id != nil {
		c.ref = p.DB.ReferenceAt(c.id)
	} else {
		for _, f := range n.Object.Fields() {
			if r := p.DB.ReferenceAt(f); r != nil && f.Array == nil && (r.Stem || r.Declared) {
				c.id, c.ref = f, r
				break
			}
		}
	}
	if c.id == nil || p.valueObject(n, c.id) || float64(c.id.Present()) < identified*float64(n.Types[profile.Object]) {
		return nil
	}
	for _, f := range n.Object.Fields() {
		if f != c.id && copied(f) && !p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && !p.Lexicon.Has(lexicon.System, f.Step.Name) {
			c.fields = append(c.fields, f)
		}
		if isClock(f) {
			c.clock = f
		}
	}
	return c.worthwhile()
}

// valueObject reports whether the objects at a node are values without a life
// of their own, as addresses are: the postal code in them identifies a place,
// not the address.
func (p *Pass) valueObject(n, id *profile.Node) bool {
	tokens := lexicon.Tokens(id.Step.Name)
	for _, word := range []string{"zip", "postal", "postcode", "phone", "area", "country", "state", "city", "currency", "language", "locale"} {
		if len(tokens) > 1 && tokens[0] == word || slices.Contains([]string{"zip", "postcode"}, tokens[0]) {
			return true
		}
	}
	return false
}

// beside finds references in the objects at n with fields named after them.
func (p *Pass) beside(e *model.Entity, n, identity *profile.Node) []*copies {
	var found []*copies
	fields := n.Object.Fields()
	for _, f := range fields {
		if f == identity || f.Scalars == nil {
			continue
		}
		stem, many, ok := lexicon.ReferenceStem(f.Step.Name)
		if !ok || many {
			continue
		}
		r := p.DB.ReferenceAt(f)
		if r == nil || !r.Stem && !r.Declared {
			continue
		}
		c := &copies{entity: e, holder: n, path: n.Path(), id: f, ref: r, flat: true}
		words := strings.Fields(stem)
		for _, g := range fields {
			tokens := lexicon.Tokens(g.Step.Name)
			if g != f && copied(g) && len(tokens) > len(words) && slices.Equal(tokens[:len(words)], words) {
				c.fields = append(c.fields, g)
			}
		}
		if c = c.worthwhile(); c != nil {
			found = append(found, c)
		}
	}
	return found
}

func copied(f *profile.Node) bool {
	return f.Scalars != nil && f.ScalarCount() > 0 && f.Types[profile.Object]+f.Types[profile.Array] == 0
}

// isClock reports whether a field says when its object was last changed.
func isClock(f *profile.Node) bool {
	switch lexicon.Fold(f.Step.Name) {
	case "updatedat", "updated", "lastupdated", "lastupdatedat", "updatedon", "modifiedat", "modified", "lastmodified",
		"lastmodifiedat", "modifiedon", "updatedate", "updateddate", "modifieddate", "refreshedat", "syncedat", "lastsync", "lastsynced", "lastsyncedat":
		return f.Scalars != nil && f.Types[profile.Object]+f.Types[profile.Array] == 0
	}
	return false
}

// worthwhile returns c if there is anything to follow: fields, and a chance
// that a thing is copied more than once or can be compared with its original.
func (c *copies) worthwhile() *copies {
	if len(c.fields) == 0 {
		return nil
	}
	slices.SortStableFunc(c.fields, func(a, b *profile.Node) int { return cmp.Compare(b.Present(), a.Present()) })
	c.fields = c.fields[:min(len(c.fields), maxCopiedFields)]
	if c.ref == nil && c.entity.N() >= sampleMode && c.id.Scalars.Values.Distinct() > 0.9*float64(c.id.ScalarCount()) {
		return nil
	}
	return c
}

// sampleMode is the number of documents from which ratios count.
const sampleMode = 20

// noun is the word for one of the things.
func (c *copies) noun() string {
	if stem, _, ok := lexicon.ReferenceStem(c.id.Step.Name); ok && (c.flat || c.ref != nil) {
		return stem
	}
	for n := c.holder; n.Parent != nil; n = n.Parent {
		if n.Step.Kind == profile.Field {
			tokens := lexicon.Tokens(n.Step.Name)
			if len(tokens) == 0 {
				break
			}
			tokens[len(tokens)-1] = lexicon.Singular(tokens[len(tokens)-1])
			return strings.Join(tokens, " ")
		}
	}
	if c.ref != nil {
		return lexicon.Singular(c.ref.To.Collection.Name)
	}
	return "thing"
}

// at returns where the finding about the holder stands.
func (c *copies) at() profile.Pos { return c.holder.First(profile.Object) }

// settings say how to follow the copies in the second pass.
func (c *copies) settings() *copySettings {
	names := map[string]int{}
	variants := 0.0
	things := max(1, c.id.Scalars.Values.Distinct())
	for i, f := range c.fields {
		names[f.Step.Name] = i
		variants += min(cellCapacity, 1+f.Scalars.Values.Distinct()/things)
	}
	settings := &copySettings{
		path: c.path, id: c.id.Step.Name, names: names, fields: len(c.fields), tail: c.ref != nil && c.ref.Tail,
		capacity: int(max(minThings, min(maxThings, maxVariants/max(1, variants)))),
	}
	if c.clock != nil {
		for _, f := range c.entity.Root().Object.Fields() {
			if isClock(f) {
				settings.clock, settings.rootClock = c.clock.Step.Name, f.Step.Name
			}
		}
	}
	return settings
}
