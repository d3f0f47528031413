// Package copies finds places where documents hold copies of independent
// things, and measures which copied values change. The rules on copies share
// one search and one set of probes.
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
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// Site is a place where documents hold copies of independent things: objects
// with an identity, or fields next to a reference that are named after it
// (categoryId, categoryName) or hold the name of what it refers to. Several
// rules use it, but it is measured once.
type Site struct {
	Entity *model.Entity
	Holder *profile.Node // objects that hold the copied fields
	Path   profile.Path
	ID     *profile.Node    // field of the holder that identifies the thing
	Ref    *model.Reference // of id; nil if the things have no documents here
	Flat   bool             // only some fields next to the reference are a copy, not the whole holder

	fields  []*profile.Node // scalars that may be copied
	unnamed []*profile.Node // of these, those that only their values show: title next to productId
	clock   *profile.Node   // the holder's time of update; nil if it or the document has none

	probe    *copyProbe     // nil if there is certainly nothing to report
	Original *originalProbe // nil without ref or probe

	snapshots     *snapshotProbe // nil unless documents occur several times
	snapshotIndex int

	Measured *Measures
}

// maxCopiedFields bounds the fields that are followed per place.
const maxCopiedFields = 24

// All finds the places and starts to watch them. Call it while the rules run,
// and [Site.Measure] afterwards.
func All(p *check.Pass) []*Site {
	return check.Once(p, "copies", func() []*Site {
		var all []*Site
		for _, e := range p.DB.Entities() {
			all = append(all, copiesIn(p, e)...)
		}
		findOriginals(p, all)
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
		if n.Object == nil || n.Object.Sampled() {
			return true
		}
		if n.Parent != nil && Frozen(p, n) {
			return false // a record of the past, with everything below it
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

// Historical reports whether the documents record the past: orders, invoices.
func Historical(p *check.Pass, e *model.Entity) bool {
	if p.Lexicon.Has(lexicon.HistoricalParent, e.Collection.Name) || p.Lexicon.Has(lexicon.HistoricalParent, naming.EntityName(e)) {
		return true
	}
	return recordsEvent(p, e.Root())
}

// recordsEvent reports whether an object's own fields show that it records an
// event: it has the number or time of an order, a payment or a shipment
// ("orderDate", "invoiceNo").
func recordsEvent(p *check.Pass, n *profile.Node) bool {
	for _, f := range n.Object.Fields() {
		tokens := lexicon.Tokens(f.Step.Name)
		last := len(tokens) - 1
		if last < 1 || !p.Lexicon.HasWord(lexicon.Moment, tokens[last]) && !p.Lexicon.HasWord(lexicon.DocumentNumber, tokens[last]) {
			continue
		}
		if p.Lexicon.HasWord(lexicon.Notice, tokens[last-1]) {
			// Documents that are not notices themselves may, unlike orders, store when
			// the last notice was sent.
			continue // lastMessageAt, reminderDate: of a conversation, a task
		}
		if p.Lexicon.Has(lexicon.HistoricalParent, strings.Join(tokens[:last], " ")) {
			return true
		}
	}
	return false
}

// Frozen reports whether the objects at a node below the document are meant to
// stay unchanged: they are in a record of the past, or have a field that was
// captured on purpose.
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

// soldLine reports whether the objects are lines of a transaction: they, or the
// objects around them, have a quantity, and the document has a date that is not
// metadata, or refers to a record of the past.
func soldLine(p *check.Pass, n *profile.Node) bool {
	if !hasQuantity(p, n) && !hasQuantity(p, n.Parent) {
		return false
	}
	root := n
	for root.Parent != nil {
		root = root.Parent
	}
	return slices.ContainsFunc(root.Object.Fields(), func(f *profile.Node) bool {
		if r := p.DB.ReferenceAt(f); r != nil {
			return p.Lexicon.Has(lexicon.HistoricalParent, r.To.Collection.Name) // the details of an order
		}
		tokens := lexicon.Tokens(f.Step.Name)
		return len(tokens) > 0 && p.Lexicon.HasWord(lexicon.Moment, tokens[len(tokens)-1]) &&
			!p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && HoldsDates(f)
	})
}

// hasQuantity reports whether the objects at a node have a quantity. It is asked
// for each object in a large one.
func hasQuantity(p *check.Pass, n *profile.Node) bool {
	if n == nil || n.Object == nil {
		return false
	}
	known := check.Once(p, "quantities", func() map[*profile.Node]bool { return map[*profile.Node]bool{} })
	has, ok := known[n]
	if !ok {
		has = slices.ContainsFunc(n.Object.Fields(), func(f *profile.Node) bool {
			tokens := lexicon.Tokens(f.Step.Name)
			return slices.Contains(tokens, "quantity") || slices.Contains(tokens, "qty")
		})
		known[n] = has
	}
	return has
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

// embedded returns what the objects at n are copies of, or nil if they have no
// identity.
func embedded(p *check.Pass, e *model.Entity, n *profile.Node) *Site {
	c := &Site{Entity: e, Holder: n, Path: n.Path(), ID: model.Identity(n)}
	if c.ID != nil {
		c.Ref = p.DB.ReferenceAt(c.ID)
	}
	own := false // it has an id of its own, or that of the original under its name there
	if c.ID != nil {
		_, _, refers := lexicon.ReferenceStem(c.ID.Step.Name)
		own = !refers || c.Ref != nil && c.ID.Step.Name == c.Ref.Key.Node.Step.Name
	}
	for _, f := range n.Object.Fields() {
		r := p.DB.ReferenceAt(f)
		switch {
		case r == nil || f.Array != nil:
		case c.Ref == nil && (c.ID == nil && r.Stem && (r.Key.Identifies() || f.Step.Name == r.Key.Node.Step.Name) || identity.IsIDName(f.Step.Name)):
			c.ID, c.Ref = f, r // the id that leads to the original, whatever others the copy has
		case !own && c.Ref != nil && r.Stem && r.To.Collection != c.Ref.To.Collection:
			return nil // it relates documents of two collections and is no copy of either
		}
	}
	if c.ID == nil || valueObject(p, n, c.ID) || float64(c.ID.Present()) < identified*float64(n.Types[profile.Object]) {
		return nil
	}
	for _, f := range n.Object.Fields() {
		if f != c.ID && describes(p, f) {
			c.fields = append(c.fields, f)
		}
		if isClock(p, f) {
			c.clock = f
		}
	}
	return c.worthwhile()
}

// describes reports whether a field may describe the thing that is copied. Metadata does
// not, and a plain count says how many of it there are here.
func describes(p *check.Pass, f *profile.Node) bool {
	tokens := lexicon.Tokens(f.Step.Name)
	return Copied(f) && !p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && !p.Lexicon.Has(lexicon.System, f.Step.Name) &&
		!(len(tokens) == 1 && p.Lexicon.HasWord(lexicon.Amount, tokens[0]))
}

// valueObject reports whether the objects at a node are mere values, like
// addresses: the postal code in them identifies a place, not the address. The key of
// a pair says what its value is, and each owner has another value.
func valueObject(p *check.Pass, n, id *profile.Node) bool {
	if strings.EqualFold(id.Step.Name, "key") && slices.ContainsFunc(n.Object.Fields(), func(f *profile.Node) bool { return strings.EqualFold(f.Step.Name, "value") }) {
		return true
	}
	tokens := lexicon.Tokens(id.Step.Name)
	return len(tokens) > 0 && p.Lexicon.HasWord(lexicon.ValueKey, tokens[0]) && (len(tokens) > 1 || tokens[0] == "zip" || tokens[0] == "postcode")
}

// beside finds references in the objects at n with fields named after them, or with
// the name of what they refer to.
func beside(p *check.Pass, e *model.Entity, n, told *profile.Node) []*Site {
	var found []*Site
	fields := n.Object.Fields()
	for _, f := range fields {
		if f == told || f.Scalars == nil {
			continue
		}
		r := p.DB.ReferenceAt(f)
		if r == nil && valueObject(p, n, f) || r != nil && (version(r) || repeated(p, r)) {
			continue
		}
		c := &Site{Entity: e, Holder: n, Path: n.Path(), ID: f, Ref: r, Flat: true}
		stem := c.stem()
		if len(stem) == 0 {
			continue
		}
		for _, g := range fields {
			tokens := lexicon.Tokens(g.Step.Name)
			switch {
			case g == f || !Copied(g), n.Parent == nil && identity.IsIDName(g.Step.Name): // a document's own id is no copy
			case len(tokens) > len(stem) && slices.Equal(tokens[:len(stem)], stem), r != nil && (c.noun(g) || slices.Equal(tokens, stem) && Telling(g)):
				c.fields = append(c.fields, g)
			case r != nil && repeats(p, g, r.To):
				c.fields, c.unnamed = append(c.fields, g), append(c.unnamed, g)
			}
		}
		if c = c.worthwhile(); c != nil {
			found = append(found, c)
		}
	}
	return found
}

// noun reports whether the name of a field begins with the last word for the thing,
// like cycle_name next to card_cycle_id, unless another reference has that name.
func (c *Site) noun(f *profile.Node) bool {
	stem, tokens := c.stem(), lexicon.Tokens(f.Step.Name)
	last := stem[len(stem)-1]
	return len(tokens) > 1 && tokens[0] == last && !slices.ContainsFunc(f.Parent.Object.Fields(), func(o *profile.Node) bool {
		other, _, ok := lexicon.ReferenceStem(o.Step.Name)
		return ok && other == last
	})
}

// repeats reports whether many values of a field are names of the documents that
// the field next to it refers to, or values that these have under the same name. A name
// is a text that hardly any two of them share.
func repeats(p *check.Pass, f *profile.Node, to *model.Entity) bool {
	if p.DB.ReferenceAt(f) != nil || f.Types[profile.String] != f.Present() || HoldsDates(f) {
		return false
	}
	return slices.ContainsFunc(to.Root().Object.Fields(), func(n *profile.Node) bool {
		return n != f && Copied(n) && included(f, n, leafInclusion) && (n.Step.Name == f.Step.Name || n.Scalars.Values.Distinct() >= identified*float64(n.Present()))
	})
}

// repeated reports whether a field is what the documents that it leads to repeat:
// it leads to no id, and they refer back by a name. So the name of a customer
// leads to the customerName of a shipment, which has a customerId.
func repeated(p *check.Pass, r *model.Reference) bool {
	return !r.Key.ID && slices.ContainsFunc(p.DB.ReferencesFrom(r.To), func(back *model.Reference) bool { return back.Stem && back.To == r.From })
}

// version reports whether documents of one kind have the reference as their own
// key, and the same names as the documents it leads to: those of a backup are
// versions of the others rather than copies in something else.
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

// isClock reports whether a field says when its object last changed.
func isClock(p *check.Pass, f *profile.Node) bool {
	return p.Lexicon.Has(lexicon.Clock, f.Step.Name) && f.Scalars != nil && f.Types[profile.Object]+f.Types[profile.Array] == 0
}

// worthwhile returns c if there is something to follow: fields, and a chance
// that a thing is copied more than once or can be compared with its original.
// Otherwise it returns nil.
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

// stem returns the words for the thing in the name of its id and of the fields
// next to it: "customer" for customerId, and for customer if that is known to
// be a reference. It is empty for a thing's own id and for lists.
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

// Noun returns the word for one of the things.
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

// At returns the position for findings about the holder.
func (c *Site) At() profile.Pos { return c.Holder.First(profile.Object) }

// settings returns how to follow the copies in the second pass.
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

// IdentityHash returns the hash of an identity, or of the last segment if it is
// a URL or path.
func IdentityHash(text []byte, tail bool) uint64 {
	if tail {
		text = bytes.TrimRight(text, "/")
		if cut := bytes.LastIndexAny(text, "/:"); cut >= 0 && cut+1 < len(text) {
			text = text[cut+1:]
		}
	}
	return profile.HashText(text)
}
