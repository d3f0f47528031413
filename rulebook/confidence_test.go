package rulebook_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/rulebook"
)

func TestProbability(t *testing.T) {
	t.Parallel()
	last := 0.0
	for percent := 1; percent <= 100; percent++ {
		said := float64(percent) / 100
		p := rulebook.Probability(said)
		assert.GreaterOrEqual(t, p, last, "%v: the order of findings stays", said)
		assert.Equal(t, said >= 0.5, p >= 0.5, "%v: no finding changes sides", said)
		last = p
	}
	assert.InDelta(t, 0.5, rulebook.Probability(0.5), 0)
	assert.InDelta(t, rulebook.Proof, rulebook.Probability(rulebook.Proof), 0)
	assert.InDelta(t, 1, rulebook.Probability(1), 0)
}
