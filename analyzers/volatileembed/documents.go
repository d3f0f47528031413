package volatileembed

import (
	"cmp"
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// copiedOnce is the average number of copies up to which a thing is part of one
// document.
const copiedOnce = 1.05

// ask compares a finding with documents: how often the copied thing occurs. If
// it occurs once, it is a part rather than a copy.
func ask(p *docmodel.Program, s check.Shown, on *check.Finding) *check.Verdict {
	f := on.Field
	if f == nil {
		return nil
	}
	name := ""
	if f.Struct != nil {
		name = f.Struct.Obj().Name()
	}
	id := docmodel.ID(f.Fields, name)
	if id == nil {
		return nil
	}
	n := s.Root.At(id.Path)
	if n == nil || n.Scalars() == 0 || n.Distinct.Least == 0 {
		return nil
	}
	v := &check.Verdict{Seen: n.Scalars(), At: n.FirstAny()}
	copies := float64(n.Scalars())
	least, most := copies/float64(n.Distinct.Most), copies/float64(n.Distinct.Least)
	v.Item("copies", n.Scalars())
	v.Item("copied things", n.Distinct.String())
	switch {
	case least >= p.Threshold("volatile-embed", "mean-fan-out"):
		v.Confirms, v.Severity = true, finding.Warning
		v.Note = fmt.Sprintf("%s copies of %s different %s", quantity.Grouped(n.Scalars()), n.Distinct.AtMost(), cmp.Or(lastField(id.Path), "ids"))
	case most <= copiedOnce:
		v.Acquits = true
		v.Note = fmt.Sprintf("%s values of %s in documents of %s are all different", quantity.Grouped(n.Scalars()), id.Path, s.Name)
	}
	return v
}

func lastField(path string) string {
	steps, err := evidence.ParsePath(path)
	if err != nil || len(steps) == 0 || steps[len(steps)-1].Kind != profile.Field {
		return ""
	}
	return steps[len(steps)-1].Name
}
