package rules

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/reshape"
)

// staleCopy reports copies that differ from the document they were copied
// from. Which field of the original a field repeats is learned: of the same
// name, or whatever nearly all copies are equal to.
var staleCopies = Rule{Name: "stale-copy", Run: func(p *Pass) {
	all := p.allCopies()
	p.After(func() {
		for _, c := range all {
			if c.original == nil {
				continue
			}
			m := c.measure(p)
			for _, f := range m.fields {
				if f.stale > 0 && p.isStale(c, m, f) {
					p.reportStaleCopy(c, f)
				}
			}
		}
	})
}}

// isStale decides whether the differences are drift: there are some, and most
// copies agree.
func (p *Pass) isStale(c *copies, m *measures, f *fieldMeasure) bool {
	if c.entity.N() < sampleMode {
		// A handful: something else must show that it is a copy at all.
		for _, g := range m.fields {
			if g.compared > g.stale {
				return true
			}
		}
		return false
	}
	if agreeing := f.compared - f.stale; float64(agreeing) < stillAgreeing*float64(f.compared) {
		return false // nobody keeps these in step: that is for volatile-embed to say
	}
	return float64(f.stale) >= p.Threshold("copies") && float64(f.stale) >= p.Threshold("share")*float64(f.compared)
}

// stillAgreeing is the share of the copies that must agree for the others to be
// the exceptions.
const stillAgreeing = 0.1

const staleEdits = 1000 // edits of one fix

func (p *Pass) reportStaleCopy(c *copies, f *fieldMeasure) {
	name := f.node.Step.Name
	first := f.staleCopies[0]
	things := map[uint64]bool{}
	for _, s := range f.staleCopies {
		things[s.thing.hash] = true
	}
	share := float64(f.stale) / float64(f.compared)
	target := c.ref.To.Collection.Name
	confidence := 0.7
	switch {
	case c.entity.N() < sampleMode:
		confidence = 0.6
	case f.volatile == strongVolatile || share <= 0.2 && f.compared >= sampleMode:
		confidence = 0.9
	}
	original := p.originalText(f.leaf, first.original)
	of := "its original in " + target
	if l := f.leaf.String(); l != name {
		of = l + " of " + target
	}
	message := fmt.Sprintf("%s differs from %s in %s of %s: %s %s has %s here, %s there", name, of, quantity.Grouped(f.stale),
		count(f.compared, "copy"), c.id.Step.Name, p.quoted(first.thing.at), p.quoted(first.value.places[0]), clip(original))
	r := Raw{At: first.value.places[0], Finding: finding.Finding{
		Severity: finding.Warning, Confidence: confidence, Message: message, Advice: staleAdvice(c, f),
		Evidence: []finding.Evidence{
			{Name: "copies", Value: f.compared},
			{Name: "stale", Value: f.stale},
			{Name: "stale.share", Value: float64(int64(1000*share+0.5)) / 1000},
			{Name: "things", Value: len(things)},
			{Name: "original", Value: target + "." + f.leaf.String()},
		},
	}}
	r.Related = append(r.Related, RawRelated{"the original", first.original.at})
	for _, s := range f.staleCopies[1:min(len(f.staleCopies), relatedPlaces+1)] {
		r.Related = append(r.Related, RawRelated{
			fmt.Sprintf("%s %s has %s in %s, %s in the original", c.id.Step.Name, p.quoted(s.thing.at), p.quoted(s.value.places[0]),
				count(s.value.count, "copy"), clip(p.originalText(f.leaf, s.original))),
			s.value.places[0],
		})
	}
	p.refreshCopies(c, f, &r)
	p.Report(c.entity, f.node.Path(), r)
}

func staleAdvice(c *copies, f *fieldMeasure) string {
	name, noun := f.node.Step.Name, c.noun()
	if f.volatile == strongVolatile {
		return fmt.Sprintf("Do not copy %s: it changes too often to be kept in step. Keep %s and read the %s.", name, c.id.Step.Name, noun)
	}
	return fmt.Sprintf("Decide what the copy is. If it should follow the %s, refresh these, and have the writer of %s update the copies "+
		"(by %s) or a change feed do it. If it shows what was true at the time, say so with a field such as capturedAt.",
		noun, c.ref.To.Collection.Name, c.id.Step.Name)
}

// originalText returns the value of the original as JSON.
func (p *Pass) originalText(l leaf, v leafValue) string {
	d, err := p.Document(v.at)
	if err != nil {
		return "?"
	}
	if l.second == nil {
		if from := v.at.Off - d.Base; from >= 0 && from+int64(v.at.Len) <= int64(len(d.Src)) {
			return string(d.Src[from : from+int64(v.at.Len)])
		}
		return "?"
	}
	first, ok := d.First(0, l.path)
	second, sok := d.First(0, l.second)
	if !ok || !sok {
		return "?"
	}
	return string(reshape.String(l.compose(d.String(first), d.String(second))).AppendJSON(nil))
}

func clip(text string) string {
	if runes := []rune(text); len(runes) > maxQuotedText {
		return string(runes[:maxQuotedText-1]) + "…"
	}
	return text
}

// refreshCopies adds the edits that write the original's value into the copies, if
// all their places are known. They are unsafe: some copies may be meant to
// stay.
func (p *Pass) refreshCopies(c *copies, f *fieldMeasure, r *Raw) {
	var edits []RawEdit
	complete := true
	for _, s := range f.staleCopies {
		t := s.thing.cells[f.index]
		text := p.originalText(f.leaf, s.original)
		if int64(len(s.value.places)) < s.value.count || t.shift > 0 || s.ambiguous || text == "?" {
			complete = false
		}
		for _, at := range s.value.places {
			edits = append(edits, RawEdit{At: at, NewText: text})
		}
		if len(edits) > staleEdits {
			complete = false
			break
		}
	}
	fix := finding.Fix{Title: fmt.Sprintf("set %s to what %s says", f.node.Step.Name, c.ref.To.Collection.Name), Safety: finding.Plan}
	before, after, err := p.patched(f.staleCopies[0].value.places[0], edits)
	if err != nil || before == nil && !complete {
		return
	}
	if before != nil {
		fix.Before = before
		fix.After = []finding.DocumentInPlace{{Collection: c.entity.Collection.Name, Document: after}}
	}
	if complete {
		fix.Safety = finding.Unsafe
		r.Edits = edits
	}
	r.Fixes = []finding.Fix{fix}
}
