package check

import (
	"fmt"
	"go/format"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// A NewField is a field that a fix adds to a struct. Its type must have a zero
// value that omitempty omits.
type NewField struct {
	Name, Type string // in Go
	Stored     string
}

// AddFields returns the edit that adds fields at the end of the struct that
// declares a field. Their tags omit them while they are empty, so what is
// stored does not change. ok is false if code might not compile afterwards, a
// name is already used, or the struct is on one line.
func (p *Pass) AddFields(f *docmodel.Field, fields ...NewField) (edit analysis.TextEdit, ok bool) {
	if f.Owner == nil {
		return edit, false
	}
	declared := p.Program.Declaration(f.Owner)
	if declared == nil || declared.Package != p.Package || declared.Struct == nil || !p.Program.Extensible(declared.Named) {
		return edit, false
	}
	var source strings.Builder
	source.WriteString("package p\n\ntype t struct {\n")
	for _, field := range fields {
		if object, _, _ := types.LookupFieldOrMethod(types.NewPointer(declared.Named), true, p.Package.Types, field.Name); object != nil || f.Stores(field.Stored) {
			return edit, false
		}
		fmt.Fprintf(&source, "%s %s %s\n", field.Name, field.Type, f.Tags(field.Stored))
	}
	source.WriteString("}\n")
	formatted, err := format.Source([]byte(source.String()))
	if err != nil {
		return edit, false
	}
	list, file := declared.Struct.Fields, p.Program.Fset().File(declared.Struct.Pos())
	closing := file.Position(list.Closing)
	if list.NumFields() == 0 || file.Line(list.List[len(list.List)-1].End()) >= closing.Line {
		return edit, false
	}
	_, body, _ := strings.Cut(string(formatted), "struct {\n")
	body = strings.TrimSuffix(body, "}\n")
	if indent := strings.Repeat("\t", closing.Column-1); indent != "" {
		body = indent + strings.ReplaceAll(strings.TrimSuffix(body, "\n"), "\n", "\n"+indent) + "\n"
	}
	at := file.LineStart(closing.Line)
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte("\n" + body)}, true
}
