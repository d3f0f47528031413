// Package nestedarray reports arrays directly in arrays. Firestore refuses
// them. Elsewhere, most indexes and update operators cannot reach the inner
// elements. Points, rings and matrices are single values where they can be
// stored.
package nestedarray

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/geo"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is nested-array on documents.
var Rule = check.Rule{Name: "nested-array", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Array == nil || n.Array.Elem.Types[profile.Array] == 0 {
				return !geo.IsGeometry(n) || !p.Limits.ArraysInArrays
			}
			if p.Limits.ArraysInArrays && geo.IsCoordinates(n) {
				return false
			}
			reportNested(p, e, n)
			return false // deeper levels are the same mistake
		})
	}
}}

func reportNested(p *check.Pass, e *model.Entity, n *profile.Node) {
	inner := n.Array.Elem
	what := fmt.Sprintf("%s holds arrays in an array (%s in %s)", naming.ListName(n), wording.Count(inner.Types[profile.Array], "inner array"), wording.Count(n.Documents(), "document"))
	f := finding.Finding{
		Severity: finding.Info, Confidence: 0.4,
		Message: what + ": most indexes and update operators reach only one level of arrays",
		Advice: fmt.Sprintf("Make each inner array an object with named fields, or wrap it if it is a plain list: "+
			`{"values": […]}. Then %s can be indexed, and an inner list can be changed, by name.`, naming.ListName(n)),
		Evidence: []finding.Evidence{
			{Name: "arrays.inner", Value: inner.Types[profile.Array]},
			{Name: "documents", Value: n.Documents()},
			{Name: "length.inner.max", Value: inner.Array.Len.Max},
		},
	}
	// Rows of scalars may be a table, a matrix or a key of several parts, which is one
	// value, unless they refer to documents. An inner array that holds lists and single
	// values is an object whose fields have no names.
	cause := ""
	if elem := inner.Array.Elem; elem.Types[profile.Object] > 0 || naming.Positional(elem) || p.DB.ReferenceAt(elem) != nil {
		f.Confidence, cause = 0.6, e.Collection.Name
	}
	if !p.Limits.ArraysInArrays {
		f.Severity, f.Confidence = finding.Error, 0.95
		f.Message = fmt.Sprintf("%s: %s rejects such a document", what, p.Limits.Title)
		f.Advice = `Wrap each inner array in an object, {"values": […]}; write geometries as text (GeoJSON in a string) or as a list of geopoints.`
	}
	at := inner.First(profile.Array)
	f.Fixes = wrapArrays(p, e, n, at)
	p.Report(e, n.Path(), check.Raw{Finding: f, At: at, Cause: cause})
}

// wrapArrays shows the first document with each inner array in an object.
func wrapArrays(p *check.Pass, e *model.Entity, n *profile.Node, at profile.Pos) []finding.Fix {
	d, err := p.Document(at)
	if err != nil {
		return nil
	}
	before, cut := plans.Shown(d.Document, 4)
	if before == nil {
		return nil
	}
	after := before.Clone()
	after.Replace(n.Path(), wrapInner)
	title := "wrap each inner array in an object"
	if cut {
		title += " (shown with a shortened document)"
	}
	return []finding.Fix{plans.Fix(title, e.Collection.Name, before, after)}
}

// wrapInner wraps the arrays directly in an array in objects, at any depth.
func wrapInner(v *reshape.Value) *reshape.Value {
	if v.Kind() != scan.Array {
		return v
	}
	out := reshape.Array()
	for _, e := range v.Elements() {
		if e.Kind() == scan.Array {
			e = reshape.Object(reshape.Member{Name: "values", Value: wrapInner(e)})
		}
		out.Append(e)
	}
	return out
}
