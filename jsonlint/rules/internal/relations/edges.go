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

// An edge leads from a document to another one; both are hashes of keys.
type edge struct{ from, To uint64 }

func (e edge) hash() uint64     { return sample.PairHash(e.from, e.To) }
func (e edge) opposite() uint64 { return sample.PairHash(e.To, e.from) }

// A FoundEdge is an edge and where the first value that makes it stands.
type FoundEdge struct {
	edge
	At sample.PackedPos
}

// From is the hash of the key of the document that refers.
func (e FoundEdge) From() uint64 { return e.from }

// edgesKept bounds the edges that are kept in memory: where there may be more,
// they go to temporary files.
const edgesKept = 1 << 15

// Edges are what the documents of a relation refer to, to be compared with those
// of another relation once all documents were visited.
type Edges struct {
	rows      *column.Column        // hash of an edge, its two ends, and its place
	opposites *column.Column        // hashes of the edges in the other direction
	to        *sample.ByHash[int64] // how many edges lead to a document
	from      *sample.ByHash[int64] // and from it
	keys      *TargetKeys
	beyond    *column.Keys // of the targets, what the samples of keys do not hold
	scratch   *scratch.Space
}

// edgeWords is the width of the rows.
const edgeWords = 6

// WatchEdges collects the edges of a relation; own is the key by which the
// documents that refer are known themselves.
func WatchEdges(p *check.Pass, r *Relation, own profile.Path) *Edges {
	x := &Edges{to: sample.NewByHash[int64](edgesKept), from: sample.NewByHash[int64](edgesKept), keys: KeysOf(p, r), beyond: cmp.Or(Beyond(p, r.Targets()), column.KeysOf())}
	if r.Values() > edgesKept {
		x.scratch = p.Scratch
	}
	x.rows, x.opposites = column.New(edgeWords, x.scratch), column.New(1, x.scratch)
	for _, k := range r.Kinds {
		check.Watch(p, k.From, (&edgeProbe{edges: x, own: profile.NewTrail(own), at: profile.NewTrail(k.Path), tail: k.Tail}).New())
	}
	return x
}

// An edgeProbe puts the edges of one kind of document into columns.
type edgeProbe struct {
	edges           *Edges
	own             profile.Trail
	at              profile.Trail
	tail            bool
	rows, opposites *column.Writer
	found           []FoundEdge // in the document before
}

func (x *edgeProbe) New() check.Probe {
	return &edgeProbe{
		edges: x.edges, own: profile.NewTrail(x.own.Path()), at: profile.NewTrail(x.at.Path()), tail: x.tail,
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
		if to, ok := RefHash(d, v, x.tail); ok {
			x.found = append(x.found, FoundEdge{edge{from, to}, sample.Pack(d.At(v))})
		}
	}
	// A document that names another one twice has one edge to it.
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

// merge adds other edges of the same relation, which are empty after.
func (x *Edges) merge(o *Edges) {
	if x == o {
		return // the same for all workers
	}
	x.rows.Merge(o.rows)
	x.opposites.Merge(o.opposites)
	x.to.Merge(o.to, sample.Sum)
	x.from.Merge(o.from, sample.Sum)
	o.to, o.from = sample.NewByHash[int64](edgesKept), sample.NewByHash[int64](edgesKept)
}

// A OneSided is the edges of a relation of which the other one has no opposite.
type OneSided struct {
	Edges []FoundEdge // some of them, if there are very many
	Count int64       // of those that lead to a document
	Both  int64       // edges that have an opposite
}

// Without returns the edges of which the other relation has no opposite, though
// the documents that they lead to are there.
func (x *Edges) Without(ctx context.Context, o *Edges) (OneSided, error) {
	out, kept := OneSided{Both: x.rows.Len()}, sample.NewByHash[FoundEdge](edgesKept)
	keep := func(e edge, place []uint64) {
		out.Count++
		kept.Put(e.hash(), FoundEdge{e, sample.Unpack(place[0], place[1], place[2])}, func(a, b FoundEdge) FoundEdge {
			a.At = sample.EarlierPacked(a.At, b.At)
			return a
		})
	}
	unsure := column.New(edgeWords-1, x.scratch) // by the key that they lead to
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

// Exclusive reports whether nearly every document is referred to by one document
// only.
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

// Possible returns how many pairs there might be of the documents in two
// opposite relations.
func Possible(x, opposite *Edges) float64 {
	return max(1, distinct(x.from, opposite.to)*distinct(x.to, opposite.from))
}

// distinct estimates how many documents are in one of the samples or in both.
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
