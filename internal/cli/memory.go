package cli

import (
	"cmp"
	"context"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// How much the heap may grow beyond what is in use before garbage is
// collected, in percent. Memory is to depend little on how much is read, so
// that garbage gets what is left of a fixed size of the heap: much of it where
// little is in use, and collecting it costs least where it is rare.
const (
	mostPercent  = 200
	leastPercent = 12

	// heapAim is the size of the heap, in bytes, to be kept to by collecting
	// garbage as often as these two allow, with [jsonlint.DefaultMemory]. With
	// it half a gigabyte and five take about the same memory; a larger one saves
	// hardly any time.
	heapAim = 72 << 20

	// The limit is what the runtime may hold in all: it returns what lies free
	// between the tables of a growing heap to the system when that comes near.
	// A heap of leastPercent more than what is in use must fit below it, or
	// garbage would be collected without end.
	leastLimit = 100 << 20
	beyondHeap = 23 << 20 // what the runtime itself and holes in the heap take

	// firstPercent puts the first collection off until the heap has 12 MB: the
	// runtime takes 4 MB for what is in use when the program starts. A small
	// document is checked before that.
	firstPercent = 300
)

// codePercent is how much the heap may grow while Go packages are analysed, in
// percent. Their syntax and types stay in use to the end, so that collecting as
// often as the runtime does by itself is a sixth of the work. On a module of 94
// packages the peak rises by a tenth.
const codePercent = 200

// generous has garbage collected more rarely until end is called, unless the
// environment says how much memory there is.
func generous() (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(codePercent)
	return func() { debug.SetGCPercent(before) }
}

// frugalPercent returns the percentage for so many bytes in use, with so much
// memory.
func frugalPercent(inUse uint64, memory int64) int {
	aim := uint64(memory) / (jsonlint.DefaultMemory >> 20) * (heapAim >> 20)
	if inUse >= aim {
		return leastPercent
	}
	return int(max(leastPercent, min(mostPercent, 100*(aim-inUse)/max(1, inUse))))
}

// frugalLimit returns the limit for so many bytes in use, with so much memory.
func frugalLimit(inUse uint64, memory int64) int64 {
	return max(memory/(jsonlint.DefaultMemory>>20)*(leastLimit>>20), int64(inUse+inUse*leastPercent/100)+beyondHeap)
}

// frugal has documents checked in less memory, unless the environment says how
// much there is.
func frugal(check checkFunc) checkFunc {
	var t thrift
	return func(ctx context.Context, inputs []string, o jsonlint.Options) (*finding.Report, error) {
		if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
			t.begin(cmp.Or(o.Memory, jsonlint.DefaultMemory))
			defer t.end()
		}
		return check(ctx, inputs, o)
	}
}

// A thrift has garbage collected often while documents are checked, from the
// first collection on.
type thrift struct {
	lock      sync.Mutex
	checks    int   // under way
	memory    int64 // of the check that began last
	percent   int   // outside of checks; 0 before the first
	frugal    int   // in the checks; 0 before the first collection
	listening bool
}

func (t *thrift) begin(memory int64) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.checks++
	t.memory = memory
	switch {
	case t.percent == 0:
		t.percent = debug.SetGCPercent(firstPercent)
	case t.frugal != 0:
		debug.SetGCPercent(t.frugal)
	}
	if !t.listening {
		t.listen()
	}
}

// listen has collected called behind the next collection: nothing holds what
// it frees.
func (t *thrift) listen() {
	t.listening = true
	runtime.AddCleanup(new([64]byte), (*thrift).collected, t)
}

func (t *thrift) collected() {
	t.lock.Lock()
	defer t.lock.Unlock()
	first, before := t.frugal == 0, t.frugal
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	inUse := live[0].Value.Uint64()
	t.frugal = frugalPercent(inUse, t.memory)
	switch {
	case t.checks == 0:
		t.listening = false
		if first {
			debug.SetGCPercent(t.percent)
		}
		return
	case t.frugal != before:
		debug.SetGCPercent(t.frugal)
	}
	debug.SetMemoryLimit(frugalLimit(inUse, t.memory))
	t.listen()
}

func (t *thrift) end() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.checks--
	if t.checks == 0 {
		debug.SetMemoryLimit(math.MaxInt64)
	}
	if t.checks == 0 && t.frugal != 0 { // otherwise the first collection would be now
		debug.SetGCPercent(t.percent)
	}
}
