package partitionkey

import (
	"go/ast"
	"go/constant"
	"go/token"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// A key is a partition key and where it is known from.
type key struct {
	path string    // without the first slash
	pos  token.Pos // in the code that creates the container; NoPos for a directive or the configuration
}

// containers reads the keys from the literals by which code creates
// containers: azcosmos.ContainerProperties{ID: "posts",
// PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: …}}. One with
// a hierarchical key is left out.
func containers(p *docmodel.Pass) map[string]key {
	found := map[string]key{}
	for _, file := range p.Package.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !strings.HasSuffix(typeName(lit.Type), "ContainerProperties") {
				return true
			}
			name, path := text(p, element(lit, "ID")), ""
			if definition, ok := element(lit, "PartitionKeyDefinition").(*ast.CompositeLit); ok {
				if paths, ok := element(definition, "Paths").(*ast.CompositeLit); ok && len(paths.Elts) == 1 {
					path = text(p, paths.Elts[0])
				}
			}
			if name != "" && strings.HasPrefix(path, "/") {
				found[name] = key{path: strings.Trim(path, "/"), pos: lit.Pos()}
			}
			return true
		})
	}
	return found
}

// keyOf is the partition key of a type: as it is declared, else that of the
// one container it is stored in.
func keyOf(p *docmodel.Pass, d *docmodel.Document, containers map[string]key) key {
	if d.Partition != "" {
		return key{path: d.Partition}
	}
	if len(d.Collections) != 1 || p.DB(d) != "cosmosdb" {
		return key{}
	}
	return containers[d.Collections[0]]
}

func typeName(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// element is the value of a field in a literal.
func element(lit *ast.CompositeLit, name string) ast.Expr {
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := pair.Key.(*ast.Ident); ok && id.Name == name {
				return ast.Unparen(pair.Value)
			}
		}
	}
	return nil
}

func text(p *docmodel.Pass, expr ast.Expr) string {
	if expr == nil {
		return ""
	}
	if tv, ok := p.Package.Info.Types[expr]; ok && tv.Value != nil && tv.Value.Kind() == constant.String {
		return constant.StringVal(tv.Value)
	}
	return ""
}
