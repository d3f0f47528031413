package rules

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// sparseField reports fields that hardly any document of a kind has: left
// over from a migration, written once by hand, or a misspelling of another
// one. Null counts as absent.
var sparseField = Rule{Name: "sparse-field", Run: func(p *Pass) {
	for _, e := range p.DB.Entities() {
		if float64(e.N()) < p.Threshold("min-documents") || e.Rest() {
			continue
		}
		checkSparse(p, e, e.Root())
	}
}}

const groupCorrelation = 0.9 // of fields that come and go together

func checkSparse(p *Pass, e *model.Entity, n *profile.Node) {
	if n.Object == nil || n.Object.Sampled() || n.Object.Rest != nil {
		return
	}
	objects := n.Types[profile.Object]
	variants := map[*profile.Node]bool{}
	for _, v := range nameVariants(n, usualRare, usualCommon) {
		variants[v.rare], variants[v.common] = true, true
	}
	fields := n.Object.Fields()
	var groups *correlations
	if shapes := n.Object.Shapes; shapes != nil && shapes.Exact() {
		groups = newCorrelations(shapes)
	}
	for _, f := range fields {
		share := float64(f.Present()) / float64(objects)
		if f.Present() == 0 || share >= p.Threshold("max-share") || variants[f] || optional(p, e, f) || groups.grouped(f, fields) {
			continue
		}
		confidence := 0.4 // many fields are rare by nature
		if float64(f.Present()) <= p.Threshold("left-over-documents") && share <= p.Threshold("left-over-share") {
			confidence = 0.6
		}
		places := findPlaces(p, e, f.Path(), 1, 4, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
			if d.Class(i) != profile.Null {
				hit(0, d.At(i-1), "")
			}
		})
		p.After(func() {
			// Once more later: when it is known which documents are outliers.
			p.After(func() {
				if !p.explainedByOutlier(e, f, &places.sorts[0]) {
					reportSparse(p, e, f, &places.sorts[0], objects, confidence)
				}
			})
		})
	}
}

// optional reports whether only some documents can have the field.
func optional(p *Pass, e *model.Entity, f *profile.Node) bool {
	name := f.Step.Name
	for _, l := range []lexicon.List{lexicon.OptionalByNature, lexicon.OptionalReference, lexicon.Metadata, lexicon.System, lexicon.Discriminator} {
		if p.Lexicon.Has(l, name) {
			return true
		}
	}
	_, _, reference := lexicon.ReferenceStem(name)
	return reference || p.DB.ReferenceAt(f) != nil || marked(name)
}

// grouped reports whether another rare field comes and goes with this one: an
// optional group. Nothing is known of that if c is nil.
func (c *correlations) grouped(f *profile.Node, fields []*profile.Node) bool {
	if c == nil {
		return false
	}
	for _, g := range fields {
		if g == f || g.Present() > 2*f.Present() || f.Present() > 2*g.Present() {
			continue
		}
		if c.phi(f, g) >= groupCorrelation {
			return true
		}
	}
	return false
}

// explainedByOutlier reports whether a field stands in documents only that the
// rule structural-outlier has reported as unlike the others.
func (p *Pass) explainedByOutlier(e *model.Entity, f *profile.Node, s *found) bool {
	o := p.outliers()
	if o.fields[outlyingField{e.Collection.Name, f.Path().String()}] == f.Present() {
		return true
	}
	return s.count > 0 && s.count == int64(len(s.places)) && !slices.ContainsFunc(s.places, func(at place) bool { return !o.documents[documentAt(at.at)] })
}

func reportSparse(p *Pass, e *model.Entity, f *profile.Node, s *found, objects int64, confidence float64) {
	if s.count == 0 {
		return
	}
	path := f.Path()
	r := Raw{At: s.first(), Finding: finding.Finding{
		Severity: finding.Info, Confidence: confidence,
		Message: fmt.Sprintf("%s is in %s of %s", path, quantity.Grouped(s.count), count(objects, "document")),
		Advice: fmt.Sprintf("If %s is left over or was written by mistake, remove it; if it is a new field, fill it in for the others or say in the schema that it is optional.",
			path),
		Evidence: []finding.Evidence{{Name: "documents", Value: objects}, {Name: "documents.with", Value: s.count}},
	}}
	for _, place := range s.places[1:] {
		r.Related = append(r.Related, RawRelated{Message: "also here", At: place.at})
	}
	p.Report(e, path, r)
}
