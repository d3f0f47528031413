package deepnesting

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
)

// ask compares a finding with documents: how deep they are.
func ask(p *docmodel.Program, s check.Shown, _ *check.Finding) *check.Verdict {
	h := &s.Kind.Depths
	if h.Count == 0 {
		return nil
	}
	v := &check.Verdict{Seen: h.Count}
	v.Item("depth.p95", h.Quantile(0.95))
	v.Item("depth.max", h.Max)
	switch {
	case float64(h.Max) >= p.Threshold("deep-nesting", "deep"):
		v.Confirms, v.Severity = true, finding.Warning
		v.Note = fmt.Sprintf("up to %d levels, p95 %d", h.Max, h.Quantile(0.95))
	case float64(h.Max) <= p.Threshold("deep-nesting", "noticeable"):
		v.Acquits = true
		v.Note = fmt.Sprintf("%s documents of %s have at most %s", quantity.Grouped(h.Count), s.Name, quantity.Of(h.Max, "level"))
	}
	return v
}
