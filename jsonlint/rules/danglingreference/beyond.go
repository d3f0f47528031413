package danglingreference

import (
	"cmp"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/column"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// A beyond holds the values of a reference that the samples cannot check: the
// target has more keys than a sample holds. They and the keys go into columns
// while the documents are read, and are compared afterwards.
type beyond struct {
	keys   *column.Keys // of the target
	others *column.Keys // of other collections

	// A row is a hash and a position. Rows in tails have, before the position, the
	// hash of the last segment, which may be the actual key.
	values, small, tails *column.Column
}

// watchBeyond returns nil if the samples hold all keys.
func watchBeyond(p *check.Pass, r *relations.Relation) *beyond {
	keys := relations.Beyond(p, r.Targets())
	if keys == nil {
		return nil
	}
	return &beyond{
		keys: keys, others: cmp.Or(relations.Beyond(p, othersOf(p, r)), column.KeysOf()),
		values: column.New(4, p.Scratch), small: column.New(4, p.Scratch), tails: column.New(5, p.Scratch),
	}
}

// A beyondWriter adds the values that one worker sees.
type beyondWriter struct{ values, small, tails *column.Writer }

func (b *beyond) writer() *beyondWriter {
	return &beyondWriter{b.values.Writer(), b.small.Writer(), b.tails.Writer()}
}

// add keeps the value at i for later.
func (w *beyondWriter) add(d *profile.Document, i int) {
	x, y, z := sample.Pack(d.At(i)).Words()
	if _, tail, ok := d.Tail(i); ok {
		w.tails.Add(d.Hash(i), profile.HashText(tail), x, y, z)
	} else if countsUp(d.Canonical(i)) {
		w.small.Add(d.Hash(i), x, y, z)
	} else {
		w.values.Add(d.Hash(i), x, y, z)
	}
}

// merge adds other values of the same reference and empties them.
func (b *beyond) merge(o *beyond) {
	b.values.Merge(o.values)
	b.small.Merge(o.small)
	b.tails.Merge(o.tails)
}

func (w *beyondWriter) flush() {
	w.values.Flush()
	w.small.Flush()
	w.tails.Flush()
}

// tell determines which of the values are keys, and adds the result to x.
func (b *beyond) tell(p *check.Pass, x *danglingProbe) error {
	tails, values := column.New(5, p.Scratch), column.New(4, p.Scratch)
	toTails, toValues := tails.Writer(), values.Writer()
	err := b.tails.Absent(p.Ctx, b.keys, func(row []uint64) { toTails.Add(row[1], row[0], row[2], row[3], row[4]) })
	if err != nil {
		return err
	}
	toTails.Flush()
	if err := tails.Absent(p.Ctx, b.keys, func(row []uint64) { toValues.Add(row[1:]...) }); err != nil {
		return err
	}
	if err := b.values.Absent(p.Ctx, b.keys, func(row []uint64) { toValues.Add(row...) }); err != nil {
		return err
	}
	toValues.Flush()
	missed := int64(0)
	miss := func(row []uint64) {
		missed++
		x.miss(row[0], sample.Unpack(row[1], row[2], row[3]))
	}
	if err := values.Absent(p.Ctx, b.others, miss); err != nil {
		return err
	}
	if err := b.small.Absent(p.Ctx, b.keys, miss); err != nil { // small integers are ids everywhere
		return err
	}
	x.told += b.values.Len() + b.small.Len() + b.tails.Len() - missed
	return nil
}
