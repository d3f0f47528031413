package model

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNameOddsOnSyntheticTruth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		n, things int
		value     func(rng *rand.Rand, thing int) int
		sure      [2]float64 // the share of the draws in which it is sure: least, most
	}{
		"names with mistakes": {n: 300, things: 40, sure: [2]float64{0.99, 1}, value: func(rng *rand.Rand, thing int) int {
			if rng.IntN(50) == 0 {
				return 1000 + rng.IntN(1000)
			}
			return thing
		}},
		"few names, one renamed": {n: 30, things: 7, sure: [2]float64{0.9, 1}, value: func(rng *rand.Rand, thing int) int {
			if thing == 3 && rng.IntN(2) == 0 {
				return 1000
			}
			return thing
		}},
		"drawn by itself":             {n: 300, things: 40, value: func(rng *rand.Rand, _ int) int { return rng.IntN(30) }},
		"nearly always the same":      {n: 300, things: 40, value: func(rng *rand.Rand, _ int) int { return rng.IntN(100) / 99 }},
		"a position that many play":   {n: 300, things: 40, value: func(rng *rand.Rand, thing int) int { return (thing + rng.IntN(20)/19) % 5 }},
		"depends to some degree":      {n: 300, things: 40, value: func(rng *rand.Rand, thing int) int { return thing + 1000*(rng.IntN(3)/2)*rng.IntN(9) }},
		"different in every document": {n: 60, things: 40, value: func(rng *rand.Rand, _ int) int { return rng.IntN(1e9) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(3, uint64(c.n)))
			sure := 0
			const draws = 300
			for range draws {
				table := Table{}
				for range c.n {
					thing := rng.IntN(c.things)
					if table[uint64(thing)] == nil {
						table[uint64(thing)] = map[uint64]int64{}
					}
					table[uint64(thing)][uint64(c.value(rng, thing))]++
				}
				if odds, _ := table.NameOdds(); odds >= Sure {
					sure++
				}
			}
			assert.GreaterOrEqual(t, float64(sure)/draws, c.sure[0])
			assert.LessOrEqual(t, float64(sure)/draws, max(c.sure[1], 0.005))
		})
	}
}
