package check

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// DeclareAfter returns the edit that adds declarations after the declaration of
// a type. ok is false if that is impossible: the type is generic, local or in
// another package, or a name is already used.
func (p *Pass) DeclareAfter(named *types.Named, source string, names ...string) (edit analysis.TextEdit, ok bool) {
	declared := p.Program.Declaration(named)
	if declared == nil || declared.Package != p.Package || named.TypeParams().Len() > 0 || p.Package.Types == nil {
		return edit, false
	}
	for _, name := range names {
		if p.Package.Types.Scope().Lookup(name) != nil || !token.IsIdentifier(name) {
			return edit, false
		}
	}
	formatted, err := format.Source([]byte(source))
	if err != nil {
		return edit, false
	}
	for _, decl := range declared.File.Decls {
		if decl.Pos() <= declared.Spec.Pos() && declared.Spec.Pos() < decl.End() {
			end := p.lineEnd(decl.End())
			return analysis.TextEdit{Pos: end, End: end, NewText: []byte("\n\n" + strings.TrimSpace(string(formatted)))}, end.IsValid()
		}
	}
	return edit, false
}

// lineEnd returns the end of the line of a position, including comments.
func (p *Pass) lineEnd(pos token.Pos) token.Pos {
	file := p.Program.Fset().File(pos)
	line := file.Line(pos)
	if line >= file.LineCount() {
		return token.Pos(file.Base() + file.Size())
	}
	return file.LineStart(line+1) - 1
}

// Plan returns a fix that only a person can apply.
func Plan(format string, arguments ...any) *Fix {
	return &Fix{Title: fmt.Sprintf(format, arguments...), Safety: finding.Plan}
}

// Rewrite returns the fix that replaces a node with a text.
func Rewrite(node ast.Node, text, format string, arguments ...any) *Fix {
	edit := analysis.TextEdit{Pos: node.Pos(), End: node.End(), NewText: []byte(text)}
	return &Fix{Title: fmt.Sprintf(format, arguments...), Safety: finding.Unsafe, Edits: []analysis.TextEdit{edit}}
}

// Retag returns the fix that changes a field's stored name and options, or a
// plan if the tag cannot be edited.
func (p *Pass) Retag(f *docmodel.Field, title, key, name string, options ...string) *Fix {
	edit, ok := p.SetTag(f, key, strings.Join(append([]string{name}, options...), ","))
	if !ok {
		return &Fix{Title: title, Safety: finding.Plan}
	}
	return &Fix{Title: title, Safety: finding.Unsafe, Edits: []analysis.TextEdit{edit}}
}

// Retypable reports whether a field's declared type can change without breaking
// the build: no other field shares the declaration, and no code mentions the
// field.
func (p *Pass) Retypable(f *docmodel.Field) bool {
	return f.Syntax != nil && len(f.Syntax.Names) == 1 && !p.Program.Mentioned(f.Var)
}

// SetTag returns the edit that sets the value of a key in a field's struct tag.
// It adds the key or the tag if it is missing.
func (p *Pass) SetTag(f *docmodel.Field, key, value string) (edit analysis.TextEdit, ok bool) {
	if f.Syntax == nil || len(f.Syntax.Names) > 1 {
		return edit, false
	}
	pair := fmt.Sprintf("%s:%s", key, strconv.Quote(value))
	if f.Syntax.Tag == nil {
		end := f.Syntax.Type.End()
		return analysis.TextEdit{Pos: end, End: end, NewText: []byte(" `" + pair + "`")}, true
	}
	raw := f.Syntax.Tag.Value
	if !strings.HasPrefix(raw, "`") {
		return edit, false
	}
	if old, found := docmodel.LookupTag(strings.Trim(raw, "`"), key); found {
		was := fmt.Sprintf("%s:%s", key, strconv.Quote(old))
		if !strings.Contains(raw, was) {
			return edit, false
		}
		raw = strings.Replace(raw, was, pair, 1)
	} else {
		raw = "`" + strings.TrimSpace(strings.Trim(raw, "`")+" "+pair) + "`"
	}
	return analysis.TextEdit{Pos: f.Syntax.Tag.Pos(), End: f.Syntax.Tag.End(), NewText: []byte(raw)}, true
}

// TypeSource returns the source text of a type at a position of the package, or
// "" if the file there lacks an import for it.
func (p *Pass) TypeSource(t types.Type, at token.Pos) string {
	imported := true
	text := types.TypeString(t, func(pkg *types.Package) string {
		if pkg == p.Package.Types {
			return ""
		}
		name := p.importName(at, pkg)
		imported = imported && name != ""
		return name
	})
	if !imported || strings.Contains(text, "invalid type") {
		return ""
	}
	return text
}

// importName returns the name under which the file at a position imports a
// package, or "".
func (p *Pass) importName(at token.Pos, pkg *types.Package) string {
	file := p.Package.File(at)
	if file == nil {
		return ""
	}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != pkg.Path() {
			continue
		}
		switch {
		case spec.Name == nil:
			return pkg.Name()
		case spec.Name.Name != "_" && spec.Name.Name != ".":
			return spec.Name.Name
		}
	}
	return ""
}

// Line returns the line of a position in its file.
func (p *Pass) Line(pos token.Pos) int { return p.Program.Fset().Position(pos).Line }
