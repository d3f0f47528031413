package joindocument

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// onSchema reports a collection whose documents only connect two others.
func onSchema(p *schema.Pass) {
	if p.DB == "dynamodb" || schema.AlternativesOf(p.Root()) != "" {
		return // the adjacency list is the recommended pattern there
	}
	var names, stems []string
	for _, m := range p.Properties(p.Root()) {
		stem, many, refers := lexicon.ReferenceStem(m.Name)
		switch {
		case slices.Contains(names, m.Name), p.Lexicon.Has(lexicon.Metadata, m.Name), p.Lexicon.Has(lexicon.System, m.Name), slices.Contains([]string{"id", "_id", "pk", "sk"}, m.Name),
			len(p.Constants(m.Node)) == 1 && p.Lexicon.HasIn(lexicon.Discriminator, m.Name, p.Collection()):
		case refers && p.Lexicon.Has(lexicon.Tenant, m.Name):
		case refers && !many && !p.IsList(m.Node) && !p.IsObject(m.Node) && !p.Lexicon.Has(lexicon.ExternalID, m.Name):
			names, stems = append(names, m.Name), append(stems, stem)
		default:
			return // it has content of its own
		}
	}
	if len(names) != 2 || stems[0] == stems[1] {
		return
	}
	severity, confidence, known := finding.Info, 0.6, 0
	for _, stem := range stems {
		if slices.ContainsFunc(p.Collections(), func(name string) bool { return lexicon.MatchStem(stem, name) >= lexicon.SameNoun }) {
			known++
		}
	}
	if known == 2 {
		severity, confidence = finding.Warning, 0.8
	}
	if p.DB == "firestore" {
		severity = finding.Info
	}
	p.Report(p.Root().KeyLocation("properties"), nil, finding.Finding{
		Severity: severity, Confidence: confidence,
		Message: fmt.Sprintf("documents of %s only tie %s together: reading across them takes two queries", p.Collection(), strings.Join(names, " and ")),
		Advice:  "Keep an array of ids on the side that stays small, or on both if both do. Where neither side stays small, the documents are right: give them the id a:b and copy what lists show.",
		Evidence: []finding.Evidence{
			{Name: "references", Value: names}, {Name: "collections known", Value: known},
		},
	})
}
