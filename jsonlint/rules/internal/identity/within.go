package identity

import (
	"cmp"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// Within returns the field within whose values the ids are unique, such as the
// table in a dump of several, or nil. Documents that share an id by mistake
// agree in such a field only as often as any two documents.
func (b *SameIDProbe) Within(root *profile.Node) *profile.Node {
	fields := slices.DeleteFunc(slices.Clone(root.Object.Fields()), func(f *profile.Node) bool {
		return slices.Equal(f.Path(), b.key.Path()) || f.Count < root.Types[profile.Object] || f.Scalars == nil || !model.Tells(f) || f.Scalars.Values.Distinct() < 2
	})
	var within *profile.Node
	best := model.Convincing + math.Log2(float64(max(1, len(fields))))
	for _, f := range fields {
		same := coincidence(f, func(uint64) int64 { return 0 })
		if same >= 1 {
			continue
		}
		bits, name := 0.0, xxh3.HashString(f.Step.Name)
		for _, id := range b.Sorted() {
			for i := 1; i < len(id.First); i++ {
				if id.First[i-1].value(name) == id.First[i].value(name) {
					bits += min(0, math.Log2(slip/same)) // two that share a rare value are probably one thing, and no evidence for the field
				} else {
					bits += math.Log2((1 - slip) / (1 - same))
				}
			}
		}
		if bits >= best {
			best, within = bits, f
		}
	}
	return within
}

// coincidence is how often two documents agree in a field by accident. less says how
// many of the documents with a value are copies, which count once.
func coincidence(f *profile.Node, less func(hash uint64) int64) float64 {
	same, all := 0.0, 0.0
	for _, v := range f.Scalars.Values.Values() {
		n := float64(v.Count - less(v.Hash))
		same, all = same+n*n, all+n
	}
	return same / (all * all)
}

// Again reports whether two documents say the same in all but the watched member.
func (b *SameIDProbe) Again(x, y *sameIDDocument) bool {
	rest := func(d *sameIDDocument) uint64 {
		if d.Watched == 0 {
			return d.body
		}
		return d.body - sample.PairHash(xxh3.HashString(b.Watch[0].Name), d.Watched)
	}
	return rest(x) == rest(y)
}

// Surprise returns a function that says how many bits it takes to tell that two
// documents that are the same agree by accident in all fields but the key. All pairs of
// copies are given.
func Surprise(root, key *profile.Node, all []SameIDPair) func(SameIDPair) float64 {
	type field struct {
		name uint64
		bits float64
	}
	var fields []field
	for _, f := range root.Object.Fields() {
		if f == key || f.Scalars == nil {
			continue
		}
		name := xxh3.HashString(f.Step.Name)
		copies := map[uint64]int64{}
		for _, pair := range all {
			copies[pair.A.value(name)] += pair.N - 1
		}
		fields = append(fields, field{name, -math.Log2(coincidence(f, func(hash uint64) int64 { return copies[sample.PairHash(name, hash)] }))})
	}
	return func(pair SameIDPair) (bits float64) {
		for _, f := range fields {
			if v := pair.A.value(f.name); v != 0 && v == pair.B.value(f.name) {
				bits += f.bits
			}
		}
		return bits
	}
}

// slip is how often an id made of two fields is used twice by mistake.
const slip = 1.0 / 50

func (d *sameIDDocument) value(name uint64) uint64 {
	i, ok := slices.BinarySearchFunc(d.members, name, func(m sameIDMember, n uint64) int { return cmp.Compare(m.name, n) })
	if !ok {
		return 0
	}
	return d.members[i].value
}
