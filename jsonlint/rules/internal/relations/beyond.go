package relations

import (
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/column"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// Beyond returns all keys of those targets whose samples hold only some of
// them, to be asked once the documents were read; nil if there is no such target.
func Beyond(p *check.Pass, targets []model.Target) *column.Keys {
	var out []*column.Column
	all := "beyond"
	for _, t := range targets {
		if t.Key.Node.Scalars.Values.Exact() {
			continue
		}
		name := fmt.Sprintf("all keys %q %q %q", t.Entity.Collection.Name, t.Entity.Kind, t.Key.Path)
		all += " " + name
		out = append(out, check.Once(p, name, func() *column.Column {
			c := column.New(1, p.Spool)
			check.Watch(p, t.Entity, &keyProbe{at: profile.NewTrail(t.Key.Path), keys: c, to: c.Writer()})
			return c
		}))
	}
	if out == nil {
		return nil
	}
	return check.Once(p, all, func() *column.Keys { return column.KeysOf(out...) })
}

// A keyProbe puts keys into a column.
type keyProbe struct {
	at   profile.Trail
	keys *column.Column
	to   *column.Writer
}

func (x *keyProbe) New() check.Probe {
	return &keyProbe{at: profile.NewTrail(x.at.Path()), keys: x.keys, to: x.keys.Writer()}
}

func (x *keyProbe) Skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *keyProbe) Visit(d *profile.Document) {
	for i := range x.at.All(d) {
		if places.Scalar(d, i) {
			x.to.Add(d.Hash(i))
		}
	}
}

func (x *keyProbe) Merge(o check.Probe) {
	y := o.(*keyProbe)
	y.to.Flush()
	x.keys.Merge(y.keys)
}
