package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// A Mention is a stored name that code uses in a request to a database: a key
// of a filter, of a sort order or of an update.
type Mention struct {
	Name string
	Pos  token.Pos
	Pkg  *Package
	By   string // the variable or field that it is compared with or set to; "" for others
	by   types.Object

	Parts []ast.Expr // what a name that is put together is made of besides Name, its constant beginning

	literal *ast.CompositeLit // that has the name as a key
	handle  []source          // what a call with the name is sent to
	id      bool              // it is compared with an ObjectID
}

// ByObjectID reports whether a query finds documents by an ObjectID as their _id. A text
// in the type of the documents then only takes what the database made.
func (p *Program) ByObjectID(d *Document) bool {
	return slices.ContainsFunc(p.mentions["_id"], func(m Mention) bool {
		return m.id && p.SentTo(m, d)
	})
}

// Mentions returns where queries name a field by its stored name or dotted
// path.
func (p *Program) Mentions(name string) []Mention { return p.mentions[name] }

// BuiltBelow returns where queries put together a path below a dotted one.
func (p *Program) BuiltBelow(dotted string) []Mention { return p.begun[dotted] }

// MentionsBelow reports whether queries name a path below a dotted one. A wildcard, as
// in an index on members.$**, names none.
func (p *Program) MentionsBelow(dotted string) bool {
	for name := range p.mentions {
		if below, ok := strings.CutPrefix(name, dotted+"."); ok && !strings.HasPrefix(below, "$") {
			return true
		}
	}
	return false
}

// dottedPath matches a name, or the path of a field below another.
var dottedPath = lazyregexp.New(`^[A-Za-z_]\w*(\.\w+)*$`)

// Spells reports whether a string constant anywhere in the program is a stored
// name or a dotted path. A helper that builds queries may take it as an
// argument.
func (p *Program) Spells(path string) bool { return p.spelled[path] }

// Joined reports whether a $lookup stores its result at a path, so that the
// field exists only to read results into.
func (p *Program) Joined(path string) bool { return p.joined[path] }

// Joins reports whether a $lookup finds documents by comparing a field with the
// field at a path.
func (p *Program) Joins(path, field string) bool { return p.lookups[lookup{path, field}] }

// A lookup is the pair of fields that a $lookup compares.
type lookup struct{ local, foreign string }

// An Expiry is an index that deletes documents some time after the date in a
// field.
type Expiry struct {
	Path    string
	Pos     token.Pos
	Pkg     *Package
	literal *ast.CompositeLit // that names the field
}

// Expiries returns the indexes that delete documents.
func (p *Program) Expiries() []Expiry { return p.expiries }

// Expiring returns the tables for which code turns on the expiry of items.
func (p *Program) Expiring() []string { return p.expiring }

// ExpiryOf returns the known collections that an index is for.
func (p *Program) ExpiryOf(e Expiry) []string { return p.collections(p.asked[e.literal]) }

// Concerns reports whether a query may be for a document: it is near, and not
// sent to another collection.
func (p *Program) Concerns(m Mention, d *Document) bool {
	return d.Near(m.Pkg) && !Disjoint(p.askedOf(m), d.Collections)
}

// SentTo reports whether a query is known to be sent to the collection of a document.
func (p *Program) SentTo(m Mention, d *Document) bool { return Overlap(p.askedOf(m), d.Collections) }

// askedOf returns the known collections that a query is sent to.
func (p *Program) askedOf(m Mention) []string {
	return p.collections(slices.Concat(m.handle, p.asked[m.literal]))
}

func (g *gatherer) mention(name string, at token.Pos, value ast.Expr, literal *ast.CompositeLit, handle ...source) {
	if name == "" || strings.HasPrefix(name, "$") {
		return
	}
	m := Mention{Name: name, Pos: at, Pkg: g.pkg, literal: literal, handle: handle}
	if id := lastIdent(deref(value)); id != nil {
		m.By, m.by = id.Name, g.pkg.Info.ObjectOf(id)
	}
	t := g.pkg.Info.TypeOf(value)
	m.id = t != nil && KindOf(t, BSON) == ObjectID
	g.mentions[name] = append(g.mentions[name], m)
}

// queryLiteral records the keys of a literal bson document.
func (g *gatherer) queryLiteral(n *ast.CompositeLit, t types.Type) {
	path, name := TypeName(t)
	switch {
	case isBSONPackage(path) && (name == "M" || name == "D"):
		for _, e := range g.entries(n) {
			if !e.dynamic {
				g.mention(e.key, e.keyExpr.Pos(), e.value, n)
			} else if above, _, ok := strings.Cut(e.key, "."+built); ok {
				g.begun[above] = append(g.begun[above], Mention{Name: above, Pos: e.keyExpr.Pos(), Pkg: g.pkg, Parts: e.parts, literal: n})
			}
			if e.key == "$lookup" || e.key == "$graphLookup" {
				g.lookup(e.value)
			}
		}
	case !isBSONPackage(path) && name == "IndexModel":
		g.expiry(n)
	case mgoPath.MatchString(path) && name == "Index" && SetTo(n, "ExpireAfter") != nil:
		if keys := g.literal(SetTo(n, "Key")); keys != nil && len(keys.Elts) == 1 {
			text, _ := g.constantString(keys.Elts[0])
			g.expiries = append(g.expiries, Expiry{Path: strings.TrimLeft(text, "+-"), Pos: keys.Elts[0].Pos(), Pkg: g.pkg, literal: n})
		}
	}
}

// lookup records the path at which a $lookup stage stores the documents that it
// finds, and the fields that it compares.
func (g *gatherer) lookup(stage ast.Expr) {
	var by lookup
	for _, e := range g.entries(stage) {
		switch e.key {
		case "localField":
			by.local, _ = g.constantString(e.value)
			continue
		case "foreignField":
			by.foreign, _ = g.constantString(e.value)
			continue
		case "as":
		default:
			continue
		}
		if path, ok := g.constantString(e.value); ok {
			g.joined[path] = true
		} else if id, ok := ast.Unparen(e.value).(*ast.Ident); ok {
			if v, ok := g.pkg.Info.ObjectOf(id).(*types.Var); ok {
				g.joinedBy = append(g.joinedBy, v)
			}
		} else if v := fieldVar(g.pkg.Info, e.value); v != nil {
			g.joinedBy = append(g.joinedBy, v)
		}
	}
	if by.local != "" && by.foreign != "" {
		g.lookups[by] = true
	}
}

// queryCall records the names that calls of query builders take.
func (g *gatherer) queryCall(call *ast.CallExpr, fn *types.Func) {
	if fn == nil || fn.Pkg() == nil || len(call.Args) == 0 {
		return
	}
	path := fn.Pkg().Path()
	var handle []source
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isHandle(takeApart(orInvalid(g.pkg.Info.TypeOf(selector.X))).elem) {
		handle = g.sources(selector.X)
		for _, arg := range call.Args {
			g.ask(g.literal(arg), handle)
		}
	}
	switch {
	case strings.HasSuffix(path, "go/firestore") && (fn.Name() == "Where" || fn.Name() == "OrderBy"),
		strings.HasSuffix(path, "dynamodb/expression") && (fn.Name() == "Name" || fn.Name() == "Key"):
		if name, ok := g.constantString(call.Args[0]); ok {
			g.mention(name, call.Args[0].Pos(), nil, nil, handle...)
		}
	}
}

// ask records what a literal is sent to. The keys of an index are sent with it.
func (g *gatherer) ask(lit *ast.CompositeLit, handle []source) {
	if lit != nil {
		g.asked[lit] = handle
		g.ask(g.literal(SetTo(lit, "Keys")), handle)
		for _, e := range lit.Elts {
			if model, ok := e.(*ast.CompositeLit); ok && SetTo(model, "Keys") != nil {
				g.ask(model, handle)
			}
		}
	}
}

// expiry reads mongo.IndexModel{Keys: …, Options: ….SetExpireAfterSeconds(n)}.
func (g *gatherer) expiry(n *ast.CompositeLit) {
	keys := g.entries(SetTo(n, "Keys"))
	if len(keys) != 1 || keys[0].key == "" || SetTo(n, "Options") == nil {
		return
	}
	for option := range ast.Preorder(SetTo(n, "Options")) {
		if selector, ok := option.(*ast.SelectorExpr); ok && selector.Sel.Name == "SetExpireAfterSeconds" {
			g.expiries = append(g.expiries, Expiry{Path: keys[0].key, Pos: keys[0].keyExpr.Pos(), Pkg: g.pkg, literal: g.literal(SetTo(n, "Keys"))})
			return
		}
	}
}

// Near reports whether queries of a package may be for the document: the
// package declares it, or contains both the first call that stores or reads it
// and the value passed to that call. A package that stores whatever others pass
// to it queries all types alike.
func (d *Document) Near(pkg *Package) bool {
	return pkg.Path == d.PkgPath || pkg == d.storedIn && pkg.holds(d.Stored)
}

// holds reports whether a position is in a file of the package.
func (p *Package) holds(pos token.Pos) bool {
	return slices.ContainsFunc(p.Files, func(file *ast.File) bool { return file.FileStart <= pos && pos < file.FileEnd })
}
