package relations

import (
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// WatchOwn returns a function that says, after the documents were read, whether
// a field repeats the key of its own document instead of referring to another
// one: a translation of the name is the name in most documents. A path that ends in
// a key refers.
func WatchOwn(p *check.Pass, r *Relation) func() bool {
	if r.From.Collection != r.To.Collection || r.Tail {
		return func() bool { return false }
	}
	probe := check.Once(p, fmt.Sprintf("own %q %q %q", r.From.Collection.Name, r.Path, r.Key.Path), func() *ownProbe {
		all := newOwnProbe(r.Path, r.Key.Path)
		for _, k := range r.Kinds {
			all.kinds = append(all.kinds, check.Watch(p, k.From, newOwnProbe(r.Path, r.Key.Path)))
		}
		return all
	})
	return probe.repeats
}

// An ownProbe counts values that are the key of their own document, and the
// others.
type ownProbe struct {
	at, key     profile.Trail
	own, others int64
	kinds       []*ownProbe
}

func newOwnProbe(path, key profile.Path) *ownProbe {
	return &ownProbe{at: profile.NewTrail(path), key: profile.NewTrail(key)}
}

func (b *ownProbe) New() check.Probe { return newOwnProbe(b.at.Path(), b.key.Path()) }

func (b *ownProbe) Skips(d *profile.Document) bool { return b.at.Absent(d) || b.key.Absent(d) }

func (b *ownProbe) Visit(d *profile.Document) {
	key, ok := b.key.First(d)
	if !ok || !places.Scalar(d, key) {
		return
	}
	id := d.Hash(key)
	for v := range b.at.All(d) {
		switch {
		case !places.Scalar(d, v) || Absent(d, v):
		case d.Hash(v) == id:
			b.own++
		default:
			b.others++
		}
	}
}

func (b *ownProbe) Merge(other check.Probe) {
	o := other.(*ownProbe)
	b.own, b.others = b.own+o.own, b.others+o.others
}

func (b *ownProbe) repeats() bool {
	own, others := int64(0), int64(0)
	for _, k := range b.kinds {
		own, others = own+k.own, others+k.others
	}
	return own >= others && own > 0
}
