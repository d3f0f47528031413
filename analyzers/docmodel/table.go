package docmodel

import (
	"go/ast"
	"go/types"
	"strings"
)

// tableInput records the table that an encoded document goes into. The calls
// that encode for DynamoDB do not show it; dynamodb.PutItemInput{TableName: …,
// Item: …} does.
func (g *gatherer) tableInput(named *types.Named, n *ast.CompositeLit) {
	path := pathOf(named)
	if name := named.Obj().Name(); name != "PutItemInput" && name != "Put" || !strings.Contains(path, "service/dynamodb") {
		return
	}
	codec := DynamoDB
	if !strings.Contains(path, "aws-sdk-go-v2") {
		codec = DynamoDB1
	}
	c := sinkCall{sink: sink{kind: writes, codec: codec}, pos: n.Pos(), pkg: g.pkg, in: g.fn}
	for key, value := range Keyed(n) {
		switch key.Name {
		case "Item":
			c.documents = g.sources(value)
		case "TableName":
			if table, ok := g.constantString(value); ok {
				c.handle = []source{{trait: trait{kind: inCollection, name: table}, at: key.Pos()}}
			}
		}
	}
	if len(c.documents) > 0 && len(c.handle) > 0 {
		g.calls = append(g.calls, c)
	}
}
