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

// IDs are all ids of a collection and their places, of which the profile holds
// only a sample. The documents that share one are read again.
type IDs struct {
	collection *model.Collection
	id         *profile.Node
	ids        *column.Column
}

// WatchIDs has the ids of a collection kept, see [IDs.Shared].
func WatchIDs(p *check.Pass, c *model.Collection, n *profile.Node) *IDs {
	x := &IDs{c, n, column.New(4, p.Spool)}
	check.Watch(p, places.Whole(c), &idProbe{at: profile.NewTrail(n.Path()), ids: x.ids, to: x.ids.Writer()})
	return x
}

// sharedRead bounds the documents that are read again: a mistake that is made
// more often shows in any part of them.
const sharedRead = 1 << 14

// Shared returns what documents with a common id have, as a [SameIDProbe] would
// have seen them, once all documents were visited; nil if no two share one.
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

// An idProbe puts ids and their places into a column.
type idProbe struct {
	at  profile.Trail
	ids *column.Column
	to  *column.Writer
}

func (x *idProbe) New() check.Probe {
	return &idProbe{at: profile.NewTrail(x.at.Path()), ids: x.ids, to: x.ids.Writer()}
}

func (x *idProbe) Skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *idProbe) Visit(d *profile.Document) {
	if i, ok := x.at.First(d); ok && places.Scalar(d, i) && len(d.Canonical(i)) > 0 {
		a, b, c := sample.Pack(d.At(i)).Words()
		x.to.Add(d.Hash(i), a, b, c)
	}
}

func (x *idProbe) Merge(o check.Probe) {
	y := o.(*idProbe)
	y.to.Flush()
	x.ids.Merge(y.ids)
}
