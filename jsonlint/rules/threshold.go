package rules

import (
	"sync"
	"sync/atomic"
)

// A threshold bounds what is kept by the hash of the thing that it is about:
// once there is too much, the threshold halves, and only what lies below stays.
// What is kept depends on the set of what was seen alone, not on the order or
// on who saw it, and below the lower of two thresholds two samples hold
// everything there is (see [profile.Sample]).
//
// The probes of all workers fill one sample, so that it takes no more memory
// with more workers: [Probe.New] hands it on, and there is nothing to merge.
type threshold struct {
	lock  sync.Mutex // for whoever changes what is kept
	shift atomic.Uint32
}

// keeps reports whether the hash lies below the threshold, 2^(64-shift). It
// needs no lock: what is not kept now never will be.
func (t *threshold) keeps(hash uint64) bool { return hash>>(64-t.shift.Load()) == 0 }

// exact reports whether everything is kept.
func (t *threshold) exact() bool { return t.shift.Load() == 0 }

// scale is how many things one that is kept stands for.
func (t *threshold) scale() float64 { return float64(uint64(1) << t.shift.Load()) }

// lowest is the last threshold: what is still too much then is kept.
const lowest = 63

// halve lowers the threshold as long as there is too much; drop drops what it
// does not keep any more.
func (t *threshold) halve(tooMuch func() bool, drop func()) {
	for tooMuch() && t.shift.Load() < lowest {
		t.shift.Add(1)
		drop()
	}
}

// raise lowers the threshold to that of another sample.
func (t *threshold) raise(shift uint32, drop func()) {
	if shift > t.shift.Load() {
		t.shift.Store(shift)
		drop()
	}
}
