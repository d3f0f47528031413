// Package inconsistentdiscriminator reports fields that give the kind of a
// document, but not always in the same way.
package inconsistentdiscriminator

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/kinds"
	"github.com/shapevet/shapevet/internal/finding"
)

// Rule reports discriminators that are used inconsistently.
var Rule = check.Rule{Name: "inconsistent-discriminator", Run: run}

func run(p *check.Pass) {
	for _, d := range p.Documents() {
		for _, f := range kinds.Discriminators(p.Words(), d) {
			if !f.Promoted && !f.WritesItself() {
				spellings(p, f)
			}
		}
		if !d.Written {
			continue
		}
		for _, collection := range d.Collections {
			if others := kinds.Others(p.Program, d, collection); len(others) > 0 {
				shared(p, d, others, collection)
				break
			}
		}
	}
}

// spellings reports a field that is set to constants that differ only in case.
func spellings(p *check.Pass, f *docmodel.Field) {
	found, _ := kinds.Constants(p.Program, f)
	counts := map[string]int{}
	for _, c := range found {
		counts[c.Value]++
	}
	for i, c := range found {
		for _, other := range found[:i] {
			if c.Value == other.Value || !strings.EqualFold(c.Value, other.Value) {
				continue
			}
			common, odd := other, c
			if counts[odd.Value] > counts[common.Value] {
				common, odd = odd, common
			}
			p.Report(check.Finding{
				Field: f, Confidence: 0.85,
				Message:  fmt.Sprintf("%s is set to %q and to %q: a reader that knows one of them skips the others", f.Path, common.Value, odd.Value),
				Advice:   fmt.Sprintf("Declare a constant for each value of %s.%s, and use it everywhere.", f.OwnerName(), f.GoName()),
				Evidence: []finding.Evidence{{Name: "values", Value: []string{common.Value, odd.Value}}},
				Related: []check.Related{
					{Pos: common.Pos(), Message: fmt.Sprintf("%q here", common.Value)}, {Pos: odd.Pos(), Message: fmt.Sprintf("%q here", odd.Value)},
				},
				Fix: respell(p, f, common, odd),
			})
			return
		}
	}
}

// respell replaces one spelling by the other, which changes what is stored.
func respell(p *check.Pass, f *docmodel.Field, common, odd kinds.Constant) *check.Fix {
	title := fmt.Sprintf("set %s to %q", f.Path, common.Value)
	if literal, ok := ast.Unparen(odd.Expr).(*ast.BasicLit); ok && odd.Pkg == p.Package {
		text := strings.Replace(literal.Value, odd.Value, common.Value, 1)
		edit := analysis.TextEdit{Pos: literal.Pos(), End: literal.End(), NewText: []byte(text)}
		if fix := p.Edit(title, finding.Unsafe, edit); fix != nil {
			return fix
		}
	}
	return &check.Fix{Title: title, Safety: finding.Plan}
}

// shared compares a type's discriminator with those of other types in the same
// collection.
func shared(p *check.Pass, d *docmodel.Document, others []*docmodel.Document, collection string) {
	own := kinds.Discriminators(p.Words(), d)
	if len(own) == 0 {
		return
	}
	for _, other := range others {
		theirs := kinds.Discriminators(p.Words(), other)
		f, g := same(own, theirs)
		switch {
		case len(theirs) == 0:
		case f == nil:
			names(p, own[0], theirs[0], collection)
			return
		case contradicts(p, f, g, collection) || unset(p, f, g, collection):
			return
		}
	}
}

// same returns a discriminator that both types store under one name.
func same(own, theirs []*docmodel.Field) (f, g *docmodel.Field) {
	for _, f := range own {
		if i := slices.IndexFunc(theirs, func(g *docmodel.Field) bool { return g.Name == f.Name }); i >= 0 {
			return f, theirs[i]
		}
	}
	return nil, nil
}

// names reports two types whose discriminators have different names. Unless
// constants prove that both are discriminators, a field called type may mean
// something else.
func names(p *check.Pass, f, g *docmodel.Field, collection string) {
	confidence := 0.4
	one, other := kinds.One(p.Program, f), kinds.One(p.Program, g)
	if one != "" && other != "" && one != other {
		confidence = 0.8
	}
	p.Report(check.Finding{
		Field: f, Confidence: confidence,
		Message:  fmt.Sprintf("%s says what it is in %s, %s in %s: readers of %s must look at both", f.Document.Name, f.Name, g.Document.Name, g.Name, collection),
		Advice:   fmt.Sprintf("Store both under one name, such as %s.", shorter(f.Name, g.Name)),
		Evidence: []finding.Evidence{{Name: "collection", Value: collection}, {Name: "fields", Value: []string{f.Name, g.Name}}},
		Related:  []check.Related{{Pos: g.Var.Pos(), Message: fmt.Sprintf("the discriminator of %s", g.Document.Name)}},
		Fix:      check.Plan("store both under one name"),
	})
}

func shorter(a, b string) string {
	if len(b) < len(a) || len(a) == len(b) && b < a {
		return b
	}
	return a
}

// contradicts reports two types with the same discriminator value.
func contradicts(p *check.Pass, f, g *docmodel.Field, collection string) bool {
	value := kinds.One(p.Program, f)
	if value == "" || value != kinds.One(p.Program, g) {
		return false
	}
	p.Report(check.Finding{
		Field: f, Severity: finding.Error, Confidence: 0.85,
		Message:  fmt.Sprintf("%s and %s share the collection %s, and both say that they are %q", f.Document.Name, g.Document.Name, collection, value),
		Advice:   fmt.Sprintf("Give %s a value of its own.", f.Document.Name),
		Evidence: []finding.Evidence{{Name: "collection", Value: collection}, {Name: "value", Value: value}},
		Related:  []check.Related{{Pos: g.Var.Pos(), Message: fmt.Sprintf("%s is set to %q too", g.Document.Name, value)}},
		Fix:      check.Plan("give %s a value of its own", f.Document.Name),
	})
	return true
}

// unset reports a type whose values are made without a discriminator value,
// while another type in the collection sets it.
func unset(p *check.Pass, f, g *docmodel.Field, collection string) bool {
	set, all := kinds.Constants(p.Program, f)
	value := kinds.One(p.Program, g)
	if len(set) > 0 || !all || f.Promoted || value == "" {
		return false
	}
	s := &check.Score{}
	for _, literal := range p.Program.Literals(f.Document.Named) {
		if !literal.Keyed {
			return false
		}
		if len(literal.Node.Elts) > 0 {
			s.At(literal.Node.Pos(), "made without %s", f.GoName())
		}
	}
	if len(s.Related) == 0 {
		return false // made elsewhere, or decoded from a request
	}
	s.Add(0, "collection", collection)
	s.Add(0, "value of "+g.Document.Name, value)
	p.Report(check.Finding{
		Field: f, Severity: finding.Info, Confidence: 0.7, Evidence: s.Evidence, Related: s.Related,
		Message: fmt.Sprintf("%s is never set: every %s is stored in %s without a kind, next to a %s that says %q", f.Path, f.Document.Name, collection, g.Document.Name, value),
		Advice:  fmt.Sprintf("Set %s to a constant wherever %s is made.", f.GoName(), f.Document.Name),
		Fix:     setAll(p, f, g, value),
	})
	return true
}

// setAll sets the field in all literals, in the style of the other type's
// value.
func setAll(p *check.Pass, f, g *docmodel.Field, value string) *check.Fix {
	plan := check.Plan("set %s where %s is made", f.GoName(), f.Document.Name)
	own := ""
	for _, style := range []func(string) string{strings.ToLower, strings.ToUpper, lowerFirst, func(s string) string { return s }} {
		if style(g.Document.Name) == value {
			own = style(f.Document.Name)
			break
		}
	}
	if own == "" {
		return plan
	}
	edits := kinds.SetInLiterals(p, f.Document, f.GoName(), strconv.Quote(own))
	if fix := p.Edit(fmt.Sprintf("set %s to %q where %s is made", f.GoName(), own, f.Document.Name), finding.Unsafe, edits...); fix != nil {
		return fix
	}
	return plan
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
