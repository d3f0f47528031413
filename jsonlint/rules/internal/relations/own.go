package relations

import (
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// WatchOwn returns a function that counts, after the documents were read, the values
// of a field that are the key of their own document, and those that are the key
// of another one. A translation of the name is the document's own name in nearly
// all of them. The id of a thread is that of the document itself only in the first post.
// Nothing is counted between collections, and for paths that end in a key.
func WatchOwn(p *check.Pass, r *Relation) func() (own, others int64) {
	if r.Tail || r.From.Collection != r.To.Collection {
		return func() (own, others int64) { return 0, 0 }
	}
	probes := check.Once(p, fmt.Sprintf("own %q %q %q", r.From.Collection.Name, r.Path, r.Key.Path), func() (all []*ownProbe) {
		for _, k := range r.Kinds {
			all = append(all, check.Watch(p, k.From, &ownProbe{at: profile.NewTrail(r.Path), key: profile.NewTrail(r.Key.Path), keys: KeysOf(p, r)}))
		}
		return all
	})
	return func() (own, others int64) {
		for _, b := range probes {
			own, others = own+b.own, others+b.others
		}
		return own, others
	}
}

// MostlyOwn reports whether a field is about its own document, given how often it
// names this and how often another one. Two documents may have one name.
func MostlyOwn(own, others int64) bool { return 10*others < own }

// An ownProbe counts the values that are the key of their own document, and those
// that are the key of another one.
type ownProbe struct {
	at, key     profile.Trail
	keys        *TargetKeys
	own, others int64
}

func (b *ownProbe) New() check.Probe {
	return &ownProbe{at: profile.NewTrail(b.at.Path()), key: profile.NewTrail(b.key.Path()), keys: b.keys}
}

func (b *ownProbe) Skips(d *profile.Document) bool { return b.at.Absent(d) || b.key.Absent(d) }

func (b *ownProbe) Visit(d *profile.Document) {
	key, ok := b.key.First(d)
	if !ok {
		return
	}
	id := d.Hash(key)
	for v := range b.at.All(d) {
		if !places.Scalar(d, v) {
			continue
		}
		if hash := d.Hash(v); hash == id {
			b.own++
		} else if held, _ := b.keys.Keys.Lookup(hash); held {
			b.others++
		}
	}
}

func (b *ownProbe) Merge(other check.Probe) {
	o := other.(*ownProbe)
	b.own, b.others = b.own+o.own, b.others+o.others
}
