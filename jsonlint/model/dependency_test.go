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

func TestHalfOddsOnSyntheticTruth(t *testing.T) {
	t.Parallel()
	const rows, columns = 30, 40
	for name, c := range map[string]struct {
		pairs      int
		kept, own  float64    // of the pairs, those that the other side has; how many it has besides
		bare       bool       // the names say nothing but what they lead to
		likelyHalf [2]float64 // the share of the draws that count as halves: least, most
	}{
		"halves with a few mistakes":              {pairs: 120, kept: 0.98, likelyHalf: [2]float64{0.95, 1}},
		"halves by their names, badly kept":       {pairs: 120, kept: 0.6, bare: true, likelyHalf: [2]float64{0.99, 1}},
		"a few halves by their names":             {pairs: 4, kept: 0.75, bare: true, likelyHalf: [2]float64{0.9, 1}},
		"two relations":                           {pairs: 120, kept: 0.1, own: 0.1},
		"two relations that depend on each other": {pairs: 120, kept: 0.6},
		"three pairs":                             {pairs: 3, kept: 0.6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(5, uint64(c.pairs)))
			const draws = 300
			halves := 0
			for range draws {
				both, only := int64(0), int64(c.own*float64(c.pairs))
				for range c.pairs {
					if rng.Float64() < c.kept {
						both++
					} else {
						only++
					}
				}
				if only > 0 && HalfOdds(both, only, float64(c.pairs)/rows/columns, c.bare) > 0 || only == 0 && c.likelyHalf[0] > 0 {
					halves++
				}
			}
			assert.GreaterOrEqual(t, float64(halves)/draws, c.likelyHalf[0])
			assert.LessOrEqual(t, float64(halves)/draws, max(c.likelyHalf[1], 0.005))
		})
	}
}
