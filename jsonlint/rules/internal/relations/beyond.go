package relations

import (
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/column"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// Beyond returns all keys of those targets whose samples are incomplete, for
// use after the documents were read. It returns nil if there is no such target.
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
			return column.Watch(p, t.Entity, t.Key.Path, 1, func(to *column.Writer, d *profile.Document, i int) {
				if places.Scalar(d, i) {
					to.Add(d.Hash(i))
				}
			})
		}))
	}
	if out == nil {
		return nil
	}
	return check.Once(p, all, func() *column.Keys { return column.KeysOf(out...) })
}
