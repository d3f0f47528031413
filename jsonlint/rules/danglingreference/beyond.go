package danglingreference

import (
	"cmp"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/column"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// A beyond is the values of a reference of which the samples cannot tell whether
// they are keys: the target has more keys than a sample holds. They and the keys
// are put into columns while the documents are read, and compared after.
type beyond struct {
	keys   *column.Keys // of the target
	others *column.Keys // of other collections

	// Rows are a hash and a place, and before the place in tails the hash of the
	// last segment, which may be what is meant.
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

// A beyondWriter adds what one worker sees.
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

// merge adds other values of the same reference, which are gone after.
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

// tell finds out which of the values are keys, and adds that to x.
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
