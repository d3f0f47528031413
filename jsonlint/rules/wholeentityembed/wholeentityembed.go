// Package wholeentityembed reports copies of a whole document where a few
// fields would suffice.
package wholeentityembed

import (
	"fmt"
	"math"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/copies"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule is whole-entity-embed on documents.
var Rule = check.Rule{Name: "whole-entity-embed", Run: func(p *check.Pass) {
	all := copies.All(p)
	p.After(func() {
		said := copies.Reported(p, all) // the same cause, and more urgent
		for _, c := range all {
			if c.Original != nil && !c.Flat && said[c] == nil {
				judgeWhole(p, c)
			}
		}
	})
}}

func judgeWhole(p *check.Pass, c *copies.Site) {
	whole, copied, ok := coverage(p, c)
	m := c.Measure(p)
	if !ok || len(m.Things) == 0 ||
		float64(m.MaxFanOut) < p.Threshold("fan-out") || !repeats(c) {
		return
	}
	severity := finding.Info
	moving := ""
	for _, f := range m.Fields {
		if f.Volatile == copies.StrongVolatile && !f.Constant && (!f.Judged || f.OfThing(0.4)) {
			severity, moving = finding.Warning, f.Node.Step.Name
		}
	}
	v := &copies.Volatile{Site: c, M: m, Limits: copies.VolatileThresholds(p)}
	fixes, err := copies.FixVolatile(p, v)
	if err != nil {
		fixes = nil
	}
	target := c.Ref.To.Collection.Name
	bytes := int64(0)
	if n := c.Holder.Types[profile.Object]; n > 0 {
		bytes = c.Holder.Bytes / n
	}
	message := fmt.Sprintf("%s copies %s of the %s fields of %s, about %s in each of %s; one %s is in %s documents on average, %s at most",
		wording.Label(c.Path, c.Noun()), quantity.Grouped(int64(copied)), quantity.Grouped(int64(whole)), target, quantity.Bytes(bytes),
		wording.Count(c.Holder.Types[profile.Object], "copy"), c.Noun(), wording.Decimal(m.MeanFanOut), quantity.Grouped(m.MaxFanOut))
	keep := v.SlowFields(p)
	advice := fmt.Sprintf("Keep %s and only what is shown with the document", v.RefName())
	if len(keep) > 0 {
		advice += " (" + strings.Join(keep, ", ") + ")"
	}
	advice += fmt.Sprintf("; read the rest from %s. Every copied field has to be kept up to date.", target)
	if moving != "" {
		advice += fmt.Sprintf(" Do not copy %s at all: it changes often.", moving)
	}
	p.Report(c.Entity, c.Path, check.Raw{
		At: c.At(), Finding: finding.Finding{
			Severity: severity, Confidence: 0.7, Message: message, Advice: advice, Fixes: fixes,
			Evidence: []finding.Evidence{
				{Name: "fields", Value: whole},
				{Name: "fields.copied", Value: copied},
				{Name: "copies", Value: c.Holder.Types[profile.Object]},
				{Name: "fanOut.mean", Value: math.Round(10*m.MeanFanOut) / 10},
				{Name: "fanOut.max", Value: m.MaxFanOut},
				{Name: "bytes.mean", Value: bytes},
				{Name: "original", Value: target},
			},
		},
	})
}

// coverage counts the fields that most originals have, without metadata, and those of
// them that most copies have. If the originals have too few, or the copies too few
// of them, the fields of their objects count instead.
func coverage(p *check.Pass, c *copies.Site) (whole, copied int, ok bool) {
	root := c.Ref.To.Root()
	if root.Object.Sampled() {
		return 0, 0, false
	}
	for _, deep := range []bool{false, true} {
		whole, copied = 0, 0
		count(p, c, root, c.Holder, c.Ref.To.N(), deep, &whole, &copied)
		if float64(whole) >= p.Threshold("fields") && float64(copied) >= p.Threshold("coverage")*float64(whole) {
			return whole, copied, true
		}
	}
	return 0, 0, false
}

// count counts the fields of n originals, and of their objects if deep is set. There
// is no copy of an object that the copies lack.
func count(p *check.Pass, c *copies.Site, original, copy *profile.Node, n int64, deep bool, whole, copied *int) {
	for _, f := range original.Object.Fields() {
		name := f.Step.Name
		if f == c.Ref.Key.Node || 2*f.Present() < n || p.Lexicon.Has(lexicon.Metadata, name) || p.Lexicon.Has(lexicon.System, name) {
			continue
		}
		var g *profile.Node
		if copy != nil {
			if g = copy.Object.Field(name); g != nil && 2*g.Present() < copy.Types[profile.Object] {
				g = nil
			}
		}
		if objects := f.Types[profile.Object]; deep && 2*objects > f.Present() && !f.Object.Sampled() {
			count(p, c, f, g, objects, deep, whole, copied)
			continue
		}
		*whole++
		if g != nil {
			*copied++
		}
	}
}

// repeats reports whether the copies really repeat the originals: half of their
// scalar fields do. Small numbers used as ids match anything.
func repeats(c *copies.Site) bool {
	repeated := 0
	for _, f := range c.Measured.Fields {
		if f.Compared > 0 && 2*f.Stale <= f.Compared {
			repeated++
		}
	}
	return repeated > 0 && 2*repeated >= len(c.Measured.Fields)
}
