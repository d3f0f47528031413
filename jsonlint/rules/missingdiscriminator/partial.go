package missingdiscriminator

import (
	"fmt"
	"math"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Documents that lack the field which distinguishes the kinds in the others.

// meantForAll is the share of the documents that have a field which is meant to
// be in all.
const meantForAll = 2.0 / 3

// partialDiscriminator returns the field called type, or the like, that
// distinguishes the kinds and that some documents lack, and how many lack it.
func partialDiscriminator(p *check.Pass, c *model.Collection) (*model.Discriminator, int64) {
	root := c.Profile.Root
	if root.Object.Shapes == nil {
		return nil, 0
	}
	named := func(d *model.Discriminator) bool { return d.Named(c.Name, p.Lexicon) }
	missing := func(d *model.Discriminator) int64 { return c.Profile.Docs - d.Node.Present() }
	if d := c.Discriminator; d != nil {
		if named(d) {
			return d, missing(d)
		}
		return nil, 0
	}
	substantial := model.Substantial(c.Kinds, c.Profile.Docs)
	for _, d := range model.Discriminators(root.Object.Shapes, c.Kinds, c.Profile.Docs, p.Lexicon) {
		if named(d) && d.Coverage >= meantForAll && missing(d) > 0 && repeats(d) && (d.Separates(substantial) || d.Determined >= 2) {
			return d, missing(d)
		}
	}
	return nil, 0
}

// repeats reports whether at least two values occur more than once: a value
// that occurs once predicts everything about its document.
func repeats(d *model.Discriminator) bool {
	n := 0
	for _, v := range d.Values {
		if v.Count > 1 {
			n++
		}
	}
	return n > 1
}

func reportPartial(p *check.Pass, c *model.Collection, d *model.Discriminator) {
	site := &predict.Site{Absent: d.Path, Kinds: 1}
	var probes []*predict.Probe
	for _, e := range c.Entities {
		probes = append(probes, check.Watch(p, e, predict.NewProbe(site)))
	}
	p.After(func() {
		for _, other := range probes[1:] {
			probes[0].Merge(other)
		}
		without := probes[0].Kinds[0]
		if without.Count == 0 {
			return
		}
		name := d.Path.String()
		share := float64(without.Count) / float64(c.Profile.Docs)
		confidence := 0.7
		if share <= 0.05 {
			confidence = 0.9
		}
		r := check.Raw{At: without.First, Finding: finding.Finding{
			Severity: finding.Warning, Confidence: confidence,
			Message: fmt.Sprintf("%s is missing in %s of %s; in the others it says what kind a document is (%s)",
				name, quantity.Grouped(without.Count), wording.Count(c.Profile.Docs, "document"), strings.Join(wording.QuoteAll(valueTexts(d.Values, 4)), ", ")),
			Advice: fmt.Sprintf("Add the %s of their kind to these documents, and let schema validation require it: readers that switch on %s skip or misread them.", name, name),
			Evidence: []finding.Evidence{
				{Name: "documents", Value: c.Profile.Docs},
				{Name: "documents.without", Value: without.Count},
				{Name: "values", Value: len(d.Values)},
				{Name: "explained", Value: math.Round(100*d.Explained) / 100},
			},
		}}
		r.Fingerprint = "missing-discriminator:" + c.Name + ":" + name
		p.Report(c.Entities[0], d.Path, r)
	})
}

func valueTexts(values []profile.SampledValue, n int) []string {
	var out []string
	for _, v := range values[:min(n, len(values))] {
		out = append(out, v.Text)
	}
	return out
}
