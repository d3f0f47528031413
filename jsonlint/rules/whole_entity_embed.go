package rules

import (
	"fmt"
	"math"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// wholeEntityEmbed reports copies of a whole document where a few of its
// fields would do.
var wholeEntityEmbed = Rule{Name: "whole-entity-embed", Run: func(p *Pass) {
	all := p.allCopies()
	p.After(func() {
		said := map[*copies]bool{}
		for _, v := range p.volatileCopies(all) {
			if v.confidence >= 0.5 {
				said[v.copies] = true // the same cause, and the more pressing news
			}
		}
		for _, c := range all {
			if c.original != nil && !c.flat && !said[c] {
				p.judgeWhole(c)
			}
		}
	})
}}

func (p *Pass) judgeWhole(c *copies) {
	whole, copied := p.coverage(c)
	m := c.measure(p)
	if len(m.things) == 0 || float64(len(whole)) < p.Threshold("fields") || float64(len(copied)) < p.Threshold("coverage")*float64(len(whole)) ||
		float64(m.maxFanOut) < p.Threshold("fan-out") || !c.repeats() {
		return
	}
	severity := finding.Info
	moving := ""
	for _, f := range m.fields {
		if f.volatile == strongVolatile && !f.constant && (!f.judged || f.ofThing(0.4)) {
			severity, moving = finding.Warning, f.node.Step.Name
		}
	}
	v := &volatileCopy{copies: c, m: m, limits: volatileThresholds(p)}
	fixes, err := p.volatileFix(v)
	if err != nil {
		fixes = nil
	}
	target := c.ref.To.Collection.Name
	bytes := int64(0)
	if n := c.holder.Types[profile.Object]; n > 0 {
		bytes = c.holder.Bytes / n
	}
	message := fmt.Sprintf("%s copies %s of the %s fields of %s, about %s in each of %s; one %s stands in %s documents on average, %s at most",
		label(c.path, c.noun()), quantity.Grouped(int64(len(copied))), quantity.Grouped(int64(len(whole))), target, size(bytes),
		count(c.holder.Types[profile.Object], "copy"), c.noun(), meanText(m.meanFanOut), quantity.Grouped(m.maxFanOut))
	keep := v.slowFields(p)
	advice := fmt.Sprintf("Keep %s and only what is shown with the document", v.refName())
	if len(keep) > 0 {
		advice += " (" + strings.Join(keep, ", ") + ")"
	}
	advice += fmt.Sprintf("; read the rest from %s. Each field that is copied has to be kept in step.", target)
	if moving != "" {
		advice += fmt.Sprintf(" %s changes often: it should not be copied at all.", moving)
	}
	p.Report(c.entity, c.path, Raw{
		At: c.at(), Finding: finding.Finding{
			Severity: severity, Confidence: 0.7, Message: message, Advice: advice, Fixes: fixes,
			Evidence: []finding.Evidence{
				{Name: "fields", Value: len(whole)},
				{Name: "fields.copied", Value: len(copied)},
				{Name: "copies", Value: c.holder.Types[profile.Object]},
				{Name: "fanOut.mean", Value: math.Round(10*m.meanFanOut) / 10},
				{Name: "fanOut.max", Value: m.maxFanOut},
				{Name: "bytes.mean", Value: bytes},
				{Name: "original", Value: target},
			},
		},
	})
}

// coverage returns the fields that most of the originals have, those about the
// document itself left out, and which of them most of the copies have.
func (p *Pass) coverage(c *copies) (whole, copied []string) {
	root := c.ref.To.Root()
	if root.Object == nil || root.Object.Sampled() {
		return nil, nil
	}
	objects := c.holder.Types[profile.Object]
	for _, f := range root.Object.Fields() {
		name := f.Step.Name
		if f == c.ref.Key.Node || 2*f.Present() < c.ref.To.N() || p.Lexicon.Has(lexicon.Metadata, name) || p.Lexicon.Has(lexicon.System, name) {
			continue
		}
		whole = append(whole, name)
		if g := c.holder.Object.Field(name); g != nil && 2*g.Present() >= objects {
			copied = append(copied, name)
		}
	}
	return whole, copied
}

// repeats reports whether the copies really repeat the originals: half of
// their scalar fields do. Small numbers as ids resolve to anything.
func (c *copies) repeats() bool {
	repeated := 0
	for _, f := range c.measured.fields {
		if f.compared > 0 && 2*f.stale <= f.compared {
			repeated++
		}
	}
	return repeated > 0 && 2*repeated >= len(c.measured.fields)
}
