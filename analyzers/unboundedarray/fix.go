package unboundedarray

import (
	"fmt"
	"go/ast"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// keep is how many elements a document keeps after the fix.
const keep = 3

// fix adds what the better model needs and changes nothing that is stored: the
// type of a child document with a reference back, the length of the selection
// that stays, and a mark on the list. Moving the code over is up to people.
func fix(p *docmodel.Pass, f *docmodel.Field) *docmodel.Fix {
	if child := childType(p, f); child != nil {
		return child
	}
	if slice := sliceUpdate(p, f); slice != nil {
		return slice
	}
	return &docmodel.Fix{
		Title: fmt.Sprintf("store the elements of %s as documents that carry the id of their %s", f.Path, f.Document.Name), Safety: finding.Plan,
	}
}

func childType(p *docmodel.Pass, f *docmodel.Field) *docmodel.Fix {
	d := f.Document
	element := p.ElementSource(f)
	id := docmodel.ID(d.Fields, d.Name)
	if element == "" || id == nil || f.Parent != nil || f.Owner == nil || docmodel.TypeKey(f.Owner) != d.Key {
		return nil
	}
	thing := exported(singular(f))
	name, maximum := exported(d.Name)+thing, "MaxRecent"+exported(f.GoName())
	idName, idStored := exported(d.Name)+"ID", lower(d.Name)+"Id"
	for _, inner := range f.Fields {
		if inner.GoName() == idName || inner.Name == idStored {
			return nil // it has the reference already
		}
	}
	idType := p.Spell(id)
	if idType == "" {
		return nil
	}
	inline := ""
	if d.Codec == docmodel.BSON {
		inline = " `bson:\",inline\"`"
	}
	source := fmt.Sprintf(`// %[1]s is how many %[2]s the %[3]s itself keeps.
const %[1]s = %[4]d

// %[5]s is one of the %[2]s of a %[3]s, stored as a document of its own.
type %[5]s struct {
	%[6]s %[7]s %[8]s
	%[9]s%[10]s
}
`, maximum, f.GoName(), d.Name, keep, name, idName, idType, d.Tags(idStored), element, inline)
	declared, ok := p.DeclareAfter(d, source, name, maximum)
	if !ok {
		return nil
	}
	mark, ok := p.Deprecate(f, fmt.Sprintf("grows without bound, see %s.", name))
	if !ok {
		return nil
	}
	return &docmodel.Fix{
		Title:  fmt.Sprintf("add the type %s for documents of their own and mark %s", name, f.GoName()),
		Safety: finding.Safe, Edits: []analysis.TextEdit{mark, declared},
	}
}

// sliceUpdate bounds a $push that is written as a literal.
func sliceUpdate(p *docmodel.Pass, f *docmodel.Field) *docmodel.Fix {
	for _, u := range f.Updated("$push") {
		if u.Pkg != p.Package || u.Each || f.Document.Codec != docmodel.BSON {
			continue
		}
		lit, ok := u.Entries.(*ast.CompositeLit)
		value, isExpr := u.Node.(ast.Expr)
		if !ok || !isExpr || lit.Type == nil {
			continue
		}
		typ := p.Source(lit.Type)
		if !strings.HasSuffix(typ, ".M") {
			continue
		}
		array := strings.TrimSuffix(typ, "M") + "A"
		text := fmt.Sprintf(`%s{"$each": %s{%s}, "$slice": %d}`, typ, array, p.Source(value), -keep)
		return &docmodel.Fix{
			Title:  fmt.Sprintf("keep the last %d elements of %s", keep, f.Path),
			Safety: finding.Unsafe,
			Edits:  []analysis.TextEdit{{Pos: value.Pos(), End: value.End(), NewText: []byte(text)}},
		}
	}
	return nil
}

func singular(f *docmodel.Field) string {
	tokens := lexicon.Tokens(f.GoName())
	if n := len(tokens); n > 0 {
		tokens[n-1] = lexicon.Singular(tokens[n-1])
		for i := range tokens {
			tokens[i] = exported(tokens[i])
		}
	}
	return strings.Join(tokens, "")
}

func exported(name string) string {
	if name == "" {
		return ""
	}
	runes := []rune(name)
	runes[0] = unicode.ToUpper(runes[0])
	return string(runes)
}

func lower(name string) string {
	runes := []rune(name)
	if len(runes) > 0 {
		runes[0] = unicode.ToLower(runes[0])
	}
	return string(runes)
}
