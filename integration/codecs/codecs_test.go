// Package codecs compares what analyzers/decode says about types and documents
// with what the codecs do.
package codecs_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	bson1 "go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/shapevet/shapevet/analyzers/decode"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// A codec is one of those that are compared.
type codec struct {
	name    string
	key     string // of the struct tag
	rules   decode.Options
	options []string // of tags
	special func(*rand.Rand) any

	// write encodes a document as it is stored, and as an export has it.
	write func(*testing.T, object) (stored any, text string)
	read  func(stored, into any) error

	pairs int
}

func writeBSON(t *testing.T, o object) (any, string) {
	d := toBSON(o)
	stored, err := bson.Marshal(d)
	require.NoError(t, err)
	text, err := bson.MarshalExtJSON(d, false, false)
	require.NoError(t, err)
	return stored, string(text)
}

var codecs = []*codec{
	{
		name: "bson v2", key: "bson", options: []string{"truncate", "minsize", "string"}, special: bsonSpecials, pairs: 6000,
		rules: decode.Options{Codec: docmodel.BSON, Typed: true},
		write: writeBSON,
		read:  func(stored, into any) error { return bson.Unmarshal(stored.([]byte), into) },
	},
	{
		name: "bson v1", key: "bson", options: []string{"truncate", "minsize", "string"}, special: bsonSpecials, pairs: 4000,
		rules: decode.Options{Codec: docmodel.BSON, Typed: true, Hex: decode.Yes},
		write: writeBSON,
		read:  func(stored, into any) error { return bson1.Unmarshal(stored.([]byte), into) },
	},
	{
		name: "encoding/json", key: "json", options: []string{"string"}, special: jsonSpecials, pairs: 6000,
		rules: decode.Options{Codec: docmodel.JSON},
		write: func(t *testing.T, o object) (any, string) {
			text := toJSON(t, o)
			return []byte(text), text
		},
		read: func(stored, into any) error { return json.Unmarshal(stored.([]byte), into) },
	},
	{
		name: "attributevalue", key: "dynamodbav", options: []string{"string", "unixtime"}, pairs: 4000,
		special: func(*rand.Rand) any { return []byte("abc") },
		rules:   decode.Options{Codec: docmodel.DynamoDB, Typed: true},
		write: func(_ *testing.T, o object) (any, string) {
			item, text := toItem(o)
			return item, text
		},
		read: func(stored, into any) error { return attributevalue.UnmarshalMap(stored.(item), into) },
	},
}

// TestCodecs generates types and documents and requires that documents fail to
// decode exactly where the rules say so, unless the rules say nothing.
func TestCodecs(t *testing.T) {
	t.Parallel()
	w := loadWorld(t)
	for i, c := range append(slices.Clone(codecs), firestoreCodec(t)) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := &maker{Rand: rand.New(rand.NewPCG(1, uint64(i))), codec: c}
			var agreed, failed, unknown int
			for at := 0; at < c.pairs; {
				real := m.structure(3)
				seen := w.of(real)
				var all []string
				failing := int64(0)
				for range 5 {
					at++
					document := m.document(real)
					stored, text := c.write(t, document)
					err := c.decode(real, stored)
					if all = append(all, text); err != nil {
						failing++
					}
					result := decode.Compare(seen, observe(t, text), c.rules)
					switch {
					case len(result.Mismatches) > 0:
						if assert.Error(t, err, "%s\n%s\n%s", real, text, describe(result)) {
							agreed++
							failed++
						}
					case result.Unknown > 0:
						unknown++
					default:
						if assert.NoError(t, err, "%s\n%s", real, text) {
							agreed++
						}
					}
				}
				together := decode.Compare(seen, observe(t, all...), c.rules)
				if together.Unknown == 0 {
					assert.Equal(t, failing > 0, len(together.Mismatches) > 0, "%s\n%s", real, strings.Join(all, "\n"))
				}
				for _, one := range together.Mismatches {
					if one.Values == one.Node.Docs { // a value is a document
						assert.LessOrEqual(t, one.Count, failing, "%s\n%s\n%s", real, strings.Join(all, "\n"), describe(together))
					}
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%s: %d pairs, %d agreed (%d of them cannot be decoded), of %d nothing is said", c.name, c.pairs, agreed, failed, unknown)
			assert.Equal(t, c.pairs, agreed+unknown)
			assert.Less(t, unknown*10, c.pairs*3, "too much is unknown")
			assert.Greater(t, failed*5, c.pairs, "too little fails")
			assert.Greater(t, (agreed-failed)*5, c.pairs, "too little decodes")
		})
	}
}

func describe(r *decode.Result) string {
	var lines []string
	for _, m := range r.Mismatches {
		lines = append(lines, fmt.Sprintf("%s: %s into %s", m.Path, m.Class, m.Type))
	}
	return strings.Join(lines, "\n")
}

// decode reads a document into a new value.
func (c *codec) decode(t reflect.Type, stored any) (err error) {
	defer func() {
		if problem := recover(); problem != nil { // some codecs panic on types that they do not support
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	return c.read(stored, reflect.New(t).Interface())
}

// observe builds the evidence of documents. A file of one object could be a page
// of several documents, but not if the file also holds an empty document.
func observe(t *testing.T, documents ...string) *evidence.Node {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "documents.jsonl"), []byte(strings.Join(documents, "\n")+"\n{}\n"), 0o600))
	db, _, err := jsonlint.Profile(t.Context(), []string{dir}, jsonlint.Options{Jobs: 1})
	require.NoError(t, err)
	f := evidence.New(db, evidence.Options{Tool: "test", Date: time.Unix(0, 0)})
	require.Len(t, f.Collections, 1)
	return f.Collections[0].Whole().Root
}
