package identity

import (
	"cmp"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
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
		same, all := 0.0, 0.0
		for _, v := range f.Scalars.Values.Values() {
			same, all = same+float64(v.Count)*float64(v.Count), all+float64(v.Count)
		}
		if same /= all * all; same >= 1 {
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

// slip is how often an id made of two fields is used twice by mistake.
const slip = 1.0 / 50

func (d *sameIDDocument) value(name uint64) uint64 {
	i, ok := slices.BinarySearchFunc(d.members, name, func(m sameIDMember, n uint64) int { return cmp.Compare(m.name, n) })
	if !ok {
		return 0
	}
	return d.members[i].value
}
