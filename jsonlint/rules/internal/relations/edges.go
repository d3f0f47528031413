package relations

import (
	"cmp"
	"context"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/column"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scratch"
)

// An edge leads from one document to another. Both are hashes of keys.
type edge struct{ from, To uint64 }

func (e edge) hash() uint64     { return sample.PairHash(e.from, e.To) }
func (e edge) opposite() uint64 { return sample.PairHash(e.To, e.from) }

// A FoundEdge is an edge with the position of its first value.
type FoundEdge struct {
	edge
	At sample.PackedPos
}

// From returns the hash of the referring document's key.
func (e FoundEdge) From() uint64 { return e.from }

// edgesKept bounds the edges kept in memory. If there may be more, they go to
// temporary files.
const edgesKept = 1 << 15

// Edges are the references of a relation's documents, for comparison with those
// of another relation after all documents were visited.
type Edges struct {
	rows      *column.Column        // hash of an edge, its two ends, and its position
	opposites *column.Column        // hashes of the reversed edges
	to        *sample.ByHash[int64] // number of edges to a document
	from      *sample.ByHash[int64] // number of edges from a document
	keys      *TargetKeys
	beyond    *column.Keys // target keys that the samples lack
	scratch   *scratch.Space
}

// edgeWords is the width of the rows.
const edgeWords = 6

// WatchEdges collects the edges of a relation. own is the key of the referring
// documents.
func WatchEdges(p *check.Pass, r *Relation, own profile.Path) *Edges {
	x := &Edges{to: sample.NewByHash[int64](edgesKept), from: sample.NewByHash[int64](edgesKept), keys: KeysOf(p, r), beyond: cmp.Or(Beyond(p, r.Targets()), column.KeysOf())}
	if r.Values() > edgesKept {
		x.scratch = p.Scratch
	}
	x.rows, x.opposites = column.New(edgeWords, x.scratch), column.New(1, x.scratch)
	for _, k := range r.Kinds {
		check.Watch(p, k.From, (&edgeProbe{edges: x, own: profile.NewTrail(own), at: profile.NewTrail(k.Path), tail: k.Tail, inner: k.From.Collection == r.To.Collection}).New())
	}
	return x
}

// An edgeProbe adds the edges of one kind of document to columns.
type edgeProbe struct {
	edges           *Edges
	own             profile.Trail
	at              profile.Trail
	tail            bool
	inner           bool // documents refer to others of their collection
	rows, opposites *column.Writer
	found           []FoundEdge // in the previous document
}

func (x *edgeProbe) New() check.Probe {
	return &edgeProbe{
		edges: x.edges, own: profile.NewTrail(x.own.Path()), at: profile.NewTrail(x.at.Path()), tail: x.tail, inner: x.inner,
		rows: x.edges.rows.Writer(), opposites: x.edges.opposites.Writer(),
	}
}

func (x *edgeProbe) Skips(d *profile.Document) bool { return x.own.Absent(d) || x.at.Absent(d) }

func (x *edgeProbe) Visit(d *profile.Document) {
	i, ok := x.own.First(d)
	if !ok || !places.Scalar(d, i) {
		return
	}
	from := d.Hash(i)
	x.found = x.found[:0]
	for v := range x.at.All(d) {
		if !places.Scalar(d, v) {
			continue
		}
		if to, ok := RefHash(d, v, x.tail); ok && !(x.inner && to == from) { // a document's own key says nothing of others
			x.found = append(x.found, FoundEdge{edge{from, to}, sample.Pack(d.At(v))})
		}
	}
	// Two references to the same document are one edge.
	slices.SortFunc(x.found, func(e, f FoundEdge) int { return cmp.Or(cmp.Compare(e.To, f.To), e.At.Compare(f.At)) })
	for _, e := range slices.CompactFunc(x.found, func(e, f FoundEdge) bool { return e.To == f.To }) {
		a, b, c := e.At.Words()
		x.rows.Add(e.hash(), e.from, e.To, a, b, c)
		x.opposites.Add(e.opposite())
		x.edges.to.Put(e.To, 1, sample.Sum)
		x.edges.from.Put(from, 1, sample.Sum)
	}
}

func (x *edgeProbe) Merge(o check.Probe) {
	from := o.(*edgeProbe)
	from.rows.Flush()
	from.opposites.Flush()
	x.edges.merge(from.edges)
}

// merge adds other edges of the same relation and empties them.
func (x *Edges) merge(o *Edges) {
	if x == o {
		return // all workers share one
	}
	x.rows.Merge(o.rows)
	x.opposites.Merge(o.opposites)
	x.to.Merge(o.to, sample.Sum)
	x.from.Merge(o.from, sample.Sum)
	o.to, o.from = sample.NewByHash[int64](edgesKept), sample.NewByHash[int64](edgesKept)
}

// A OneSided is the edges of a relation without an opposite in the other one.
type OneSided struct {
	Edges []FoundEdge // some of them if there are very many
	Count int64       // number of those that lead to a document
	Both  int64       // number of edges with an opposite
}

// Without returns the edges that have no opposite in the other relation
// although the documents they lead to exist.
func (x *Edges) Without(ctx context.Context, o *Edges) (OneSided, error) {
	out, kept := OneSided{Both: x.rows.Len()}, sample.NewByHash[FoundEdge](edgesKept)
	keep := func(e edge, place []uint64) {
		out.Count++
		kept.Put(e.hash(), FoundEdge{e, sample.Unpack(place[0], place[1], place[2])}, func(a, b FoundEdge) FoundEdge {
			a.At = sample.EarlierPacked(a.At, b.At)
			return a
		})
	}
	unsure := column.New(edgeWords-1, x.scratch) // by the key that the edges lead to
	later := unsure.Writer()
	err := x.rows.Absent(ctx, column.KeysOf(o.opposites), func(row []uint64) {
		out.Both--
		if held, known := x.keys.Keys.Lookup(row[2]); held {
			keep(edge{row[1], row[2]}, row[3:])
		} else if !known {
			later.Add(row[2], row[1], row[3], row[4], row[5])
		}
	})
	if err != nil {
		return out, err
	}
	later.Flush()
	if err := unsure.Present(ctx, x.beyond, func(row []uint64) { keep(edge{row[1], row[0]}, row[2:]) }); err != nil {
		return out, err
	}
	for _, e := range kept.All() {
		out.Edges = append(out.Edges, *e)
	}
	return out, nil
}

// Exclusive reports whether only one document refers to each, with few
// exceptions.
func (x *Edges) Exclusive() bool {
	once, all := 0, 0
	for to, n := range x.to.All() {
		if held, _ := x.keys.Keys.Lookup(to); held {
			all++
			if *n == 1 {
				once++
			}
		}
	}
	return float64(once) >= 0.98*float64(all)
}

// From returns the number of edges from the document with a key.
func (x *Edges) From(key uint64) int64 {
	n, _ := x.from.Get(key)
	return n
}

// Limit returns the greatest number of edges from a document if many documents
// stop at it, as when a program takes the best six; otherwise 0.
func (x *Edges) Limit() int64 {
	most, stop, more := int64(0), int64(0), int64(0)
	for _, n := range x.from.All() {
		if *n > most {
			most, stop = *n, 0
		}
		if *n == most {
			stop++
		}
		if *n > 1 {
			more++
		}
	}
	if most < 2 || !profile.StopsAt(stop, more) {
		return 0
	}
	return most
}

// Possible returns the number of possible pairs between the documents in two
// opposite relations.
func Possible(x, opposite *Edges) float64 {
	return max(1, distinct(x.from, opposite.to)*distinct(x.to, opposite.from))
}

// distinct estimates how many documents are in at least one of the samples.
func distinct(x, y *sample.ByHash[int64]) float64 {
	shift := max(x.Shift.Load(), y.Shift.Load())
	x.KeepBelow(shift)
	y.KeepBelow(shift)
	n := x.Len()
	for hash := range y.All() {
		if _, ok := x.Get(hash); !ok {
			n++
		}
	}
	return float64(n) * x.Scale()
}
