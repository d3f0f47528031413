package docmodel

import (
	"go/ast"
	"go/types"
	"slices"
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

// models are the types of which a literal holds a document for a bulk write, with the
// field that holds it.
var models = []struct {
	sink  sink
	types []string
	field string
}{
	{sink{pattern: "mongo-driver", kind: writes, codec: BSON}, []string{"InsertOneModel"}, "Document"},
	{sink{pattern: "mongo-driver", kind: writes, codec: BSON}, []string{"ReplaceOneModel"}, "Replacement"},
	{sink{pattern: "mongo-driver", kind: updates, codec: BSON}, []string{"UpdateOneModel", "UpdateManyModel"}, "Update"},
	{sink{pattern: "couchbase/gocb", kind: writes, codec: JSON}, []string{"InsertOp", "UpsertOp", "ReplaceOp"}, "Value"},
}

// model records the document in a literal such as mongo.InsertOneModel{Document: d}.
func (g *gatherer) model(named *types.Named, n *ast.CompositeLit) {
	for _, m := range models {
		if !slices.Contains(m.types, named.Obj().Name()) || !within(pathOf(named), m.sink.pattern) {
			continue
		}
		value := SetTo(n, m.field)
		if value == nil {
			continue
		}
		c := sinkCall{sink: m.sink, documents: g.sources(value), pos: n.Pos(), pkg: g.pkg, in: g.fn}
		if m.sink.kind == updates {
			c.documents, c.upsert = g.setDocuments(value), g.setsUpsert(n)
		}
		g.calls = append(g.calls, c)
	}
}
