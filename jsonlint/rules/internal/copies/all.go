package copies

import (
	"math"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/column"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// columns hold the values that all things have in a field, while probes hold
// only some things. A row is the hash of the thing, the hash of thing and
// value, and the position of the value.
type columns map[int]*column.Column

type writers map[int]*column.Writer

func (c columns) writers() writers {
	if len(c) == 0 {
		return nil
	}
	w := writers{}
	for i, to := range c {
		w[i] = to.Writer()
	}
	return w
}

// merge adds the rows of other columns for the same fields.
func (c columns) merge(o columns) {
	for i := range c {
		c[i].Merge(o[i])
	}
}

func (w writers) flush() {
	for _, to := range w {
		to.Flush()
	}
}

// addValue adds a value of a thing if the field has a column.
func addValue(to *column.Writer, thing uint64, d *profile.Document, value int) {
	if to != nil {
		a, b, c := sample.Pack(d.At(value)).Words()
		to.Add(thing, sample.PairHash(thing, valueHash(d, value)), a, b, c)
	}
}

// sampled reports whether there may be more things or originals than the probes
// hold.
func (c *Site) sampled() bool {
	originals := 0.0
	for _, to := range c.Ref.Targets() {
		originals += to.Key.Node.Scalars.Values.Distinct()
	}
	return c.ID.Scalars.Values.Distinct() > float64(c.probe.settings.capacity) || originals > maxOriginals
}

// sameLeaf reports whether a leaf is the original's field with the same name as
// a field of the copies.
func (c *Site) sameLeaf(f *profile.Node, l Leaf) bool {
	return l.Second == nil && len(l.Path) == 1 && c.sameWord(f, l.Path[0].Name)
}

// keepAll keeps all values of the fields that have the same name in the
// original.
func (c *Site) keepAll(p *check.Pass) {
	copied, originals := c.probe.settings, c.Original.settings
	for i, f := range c.fields {
		leaf := slices.IndexFunc(originals.leaves, func(l Leaf) bool { return c.sameLeaf(f, l) })
		if leaf < 0 {
			continue
		}
		if copied.all == nil {
			copied.all = columns{}
		}
		if originals.all == nil {
			originals.all = columns{}
		}
		copied.all[i] = column.New(5, p.Scratch)
		if originals.all[leaf] == nil {
			originals.all[leaf] = column.New(5, p.Scratch)
		}
	}
}

// staleRead bounds the copies that are read again. If there are more, those of
// the things in the probes are representative.
const staleRead = 1 << 14

// CompareAll compares all copies of a field with their originals, if the probes
// have seen only some.
func (c *Site) CompareAll(p *check.Pass, f *FieldMeasure) error {
	copied, originals := c.probe.settings.all[f.Index], c.Original.settings.all[f.leaf]
	if f.Compared == 0 || copied == nil || originals == nil || !c.sameLeaf(f.Node, f.Leaf) {
		return nil
	}
	var found []staleRow
	compared, stale := int64(0), 0
	err := copied.Compare(p.Ctx, originals, func(row []uint64, equal bool) {
		compared++
		if equal {
			return
		}
		if stale++; stale <= staleRead {
			found = append(found, staleRow{row[0], row[1], sample.Unpack(row[2], row[3], row[4])})
		}
	})
	if err != nil || stale > staleRead {
		return err
	}
	truths, err := truthsOf(p, originals, found)
	if err != nil {
		return err
	}
	f.Compared, f.Stale, f.StaleCopies = compared, 0, nil
	slices.SortFunc(found, func(a, b staleRow) int { return a.at.Compare(b.at) })
	known := map[uint64]int{} // by thing and value
	for _, row := range found {
		truth := truths[row.thing]
		if truth.diverged {
			f.Compared--
			continue
		}
		f.Stale++
		i, ok := known[row.pair]
		if !ok {
			thing, err := c.read(p, row)
			if err != nil {
				return err
			}
			i, known[row.pair] = len(f.StaleCopies), len(f.StaleCopies)
			f.StaleCopies = append(f.StaleCopies, staleCopy{Thing: thing, Value: variant{hash: row.pair}, Original: LeafValue{truth.pair, truth.at.Pos()}})
		}
		v := &f.StaleCopies[i].Value
		v.Count++
		v.Places = firstPlaces(v.Places, row.at.Pos())
	}
	return nil
}

// A staleRow is a value of a thing with its position.
type staleRow struct {
	thing, pair uint64
	at          sample.PackedPos
}

// A truth is the value in a thing's original.
type truth struct {
	pair     uint64
	at       sample.PackedPos
	diverged bool // two documents with the key have different values
}

func truthsOf(p *check.Pass, originals *column.Column, rows []staleRow) (map[uint64]truth, error) {
	var things []uint64
	for _, row := range rows {
		things = append(things, row.thing)
	}
	slices.Sort(things)
	truths := map[uint64]truth{}
	err := originals.Rows(p.Ctx, slices.Compact(things), func(row []uint64) {
		t := truth{pair: row[1], at: sample.Unpack(row[2], row[3], row[4])}
		if before, ok := truths[row[0]]; ok {
			t.diverged = before.diverged || before.pair != t.pair
			t.at = sample.EarlierPacked(before.at, t.at)
		}
		truths[row[0]] = t
	})
	return truths, err
}

// read reads the document of a row again for its copy of the thing.
func (c *Site) read(p *check.Pass, row staleRow) (*measuredThing, error) {
	d, err := p.Document(row.at.Pos())
	if err != nil {
		return nil, err
	}
	settings := *c.probe.settings
	settings.capacity = math.MaxInt // it is one document, so keep everything
	visitor := newCopyProbe(&settings)
	visitor.Visit(d)
	return &measuredThing{row.thing, visitor.things[row.thing]}, nil
}
