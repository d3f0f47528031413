package sample

import (
	"sync"
	"sync/atomic"
)

// Joined is how many keys are kept on each side of a join; of more, a sample by
// hash, the same on both sides.
const Joined = 1 << 17

// A cutoff bounds what is kept by the hash of the thing that it is about:
// once there is too much, the threshold halves, and only what lies below stays.
// What is kept depends on the set of what was seen alone, not on the order or
// on who saw it, and below the lower of two thresholds two samples hold
// everything there is (see [profile.Sample]).
//
// The probes of all workers fill one sample, so that it takes no more memory
// with more workers: [check.Probe.New] hands it on, and there is nothing to merge.
type cutoff struct {
	lock  sync.Mutex // for whoever changes what is kept
	Shift atomic.Uint32
}

// Keeps reports whether the hash lies below the threshold, 2^(64-shift). It
// needs no lock: what is not kept now never will be.
func (t *cutoff) Keeps(hash uint64) bool { return hash>>(64-t.Shift.Load()) == 0 }

// Exact reports whether everything is kept.
func (t *cutoff) Exact() bool { return t.Shift.Load() == 0 }

// Scale is how many things one that is kept stands for.
func (t *cutoff) Scale() float64 { return float64(uint64(1) << t.Shift.Load()) }

// lowest is the last threshold: what is still too much then is kept.
const lowest = 63

// halve lowers the threshold as long as there is too much; drop drops what it
// does not keep any more.
func (t *cutoff) halve(tooMuch func() bool, drop func()) {
	for tooMuch() && t.Shift.Load() < lowest {
		t.Shift.Add(1)
		drop()
	}
}

// raise lowers the threshold to that of another sample.
func (t *cutoff) raise(shift uint32, drop func()) {
	if shift > t.Shift.Load() {
		t.Shift.Store(shift)
		drop()
	}
}
