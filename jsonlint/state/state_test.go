package state_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/state"
)

// A node has a field of every kind that may be written.
type node struct {
	flag     bool
	small    int8
	number   int64
	unsigned uint16
	ratio    float64
	name     string
	list     []inner
	words    []uint64
	pair     [2]int
	byName   map[string]*node
	byPair   map[[2]string]int
	next     *node
	any      any
	lock     sync.Mutex
	watch    func() int
	model    *model
}

type inner struct {
	at   int64
	text []byte
}

// A model exists on both sides.
type model struct{ name string }

var codec = state.Codec{Given: func(t reflect.Type) bool { return t == reflect.TypeFor[model]() }}

func full() *node {
	n := &node{
		flag: true, small: -128, number: math.MinInt64, unsigned: math.MaxUint16, ratio: math.Inf(-1), name: "é\x00",
		list: []inner{{at: 1, text: []byte("x")}, {text: []byte{}}}, words: []uint64{0, math.MaxUint64}, pair: [2]int{-1, 1},
		byName: map[string]*node{"a": {name: "below"}, "": nil}, byPair: map[[2]string]int{{"a", "b"}: 3, {"b"}: 4}, any: 7,
	}
	n.lock.Lock()                         // a lock here does not lock the copy
	n.next = n                            // a cycle
	n.byName["b"] = n.byName["a"]         // one value with two names
	n.byName["a"].list = make([]inner, 0) // empty is not nil
	return n
}

func write(t require.TestingT, v any) []byte {
	var b bytes.Buffer
	require.NoError(t, codec.Write(&b, v))
	return b.Bytes()
}

func read(data []byte, v any) error {
	return codec.Read(bytes.NewReader(data), int64(len(data)), v)
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	want := full()
	want.watch, want.model = func() int { return 1 }, &model{"theirs"}
	data := write(t, want)
	ours := &model{"ours"}
	got := &node{any: 0, model: ours, watch: func() int { return 2 }}
	require.NoError(t, read(data, got))
	assert.Same(t, ours, got.model, "the model is that of the reader")
	assert.Equal(t, 2, got.watch())
	assert.Same(t, got.byName["a"], got.byName["b"])
	assert.Same(t, got, got.next)
	assert.True(t, got.lock.TryLock())
	want.watch, want.model, got.watch, got.model = nil, nil, nil, nil
	assert.Equal(t, want, got)
	for range 9 {
		assert.Equal(t, data, write(t, func() *node {
			n := full()
			n.watch, n.model = func() int { return 1 }, &model{}
			return n
		}()), "the same each time")
	}
}

// TestNothingIsLost: anything gathered can be read back.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	nodes := rapid.Make[[]struct {
		A int
		B []uint8
		C map[int16]string
		D *struct{ E []float32 }
		F [3]bool
	}]()
	rapid.Check(t, func(t *rapid.T) {
		want := nodes.Draw(t, "nodes")
		got := reflect.New(reflect.TypeOf(want))
		require.NoError(t, read(write(t, &want), got.Interface()))
		if !assert.ObjectsAreEqual(want, got.Elem().Interface()) { // NaN is not equal to itself
			assert.Equal(t, write(t, &want), write(t, got.Interface()))
		}
	})
}

func TestWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	data := write(t, full())
	for end := range data {
		assert.Error(t, read(data[:end], &node{any: 0}), "cut off at %d", end)
	}
	assert.Error(t, read(append(data, 0), &node{any: 0}), "more behind it")
	assert.Error(t, read(data, &node{}), "nobody says what is in the interface")
	with := full()
	with.model = &model{}
	assert.Error(t, read(write(t, with), &node{any: 0}), "the reader has no model")
	assert.Error(t, codec.Write(&bytes.Buffer{}, &struct{ c chan int }{make(chan int)}))
	assert.Error(t, codec.Write(&bytes.Buffer{}, &map[*int]int{new(int): 1}))
}

func TestFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.state")
	head := state.Head{Build: 1, Inputs: 2, Options: 3, Shard: 4, Shards: 5}
	require.NoError(t, os.WriteFile(path+".part", []byte("what a killed program left"), 0o600))
	require.NoError(t, state.Save(path, path+".part", head, codec, full()))
	require.NoError(t, state.Load(path, head, codec, &node{any: 0}))
	assert.NoFileExists(t, path+".part")
	for want, other := range map[string]state.Head{
		"another build":  {Build: 9, Inputs: 2, Options: 3, Shard: 4, Shards: 5},
		"other inputs":   {Build: 1, Inputs: 9, Options: 3, Shard: 4, Shards: 5},
		"other options":  {Build: 1, Inputs: 2, Options: 9, Shard: 4, Shards: 5},
		"of shard 4/5":   {Build: 1, Inputs: 2, Options: 3, Shard: 9, Shards: 5},
		"and not of 4/9": {Build: 1, Inputs: 2, Options: 3, Shard: 4, Shards: 9},
	} {
		assert.ErrorContains(t, state.Load(path, other, codec, &node{any: 0}), want)
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := range data {
		for _, damaged := range [][]byte{data[:i], append(append(bytes.Clone(data[:i]), data[i]^4), data[i+1:]...)} {
			require.NoError(t, os.WriteFile(path, damaged, 0o600))
			assert.ErrorContains(t, state.Load(path, head, codec, &node{any: 0}), path, "at %d", i)
		}
	}
	assert.Error(t, state.Save(filepath.Join(path, "below a file"), filepath.Join(path, "part"), head, codec, full()))
	assert.Error(t, state.Save(path, path+".part", head, codec, &struct{ c chan int }{make(chan int)}))
	assert.NoFileExists(t, path+".part")
}

// FuzzRead reads arbitrary input: it must return at worst an error, and use no
// more memory than the file could fill.
func FuzzRead(f *testing.F) {
	data := write(f, full())
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add(bytes.Repeat([]byte{0xff}, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = read(data, &node{any: 0})
		runtime.ReadMemStats(&after)
		most := uint64(1<<20 + 1000*len(data))
		assert.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, most)
	})
}
