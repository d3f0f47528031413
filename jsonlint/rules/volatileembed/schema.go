package volatileembed

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// onSchema reports properties that hold whole documents of another collection
// with some fields that change often.
func onSchema(p *schema.Pass) {
	seen := map[string]bool{}
	p.Visit(func(v schema.View) {
		path := v.Path.String()
		if len(v.Path) == 0 || seen[path] {
			return
		}
		other := p.DocumentsOf(v.Node)
		if other == nil || p.Lexicon.Has(lexicon.HistoricalParent, v.In) || v.In == "" && p.Lexicon.Has(lexicon.HistoricalParent, lexicon.Singular(p.Collection())) {
			return
		}
		var volatile []string
		for _, m := range other.Properties {
			if p.Lexicon.Has(lexicon.VolatileStrong, m.Name) && !slices.Contains(volatile, m.Name) {
				volatile = append(volatile, m.Name)
			}
		}
		if len(volatile) == 0 {
			return
		}
		seen[path] = true
		shown := wording.JoinNames(wording.FirstFew(volatile))
		p.Report(v.At, v.Path, finding.Finding{
			Severity: finding.Info, Confidence: 0.6,
			Message: fmt.Sprintf("%s holds whole documents of %s, of which %s change often", path, other.Collection, shown),
			Advice: fmt.Sprintf("Keep the id of the %s and the fields that hardly change; a copy of %s is out of date as soon as it is stored.",
				lexicon.Singular(other.Collection), shown),
			Evidence: []finding.Evidence{{Name: "copied", Value: other.Collection}, {Name: "volatile", Value: volatile}},
			Related:  []finding.Related{{Message: "the schema of " + other.Collection, Location: other.At}},
		})
	})
}
