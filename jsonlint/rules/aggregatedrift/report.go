package aggregatedrift

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

func reportAggregate(p *check.Pass, a *aggregate, j judgement, few bool) {
	wrong := j.tested - j.exact
	o := j.offenders[0]
	name := a.node.Step.Name
	what := j.describe()
	truth := what + " is " + o.expectedText
	if a.measure == filled {
		truth = j.source() + " is " + emptiness(o.expected)
	}
	message := fmt.Sprintf("%s is %s, but %s; the two differ in %s of %s", name, o.storedText, truth, quantity.Grouped(wrong), wording.Count(j.tested, holderNoun(p, a)))
	severity, confidence := finding.Error, 0.7
	switch {
	case few:
		confidence = 0.6
	case j.share() < 0.9, j.formula != nil && j.formula.timed:
		// So many exceptions may have a reason that the documents do not show, and the
		// latest element may be gone.
		severity, confidence = finding.Warning, 0.6
	case j.share() >= 0.9 && j.telling >= places.EnoughDocuments:
		confidence = 0.9
	}
	r := check.Raw{At: o.at, Finding: finding.Finding{
		Severity: severity, Confidence: confidence, Message: message,
		Advice: fmt.Sprintf("Correct %s, then find the code that changes %s but not the stored number: change both in one update or transaction. "+
			"If a job computes it, store the time as computedAt, so that readers know how old it is.", name, j.source()),
		Evidence: []finding.Evidence{
			{Name: "formula", Value: what},
			{Name: "documents", Value: j.tested},
			{Name: "exact", Value: j.exact},
			{Name: "wrong", Value: wrong},
			{Name: "exact.share", Value: float64(int64(1000*j.share())) / 1000},
		},
	}}
	for _, o := range j.offenders[1:min(len(j.offenders), places.RelatedPlaces+1)] {
		r.Related = append(r.Related, check.RawRelated{Message: fmt.Sprintf("%s is stored, the data give %s", o.storedText, o.expectedText), At: o.at})
	}
	mendAggregate(p, a, j, &r)
	p.Report(a.entity, a.node.Path(), r)
}

func emptiness(filled float64) string {
	if filled == 0 {
		return "empty"
	}
	return "not empty"
}

func holderNoun(p *check.Pass, a *aggregate) string {
	if a.holder.Parent == nil {
		return "document"
	}
	return "object"
}

// mendAggregate adds the edits that correct the numbers. They are unsafe: the
// number may be right and the array wrong.
func mendAggregate(p *check.Pass, a *aggregate, j judgement, r *check.Raw) {
	if int64(len(j.offenders)) < j.tested-j.exact {
		return // too many to keep
	}
	for _, o := range j.offenders {
		r.Edits = append(r.Edits, check.RawEdit{At: o.digits, NewText: o.expectedText})
	}
	fix := finding.Fix{Title: fmt.Sprintf("set %s to %s", a.node.Step.Name, j.describe()), Safety: finding.Unsafe}
	if before, after, err := plans.Patched(p, j.offenders[0].at, r.Edits); err == nil && before != nil {
		fix.Before = before
		fix.After = []finding.DocumentInPlace{{Collection: a.entity.Collection.Name, Document: after}}
	}
	r.Fixes = []finding.Fix{fix}
}
