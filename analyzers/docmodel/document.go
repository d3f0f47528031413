package docmodel

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
)

// A Document is a struct type whose values are stored as documents.
type Document struct {
	Named       *types.Named
	Key         string // import/path.Name
	Name        string
	PkgPath     string
	Codec       Codec
	DB          string
	Collections []string // in which it is stored, as far as known
	Partition   string   // path of the partition key, from a directive or the configuration
	Confidence  float64  // how likely it is that values are stored
	Reasons     []Reason
	Written     bool         // values reach a call that writes
	ReadWhole   bool         // stored documents are decoded into it, all their fields
	View        bool         // values only come from computed queries
	Replaced    *Replacement // how code reads, changes and replaces whole documents, nil if it does not
	Fields      []*Field
	Lost        []*Field  // embedded structs that the codec omits because their type is unexported
	Unexported  []*Field  // fields that have a tag of the codec but are unexported, so that it omits them
	Pos         token.Pos // of its name, NoPos if its package was not read
	Stored      token.Pos // the first call that stores it
	Generated   bool
	Doc         string // its comment

	storedIn *Package    // the package of that call
	uses     []token.Pos // where values of it are stored or read
	declared *TypeDecl
	read     bool // stored values are decoded into it
	changed  bool // a call replaces stored values or sets them as a whole
	tagOnly  bool // only tags say that it is stored
	mgo      bool // calls to mgo write or read it
	driver   bool // calls to another MongoDB library write or read it
	paths    map[string]bool
	keys     []keyText // of the calls that write it
	below    bool      // its collection is one of another document
	wording  wording   // the names of its fields, if code writes them out
}

// Declared reports whether the package that declares the type was read.
func (d *Document) Declared() bool { return d.declared != nil }

// Editable reports whether people write the type in a package that was read.
func (d *Document) Editable() bool { return d.declared != nil && !d.Generated }

// TagOnly reports whether only the tags on its fields show that the type is
// stored: no call writes or reads it.
func (d *Document) TagOnly() bool { return d.tagOnly }

// A Reason is one piece of evidence that a type is stored.
type Reason struct {
	Text string
	Pos  token.Pos
}

// A Field is a field as it is stored below a document. A struct field that
// two documents share, or that is reached twice, is several Fields with one
// Var.
type Field struct {
	Document *Document
	Parent   *Field       // the field whose struct contains this one, nil at the top
	Owner    *types.Named // the struct that declares it, nil for an anonymous one
	Var      *types.Var
	Name     string // as stored
	Path     string // as in findings: a.b[].c
	Dotted   string // as in updates: a.b.c
	Type     types.Type
	Elem     types.Type   // Type without pointers, lists and maps
	Struct   *types.Named // Elem, if it is a struct of this module whose fields are listed or that recurs
	Kind     Kind         // of Elem
	Lists    int          // lists around Elem
	Maps     int
	MapKey   types.Type
	Array    int64 // length of a fixed array, 0 for other types
	Nested   bool  // one list is directly in another
	Pointer  bool
	Tag      Tag
	RawTag   string
	Syntax   *ast.Field // nil if the package was not read
	Depth    int        // objects and lists around the value, without the document itself
	Recurses bool       // Struct also occurs further up
	Custom   bool       // Elem encodes itself
	Fields   []*Field
	View     bool // it holds results of queries, which are not stored
	Promoted bool // from an embedded struct that is stored flat

	wording wording // the names of the fields below, if code writes them out

	Updates    []*Update     // literals that change it
	Writes     []*FieldWrite // statements that change it
	Directives []*Directive
}

// List reports whether the field holds a list of something.
func (f *Field) List() bool { return f.Lists > 0 && f.Maps == 0 }

// Map reports whether the field holds a map.
func (f *Field) Map() bool { return f.Maps > 0 }

// Scalar reports whether the field holds a single value that is not an object.
func (f *Field) Scalar() bool { return f.Lists == 0 && f.Maps == 0 && f.Kind != Object }

// OnlyRead reports whether code reads documents into the type and is not seen
// to store it. The type may be a projection of the stored one, so the fields
// that it lacks prove nothing.
func (d *Document) OnlyRead() bool { return d.read && !d.Written && d.Confidence < sureDirective }

// Selects reports whether another document has all fields of this one, and
// more.
func (d *Document) Selects(other *Document) bool {
	return other != d && other.Codec == d.Codec && len(other.Fields) > len(d.Fields) && !slices.ContainsFunc(d.Fields, func(own *Field) bool {
		return !slices.ContainsFunc(other.Fields, func(there *Field) bool {
			return there.Name == own.Name && there.Kind == own.Kind && there.Lists == own.Lists
		})
	})
}

// TagKey returns the key of the field's tag, or the key that its codec reads.
func (f *Field) TagKey() string { return cmp.Or(f.Tag.Key, f.Document.Codec.TagKey()) }

// WritesItself reports whether a method of the field's type, or of a struct
// around it, decides what is stored. Names and kinds may then differ from the
// declared ones.
func (f *Field) WritesItself() bool {
	codec := f.Document.Codec
	if codec.Marshals(f.Document.Named) || codec.Marshals(f.Elem) || codec.Marshals(f.Type) {
		return true
	}
	for up := f; up != nil; up = up.Parent {
		if up.Custom || up.Owner != nil && codec.Marshals(up.Owner) {
			return true
		}
	}
	return false
}

// WrittenByHand reports whether a method of a struct around the field decides
// what is stored of it. A method that only passes the struct to another
// encoder, such as that of a previous driver, decides nothing.
func (p *Program) WrittenByHand(f *Field) bool {
	codec := f.Document.Codec
	byHand := func(t *types.Named) bool { return t != nil && codec.Marshals(t) && !p.handsOn(t, codec) }
	if byHand(f.Document.Named) {
		return true
	}
	for up := f; up != nil; up = up.Parent {
		if byHand(up.Owner) {
			return true
		}
	}
	return false
}

// handsOn reports whether the methods by which a type encodes itself pass the
// unchanged value to a function that encodes such values. It is false if their
// source was not read.
func (p *Program) handsOn(t *types.Named, codec Codec) bool {
	for method := range t.Methods() {
		if slices.Contains(marshallers[codec], method.Name()) && !slices.ContainsFunc(p.usage.packages, func(pkg *Package) bool {
			fn := pkg.Function(method.Pos())
			return fn != nil && fn.Body != nil && pkg.passesReceiver(fn)
		}) {
			return false
		}
	}
	return true
}

// passesReceiver reports whether a method calls a function named Marshal… with
// its receiver.
func (p *Package) passesReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
		return false
	}
	isReceiver := func(arg ast.Expr) bool {
		id, ok := ast.Unparen(arg).(*ast.Ident)
		return ok && p.Info.ObjectOf(id) == p.Info.Defs[fn.Recv.List[0].Names[0]]
	}
	for n := range ast.Preorder(fn.Body) {
		if call, ok := n.(*ast.CallExpr); ok {
			if called := p.Called(call); called != nil && strings.HasPrefix(called.Name(), "Marshal") && slices.ContainsFunc(call.Args, isReceiver) {
				return true
			}
		}
	}
	return false
}

// GoName returns the field's name in Go.
func (f *Field) GoName() string { return f.Var.Name() }

// Has reports whether the Go name or the stored name is on a word list.
func (f *Field) Has(words *lexicon.Lexicon, list lexicon.List) bool {
	owner := f.OwnerName()
	return words.HasIn(list, f.GoName(), owner) || words.HasIn(list, f.Name, owner)
}

// OwnerName returns the name of the struct that declares the field.
func (f *Field) OwnerName() string {
	if f.Owner != nil {
		return f.Owner.Obj().Name()
	}
	if f.Parent != nil {
		return f.Parent.GoName()
	}
	return f.Document.Name
}

// Directive returns the directive with a name at the field, or nil.
func (f *Field) Directive(name string) *Directive {
	if i := slices.IndexFunc(f.Directives, func(d *Directive) bool { return d.Name == name }); i >= 0 {
		return f.Directives[i]
	}
	return nil
}

// Comment returns the text of the comments at the field.
func (f *Field) Comment() string {
	if f.Syntax == nil {
		return ""
	}
	return f.Syntax.Doc.Text() + f.Syntax.Comment.Text()
}

// Deprecated reports whether the comments at the field say that it should no
// longer be used.
func (f *Field) Deprecated() bool { return strings.Contains(f.Comment(), "Deprecated:") }

// Retired reports whether a field is marked as deprecated and no code sets it any
// more. While code still sets it, the comment alone changes nothing.
func (p *Program) Retired(f *Field) bool {
	if !f.Deprecated() {
		return false
	}
	return len(p.Values(f)) == 0 && !slices.ContainsFunc(f.Updates, sets)
}

// Emptied reports whether code sets a list, but only to empty ones and to what
// it was, so that the program never fills it.
func (p *Program) Emptied(f *Field) bool {
	values := p.Values(f)
	if !p.Whole() || len(values) == 0 || len(f.Updates) > 0 || slices.ContainsFunc(f.Writes, func(w *FieldWrite) bool { return w.Kind != Assigns || w.Value == nil }) {
		return false
	}
	return !slices.ContainsFunc(values, func(v Value) bool { return !empty(v.Expr) && fieldVar(v.Pkg.Info, v.Expr) != f.Var.Origin() })
}

// Unset reports whether code makes and stores documents without a field and sets
// it nowhere else.
func (p *Program) Unset(f *Field) bool {
	if !p.Whole() || f.Owner == nil || len(f.Writes) > 0 || len(p.Values(f)) > 0 || slices.ContainsFunc(f.Updates, sets) {
		return false
	}
	made := slices.DeleteFunc(slices.Clone(p.Literals(f.Owner)), func(l *Literal) bool { return len(l.Node.Elts) == 0 && !p.completed(l, f) })
	return !slices.ContainsFunc(made, func(l *Literal) bool { return !l.Keyed }) && slices.ContainsFunc(made, p.Inserted) && !p.accumulates().filledElsewhere(f.Owner)
}

// completed reports whether statements after an empty literal set fields next to a field.
func (p *Program) completed(l *Literal, f *Field) bool {
	r := p.accumulates().around(l.Pkg, l.Node)
	return r != nil && slices.ContainsFunc(f.Siblings(), func(other *Field) bool {
		return slices.ContainsFunc(other.Writes, func(w *FieldWrite) bool { return w.In == r.fn && w.Pos > l.Node.End() })
	})
}

// sets reports whether an update gives its field a value.
func sets(u *Update) bool { return u.Op != "$unset" && !strings.HasPrefix(u.Op, "$pull") }

// Siblings returns the fields stored next to this one, and the field itself.
func (f *Field) Siblings() []*Field {
	if f.Parent != nil {
		return f.Parent.Fields
	}
	return f.Document.Fields
}

// Updated returns the update literals that apply one of the operators.
func (f *Field) Updated(operators ...string) []*Update {
	return slices.DeleteFunc(slices.Clone(f.Updates), func(u *Update) bool { return !slices.Contains(operators, u.Op) })
}

// All calls visit for the fields and for the fields below them, outer ones
// first.
func All(fields []*Field, visit func(*Field)) {
	for _, field := range fields {
		visit(field)
		All(field.Fields, visit)
	}
}

// ID returns the field that identifies a struct among others of its kind: id,
// _id, its own name with id, or a natural key. It returns nil if there is none.
func ID(fields []*Field, typeName string) *Field {
	var best *Field
	rank := 0
	for _, f := range fields {
		if !f.Scalar() || !f.Kind.IsID() {
			continue
		}
		if r := idRank(f, typeName); r > rank {
			best, rank = f, r
		}
	}
	return best
}

// id returns the Go name of the field that identifies the elements of a field, or "".
func (f *Field) id() string {
	if f.Struct == nil {
		return ""
	}
	if id := ID(f.Fields, f.Struct.Obj().Name()); id != nil {
		return id.GoName()
	}
	return ""
}

func idRank(f *Field, typeName string) int {
	if f.Name == "_id" {
		return 5
	}
	owner := lexicon.Fold(typeName)
	return max(nameRank(lexicon.Fold(f.Name), owner), nameRank(lexicon.Fold(f.GoName()), owner))
}

func nameRank(name, owner string) int {
	switch {
	case lexicon.IDName(name):
		return 4
	case lexicon.NaturalKey(name):
		return 1
	}
	for _, suffix := range []string{"id", "uuid", "key"} {
		stem, ok := strings.CutSuffix(name, suffix)
		switch {
		case !ok || len(stem) < 3:
		case strings.HasSuffix(owner, stem): // ExperimentRevision.RevisionID
			return 3
		case suffix == "id" && strings.HasPrefix(owner, stem): // ProductsToOrder.ProductId
			return 2
		}
	}
	return 0
}

// Timestamp returns the field that says when the struct's value was created, or
// nil.
func Timestamp(fields []*Field) *Field {
	for _, f := range fields {
		if f.Lists+f.Maps == 0 && (f.Kind == Time || (f.Kind == Number || f.Kind == String) && (isMoment(f.Name) || isMoment(f.GoName()))) {
			return f
		}
	}
	return nil
}

// isMoment reports whether a name is that of a number or a text that holds a time.
func isMoment(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && lexicon.Default().HasWord(lexicon.Moment, tokens[len(tokens)-1])
}

// KeyedApart reports whether their keys tell two types apart: one of them is only
// stored under keys that code spells out, or all keys of each begin with texts that
// those of the other do not begin with. The path of a Firestore document is its key.
func (d *Document) KeyedApart(other *Document) bool {
	spelled := func(d *Document) bool {
		return len(d.keys) > 0 && !slices.ContainsFunc(d.keys, func(k keyText) bool { return !k.whole })
	}
	return d.below || other.below || spelled(d) || spelled(other) || len(d.keys) > 0 && len(other.keys) > 0 && !slices.ContainsFunc(d.keys, func(a keyText) bool {
		return slices.ContainsFunc(other.keys, func(b keyText) bool { return strings.HasPrefix(a.text, b.text) || strings.HasPrefix(b.text, a.text) })
	})
}

// Beside reports whether the packages of two types belong to one service.
func (d *Document) Beside(other *Document) bool { return OneService(d.PkgPath, other.PkgPath) }

// OneService reports whether two packages, by import path, belong to one
// service: they are in the same directory, or one is below the other. Different
// services use the same names for different collections.
func OneService(a, b string) bool {
	return common(a, b) >= min(strings.Count(a, "/"), strings.Count(b, "/"))
}
