// Package duplicatereference reports lists of references to which code adds ids
// that may already be in them.
package duplicatereference

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
)

// Rule reports ids pushed to a list of references.
var Rule = check.Rule{Name: "duplicate-reference", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		if f.Lists != 1 || f.Maps > 0 || !f.Kind.IsID() || !references(p, f) || sequence(p, f) {
			continue
		}
		s := &check.Score{}
		var first *docmodel.Update
		for _, u := range f.Updated("$push") {
			if u.Each || u.Sliced || !single(f, u) || guarded(f, u) || p.Program.Looks(u, f) || fresh(p.Program, u, f) || refused(p.Program, u) {
				continue
			}
			if first == nil {
				first = u
			}
			s.At(u.Pos, "%s adds an id without checking that it is new", operation(p, f))
		}
		if first == nil {
			continue
		}
		confidence := 0.7
		s.Add(0, "pushed in", first.Func)
		if p.DB(f.Document) == "cosmosdb" { // it has no operation that keeps a set
			confidence = 0.4
		}
		p.Report(check.Finding{
			Field: f, Confidence: confidence, Evidence: s.Evidence, Related: s.Related,
			Message: fmt.Sprintf("%s refers to each %s once, but %s adds the id again if the request is repeated", f.Path, thing(f), first.Func),
			Advice:  advice(p, f), Fix: fix(p, f, first),
		})
	}
}

// references reports whether a list's elements are ids of documents.
func references(p *check.Pass, f *docmodel.Field) bool {
	if f.Directive("ref") != nil || f.Kind == docmodel.ObjectID || refs.Stem(f) != "" {
		return true
	}
	stem := refs.Plural(f)
	target := refs.Target(p.Program, stem, f.Document)
	if stem == "" || target == nil {
		return false
	}
	id := docmodel.ID(target.Fields, target.Name)
	return id != nil && id.Kind == f.Kind
}

// sequence reports whether the names around a list mean a sequence.
func sequence(p *check.Pass, f *docmodel.Field) bool {
	names := []string{f.Document.Name, f.OwnerName()}
	for up := f; up != nil; up = up.Parent {
		names = append(names, up.GoName(), up.Name)
	}
	return slices.ContainsFunc(names, p.Words().Sequence)
}

// single reports whether an update adds one id.
func single(f *docmodel.Field, u *docmodel.Update) bool {
	if f.Document.Codec != docmodel.BSON {
		return true
	}
	if u.Value == nil {
		return false
	}
	_, list := u.Value.Underlying().(*types.Slice)
	return !list && docmodel.KindOf(u.Value, f.Document.Codec).IsID()
}

// guarded reports whether the update or its function checks the list or removes
// the id first.
func guarded(f *docmodel.Field, u *docmodel.Update) bool {
	if slices.ContainsFunc(u.Filters, func(path string) bool { return strings.HasPrefix(path, f.Dotted) || strings.HasPrefix(path, "$") }) {
		return true
	}
	fn := u.Pkg.Function(u.Pos)
	if fn == nil {
		return false
	}
	mentions := 0
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == u.Node {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if v, ok := u.Pkg.Info.ObjectOf(n.Sel).(*types.Var); ok && v.IsField() && v.Origin() == f.Var {
				mentions += 2
			}
		case *ast.BasicLit:
			if tv := u.Pkg.Info.Types[n]; tv.Value != nil && strings.Trim(tv.Value.ExactString(), `"`) == f.Dotted {
				mentions++
			}
		}
		return true
	})
	return mentions > 1
}

// refused reports whether a function rejects a repeated request: it returns because
// of the value of a field, and sets or counts up that field itself.
func refused(p *docmodel.Program, u *docmodel.Update) bool {
	fn := u.Pkg.Function(u.Pos)
	if fn == nil {
		return false
	}
	for n := range ast.Preorder(fn.Body) {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Pos() > u.Pos || len(branch.Body.List) == 0 {
			continue
		}
		if _, ok := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt); !ok {
			continue
		}
		var counted ast.Expr // x.F of x.F > 0: what increases it from 0 is not repeated
		for e := range ast.Preorder(branch.Cond) {
			if test, ok := e.(*ast.BinaryExpr); ok {
				zero := u.Pkg.Info.Types[test.Y].Value
				if (test.Op == token.GTR || test.Op == token.NEQ) && zero != nil && zero.ExactString() == "0" {
					counted = ast.Unparen(test.X)
				}
			}
			mark, ok := e.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			v, ok := u.Pkg.Info.ObjectOf(mark.Sel).(*types.Var)
			if ok && v.IsField() && slices.ContainsFunc(p.Occurrences(v.Origin()), func(f *docmodel.Field) bool {
				return slices.ContainsFunc(f.Updated("$set", "$inc"), func(set *docmodel.Update) bool { return set.In == u.In && (set.Op == "$set" || mark == counted) })
			}) {
				return true
			}
		}
	}
	return false
}

func operation(p *check.Pass, f *docmodel.Field) string {
	switch p.DB(f.Document) {
	case "mongodb":
		return "$push"
	case "dynamodb":
		return "list_append"
	case "couchbase":
		return "ArrayAppendSpec"
	}
	return "the operation"
}

func thing(f *docmodel.Field) string {
	if stem := refs.Plural(f); stem != "" {
		return stem
	}
	return "document"
}

func advice(p *check.Pass, f *docmodel.Field) string {
	switch p.DB(f.Document) {
	case "mongodb":
		return fmt.Sprintf("Add to %s with $addToSet, which skips an id that is already there.", f.Path)
	case "dynamodb":
		return fmt.Sprintf("Store %s as a string set and add to it with ADD, which skips an id that is already there.", f.Path)
	case "couchbase":
		return fmt.Sprintf("Add to %s with ArrayAddUniqueSpec, which skips an id that is already there.", f.Path)
	}
	return fmt.Sprintf("Read %s, check that the id is new, and write with the ETag that you read.", f.Path)
}
