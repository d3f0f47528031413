package relations

import (
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// WatchOwn returns a function that counts, after the documents were read, the values
// of a field that are the key of their own document, and those that are the key
// of another one. A translation of the name is the document's own name in nearly
// all of them. The id of a thread is that of the document itself only in the first post.
// Two collections may hold one thing under one id, such as the account and the profile
// of a user: the address in both is then the document's own. Nothing is counted between
// other collections, and for paths that end in a key.
func WatchOwn(p *check.Pass, r *Relation) func() (own, others int64) {
	switch {
	case r.Tail, r.From.Collection != r.To.Collection && !sameIDs(r):
		return func() (own, others int64) { return 0, 0 }
	case r.From.Collection != r.To.Collection:
		return watchRecords(p, r)
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

// sameIDs reports whether the documents of both sides have the same ids, and one refers
// to the other by something else.
func sameIDs(r *Relation) bool {
	from, to := r.From.ID(), r.To.ID()
	if r.Key.ID || from == nil || to == nil || IDForm(to.Node) == profile.FormInteger { // each collection counts from one
		return false
	}
	all, held := 0, 0
	for _, v := range from.Node.Scalars.Values.Values() {
		if count, _, known := to.Node.Scalars.Values.Lookup(v.Hash); known {
			all++
			if count > 0 {
				held++
			}
		}
	}
	return 2*held > all
}

// recordsKept bounds the values of documents that are compared.
const recordsKept = 1 << 14

// records are the values of a field that are keys, and the keys themselves, each with
// the id of its document.
type records struct{ values, keys *sample.ByHash[bool] }

// watchRecords is [WatchOwn] between two collections with the same ids.
func watchRecords(p *check.Pass, r *Relation) func() (own, others int64) {
	of := check.Once(p, fmt.Sprintf("records %q %q %q %q", r.From.Collection.Name, r.Path, r.To.Collection.Name, r.Key.Path), func() records {
		of, keys := records{sample.NewByHash[bool](recordsKept), sample.NewByHash[bool](recordsKept)}, KeysOf(p, r)
		for _, k := range r.Kinds {
			check.Watch(p, k.From, &recordProbe{id: profile.NewTrail(r.From.ID().Path), at: profile.NewTrail(k.Path), pairs: of.values, keys: keys})
		}
		check.Watch(p, r.To, &recordProbe{id: profile.NewTrail(r.To.ID().Path), at: profile.NewTrail(r.Key.Path), pairs: of.keys, keys: keys})
		return of
	})
	return func() (own, others int64) {
		of.keys.KeepBelow(of.values.Shift.Load())
		of.values.KeepBelow(of.keys.Shift.Load())
		for pair := range of.values.All() {
			if _, ok := of.keys.Get(pair); ok {
				own++
			} else {
				others++
			}
		}
		return own, others
	}
}

// A recordProbe collects the values that are keys, each with the id of its document.
type recordProbe struct {
	id, at profile.Trail
	pairs  *sample.ByHash[bool]
	keys   *TargetKeys
}

func (b *recordProbe) New() check.Probe {
	return &recordProbe{id: profile.NewTrail(b.id.Path()), at: profile.NewTrail(b.at.Path()), pairs: b.pairs, keys: b.keys}
}

func (b *recordProbe) Skips(d *profile.Document) bool { return b.id.Absent(d) || b.at.Absent(d) }

func (b *recordProbe) Visit(d *profile.Document) {
	id, ok := b.id.First(d)
	if !ok {
		return
	}
	for v := range b.at.All(d) {
		hash := d.Hash(v)
		if held, _ := b.keys.Keys.Lookup(hash); held {
			b.pairs.Put(sample.PairHash(d.Hash(id), hash), true, either)
		}
	}
}

// Merge adds what another process has seen. The workers of one share what they see.
func (b *recordProbe) Merge(other check.Probe) { b.pairs.Merge(other.(*recordProbe).pairs, either) }

func either(a, b bool) bool { return a || b }
