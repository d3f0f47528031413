package check

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Each watches the values at all wanted nodes. It calls see for each value, to
// add to what is known about its node, and finally report for each node.
func Each[T any](p *Pass, wanted func(*profile.Node) bool, see func(found *T, d *profile.Document, value int), merge func(mine, theirs *T), report func(*model.Entity, *profile.Node, *T)) {
	for _, e := range p.DB.Entities() {
		var nodes []*profile.Node
		var paths []profile.Path
		e.Root().Walk(func(n *profile.Node) bool {
			if wanted(n) {
				nodes, paths = append(nodes, n), append(paths, n.Path())
			}
			return true
		})
		if len(nodes) == 0 {
			continue
		}
		probe := Watch(p, e, (&each[T]{paths: paths, see: see, merge: merge}).New().(*each[T]))
		p.After(func() {
			for i, n := range nodes {
				report(e, n, &probe.found[i])
			}
		})
	}
}

// each is a probe for the values at several paths.
type each[T any] struct {
	paths []profile.Path
	see   func(*T, *profile.Document, int)
	merge func(mine, theirs *T)
	found []T // by path
}

func (b *each[T]) New() Probe {
	return &each[T]{paths: b.paths, see: b.see, merge: b.merge, found: make([]T, len(b.paths))}
}

func (b *each[T]) Visit(d *profile.Document) {
	for i, path := range b.paths {
		for v := range d.Select(0, path) {
			b.see(&b.found[i], d, v)
		}
	}
}

func (b *each[T]) Merge(other Probe) {
	for i := range b.found {
		b.merge(&b.found[i], &other.(*each[T]).found[i])
	}
}
