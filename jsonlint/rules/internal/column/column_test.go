package column

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/scratch"
	"github.com/shapevet/shapevet/jsonlint/state"
)

// fill has several workers add rows of a hash and a number.
func fill(t *testing.T, c *Column, hashes []uint64) {
	t.Helper()
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			writer := c.Writer()
			for i := w; i < len(hashes); i += 4 {
				if c.width == 1 {
					writer.Add(hashes[i])
				} else {
					writer.Add(hashes[i], uint64(i))
				}
			}
			writer.Flush()
		})
	}
	group.Wait()
}

// TestColumns compares what columns say with what maps say, with rows in memory
// and in a file.
func TestColumns(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"empty": 0, "memory": 1000, "room": 3 * memoryWords, "file": 3 * memoryWords} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			dir := t.TempDir()
			room := int64(memoryWords * bytesOfWord) // for one step of growth
			if name == "room" {
				room *= 100
			}
			space := scratch.New(room, func() (*os.File, error) {
				f, err := os.CreateTemp(dir, "")
				if err == nil {
					t.Cleanup(func() { _ = f.Close() })
				}
				return f, err
			})
			r := rand.New(rand.NewPCG(7, 8))
			keys, refs := make([]uint64, n), make([]uint64, n)
			for i := range keys {
				keys[i] = r.Uint64()
			}
			missing := map[uint64]int{}
			for i := range refs {
				refs[i] = keys[r.IntN(n)]
				if i%(n/10) == 0 {
					refs[i] = r.Uint64()
					missing[refs[i]]++
				}
			}
			counts := map[uint64]int{}
			for _, hash := range refs {
				counts[hash]++
			}
			maps.DeleteFunc(counts, func(_ uint64, n int) bool { return n < 2 })

			k, c := New(1, space), New(2, space)
			fill(t, k, keys)
			fill(t, c, refs)
			assert.Equal(t, name == "file", len(k.parts) > 0)
			absent := map[uint64]int{}
			require.NoError(t, c.Absent(ctx, KeysOf(k), func(row []uint64) {
				assert.Equal(t, refs[row[1]], row[0])
				absent[row[0]]++
			}))
			assert.Equal(t, missing, absent)

			hashes, often, err := c.Repeated(ctx)
			require.NoError(t, err)
			assert.Equal(t, slices.Sorted(maps.Keys(counts)), append([]uint64(nil), hashes...))
			repeated := map[uint64]int{}
			for i, hash := range hashes {
				repeated[hash] = often[i]
			}
			assert.Equal(t, counts, repeated)
			rows := 0
			require.NoError(t, c.Rows(ctx, hashes[:len(hashes)/2], func(row []uint64) {
				assert.Equal(t, refs[row[1]], row[0])
				rows++
			}))
			want := 0
			for _, hash := range hashes[:len(hashes)/2] {
				want += counts[hash]
			}
			assert.Equal(t, want, rows)
		})
	}
}

// TestNoRoomForColumns: where no temporary file can be made, the comparison says
// so and says nothing else.
func TestNoRoomForColumns(t *testing.T) {
	t.Parallel()
	c := New(1, scratch.New(0, func() (*os.File, error) { return nil, os.ErrPermission }))
	fill(t, c, make([]uint64, memoryWords))
	err := c.Absent(context.Background(), KeysOf(), func([]uint64) { t.Error("a row") })
	require.ErrorIs(t, err, os.ErrPermission)
	_, _, err = c.Repeated(context.Background())
	require.ErrorIs(t, err, os.ErrPermission)
}

// TestColumnsMergeAndTravel: the rows of a column that is merged with another
// one, or written and read, are those of both, in memory and in files.
func TestColumnsMergeAndTravel(t *testing.T) {
	t.Parallel()
	files := scratch.New(0, func() (*os.File, error) { return os.CreateTemp(t.TempDir(), "") })
	for _, space := range []*scratch.Space{nil, files} {
		fill := func(c *Column, from int) *Column {
			w := c.Writer()
			for i := range 10_000 {
				w.Add(uint64(from+i)*0x9e3779b97f4a7c15, uint64(from+i))
			}
			w.Flush()
			return c
		}
		a, b := fill(New(2, space), 0), fill(New(2, space), 5_000)
		a.Merge(b)
		a.Merge(a)
		assert.Zero(t, b.Len())
		var data bytes.Buffer
		require.NoError(t, state.Codec{}.Write(&data, a))
		size := data.Len()
		c := New(2, space)
		require.NoError(t, state.Codec{}.Read(&data, int64(size), c))
		for _, c := range []*Column{a, c} {
			assert.EqualValues(t, 20_000, c.Len())
			hashes, counts, err := c.Repeated(t.Context())
			require.NoError(t, err)
			assert.Len(t, hashes, 5_000)
			assert.Equal(t, 2, slices.Max(counts))
		}
	}
}
