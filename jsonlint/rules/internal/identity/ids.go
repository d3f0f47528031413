package identity

import (
	"slices"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/column"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

// IDs are all ids of a collection with their positions; the profile has only a
// sample. Documents that share an id are read again.
type IDs struct {
	collection *model.Collection
	id         *profile.Node
	ids        *column.Column
}

// WatchIDs keeps the ids of a collection; see [IDs.Shared].
func WatchIDs(p *check.Pass, c *model.Collection, n *profile.Node) *IDs {
	return &IDs{c, n, column.Watch(p, places.Whole(c), n.Path(), 4, func(to *column.Writer, d *profile.Document, i int) {
		a, b, c := sample.Pack(d.At(i)).Words()
		to.Add(d.Hash(i), a, b, c)
	})}
}

// sharedRead bounds the documents that are read again. A more frequent mistake
// shows in any part of them.
const sharedRead = 1 << 14

// Shared returns a [SameIDProbe] for the documents that share an id, as if it
// had visited them. Call it after all documents were visited. It returns nil if
// no two share one.
func (x *IDs) Shared(p *check.Pass, within []profile.Path) (*SameIDProbe, error) {
	hashes, counts, err := x.ids.Repeated(p.Ctx)
	if err != nil || len(hashes) == 0 {
		return nil, err
	}
	b := newSameIDProbe(x.collection, x.id, within)
	rows := 0
	for i, hash := range hashes {
		if rows += counts[i]; rows > sharedRead && i > 0 {
			break
		}
		b.wanted[hash] = struct{}{}
	}
	b.sampled = float64(len(hashes)) / float64(len(b.wanted))
	var at []sample.PackedPos
	err = x.ids.Rows(p.Ctx, hashes[:len(b.wanted)], func(row []uint64) { at = append(at, sample.Unpack(row[1], row[2], row[3])) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(at, sample.PackedPos.Compare)
	visitor := b.New().(*SameIDProbe)
	for _, at := range at[:min(len(at), sharedRead)] {
		d, err := p.Document(at.Pos())
		if err != nil {
			return nil, err
		}
		visitor.Visit(d)
	}
	b.Merge(visitor)
	return b, nil
}
