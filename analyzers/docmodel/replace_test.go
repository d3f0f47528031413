package docmodel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestChanges finds types whose stored documents code changes.
func TestChanges(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		imports, body string
		changed       bool
	}{
		"insert":    {"", `func f(d Doc) { c.InsertOne(ctx, d) }`, false},
		"replace":   {"", `func f(d Doc) { c.InsertOne(ctx, d); c.ReplaceOne(ctx, nil, d) }`, true},
		"as whole":  {"", `func f(d Doc) { c.InsertOne(ctx, d); c.UpdateOne(ctx, nil, bson.M{"$set": d}) }`, true},
		"field":     {"", `func f(d Doc) { c.InsertOne(ctx, d); c.UpdateOne(ctx, nil, bson.M{"$set": bson.M{"name": d.Name}}) }`, true},
		"unknown":   {"", `func f(db *mongo.Database, d Doc, u any) { db.Collection("docs").InsertOne(ctx, d); db.Collection("docs").UpdateOne(ctx, nil, u) }`, true},
		"elsewhere": {"", `func f(db *mongo.Database, d Doc, u any) { db.Collection("docs").InsertOne(ctx, d); db.Collection("others").UpdateOne(ctx, nil, u) }`, false},
		"dynamodb":  {`; "github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"`, `func f(d Doc) { attributevalue.MarshalMap(d) }`, true},
		"mgm":       {`; "github.com/kamva/mgm/v3"`, `func (*Doc) GetID() any { return nil }; func f(m *mgm.Collection, d *Doc) { m.Update(d) }`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(mongoHead, `"time"`, `"time"`+test.imports, 1) + "type Doc struct { ID string `bson:\"_id\"`; Name string `bson:\"name\"` }\n" + test.body
			p := one(t, text)
			assert.Equal(t, test.changed, p.Changes(document(p, "Doc")))
		})
	}
}
