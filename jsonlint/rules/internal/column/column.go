// Package column stores data by which all documents of an input are compared,
// such as their ids, as rows that begin with a hash. Rows that do not fit in
// memory go to a temporary file, so that comparisons are exact for any number.
//
// Rows are partitioned by the highest bits of their hash, and compared one
// partition at a time (a Grace hash join: Kitsuregawa et al., "Application of
// hash to data base machine and its architecture", New Generation Computing 1,
// 1983).
package column

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/shapevet/shapevet/internal/hashtable"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/scratch"
	"github.com/shapevet/shapevet/jsonlint/state"
)

const (
	partitionBits = 4

	partitions  = 1 << partitionBits
	memoryWords = 1 << 12 // eight-byte words that a column holds before it reserves memory, because a run has dozens of columns
	writerWords = 1 << 8  // words that a writer holds

	// A word takes 8 bytes, a quarter more after rows have grown, and 8 more while
	// they are sorted.
	bytesOfWord = 18
)

// A Column holds rows with the same number of words, the first of which is a
// hash.
type Column struct {
	width int
	space *scratch.Space // nil keeps everything in memory

	mutex sync.Mutex
	rows  []uint64
	room  int // words for which memory is reserved
	count int64
	file  *os.File
	size  int64
	parts []segment
	err   error

	arranged bool // everything was added, and rows are sorted
	starts   bounds
}

// A segment is what was written at once, ordered by partition.
type segment struct {
	at     int64 // in the file
	starts bounds
}

// bounds say where partitions are among words: partition p from p to p+1.
type bounds [partitions + 1]int

// New returns a column of rows of width words.
func New(width int, space *scratch.Space) *Column {
	return &Column{width: width, space: space, room: memoryWords}
}

// A Writer adds rows to a column. Each worker has its own.
type Writer struct {
	column *Column
	rows   []uint64
}

// Writer returns a writer, which must be flushed at the end.
func (c *Column) Writer() *Writer { return &Writer{column: c} }

// Add adds a row.
func (w *Writer) Add(row ...uint64) {
	w.rows = append(w.rows, row...)
	if len(w.rows) >= writerWords {
		w.Flush()
	}
}

// Flush passes the rows to the column.
func (w *Writer) Flush() {
	c := w.column
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.rows = append(c.rows, w.rows...)
	c.count += int64(len(w.rows) / c.width)
	w.rows = w.rows[:0]
	for c.space != nil && len(c.rows) >= c.room && c.err == nil {
		if c.space.Take(memoryWords * bytesOfWord) {
			c.room += memoryWords
		} else if err := c.spill(); err != nil {
			c.err = fmt.Errorf("keep ids in a temporary file: %w", err)
		}
	}
}

// Merge adds the rows of another column and empties it. All writers must have
// been flushed.
func (c *Column) Merge(o *Column) {
	if c == o {
		return // all workers share one column
	}
	to := c.Writer()
	for p := range partitions {
		if err := o.each(context.Background(), p, func(row []uint64) { to.Add(row...) }); err != nil && c.err == nil {
			c.err = err
		}
	}
	to.Flush()
	o.rows, o.parts, o.count, o.arranged, o.starts = nil, nil, 0, false, bounds{}
}

// SaveState writes the rows.
func (c *Column) SaveState(w *state.Writer) error {
	w.Uint(uint64(c.count))
	for p := range partitions {
		err := c.each(context.Background(), p, func(row []uint64) {
			for _, word := range row {
				w.Word(word)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// LoadState adds the rows that were written.
func (c *Column) LoadState(r *state.Reader) error {
	n, err := r.Length(int64(8 * c.width))
	if err != nil {
		return err
	}
	to, row := c.Writer(), make([]uint64, c.width)
	for range n {
		for i := range row {
			if row[i], err = r.Word(); err != nil {
				return err
			}
		}
		to.Add(row...)
	}
	to.Flush()
	return c.err
}

// spilling holds buffers for writing.
var spilling = sync.Pool{New: func() any { return new([]byte) }}

// spill writes the rows to the temporary file.
func (c *Column) spill() error {
	if c.file == nil {
		file, err := c.space.File()
		if err != nil {
			return err
		}
		c.file = file
	}
	ordered, starts := c.arrange()
	buffer := spilling.Get().(*[]byte)
	defer spilling.Put(buffer)
	data := (*buffer)[:0]
	for _, word := range ordered {
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	*buffer = data
	s := segment{at: c.size, starts: starts}
	if _, err := c.file.WriteAt(data, c.size); err != nil {
		return err
	}
	c.size += int64(len(data))
	c.parts = append(c.parts, s)
	c.rows = c.rows[:0]
	return nil
}

func partition(hash uint64) int { return int(hash >> (64 - partitionBits)) }

// Len returns how many rows were added and flushed.
func (c *Column) Len() int64 { return c.count }

// arrange returns the rows in memory, ordered by partition.
func (c *Column) arrange() (ordered []uint64, starts bounds) {
	for i := 0; i < len(c.rows); i += c.width {
		starts[partition(c.rows[i])+1] += c.width
	}
	for p := range partitions {
		starts[p+1] += starts[p]
	}
	ordered, next := make([]uint64, len(c.rows)), starts
	for row := range slices.Chunk(c.rows, c.width) {
		p := partition(row[0])
		copy(ordered[next[p]:], row)
		next[p] += c.width
	}
	return ordered, starts
}

// settle sorts the rows in memory after the last one was added.
func (c *Column) settle() {
	if !c.arranged {
		c.rows, c.starts = c.arrange()
		c.arranged = true
	}
}

// each calls f for the rows of a partition.
func (c *Column) each(ctx context.Context, p int, f func(row []uint64)) error {
	if c.err != nil {
		return c.err
	}
	c.settle()
	for row := range slices.Chunk(c.rows[c.starts[p]:c.starts[p+1]], c.width) {
		f(row)
	}
	row := make([]uint64, c.width)
	var data []byte
	for _, s := range c.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		size := 8 * (s.starts[p+1] - s.starts[p])
		data = slices.Grow(data[:0], size)[:size]
		if _, err := c.file.ReadAt(data, s.at+8*int64(s.starts[p])); err != nil {
			return fmt.Errorf("read ids from a temporary file: %w", err)
		}
		for at := 0; at < len(data); at += 8 * c.width {
			for i := range row {
				row[i] = binary.LittleEndian.Uint64(data[at+8*i:])
			}
			f(row)
		}
	}
	return nil
}

// Keys are the first words of the rows of some columns.
type Keys struct {
	columns []*Column
	all     set // of all partitions, if there are few
}

// KeysOf returns the keys in columns. Nothing may be added to the columns after
// the first use.
func KeysOf(columns ...*Column) *Keys { return &Keys{columns: columns} }

// keysInMemory is how many keys are kept between comparisons.
const keysInMemory = 1 << 20

// in returns the keys of a partition, possibly with others.
func (k *Keys) in(ctx context.Context, p int, room *set) (*set, error) {
	total := int64(0)
	for _, c := range k.columns {
		total += c.Len()
	}
	if total > keysInMemory {
		room.reset(rowsOf(p, k.columns))
		return room, k.add(ctx, p, room)
	}
	if k.all.slots == nil {
		k.all.reset(int(total))
		for p := range partitions {
			if err := k.add(ctx, p, &k.all); err != nil {
				return nil, err
			}
		}
	}
	return &k.all, nil
}

func (k *Keys) add(ctx context.Context, p int, to *set) error {
	for _, c := range k.columns {
		if err := c.each(ctx, p, func(row []uint64) { to.add(row[0]) }); err != nil {
			return err
		}
	}
	return nil
}

// Absent calls f for each row whose hash is not among the keys. The row is
// valid until f returns.
func (c *Column) Absent(ctx context.Context, keys *Keys, f func(row []uint64)) error {
	return c.among(ctx, keys, false, f)
}

// Present calls f for each row whose hash is among the keys. The row is valid
// until f returns.
func (c *Column) Present(ctx context.Context, keys *Keys, f func(row []uint64)) error {
	return c.among(ctx, keys, true, f)
}

func (c *Column) among(ctx context.Context, keys *Keys, wanted bool, f func(row []uint64)) error {
	if c.err != nil {
		return c.err
	}
	var room set
	for p := range partitions {
		if rowsOf(p, []*Column{c}) == 0 {
			continue
		}
		held, err := keys.in(ctx, p, &room)
		if err != nil {
			return err
		}
		err = c.each(ctx, p, func(row []uint64) {
			if held.has(row[0]) == wanted {
				f(row)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsOf returns the number of rows in a partition.
func rowsOf(p int, columns []*Column) int {
	n := 0
	for _, c := range columns {
		c.settle()
		words := c.starts[p+1] - c.starts[p]
		for _, s := range c.parts {
			words += s.starts[p+1] - s.starts[p]
		}
		n += words / c.width
	}
	return n
}

// A set is a set of hashes with open addressing; 0 marks a free slot.
type set struct{ slots []uint64 }

// reset empties the set and makes room for n hashes.
func (s *set) reset(n int) {
	clear(s.slots)
	if size := n + n/2 + 1; len(s.slots) < size {
		s.slots = make([]uint64, size)
	}
}

func (s *set) slot(hash uint64) *uint64 {
	for i := hashtable.Home(hash, len(s.slots)); ; {
		if at := &s.slots[i]; *at == hash || *at == 0 {
			return at
		}
		if i++; i == len(s.slots) {
			i = 0
		}
	}
}

func (s *set) add(hash uint64)      { *s.slot(max(hash, 1)) = max(hash, 1) }
func (s *set) has(hash uint64) bool { return *s.slot(max(hash, 1)) != 0 }

// Compare calls f for each row whose hash another column has too. equal says
// whether that column has it with the same second word, a hash of more. The row
// is valid until f returns.
func (c *Column) Compare(ctx context.Context, with *Column, f func(row []uint64, equal bool)) error {
	var hashes, seconds set
	for p := range partitions {
		n := rowsOf(p, []*Column{with})
		if n == 0 || rowsOf(p, []*Column{c}) == 0 {
			continue
		}
		hashes.reset(n)
		seconds.reset(n)
		err := with.each(ctx, p, func(row []uint64) {
			hashes.add(row[0])
			seconds.add(row[1])
		})
		if err != nil {
			return err
		}
		err = c.each(ctx, p, func(row []uint64) {
			if hashes.has(row[0]) {
				f(row, seconds.has(row[1]))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Repeated returns, in order, the hashes that several rows have, and how often
// each occurs.
func (c *Column) Repeated(ctx context.Context) (hashes []uint64, counts []int, err error) {
	var seen set
	var again []uint64
	for p := range partitions {
		seen.reset(rowsOf(p, []*Column{c}))
		again = again[:0]
		err := c.each(ctx, p, func(row []uint64) {
			if seen.has(row[0]) {
				again = append(again, row[0])
			} else {
				seen.add(row[0])
			}
		})
		if err != nil {
			return nil, nil, err
		}
		slices.Sort(again)
		for _, hash := range again {
			if n := len(hashes); n == 0 || hashes[n-1] != hash {
				hashes, counts = append(hashes, hash), append(counts, 1)
			}
			counts[len(counts)-1]++
		}
	}
	return hashes, counts, nil
}

// Rows calls f for each row with one of the sorted hashes. The row is valid
// until f returns.
func (c *Column) Rows(ctx context.Context, hashes []uint64, f func(row []uint64)) error {
	for p := range partitions {
		err := c.each(ctx, p, func(row []uint64) {
			if _, ok := slices.BinarySearch(hashes, row[0]); ok {
				f(row)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Watch returns a column. add adds the rows to keep for each value at a path.
func Watch(p *check.Pass, e *model.Entity, path profile.Path, width int, add func(to *Writer, d *profile.Document, i int)) *Column {
	c := New(width, p.Scratch)
	check.Watch(p, e, &probe{at: profile.NewTrail(path), add: add, column: c, to: c.Writer()})
	return c
}

type probe struct {
	at     profile.Trail
	add    func(to *Writer, d *profile.Document, i int)
	column *Column
	to     *Writer
}

func (x *probe) New() check.Probe {
	return &probe{profile.NewTrail(x.at.Path()), x.add, x.column, x.column.Writer()}
}

func (x *probe) Skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *probe) Visit(d *profile.Document) {
	for i := range x.at.All(d) {
		x.add(x.to, d, i)
	}
}

func (x *probe) Merge(o check.Probe) {
	y := o.(*probe)
	y.to.Flush()
	x.column.Merge(y.column)
}
