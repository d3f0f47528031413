package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint"
)

func TestFrugalPercent(t *testing.T) {
	t.Parallel()
	for inUse, want := range map[uint64]int{
		0: mostPercent, 8 << 20: mostPercent, 24 << 20: mostPercent, 36 << 20: 100, 54 << 20: 33, 66 << 20: leastPercent, 144 << 20: leastPercent, 216 << 20: 50, 1 << 40: largePercent,
	} {
		assert.Equal(t, want, frugalPercent(inUse, jsonlint.DefaultMemory), inUse)
	}
	assert.Equal(t, mostPercent, frugalPercent(100<<20, 1<<30), "garbage gets what more memory leaves")
}

func TestFrugalLimit(t *testing.T) {
	t.Parallel()
	assert.EqualValues(t, leastLimit, frugalLimit(0, 0, jsonlint.DefaultMemory))
	for _, inUse := range []uint64{60 << 20, 100 << 20, 1 << 34} {
		for _, memory := range []int64{jsonlint.DefaultMemory, 1 << 30, 1 << 36} {
			heap := inUse + inUse*uint64(frugalPercent(inUse, memory))/100
			for _, around := range []uint64{0, 50 << 20} {
				assert.Greater(t, frugalLimit(inUse, around, memory), int64(heap+around), "the limit alone would have garbage collected")
			}
		}
	}
}

// TestThriftFollowsTheHeap: while documents are checked, each collection
// determines how soon the next one comes.
func TestThriftFollowsTheHeap(t *testing.T) {
	t.Parallel()
	var saving thrift
	state := func() (frugal int, listening bool) {
		saving.lock.Lock()
		defer saving.lock.Unlock()
		return saving.frugal, saving.listening
	}
	soon := func(condition func() bool) {
		assert.Eventually(t, func() bool { runtime.GC(); return condition() }, 10*time.Second, time.Millisecond)
	}
	for range 2 {
		saving.begin(jsonlint.DefaultMemory)
		soon(func() bool { frugal, _ := state(); return frugal >= leastPercent && frugal <= mostPercent })
		_, listening := state()
		assert.True(t, listening)
		saving.end()
		soon(func() bool { _, listening := state(); return !listening })
	}
}

func TestGenerous(t *testing.T) { // not parallel: the percentage applies to the process
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	end := generous()
	assert.Equal(t, codePercent, debug.SetGCPercent(codePercent))
	end()
	assert.Equal(t, 100, debug.SetGCPercent(100))
	t.Setenv("GOGC", "50")
	generous()
	assert.Equal(t, 100, debug.SetGCPercent(100), "the environment decides")
}
