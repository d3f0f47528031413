package profile

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHistogramState(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var h Histogram
		for range 1 + r.IntN(50) {
			h.Add(r.Int64N(1 << r.IntN(40)))
		}
		restored, err := RestoreHistogram(h.State())
		require.NoError(t, err)
		assert.Equal(t, h.State(), restored.State())
		assert.Equal(t, h.Count, restored.Count)
		for _, q := range []float64{0, 0.5, 0.95, 1} {
			assert.Equal(t, h.Quantile(q), restored.Quantile(q))
		}
		h.Add(7)
		restored.Add(7)
		assert.Equal(t, h.State(), restored.State(), "goes on counting")
	}
}

func TestRestoreHistogramRefuses(t *testing.T) {
	t.Parallel()
	ok := HistogramState{Lows: []int64{1, 300}, Counts: []int64{2, 3}, Sum: 905, Min: 1, Max: 301, AtMax: 1}
	_, err := RestoreHistogram(ok)
	require.NoError(t, err)
	for name, change := range map[string]func(*HistogramState){
		"nothing":             func(s *HistogramState) { *s = HistogramState{} },
		"no bucket's start":   func(s *HistogramState) { s.Lows = []int64{1, 301} },
		"out of order":        func(s *HistogramState) { s.Lows = []int64{300, 1} },
		"negative":            func(s *HistogramState) { s.Counts = []int64{2, -3} },
		"huge":                func(s *HistogramState) { s.Lows, s.Max = []int64{1, 1 << 60}, 1<<60 },
		"count missing":       func(s *HistogramState) { s.Counts = s.Counts[:1] },
		"least elsewhere":     func(s *HistogramState) { s.Min = 2 },
		"greatest elsewhere":  func(s *HistogramState) { s.Max = 500 },
		"more than there are": func(s *HistogramState) { s.AtMax = 4 },
	} {
		s := HistogramState{Lows: []int64{1, 300}, Counts: []int64{2, 3}, Sum: 905, Min: 1, Max: 301, AtMax: 1}
		change(&s)
		_, err := RestoreHistogram(s)
		assert.Error(t, err, name)
	}
}
