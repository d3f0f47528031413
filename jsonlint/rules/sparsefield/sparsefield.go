// Package sparsefield reports fields that hardly any document of a kind has:
// left over from a migration, written once by hand, or misspelled. Null counts
// as present, because code that writes it knows the field.
package sparsefield

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/correlation"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/namevariant"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule is sparse-field on documents.
var Rule = check.Rule{Name: "sparse-field", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		if float64(e.N()) < p.Threshold("min-documents") || e.Rest() {
			continue
		}
		checkSparse(p, e, e.Root())
	}
}}

const groupCorrelation = 0.9 // of fields that come and go together

func checkSparse(p *check.Pass, e *model.Entity, n *profile.Node) {
	if n.Object.Rest != nil {
		return
	}
	objects := n.Types[profile.Object]
	variants := map[*profile.Node]bool{}
	for _, v := range namevariant.Find(n, namevariant.UsualRare, namevariant.UsualCommon) {
		variants[v.Rare], variants[v.Common] = true, true
	}
	fields := n.Object.Fields()
	var groups *correlation.Table
	if shapes := n.Object.Shapes; shapes.Exact() {
		groups = correlation.New(shapes)
	}
	rare := 0
	for _, f := range fields {
		if share := float64(f.Count) / float64(objects); f.Present() > 0 && share < p.Threshold("max-share") {
			rare++
		}
	}
	for _, f := range fields {
		share := float64(f.Count) / float64(objects)
		if f.Present() == 0 || share >= p.Threshold("max-share") || variants[f] || optional(p, e, f) || grouped(groups, f, fields) || elsewhere(p, e, f) {
			continue
		}
		confidence := 0.4 // many fields are naturally rare, and so are all of them if many are
		if (rare == 1 || 4*rare < len(fields)) && float64(f.Count) <= p.Threshold("left-over-documents") && share <= p.Threshold("left-over-share") {
			confidence = 0.6
		}
		places := places.Find(p, e, f.Path(), 1, 4, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
			if d.Class(i) != profile.Null {
				hit(0, d.At(i-1), "")
			}
		})
		p.After(func() {
			// Wait until it is known which documents are outliers.
			p.After(func() {
				if !explainedByOutlier(p, e, f, &places.Sorts[0]) {
					reportSparse(p, e, f, &places.Sorts[0], objects, confidence)
				}
			})
		})
	}
}

// optional reports whether only some documents can have the field.
func optional(p *check.Pass, e *model.Entity, f *profile.Node) bool {
	name := f.Step.Name
	for _, l := range []lexicon.List{lexicon.OptionalByNature, lexicon.OptionalReference, lexicon.Metadata, lexicon.System, lexicon.Discriminator} {
		if p.Lexicon.Has(l, name) {
			return true
		}
	}
	_, _, reference := lexicon.ReferenceStem(name)
	return reference || p.DB.ReferenceAt(f) != nil || namevariant.Marked(name)
}

// elsewhere reports whether several collections of such documents have the field:
// then their program knows it, and no script left it over in one of them.
func elsewhere(p *check.Pass, e *model.Entity, f *profile.Node) bool {
	having, path := 1, f.Path()
	for _, o := range p.DB.Entities() {
		if n := o.Root().At(path); n != nil && n.Present() > 0 && o.Collection != e.Collection && o.Alike(e) {
			having++
		}
	}
	return having >= check.OneWriter
}

// grouped reports whether another rare field comes and goes with this one, as
// an optional group, or it stands in place of several others, as in another kind of
// document. It is false if c is nil.
func grouped(c *correlation.Table, f *profile.Node, fields []*profile.Node) bool {
	if c == nil {
		return false
	}
	replaced := 0
	for _, g := range fields {
		phi := c.Phi(f, g)
		if g != f && phi >= groupCorrelation && g.Present() <= 2*f.Present() && f.Present() <= 2*g.Present() {
			return true
		}
		if phi <= -groupCorrelation {
			replaced++
		}
	}
	return replaced > 1
}

// explainedByOutlier reports whether a field occurs only in documents that
// structural-outlier has reported.
func explainedByOutlier(p *check.Pass, e *model.Entity, f *profile.Node, s *places.Found) bool {
	o := explained.Outliers(p)
	if o.Fields[explained.OutlyingField{Collection: e.Collection.Name, Path: f.Path().String()}] == f.Present() {
		return true
	}
	return s.Count > 0 && s.Count == int64(len(s.Places)) && !slices.ContainsFunc(s.Places, func(at places.Place) bool { return !o.Documents[places.DocumentAt(at.At)] })
}

func reportSparse(p *check.Pass, e *model.Entity, f *profile.Node, s *places.Found, objects int64, confidence float64) {
	if s.Count == 0 {
		return
	}
	path := f.Path()
	r := check.Raw{At: s.First(), Finding: finding.Finding{
		Severity: finding.Info, Confidence: confidence,
		Message: fmt.Sprintf("%s is present in only %s of %s", path, quantity.Grouped(s.Count), wording.Count(objects, "document")),
		Advice: fmt.Sprintf("Remove %s if it is a leftover or a mistake. If it is new, fill it in for the others, or declare it optional in the schema.",
			path),
		Evidence: []finding.Evidence{{Name: "documents", Value: objects}, {Name: "documents.with", Value: s.Count}},
	}}
	r.Related = s.AlsoAt("also here", places.Shown)
	p.Report(e, path, r)
}
