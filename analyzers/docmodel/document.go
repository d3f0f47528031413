package docmodel

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
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
	Confidence  float64  // how sure it is that values are stored
	Reasons     []Reason
	Written     bool         // values reach a call that writes
	View        bool         // values only come out of computed queries
	Replaced    *Replacement // how documents are read, changed and written back as a whole, nil if nothing does
	Fields      []*Field
	Lost        []*Field  // embedded structs whose type is unexported, where the codec leaves these out
	Unexported  []*Field  // fields with a tag of the codec that it leaves out, as they are unexported
	Pos         token.Pos // of its name, NoPos outside the packages that are read
	Stored      token.Pos // the first call that stores it
	Generated   bool
	Doc         string // its comment

	storedIn *Package // the package of that call
	declared *declared
	read     bool // stored values are read into it
	tagOnly  bool // only tags say that it is stored
	mgo      bool // calls of mgo write or read it
	driver   bool // calls of another library for MongoDB do
	paths    map[string]bool
}

// TagOnly reports whether nothing but the tags on its fields says that the
// type is stored: no call writes or reads it.
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
	Parent   *Field       // the field that holds its struct, nil at the top
	Owner    *types.Named // the struct that declares it, nil for an anonymous one
	Var      *types.Var
	Name     string // as stored
	Path     string // as in findings: a.b[].c
	Dotted   string // as in updates: a.b.c
	Type     types.Type
	Elem     types.Type   // Type without pointers, lists and maps
	Struct   *types.Named // Elem, if it is a struct of this module that is descended into or recurs
	Kind     Kind         // of Elem
	Lists    int          // lists around Elem
	Maps     int
	MapKey   types.Type
	Array    int64 // length of a fixed array, 0 for none
	Nested   bool  // a list directly in a list
	Pointer  bool
	Tag      Tag
	RawTag   string
	Syntax   *ast.Field // nil outside the packages that are read
	Depth    int        // objects and lists around the value, the document itself not counted
	Recurses bool       // Struct already occurs above
	Custom   bool       // Elem writes itself
	Fields   []*Field
	View     bool // it holds what queries return, nothing that is stored
	Promoted bool // from an embedded struct that is stored flat

	Updates    []*Update     // literals that change it
	Writes     []*FieldWrite // statements that change it
	Directives []*Directive
}

// List reports whether the field holds a list of something.
func (f *Field) List() bool { return f.Lists > 0 && f.Maps == 0 }

// Map reports whether the field holds a map.
func (f *Field) Map() bool { return f.Maps > 0 }

// Scalar reports whether the field holds one value that is no object.
func (f *Field) Scalar() bool { return f.Lists == 0 && f.Maps == 0 && f.Kind != Object }

// OnlyRead reports whether code reads documents into the type and nothing is
// seen to store it: it may be a selection of what is stored, so that what it
// lacks says nothing.
func (d *Document) OnlyRead() bool { return d.read && !d.Written && d.Confidence < sureDirective }

// Selects reports whether all fields of a document are in another, which has
// more of them.
func (d *Document) Selects(other *Document) bool {
	return other != d && other.Codec == d.Codec && len(other.Fields) > len(d.Fields) && !slices.ContainsFunc(d.Fields, func(own *Field) bool {
		return !slices.ContainsFunc(other.Fields, func(there *Field) bool {
			return there.Name == own.Name && there.Kind == own.Kind && there.Lists == own.Lists
		})
	})
}

// TagKey is the key of the field's tag, or that which its codec would read.
func (f *Field) TagKey() string { return cmp.Or(f.Tag.Key, f.Document.Codec.TagKey()) }

// WritesItself reports whether a method of the field's type, or of a struct
// around it, decides what is stored, so that names and kinds may be others.
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
// what is stored of it. One that only hands the struct to another encoder, as
// that of a driver used before, decides nothing.
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

// handsOn reports whether the methods by which a type is written pass its value
// as it is to a function that writes such values. Where their source is not at
// hand, they do not.
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

// GoName is the name in Go.
func (f *Field) GoName() string { return f.Var.Name() }

// Has reports whether the Go name or the stored name is on a word list.
func (f *Field) Has(words *lexicon.Lexicon, list lexicon.List) bool {
	owner := f.OwnerName()
	return words.HasIn(list, f.GoName(), owner) || words.HasIn(list, f.Name, owner)
}

// OwnerName is the name of the struct that declares the field.
func (f *Field) OwnerName() string {
	if f.Owner != nil {
		return f.Owner.Obj().Name()
	}
	if f.Parent != nil {
		return f.Parent.GoName()
	}
	return f.Document.Name
}

// Directive returns the directive of a name at the field, nil if there is none.
func (f *Field) Directive(name string) *Directive {
	if i := slices.IndexFunc(f.Directives, func(d *Directive) bool { return d.Name == name }); i >= 0 {
		return f.Directives[i]
	}
	return nil
}

// Comment is the text of the comments at the field.
func (f *Field) Comment() string {
	if f.Syntax == nil {
		return ""
	}
	return f.Syntax.Doc.Text() + f.Syntax.Comment.Text()
}

// Deprecated reports whether the comments at the field say that it is not to be
// used any more.
func (f *Field) Deprecated() bool { return strings.Contains(f.Comment(), "Deprecated:") }

// Retired reports whether a field is marked as deprecated and no code sets it any
// more. As long as some does, the comment alone changes nothing.
func (p *Program) Retired(f *Field) bool {
	if !f.Deprecated() {
		return false
	}
	return len(p.Values(f)) == 0 && !slices.ContainsFunc(f.Updates, func(u *Update) bool { return u.Op != "$unset" && !strings.HasPrefix(u.Op, "$pull") })
}

// Siblings are the fields stored beside it.
func (f *Field) Siblings() []*Field {
	if f.Parent != nil {
		return f.Parent.Fields
	}
	return f.Document.Fields
}

// Updated returns the literals that apply one of the operators.
func (f *Field) Updated(operators ...string) []*Update {
	return slices.DeleteFunc(slices.Clone(f.Updates), func(u *Update) bool { return !slices.Contains(operators, u.Op) })
}

// All calls visit for the fields and for those below them, outer ones first.
func All(fields []*Field, visit func(*Field)) {
	for _, field := range fields {
		visit(field)
		All(field.Fields, visit)
	}
}

// ID is the field that identifies a struct among its like: id, _id, its own
// name with id, or a natural key. nil if there is none.
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

// timeName matches names of numbers and strings that hold a time.
var timeName = lazyregexp.New(`(?i)(_at|_on|_ts|date|time|timestamp)$|^(at|ts|time|when)$`)

// Timestamp is the field that says when the struct's value came to be, nil if
// there is none.
func Timestamp(fields []*Field) *Field {
	for _, f := range fields {
		named := timeName.MatchString(f.Name) || camelTime.MatchString(f.Name) || timeName.MatchString(f.GoName()) || camelTime.MatchString(f.GoName())
		if f.Lists+f.Maps == 0 && (f.Kind == Time || (f.Kind == Number || f.Kind == String) && named) {
			return f
		}
	}
	return nil
}

var camelTime = lazyregexp.New(`[a-z](At|On|Ts|Date|Time|Timestamp)$`)

// Beside reports whether the packages of two types belong to one service.
func (d *Document) Beside(other *Document) bool { return OneService(d.PkgPath, other.PkgPath) }

// OneService reports whether two packages, by import path, belong to one
// service, that is stand in one directory or below one another: names of
// collections repeat across services.
func OneService(a, b string) bool {
	return common(a, b) >= min(strings.Count(a, "/"), strings.Count(b, "/"))
}
