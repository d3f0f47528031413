package guided

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// declared returns what the schema of a type's collection declares, or nil if
// there is no schema or several match.
func (e *Evidence) declared(d *docmodel.Document, bound string) *schema.Declared {
	found := ""
	for _, name := range slices.Sorted(maps.Keys(e.options.Declared)) {
		named := slices.ContainsFunc(d.Collections, func(code string) bool { return sameCollection(code, name) })
		if !named && name != bound {
			continue
		}
		if found != "" {
			return nil
		}
		found = name
	}
	return e.options.Declared[found]
}

// bySchema compares a finding with the schema of the collection. It returns
// true if the schema decides, and then withdraws the finding.
func (e *Evidence) bySchema(rule check.Rule, f *check.Finding, b *Binding) bool {
	d := e.declared(f.Document, b.Collection)
	if rule.Declared == nil || d == nil {
		return false
	}
	said := rule.Declared(d, b.shown(), f)
	if said == nil {
		return false
	}
	f.Evidence = append(f.Evidence, said.Evidence...)
	if said.Acquits == "" {
		return false
	}
	f.Evidence = append(f.Evidence, finding.Evidence{Name: "declared in", Value: said.At.File})
	withdraw(f, fmt.Sprintf("%s (%s:%d)", said.Acquits, said.At.File, said.At.Line))
	return true
}
