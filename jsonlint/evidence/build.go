package evidence

import (
	"fmt"
	"math"
	"time"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Options configures [New].
type Options struct {
	Tool string    // version of the program
	Date time.Time // when the documents were read

	// Discriminators allows the file to hold the values of discriminators, such as
	// "review", the kind of some documents. They are the only values that a file
	// can hold.
	Discriminators bool

	// Shared says that others will see the file. It then omits names where there
	// are too few objects to distinguish field names from data.
	Shared bool
}

// New makes a file from what is known about a database.
func New(db *model.Database, o Options) *File {
	day := o.Date.Format(DateLayout)
	f := &File{Tools: []string{o.Tool}, From: day, Until: day, Parts: 1}
	for _, c := range db.Collections {
		f.Collections = append(f.Collections, newCollection(c, o))
	}
	for _, r := range db.References {
		f.References = append(f.References, &Reference{
			From: r.From.Collection.Name, Path: r.Path.String(), To: r.To.Collection.Name, Key: r.Key.Path.String(),
			Tested: int64(r.Tested), Found: int64(r.Found), SameType: int64(r.SameType), Declared: r.Declared,
		})
	}
	f.tidy(o.Shared)
	return f
}

func newCollection(c *model.Collection, o Options) *Collection {
	out := &Collection{Name: c.Name}
	if c.Discriminator != nil {
		out.Discriminator = c.Discriminator.Path.String()
	}
	for _, e := range c.Entities {
		k := &Kind{Documents: e.N(), Root: newNode(e.Root()), Entity: e.Kind}
		k.Sizes.Merge(&e.Profile.Sizes)
		k.Depths.Merge(&e.Profile.Depths)
		if o.Discriminators && c.Discriminator != nil && !e.Rest() {
			k.Value, k.Named = e.Value(), true
		}
		for _, m := range e.Maps {
			k.Root.at(m.Node.Path()).isMap(m)
		}
		out.Kinds = append(out.Kinds, k)
	}
	return out
}

func (n *Node) at(path profile.Path) *Node {
	for _, s := range path {
		if n == nil {
			return nil
		}
		n = n.step(s)
	}
	return n
}

func (n *Node) isMap(m *model.Map) {
	if n == nil {
		return
	}
	n.Fold = Map
	names := int64(math.Round(m.Distinct))
	n.Names = Range{names, names}
}

func newNode(p *profile.Node) *Node {
	n := &Node{Docs: p.Docs, Values: p.Count, Types: p.Types, Bytes: p.Bytes, Max: p.Max, sighted: sightedIn(p)}
	if s := p.Scalars; s != nil {
		distinct := int64(math.Round(s.Values.Distinct()))
		n.Distinct = Range{distinct, distinct}
		n.Blobs, n.Fractions, n.Decimals = s.Blobs, s.Fractions, s.Decimals
		switch {
		case s.Ints < p.Types[profile.Int]: // some are longer than the sample
			n.Ints = Width{64, 64}
		case s.Ints > 0:
			n.Ints = widthOf(s.MinInt, s.MaxInt)
		}
		for form := profile.Form(0); form < profile.NumForms; form++ {
			n.Forms[form], _ = s.FormCount(form)
		}
	}
	if a := p.Array; a != nil {
		n.Lengths.Merge(&a.Len)
		if a.Elem.Count > 0 {
			n.Elem = newNode(a.Elem)
		}
	}
	if o := p.Object; o != nil {
		n.Keys.Merge(&o.Keys)
		for _, f := range o.Fields() {
			if n.Fields == nil {
				n.Fields = map[string]*Node{}
			}
			n.Fields[f.Step.Name] = newNode(f)
		}
		if o.Rest != nil {
			n.Rest = newNode(o.Rest)
		}
		if o.Sampled() { // the names kept are a sample
			names := int64(math.Round(o.Distinct()))
			n.Fold = Varied
			n.Names = Range{names, names}
			for _, name := range n.FieldNames() {
				n.leaveOut(name)
			}
		}
	}
	return n
}

// Stale describes evidence older than the given number of days, or returns ""
// if it is not that old.
func (f *File) Stale(now time.Time, days int) string {
	until, err := time.Parse(DateLayout, f.Until)
	if err != nil {
		return ""
	}
	if age := int(now.Sub(until).Hours() / 24); age > days {
		return fmt.Sprintf("the documents were read on %s, %d days ago; make it again, or raise evidenceMaxAge (%d)", f.Until, age, days)
	}
	return ""
}
