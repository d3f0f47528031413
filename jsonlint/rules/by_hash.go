package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// byHash is a map from hashes in bounded memory. When there are too many, it
// keeps those below a threshold that halves; what survives depends only on
// which hashes were put, not on their order. Two maps that saw the same
// hashes keep the same ones below the lower of their thresholds.
type byHash[V any] struct {
	kept     map[uint64]V
	shift    uint8 // hashes below 2^(64-shift) are kept
	capacity int
}

func newByHash[V any](capacity int) byHash[V] {
	return byHash[V]{kept: map[uint64]V{}, capacity: capacity}
}

func (b *byHash[V]) keeps(hash uint64) bool { return b.shift == 0 || hash < 1<<(64-b.shift) }

// put combines v with what is kept of the hash; combine must not depend on
// the order of its arguments.
func (b *byHash[V]) put(hash uint64, v V, combine func(a, b V) V) {
	if !b.keeps(hash) {
		return
	}
	if old, ok := b.kept[hash]; ok {
		v = combine(old, v)
	}
	b.kept[hash] = v
	for len(b.kept) > b.capacity {
		b.raise(b.shift + 1)
	}
}

// raise lowers the threshold.
func (b *byHash[V]) raise(shift uint8) {
	if shift <= b.shift {
		return
	}
	b.shift = shift
	maps.DeleteFunc(b.kept, func(hash uint64, _ V) bool { return !b.keeps(hash) })
}

func (b *byHash[V]) merge(o *byHash[V], combine func(a, b V) V) {
	b.raise(o.shift)
	for hash, v := range o.kept {
		b.put(hash, v, combine)
	}
}

// exact reports whether everything that was put is kept.
func (b *byHash[V]) exact() bool { return b.shift == 0 }

// hashes returns the kept hashes in order.
func (b *byHash[V]) hashes() []uint64 { return slices.Sorted(maps.Keys(b.kept)) }

// pairHash combines the hashes of two values, whose order matters.
func pairHash(a, b uint64) uint64 {
	h := (a*0x9e3779b97f4a7c15 ^ b) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>31) * 0x94d049bb133111eb
	return h ^ h>>30
}

func earlier(a, b profile.Pos) profile.Pos {
	if a.File == b.File && a.Off < b.Off && a.Known() {
		return a // what is found in reading order
	}
	if b.Compare(a) < 0 {
		return b
	}
	return a
}

// keyIndexCapacity bounds the documents that an index finds. Many indexes share
// indexesCapacity, but each has leastCapacity.
const (
	keyIndexCapacity = 1 << 16
	indexesCapacity  = 1 << 17
	leastCapacity    = 1 << 12
)

// A keyIndex is a probe that finds documents by the hash of their key.
type keyIndex struct {
	at   profile.Trail
	docs byHash[profile.Pos] // of the key's value
}

// watchKeys starts an index for each kind of document that a reference may
// lead to.
func watchKeys(p *Pass, targets []model.Target) []*keyIndex {
	var indexes []*keyIndex
	for _, t := range targets {
		name := fmt.Sprintf("keys %q %q %q", t.Entity.Collection.Name, t.Entity.Kind, t.Key.Path)
		indexes = append(indexes, once(p, name, func() *keyIndex { return Watch(p, t.Entity, newKeyIndex(t.Key.Path)) }))
	}
	return indexes
}

func newKeyIndex(path profile.Path) *keyIndex {
	return &keyIndex{profile.NewTrail(path), newByHash[profile.Pos](keyIndexCapacity)}
}

// shareCapacity bounds what all indexes together keep.
func shareCapacity(probes []watched) {
	var indexes []*keyIndex
	for _, w := range probes {
		if x, ok := w.probe.(*keyIndex); ok {
			indexes = append(indexes, x)
		}
	}
	for _, x := range indexes {
		x.docs.capacity = max(leastCapacity, min(keyIndexCapacity, indexesCapacity/len(indexes)))
	}
}

func (x *keyIndex) New() Probe {
	return &keyIndex{profile.NewTrail(x.at.Path()), newByHash[profile.Pos](x.docs.capacity)}
}

func (x *keyIndex) skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *keyIndex) Visit(d *profile.Document) {
	if i, ok := x.at.First(d); ok && scalar(d, i) {
		x.docs.put(d.Hash(i), d.At(i), earlier)
	}
}

func (x *keyIndex) Merge(o Probe) { x.docs.merge(&o.(*keyIndex).docs, earlier) }

// find returns where the key with this hash stands.
func find(indexes []*keyIndex, hash uint64) (profile.Pos, bool) {
	for _, x := range indexes {
		if at, ok := x.docs.kept[hash]; ok {
			return at, true
		}
	}
	return profile.Pos{}, false
}

// scalar reports whether the value at i is a scalar and not null.
func scalar(d *profile.Document, i int) bool {
	c := d.Class(i)
	return c != profile.Null && c < profile.Object
}
