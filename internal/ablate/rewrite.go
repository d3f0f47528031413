package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// rewrite returns the source with a switch on each condition, and a description
// of the conditions, which are numbered from first. It does not move any line.
func rewrite(file string, src []byte, first int) (text []byte, conditions []string) {
	fset := token.NewFileSet()
	tree := must(parser.ParseFile(fset, file, src, parser.SkipObjectResolution))
	type insert struct {
		offset, order int
		text          string
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	inserts := []insert{{at(tree.Name.End()), 0, `; import ablate "` + switches + `"`}}
	put := func(kind, without string, x ast.Expr) {
		n := len(conditions)
		// At one offset, what wraps more comes first before the node and last after
		// it.
		inserts = append(inserts,
			insert{at(x.Pos()), n, "(("},
			insert{at(x.End()), -n, fmt.Sprintf(") %s.Off(%d))", without, first+n)})
		shown := strings.Join(strings.Fields(string(src[at(x.Pos()):at(x.End())])), " ")
		conditions = append(conditions, fmt.Sprintf("%s %s %s", fset.Position(x.Pos()), kind, shown))
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR // a constant cannot have a switch
		case *ast.IfStmt:
			if leaves(n) {
				put("if", "&& !ablate", n.Cond)
			}
		case *ast.BinaryExpr:
			for _, x := range []ast.Expr{n.X, n.Y} {
				if inner, ok := x.(*ast.BinaryExpr); ok && inner.Op == n.Op {
					continue // its operands have switches themselves
				}
				switch n.Op {
				case token.LAND:
					put("&&", "|| ablate", x)
				case token.LOR:
					put("||", "&& !ablate", x)
				}
			}
		}
		return true
	})
	if len(conditions) == 0 {
		return src, nil
	}
	slices.SortFunc(inserts, func(a, b insert) int { return cmp.Or(a.offset-b.offset, a.order-b.order) })
	done := 0
	for _, i := range inserts {
		text = append(append(text, src[done:i.offset]...), i.text...)
		done = i.offset
	}
	return append(text, src[done:]...), conditions
}

// leaves reports whether an if only leaves. It ignores code that only returns
// an error.
func leaves(s *ast.IfStmt) bool {
	if s.Else != nil || len(s.Body.List) != 1 {
		return false
	}
	if c, ok := s.Cond.(*ast.BinaryExpr); ok {
		if x, ok := c.X.(*ast.Ident); ok && x.Name == "err" {
			return false
		}
	}
	switch s.Body.List[0].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}
