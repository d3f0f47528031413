// Package wholeentityembed reports documents that hold a whole other document.
package wholeentityembed

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports embedded structs that are also stored as documents.
var Rule = check.Rule{Name: "whole-entity-embed", Run: run}

var parts = rulebook.WordSet("whole-entity-embed", "parts")

// isPart reports whether a type was made for embedding, by its name.
func isPart(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && parts()[tokens[len(tokens)-1]]
}

func run(p *check.Pass) {
	volatileFrom := p.Threshold("go-score")
	for _, c := range copies.All(p) {
		f := c.Field
		if !c.Whole || c.Historical != "" || float64(len(f.Fields)) < p.Threshold("fields") || isPart(c.Source.Name) || selection(p, c) || inStep(f) || !p.Program.Changes(c.Source) {
			continue
		}
		s := c.Weigh(p)
		if c.ID != nil && s.Points >= volatileFrom {
			continue // one cause, one finding
		}
		s = &check.Score{}
		s.Add(0, "copy of", c.Source.Name)
		s.Add(0, "fields", len(f.Fields))
		s.At(c.Source.Pos, "%s has documents of its own", c.Source.Name)
		confidence := p.Threshold("go-type-alone")
		if p.Program.Copied(f) {
			s.Add(0, "is read from its documents", true)
			confidence = 0.75
		}
		p.Report(check.Finding{
			Field: f, Confidence: confidence, Evidence: s.Evidence, Related: s.Related,
			// The copy is stored until the field has another type, which changes all
			// code that fills it.
			Fix:     check.Plan("keep the id of the %s and the fields that are shown with the %s", c.Source.Name, f.Document.Name),
			Message: fmt.Sprintf("%s holds a whole %s, which is stored as a document too: %d fields go stale together", f.Path, c.Source.Name, len(f.Fields)),
			Advice:  fmt.Sprintf("Keep the id of the %s and the few fields that are shown with the %s.", c.Source.Name, f.Document.Name),
		})
	}
}

// inStep reports whether code that changes many documents at once also writes
// the copies, so that they follow the original.
func inStep(f *docmodel.Field) bool {
	return slices.ContainsFunc(f.Fields, func(inner *docmodel.Field) bool {
		return slices.ContainsFunc(inner.Updates, func(u *docmodel.Update) bool { return u.Many && u.Op == "$set" })
	})
}

// selection reports whether the copies are some of a document's own children, such as
// the latest comments of a post, which no other document copies.
func selection(p *check.Pass, c copies.Copy) bool {
	return c.Field.List() && (c.Field.Has(p.Words(), lexicon.BoundMarker) || copies.Belongs(c.Source, c.Field.Document))
}
