// Package inconsistentdiscriminator reports discriminators that do not say the
// same thing the same way: values in two spellings or types, values that
// contradict the fields, and two fields that share the work. It does not rely
// on names: a discriminator is a field that has been shown to distinguish the
// kinds.
package inconsistentdiscriminator

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/namevariant"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule is inconsistent-discriminator on documents.
var Rule = check.Rule{Name: "inconsistent-discriminator", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		if c.Discriminator != nil {
			checkSpellings(p, c)
			checkContradictions(p, c)
		}
		checkTwoDiscriminators(p, c)
	}
}}

const (
	typoShort      = 4 // letters from which one wrong letter is a misspelling
	typoLong       = 9 // ... and two
	rarityBits     = 5 // largest evidence from one value being rarer than the other
	contradictions = 20
)

// checkSpellings looks for values that are one value in two spellings.
func checkSpellings(p *check.Pass, c *model.Collection) {
	d := c.Discriminator
	values := slices.Clone(d.Values)
	for i, v := range values {
		if v.Classes.Has(profile.String) && (v.Classes.Has(profile.Int) || v.Classes.Has(profile.Bool)) {
			reportMixedDiscriminator(p, c, v)
			continue
		}
		for _, frequent := range values[:i] {
			if style, ok := sameValue(c, v, frequent); ok {
				reportSpelling(p, c, v, frequent, style)
				break
			}
		}
	}
}

// sameValue reports whether a rarer value stands for a more frequent one: they
// differ only in case and separators, or it is a misspelling.
func sameValue(c *model.Collection, rare, frequent profile.SampledValue) (style, ok bool) {
	a, b := rare.Text, frequent.Text
	if !rare.HasText || !frequent.HasText || !rare.Classes.Has(profile.String) || !strings.ContainsFunc(a, unicode.IsLetter) {
		return false, false // only words are spelt
	}
	if foldValue(a) == foldValue(b) {
		return true, true
	}
	distance := 1
	if min(len(a), len(b)) >= typoLong {
		distance = 2
	}
	// A misspelling keeps the first letter; codes of one family often differ
	// in it alone.
	a, b = strings.ToLower(a), strings.ToLower(b)
	wrong := lexicon.Damerau(a, b, distance)
	if wrong > distance || min(len(a), len(b)) < typoShort || namevariant.Letters(a) == namevariant.Letters(b) || a[0] != b[0] || namevariant.Counterparts(a, b) {
		return false, false
	}
	bits := namevariant.Alike(a, b, wrong) + min(rarityBits, math.Log2(float64(frequent.Count)/float64(rare.Count))) - math.Log2(float64(len(c.Discriminator.Values)))
	return false, bits >= model.Convincing && sameShapes(c, rare, frequent)
}

// sameShapes reports whether the documents with one value have only names that
// those with another have, and all that each of these has: a value for a kind
// of its own has others.
func sameShapes(c *model.Collection, rare, frequent profile.SampledValue) bool {
	frequents := map[*profile.Node]int64{}
	var rares []*profile.Shape
	for _, s := range c.Profile.Root.Object.Shapes.All() {
		values := s.Values(c.Discriminator.Node)
		for _, f := range s.Fields {
			if n := values[frequent.Hash]; n > 0 {
				frequents[f] += n
			}
		}
		if values[rare.Hash] > 0 {
			rares = append(rares, s)
		}
	}
	return !slices.ContainsFunc(rares, func(s *profile.Shape) bool {
		for f, n := range frequents {
			if n == frequent.Count && !slices.Contains(s.Fields, f) {
				return true
			}
		}
		return slices.ContainsFunc(s.Fields, func(f *profile.Node) bool { return frequents[f] == 0 })
	})
}

func foldValue(text string) string {
	return strings.ReplaceAll(lexicon.Fold(strings.TrimSpace(text)), " ", "")
}

func reportSpelling(p *check.Pass, c *model.Collection, rare, frequent profile.SampledValue, style bool) {
	path := c.Discriminator.Path
	places := findValues(p, c, path, func(d *profile.Document, i int) bool { return d.Hash(i) == rare.Hash })
	p.After(func() {
		f := merged(places)
		if f.Count == 0 {
			return
		}
		r := check.Raw{At: f.First(), Spellings: []string{frequent.Text, rare.Text}, Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.9,
			Message: fmt.Sprintf("%s is %q in %s and %q in %s: two spellings of one kind",
				path, rare.Text, wording.Count(rare.Count, "document"), frequent.Text, quantity.Grouped(frequent.Count)),
			Advice: fmt.Sprintf("Write %q in all of them, and let schema validation allow only known values: readers that switch on %s miss the others.", frequent.Text, path),
			Evidence: []finding.Evidence{
				{Name: "documents", Value: c.Profile.Docs}, {Name: "documents.rare", Value: rare.Count}, {Name: "documents.frequent", Value: frequent.Count},
				{Name: "values", Value: []string{frequent.Text, rare.Text}},
			},
		}}
		if !style {
			r.Confidence = 0.6
			r.Message = fmt.Sprintf("%s %q in %s looks like a misspelling of %q (%s)", path, rare.Text, wording.Count(rare.Count, "document"), frequent.Text, quantity.Grouped(frequent.Count))
		}
		r.Fixes, r.Edits = replaceValue(p, c, path, f, frequent.Text)
		r.Fingerprint = fmt.Sprintf("inconsistent-discriminator:%s:%s:%s", c.Name, path, rare.Text)
		p.Report(c.Entities[0], path, r)
	})
}

// replaceValue writes the frequent value for the rare one.
func replaceValue(p *check.Pass, c *model.Collection, path profile.Path, f *places.Found, text string) ([]finding.Fix, []check.RawEdit) {
	for i := range f.Places {
		f.Places[i].Text = string(reshape.String(text).AppendJSON(nil))
	}
	title := fmt.Sprintf("write %q (%s)", text, wording.Count(f.Count, "document"))
	return plans.Rewritten(p, c.Name, title, f, func(document *reshape.Value) bool {
		return document.Replace(path, func(*reshape.Value) *reshape.Value { return reshape.String(text) })
	})
}

func reportMixedDiscriminator(p *check.Pass, c *model.Collection, v profile.SampledValue) {
	path := c.Discriminator.Path
	texts := findValues(p, c, path, func(d *profile.Document, i int) bool { return d.Class(i) == profile.String && d.Hash(i) == v.Hash })
	others := findValues(p, c, path, func(d *profile.Document, i int) bool { return d.Class(i) != profile.String && d.Hash(i) == v.Hash })
	p.After(func() {
		rare, frequent := merged(texts), merged(others)
		rareText, frequentText := fmt.Sprintf("%q", v.Text), v.Text
		if rare.Count > frequent.Count {
			rare, frequent, rareText, frequentText = frequent, rare, frequentText, rareText
		}
		if rare.Count == 0 {
			return
		}
		p.Report(c.Entities[0], path, check.Raw{
			At: rare.First(), Related: []check.RawRelated{{Message: "the first " + frequentText, At: frequent.First()}},
			Finding: finding.Finding{
				Severity: finding.Warning, Confidence: 0.9,
				Message: fmt.Sprintf("%s is %s in %s and %s in %s: two types for one kind",
					path, rareText, wording.Count(rare.Count, "document"), frequentText, quantity.Grouped(frequent.Count)),
				Advice:      fmt.Sprintf("Write %s in all of them: filters and decoders treat the types as different values.", frequentText),
				Evidence:    []finding.Evidence{{Name: "documents", Value: c.Profile.Docs}, {Name: "documents.rare", Value: rare.Count}},
				Fingerprint: fmt.Sprintf("inconsistent-discriminator:%s:%s:%s", c.Name, path, v.Text),
			},
		})
	})
}

// findValues looks for values at a path in all documents of a collection.
func findValues(p *check.Pass, c *model.Collection, path profile.Path, match func(d *profile.Document, i int) bool) []*places.Finder {
	var out []*places.Finder
	for _, e := range c.Entities {
		out = append(out, places.Find(p, e, path, 1, plans.EditsKept, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
			if match(d, i) {
				hit(0, d.At(i), "")
			}
		}))
	}
	return out
}

// merged joins what finders of the entities of one collection found.
func merged(finders []*places.Finder) *places.Found {
	all := &places.Found{}
	for _, f := range finders {
		all.Count += f.Sorts[0].Count
		all.Keep(f.Limit, f.Sorts[0].Places...)
	}
	return all
}

// checkContradictions looks for documents that say one kind and have the
// fields of another.
func checkContradictions(p *check.Pass, c *model.Collection) {
	kinds := c.Entities
	if len(kinds) < 2 || len(kinds) > contradictions {
		return
	}
	own := make([][]string, len(kinds))
	for i, e := range kinds {
		own[i] = ownNames(e, kinds)
	}
	for i, e := range kinds {
		if len(own[i]) < 2 || e.N() < 3 {
			continue
		}
		others := make([]int, 0, len(kinds))
		for j := range kinds {
			if j != i && len(own[j]) >= 2 && kinds[j].N() >= 3 {
				others = append(others, j)
			}
		}
		if len(others) == 0 {
			continue
		}
		path := c.Discriminator.Path
		f := places.Find(p, e, nil, len(kinds), plans.EditsKept, func(d *profile.Document, _ int, hit func(int, profile.Pos, string)) {
			if hasAny(d, own[i]) {
				return
			}
			for _, j := range others {
				if hasAll(d, own[j]) {
					if at, ok := d.First(0, path); ok {
						hit(j, d.At(at), "")
					}
					return
				}
			}
		})
		p.After(func() {
			for _, j := range others {
				if s := &f.Sorts[j]; s.Count > 0 && 5*s.Count <= e.N() {
					reportContradiction(p, c, e, kinds[j], own[i], own[j], s)
				}
			}
		})
	}
}

// strayShare is the share of another kind's documents that may have a name: with
// more it is one of theirs.
const strayShare = 0.25

// ownNames are the names that nearly all documents of a kind have, and next to
// none of the others.
func ownNames(e *model.Entity, kinds []*model.Entity) []string {
	root := e.Root()
	if root.Object.Sampled() {
		return nil
	}
	share := func(k *model.Entity, name string) float64 {
		if f := k.Root().Object.Field(name); f != nil {
			return float64(f.Present()) / float64(k.N())
		}
		return 0
	}
	var out []string
	for _, f := range root.Object.Fields() {
		name := f.Step.Name
		if share(e, name) >= 0.8 && !slices.ContainsFunc(kinds, func(k *model.Entity) bool {
			return k != e && share(k, name) > max(strayShare, 1.5/float64(k.N()))
		}) {
			out = append(out, name)
		}
	}
	return out
}

func hasAny(d *profile.Document, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return places.HasMember(d, name) })
}

func hasAll(d *profile.Document, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !places.HasMember(d, name) })
}

func reportContradiction(p *check.Pass, c *model.Collection, says, is *model.Entity, missing, has []string, s *places.Found) {
	path := c.Discriminator.Path
	r := check.Raw{At: s.First(), Finding: finding.Finding{
		Severity: finding.Error, Confidence: 0.9,
		Message: fmt.Sprintf("%s says %q, but %s the fields of %q (%s) and lacks those of its own (%s)",
			path, says.Value(), pluralHas(s.Count), is.Value(), wording.JoinNames(wording.FirstFew(has)), wording.JoinNames(wording.FirstFew(missing))),
		Advice: fmt.Sprintf("Correct %s to %q, or find the code that wrote the wrong fields: a reader that decodes by %s gets an empty %s, and loses these fields when it writes the document back.",
			path, is.Value(), path, says.Value()),
		Evidence: []finding.Evidence{
			{Name: "documents", Value: s.Count}, {Name: "documents.says", Value: says.N()}, {Name: "documents.is", Value: is.N()},
		},
		Fingerprint: fmt.Sprintf("inconsistent-discriminator:%s:%s:%s:%s", c.Name, path, says.Value(), is.Value()),
	}}
	r.Related = s.AlsoAt("another one", places.Shown)
	p.Report(says, path, r)
}

func pluralHas(n int64) string {
	if n == 1 {
		return "the document has"
	}
	return quantity.Grouped(n) + " such documents have"
}

// checkTwoDiscriminators looks for two fields that distinguish the kinds, each
// in a part of the documents: type in some, kind in the others.
func checkTwoDiscriminators(p *check.Pass, c *model.Collection) {
	root := c.Profile.Root
	if !root.Object.Shapes.Exact() || c.Profile.Docs < 4 {
		return
	}
	var named []*profile.Node
	for _, f := range root.Object.Fields() {
		if f.Scalars != nil && p.Lexicon.HasIn(lexicon.Discriminator, f.Step.Name, lexicon.Singular(c.Name)) && !p.Lexicon.Has(lexicon.System, f.Step.Name) &&
			f.Present() >= 2 && f.Types[profile.String] == f.Present() && f.Scalars.Values.Exact() && f.Scalars.Values.Distinct() <= min(50, float64(f.Present())/2) {
			named = append(named, f)
		}
	}
	if len(named) != 2 {
		return
	}
	a, b := named[0], named[1]
	if b.Present() > a.Present() {
		a, b = b, a
	}
	if namevariant.Both(root, a, b) > 0 || float64(a.Present()+b.Present()) < p.Threshold("presence")*float64(c.Profile.Docs) {
		return
	}
	var finders []*places.Finder
	for _, e := range c.Entities {
		finders = append(finders, places.Find(p, e, b.Path(), 1, 1, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
			hit(0, d.At(i-1), "")
		}))
	}
	p.After(func() {
		f := merged(finders)
		if f.Count == 0 {
			return
		}
		r := check.Raw{At: f.First(), Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.8,
			Message: fmt.Sprintf("the kind is stored as %q in %s and as %q in %s", a.Step.Name, wording.Count(a.Present(), "document"), b.Step.Name, wording.Count(b.Present(), "document")),
			Advice:  fmt.Sprintf("Use %s in all of them: a reader or an index that knows one field sees only part of the collection.", a.Step.Name),
			Evidence: []finding.Evidence{
				{Name: "documents", Value: c.Profile.Docs}, {Name: "documents." + a.Step.Name, Value: a.Present()}, {Name: "documents." + b.Step.Name, Value: b.Present()},
			},
		}}
		r.Fingerprint = fmt.Sprintf("inconsistent-discriminator:%s:%s", c.Name, b.Step.Name)
		explained.Shapes(p)[c] = true
		p.Report(c.Entities[0], b.Path(), r)
	})
}
