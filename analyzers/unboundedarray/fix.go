package unboundedarray

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// fix adds what the better model needs and changes nothing that is stored: a
// place for the reference on the other side, and a mark on the list. Where
// there is no such place, it bounds the $push. Moving the code over is up to
// people.
func fix(p *docmodel.Pass, f *docmodel.Field, s *score) *docmodel.Fix {
	ways := []func(*docmodel.Pass, *docmodel.Field) *docmodel.Fix{childType, slicePush}
	if target := other(p, f, s); target != nil {
		ways = []func(*docmodel.Pass, *docmodel.Field) *docmodel.Fix{
			func(p *docmodel.Pass, f *docmodel.Field) *docmodel.Fix { return reference(p, f, target) }, slicePush,
		}
	}
	for _, way := range ways {
		if found := way(p, f); found != nil {
			return found
		}
	}
	title := fmt.Sprintf("store the elements of %s as documents that carry the id of their %s", f.Path, f.Document.Name)
	if s.references {
		title = fmt.Sprintf("let the documents that %s refers to carry the id of their %s", f.Path, f.Document.Name)
	}
	return &docmodel.Fix{Title: title, Safety: finding.Plan}
}

// other are the documents that the list is about: those it refers to, or whose
// type its elements have.
func other(p *docmodel.Pass, f *docmodel.Field, s *score) *docmodel.Document {
	if s.references {
		return refs.Target(p.Program, refs.Plural(f), f.Document)
	}
	if d := p.Program.Document(f.Struct); d != nil && d.Written && d.Confidence >= 0.5 && d != f.Document {
		return d
	}
	return nil
}

// parent is the document that elements of the list belong to, if there is
// just one.
func parent(p *docmodel.Pass, f *docmodel.Field) *docmodel.Document {
	for up := f.Parent; up != nil; up = up.Parent {
		if up.Lists+up.Maps > 0 {
			return nil
		}
	}
	for _, o := range p.Program.Occurrences(f.Var) {
		if o.Document != f.Document && o.Document.Confidence >= 0.5 {
			return nil
		}
	}
	return f.Document
}

// idType is how the package writes the type of the ids of documents, at the
// place of a field.
func idType(p *docmodel.Pass, d *docmodel.Document, at *docmodel.Field) (source string, of types.Type) {
	if id := docmodel.ID(d.Fields, d.Name); id != nil {
		of = refs.IDType(id)
		return p.TypeSource(of, at.Var.Pos()), of
	}
	if d.Codec == docmodel.Firestore { // the name of the document is its id
		return "string", types.Typ[types.String]
	}
	return "", nil
}

// childType declares the type of documents for the elements.
func childType(p *docmodel.Pass, f *docmodel.Field) *docmodel.Fix {
	d := parent(p, f)
	element := p.ElementSource(f)
	if d == nil || element == "" || len(f.Fields) == 0 || !embeds(f) {
		return nil
	}
	own := refs.Own(d)
	if own == nil {
		return nil
	}
	idSource, _ := idType(p, d, own)
	if idSource == "" {
		return nil
	}
	noun := refs.Noun(d.Name)
	name, maximum, idName := exported(singular(f)), maximum(p, f), noun+"ID"
	if !strings.HasPrefix(name, noun) || p.Package.Types.Scope().Lookup(name) != nil {
		name = noun + name
	}
	stored := p.NameLike(f.Fields[0], append(lexicon.Tokens(noun), "id")...)
	for _, inner := range f.Fields {
		if inner.GoName() == idName || lexicon.Fold(inner.Name) == lexicon.Fold(stored) {
			return nil // it has the reference already
		}
	}
	inline := ""
	if d.Codec == docmodel.BSON {
		inline = " `bson:\",inline\"`"
	}
	source := fmt.Sprintf(`// %[1]s is how many %[2]s the %[3]s itself keeps.
const %[1]s = %[4]d

// %[5]s is one of the %[2]s of %[11]s, stored as a document of its own.
type %[5]s struct {
	%[6]s %[7]s %[8]s
	%[9]s%[10]s
}
`, maximum, f.GoName(), d.Name, int(p.Threshold("keep", 3)), name, idName, idSource,
		strings.ReplaceAll(f.Fields[0].Tags(stored), ",omitempty", ""), element, inline, refs.An(d.Name))
	declared, ok := p.DeclareAfter(d, source, name, maximum)
	if !ok {
		return nil
	}
	mark, ok := p.Deprecate(f, fmt.Sprintf("grows without bound, see %s.", name))
	if !ok {
		return nil
	}
	return p.Edit(fmt.Sprintf("add the type %s for documents of their own and mark %s", name, f.GoName()), finding.Safe, mark, declared)
}

// embeds reports whether a struct that embeds the elements is stored with their
// fields beside its own.
func embeds(f *docmodel.Field) bool {
	if f.Struct == nil || f.Struct.TypeParams().Len() > 0 || f.Document.Codec == docmodel.BSON && !f.Struct.Obj().Exported() {
		return false
	}
	for _, codec := range []docmodel.Codec{f.Document.Codec, docmodel.JSON} {
		if codec.Marshals(f.Struct) || codec.Unmarshals(f.Struct) {
			return false // its methods would be those of the new type too
		}
	}
	return true
}

// maximum names the constant for the length of the selection that stays.
func maximum(p *docmodel.Pass, f *docmodel.Field) string {
	for _, d := range p.Program.Documents() {
		for _, field := range d.Fields {
			if field.List() && field.GoName() == f.GoName() && field.Var != f.Var && field.Var.Pkg() == f.Var.Pkg() {
				return "MaxRecent" + refs.Noun(f.Document.Name) + exported(f.GoName())
			}
		}
	}
	return "MaxRecent" + exported(f.GoName())
}

// reference adds the reference on the other side, where it is not there yet.
func reference(p *docmodel.Pass, f *docmodel.Field, target *docmodel.Document) *docmodel.Fix {
	d := parent(p, f)
	if d == nil {
		return nil
	}
	if back := refs.Back(target, d); back != nil {
		mark, ok := p.Deprecate(f, fmt.Sprintf("grows without bound, %s.%s refers back.", target.Name, back.GoName()))
		if !ok {
			return nil
		}
		return p.Edit(fmt.Sprintf("mark %s, which %s.%s makes redundant", f.GoName(), target.Name, back.GoName()), finding.Safe, mark)
	}
	own := refs.Own(target)
	if own == nil || !belongs(p, f, d, target) {
		return nil
	}
	source, of := idType(p, d, own)
	if source == "" {
		return nil
	}
	noun := refs.Noun(d.Name)
	field := docmodel.NewField{Name: noun + "ID", Type: source, Stored: p.NameLike(own, append(lexicon.Tokens(noun), "id")...), Of: of}
	added, ok := p.AddFields(own, field)
	if !ok {
		return nil
	}
	mark, ok := p.Deprecate(f, fmt.Sprintf("grows without bound, use %s.%s.", target.Name, field.Name))
	if !ok {
		return nil
	}
	edits := []analysis.TextEdit{mark, added}
	return p.Edit(fmt.Sprintf("add %s.%s, in the type of the ids of %s, and mark %s", target.Name, field.Name, d.Name, f.GoName()), finding.Safe, edits...)
}

// belongs reports whether each of the documents that a list is about seems to
// have one parent: the list is called by what they are, without a role like
// that of favourites, they do not list their parents in turn, and they are made
// where they are added to it. References that come from elsewhere may be to
// what others refer to as well.
func belongs(p *docmodel.Pass, f *docmodel.Field, d, target *docmodel.Document) bool {
	if strings.ReplaceAll(refs.Plural(f), " ", "") != strings.ToLower(refs.Noun(target.Name)) {
		return false
	}
	for _, other := range target.Fields {
		if other.List() && refs.Names(refs.Plural(other), d.Name) {
			return false
		}
	}
	if f.Kind == docmodel.Object {
		return true // each list holds its own
	}
	var grows []token.Pos
	for _, u := range f.Updated("$push", "$addToSet") {
		grows = append(grows, u.Pos)
	}
	for _, w := range f.Writes {
		if w.Kind == docmodel.Appends {
			grows = append(grows, w.Pos)
		}
	}
	for _, literal := range p.Program.Literals(target.Named) {
		if len(literal.Node.Elts) == 0 {
			continue
		}
		if function := p.Function(literal.Node.Pos()); function != nil && slices.ContainsFunc(grows, func(pos token.Pos) bool { return function.Pos() <= pos && pos < function.End() }) {
			return true
		}
	}
	return false
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
	runes := []rune(name)
	if len(runes) > 0 {
		runes[0] = unicode.ToUpper(runes[0])
	}
	return string(runes)
}
