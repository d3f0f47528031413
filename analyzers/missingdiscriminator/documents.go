package missingdiscriminator

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
)

// ask asks documents about a finding: whether a field tells their kinds apart.
func ask(_ *docmodel.Program, s docmodel.Shown, on *docmodel.Finding) *docmodel.Verdict {
	if on.Field != nil {
		return nil
	}
	c := s.Collection
	v := &docmodel.Verdict{Seen: s.Documents}
	v.Item("kinds", len(c.Kinds))
	switch {
	case c.Discriminator != "":
		v.Item("discriminator", c.Discriminator)
		v.Acquits, v.Note = true, fmt.Sprintf("%s tells the documents of %s apart", c.Discriminator, c.Name)
	case len(c.Kinds) > 1:
		v.Confirms, v.Severity = true, finding.Warning
		v.Note = fmt.Sprintf("%d kinds of document in %s, which no field tells apart", len(c.Kinds), c.Name)
	default:
		v.Acquits, v.Note = true, fmt.Sprintf("%s documents of %s are of one kind", quantity.Grouped(s.Documents), c.Name)
	}
	return v
}
