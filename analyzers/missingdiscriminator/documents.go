package missingdiscriminator

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema"
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

// declared takes a finding back where the schema names the field that tells the
// documents apart, and the type has it.
func declared(d *schema.Declared, _ docmodel.Shown, on *docmodel.Finding) *docmodel.Declaration {
	told, ok := d.Discriminators[""]
	if !ok || on.Field != nil {
		return nil
	}
	said := &docmodel.Declaration{At: told.At, Evidence: []finding.Evidence{{Name: "declared discriminator", Value: told.Path}}}
	docmodel.All(on.Document.Fields, func(f *docmodel.Field) {
		if f.Path == told.Path {
			said.Acquits = fmt.Sprintf("by the schema of %s, %s tells its documents apart", d.Collection, told.Path)
		}
	})
	return said
}

// samePlace is true of a type that does not say which of the kinds in its
// collection it is, and of documents without the field that would.
func samePlace(code, documents profile.Path) bool { return len(code)+len(documents) == 1 }
