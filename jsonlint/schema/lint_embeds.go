package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// volatileEmbeds reports properties that hold whole documents of another
// collection, of which some fields change often.
func (l *linter) volatileEmbeds() {
	seen := map[string]bool{}
	l.visit(func(v view) {
		path := v.path.String()
		if len(v.path) == 0 || seen[path] {
			return
		}
		other := l.documentOf(v.node)
		if other == nil || l.Lexicon.Has(lexicon.HistoricalParent, v.in) || v.in == "" && l.Lexicon.Has(lexicon.HistoricalParent, lexicon.Singular(l.collection)) {
			return
		}
		var volatile []string
		for _, m := range other.properties(other.root) {
			if l.Lexicon.Has(lexicon.VolatileStrong, m.name) && !slices.Contains(volatile, m.name) {
				volatile = append(volatile, m.name)
			}
		}
		if len(volatile) == 0 {
			return
		}
		seen[path] = true
		shown := list(volatile[:min(3, len(volatile))], "and")
		l.report(v.at, v.path, finding.Finding{
			Severity: finding.Info, Confidence: 0.6,
			Message: fmt.Sprintf("%s holds whole documents of %s, of which %s change often", path, other.collection, shown),
			Advice: fmt.Sprintf("Keep the id of the %s and the fields that hardly change; a copy of %s is out of date as soon as it is stored.",
				lexicon.Singular(other.collection), shown),
			Evidence: []finding.Evidence{{Name: "copied", Value: other.collection}, {Name: "volatile", Value: volatile}},
			Related:  []finding.Related{{Message: "the schema of " + other.collection, Location: other.root.location()}},
		})
	})
}

// documentOf returns the schema of another collection if that is what a schema
// refers to.
func (l *linter) documentOf(n *node) *schema {
	if l.refs[n] == nil {
		return nil
	}
	meant := l.parts(n)
	for _, other := range l.set.schemas {
		if other.collection == l.collection || other.root == l.root {
			continue
		}
		for _, root := range other.parts(other.root) {
			if root != n && slices.Contains(meant, root) && other.isObject(root) {
				return other
			}
		}
	}
	return nil
}

// joinDocument reports a collection whose documents only tie two others
// together.
func (l *linter) joinDocument() {
	if l.DB == "dynamodb" || alternativesOf(l.root) != "" {
		return // the adjacency list is the documented pattern there
	}
	var names, stems []string
	for _, m := range l.properties(l.root) {
		stem, many, refers := lexicon.ReferenceStem(m.name)
		switch {
		case slices.Contains(names, m.name), l.Lexicon.Has(lexicon.Metadata, m.name), l.Lexicon.Has(lexicon.System, m.name), slices.Contains([]string{"id", "_id", "pk", "sk"}, m.name),
			len(l.constants(m.value)) == 1 && l.Lexicon.HasIn(lexicon.Discriminator, m.name, l.collection):
		case refers && l.Lexicon.Has(lexicon.Tenant, m.name):
		case refers && !many && !l.isList(m.value) && !l.isObject(m.value) && !l.Lexicon.Has(lexicon.ExternalID, m.name):
			names, stems = append(names, m.name), append(stems, stem)
		default:
			return // something of its own
		}
	}
	if len(names) != 2 || stems[0] == stems[1] {
		return
	}
	severity, confidence, known := finding.Info, 0.6, 0
	for _, stem := range stems {
		if slices.ContainsFunc(l.set.Collections(), func(name string) bool { return lexicon.MatchStem(stem, name) >= lexicon.SameNoun }) {
			known++
		}
	}
	if known == 2 {
		severity, confidence = finding.Warning, 0.8
	}
	if l.DB == "firestore" {
		severity = finding.Info
	}
	l.report(l.root.keyLocation("properties"), nil, finding.Finding{
		Severity: severity, Confidence: confidence,
		Message: fmt.Sprintf("documents of %s only tie %s together: reading across them takes two queries", l.collection, strings.Join(names, " and ")),
		Advice:  "Keep an array of ids on the side that stays small, or on both if both do. Where neither side stays small, the documents are right: give them the id a:b and copy what lists show.",
		Evidence: []finding.Evidence{
			{Name: "references", Value: names}, {Name: "collections known", Value: known},
		},
	})
}
