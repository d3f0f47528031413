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

// Limits for heap growth before garbage collection, in percent of the memory in
// use. Memory should depend little on the input size, so garbage gets what
// remains of a fixed heap size: much if little is in use, which is when
// collecting rarely saves most.
//
// Where more is in use, as with very many different fields, garbage gets a growing share
// of it: collecting takes time in proportion to what is in use, and the size of
// the input no longer decides the memory.
const (
	mostPercent  = 200
	leastPercent = 30
	largePercent = 50 // of large heaps

	// heapAim is the heap size, in bytes, that garbage collection aims for with
	// [jsonlint.DefaultMemory], within these two percentages. With it, half a
	// gigabyte and five take about the same memory. A larger heap saves hardly any
	// time.
	heapAim = 72 << 20

	// The limit is the total memory of the runtime. When it comes near, the
	// runtime returns free memory between the tables of a growing heap to the
	// system. A heap with leastPercent more than what is in use must fit below the
	// limit with a margin, beside what the runtime needs around it: large documents
	// leave holes, and garbage collection would never end. Large heaps have no limit:
	// the holes that a shrinking one leaves would exceed it for good.
	leastLimit = 100 << 20
	margin     = 12 << 20

	// firstPercent delays the first collection until the heap has 12 MB: the
	// runtime takes 4 MB for what is in use at the start. A small document is
	// checked before that.
	firstPercent = 300
)

// codePercent is how much the heap may grow, in percent, while Go packages are
// analysed. Their syntax and types stay in use to the end, so collecting at the
// runtime's default rate would be a sixth of the work. On a module of 94
// packages the peak rises by a tenth.
const codePercent = 200

// generous makes garbage collection rarer until end is called, unless the
// environment limits the memory.
func generous() (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(codePercent)
	return func() { debug.SetGCPercent(before) }
}

// frugalPercent returns the percentage for the given bytes in use and memory.
func frugalPercent(inUse uint64, memory int64) int {
	aim := aimOf(memory)
	if inUse >= aim {
		return int(min(largePercent, leastPercent*max(aim, inUse-aim)/aim))
	}
	return int(max(leastPercent, min(mostPercent, 100*(aim-inUse)/max(1, inUse))))
}

// aimOf returns the heap size that garbage collection aims for.
func aimOf(memory int64) uint64 {
	return uint64(memory) / (jsonlint.DefaultMemory >> 20) * (heapAim >> 20)
}

// frugalLimit returns the limit for the given bytes in use, those around them, and
// memory.
func frugalLimit(inUse, around uint64, memory int64) int64 {
	if inUse >= 2*aimOf(memory) {
		return math.MaxInt64
	}
	return max(memory/(jsonlint.DefaultMemory>>20)*(leastLimit>>20), int64(inUse+inUse*leastPercent/100+around+margin))
}

// frugal makes a check use less memory, unless the environment limits the
// memory.
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

// A thrift makes garbage collection frequent while documents are checked, from
// the first collection on.
type thrift struct {
	lock      sync.Mutex
	checks    int   // number under way
	memory    int64 // of the latest check
	percent   int   // outside checks; 0 before the first
	frugal    int   // during checks; 0 before the first collection
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

// listen calls collected after the next collection, by means of an unreferenced
// object.
func (t *thrift) listen() {
	t.listening = true
	runtime.AddCleanup(new([64]byte), (*thrift).collected, t)
}

func (t *thrift) collected() {
	t.lock.Lock()
	defer t.lock.Unlock()
	first, before := t.frugal == 0, t.frugal
	inUse, around := heapUse()
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
	debug.SetMemoryLimit(frugalLimit(inUse, around, t.memory))
	t.listen()
}

// heapUse returns the bytes in use after the latest collection, and those that the
// runtime needs around them: for itself and in holes between objects.
func heapUse() (inUse, around uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	around = samples[1].Value.Uint64()
	for _, other := range samples[2:] {
		around -= other.Value.Uint64()
	}
	return samples[0].Value.Uint64(), around
}

func (t *thrift) end() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.checks--
	if t.checks == 0 {
		debug.SetMemoryLimit(math.MaxInt64)
	}
	if t.checks == 0 && t.frugal != 0 { // otherwise this would trigger the first collection
		debug.SetGCPercent(t.percent)
	}
}
