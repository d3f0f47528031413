package column

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// Watch returns a column into which add puts what it wants to keep of the values
// at a path.
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
