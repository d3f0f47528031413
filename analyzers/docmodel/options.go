package docmodel

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// ClientOptions are database client settings that change how structs are
// stored.
type ClientOptions struct {
	JSONTags        bool // bson falls back to json tags
	NilSliceAsEmpty bool
	NilMapAsEmpty   bool
	OmitEmpty       bool
	Unexported      bool   // bson stores embedded structs whose type is unexported
	TagKey          string // struct tag that attributevalue reads in addition to its own
	EncodesTime     bool   // attributevalue stores times in a custom form
	HexIDs          bool   // bson decodes an ObjectID into a string
	Truncates       bool   // bson decodes a number with a fraction into an integer
	Unknown         bool   // some options cannot be read: they are set at run time or by a library
}

// set applies an option of options.BSONOptions or
// attributevalue.EncoderOptions.
func (o *ClientOptions) set(name string, value constant.Value) {
	if name == "TagKey" {
		if value != nil && value.Kind() == constant.String {
			o.TagKey = constant.StringVal(value)
		} else {
			o.Unknown = true
		}
		return
	}
	option := map[string]*bool{
		"UseJSONStructTags": &o.JSONTags, "NilSliceAsEmpty": &o.NilSliceAsEmpty, "NilMapAsEmpty": &o.NilMapAsEmpty, "OmitEmpty": &o.OmitEmpty,
		"ObjectIDAsHexString": &o.HexIDs, "AllowTruncatingDoubles": &o.Truncates,
	}[name]
	switch {
	case name == "EncodeTime": // the value is a function
		o.EncodesTime = true
	case option == nil:
	case value == nil || value.Kind() != constant.Bool:
		o.Unknown = true
	case constant.BoolVal(value):
		*option = true
	}
}

// optionTypes are the structs whose fields are options.
var optionTypes = []string{"BSONOptions", "EncoderOptions", "MarshalOptions"}

// optionLiteral reads options.BSONOptions{…}.
func (g *gatherer) optionLiteral(named *types.Named, n *ast.CompositeLit) {
	if !slices.Contains(optionTypes, named.Obj().Name()) {
		return
	}
	for name, value := range Keyed(n) {
		g.options.set(name.Name, g.pkg.Info.Types[value].Value)
	}
}

// optionAssign reads o.TagKey = "json".
func (g *gatherer) optionAssign(left, right ast.Expr) {
	selector, ok := ast.Unparen(left).(*ast.SelectorExpr)
	if !ok {
		return
	}
	if named := structNamed(g.pkg.Info.TypeOf(selector.X)); named != nil && slices.Contains(optionTypes, named.Obj().Name()) {
		g.options.set(selector.Sel.Name, g.pkg.Info.Types[right].Value)
	}
}

// clientOption handles calls that change how values are encoded.
func (g *gatherer) clientOption(call *ast.CallExpr) {
	for _, arg := range call.Args {
		if selector, ok := ast.Unparen(arg).(*ast.SelectorExpr); ok && selector.Sel.Name == "JSONFallbackStructTagParser" {
			g.options.JSONTags = true
		}
	}
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch name := selector.Sel.Name; name {
	case "RegisterTypeEncoder", "RegisterEncoder":
		if len(call.Args) == 2 {
			if t := g.reflected(call.Args[0]); t != nil {
				g.encoders[t.String()] = true
			}
		}
	case "RegisterInterfaceDecoder", "RegisterTypeDecoder", "RegisterTypeMapEntry":
		g.registered = true
	case "UseJSONStructTags", "NilSliceAsEmpty", "NilMapAsEmpty", "OmitEmpty", "ObjectIDAsHexString", "AllowTruncatingDoubles": // methods of encoders and decoders
		if len(call.Args) == 0 {
			g.options.set(name, constant.MakeBool(true))
		}
	case "SetEncodeNilAsEmpty": // in bsonoptions, for slices or maps
		g.options.NilSliceAsEmpty, g.options.NilMapAsEmpty = true, true
	case "SetAllowUnexportedFields":
		g.options.Unexported = true
	case "SetRegistry", "SetBSONOptions":
		g.options.Unknown = g.options.Unknown || len(call.Args) == 1 && g.foreign(call.Args[0])
	}
}

// reflected returns the type in reflect.TypeOf(x), or in a package variable
// with such a value, or nil.
func (g *gatherer) reflected(expr ast.Expr) types.Type {
	if id, ok := ast.Unparen(expr).(*ast.Ident); ok {
		v, _ := g.pkg.Info.ObjectOf(id).(*types.Var)
		expr = orNil(g.locals[v])
		for _, set := range g.pkg.Info.InitOrder {
			if slices.Contains(set.Lhs, v) {
				expr = set.Rhs
			}
		}
	}
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok || calledName(call) != "TypeOf" || len(call.Args) != 1 {
		return nil
	}
	return g.pkg.Info.TypeOf(call.Args[0])
}

// foreign reports whether an expression refers to a package that was not read.
func (g *gatherer) foreign(expr ast.Expr) bool {
	if call, ok := ast.Unparen(expr).(*ast.CallExpr); ok {
		expr = call.Fun
	}
	obj := g.pkg.Info.Uses[lastIdent(expr)]
	return obj != nil && obj.Pkg() != nil && !g.paths[obj.Pkg()] && !g.packages[obj.Pkg().Path()]
}

// mgoPath matches the import paths of mgo and its forks. Their bson package
// differs from the driver's: it stores nil lists as empty ones, stores embedded
// unexported structs, and panics on unknown options.
var mgoPath = lazyregexp.New(`(^|/)mgo(\.v\d+)?(/|$)`)

// ByMgo reports whether mgo writes and reads a document: either its calls do, or
// mgo is imported and no call of another library stores the document.
func (p *Program) ByMgo(d *Document) bool { return d.mgo || p.mgo && !d.driver }

// Imports reports whether a package imports one whose path contains part.
func (p *Program) Imports(part string) bool {
	for path := range p.imported {
		if within(path, part) {
			return true
		}
	}
	return false
}

// Whole reports whether the program is complete. A single package does not show
// what others do with its types.
func (p *Program) Whole() bool { return p.only == nil }

// leavesOut reports whether a codec skips embedded structs of unexported type.
func (p *Program) leavesOut(c Codec) bool {
	return c == BSON && !p.evidence.options.Unexported && !p.mgo
}
