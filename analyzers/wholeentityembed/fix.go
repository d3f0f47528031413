package wholeentityembed

import (
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// fix declares the type to use instead: the id and what hardly changes, under
// the names by which the copies are stored, so that it reads them. The field
// keeps its type and is marked.
func fix(p *docmodel.Pass, c copies.Copy) *docmodel.Fix {
	f := c.Field
	plan := &docmodel.Fix{
		Title: fmt.Sprintf("keep the id of the %s and the fields that are shown with the %s", c.Source.Name, f.Document.Name), Safety: finding.Plan,
	}
	if c.ID == nil || f.Owner == nil || f.Struct == nil || f.Custom {
		return plan
	}
	name := refs.Noun(c.Source.Name) + "Ref"
	var source strings.Builder
	fmt.Fprintf(&source, "// %s is what %s keeps of %s.\ntype %s struct {\n", name, refs.An(f.OwnerName()), refs.An(c.Source.Name), name)
	fields := 0
	for _, inner := range f.Fields {
		if inner != c.ID && (inner.Promoted || !inner.Scalar() || !inner.Has(p.Words(), lexicon.Slow) || inner.Has(p.Words(), lexicon.Metadata)) {
			continue
		}
		written := p.TypeSource(inner.Type, f.Var.Pos())
		if written == "" {
			return plan
		}
		tag := inner.RawTag
		if tag != "" {
			tag = "`" + tag + "`"
		}
		fmt.Fprintf(&source, "\t%s %s %s\n", inner.GoName(), written, tag)
		fields++
	}
	source.WriteString("}\n")
	if fields < 2 {
		return plan // the id alone: a reference will do
	}
	declared, ok := p.DeclareAfterType(f.Owner, source.String(), name)
	if !ok || strings.Count(source.String(), "`")%2 != 0 {
		return plan
	}
	mark, ok := p.Deprecate(f, fmt.Sprintf("holds the whole %s, use %s.", c.Source.Name, name))
	if !ok {
		return plan
	}
	if found := p.Edit(fmt.Sprintf("add the type %s and mark %s", name, f.GoName()), finding.Safe, mark, declared); found != nil {
		return found
	}
	return plan
}
