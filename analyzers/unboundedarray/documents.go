package unboundedarray

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// ask compares a finding with documents: how long the lists are.
func ask(p *docmodel.Program, s check.Shown, on *check.Finding) *check.Verdict {
	f := on.Field
	if f == nil {
		return nil
	}
	n := s.Root.At(f.Path)
	if n == nil || n.Lengths.Count == 0 {
		return nil
	}
	h := &n.Lengths
	v := &check.Verdict{Seen: h.Count, At: n.Longest()}
	v.Item("length.p50", h.Quantile(0.5))
	v.Item("length.p95", h.Quantile(0.95))
	v.Item("length.p99", h.Quantile(0.99))
	v.Item("length.max", h.Max)
	long := p.Threshold("unbounded-array", "max-elements")
	switch {
	case f.Kind == docmodel.ObjectID || f.Kind == docmodel.UUID:
		long = p.Threshold("unbounded-array", "max-references")
	case f.Kind == docmodel.String:
		long = max(long, p.Threshold("unbounded-array", "sure-elements"))
	case f.Kind == docmodel.Number || f.Kind == docmodel.Bool:
		long = p.Threshold("unbounded-array", "error-elements")
	}
	switch {
	case float64(h.Max) >= long:
		v.Confirms, v.Severity = true, finding.Warning
		v.Note = fmt.Sprintf("up to %s elements, p95 %s", quantity.Grouped(h.Max), quantity.Grouped(h.Quantile(0.95)))
	case float64(h.Max) <= p.Threshold("unbounded-array", "growth-elements"):
		v.Acquits = true
		v.Note = fmt.Sprintf("%s lists in documents of %s have at most %s", quantity.Grouped(h.Count), s.Name, quantity.Of(h.Max, "element"))
	}
	return v
}

// longBound is the bound from which a list is not small even if the bound is
// kept.
const longBound = 1_000

// declared withdraws a finding if the schema bounds the list, unless documents
// show that nobody keeps to it.
func declared(d *schema.Declared, s check.Shown, on *check.Finding) *check.Declaration {
	if on.Field == nil {
		return nil
	}
	bound, ok := d.Bounds[on.Field.Path]
	if !ok || bound.Most > longBound {
		return nil
	}
	if s.Root != nil {
		if n := s.Root.At(on.Field.Path); n != nil && n.Lengths.Max > bound.Most {
			return &check.Declaration{Evidence: []finding.Evidence{{Name: "declared bound", Value: bound.Most}}}
		}
	}
	return &check.Declaration{Acquits: fmt.Sprintf("the schema of %s allows at most %s", d.Collection, quantity.Of(bound.Most, "element")), At: bound.At}
}
