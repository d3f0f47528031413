package dynamickeys

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// uses examines the expressions that index the map. It reports whether all are
// constants, and whether code sets entries under keys that are none.
func uses(s *score, p *check.Pass, f *docmodel.Field) (constant, open bool) {
	all := p.Program.KeyUses(f.Var)
	constants, ranged, written, indexed, names := 0, 0, token.NoPos, false, false // names: keys that are names of things or come from requests
	for _, use := range all {
		if use.Ranged {
			ranged++ // maps of a closed set are printed and copied in loops, too
		}
		if known(p, use) {
			constants++
			continue
		}
		if use.Escapes && !s.escaped {
			s.escaped = true
			s.say("dots in keys are escaped", types.ExprString(use.Expr), "")
		}
		if use.Write && !written.IsValid() && !f.Document.OnlyRead() {
			written = use.Expr.Pos()
		}
		names = names || !use.Ranged && (called(use) == "name" || p.Program.Requested(use))
		word, what := said(p, use)
		if word == "" {
			continue
		}
		s.dots = s.dots || slices.Contains(dotted(), word)
		s.At(use.Expr.Pos(), "indexed by %s", types.ExprString(use.Expr))
		if !indexed {
			s.ids = true
			s.say("indexed by", types.ExprString(use.Expr), what)
			indexed = true
		}
	}
	switch {
	case indexed:
	case names && written.IsValid():
		s.say("keys are names", true, "names")
		s.At(written, "this name is known only when the program runs")
	case written.IsValid():
		s.say("keys come from variables", true, "")
		s.At(written, "this key is known only when the program runs")
	}
	return constants > 0 && constants == len(all)-ranged, written.IsValid()
}

// known reports whether a key belongs to a closed set.
func known(p *check.Pass, use docmodel.KeyUse) bool {
	if tv, ok := use.Pkg.Info.Types[use.Expr]; ok && tv.Value != nil {
		return true
	}
	t := use.Pkg.Info.TypeOf(origin(use))
	return t != nil && docmodel.Enumeration(t) || slices.Contains(closed(), called(use)) && !p.Program.Dated(use) || p.Program.SpelledOut(use)
}

// said returns what a key is according to its own text or that of its
// variable's value.
func said(p *check.Pass, use docmodel.KeyUse) (word, what string) {
	word, what = keyWord(use)
	for i := 0; word == "" && i < len(use.From); i++ {
		word, what = keyWord(docmodel.KeyUse{Expr: use.From[i], Pkg: use.Pkg})
	}
	if word == "" && p.Program.Dated(use) {
		return "date", "dates"
	}
	return word, what
}

var (
	dotted         = rulebook.Words("dynamic-keys", "dotted")     // words for keys that often contain a dot
	identities     = rulebook.Words("dynamic-keys", "identities") // words for values without end
	idEndingsWords = rulebook.Words("dynamic-keys", "id-endings")
	indexEndings   = rulebook.WordSet("dynamic-keys", "index-endings")
	closed         = rulebook.Words("dynamic-keys", "closed")
)

// keyWord returns the word that says what an index expression is, and what such
// keys are together, or "".
func keyWord(use docmodel.KeyUse) (word, what string) {
	t := use.Pkg.Info.TypeOf(use.Expr)
	if t != nil && idType(t) {
		return "id", "ids"
	}
	if call, ok := ast.Unparen(use.Expr).(*ast.CallExpr); ok {
		if of := origin(use); of != use.Expr { // as in string(id) and id.String()
			word, what = keyWord(docmodel.KeyUse{Expr: of, Pkg: use.Pkg})
			if _, thing := docmodel.Pointed(use.Pkg.Info.TypeOf(of)).Underlying().(*types.Struct); thing && word == "" { // task.String()
				return "name", "names"
			}
			return word, what
		}
		switch selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); {
		case !ok:
			return "", ""
		case selector.Sel.Name == "Format":
			return "date", "dates"
		}
	}
	tokens := lexicon.Tokens(docmodel.LastName(use.Expr))
	if len(tokens) > 1 && (tokens[0] == "get" || len(tokens[0]) == 1) { // as in token.GetUserID() and uID
		tokens = tokens[1:]
	}
	if len(tokens) == 0 {
		return "", ""
	}
	last := tokens[len(tokens)-1]
	if !slices.Contains(identities(), last) {
		return "", ""
	}
	tokens[len(tokens)-1] = lexicon.Plural(lexicon.Singular(last))
	return last, strings.Join(tokens, " ")
}

// called returns the last word, in the singular, of the variable that holds a
// key, or of the method that returns it.
func called(use docmodel.KeyUse) string {
	if call, ok := ast.Unparen(origin(use)).(*ast.CallExpr); ok { // as in request.Method()
		if _, method := ast.Unparen(call.Fun).(*ast.SelectorExpr); !method || len(call.Args) > 0 {
			return ""
		}
	}
	tokens := lexicon.Tokens(docmodel.LastName(origin(use)))
	if len(tokens) == 0 {
		return ""
	}
	return lexicon.Singular(tokens[len(tokens)-1])
}

// origin returns the expression whose text the key is: id for id.String() and
// string(id).
func origin(use docmodel.KeyUse) ast.Expr {
	e, ok := ast.Unparen(use.Expr).(*ast.CallExpr)
	if !ok {
		return use.Expr
	}
	if use.Pkg.Converts(e) {
		return origin(docmodel.KeyUse{Expr: e.Args[0], Pkg: use.Pkg})
	}
	if selector, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && len(e.Args) == 0 && (selector.Sel.Name == "String" || selector.Sel.Name == "Hex") {
		return origin(docmodel.KeyUse{Expr: selector.X, Pkg: use.Pkg})
	}
	return use.Expr
}

// idType reports whether a type is an identifier's.
func idType(t types.Type) bool {
	switch docmodel.KindOf(t, docmodel.BSON) {
	case docmodel.ObjectID, docmodel.UUID:
		return true
	case docmodel.String, docmodel.Number:
	default:
		return false
	}
	tokens := lexicon.Tokens(typeName(t))
	return len(tokens) > 0 && slices.Contains(idEndingsWords(), tokens[len(tokens)-1]) && !docmodel.Enumeration(t)
}

func typeName(t types.Type) string {
	_, name := docmodel.TypeName(t)
	return name
}

// writes returns a matching constant that a method of a type writes as a name.
func writes(p *check.Pass, owner *types.Named, match func(string) bool) (at token.Pos, name string) {
	for fn := range p.Package.Functions() {
		if !strings.HasPrefix(fn.Name.Name, "Marshal") || !receives(p, fn, owner) {
			continue
		}
		for n := range ast.Preorder(fn.Body) {
			if lit, ok := n.(*ast.BasicLit); ok {
				if text, ok := p.Package.Text(lit); ok && match(text) {
					return lit.Pos(), text
				}
			}
		}
	}
	return token.NoPos, ""
}

func receives(p *check.Pass, fn *ast.FuncDecl, owner *types.Named) bool {
	f, ok := p.Package.Info.Defs[fn.Name].(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	n := docmodel.Named(docmodel.Pointed(f.Signature().Recv().Type()))
	return n != nil && n.Obj() == owner.Obj()
}
