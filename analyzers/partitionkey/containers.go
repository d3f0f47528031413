package partitionkey

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// A key is a partition key with its origin.
type key struct {
	path string    // without the first slash
	pos  token.Pos // in the code that creates the container; NoPos for a directive or the configuration
}

// containers returns the keys from literals with which code creates containers:
// azcosmos.ContainerProperties{ID: "posts", PartitionKeyDefinition:
// azcosmos.PartitionKeyDefinition{Paths: …}}. It skips hierarchical keys.
func containers(p *check.Pass) map[string]key {
	found := map[string]key{}
	for _, file := range p.Package.Files {
		for n := range ast.Preorder(file) {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !strings.HasSuffix(docmodel.LastName(lit.Type), "ContainerProperties") {
				continue
			}
			name, path := text(p, docmodel.SetTo(lit, "ID")), ""
			if definition, ok := docmodel.SetTo(lit, "PartitionKeyDefinition").(*ast.CompositeLit); ok {
				if paths, ok := docmodel.SetTo(definition, "Paths").(*ast.CompositeLit); ok && len(paths.Elts) == 1 {
					path = text(p, paths.Elts[0])
				}
			}
			if name != "" && strings.HasPrefix(path, "/") {
				found[name] = key{path: strings.Trim(path, "/"), pos: lit.Pos()}
			}
		}
	}
	return found
}

// keyOf returns the partition key of a type: the declared one, or that of its
// only container.
func keyOf(p *check.Pass, d *docmodel.Document, containers map[string]key) key {
	if d.Partition != "" {
		return key{path: d.Partition}
	}
	if len(d.Collections) != 1 || p.DB(d) != "cosmosdb" {
		return key{}
	}
	return containers[d.Collections[0]]
}

func text(p *check.Pass, expr ast.Expr) string {
	text, _ := p.Package.Text(expr)
	return text
}
