package invalidid

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/limits"
)

// reserved matches the names that Firestore reserves.
var reserved = lazyregexp.New(`^(\.|\.\.|__.*__)$`)

// firestoreNames reports documents stored under a name that is not a document
// path: CollectionRef.Doc takes the name as part of the path.
func firestoreNames(p *check.Pass) {
	for fn := range p.Package.Functions() {
		stored := storedAt(p, fn)
		if len(stored) == 0 {
			continue
		}
		for n := range ast.Preorder(fn.Body) {
			if call, ok := n.(*ast.CallExpr); ok && isDoc(p.Package, call) && len(call.Args) == 1 && stored[call] != nil {
				firestoreName(p, stored[call], call.Args[0])
			}
		}
	}
}

func isDoc(pkg *docmodel.Package, call *ast.CallExpr) bool {
	fn := pkg.Called(call)
	return fn != nil && strings.HasSuffix(fn.FullName(), "go/firestore.CollectionRef).Doc")
}

// storedAt returns what is stored at the references that a function makes:
// c.Doc(id).Set(ctx, d), also through a variable.
func storedAt(p *check.Pass, fn *ast.FuncDecl) map[*ast.CallExpr]*docmodel.Document {
	stored := map[*ast.CallExpr]*docmodel.Document{}
	for n := range ast.Preorder(fn.Body) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			continue
		}
		selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != "Set" && selector.Sel.Name != "Create" {
			continue
		}
		d := p.Program.Document(docmodel.Named(docmodel.Pointed(p.Package.Info.TypeOf(call.Args[1]))))
		if d == nil {
			continue
		}
		switch from := ast.Unparen(selector.X).(type) {
		case *ast.CallExpr:
			stored[from] = d
		case *ast.Ident:
			if made, ok := definition(p.Package, from).(*ast.CallExpr); ok {
				stored[made] = d
			}
		}
	}
	return stored
}

func firestoreName(p *check.Pass, d *docmodel.Document, name ast.Expr) {
	profile, ok := limits.For("firestore")
	if !ok {
		return
	}
	found := check.Finding{
		Document: d, At: name.Pos(), End: name.End(), Severity: finding.Warning, Confidence: 0.85,
		Evidence: []finding.Evidence{{Name: "made by", Value: types.ExprString(name)}},
	}
	slashes := 0
	for _, part := range parts(p.Package, name, 0) {
		switch {
		case part.base64:
			found.Message = fmt.Sprintf("the id of this %s is base64 that may contain a slash: Firestore reads it as a path", d.Name)
		case part.node == ast.Unparen(name) && reserved.MatchString(part.text):
			found.Severity, found.Confidence = finding.Error, 0.95
			found.Message = fmt.Sprintf("Firestore reserves the id %q and rejects this %s", part.text, d.Name)
			found.Advice = "Use another name."
			p.Report(found)
			return
		default:
			slashes += strings.Count(part.text, "/")
		}
		if found.Fix == nil && forbidden(part, profile.IDForbidden) != "" {
			found.Fix, found.Advice = replace(p, part, profile.IDForbidden), advice(part)
		}
	}
	// An even number of slashes leads to a subcollection's document.
	if found.Message == "" && slashes%2 == 1 {
		found.Message = fmt.Sprintf("the id of this %s contains a slash: it is the path of a collection, where Firestore stores no document", d.Name)
	}
	if found.Message != "" {
		p.Report(found)
	}
}
