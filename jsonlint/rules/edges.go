package rules

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// An edge leads from a document to another one; both are hashes of keys.
type edge struct{ from, to uint64 }

func (e edge) reversed() edge { return edge{e.to, e.from} }

// hash is the same in both directions, so that samples of two opposite
// relations keep the same pairs.
func (e edge) hash() uint64 { return pairHash(min(e.from, e.to), max(e.from, e.to)) }

// A foundEdge is an edge and where the first value that makes it stands.
type foundEdge struct {
	edge
	at packedPos
}

// and takes in a sight of the same edge.
func (x *foundEdge) and(y foundEdge) bool {
	if x.edge != y.edge {
		return false
	}
	x.at = earlierPacked(x.at, y.at)
	return true
}

// edgesKept bounds the edges that a probe keeps.
const edgesKept = 1 << 16

// edges is a probe that collects what documents refer to. Of very many edges
// it keeps a sample, chosen by hash.
type edges struct {
	own  profile.Trail // the key by which the documents themselves are known
	at   profile.Trail
	tail bool
	kept *byHash[foundEdge]
}

func newEdges(own profile.Path, r *model.Reference) *edges {
	return &edges{profile.NewTrail(own), profile.NewTrail(r.Path), r.Tail, newByHash[foundEdge](edgesKept)}
}

func (x *edges) New() Probe {
	return &edges{profile.NewTrail(x.own.Path()), profile.NewTrail(x.at.Path()), x.tail, x.kept}
}

func (x *edges) skips(d *profile.Document) bool { return x.own.Absent(d) || x.at.Absent(d) }

func (x *edges) Visit(d *profile.Document) {
	i, ok := x.own.First(d)
	if !ok || !scalar(d, i) {
		return
	}
	from := d.Hash(i)
	for v := range x.at.All(d) {
		if !scalar(d, v) {
			continue
		}
		if to, ok := refHash(d, v, x.tail); ok {
			x.put(edge{from, to}, d.At(v))
		}
	}
}

func (x *edges) put(e edge, at profile.Pos) {
	x.kept.insert(e.hash(), foundEdge{e, pack(at)}, (*foundEdge).and)
}

func (x *edges) Merge(o Probe) { x.kept.take(o.(*edges).kept, (*foundEdge).and) }

// find returns where an edge was found first.
func (x *edges) find(e edge) (profile.Pos, bool) {
	for found := range x.kept.table.All(e.hash()) {
		if found.edge == e {
			return found.at.pos(), true
		}
	}
	return profile.Pos{}, false
}

// without returns the edges of which the other probe does not have the
// opposite, in any order.
func (x *edges) without(o *edges) []foundEdge {
	var out []foundEdge
	for _, e := range x.kept.all() {
		if _, ok := o.find(e.reversed()); !ok {
			out = append(out, *e)
		}
	}
	return out
}

// lead drops the edges to documents that are not there, or of which the
// samples of keys cannot tell.
func (x *edges) lead(targets *profile.Union) {
	x.kept.table.Retain(func(_ uint64, e *foundEdge) bool {
		held, _ := targets.Lookup(e.to)
		return held
	})
}
