// Package volatileembed reports copies of data that changes often.
//
// Each change of the original means rewriting every document that holds a copy.
// The rule checks whether the embedded struct has an identity and is the same thing
// as documents stored elsewhere, and whether its values and those documents change.
// It does not report orders, events and other records of the past: their copies
// are meant to be frozen.
package volatileembed

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
)

// Rule reports embedded copies of data that changes often.
var Rule = check.Rule{Name: "volatile-embed", Run: run, Ask: ask}

const maxDepth = 8 // objects and lists around the copy

func run(p *check.Pass) {
	threshold, high := p.Threshold("go-score"), p.Threshold("go-high-score")
	for _, c := range copies.All(p) {
		if c.ID == nil || c.Source == nil || c.Field.Depth > maxDepth {
			continue
		}
		s := c.Weigh(p)
		if s.Points < threshold {
			continue
		}
		f := c.Field
		p.Report(check.Finding{
			Field: f, Confidence: s.Confidence(threshold, high), Evidence: s.Evidence, Related: s.Related,
			Message: fmt.Sprintf("%s copies %s into %s: each change of one %s must reach every copy", f.Path, c.Source.Name, f.Document.Name, c.Source.Name),
			// The copy goes stale until code stops storing it, which an edit of the type
			// cannot achieve.
			Fix: check.Plan("replace %s by a reference in the type of %s", f.Path, c.ID.GoName()),
			Advice: fmt.Sprintf("Keep %s in %s, in exactly the type of the original's id, with what hardly changes, such as a name. Read the rest from the original.",
				c.ID.Name, f.Document.Name),
		})
	}
}
