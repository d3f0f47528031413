package rulebook

import "math"

const (
	// DocumentsSlope turns what the rules on documents say of their certainty
	// into a probability. benchmarks/calibrate fits it on judged findings; see
	// docs/accuracy.md for how near it comes on data it was not fitted on.
	DocumentsSlope = 3.5

	// Proof is the confidence of what is proven by the data. Nothing is surer.
	Proof = 0.95
)

// Probability is how likely a finding on documents is right, of which its rule
// says that it is so sure. Proofs stay as they are, and no finding changes from
// one side of 0.5 to the other.
func Probability(said float64) float64 {
	if said >= Proof {
		return said
	}
	p := 1 / (1 + math.Pow((1-said)/said, DocumentsSlope))
	return min(Proof, math.Round(p*1000)/1000)
}
