package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// outcomes draws n objects with a value each; tell says how often the value
// decides which of two outcomes an object has.
func outcomes(rng *rand.Rand, n, values int, tell float64) [][]int64 {
	rows := make([][]int64, values)
	for i := range rows {
		rows[i] = make([]int64, 2)
	}
	for range n {
		v, outcome := rng.IntN(values), rng.IntN(2)
		if rng.Float64() < tell {
			outcome = v % 2
		}
		rows[v][outcome]++
	}
	return rows
}

func TestGainOnSyntheticTruth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, values int
		tell      float64
		least     float64 // share of the draws in which the explanation convinces
		most      float64
	}{
		{n: 20, values: 2, tell: 1, least: 0.99, most: 1},
		{n: 100, values: 5, tell: 0.98, least: 0.99, most: 1},
		{n: 20, values: 2, tell: 0, most: 0.002},
		{n: 20, values: 15, tell: 0, most: 0.002},
		{n: 500, values: 50, tell: 0, most: 0.002},
		{n: 100, values: 90, tell: 1, most: 0.002}, // it decides, but takes a value for each object
	} {
		t.Run(fmt.Sprintf("%d objects, %d values, %v", c.n, c.values, c.tell), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, uint64(c.n*c.values)))
			convinced := 0
			const draws = 1000
			for range draws {
				if Gain(outcomes(rng, c.n, c.values, c.tell), math.Inf(1), 10) >= Convincing {
					convinced++
				}
			}
			share := float64(convinced) / draws
			assert.GreaterOrEqual(t, share, c.least)
			assert.LessOrEqual(t, share, c.most)
		})
	}
}

func TestGainOfRepeatedNews(t *testing.T) {
	t.Parallel()
	rows := make([][]int64, 40) // 40 countries, 20 orders each
	for i := range rows {
		rows[i] = []int64{20, 0}
		if i%2 == 0 {
			rows[i] = []int64{0, 20}
		}
	}
	assert.Greater(t, Gain(rows, math.Inf(1), 1), Convincing, "800 different values")
	assert.Less(t, Gain(rows, 60, 1), 0.0, "60 different values, repeated")
	assert.Zero(t, Gain(nil, 10, 1))
}

func TestPresenceBits(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 1, PresenceBits(1, 1), 1e-9, "nothing is known of the first object")
	assert.InDelta(t, 100, PresenceBits(50, 100), 5, "a coin")
	assert.Less(t, PresenceBits(100, 100), 5.0, "all of them")
}

func TestBySlipOnSyntheticTruth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lacking float64 // chance that an object lacks the field
		n       int
		sign    float64
	}{
		{lacking: 0.002, n: 300, sign: 1},
		{lacking: 0, n: 50, sign: 1},
		{lacking: 0.2, n: 60, sign: -1},
		{lacking: 0.05, n: 1000, sign: -1},
	} {
		rng := rand.New(rand.NewPCG(2, uint64(c.n)))
		right := 0
		const draws = 1000
		for range draws {
			missing := int64(0)
			for range c.n {
				if rng.Float64() < c.lacking {
					missing++
				}
			}
			if c.sign*BySlip(missing, int64(c.n)) > 0 {
				right++
			}
		}
		assert.GreaterOrEqual(t, right, draws*98/100, "%+v", c)
	}
	assert.Zero(t, BySlip(0, 0))
}

func TestDistinctByAccident(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n      int64
		values int
	}{{2, 2}, {5, 6}, {10, 60}, {30, 400}} {
		distinct := 0
		const draws = 20_000
		for range draws {
			seen := map[int]bool{}
			for range c.n {
				seen[rng.IntN(c.values)] = true
			}
			if int64(len(seen)) == c.n {
				distinct++
			}
		}
		assert.InDelta(t, float64(distinct)/draws, DistinctByAccident(c.n, float64(c.values)), 0.01, "%d of %d", c.n, c.values)
	}
	assert.Equal(t, 1.0, DistinctByAccident(1000, 1e18))
}

func TestPartedByAccident(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		sizes  []int64
		chosen int64
	}{{[]int64{6, 3, 1, 1}, 2}, {[]int64{1, 1, 1, 1}, 1}, {[]int64{4, 4}, 4}, {[]int64{5, 2, 2}, 7}, {[]int64{3, 3}, 2}} {
		var values []int
		for v, n := range c.sizes {
			for range n {
				values = append(values, v)
			}
		}
		parted := 0
		const draws = 20_000
		for range draws {
			rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			chosen, alone := map[int]bool{}, true
			for _, v := range values[:c.chosen] {
				chosen[v] = true
			}
			for _, v := range values[c.chosen:] {
				alone = alone && !chosen[v]
			}
			if alone {
				parted++
			}
		}
		assert.InDelta(t, float64(parted)/draws, PartedByAccident(c.sizes, c.chosen), 0.01, "%d of %v", c.chosen, c.sizes)
	}
	assert.Zero(t, PartedByAccident([]int64{1000, 1000}, 1000))
}
