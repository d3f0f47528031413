// Package copies finds the places at which documents hold copies of things that
// have a life of their own, and measures what of them changes. The rules on
// copies share one search and one set of probes.
package copies

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// Site is a place at which documents hold copies of things that have a life
// of their own: objects with an identity, or fields beside a reference that
// are named after it (categoryId, categoryName). Several rules ask about
// them; they are measured once.
type Site struct {
	Entity *model.Entity
	Holder *profile.Node // the objects that hold the copied fields
	Path   profile.Path
	ID     *profile.Node    // the field of the holder that says which thing it is
	Ref    *model.Reference // of id; nil if the things have no documents of their own here
	Flat   bool             // the holder is no copy, only the fields named after the reference are
	fields []*profile.Node  // scalars that may be copied
	clock  *profile.Node    // the holder's own time of update, nil if it or the document has none

	probe    *copyProbe     // nil if it is known without that nothing will be said
	Original *originalProbe // nil without ref or probe

	snapshots     *snapshotProbe // nil if no document is there several times
	snapshotIndex int

	Measured *Measures
}

// maxCopiedFields bounds the fields that are followed at one place.
const maxCopiedFields = 24

// All finds the places and starts to watch them. It is to be called
// while the rules run, [Site.Measure] after.
func All(p *check.Pass) []*Site {
	return check.Once(p, "copies", func() []*Site {
		var all []*Site
		for _, e := range p.DB.Entities() {
			all = append(all, copiesIn(p, e)...)
		}
		findOriginals(all)
		watchSnapshots(p, all)
		watched := map[*originalProbe]bool{}
		for _, c := range all {
			if !worthFollowing(p, c) {
				c.Original = nil
				continue
			}
			c.probe = check.Watch(p, c.Entity, newCopyProbe(c.settings(p)))
			if c.Original != nil && c.sampled() {
				c.keepAll(p)
			}
			if o := c.Original; o != nil && !watched[o] {
				watched[o] = true
				check.Watch(p, c.Ref.To, o)
				for _, to := range c.Ref.Targets() {
					if to.Entity != c.Ref.To {
						check.Watch(p, to.Entity, o.beside())
					}
				}
			}
		}
		return all
	})
}

func copiesIn(p *check.Pass, e *model.Entity) []*Site {
	var found []*Site
	if Historical(p, e) {
		return nil
	}
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Object == nil || n.Types[profile.Object] == 0 || n.Object.Sampled() {
			return true
		}
		if n.Parent != nil && Frozen(p, n) {
			return false // what was true at the time, and so is all below it
		}
		var identity *profile.Node
		if n.Parent != nil {
			if c := embedded(p, e, n); c != nil {
				identity = c.ID
				found = append(found, c)
			}
		}
		found = append(found, beside(p, e, n, identity)...)
		return true
	})
	return found
}

// Historical reports whether the documents record what was: orders, invoices.
func Historical(p *check.Pass, e *model.Entity) bool {
	if p.Lexicon.Has(lexicon.HistoricalParent, e.Collection.Name) || p.Lexicon.Has(lexicon.HistoricalParent, naming.EntityName(e)) {
		return true
	}
	return recordsEvent(p, e.Root())
}

// recordsEvent reports whether an object says of itself that it records
// something that happened: it carries the number or the time of an order, a
// payment, a shipment ("orderDate", "invoiceNo").
func recordsEvent(p *check.Pass, n *profile.Node) bool {
	for _, f := range n.Object.Fields() {
		tokens := lexicon.Tokens(f.Step.Name)
		last := len(tokens) - 1
		if last < 1 || !p.Lexicon.HasWord(lexicon.Moment, tokens[last]) && !p.Lexicon.HasWord(lexicon.DocumentNumber, tokens[last]) {
			continue
		}
		if p.Lexicon.HasWord(lexicon.Notice, tokens[last-1]) {
			// Unlike orders, documents that are no notices themselves may say when the last one was sent.
			continue // lastMessageAt, reminderDate: of a conversation, of a task
		}
		if p.Lexicon.Has(lexicon.HistoricalParent, strings.Join(tokens[:last], " ")) {
			return true
		}
	}
	return false
}

// Frozen reports whether the objects at a node below the document are meant to
// stay as they are: they stand in a record of what was, or carry a field that
// was captured on purpose.
func Frozen(p *check.Pass, n *profile.Node) bool {
	if n.Step.Kind == profile.Field && (p.Lexicon.Has(lexicon.HistoricalParent, n.Step.Name) || p.Lexicon.Has(lexicon.SnapshotField, n.Step.Name)) {
		return true
	}
	for _, f := range n.Object.Fields() {
		if p.Lexicon.Has(lexicon.SnapshotField, f.Step.Name) {
			return true
		}
	}
	return recordsEvent(p, n) || soldLine(p, n)
}

// soldLine reports whether the objects are lines of something that took
// place: they, or the objects around them, have a quantity beside a price, and
// the document a date that is not about the document itself.
func soldLine(p *check.Pass, n *profile.Node) bool {
	if !hasQuantity(n) && !hasQuantity(n.Parent) {
		return false
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	return slices.ContainsFunc(root.Object.Fields(), func(f *profile.Node) bool {
		tokens := lexicon.Tokens(f.Step.Name)
		return len(tokens) > 0 && p.Lexicon.HasWord(lexicon.Moment, tokens[len(tokens)-1]) &&
			!p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && HoldsDates(f)
	})
}

func hasQuantity(n *profile.Node) bool {
	return n != nil && n.Object != nil && slices.ContainsFunc(n.Object.Fields(), func(f *profile.Node) bool {
		tokens := lexicon.Tokens(f.Step.Name)
		return slices.Contains(tokens, "quantity") || slices.Contains(tokens, "qty")
	})
}

func HoldsDates(n *profile.Node) bool {
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
func embedded(p *check.Pass, e *model.Entity, n *profile.Node) *Site {
	c := &Site{Entity: e, Holder: n, Path: n.Path(), ID: model.Identity(n)}
	if c.ID != nil {
		c.Ref = p.DB.ReferenceAt(c.ID)
	} else {
		for _, f := range n.Object.Fields() {
			if r := p.DB.ReferenceAt(f); r != nil && f.Array == nil && (r.Stem || r.Declared) {
				c.ID, c.Ref = f, r
				break
			}
		}
	}
	if c.ID == nil || valueObject(p, n, c.ID) || float64(c.ID.Present()) < identified*float64(n.Types[profile.Object]) {
		return nil
	}
	for _, f := range n.Object.Fields() {
		if f != c.ID && Copied(f) && !p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && !p.Lexicon.Has(lexicon.System, f.Step.Name) {
			c.fields = append(c.fields, f)
		}
		if isClock(p, f) {
			c.clock = f
		}
	}
	return c.worthwhile()
}

// valueObject reports whether the objects at a node are values without a life
// of their own, as addresses are: the postal code in them identifies a place,
// not the address.
func valueObject(p *check.Pass, n, id *profile.Node) bool {
	tokens := lexicon.Tokens(id.Step.Name)
	return len(tokens) > 0 && p.Lexicon.HasWord(lexicon.ValueKey, tokens[0]) && (len(tokens) > 1 || tokens[0] == "zip" || tokens[0] == "postcode")
}

// beside finds references in the objects at n with fields named after them.
func beside(p *check.Pass, e *model.Entity, n, identity *profile.Node) []*Site {
	var found []*Site
	fields := n.Object.Fields()
	for _, f := range fields {
		if f == identity || f.Scalars == nil {
			continue
		}
		r := p.DB.ReferenceAt(f)
		if r == nil && valueObject(p, n, f) || r != nil && version(r) {
			continue
		}
		c := &Site{Entity: e, Holder: n, Path: n.Path(), ID: f, Ref: r, Flat: true}
		stem := c.stem()
		if len(stem) == 0 {
			continue
		}
		for _, g := range fields {
			tokens := lexicon.Tokens(g.Step.Name)
			if g != f && Copied(g) && len(tokens) > len(stem) && slices.Equal(tokens[:len(stem)], stem) {
				c.fields = append(c.fields, g)
			}
		}
		if c = c.worthwhile(); c != nil {
			found = append(found, c)
		}
	}
	return found
}

// version reports whether documents of one kind have what refers as their own key
// too, and the names of those it leads to: those of a backup are versions of the
// others, and no copies in something else.
func version(r *model.Reference) bool {
	common := 0
	for _, f := range r.From.Root().Object.Fields() {
		if r.To.Root().Object.Field(f.Step.Name) != nil {
			common++
		}
	}
	return r.From != r.To && r.Node.Scalars.Values.Repeated() == 0 && 5*common >= 4*len(r.From.Root().Object.Fields())
}

func Copied(f *profile.Node) bool {
	return f.Scalars != nil && f.ScalarCount() > 0 && f.Types[profile.Object]+f.Types[profile.Array] == 0
}

// isClock reports whether a field says when its object was last changed.
func isClock(p *check.Pass, f *profile.Node) bool {
	return p.Lexicon.Has(lexicon.Clock, f.Step.Name) && f.Scalars != nil && f.Types[profile.Object]+f.Types[profile.Array] == 0
}

// worthwhile returns c if there is anything to follow: fields, and a chance
// that a thing is copied more than once or can be compared with its original.
func (c *Site) worthwhile() *Site {
	if len(c.fields) == 0 {
		return nil
	}
	slices.SortStableFunc(c.fields, func(a, b *profile.Node) int { return cmp.Compare(b.Present(), a.Present()) })
	c.fields = c.fields[:min(len(c.fields), maxCopiedFields)]
	if c.Ref == nil && c.Entity.N() >= places.EnoughDocuments && c.ID.Scalars.Values.Distinct() > 0.9*float64(c.ID.ScalarCount()) {
		return nil
	}
	return c
}

// stem returns the words that name the thing in the name of its id, and of the
// fields beside that: "customer" of customerId, and of customer where that is
// known to be a reference. It is empty for a thing's own id and for many.
func (c *Site) stem() []string {
	name := c.ID.Step.Name
	stem, many, ok := lexicon.ReferenceStem(name)
	switch {
	case many:
		return nil
	case ok:
		return strings.Fields(stem)
	case c.Ref != nil && c.Flat:
		return lexicon.Tokens(name)
	}
	return nil
}

// Noun is the word for one of the things.
func (c *Site) Noun() string {
	if stem := c.stem(); len(stem) > 0 && (c.Flat || c.Ref != nil) {
		return strings.Join(stem, " ")
	}
	for n := c.Holder; n.Parent != nil; n = n.Parent {
		if n.Step.Kind == profile.Field {
			tokens := lexicon.Tokens(n.Step.Name)
			if len(tokens) == 0 {
				break
			}
			tokens[len(tokens)-1] = lexicon.Singular(tokens[len(tokens)-1])
			return strings.Join(tokens, " ")
		}
	}
	if c.Ref != nil {
		return lexicon.Singular(c.Ref.To.Collection.Name)
	}
	return "thing"
}

// At returns where the finding about the holder stands.
func (c *Site) At() profile.Pos { return c.Holder.First(profile.Object) }

// settings say how to follow the copies in the second pass.
func (c *Site) settings(p *check.Pass) *copySettings {
	names := map[string]int{}
	variants := 0.0
	things := max(1, c.ID.Scalars.Values.Distinct())
	for i, f := range c.fields {
		names[f.Step.Name] = i
		variants += min(cellCapacity, 1+f.Scalars.Values.Distinct()/things)
	}
	settings := &copySettings{
		path: c.Path, id: c.ID.Step.Name, names: names, fields: len(c.fields), tail: c.Ref != nil && c.Ref.Tail,
		capacity: int(max(minThings, min(maxThings, maxVariants/max(1, variants)))),
	}
	if c.clock != nil {
		for _, f := range c.Entity.Root().Object.Fields() {
			if isClock(p, f) {
				settings.clock, settings.rootClock = c.clock.Step.Name, f.Step.Name
			}
		}
	}
	return settings
}

// IdentityHash is the hash of an identity, or of the last segment of one that
// is a URL or a path.
func IdentityHash(text []byte, tail bool) uint64 {
	if tail {
		text = bytes.TrimRight(text, "/")
		if cut := bytes.LastIndexAny(text, "/:"); cut >= 0 && cut+1 < len(text) {
			text = text[cut+1:]
		}
	}
	return profile.HashText(text)
}
