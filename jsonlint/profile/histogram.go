package profile

import "math/bits"

// A Histogram counts non-negative integers (lengths, sizes, numbers of keys).
// Values below 256 are exact; above, a bucket is at most 1/128 of its value
// wide, so that quantiles are within 0.8 %. Merging adds buckets: it is exact.
type Histogram struct {
	buckets []int64
	Count   int64
	Sum     int64
	Min     int64 // valid if Count > 0
	Max     int64
	AtMax   int64 // how many values equal Max
}

const exactBuckets = 256

func bucketOf(v int64) int {
	if v < exactBuckets {
		return int(v)
	}
	exp := bits.Len64(uint64(v)) - 8 // v>>exp lies in [128, 256)
	return exactBuckets + (exp-1)*128 + int(v>>exp) - 128
}

// bucketLow returns the smallest value of a bucket.
func bucketLow(b int) int64 {
	if b < exactBuckets {
		return int64(b)
	}
	b -= exactBuckets
	return int64(b%128+128) << (b/128 + 1)
}

// Add counts one value; negative values count as 0.
func (h *Histogram) Add(v int64) {
	if v < exactBuckets && v <= h.Max && v >= h.Min && h.Count != 0 { // by far the most common case
		h.buckets[v]++
		h.Count++
		h.Sum += v
		if v == h.Max {
			h.AtMax++
		}
		return
	}
	v = max(v, 0)
	b := bucketOf(v)
	if b >= len(h.buckets) {
		h.buckets = append(h.buckets, make([]int64, b+1-len(h.buckets))...)
	}
	h.buckets[b]++
	switch {
	case h.Count == 0:
		h.Min, h.Max, h.AtMax = v, v, 1
	case v > h.Max:
		h.Max, h.AtMax = v, 1
	case v == h.Max:
		h.AtMax++
	}
	h.Min = min(h.Min, v)
	h.Count++
	h.Sum += v
}

// addMore counts n more values equal to one counted before.
func (h *Histogram) addMore(v, n int64) {
	h.buckets[bucketOf(v)] += n
	h.Count += n
	h.Sum += n * v
	if v == h.Max {
		h.AtMax += n
	}
}

// Less returns the histogram of the values less n each.
func (h *Histogram) Less(n int64) *Histogram {
	less := &Histogram{}
	for b, count := range h.buckets {
		if count == 0 {
			continue
		}
		v := max(0, min(bucketLow(b), h.Max)-n)
		less.Add(v)
		less.addMore(v, count-1)
	}
	return less
}

// Merge adds the counts of o.
func (h *Histogram) Merge(o *Histogram) {
	if o.Count == 0 {
		return
	}
	if n := len(o.buckets) - len(h.buckets); n > 0 {
		h.buckets = append(h.buckets, make([]int64, n)...)
	}
	for i, n := range o.buckets {
		h.buckets[i] += n
	}
	switch {
	case h.Count == 0:
		h.Min, h.Max, h.AtMax = o.Min, o.Max, o.AtMax
	case o.Max > h.Max:
		h.Max, h.AtMax = o.Max, o.AtMax
	case o.Max == h.Max:
		h.AtMax += o.AtMax
	}
	h.Min = min(h.Min, o.Min)
	h.Count += o.Count
	h.Sum += o.Sum
}

// Quantile returns the value at or below which a share q of the values lies
// (nearest rank), or 0 without values.
func (h *Histogram) Quantile(q float64) int64 {
	if h.Count == 0 {
		return 0
	}
	rank := max(1, min(h.Count, int64(q*float64(h.Count)+0.9999999)))
	for b, n := range h.buckets {
		if rank -= n; rank <= 0 {
			if n == h.AtMax && b == bucketOf(h.Max) {
				return h.Max
			}
			return max(h.Min, bucketLow(b))
		}
	}
	return h.Max
}

// Above returns how many values are at least v, to the precision of a bucket.
func (h *Histogram) Above(v int64) int64 {
	n := int64(0)
	for b := bucketOf(max(v, 0)); b < len(h.buckets); b++ {
		n += h.buckets[b]
	}
	return n
}

// StopsAt reports whether lists seem to stop at a limit, because many have the
// greatest length: a list that grows shows as a maximum far above the rest. atMost
// lists have that length, and more lists have more than one element.
func StopsAt(atMost, more int64) bool { return atMost >= 5 && 20*atMost >= more }
