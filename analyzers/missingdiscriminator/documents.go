package missingdiscriminator

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// ask compares a finding with documents: whether a field distinguishes their
// kinds.
func ask(_ *docmodel.Program, s check.Shown, on *check.Finding) *check.Verdict {
	if on.Field != nil {
		return nil
	}
	c := s.Collection
	v := &check.Verdict{Seen: s.Documents}
	v.Item("kinds", len(c.Kinds))
	switch {
	case c.Discriminator != "":
		v.Item("discriminator", c.Discriminator)
		v.Acquits, v.Note = true, fmt.Sprintf("%s distinguishes the documents of %s", c.Discriminator, c.Name)
	case len(c.Kinds) > 1:
		v.Confirms, v.Severity = true, finding.Warning
		v.Note = fmt.Sprintf("%d kinds of document in %s, which no field distinguishes", len(c.Kinds), c.Name)
	default:
		v.Acquits, v.Note = true, fmt.Sprintf("%s documents of %s are of one kind", quantity.Grouped(s.Documents), c.Name)
	}
	return v
}

// declared withdraws a finding if the schema names the field that distinguishes
// the documents, and the type has it.
func declared(d *schema.Declared, _ check.Shown, on *check.Finding) *check.Declaration {
	told, ok := d.Discriminators[""]
	if !ok || on.Field != nil {
		return nil
	}
	said := &check.Declaration{At: told.At, Evidence: []finding.Evidence{{Name: "declared discriminator", Value: told.Path}}}
	docmodel.All(on.Document.Fields, func(f *docmodel.Field) {
		if f.Path == told.Path {
			said.Acquits = fmt.Sprintf("according to the schema of %s, %s distinguishes its documents", d.Collection, told.Path)
		}
	})
	return said
}

// samePlace reports whether one finding is about a type that does not say its
// kind, and the other about documents without the field that would.
func samePlace(code, documents profile.Path) bool { return len(code)+len(documents) == 1 }
