package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// An entry is a key and a value of a literal document.
type entry struct {
	key     string
	keyExpr ast.Expr
	parts   []ast.Expr // of the key that are not constant
	dynamic bool
	value   ast.Expr
}

// entries reads a literal map or a literal list of key-value structs, and what
// the current function adds to the variable that holds it.
func (g *gatherer) entries(expr ast.Expr) []entry {
	var found []entry
	if lit := g.literal(expr); lit != nil {
		found = g.elements(lit.Elts)
	}
	return append(found, g.elements(g.rows[g.variable(expr)])...)
}

// elements reads the elements of a document: "key": value, {"key", value}.
func (g *gatherer) elements(all []ast.Expr) (found []entry) {
	for _, element := range all {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			found = append(found, g.entry(pair.Key, pair.Value))
			continue
		}
		inner, given := g.literal(element), func(part ast.Expr) ast.Expr { return part }
		if call, ok := element.(*ast.CallExpr); ok {
			inner, given = g.returned(call)
		}
		if inner == nil || len(inner.Elts) != 2 {
			continue
		}
		key, value := inner.Elts[0], inner.Elts[1]
		if _, keyed := key.(*ast.KeyValueExpr); keyed {
			if key = SetTo(inner, "Key"); key == nil {
				key = SetTo(inner, "Name")
			}
			value = SetTo(inner, "Value")
		}
		if key != nil && value != nil {
			found = append(found, g.entry(key, given(value)))
		}
	}
	return found
}

// returned returns the literal that a function of this package returns, and what a call of
// it puts in place of a parameter: push(bson.M{"comments": c}) is {"$push", …}.
func (g *gatherer) returned(call *ast.CallExpr) (lit *ast.CompositeLit, given func(ast.Expr) ast.Expr) {
	fn := g.pkg.Called(call)
	if fn == nil {
		return nil, nil
	}
	if decl := g.pkg.Function(fn.Pos()); decl != nil {
		for n := range ast.Preorder(decl) {
			if result, ok := n.(*ast.ReturnStmt); ok && len(result.Results) == 1 {
				lit = g.literal(result.Results[0])
			}
		}
	}
	return lit, func(part ast.Expr) ast.Expr {
		for i := range min(fn.Signature().Params().Len(), len(call.Args)) {
			if g.parameter(part) == fn.Signature().Params().At(i) {
				return call.Args[i]
			}
		}
		return part
	}
}

// added returns the elements that a statement adds to the document in x:
// x["key"] = value, x = append(x, bson.E{"key", value}), and x.Push.Comments.Each = value
// if the tags make that {$push: {comments: {$each: value}}}.
func (g *gatherer) added(left, right ast.Expr) (x ast.Expr, elements []ast.Expr) {
	value := right
	for at, ok := ast.Unparen(left).(*ast.SelectorExpr); ok; at, ok = ast.Unparen(at.X).(*ast.SelectorExpr) {
		name := taggedAs(g.pkg.Info.TypeOf(at.X), at.Sel.Name)
		pair := &ast.KeyValueExpr{Key: &ast.BasicLit{ValuePos: right.Pos(), Kind: token.STRING, Value: `"` + name + `"`}, Value: value}
		if slices.Contains(operatorNames, name) {
			return at.X, []ast.Expr{pair}
		}
		value = &ast.CompositeLit{Lbrace: right.Pos(), Elts: []ast.Expr{pair}, Rbrace: right.End()}
	}
	if index, ok := ast.Unparen(left).(*ast.IndexExpr); ok {
		return index.X, []ast.Expr{&ast.KeyValueExpr{Key: index.Index, Value: right}}
	}
	call, ok := ast.Unparen(right).(*ast.CallExpr)
	if ok && calledName(call) == "append" && len(call.Args) > 0 && writtenOut(g.pkg.Info.TypeOf(left)) && g.variable(left) == g.variable(call.Args[0]) {
		return left, call.Args[1:]
	}
	return nil, nil
}

// row records what a statement adds to the document that a variable holds.
func (g *gatherer) row(left, right ast.Expr) {
	x, elements := g.added(left, right)
	if id, ok := orNil(x).(*ast.Ident); ok && id.Name != "_" {
		g.rows[g.pkg.Info.ObjectOf(id)] = append(g.rows[g.pkg.Info.ObjectOf(id)], elements...)
	}
}

func (g *gatherer) entry(key, value ast.Expr) entry {
	text, parts := g.path(key)
	return entry{key: text, keyExpr: key, parts: parts, dynamic: len(parts) > 0, value: value}
}

// path returns the pattern of a path, "" if its beginning is not known.
func (g *gatherer) path(expr ast.Expr) (text string, parts []ast.Expr) {
	if text, parts = g.pattern(expr); len(parts) > 0 && beginning(text) == "" {
		text = ""
	}
	return text, parts
}

// alternatives returns the entries, with one more for each other text that the variable used
// as a key is set to.
func (g *gatherer) alternatives(entries []entry) []entry {
	var found []entry
	for _, e := range entries {
		found = append(found, e)
		id, ok := ast.Unparen(e.keyExpr).(*ast.Ident)
		if !ok || e.dynamic {
			continue
		}
		v, _ := g.pkg.Info.ObjectOf(id).(*types.Var)
		for _, t := range g.texts[v] {
			if !slices.ContainsFunc(found, func(other entry) bool { return other.key == t.value && other.value == e.value }) {
				found = append(found, entry{key: t.value, keyExpr: e.keyExpr, value: e.value})
			}
		}
	}
	return found
}

// built stands for a part of a text that is only known at run time. In a path it reads
// as a position.
const built = "$[?]"

// verb matches what a format puts a value in place of.
var verb = lazyregexp.New(`%[^%a-zA-Z]*[a-zA-Z]`)

// pattern returns a text as far as it is known before the program runs. built stands in it
// for each of the parts.
func (g *gatherer) pattern(expr ast.Expr) (text string, parts []ast.Expr) {
	if text, ok := g.pkg.Text(expr); ok {
		return text, nil
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return strings.Trim(e.Value, "`\""), nil
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return g.concat("", e.X, e.Y)
		}
	case *ast.Ident, *ast.SelectorExpr:
		if text, parts = g.held(lastIdent(e)); len(parts) == 0 || beginning(text) != "" {
			return text, parts
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 && calledName(e) == "String" {
			return g.pattern(e.Args[0])
		}
		if text, ok := g.tagRead(e); ok {
			return text, nil
		}
		if names := g.joinedByDots(e); names != nil {
			return g.concat(".", names...)
		}
		if calledName(e) == "Sprintf" && len(e.Args) > 1 {
			return g.formatted(e.Args[0], e.Args[1:])
		}
	}
	return built, []ast.Expr{expr}
}

// held returns the text that a variable holds.
func (g *gatherer) held(id *ast.Ident) (text string, parts []ast.Expr) {
	v, ok := g.pkg.Info.ObjectOf(id).(*types.Var)
	if ok && g.names[v] != "" {
		return g.names[v], nil
	}
	set := g.locals[v]
	if !ok || set == nil {
		return built, []ast.Expr{id}
	}
	delete(g.locals, v) // a variable may depend on itself
	defer func() { g.locals[v] = set }()
	return g.pattern(set)
}

func (g *gatherer) concat(by string, all ...ast.Expr) (text string, parts []ast.Expr) {
	texts := make([]string, len(all))
	for i, expr := range all {
		var more []ast.Expr
		texts[i], more = g.pattern(expr)
		parts = append(parts, more...)
	}
	return strings.Join(texts, by), parts
}

func (g *gatherer) formatted(format ast.Expr, args []ast.Expr) (text string, parts []ast.Expr) {
	text, parts = g.pattern(format)
	text = verb.ReplaceAllStringFunc(text, func(verb string) string {
		if len(args) == 0 {
			return verb
		}
		value, more := g.pattern(args[0])
		args, parts = args[1:], append(parts, more...)
		return value
	})
	return text, parts
}

// constantString returns a text that is known before the program runs.
func (g *gatherer) constantString(expr ast.Expr) (string, bool) {
	text, parts := g.pattern(expr)
	if len(parts) > 0 {
		return "", false
	}
	return text, true
}

// beginning returns what comes before the first part of a pattern that is not constant.
func beginning(pattern string) string {
	before, _, _ := strings.Cut(pattern, built)
	return before
}

// literal returns the composite literal that an expression is, or that its
// variable was last set to.
func (g *gatherer) literal(expr ast.Expr) *ast.CompositeLit {
	for range 4 {
		switch e := ast.Unparen(expr).(type) {
		case *ast.CompositeLit:
			return e
		case *ast.UnaryExpr:
			expr = e.X
		case *ast.Ident:
			expr = g.locals[g.pkg.Info.ObjectOf(e)]
		default:
			return nil
		}
	}
	return nil
}
