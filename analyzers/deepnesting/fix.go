package deepnesting

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// fix adds the type of a node that is a document of its own and marks the
// field that holds the tree. Nothing that is stored changes.
func fix(p *docmodel.Pass, f *docmodel.Field) *docmodel.Fix {
	name := f.Struct.Obj().Name()
	plan := &docmodel.Fix{
		Title: fmt.Sprintf("store each %s as a document with its parent's id and the path of its ancestors, and leave out %s", name, f.GoName()), Safety: finding.Plan,
	}
	fields := fieldsOf(f)
	id := docmodel.ID(fields, name)
	if id == nil || id.Owner == nil || f.Owner == nil || docmodel.TypeKey(f.Owner) != docmodel.TypeKey(f.Struct) || f.Document.Codec.Marshals(f.Struct) {
		return plan
	}
	for _, inner := range fields {
		for _, name := range []string{inner.GoName(), inner.Name} {
			if folded := lexicon.Fold(name); folded == "parentid" || folded == "path" {
				return plan // what a node needs is there
			}
		}
	}
	idType := p.Spell(id)
	if idType == "" {
		return plan
	}
	node, inline := name+"Node", ""
	if f.Document.Codec == docmodel.BSON {
		inline = " `bson:\",inline\"`"
	}
	source := fmt.Sprintf(`// %[1]s is one %[2]s stored as a document of its own, which knows its parent and
// its ancestors from the root down.
type %[1]s struct {
	ParentID %[3]s %[4]s
	Path []%[3]s %[5]s
	%[2]s%[6]s
}
`, node, name, idType, id.Tags(id.NameLike("parent", "id")), id.Tags(id.NameLike("path")), inline)
	declared, ok := p.DeclareAfterType(f.Struct, source, node)
	if !ok {
		return plan
	}
	mark, ok := p.Deprecate(f, fmt.Sprintf("holds a whole tree, see %s.", node))
	if !ok {
		return plan
	}
	return &docmodel.Fix{
		Title: fmt.Sprintf("add the type %s for documents of their own and mark %s", node, f.GoName()), Safety: finding.Safe,
		Edits: []analysis.TextEdit{mark, declared},
	}
}
