package sample

import (
	"sync"
	"sync/atomic"
)

// Joined is how many keys are kept on each side of a join. If there are more,
// it is a sample by hash, the same on both sides.
const Joined = 1 << 17

// A cutoff limits what is kept by the hash of the thing concerned. When there
// is too much, the threshold halves, and only hashes below it stay. The result
// depends only on the set of things seen, not on their order or on which worker
// saw them. Below the lower of two thresholds, two samples are complete (see
// [profile.Sample]).
//
// The probes of all workers share one sample, so more workers do not need more
// memory: [check.Probe.New] passes it on, and there is nothing to merge.
type cutoff struct {
	lock  sync.Mutex // for changes to what is kept
	Shift atomic.Uint32
}

// Keeps reports whether the hash is below the threshold, 2^(64-shift). It needs
// no lock, because what is not kept now never will be.
func (t *cutoff) Keeps(hash uint64) bool { return hash>>(64-t.Shift.Load()) == 0 }

// Exact reports whether everything is kept.
func (t *cutoff) Exact() bool { return t.Shift.Load() == 0 }

// Scale returns how many things one kept thing stands for.
func (t *cutoff) Scale() float64 { return float64(uint64(1) << t.Shift.Load()) }

// lowest is the last threshold. Whatever is below it is kept.
const lowest = 63

// halve lowers the threshold while there is too much. drop removes what it no
// longer keeps.
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
