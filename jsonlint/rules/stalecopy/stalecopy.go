// Package stalecopy reports copies that differ from their original. Which field
// of the original a field repeats is inferred: one with the same name, or one
// that nearly all copies equal.
package stalecopy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/copies"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule is stale-copy on documents.
var Rule = check.Rule{Name: "stale-copy", Run: func(p *check.Pass) {
	all := copies.All(p)
	p.After(func() {
		said := copies.Reported(p, all) // with the copies that differ
		var found []*stale
		for _, c := range all {
			if c.Original == nil || said[c].Stale() {
				continue
			}
			m := c.Measure(p)
			for _, f := range m.Fields {
				if err := c.CompareAll(p, f); err != nil {
					p.Fail(err)
					return
				}
				if f.Compared == 0 {
					continue
				}
				s := &stale{c, m, f}
				if i := slices.IndexFunc(found, func(o *stale) bool { return o.f.Node == f.Node }); i < 0 {
					found = append(found, s)
				} else if s.disagree() < found[i].disagree() {
					found[i] = s
				}
			}
		}
		found = slices.DeleteFunc(found, func(s *stale) bool { return s.f.Stale == 0 || !isStale(p, s.Site, s.m, s.f) })
		slices.SortStableFunc(found, func(a, b *stale) int { return cmp.Compare(b.f.Stale, a.f.Stale) })
		for i, s := range found {
			if !slices.ContainsFunc(found[:i], s.mirrors) {
				reportStaleCopy(p, s.Site, s.f)
			}
		}
	})
}}

// A stale is a field of copies that were compared with their originals.
type stale struct {
	*copies.Site
	m *copies.Measures
	f *copies.FieldMeasure
}

// original is the field that has the originals.
func (s *stale) original() *profile.Node { return s.Ref.To.Root().At(s.f.Leaf.Path) }

// mirrors reports whether another field is the original of this one, and this one is its
// original: two collections that refer to each other, or hold the same things.
func (s *stale) mirrors(o *stale) bool {
	return s.f.Node == o.original() && o.f.Node == s.original()
}

// disagree is the share of the copies that differ. Several references may lead to
// documents with such a field. The field repeats what that one says with which most
// copies agree.
func (s *stale) disagree() float64 { return float64(s.f.Stale) / float64(s.f.Compared) }

// isStale decides whether the differences are drift: there are some. If few
// copies agree, they are not kept consistent, and volatile-embed reports them.
func isStale(p *check.Pass, c *copies.Site, m *copies.Measures, f *copies.FieldMeasure) bool {
	if c.Entity.N() < places.EnoughDocuments {
		// With only a handful, something must show that it is a copy: values of one field
		// are those of the originals, and not by accident.
		return slices.ContainsFunc(m.Fields, func(g *copies.FieldMeasure) bool {
			return g.Compared > 2*g.Stale || g.Compared > g.Stale && g.Node.Types[profile.String] > 0
		})
	}
	return float64(f.Stale) >= p.Threshold("copies")
}

const staleEdits = 1000 // edits per fix

func reportStaleCopy(p *check.Pass, c *copies.Site, f *copies.FieldMeasure) {
	name := f.Node.Step.Name
	first := f.StaleCopies[0]
	things := map[uint64]bool{}
	for _, s := range f.StaleCopies {
		things[s.Thing.Hash] = true
	}
	share := float64(f.Stale) / float64(f.Compared)
	target := c.Ref.To.Collection.Name
	confidence := 0.7
	switch {
	case c.Entity.N() < places.EnoughDocuments:
		confidence = 0.6
	case f.Volatile == copies.StrongVolatile || share <= 0.2 && f.Compared >= places.EnoughDocuments:
		confidence = 0.9
	}
	here, there := quoteBoth(p, f.Leaf, first.Value.Places[0], first.Original)
	of := "its original in " + target
	if l := f.Leaf.String(); l != name {
		of = l + " of " + target
	}
	message := fmt.Sprintf("%s differs from %s in %s of %s: %s %s has %s here, %s there", name, of, quantity.Grouped(f.Stale),
		wording.Count(f.Compared, "copy"), c.ID.Step.Name, places.Quote(p, first.Thing.At), here, there)
	r := check.Raw{At: first.Value.Places[0], Finding: finding.Finding{
		Severity: finding.Warning, Confidence: confidence, Message: message, Advice: staleAdvice(c, f),
		Evidence: []finding.Evidence{
			{Name: "copies", Value: f.Compared},
			{Name: "stale", Value: f.Stale},
			{Name: "stale.share", Value: float64(int64(1000*share+0.5)) / 1000},
			{Name: "things", Value: len(things)},
			{Name: "original", Value: target + "." + f.Leaf.String()},
		},
	}, Cause: target + "." + f.Leaf.String(), Whole: !c.Flat, Sure: true} // a change of the original is not written to its copies, wherever they are
	r.Related = append(r.Related, check.RawRelated{Message: "the original", At: first.Original.At})
	for _, s := range f.StaleCopies[1:min(len(f.StaleCopies), places.RelatedPlaces+1)] {
		here, there := quoteBoth(p, f.Leaf, s.Value.Places[0], s.Original)
		r.Related = append(r.Related, check.RawRelated{
			Message: fmt.Sprintf("%s %s has %s in %s, %s in the original", c.ID.Step.Name, places.Quote(p, s.Thing.At), here, wording.Count(s.Value.Count, "copy"), there),
			At:      s.Value.Places[0],
		})
	}
	refreshCopies(p, c, f, &r)
	p.Report(c.Entity, f.Node.Path(), r)
}

func staleAdvice(c *copies.Site, f *copies.FieldMeasure) string {
	name, noun := f.Node.Step.Name, c.Noun()
	if f.Volatile == copies.StrongVolatile {
		return fmt.Sprintf("Do not copy %s: it changes too often. Keep %s and read the %s.", name, c.ID.Step.Name, noun)
	}
	return fmt.Sprintf("Decide what the copy is for. If it should follow the %s, refresh these copies, and have the code that writes %s update them "+
		"(by %s), or use a change feed. If it records what was true at the time, say so with a field such as capturedAt.",
		noun, c.Ref.To.Collection.Name, c.ID.Step.Name)
}

// quoteBoth quotes a copy and its original for a message.
func quoteBoth(p *check.Pass, l copies.Leaf, at profile.Pos, original copies.LeafValue) (here, there string) {
	if l.Second == nil {
		return places.QuoteTwo(p, at, original.At)
	}
	return wording.ShortenTwo(places.WrittenAt(p, at), originalText(p, l, original))
}

// originalText returns the value of the original as JSON.
func originalText(p *check.Pass, l copies.Leaf, v copies.LeafValue) string {
	d, err := p.Document(v.At)
	if err != nil {
		return "?"
	}
	if l.Second == nil {
		if from := v.At.Off - d.Base; from >= 0 && from+int64(v.At.Len) <= int64(len(d.Src)) {
			return string(d.Src[from : from+int64(v.At.Len)])
		}
		return "?"
	}
	first, ok := d.First(0, l.Path)
	second, sok := d.First(0, l.Second)
	if !ok || !sok {
		return "?"
	}
	return string(reshape.String(l.Compose(d.String(first), d.String(second))).AppendJSON(nil))
}

// refreshCopies adds the edits that write the original's value into the copies,
// if all their positions are known. They are unsafe: some copies may be
// intended to differ.
func refreshCopies(p *check.Pass, c *copies.Site, f *copies.FieldMeasure, r *check.Raw) {
	var edits []check.RawEdit
	complete := true
	for _, s := range f.StaleCopies {
		t := s.Thing.Cells[f.Index]
		text := originalText(p, f.Leaf, s.Original)
		if int64(len(s.Value.Places)) < s.Value.Count || t.Shift > 0 || s.Ambiguous || text == "?" {
			complete = false
		}
		for _, at := range s.Value.Places {
			edits = append(edits, check.RawEdit{At: at, NewText: text})
		}
		if len(edits) > staleEdits {
			complete = false
			break
		}
	}
	plans.Mend(p, c.Entity, r, fmt.Sprintf("set %s to what %s says", f.Node.Step.Name, c.Ref.To.Collection.Name), f.StaleCopies[0].Value.Places[0], edits, complete)
}
