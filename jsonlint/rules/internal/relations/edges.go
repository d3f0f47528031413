package relations

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// An edge leads from a document to another one; both are hashes of keys.
type edge struct{ from, To uint64 }

func (e edge) reversed() edge { return edge{e.To, e.from} }

// hash is the same in both directions, so that samples of two opposite
// relations keep the same pairs.
func (e edge) hash() uint64 { return sample.PairHash(min(e.from, e.To), max(e.from, e.To)) }

// A FoundEdge is an edge and where the first value that makes it stands.
type FoundEdge struct {
	edge
	At sample.PackedPos
}

// and takes in a sight of the same edge.
func (x *FoundEdge) and(y FoundEdge) bool {
	if x.edge != y.edge {
		return false
	}
	x.At = sample.EarlierPacked(x.At, y.At)
	return true
}

// edgesKept bounds the edges that a probe keeps.
const edgesKept = 1 << 15

// Edges is a probe that collects what documents refer to. Of very many edges
// it keeps a sample, chosen by hash.
type Edges struct {
	own  profile.Trail // the key by which the documents themselves are known
	at   profile.Trail
	tail bool
	Kept *sample.ByHash[FoundEdge]
}

func NewEdges(own profile.Path, r *model.Reference) *Edges {
	return &Edges{profile.NewTrail(own), profile.NewTrail(r.Path), r.Tail, sample.NewByHash[FoundEdge](edgesKept)}
}

func (x *Edges) New() check.Probe {
	return &Edges{profile.NewTrail(x.own.Path()), profile.NewTrail(x.at.Path()), x.tail, x.Kept}
}

func (x *Edges) Skips(d *profile.Document) bool { return x.own.Absent(d) || x.at.Absent(d) }

func (x *Edges) Visit(d *profile.Document) {
	i, ok := x.own.First(d)
	if !ok || !places.Scalar(d, i) {
		return
	}
	from := d.Hash(i)
	for v := range x.at.All(d) {
		if !places.Scalar(d, v) {
			continue
		}
		if to, ok := RefHash(d, v, x.tail); ok {
			x.put(edge{from, to}, d.At(v))
		}
	}
}

func (x *Edges) put(e edge, at profile.Pos) {
	x.Kept.Insert(e.hash(), FoundEdge{e, sample.Pack(at)}, (*FoundEdge).and)
}

func (x *Edges) Merge(o check.Probe) { x.Kept.Take(o.(*Edges).Kept, (*FoundEdge).and) }

// find returns where an edge was found first.
func (x *Edges) find(e edge) (profile.Pos, bool) {
	for found := range x.Kept.Table.All(e.hash()) {
		if found.edge == e {
			return found.At.Pos(), true
		}
	}
	return profile.Pos{}, false
}

// Without returns the edges of which the other probe does not have the
// opposite, in any order.
func (x *Edges) Without(o *Edges) []FoundEdge {
	var out []FoundEdge
	for _, e := range x.Kept.All() {
		if _, ok := o.find(e.reversed()); !ok {
			out = append(out, *e)
		}
	}
	return out
}

// Density is the share of all pairs of the documents in two opposite relations
// that the larger one has: so likely is a pair of one in the other by accident.
func Density(x, opposite *Edges) float64 {
	from, to := map[uint64]bool{}, map[uint64]bool{}
	for _, e := range x.Kept.All() {
		from[e.from], to[e.To] = true, true
	}
	for _, e := range opposite.Kept.All() {
		from[e.To], to[e.from] = true, true
	}
	return float64(max(x.Kept.Len(), opposite.Kept.Len())) / max(1, float64(len(from))*float64(len(to)))
}

// Lead drops the edges to documents that are not there, or of which the
// samples of keys cannot tell.
func (x *Edges) Lead(targets *profile.Union) {
	x.Kept.Table.Retain(func(_ uint64, e *FoundEdge) bool {
		held, _ := targets.Lookup(e.To)
		return held
	})
}
