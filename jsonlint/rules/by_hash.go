package rules

import (
	"fmt"
	"iter"
	"slices"

	"github.com/shapevet/shapevet/internal/hashtable"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// byHash is a map from hashes in bounded memory (see [threshold]).
type byHash[V any] struct {
	threshold
	table    hashtable.Table[V]
	capacity int
}

func newByHash[V any](capacity int) *byHash[V] {
	b := &byHash[V]{}
	b.bound(capacity)
	return b
}

// bound sets the capacity, before anything is put.
func (b *byHash[V]) bound(capacity int) { b.capacity, b.table.Full = capacity, capacity }

// put combines v with what is kept of the hash; combine must not depend on
// the order of its arguments.
func (b *byHash[V]) put(hash uint64, v V, combine func(a, b V) V) {
	b.insert(hash, v, func(have *V, v V) bool {
		*have = combine(*have, v)
		return true
	})
}

// insert is put where several values may have one hash: it adds v unless into
// reports of one of them that it has taken v in.
func (b *byHash[V]) insert(hash uint64, v V, into func(have *V, v V) bool) {
	if !b.keeps(hash) {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.place(hash, v, into)
}

// place is insert, behind the lock: the threshold may be lower by now.
func (b *byHash[V]) place(hash uint64, v V, into func(*V, V) bool) {
	if !b.keeps(hash) {
		return
	}
	for have := range b.table.All(hash) {
		if into(have, v) {
			return
		}
	}
	b.table.Add(hash, v)
	b.halve(func() bool { return b.table.Len() > b.capacity }, b.drop)
}

func (b *byHash[V]) drop() {
	b.table.Retain(func(hash uint64, _ *V) bool { return b.keeps(hash) })
}

// keepBelow drops what a map with this shift does not keep.
func (b *byHash[V]) keepBelow(shift uint32) { b.raise(shift, b.drop) }

func (b *byHash[V]) merge(o *byHash[V], combine func(a, b V) V) {
	b.take(o, func(have *V, v V) bool {
		*have = combine(*have, v)
		return true
	})
}

// take inserts all that another map keeps.
func (b *byHash[V]) take(o *byHash[V], into func(*V, V) bool) {
	if b == o {
		return // the same for all workers
	}
	b.keepBelow(o.shift.Load())
	b.table.Reserve(min(o.table.Len(), max(0, b.capacity-b.table.Len())))
	for hash, v := range o.table.Each() {
		b.place(hash, *v, into)
	}
}

// get returns what is kept of a hash.
func (b *byHash[V]) get(hash uint64) (v V, ok bool) {
	if have := b.table.Find(hash); have != nil {
		return *have, true
	}
	return v, false
}

// len returns the number of values that are kept.
func (b *byHash[V]) len() int { return b.table.Len() }

// all yields what is kept, in no particular order.
func (b *byHash[V]) all() iter.Seq2[uint64, *V] { return b.table.Each() }

// hashes returns the kept hashes in order, each once.
func (b *byHash[V]) hashes() []uint64 {
	out := make([]uint64, 0, b.table.Len())
	for hash := range b.table.Each() {
		out = append(out, hash)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

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
	docs *byHash[packedPos] // of the key's value
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
	return &keyIndex{profile.NewTrail(path), newByHash[packedPos](keyIndexCapacity)}
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
		x.docs.bound(max(leastCapacity, min(keyIndexCapacity, indexesCapacity/len(indexes))))
	}
}

func (x *keyIndex) New() Probe { return &keyIndex{profile.NewTrail(x.at.Path()), x.docs} }

func (x *keyIndex) skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *keyIndex) Visit(d *profile.Document) {
	if i, ok := x.at.First(d); ok && scalar(d, i) {
		x.docs.put(d.Hash(i), pack(d.At(i)), earlierPacked)
	}
}

func (x *keyIndex) Merge(o Probe) { x.docs.merge(o.(*keyIndex).docs, earlierPacked) }

// find returns where the key with this hash stands.
func find(indexes []*keyIndex, hash uint64) (profile.Pos, bool) {
	for _, x := range indexes {
		if at, ok := x.docs.get(hash); ok {
			return at.pos(), true
		}
	}
	return profile.Pos{}, false
}

// scalar reports whether the value at i is a scalar and not null.
func scalar(d *profile.Document, i int) bool {
	c := d.Class(i)
	return c != profile.Null && c < profile.Object
}
