package guided

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// declared returns what the schema of a type's collection says, and the name
// of the collection; nil if there is none, or if several could be meant.
func (e *Evidence) declared(d *docmodel.Document, bound string) (*schema.Declared, string) {
	found := ""
	for _, name := range slices.Sorted(maps.Keys(e.options.Declared)) {
		named := slices.ContainsFunc(d.Collections, func(code string) bool { return sameCollection(code, name) })
		if !named && name != bound {
			continue
		}
		if found != "" {
			return nil, ""
		}
		found = name
	}
	return e.options.Declared[found], found
}

// bySchema compares a finding with what the schema of the collection says. It
// reports whether that decides: the finding is withdrawn then.
func (e *Evidence) bySchema(f *docmodel.Finding, b *Binding) bool {
	d, collection := e.declared(f.Document, b.Collection)
	if d == nil {
		return false
	}
	note := ""
	var at finding.Location
	switch {
	case f.Rule == "unbounded-array" && f.Field != nil:
		bound, ok := d.Bounds[f.Field.Path]
		if !ok || bound.Most > longBound {
			return false
		}
		if b.root != nil {
			if n := b.root.At(f.Field.Path); n != nil && n.Lengths.Max > bound.Most {
				f.Evidence = append(f.Evidence, finding.Evidence{Name: "declared bound", Value: bound.Most})
				return false // nobody keeps to it
			}
		}
		note, at = fmt.Sprintf("the schema of %s allows at most %s", collection, quantity.Of(bound.Most, "element")), bound.At
	case f.Rule == "dynamic-keys" && f.Field != nil:
		place, ok := d.Maps[f.Field.Path]
		if !ok {
			return false
		}
		note, at = fmt.Sprintf("the schema of %s declares it as a map", collection), place
	case f.Rule == "missing-discriminator" && f.Field == nil:
		told, ok := d.Discriminators[""]
		if !ok {
			return false
		}
		f.Evidence = append(f.Evidence, finding.Evidence{Name: "declared discriminator", Value: told.Path})
		if !has(f.Document.Fields, told.Path) {
			return false // the type lacks what the schema asks for
		}
		note, at = fmt.Sprintf("by the schema of %s, %s tells its documents apart", collection, told.Path), told.At
	default:
		return false
	}
	f.Message += fmt.Sprintf("; withdrawn: %s (%s:%d)", note, at.File, at.Line)
	f.Evidence = append(f.Evidence, finding.Evidence{Name: "declared in", Value: at.File})
	f.Confidence = min(f.Confidence, withdrawn)
	f.Severity = finding.Info
	f.Fix = f.Fix.Plan()
	return true
}

// longBound is the bound from which a list is not small, whatever keeps it.
const longBound = 1_000

func has(fields []*docmodel.Field, path string) bool {
	found := false
	docmodel.All(fields, func(f *docmodel.Field) { found = found || f.Path == path })
	return found
}
