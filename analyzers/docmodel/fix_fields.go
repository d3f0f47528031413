package docmodel

import (
	"fmt"
	"go/format"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
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
func (p *Pass) AddFields(f *Field, fields ...NewField) (edit analysis.TextEdit, ok bool) {
	if f.Owner == nil {
		return edit, false
	}
	declared := p.Program.declared[TypeKey(f.Owner)]
	if declared == nil || declared.pkg != p.Package || declared.local || declared.syntax == nil || !p.Program.Extensible(declared.named) {
		return edit, false
	}
	var source strings.Builder
	source.WriteString("package p\n\ntype t struct {\n")
	for _, field := range fields {
		if object, _, _ := types.LookupFieldOrMethod(types.NewPointer(declared.named), true, p.Package.Types, field.Name); object != nil || f.stores(field.Stored) {
			return edit, false
		}
		fmt.Fprintf(&source, "%s %s %s\n", field.Name, field.Type, f.Tags(field.Stored))
	}
	source.WriteString("}\n")
	formatted, err := format.Source([]byte(source.String()))
	if err != nil {
		return edit, false
	}
	list, file := declared.syntax.Fields, p.Program.fset.File(declared.syntax.Pos())
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

// stores reports whether a name, in any spelling, is stored next to the field.
func (f *Field) stores(name string) bool {
	return slices.ContainsFunc(f.Siblings(), func(sibling *Field) bool { return lexicon.Fold(sibling.Name) == lexicon.Fold(name) })
}

// NameLike joins words into a stored name for a new field, in the style of the
// names next to this one.
func (f *Field) NameLike(words ...string) string {
	counts := map[lexicon.Style]int{}
	best := lexicon.StyleCamel // the default if no name has several words
	for _, field := range f.Siblings() {
		style := lexicon.StyleOf(field.Name)
		if style != lexicon.StyleCamel && style != lexicon.StyleSnake && style != lexicon.StylePascal {
			continue
		}
		counts[style]++
		if counts[style] > counts[best] {
			best = style
		}
	}
	return best.Join(words...)
}

// Plan returns the fix without its edits, for a finding that is a guess.
func (f *Fix) Plan() *Fix {
	if f == nil {
		return nil
	}
	return &Fix{Title: f.Title, Safety: finding.Plan}
}
