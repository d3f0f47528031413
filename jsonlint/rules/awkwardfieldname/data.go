package awkwardfieldname

import (
	"slices"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/rulebook"
)

var (
	queryWords    = rulebook.Words("awkward-field-name", "query-words")
	standardNames = rulebook.Words("awkward-field-name", "standard-names")
)

// inDBRef reports whether an object refers as MongoDB's drivers write it: by a
// collection ($ref) and an id ($id).
func inDBRef(n *profile.Node) bool {
	return n.Parent.Object.Field("$ref") != nil && n.Parent.Object.Field("$id") != nil
}

// hasVariant reports whether another field of the object has the name of n in
// another spelling. The rule field-name-variant says which one is right.
func hasVariant(n *profile.Node) bool {
	fold := lexicon.Fold(n.Step.Name)
	return slices.ContainsFunc(n.Parent.Object.Fields(), func(f *profile.Node) bool { return f != n && lexicon.Fold(f.Step.Name) == fold })
}

// inQuery reports whether a field is in a stored query, where names that begin with
// '$' are operators on purpose.
func inQuery(n *profile.Node) bool {
	for o := n.Parent; o != nil; o = o.Parent {
		if slices.Contains(queryWords(), naming.Head(o.Step.Name)) {
			return true
		}
	}
	return false
}

// namesAreData reports whether users choose the names in the object that holds a
// field: headers, labels, translations, attached files. Paths and names without a
// letter are data too, and dynamic-keys checks them.
func (s *surroundings) namesAreData(n *profile.Node) bool {
	if strings.IndexFunc(n.Step.Name, unicode.IsLetter) < 0 || n.Step.Name[0] == '/' {
		return true
	}
	if o := n.Parent; o.Object != nil && n.Object != nil && len(o.Object.Fields()) >= 3 && s.alike(o) >= 0.8 {
		return true // values of one shape under different names: those name things, not fields
	}
	return s.chosen(n.Parent) || isLocale(n.Step.Name) || rareName(n) || model.IsDataName(n.Step.Name) || inIndexKey(n)
}

// surroundings remembers what was found out about objects, of which some have very
// many fields.
type surroundings struct {
	*check.Pass
	similarity map[*profile.Node]float64
	areChosen  map[*profile.Node]bool
}

func (s *surroundings) alike(o *profile.Node) float64 {
	known, ok := s.similarity[o]
	if !ok {
		known = model.Alike(o.Object.Fields())
		s.similarity[o] = known
	}
	return known
}

// chosen reports whether users choose names in an object or in those around it.
func (s *surroundings) chosen(o *profile.Node) bool {
	if o == nil {
		return false
	}
	known, ok := s.areChosen[o]
	if !ok {
		known = o.Parent != nil && s.namedByUsers(o) || o.Object != nil && s.namesThings(o) || s.chosen(o.Parent)
		s.areChosen[o] = known
	}
	return known
}

// namedByUsers reports whether the name of an object is data or announces data, or
// whether the names in it vary while their values are alike. Then users choose them,
// such as the category or an attribute of a product.
func (s *surroundings) namedByUsers(o *profile.Node) bool {
	const namesMin, usual, similar = 2, 0.9, 0.8
	if o.Step.Kind != profile.Field {
		return o.Step.Kind == profile.MapValues
	}
	if s.Lexicon.Has(lexicon.FreeFormMap, o.Step.Name) || s.Lexicon.Has(lexicon.System, o.Step.Name) || model.IsDataName(o.Step.Name) {
		return true
	}
	if o.Object == nil {
		return false
	}
	fields := o.Object.Fields()
	optional := slices.ContainsFunc(fields, func(f *profile.Node) bool { return float64(f.Count) < usual*float64(o.Types[profile.Object]) })
	return len(fields) >= namesMin && optional && slices.ContainsFunc(fields, signed) && s.alike(o) >= similar
}

// namesThings reports whether the names are names of things, as people write them,
// each with a value or an object: regions of countries.
func (s *surroundings) namesThings(o *profile.Node) bool {
	fields := o.Object.Fields()
	return len(fields) >= 3 && mostlyWritten(fields) &&
		(s.alike(o) >= 0.8 || !slices.ContainsFunc(fields, func(f *profile.Node) bool { return f.Types[profile.Object]+f.Types[profile.Array] < f.Present() }))
}

// mostlyWritten reports whether most names are written as people write and
// programmers do not, with a capital or a sign, and occur in only one object. Then
// nothing shows that they are field names.
func mostlyWritten(fields []*profile.Node) bool {
	written := 0
	for _, f := range fields {
		name := f.Step.Name
		if f.Count > 1 {
			return false
		}
		if name == "" || unicode.IsUpper([]rune(name)[0]) || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			written++
		}
	}
	return 2*written > len(fields)
}

// signed reports whether a name has a space or a hyphen, as people write names and
// programs ids, but programmers do not write the names of fields.
func signed(f *profile.Node) bool { return strings.ContainsAny(f.Step.Name, " -") }

// inIndexKey reports whether a field is in the definition of an index,
// whose names are the paths that it covers: {"key": {"a.b": 1}, "name": "a.b_1"}.
func inIndexKey(n *profile.Node) bool {
	key := n.Parent
	if key.Step.Kind != profile.Field || key.Step.Name != "key" || key.Parent == nil || key.Parent.Object == nil {
		return false
	}
	return key.Parent.Object.Field("name") != nil && key.Parent.Object.Field("v") != nil
}

// rareName reports whether hardly any of the objects around it has the name:
// then it is one of a user, or of a map with few entries.
func rareName(n *profile.Node) bool {
	const enough, rare = 500, 0.002
	objects := n.Parent.Types[profile.Object]
	return n.Parent.Parent != nil && objects >= enough && float64(n.Count) <= rare*float64(objects)
}

// isLocale reports whether a name is a language tag: pt-BR, zh-Hans.
func isLocale(name string) bool {
	language, region, ok := strings.Cut(name, "-")
	if !ok || len(language) < 2 || len(language) > 3 || len(region) < 2 || len(region) > 4 {
		return false
	}
	letters := func(s string) bool {
		return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) < 0
	}
	return letters(language) && strings.ToLower(language) == language && letters(region) && unicode.IsUpper(rune(region[0]))
}
