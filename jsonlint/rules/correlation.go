package rules

import (
	"math"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// correlation is the phi coefficient of the presence of two members of the
// objects at n: 1 if they come and go together, -1 if an object has one or the
// other.
func correlation(n, a, b *profile.Node) float64 {
	var both, onlyA, onlyB, neither float64
	for _, s := range n.Object.Shapes.All() {
		switch inA, inB := slices.Contains(s.Fields, a), slices.Contains(s.Fields, b); {
		case inA && inB:
			both += float64(s.Count)
		case inA:
			onlyA += float64(s.Count)
		case inB:
			onlyB += float64(s.Count)
		default:
			neither += float64(s.Count)
		}
	}
	spread := math.Sqrt((both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither))
	if spread == 0 {
		return 0
	}
	return (both*neither - onlyA*onlyB) / spread
}
