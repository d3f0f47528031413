// Package awkwardfieldname reports names that a query, an update or a
// connector cannot take as they are.
package awkwardfieldname

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// Rule is awkward-field-name on documents.
var Rule = check.Rule{Name: "awkward-field-name", Run: func(p *check.Pass) {
	var names []*awkwardName
	for _, c := range p.DB.Collections {
		names = append(names, awkwardNames(p, c)...)
	}
	reportNames(p, names)
}}

// awkwardName is a name at its first place.
type awkwardName struct {
	entity *model.Entity
	node   *profile.Node
	name   string
	places int
	awkward
}

// awkwardNames returns the awkward names of a collection.
func awkwardNames(p *check.Pass, c *model.Collection) []*awkwardName {
	around := &surroundings{p, map[*profile.Node]float64{}, map[*profile.Node]bool{}}
	byName := map[string]*awkwardName{}
	var names []*awkwardName
	for _, e := range c.Entities {
		single := identity.MayBeFile(p, e)
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Step.Kind != profile.Field || n.Parent == nil || single && n.Count == 1 { // settings or a query
				return true
			}
			name := n.Step.Name
			fault, ok := around.faultOf(n)
			if !ok {
				return true
			}
			a := byName[name]
			if a == nil {
				a = &awkwardName{name: name}
				byName[name], names = a, append(names, a)
			}
			if a.places++; a.node == nil || usual(n, a.node) < 0 {
				a.entity, a.node, a.awkward = e, n, fault
			}
			return true
		})
	}
	return names
}

// reportNames reports names. Those with the same fault in one collection, or in
// the collections of one file, are one finding.
func reportNames(p *check.Pass, names []*awkwardName) {
	type fault struct {
		file     uint32 // in which the collection begins
		kind     string
		severity finding.Severity
	}
	groups := map[fault][]*awkwardName{}
	var faults []fault
	for _, a := range names {
		same := fault{a.entity.Collection.Profile.Root.FirstAny().File, a.kind, a.severity}
		if groups[same] == nil {
			faults = append(faults, same)
		}
		groups[same] = append(groups[same], a)
	}
	for _, same := range faults {
		group := groups[same]
		slices.SortStableFunc(group, func(a, b *awkwardName) int { return usual(a.node, b.node) })
		seen := map[string]bool{}
		apart := slices.DeleteFunc(slices.Clone(group), func(a *awkwardName) bool {
			known := seen[a.name]
			seen[a.name] = true
			return known
		})
		if same.severity == finding.Info && convention(p, group) {
			for _, a := range group {
				a.confidence = 0.4 // whoever reads the documents knows their names
			}
		}
		if float64(len(apart)) > p.Threshold("names-apart") {
			reportName(p, apart)
			continue
		}
		for _, a := range group {
			reportName(p, []*awkwardName{a})
		}
	}
}

// convention reports whether more names of several words have a fault than have none in
// the collections of the faulty ones: it is how names are written there, as in the headers
// of a table.
func convention(p *check.Pass, faulty []*awkwardName) bool {
	with, others := map[string]bool{}, map[string]bool{}
	roots := map[*profile.Node]bool{}
	for _, a := range faulty {
		with[a.name], roots[a.entity.Collection.Profile.Root] = true, true
	}
	for root := range roots {
		root.Walk(func(n *profile.Node) bool {
			if name := n.Step.Name; n.Step.Kind == profile.Field && !with[name] && len(plainWords(name)) > 1 {
				if _, quoted := quotedName(p, name); !quoted {
					others[name] = true
				}
			}
			return true
		})
	}
	return len(with) > max(1, len(others))
}

// usual has the field first that most objects have.
func usual(a, b *profile.Node) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Path().String(), b.Path().String()))
}

// faultOf says what is wrong with the name of a field.
func (s *surroundings) faultOf(n *profile.Node) (awkward, bool) {
	p := s.Pass
	name := n.Step.Name
	if p.Lexicon.Has(lexicon.System, name) || name == "$schema" && n.Depth == 1 || // a file for programs that read schemas
		strings.HasPrefix(name, "$") && inDBRef(n) ||
		bson.IsName(name) { // a value that is not an ObjectId is an input-error
		return awkward{}, false
	}
	if fault, ok := headerName(n); ok {
		return fault, true
	}
	if fault, ok := damagedName(n); ok {
		return fault, true
	}
	fault, refused := refusedName(p, name, n.Depth == 1)
	quoted := false
	if !refused {
		fault, quoted = quotedName(p, name)
	}
	switch {
	case !refused && !quoted, s.namesAreData(n): // the second takes long, and few names have a fault
		return awkward{}, false
	case refused:
		return fault, true
	case name[0] == '$' && (inQuery(n) || slices.Contains(standardNames(), name)), hasVariant(n):
		return awkward{}, false
	}
	return fault, true
}

// plainWords splits a name at what is no letter or digit. Capitals inside a
// word (IoT) are how it is written and no new word, single letters next to
// each other (I/O) are one, and a percent sign is said in full.
func plainWords(name string) []string {
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) }) {
		return lexicon.Tokens(name)
	}
	name = strings.ReplaceAll(name, "%", " percent ")
	var words []string
	letter := false
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		single := len(word) == 1 && unicode.IsLetter(rune(word[0]))
		if single && letter {
			words[len(words)-1] += strings.ToLower(word)
		} else {
			words = append(words, strings.ToLower(word))
		}
		letter = single
	}
	return words
}

// plainName writes a name in camel case.
func plainName(p *check.Pass, name string) string {
	plain := lexicon.StyleCamel.Join(plainWords(name)...)
	if plain == "" || unicode.IsDigit(rune(plain[0])) {
		return "a name of letters, digits and '_'"
	}
	return plain
}

// reportName reports one name, or many with the same fault.
func reportName(p *check.Pass, group []*awkwardName) {
	a, e := group[0], group[0].entity
	at := places.NameOf(p, a.node.FirstAny())
	message := fmt.Sprintf("%s %s", strconv.QuoteToGraphic(a.name), a.fault)
	if a.name == "" {
		message = a.fault
	}
	advice := a.advice
	var related []check.RawRelated
	fixes := renamed(p, e, a)
	path := a.node.Path()
	if len(group) > 1 {
		quoted := make([]string, 0, 4)
		for _, other := range group[:min(3, len(group))] {
			quoted = append(quoted, strconv.QuoteToGraphic(other.name))
		}
		if len(group) > len(quoted) {
			quoted = append(quoted, "…")
		}
		message = fmt.Sprintf("%s have the same fault (%s): %s %s", wording.Count(int64(len(group)), "name"), strings.Join(quoted, ", "), quoted[0], a.fault)
		for _, other := range group[1:min(len(group), places.Shown)] {
			related = append(related, check.RawRelated{At: places.NameOf(p, other.node.FirstAny()), Message: strconv.QuoteToGraphic(other.name)})
		}
	}
	p.Report(e, path, check.Raw{
		At: at,
		Finding: finding.Finding{
			Severity: a.severity, Confidence: a.confidence, Message: message, Advice: advice,
			Evidence: []finding.Evidence{
				{Name: "kind", Value: a.kind}, {Name: "names", Value: len(group)}, {Name: "paths", Value: a.places}, {Name: "values", Value: a.node.Count},
			},
			Fixes: fixes,
		},
		Related: related, Cause: a.kind,
	})
}

// renamed shows the document that has the name first with a plain one.
func renamed(p *check.Pass, e *model.Entity, a *awkwardName) []finding.Fix {
	plain := lexicon.StyleCamel.Join(plainWords(strings.ReplaceAll(a.name, "\ufeff", ""))...)
	if a.kind == "bom" {
		plain = strings.ReplaceAll(a.name, "\ufeff", "")
	}
	if plain == "" || unicode.IsDigit(rune(plain[0])) {
		return nil
	}
	path := a.node.Path()
	title := fmt.Sprintf("%s renamed to %s", strconv.QuoteToGraphic(a.name), plain)
	return plans.Changed(p, e.Collection.Name, title, a.node.FirstAny(), func(document *reshape.Value) bool {
		for _, holder := range document.Select(path[:len(path)-1]) {
			if holder.Has(a.name) && !holder.Rename(a.name, plain) {
				return false // the plain name is taken
			}
		}
		return true
	})
}
