// Package zeroobjectid reports ids that are stored empty when code does not
// set them.
package zeroobjectid

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// Rule reports _id fields without omitempty on documents that are inserted
// without an id.
var Rule = check.Rule{Name: "zero-object-id", Run: run}

func run(p *check.Pass) {
	o := p.Program.ClientOptions()
	if o.OmitEmpty {
		return
	}
	for _, d := range p.Documents() {
		if d.Codec != docmodel.BSON || !d.Written || d.Codec.Marshals(d.Named) || p.Program.ByMgo(d) {
			continue
		}
		id := idField(d)
		if id == nil || id.Tag.Has("omitempty") || id.WritesItself() || !p.Program.Reads(id.Var.Pkg()) {
			continue // a field of a library's model: its hooks may set it
		}
		zero, path := zeroValue(id), unset(p, d, id)
		if zero == "" || path == nil {
			continue
		}
		confidence := path.confidence
		if o.Unknown {
			confidence = min(confidence, 0.5)
		}
		p.Report(check.Finding{
			Document: d, Field: id, Confidence: confidence,
			Message:  fmt.Sprintf("%s.%s is not set before a %s is inserted: _id is stored as %s, and the second insert fails as a duplicate", d.Name, id.GoName(), d.Name, zero),
			Advice:   advice(id),
			Evidence: []finding.Evidence{{Name: "type", Value: id.Type.String()}, {Name: "tag", Value: id.RawTag}},
			Related:  []check.Related{{Pos: path.pos, Message: path.message}},
			Fix:      fix(p, id),
		})
	}
}

// idField returns the field stored as _id.
func idField(d *docmodel.Document) *docmodel.Field {
	i := slices.IndexFunc(d.Fields, func(f *docmodel.Field) bool { return f.Name == "_id" })
	if i < 0 {
		return nil
	}
	return d.Fields[i]
}

// zeroValue returns how an id that is not set is stored, "" for ids that this
// rule does not judge.
func zeroValue(id *docmodel.Field) string {
	switch {
	case id.Lists+id.Maps > 0:
	case id.Pointer && objectID(id.Elem):
		return "null"
	case objectID(id.Type):
		return "24 zeros"
	case !id.Pointer && types.Identical(id.Type, types.Typ[types.String]):
		return "an empty string"
	}
	return ""
}

// objectID reports whether a type is the driver's ObjectID. That of mgo panics
// instead of storing zeros.
func objectID(t types.Type) bool {
	path, name := docmodel.TypeName(t)
	return name == "ObjectID" && strings.Contains(path, "bson")
}

// A path is a way in which a document is inserted without its id.
type path struct {
	confidence float64
	pos        token.Pos
	message    string
}

// unset finds a way in which a document is inserted without its id. It returns
// nil if none is certain enough.
func unset(p *check.Pass, d *docmodel.Document, id *docmodel.Field) *path {
	for _, insert := range p.Program.Inserts(d) {
		if found := made(p, insert, d, id, 0); found != nil {
			return found
		}
	}
	return nil
}

// sets reports whether a literal sets the id, or the embedded struct that
// contains it, at whatever depth. It may, if a method hides the id.
func sets(lit *ast.CompositeLit, id *docmodel.Field) bool {
	if len(lit.Elts) == 0 {
		return false
	}
	_, keyed := lit.Elts[0].(*ast.KeyValueExpr)
	found, index, _ := types.LookupFieldOrMethod(id.Document.Named, true, nil, id.GoName())
	if _, field := found.(*types.Var); !keyed || !field {
		return true
	}
	return docmodel.SetTo(lit, id.Document.Named.Underlying().(*types.Struct).Field(index[0]).Name()) != nil
}

// made follows the inserted value back to where the function or one of its
// callers makes it.
func made(p *check.Pass, insert docmodel.Insert, d *docmodel.Document, id *docmodel.Field, passed int) *path {
	if lit := literal(insert.Document); lit != nil {
		if _, list := insert.Pkg.Info.TypeOf(lit).Underlying().(*types.Struct); !list || sets(lit, id) {
			return nil
		}
		return &path{confidence: 0.9, pos: lit.Pos(), message: "this " + d.Name + " is inserted without " + id.GoName()}
	}
	name, ok := docmodel.Referred(insert.Document).(*ast.Ident)
	if !ok || insert.Func == nil {
		return nil
	}
	v := insert.Pkg.Info.ObjectOf(name)
	if v == nil {
		return nil
	}
	t := &tracer{pass: p, insert: insert, v: v, id: id}
	ast.Inspect(insert.Func.Body, t.visit)
	switch {
	case t.set || passed > docmodel.MaxCalls:
		return nil
	case !t.origin.IsValid():
		for _, outer := range p.Program.Passed(insert) {
			if found := made(p, outer, d, id, passed+1); found != nil {
				return found
			}
		}
		return nil
	case t.read && (id.Tag.Key == "" || zeroValue(id) == "an empty string"):
		return nil
	case t.read && !docmodel.JSON.Tag(id.RawTag).Skips():
		return &path{confidence: 0.7, pos: t.origin, message: "this " + d.Name + " is read from elsewhere and inserted, with or without " + id.GoName()}
	}
	return &path{confidence: 0.9, pos: t.origin, message: "this " + d.Name + " is inserted without " + id.GoName()}
}

func literal(expr ast.Expr) *ast.CompositeLit {
	lit, _ := docmodel.Referred(expr).(*ast.CompositeLit)
	return lit
}

// A tracer examines what a function does with the variable that it inserts.
type tracer struct {
	pass   *check.Pass
	insert docmodel.Insert
	v      types.Object
	id     *docmodel.Field
	origin token.Pos // where the value is made
	set    bool      // its id is set, or may be
	read   bool      // it is decoded from something
}

func (t *tracer) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if t.is(left) {
				t.origins(n.Rhs[min(i, len(n.Rhs)-1)])
			} else if t.selects(left) {
				t.set = true
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if t.insert.Pkg.Info.Defs[name] != t.v {
				continue
			}
			if i < len(n.Values) {
				t.origins(n.Values[i])
			} else {
				t.origin = name.Pos()
			}
		}
	case *ast.RangeStmt:
		if t.is(n.Key) || t.is(n.Value) {
			t.set = true
		}
	case *ast.UnaryExpr: // &x.ID
		if n.Op == token.AND && t.selects(n.X) {
			t.set = true
		}
	case *ast.CallExpr:
		t.call(n)
	}
	return !t.set
}

// origins judges where the value comes from.
func (t *tracer) origins(right ast.Expr) {
	if lit := literal(right); lit != nil {
		t.origin = lit.Pos()
		t.set = t.set || sets(lit, t.id)
		return
	}
	if call, ok := ast.Unparen(right).(*ast.CallExpr); ok {
		if id, ok := call.Fun.(*ast.Ident); ok && t.insert.Pkg.Info.Uses[id] == types.Universe.Lookup("new") {
			t.origin = call.Pos()
			return
		}
	}
	t.set = true // from a function, a parameter, a conversion
}

// call judges what a call may do to the value.
func (t *tracer) call(call *ast.CallExpr) {
	fn := t.insert.Pkg.Called(call)
	touches := false
	for _, arg := range call.Args {
		_, pointer := t.v.Type().Underlying().(*types.Pointer)
		referred := docmodel.Referred(arg)
		touches = touches || t.is(referred) && (pointer || referred != ast.Unparen(arg))
	}
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && t.is(selector.X) {
		touches = true
	}
	switch {
	case !touches || len(t.id.Writes) == 0 && fn != nil && t.own(fn):
	case call.Pos() <= t.insert.Document.Pos() && t.insert.Document.End() <= call.End():
	case fn != nil && decodes(fn):
		// What was stored or sent before has its id. A request only contains what its
		// sender knows.
		t.read = true
		t.set = t.set || !t.request() && !t.loses(fn)
	case fn != nil && !t.own(fn) && looks(fn):
	default:
		t.set = true
	}
}

// request reports whether the function answers a request, so that what it
// decodes is new.
func (t *tracer) request() bool {
	return t.insert.Func != nil && slices.ContainsFunc(t.insert.Func.Type.Params.List, func(p *ast.Field) bool {
		path, name := docmodel.TypeName(docmodel.Pointed(t.insert.Pkg.Info.TypeOf(p.Type)))
		return path != "context" && slices.Contains([]string{"Request", "Context", "Ctx"}, name)
	})
}

// loses reports whether a function decodes JSON into the value, and the tag
// excludes the id from JSON.
func (t *tracer) loses(fn *types.Func) bool {
	return docmodel.JSON.Tag(t.id.RawTag).Skips() && fn.Pkg() != nil && strings.Contains(fn.Pkg().Path(), "json")
}

// own reports whether a function belongs to the program, so that its writes are
// known.
func (t *tracer) own(fn *types.Func) bool { return t.pass.Program.Reads(fn.Pkg()) }

var decoders = []string{"Bind", "ShouldBind", "BodyParser", "Decode", "Unmarshal", "Parse", "Scan", "ReadJSON", "MustBind", "ReadBody"}

// looks reports whether a function of another module only reads a value, such
// as one that prints, encodes or validates it.
func looks(fn *types.Func) bool {
	return slices.ContainsFunc([]string{"Struct", "Valid", "Print", "Sprint", "Fprint", "Log", "Info", "Debug", "Marshal", "Encode", "JSON"},
		func(prefix string) bool { return strings.HasPrefix(fn.Name(), prefix) })
}

func decodes(fn *types.Func) bool {
	return slices.ContainsFunc(decoders, func(prefix string) bool { return strings.HasPrefix(fn.Name(), prefix) })
}

func (t *tracer) is(expr ast.Expr) bool {
	id, ok := expr.(*ast.Ident)
	return ok && t.insert.Pkg.Info.ObjectOf(id) == t.v
}

// selects reports whether an expression is the id of the value, or the struct
// that contains the id.
func (t *tracer) selects(expr ast.Expr) bool {
	if star, ok := ast.Unparen(expr).(*ast.StarExpr); ok {
		return t.is(star.X)
	}
	selector, ok := ast.Unparen(expr).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := t.insert.Pkg.Info.ObjectOf(selector.Sel).(*types.Var)
	return ok && v.IsField() && (v.Origin() == t.id.Var || v.Embedded() && t.id.Promoted)
}

func advice(id *docmodel.Field) string {
	if zeroValue(id) == "an empty string" {
		return fmt.Sprintf("Set %s before the insert; with omitempty the driver would store an ObjectID in its place.", id.GoName())
	}
	return fmt.Sprintf("Add omitempty, so that the driver generates the id, or set %s before the insert.", id.GoName())
}

// fix lets the driver make the id. It makes an ObjectID, so a string id only
// gets a plan.
func fix(p *check.Pass, id *docmodel.Field) *check.Fix {
	zero := zeroValue(id)
	found := p.Retag(id, "let the driver generate the id", "bson", id.Tag.Name, append(slices.Clip(id.Tag.Options), "omitempty")...)
	if zero == "an empty string" || found.Edits == nil {
		return check.Plan("set %s before the insert", id.GoName())
	}
	if zero != "null" {
		found.Safety = finding.Safe
	}
	return found
}
