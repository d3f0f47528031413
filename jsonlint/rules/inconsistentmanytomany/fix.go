package inconsistentmanytomany

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// pairFix adds one missing half to the document that lacks it.
func pairFix(p *check.Pass, a, b *half, only []relations.FoundEdge) []finding.Fix {
	for _, e := range only {
		at, ok := relations.FindKey(a.docs, e.To)
		if !ok || b.Tail {
			continue
		}
		source, err := places.Read(p, e.At.Pos())
		if err != nil {
			return nil
		}
		ids := source.Select(a.own)
		if len(ids) == 0 {
			continue
		}
		title := fmt.Sprintf("add the missing half in %s of %s", b.Path, b.From.Collection.Name)
		fixes := plans.Changed(p, b.From.Collection.Name, title, at, func(document *reshape.Value) bool { return addReference(document, b.Path, ids[0]) })
		if fixes != nil {
			return fixes
		}
	}
	return nil
}

// addReference adds an id to a list of references, or to a field that is
// missing or null. It overwrites nothing.
func addReference(doc *reshape.Value, path profile.Path, id *reshape.Value) bool {
	list := slices.IndexFunc(path, func(s profile.Step) bool { return s.Kind == profile.Element })
	if list < 0 {
		return addField(doc, path, id)
	}
	above, rest := path[:list], path[list+1:]
	if slices.ContainsFunc(rest, func(s profile.Step) bool { return s.Kind != profile.Field }) || len(rest) > 1 {
		return false
	}
	element := id.Clone()
	if len(rest) == 1 {
		element = reshape.Object(reshape.Member{Name: rest[0].Name, Value: element})
	}
	arrays := doc.Select(above)
	if len(arrays) == 0 {
		return addField(doc, above, reshape.Array(element))
	}
	if arrays[0].Kind() != scan.Array {
		return false
	}
	elements := arrays[0].Elements()
	if len(elements) > 0 && len(rest) == 0 {
		if typed, ok := plans.Retype(element, elements[0]); ok {
			element = typed
		}
	}
	sorted := len(rest) == 0 && slices.IsSortedFunc(elements, reshape.Compare)
	arrays[0].Append(element)
	if sorted {
		elements = arrays[0].Elements()
		slices.SortStableFunc(elements, reshape.Compare)
		*arrays[0] = *reshape.Array(elements...)
	}
	return true
}

// addField sets a field that is missing or null.
func addField(doc *reshape.Value, path profile.Path, value *reshape.Value) bool {
	last := len(path) - 1
	holders := doc.Select(path[:last])
	if path[last].Kind != profile.Field || len(holders) != 1 {
		return false
	}
	name := path[last].Name
	if have := holders[0].Get(name); have != nil && have.Kind() != scan.Null {
		return false
	}
	holders[0].Set(name, value.Clone())
	return true
}
