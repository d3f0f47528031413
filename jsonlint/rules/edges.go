package rules

import (
	"maps"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// An edge leads from a document to another one; both are hashes of keys.
type edge struct{ from, to uint64 }

func (e edge) reversed() edge { return edge{e.to, e.from} }

// hash is the same in both directions, so that samples of two opposite
// relations keep the same pairs.
func (e edge) hash() uint64 { return pairHash(min(e.from, e.to), max(e.from, e.to)) }

// edgesKept bounds the edges that a probe keeps.
const edgesKept = 1 << 16

// edges is a probe that collects what documents refer to. Of very many edges
// it keeps a sample, chosen by hash.
type edges struct {
	own   profile.Trail // the key by which the documents themselves are known
	at    profile.Trail
	tail  bool
	kept  map[edge]profile.Pos // of the value
	shift uint8
}

func newEdges(own profile.Path, r *model.Reference) *edges {
	return &edges{own: profile.NewTrail(own), at: profile.NewTrail(r.Path), tail: r.Tail, kept: map[edge]profile.Pos{}}
}

func (x *edges) New() Probe {
	return &edges{own: profile.NewTrail(x.own.Path()), at: profile.NewTrail(x.at.Path()), tail: x.tail, kept: map[edge]profile.Pos{}}
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
	if x.shift != 0 && e.hash() >= 1<<(64-x.shift) {
		return
	}
	if old, ok := x.kept[e]; ok {
		at = earlier(old, at)
	}
	x.kept[e] = at
	for len(x.kept) > edgesKept {
		x.raise(x.shift + 1)
	}
}

func (x *edges) raise(shift uint8) {
	if shift <= x.shift {
		return
	}
	x.shift = shift
	maps.DeleteFunc(x.kept, func(e edge, _ profile.Pos) bool { return e.hash() >= 1<<(64-shift) })
}

func (x *edges) Merge(o Probe) {
	y := o.(*edges)
	x.raise(y.shift)
	for e, at := range y.kept {
		x.put(e, at)
	}
}

// without returns the edges of which the other probe does not have the
// opposite, in any order.
func (x *edges) without(o *edges) []edge {
	var out []edge
	for e := range x.kept {
		if _, ok := o.kept[e.reversed()]; !ok {
			out = append(out, e)
		}
	}
	return out
}

// lead drops the edges to documents that are not there, or of which the
// samples of keys cannot tell.
func (x *edges) lead(targets *profile.Union) {
	maps.DeleteFunc(x.kept, func(e edge, _ profile.Pos) bool {
		held, _ := targets.Lookup(e.to)
		return !held
	})
}
