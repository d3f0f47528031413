// Package volatileembed reports embedded copies of things that change. Three
// questions decide: is the same thing in many documents, does it change, and is
// the copy meant to be frozen.
package volatileembed

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/copies"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule is volatile-embed on documents.
var Rule = check.Rule{Name: "volatile-embed", OnSchema: onSchema, Run: func(p *check.Pass) {
	all := copies.All(p)
	if len(all) == 0 {
		return
	}
	p.After(func() {
		for _, v := range copies.AllVolatile(p, all) {
			reportVolatile(p, v)
		}
		for _, c := range copies.Contradictions(p, all) {
			reportContradiction(p, c)
		}
	})
}}

func reportVolatile(p *check.Pass, v *copies.Volatile) {
	bytes := float64(v.Entity.Profile.Bytes) / float64(max(1, v.Entity.N()))
	evidence := []finding.Evidence{
		{Name: "copies", Value: v.Holder.Types[profile.Object]},
		{Name: "things", Value: int64(math.Round(max(float64(len(v.M.Things)), v.ID.Scalars.Values.Distinct())))},
		{Name: "fanOut.mean", Value: math.Round(10*v.M.MeanFanOut) / 10},
		{Name: "fanOut.max", Value: v.M.MaxFanOut},
		{Name: "rewrite.bytes", Value: int64(v.M.MeanFanOut * bytes)},
		{Name: "identity", Value: v.ID.Step.Name},
	}
	if len(v.Named) > 0 {
		evidence = append(evidence, finding.Evidence{Name: "volatile.names", Value: v.Named})
	}
	if f := v.Speaking; f != nil {
		evidence = append(evidence, finding.Evidence{Name: "field", Value: f.Node.Step.Name})
		if f.Judged {
			evidence = append(evidence, finding.Evidence{Name: "lambda", Value: math.Round(100*f.Lambda) / 100},
				finding.Evidence{Name: "disagree", Value: math.Round(1000*f.Disagree) / 1000})
		}
		if f.Compared > 0 {
			evidence = append(evidence, finding.Evidence{Name: "stale", Value: math.Round(1000*float64(f.Stale)/float64(f.Compared)) / 1000})
		}
	}
	if v.Changes.Changed > 0 {
		evidence = append(evidence, finding.Evidence{Name: "changes", Value: v.Changes.Changed},
			finding.Evidence{Name: "change.rate", Value: math.Round(100*v.Changes.Rate()) / 100},
			finding.Evidence{Name: "change.rate.others", Value: math.Round(100*v.Changes.Others) / 100},
			finding.Evidence{Name: "change.documents.max", Value: v.Changes.Spread})
		if v.Changes.Days > 0 {
			evidence = append(evidence, finding.Evidence{Name: "changes.perDay", Value: math.Round(100*float64(v.Changes.Changed)/v.Changes.Days) / 100})
		}
	}
	evidence = append(evidence, finding.Evidence{Name: "score", Value: v.Score}, finding.Evidence{Name: "points", Value: v.Points})

	shows, related := showChange(p, v)
	if v.Changes.Spread >= copies.SpreadAtLeast {
		shows += fmt.Sprintf(", and one change of one %s rewrote %s", v.Noun(), wording.Count(int64(v.Changes.Spread), "document"))
	}
	message := fmt.Sprintf("%s is copied %s; %s", subject(v), spread(v), shows)
	fix, err := copies.FixVolatile(p, v)
	if err != nil {
		fix = nil
	}
	p.Report(v.Entity, v.Path, check.Raw{
		At: v.At(), Related: related,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: v.Confidence, Message: message, Advice: advice(v, p, bytes),
			Evidence: evidence, Fixes: fix,
		},
	})
}

// reportContradiction reports a name of a thing that differs between its
// copies.
func reportContradiction(p *check.Pass, c *copies.Contradiction) {
	confidence := 0.7
	if c.Entity.N() < places.EnoughDocuments {
		confidence = 0.6
	}
	first := c.Conflicts[0]
	field, id := c.Field.Node.Path(), c.ID.Step.Name
	noun := c.Noun()
	if stem, _, ok := lexicon.ReferenceStem(id); ok {
		noun = stem
	}
	things := wording.Count(int64(len(c.Measured.Things)), noun)
	here, elsewhere := places.QuoteTwo(p, first.Other.Places[0], first.Often.Places[0])
	r := check.Raw{At: first.Other.Places[0], Finding: finding.Finding{
		Severity: finding.Warning, Confidence: confidence,
		Message: fmt.Sprintf("%s differs between the copies of %d of %s: %s %s has %s here, elsewhere %s", field, len(c.Conflicts), things,
			id, places.Quote(p, first.Thing.At), here, elsewhere),
		Advice: fmt.Sprintf("Keep %s in one document of each %s and only %s in the others, or have the code that changes it update all copies. "+
			"Nobody can tell now which value is right. If each copy records a past value, say so with a field such as asOf.", c.Field.Node.Step.Name, noun, id),
		Evidence: []finding.Evidence{
			{Name: "things", Value: len(c.Measured.Things)}, {Name: "things.contradicting", Value: len(c.Conflicts)},
			{Name: "copies", Value: c.Copies}, {Name: "copies.differing", Value: c.Differing},
			{Name: "dependency.log-odds", Value: math.Round(10*c.Odds) / 10},
		},
	}}
	if c.Ref != nil {
		r.Cause, r.Sure = c.Ref.To.Collection.Name, true // whoever changes the thing forgets its copies, wherever they are
	}
	r.Related = append(r.Related, check.RawRelated{Message: "the usual value", At: first.Often.Places[0]})
	for _, o := range c.Conflicts[1:min(len(c.Conflicts), places.RelatedPlaces+1)] {
		here, elsewhere := places.QuoteTwo(p, o.Other.Places[0], o.Often.Places[0])
		r.Related = append(r.Related, check.RawRelated{
			Message: fmt.Sprintf("%s %s has %s, elsewhere %s", id, places.Quote(p, o.Thing.At), here, elsewhere),
			At:      o.Other.Places[0],
		})
	}
	p.Report(c.Entity, field, r)
}

// subject returns what is copied: the field, and the thing if the field's name
// does not include it.
func subject(v *copies.Volatile) string {
	field, noun := wording.Label(v.Path, v.Noun()), v.Noun()
	if lexicon.StemMatches(noun, field) {
		return field
	}
	return "the " + noun + " in " + field
}

func spread(v *copies.Volatile) string {
	if v.M.MaxFanOut <= 1 {
		return fmt.Sprintf("into every document that refers to it (%s of %s here)",
			wording.Count(v.Holder.Types[profile.Object], "copy"), wording.Count(int64(len(v.M.Things)), v.Noun()))
	}
	return fmt.Sprintf("into %s: one %s is in %s on average, %s at most",
		wording.Count(v.Holder.Documents(), "document"), v.Noun(), wording.Decimal(v.M.MeanFanOut), quantity.Grouped(v.M.MaxFanOut))
}

// showChange quotes copies that disagree, or the names.
func showChange(p *check.Pass, v *copies.Volatile) (string, []check.RawRelated) {
	f := v.Speaking
	if f == nil {
		for _, g := range v.M.Fields {
			if slices.Contains(v.Named, g.Node.Step.Name) && len(g.Conflicts) > 0 {
				f = g
				break
			}
		}
	}
	if f == nil {
		if len(v.Named) == 0 {
			return "it is updated on its own", nil
		}
		verb := "changes"
		if len(v.Named) > 1 {
			verb = "change"
		}
		by := "by its name"
		if len(v.Named) > 1 {
			by = "by their names"
		}
		return fmt.Sprintf("%s, %s %s while the documents do not", by, strings.Join(v.Named, ", "), verb), nil
	}
	name := f.Node.Step.Name
	if f.Stale > 0 {
		s, also := f.StaleCopies[0], ""
		var others []string
		for _, g := range v.M.Fields {
			if g != f && g.Stale > 0 {
				others = append(others, g.Node.Step.Name)
			}
		}
		if len(others) > 0 {
			also = ", others in " + wording.JoinNames(wording.FirstFew(others))
		}
		here, there := places.QuoteTwo(p, s.Value.Places[0], s.Original.At)
		return fmt.Sprintf("%s of %s differ from the original in %s (%s %s: %s, the original has %s)%s",
				quantity.Grouped(f.Stale), wording.Count(f.Compared, "copy"), name, v.ID.Step.Name, places.Quote(p, s.Thing.At), here, there, also),
			[]check.RawRelated{{Message: "the original " + name, At: s.Original.At}, {Message: "a copy that differs", At: s.Value.Places[0]}}
	}
	if len(f.Conflicts) == 0 {
		return fmt.Sprintf("by its name, %s changes while the documents do not", name), nil
	}
	c := f.Conflicts[0]
	for _, o := range f.Conflicts {
		if o.Thing.Docs > c.Thing.Docs || o.Thing.Docs == c.Thing.Docs && o.Thing.At.Compare(c.Thing.At) < 0 {
			c = o
		}
	}
	one, other := places.QuoteTwo(p, c.Often.Places[0], c.Other.Places[0])
	return fmt.Sprintf("copies of %s disagree in %s (%s %s: %s and %s)",
			wording.Count(int64(f.Drifted), v.Noun()), name, v.ID.Step.Name, places.Quote(p, c.Thing.At), one, other),
		[]check.RawRelated{{Message: fmt.Sprintf("one copy of %s", name), At: c.Often.Places[0]}, {Message: "another copy of the same " + v.Noun(), At: c.Other.Places[0]}}
}

func advice(v *copies.Volatile, p *check.Pass, bytes float64) string {
	var b strings.Builder
	noun, home := v.Noun(), v.Home()
	if v.Ref != nil {
		fmt.Fprintf(&b, "Keep only the reference to %s (%s, in the type of %s there)", home, v.RefName(), v.TargetKey().Path)
	} else {
		fmt.Fprintf(&b, "Store each %s once, in %s, and keep %s in its place, in the type of the id there", noun, home, v.RefName())
	}
	if own := v.LinkFields(); len(own) > 0 {
		fmt.Fprintf(&b, "; %s belong%s to the link and stay%s", strings.Join(own, ", "), verbEnding(own), verbEnding(own))
	}
	if keep := v.SlowFields(p); len(keep) > 0 {
		fmt.Fprintf(&b, "; %s may stay as %s for display, since they rarely change", strings.Join(keep, ", "), copyWord(keep))
	}
	b.WriteString(". ")
	if v.M.MeanFanOut > 1.05 {
		fmt.Fprintf(&b, "Today each change of one %s rewrites %s documents on average (%s at most), about %s. ",
			noun, wording.Decimal(v.M.MeanFanOut), quantity.Grouped(v.M.MaxFanOut), quantity.Bytes(int64(v.M.MeanFanOut*bytes)))
	}
	b.WriteString("If the copies should stay as they were, say so with a field such as capturedAt or asOf.")
	return b.String()
}

func verbEnding(words []string) string {
	if len(words) == 1 {
		return "s"
	}
	return ""
}

func copyWord(words []string) string {
	if len(words) == 1 {
		return "a copy"
	}
	return "copies"
}
