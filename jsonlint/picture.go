package jsonlint

import (
	"cmp"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

const (
	pictureFields = 400 // per collection; nobody can look at a record with more
	pictureDepth  = 8   // levels of embedding
	pictureBins   = 24  // at most, per distribution
)

// draw makes the picture of a database that reports show.
func draw(db *model.Database) finding.Picture {
	var p finding.Picture
	for _, c := range db.Collections {
		p.Collections = append(p.Collections, drawCollection(c))
	}
	p.References = drawReferences(db)
	return p
}

func drawCollection(c *model.Collection) finding.PictureCollection {
	out := finding.PictureCollection{Name: c.Name, Documents: c.Profile.Docs, Bytes: c.Profile.Bytes}
	if c.Discriminator != nil {
		out.Discriminator = c.Discriminator.Path.String()
	}
	ids := map[string]bool{}
	maps := map[string]*model.Map{}
	for _, e := range c.Entities {
		if len(c.Entities) > 1 {
			out.Kinds = append(out.Kinds, finding.PictureKind{Name: e.Kind, Documents: e.N()})
		}
		if id := e.ID(); id != nil {
			ids[id.Path.String()] = true
		}
		for _, m := range e.Maps {
			maps[m.Node.Path().String()] = m
		}
	}
	artist := artist{ids: ids, maps: maps}
	artist.fields(c.Profile.Root, c.Profile.Docs, 0)
	out.Fields = artist.out
	return out
}

// An artist lists the fields of a collection.
type artist struct {
	ids  map[string]bool
	maps map[string]*model.Map
	out  []finding.PictureField
}

// fields adds the fields of the objects at a node.
func (a *artist) fields(n *profile.Node, objects int64, depth int) {
	if n.Object == nil || depth > pictureDepth {
		return
	}
	for _, f := range n.Object.Fields() {
		if len(a.out) >= pictureFields {
			return
		}
		a.field(f, objects, depth)
	}
}

func (a *artist) field(n *profile.Node, objects int64, depth int) {
	path := n.Path().String()
	field := finding.PictureField{Path: path, Name: n.Step.Name, Depth: depth, ID: a.ids[path]}
	if objects > 0 {
		field.Presence = min(1, float64(n.Count-n.Duplicated)/float64(objects))
	}
	for _, c := range n.TypeClasses() {
		field.Types = append(field.Types, c.Class.TypeName())
	}
	m := a.maps[path]
	inside := n
	switch {
	case m != nil:
		field.Lengths = lengths(m.PerObject)
		if i := slices.Index(field.Types, profile.Object.TypeName()); i >= 0 {
			field.Types[i] = "map"
		}
	case n.Array != nil:
		field.Lengths = lengths(&n.Array.Len)
		if n.Array.Elem != nil && n.Array.Elem.Count > 0 {
			inside = n.Array.Elem
		}
	}
	a.out = append(a.out, field)
	if m == nil {
		a.fields(inside, inside.Types[profile.Object], depth+1)
	}
}

func lengths(h *profile.Histogram) *finding.Lengths {
	if h == nil || h.Count == 0 {
		return nil
	}
	l := &finding.Lengths{P50: h.Quantile(0.5), P95: h.Quantile(0.95), P99: h.Quantile(0.99), Max: h.Max}
	for from := int64(0); from <= h.Max; {
		to := binEnd(from, h.Max)
		if count := h.Above(from) - h.Above(to+1); count > 0 || l.Bins != nil {
			l.Bins = append(l.Bins, finding.Bin{From: from, To: to, Count: count})
		}
		from = to + 1
	}
	return l
}

// binEnd returns the last value of the bin that starts at from. Bins have one
// width for small values and grow for larger ones.
func binEnd(from, most int64) int64 {
	if most < pictureBins {
		return from
	}
	if most < exactLengths {
		return from + most/pictureBins
	}
	// Powers of the square root of two: two bins per doubling.
	if from < 2 {
		return from
	}
	low := int64(1)
	for low*2 <= from {
		low *= 2
	}
	if middle := low + low/2; from < middle {
		return middle - 1
	}
	return 2*low - 1
}

// exactLengths is the value from which a histogram's buckets are wider than
// one.
const exactLengths = 256

func drawReferences(db *model.Database) []finding.PictureReference {
	var out []finding.PictureReference
	for _, r := range db.References {
		reference := finding.PictureReference{
			From: r.From.Collection.Name, Path: r.Path.String(), To: r.To.Collection.Name, Key: r.Key.Path.String(),
			PerTarget: perTarget(r), Resolved: r.Resolved(),
		}
		for n := r.Node; n != nil; n = n.Parent {
			if n.Array != nil && r.Node.Inside() {
				reference.PerDocument = lengths(&n.Array.Len)
				break
			}
		}
		out = append(out, reference)
	}
	slices.SortFunc(out, func(a, b finding.PictureReference) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Path, b.Path), cmp.Compare(a.To, b.To), cmp.Compare(a.Key, b.Key))
	})
	// Several kinds of document may hold the same reference.
	return slices.CompactFunc(out, func(a, b finding.PictureReference) bool {
		return a.From == b.From && a.Path == b.Path && a.To == b.To
	})
}

// perTarget counts how often each key is referenced.
func perTarget(r *model.Reference) *finding.Lengths {
	if r.Node.Scalars == nil {
		return nil
	}
	var h profile.Histogram
	for _, v := range r.Node.Scalars.Values.Values() {
		h.Add(v.Count)
	}
	return lengths(&h)
}
