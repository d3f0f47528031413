package profile

import (
	"errors"
	"iter"
)

// Buckets yields, in order, the lowest value of each bucket that is not empty
// and the bucket's count.
func (h *Histogram) Buckets() iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		for b, n := range h.buckets {
			if n != 0 && !yield(bucketLow(b), n) {
				return
			}
		}
	}
}

// A HistogramState is the content of a [Histogram], for files.
type HistogramState struct {
	Lows, Counts         []int64 // of the buckets that are not empty, as from [Histogram.Buckets]
	Sum, Min, Max, AtMax int64
}

// State returns the content of the histogram.
func (h *Histogram) State() HistogramState {
	s := HistogramState{Sum: h.Sum, Min: h.Min, Max: h.Max, AtMax: h.AtMax}
	for low, n := range h.Buckets() {
		s.Lows, s.Counts = append(s.Lows, low), append(s.Counts, n)
	}
	return s
}

// maxCount bounds the counts in a histogram from a file, so that sums of many
// do not overflow.
const maxCount = 1 << 48

// RestoreHistogram is the inverse of [Histogram.State]. It rejects a state that
// no histogram can have.
func RestoreHistogram(s HistogramState) (h Histogram, err error) {
	if len(s.Lows) != len(s.Counts) || len(s.Lows) == 0 {
		return h, errors.New("a histogram needs buckets, each with its lowest value and its count")
	}
	last := len(s.Lows) - 1
	for i, low := range s.Lows {
		switch {
		case low < 0 || low > maxCount || bucketLow(bucketOf(low)) != low || i > 0 && low <= s.Lows[i-1]:
			return h, errors.New("the buckets of a histogram begin at other values, in order")
		case s.Counts[i] <= 0 || s.Counts[i] > maxCount:
			return h, errors.New("a bucket of a histogram counts at least one value")
		}
		h.Count += s.Counts[i]
	}
	if s.Min < 0 || s.Max > maxCount || bucketOf(s.Min) != bucketOf(s.Lows[0]) || s.Max < 0 || bucketOf(s.Max) != bucketOf(s.Lows[last]) || s.AtMax < 1 || s.AtMax > s.Counts[last] || s.Sum < 0 {
		return h, errors.New("the least and the greatest value of a histogram lie in its first and its last bucket")
	}
	h.Sum, h.Min, h.Max, h.AtMax = s.Sum, s.Min, s.Max, s.AtMax
	h.buckets = make([]int64, bucketOf(s.Lows[last])+1)
	for i, low := range s.Lows {
		h.buckets[bucketOf(low)] = s.Counts[i]
	}
	return h, nil
}
