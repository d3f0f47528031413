package main

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

const (
	// frugalPercent is how much the heap may grow beyond what is in use before
	// garbage is collected. Checking documents makes little garbage, so that
	// collecting it often costs next to nothing and saves a third of the memory.
	frugalPercent = 40

	// firstPercent puts the first collection off until the heap has 12 MB: the
	// runtime takes 4 MB for what is in use when the program starts. A small
	// document is checked before that.
	firstPercent = 300
)

// frugal has documents checked in less memory, unless the environment says how
// much there is.
func frugal(check checkFunc) checkFunc {
	var t thrift
	return func(ctx context.Context, inputs []string, o jsonlint.Options) (*finding.Report, error) {
		if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
			t.begin()
			defer t.end()
		}
		return check(ctx, inputs, o)
	}
}

// A thrift has garbage collected often while documents are checked, from the
// first collection on.
type thrift struct {
	lock      sync.Mutex
	checks    int // under way
	percent   int // outside of checks; 0 before the first
	collected bool
}

func (t *thrift) begin() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.checks++
	switch {
	case t.percent == 0:
		t.percent = debug.SetGCPercent(firstPercent)
		runtime.AddCleanup(new([64]byte), (*thrift).first, t) // nothing holds it: the first collection frees it
	case t.collected:
		debug.SetGCPercent(frugalPercent)
	}
}

// first is called behind the first collection.
func (t *thrift) first() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.collected = true
	if t.checks > 0 {
		debug.SetGCPercent(frugalPercent)
	} else {
		debug.SetGCPercent(t.percent)
	}
}

func (t *thrift) end() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.checks--
	if t.checks == 0 && t.collected { // otherwise the first collection would be now
		debug.SetGCPercent(t.percent)
	}
}
