package unboundedarray

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// slicePush bounds every $push in a literal, also behind a variable. If one
// cannot be edited, or serves other lists too, there is no fix.
func slicePush(p *check.Pass, f *docmodel.Field) *check.Fix {
	appended := slices.ContainsFunc(f.Writes, func(w *docmodel.FieldWrite) bool { return w.Kind == docmodel.Appends && !w.Fresh && !w.Guarded })
	if f.Document.Codec != docmodel.BSON || appended || slices.ContainsFunc(p.Program.Growths(f), func(g docmodel.Growth) bool { return g.Write != nil && !g.Bound }) {
		return nil
	}
	bound := int(p.Threshold("go-bound"))
	var edits []analysis.TextEdit
	for _, u := range f.Updated("$push", "$addToSet", "$pushAll") {
		if u.Sliced {
			continue
		}
		if u.Op != "$push" || u.Pkg != p.Package || u.Handed() {
			return nil
		}
		more := bounded(p, u, bound)
		if more == nil {
			return nil
		}
		edits = append(edits, more...)
	}
	return p.Edit(fmt.Sprintf("keep the last %d elements of %s", bound, f.Path), finding.Unsafe, edits...)
}

// bounded returns the edits that add $slice to a $push.
func bounded(p *check.Pass, u *docmodel.Update, bound int) []analysis.TextEdit {
	value, ok := u.Node.(ast.Expr)
	if !ok {
		return nil
	}
	if modifiers, ok := ast.Unparen(value).(*ast.CompositeLit); ok {
		switch {
		case u.Each:
			return added(p, modifiers, bound)
		case says(p, modifiers, "$concatArrays"):
			document, list := spelled(p, modifiers)
			if document == "" {
				return nil
			}
			return around(value, fmt.Sprintf("%s{%s{", document, entry(p, modifiers, "$slice", list)), fmt.Sprintf(", -%d}%s}", bound, closed(p, modifiers)))
		}
	}
	lit, ok := u.Entries.(*ast.CompositeLit)
	if !ok || u.Each {
		return nil
	}
	document, list := spelled(p, lit)
	if document == "" {
		return nil
	}
	slice := entry(p, lit, "$slice", strconv.Itoa(-bound)) + closed(p, lit)
	return around(value, fmt.Sprintf("%s{%s{", document, entry(p, lit, "$each", list)), fmt.Sprintf("}%s, %s}", closed(p, lit), slice))
}

func around(value ast.Expr, before, after string) []analysis.TextEdit {
	return []analysis.TextEdit{
		{Pos: value.Pos(), End: value.Pos(), NewText: []byte(before)},
		{Pos: value.End(), End: value.End(), NewText: []byte(after)},
	}
}

// added returns the edits that add $slice next to $each.
func added(p *check.Pass, modifiers *ast.CompositeLit, bound int) []analysis.TextEdit {
	if len(modifiers.Elts) == 0 {
		return nil
	}
	end := modifiers.Elts[len(modifiers.Elts)-1].End()
	text := ", " + entry(p, modifiers, "$slice", strconv.Itoa(-bound)) + closed(p, modifiers)
	return []analysis.TextEdit{{Pos: end, End: end, NewText: []byte(text)}}
}

// ordered reports whether a literal is a list of keys with values, like bson.D,
// rather than a map.
func ordered(p *check.Pass, lit *ast.CompositeLit) bool {
	t := p.Package.Info.TypeOf(lit)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// entry returns the text of a key and a value in a literal, without the end of
// the entry.
func entry(p *check.Pass, lit *ast.CompositeLit, key, value string) string {
	if ordered(p, lit) {
		return fmt.Sprintf("{Key: %q, Value: %s", key, value)
	}
	return fmt.Sprintf("%q: %s", key, value)
}

// closed returns the end of an entry.
func closed(p *check.Pass, lit *ast.CompositeLit) string {
	if ordered(p, lit) {
		return "}"
	}
	return ""
}

// spelled returns the package's spelling of a literal's type and of a list of
// anything next to it, or "" if the literal is not a document.
func spelled(p *check.Pass, lit *ast.CompositeLit) (document, list string) {
	t := p.Package.Info.TypeOf(lit)
	if t == nil {
		return "", ""
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		if i, ok := u.Elem().Underlying().(*types.Interface); !ok || i.NumMethods() > 0 {
			return "", ""
		}
	case *types.Slice:
	default:
		return "", ""
	}
	document, list = p.TypeSource(t, lit.Pos()), "[]any"
	if named, ok := t.(interface{ Obj() *types.TypeName }); ok && named.Obj().Pkg() != nil {
		if a, ok := named.Obj().Pkg().Scope().Lookup("A").(*types.TypeName); ok {
			list = p.TypeSource(a.Type(), lit.Pos())
		}
	}
	return document, list
}

// says reports whether a literal has a text.
func says(p *check.Pass, lit *ast.CompositeLit, text string) bool {
	for n := range ast.Preorder(lit) {
		if e, ok := n.(ast.Expr); ok {
			if said, _ := p.Package.Text(e); said == text {
				return true
			}
		}
	}
	return false
}
