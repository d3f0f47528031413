package relations

import (
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// KeyIndexCapacity bounds the documents that an index finds. Many indexes share
// indexesCapacity, with at least leastCapacity each.
const (
	KeyIndexCapacity = 1 << 16
	indexesCapacity  = 1 << 16
	leastCapacity    = 1 << 12
)

// A KeyIndex is a probe that finds documents by the hash of their key.
type KeyIndex struct {
	at   profile.Trail
	docs *sample.ByHash[sample.PackedPos]
}

// WatchKeys starts an index for each kind of document that a reference may
// lead to.
func WatchKeys(p *check.Pass, targets []model.Target) []*KeyIndex {
	var indexes []*KeyIndex
	for _, t := range targets {
		name := fmt.Sprintf("keys %q %q %q", t.Entity.Collection.Name, t.Entity.Kind, t.Key.Path)
		indexes = append(indexes, check.Once(p, name, func() *KeyIndex { return check.Watch(p, t.Entity, newKeyIndex(t.Key.Path)) }))
	}
	return indexes
}

func newKeyIndex(path profile.Path) *KeyIndex {
	return &KeyIndex{profile.NewTrail(path), sample.NewByHash[sample.PackedPos](KeyIndexCapacity)}
}

// Share bounds the total size of the given number of indexes.
func (x *KeyIndex) Share(indexes int) {
	x.docs.Bound(max(leastCapacity, min(KeyIndexCapacity, indexesCapacity/indexes)))
}

func (x *KeyIndex) New() check.Probe { return &KeyIndex{profile.NewTrail(x.at.Path()), x.docs} }

func (x *KeyIndex) Skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *KeyIndex) Visit(d *profile.Document) {
	for i := range x.at.All(d) {
		if !places.Scalar(d, i) {
			continue
		}
		if hash, ok := RefHash(d, i, false); ok {
			x.docs.Put(hash, sample.Pack(d.At(i)), sample.EarlierPacked)
		}
	}
}

func (x *KeyIndex) Merge(o check.Probe) { x.docs.Merge(o.(*KeyIndex).docs, sample.EarlierPacked) }

// SomeKeys returns the positions of some of the keys.
func SomeKeys(indexes []*KeyIndex, n int) []profile.Pos {
	var some []profile.Pos
	for _, x := range indexes {
		for _, hash := range x.docs.Hashes() {
			if at, ok := x.docs.Get(hash); ok && len(some) < n {
				some = append(some, at.Pos())
			}
		}
	}
	return some
}

// FindKey returns the position of the key with this hash.
func FindKey(indexes []*KeyIndex, hash uint64) (profile.Pos, bool) {
	for _, x := range indexes {
		if at, ok := x.docs.Get(hash); ok {
			return at.Pos(), true
		}
	}
	return profile.Pos{}, false
}
