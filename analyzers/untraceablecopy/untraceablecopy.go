// Package untraceablecopy reports copies of a document's fields that do not
// say which document they were copied from.
package untraceablecopy

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports copies without the id of the original.
var Rule = check.Rule{Name: "untraceable-copy", Run: run}

func run(p *check.Pass) {
	least, share := int(p.Threshold("fields")), p.Threshold("go-share")
	for _, c := range copies.All(p) {
		f := c.Field
		if c.ID != nil || c.Source != nil || c.Historical != "" || f.Struct == nil || f.Maps > 0 || f.WritesItself() {
			continue
		}
		stem := refs.Plural(f)
		source := refs.Target(p.Program, stem, f.Document)
		if stem == "" || source == nil || source == f.Document || !source.Written && source.Confidence < 0.8 {
			continue
		}
		id := docmodel.ID(source.Fields, source.Name)
		shared := shared(p, f, source)
		if id == nil || traced(p, f, source, id) || len(shared) < least || float64(len(shared)) < share*float64(len(f.Fields)) {
			continue
		}
		confidence := p.Threshold("go-type-alone")
		if taken(p, f, source, shared) {
			confidence = 0.6
		}
		p.Report(check.Finding{
			Field: f, Severity: finding.Info, Confidence: min(confidence, source.Confidence),
			Message: fmt.Sprintf("%s repeats %s of %s, but not its %s: nothing says which %s it is a copy of", f.Path, strings.Join(shared, ", "), source.Name, id.Name, source.Name),
			Advice:  fmt.Sprintf("Store %s of the %s with the copy, so that it can be found when the %s changes.", id.Name, source.Name, source.Name),
			Evidence: []finding.Evidence{
				{Name: "copy of", Value: source.Name}, {Name: "fields", Value: shared}, {Name: "id", Value: id.Type.String()},
			},
			Related: []check.Related{{Pos: id.Var.Pos(), Message: fmt.Sprintf("the %s of %s", id.Name, source.Name)}},
			Fix:     check.Plan("add the %s of the %s to %s", id.Name, source.Name, f.Struct.Obj().Name()),
		})
	}
}

// taken reports whether code sets one of the shared fields to that of the source.
// Otherwise the two types may only describe things of one kind, such as places.
func taken(p *check.Pass, f *docmodel.Field, source *docmodel.Document, shared []string) bool {
	return slices.ContainsFunc(f.Fields, func(inner *docmodel.Field) bool {
		return slices.Contains(shared, inner.Name) && p.Program.ComesFrom(inner, func(v *types.Var) bool {
			return slices.ContainsFunc(source.Fields, func(g *docmodel.Field) bool { return g.Name == inner.Name && g.Var.Origin() == v })
		})
	})
}

// traced reports whether something else identifies the original: a reference in
// or next to the copy, or a value by which the original is looked up.
func traced(p *check.Pass, f *docmodel.Field, source *docmodel.Document, id *docmodel.Field) bool {
	for _, inner := range f.Fields {
		if inner.Scalar() && inner.Kind.IsID() && (refs.Stem(inner) != "" || inner.Has(p.Words(), lexicon.LookupValue) || inner.Kind == docmodel.ObjectID || inner.Kind == docmodel.UUID) {
			return true
		}
	}
	for _, sibling := range f.Siblings() {
		if stem := refs.Plural(sibling); sibling != f && sibling.Kind.IsID() && stem != "" && (refs.Names(stem, source.Name) || stem == refs.Stem(id)) {
			return true
		}
	}
	return false
}

// shared lists the fields that the copy and the source store under the same
// name in the same type, without bookkeeping and parts of addresses.
func shared(p *check.Pass, f *docmodel.Field, source *docmodel.Document) []string {
	own := map[string]*docmodel.Field{}
	for _, g := range source.Fields {
		own[g.Name] = g
	}
	var names []string
	for _, inner := range f.Fields {
		g := own[inner.Name]
		if g != nil && g.Kind == inner.Kind && g.Lists == inner.Lists && g.Maps == inner.Maps && g.Elem.String() == inner.Elem.String() &&
			!inner.Has(p.Words(), lexicon.Metadata) && !inner.Has(p.Words(), lexicon.System) && !addressPart(inner.Name) {
			names = append(names, inner.Name)
		}
	}
	return names
}

func addressPart(name string) bool {
	return slices.ContainsFunc(lexicon.Tokens(name), func(t string) bool { return slices.Contains(addressParts(), t) })
}

var addressParts = rulebook.Words("untraceable-copy", "address-parts")
