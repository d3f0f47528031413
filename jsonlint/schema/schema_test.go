package schema_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// load writes files and loads them as schemas of the collections that they are
// named after. Files in parts/ are only referred to.
func load(t testing.TB, files map[string]string) *schema.Set {
	t.Helper()
	dir := t.TempDir()
	var sources []schema.Source
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if !strings.Contains(name, "/") {
			sources = append(sources, schema.Source{Collection: strings.TrimSuffix(name, ".json"), Path: path})
		}
	}
	return schema.Load(sources)
}

func sound(t testing.TB, files map[string]string) *schema.Set {
	t.Helper()
	set := load(t, files)
	set.Validator()
	require.Empty(t, set.Problems())
	return set
}

// see shows documents, one a line, to an observer.
func see(t testing.TB, o *schema.Observer, collection, lines string) {
	t.Helper()
	var p scan.Parser
	offset := 0
	for line := range strings.Lines(lines) {
		if text := strings.TrimSpace(line); text != "" {
			d, err := p.Parse([]byte(text))
			require.NoError(t, err, text)
			document := &profile.Document{Document: d, Base: int64(offset)}
			o.See(collection, document)
		}
		offset += len(line)
	}
}

// token returns the text at a place.
func token(l finding.Location) string {
	return l.Snippet[l.Column-l.SnippetColumn : l.EndColumn-l.SnippetColumn]
}

// violations validates documents, one per line, and returns the violations: the
// text at the place in the schema, and the message.
func violations(t testing.TB, text, lines string) []string {
	t.Helper()
	v := sound(t, map[string]string{"posts.json": text}).Validator()
	o := v.Observer()
	see(t, o, "posts", lines)
	v.Add(o.Seen)
	require.Empty(t, v.Failed())
	out := []string{}
	for _, f := range v.Violations() {
		out = append(out, token(f.Location)+" "+f.Message)
	}
	return out
}

func TestViolations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, schema, documents, want string }{
		{"kept", `{"type": "object"}`, `{"a": 1}`, ""},
		{"type", `{"properties": {"a": {"type": ["string", "null"]}}}`, `{"a": 1}`, `"type" a has to be string or null: 1 of 1 document has another type, such as 1`},
		{"count", `{"properties": {"a": {"type": "string"}}}`, "{\"a\": 1}\n{\"a\": \"\"}\n{\"a\": 2}", `"type" a has to be string: 2 of 3 documents have another type, such as 1`},
		{"required", `{"required": ["a", "b"]}`, `{"b": 1}`, `"a" a is required: 1 of 1 document lacks it`},
		{"required below", `{"properties": {"a": {"items": {"required": ["b"]}}}}`, `{"a": [{"b": 1}, {}]}`, `"b" a[].b is required: 1 of 1 document lacks it`},
		{"enum", `{"properties": {"a": {"enum": ["x", 1]}}}`, `{"a": "y"}`, `"enum" a has to be one of "x", 1: 1 of 1 document has something else, such as "y"`},
		{"const", `{"properties": {"a": {"const": 1.0}}}`, "{\"a\": 1}\n{\"a\": 2}", `"const" a has to be 1.0: 1 of 2 documents has something else, such as 2`},
		{"maxItems", `{"properties": {"a": {"maxItems": 1}}}`, `{"a": [1, 2]}`, `"maxItems" a may have 1 element at most: 1 of 1 document has more, such as 2`},
		{"minimum", `{"properties": {"a": {"minimum": 0}}}`, `{"a": -3}`, `"minimum" a has to be at least 0: 1 of 1 document has less, such as -3`},
		{"pattern", `{"properties": {"a": {"pattern": "^[a-z]+$"}}}`, `{"a": "A1"}`, `"pattern" a has to match "^[a-z]+$": 1 of 1 document does not match, such as "A1"`},
		{"others", `{"properties": {"a": {}}, "additionalProperties": false}`, `{"b": 1, "a": 2, "c": 3}`, `"additionalProperties" the document may have no other names than those of the schema: 1 of 1 document has some, such as "b" and "c"`},
		{"nothing", `{"properties": {"a": false}}`, `{"a": 1}`, `false a is not allowed: 1 of 1 document has it, such as 1`},
		{"map", `{"properties": {"a": {"additionalProperties": {"type": "number"}}}}`, `{"a": {"x": "1"}}`, `"type" a{} has to be number: 1 of 1 document has another type, such as "1"`},
		{"names like keywords", `{"properties": {"properties": {"properties": {"items": {"type": "string"}}}}}`, `{"properties": {"items": 1}}`, `"type" properties.items has to be string: 1 of 1 document has another type, such as 1`},
		{"escaped names", `{"properties": {"a/b~c %": {"type": "string"}}}`, `{"a/b~c %": 1}`, `"type" a/b~c % has to be string: 1 of 1 document has another type, such as 1`},
		{"reference", `{"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}}`, `{"a": 1}`, `"type" a has to be string: 1 of 1 document has another type, such as 1`},
		{"all of", `{"allOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["b"]}]}`, `{"a": 1}`,
			"\"type\" a has to be string: 1 of 1 document has another type, such as 1\n\"b\" b is required: 1 of 1 document lacks it"},
		{"nullable", `{"properties": {"a": {"anyOf": [{"type": "null"}, {"type": "object", "required": ["b"]}]}}}`, `{"a": {}}`, `"b" a.b is required: 1 of 1 document lacks it`},
		{"kind", `{"oneOf": [{"properties": {"type": {"const": "a"}, "n": {"type": "number"}}}, {"properties": {"type": {"const": "b"}}}]}`,
			`{"type": "a", "n": "1"}`, `"type" n has to be number: 1 of 1 document has another type, such as "1"`},
		{"unknown kind", `{"oneOf": [{"properties": {"type": {"const": "a"}, "n": {"type": "number"}}}, {"properties": {"type": {"const": "b"}, "m": {}}}]}`,
			`{"type": "c"}`, `"oneOf" the document has to fit one alternative of the schema: 1 of 1 document fits none`},
		{"several", `{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}`, `{"a": 1, "b": 2}`, `"oneOf" the document has to fit one alternative of the schema only: 1 of 1 document fits several`},
		{"dependent", `{"dependentRequired": {"a": ["b"]}}`, `{"a": 1}`, `"dependentRequired" the document has to have names that depend on each other together: 1 of 1 document does not, such as an object`},
		{"condition", `{"if": {"required": ["a"]}, "then": {"required": ["b"]}}`, `{"a": 1}`, `"b" b is required: 1 of 1 document lacks it`},
		{"tuple", `{"properties": {"a": {"prefixItems": [{"type": "string"}]}}}`, `{"a": [1]}`, `"type" a[] has to be string: 1 of 1 document has another type, such as 1`},
		{"draft 4", `{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"maximum": 3, "exclusiveMaximum": true}}}`, `{"a": 3}`,
			`"exclusiveMaximum" a has to be less than 3: 1 of 1 document has more, such as 3`},
		{"not a number", `{"properties": {"a": {"type": "integer"}, "b": {"type": "number"}}}`, `{"a": 1e999999999, "b": 1e-999999999}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, strings.Join(violations(t, test.schema, test.documents), "\n"))
		})
	}
}

// TestPlaces checks both places of a violation.
func TestPlaces(t *testing.T) {
	t.Parallel()
	set := sound(t, map[string]string{"posts.json": "{\n  \"properties\": {\n    \"a\": {\"type\": \"string\"},\n    \"b\": {\"type\": \"string\"}\n  }\n}"})
	v := set.Validator()
	lines := "{\"a\": \"x\"}\n{\"a\": 12}\n{\"b\": {}, \"a\": 3}\n"
	first, second := v.Observer(), v.Observer()
	see(t, second, "posts", lines[strings.Index(lines, "{\"b\""):])
	see(t, first, "posts", lines)
	see(t, first, "authors", `{"a": 1}`) // has no schema
	v.Add(second.Seen)
	v.Add(first.Seen)
	found := v.Violations()
	require.Len(t, found, 2)
	assert.Equal(t, int64(3), found[0].Documents, "of both workers")
	assert.Equal(t, int64(4), found[0].Of)
	assert.Equal(t, []int{3, 11}, []int{found[0].Location.Line, found[0].Location.Column})
	assert.Equal(t, `    "a": {"type": "string"},`, found[0].Location.Snippet)
	require.Len(t, found[0].At, 3)
	at := found[0].At[1]
	assert.Equal(t, "12", lines[at.Off:at.Off+int64(at.Len)])
	at = found[1].At[0]
	assert.Equal(t, `"b"`, `{"b": {}, "a": 3}`[at.Off:at.Off+int64(at.Len)], "an object is shown by its name")
}

func TestMongoDBTypes(t *testing.T) {
	t.Parallel()
	values := []struct {
		types string
		value string
	}{
		{"int number", `1`}, {"int number", `{"$numberInt": "7"}`}, {"long number", `3000000000`}, {"long number", `{"$numberLong": "3000000000"}`},
		{"double number", `1.5`}, {"double number", `{"$numberDouble": "NaN"}`}, {"decimal number", `{"$numberDecimal": "1.10"}`},
		{"string", `"x"`}, {"bool", `true`}, {"null", `null`}, {"object", `{}`}, {"array", `[]`},
		{"objectId", `{"$oid": "5f50c31a1c9d440000000000"}`}, {"date", `{"$date": "2026-01-31T00:00:00Z"}`}, {"date", `{"$date": {"$numberLong": "1"}}`},
		{"timestamp", `{"$timestamp": {"t": 1, "i": 1}}`}, {"binData", `{"$binary": {"base64": "AA==", "subType": "00"}}`},
		{"binData", `{"$uuid": "3b241101-e2bb-4255-8caf-4136c566a962"}`}, {"regex", `{"$regularExpression": {"pattern": "a", "options": ""}}`},
		{"minKey", `{"$minKey": 1}`}, {"maxKey", `{"$maxKey": 1}`}, {"symbol", `{"$symbol": "x"}`}, {"javascript", `{"$code": "f()"}`},
	}
	for _, name := range []string{
		"int", "long", "double", "decimal", "number", "string", "bool", "null", "object", "array", "objectId", "date", "timestamp", "binData", "regex",
		"minKey", "maxKey", "symbol", "javascript",
	} {
		v := sound(t, map[string]string{"posts.json": fmt.Sprintf(`{"$jsonSchema": {"properties": {"a": {"bsonType": %q}}}}`, name)}).Validator()
		for _, value := range values {
			var p scan.Parser
			d, err := p.Parse([]byte(`{"a": ` + value.value + `}`))
			require.NoError(t, err)
			want := slices.Contains(strings.Fields(value.types), name)
			assert.Equal(t, want, v.Validate("posts", d) == nil, "%s is %s", value.value, name)
		}
	}
}

func TestMongoDBValidator(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, schema, documents, want string }{
		{"collMod", `{"collMod": "posts", "validator": {"$jsonSchema": {"required": ["a"]}}}`, `{}`, `"a" a is required: 1 of 1 document lacks it`},
		{"listed", `{"name": "posts", "options": {"validator": {"$jsonSchema": {"required": ["a"]}}}}`, `{}`, `"a" a is required: 1 of 1 document lacks it`},
		{"bsonType", `{"$jsonSchema": {"properties": {"a": {"bsonType": ["int", "objectId"]}}}}`, `{"a": "5f50c31a1c9d440000000000"}`,
			`"bsonType" a has to be int or objectId: 1 of 1 document has another type, such as "5f50c31a1c9d440000000000"`},
		{"type is none of MongoDB's own", `{"$jsonSchema": {"properties": {"a": {"type": "object"}}}}`, `{"a": {"$oid": "5f50c31a1c9d440000000000"}}`,
			`"type" a has to be object: 1 of 1 document has another type, such as {"$oid": "5f50c31a1c9d440000000000"}`},
		{"enum", `{"$jsonSchema": {"properties": {"a": {"enum": [1, {"$oid": "5f50c31a1c9d440000000000"}, {"b": 1}]}}}}`,
			"{\"a\": {\"$numberLong\": \"1\"}}\n{\"a\": 1.0}\n{\"a\": {\"$oid\": \"5f50c31a1c9d440000000000\"}}\n{\"a\": {\"b\": 1}}\n{\"a\": \"1\"}",
			`"enum" a has to be one of 1, {"$oid": "5f50c31a1c9d440000000000"}, {"b": 1}: 1 of 5 documents has something else, such as "1"`},
		{"unique", `{"$jsonSchema": {"properties": {"a": {"uniqueItems": true}}}}`, "{\"a\": [1, 2]}\n{\"a\": [1, 1.0]}", `"uniqueItems" a may not have equal elements: 1 of 2 documents has some, such as an array`},
		{"wrapped bound", `{"$jsonSchema": {"properties": {"a": {"maxItems": {"$numberInt": "1"}}}}}`, `{"a": [1, 2]}`,
			`"maxItems" a may have 1 element at most: 1 of 1 document has more, such as 2`},
		{"numbers", `{"$jsonSchema": {"properties": {"a": {"minimum": 5}}}}`, "{\"a\": {\"$numberDecimal\": \"4.9\"}}\n{\"a\": {\"$date\": \"2026-01-31\"}}",
			`"minimum" a has to be at least 5: 1 of 2 documents has less, such as {"$numberDecimal": "4.9"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, strings.Join(violations(t, test.schema, test.documents), "\n"))
		})
	}
}

// TestNotations: a schema that mentions $oid describes documents as written;
// any other describes values.
func TestNotations(t *testing.T) {
	t.Parallel()
	documents := `{"_id": {"$oid": "5f50c31a1c9d440000000000"}, "at": {"$date": {"$numberLong": "0"}}, "n": {"$numberInt": "5"}}`
	assert.Empty(t, violations(t, `{"properties": {"_id": {"type": "string", "pattern": "^[0-9a-f]{24}$"}, "at": {"type": "string", "pattern": "^1970-01-01T00:00:00Z$"}, "n": {"type": "integer"}}}`, documents))
	assert.Empty(t, violations(t, `{"properties": {"_id": {"type": "object", "required": ["$oid"], "properties": {"$oid": {"type": "string"}}}, "n": {"type": "object"}}}`, documents))
	assert.Equal(t, []string{`"pattern" _id.$oid has to match "^x": 1 of 1 document does not match, such as {"$oid": "5f50c31a1c9d440000000000"}`},
		violations(t, `{"properties": {"_id": {"type": "object", "properties": {"$oid": {"pattern": "^x"}}}}}`, documents))
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, schema, want, hint string }{
		{"no JSON", "{\n \"a\": }", "2:7 the schema is not JSON: expected a value, found '}'", ""},
		{"no schema", `[]`, "1:1 a schema is an object", ""},
		{"evidence", `{"format": "shapevet evidence"}`, "1:1 this is an evidence file and no schema", `"shapevet profile --schema json" makes a schema of it`},
		{"dialect", `{"$schema": "https://example.com/own"}`, "1:13 the dialect of the schema is unknown", "use https://json-schema.org/draft/2020-12/schema, or an older draft"},
		{"keyword", `{"properties": {"a": {"maxItems": "3"}}}`, `1:23 the schema is not valid: maxItems is wrong: expected integer, but got string`, ""},
		{"pattern", `{"properties": {"a": {"pattern": "(["}}}`, `1:23 the schema is not valid: pattern is wrong: '([' is not valid 'regex'`, ""},
		{"reference", `{"$ref": "#/$defs/adress", "$defs": {"address": {}}}`, `1:10 $ref "#/$defs/adress" leads nowhere`, `did you mean "address"?`},
		{"anchor", `{"$ref": "#nowhere"}`, `1:10 $ref "#nowhere" leads nowhere`, ""},
		{"file", `{"$ref": "parts/gone.json"}`, `1:10 $ref "parts/gone.json": there is no such file`, "paths are relative to the file that refers"},
		{"network", `{"$ref": "https://example.com/a.json"}`, `1:10 $ref "https://example.com/a.json" leads to the network, and schemas are not fetched`, "keep a copy beside this file and refer to that by its path"},
		{"unsupported", `{"$jsonSchema": {"properties": {"a": {"const": 1}}}}`, `1:39 MongoDB's $jsonSchema has no keyword "const"`, "write enum with one value"},
		{"misspelt", `{"$jsonSchema": {"requird": ["a"]}}`, `1:18 MongoDB's $jsonSchema has no keyword "requird"`, `did you mean "required"?`},
		{"unknown type", `{"$jsonSchema": {"bsonType": "objectid"}}`, `1:30 bsonType "objectid" is unknown to MongoDB`, `did you mean "objectId"?`},
		{"integer", `{"$jsonSchema": {"type": "integer"}}`, `1:26 type "integer" is unknown to MongoDB`, `write bsonType: ["int", "long"]`},
		{"validator", `{"$jsonSchema": {"required": "a"}}`, `1:18 the schema is not valid: required is wrong: expected array, but got string`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			set := load(t, map[string]string{"posts.json": test.schema, "good.json": `{"required": ["a"]}`})
			v := set.Validator()
			problems := set.Problems()
			require.Len(t, problems, 1)
			at := problems[0].Location
			assert.Equal(t, "posts.json", filepath.Base(at.File))
			assert.Equal(t, test.want, fmt.Sprintf("%d:%d %s", at.Line, at.Column, problems[0].Message))
			assert.Equal(t, test.hint, problems[0].Hint)
			assert.False(t, v.Has("posts"), "it validates nothing")
			assert.True(t, v.Has("good"), "the others do")
		})
	}
}

func TestMissingFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "all.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"$defs": {"posts": {"required": ["a"]}}}`), 0o600))
	set := schema.Load([]schema.Source{
		{Collection: "gone", Path: filepath.Join(dir, "gone.json")}, {Collection: "part", Path: path + "#/$defs/psts"}, {Collection: "posts", Path: path + "#/$defs/posts"},
	})
	problems := set.Problems()
	require.Len(t, problems, 2)
	assert.Equal(t, "there is no /$defs/psts in the schema file", problems[0].Message)
	assert.Equal(t, `did you mean "posts"?`, problems[0].Hint)
	assert.Equal(t, "the schema of gone cannot be read: no such file or directory", problems[1].Message)
	assert.Equal(t, []string{"posts"}, set.Collections())
	assert.Len(t, set.Files(), 2, "also those that are not there")
	var p scan.Parser
	d, err := p.Parse([]byte(`{}`))
	require.NoError(t, err)
	assert.Error(t, set.Validator().Validate("posts", d))
}

func TestReferences(t *testing.T) {
	t.Parallel()
	set := sound(t, map[string]string{
		"posts.json": `{"$id": "https://example.com/schemas/posts.json", "properties": {
			"author": {"$ref": "parts/author.json"}, "home": {"$ref": "https://example.com/schemas/users.json#/$defs/address"},
			"parent": {"$ref": "#"}, "named": {"$ref": "#name"}, "meta": {"$ref": "https://json-schema.org/draft/2020-12/schema"}},
			"$defs": {"n": {"$anchor": "name", "type": "string"}}}`,
		"parts/author.json": `{"type": "object", "required": ["name"]}`,
		"users.json":        `{"$id": "https://example.com/schemas/users.json", "$defs": {"address": {"type": "string"}}}`,
	})
	v := set.Validator()
	o := v.Observer()
	see(t, o, "posts", `{"author": {}, "home": 1, "parent": {"parent": {"named": 2}}}`)
	v.Add(o.Seen)
	var found []string
	for _, f := range v.Violations() {
		found = append(found, filepath.Base(f.Location.File)+" "+f.Path)
	}
	assert.ElementsMatch(t, []string{"author.json author.name", "users.json home", "posts.json parent.parent.named"}, found)
	in := set.In()
	assert.Len(t, in, 3)
	for path, collections := range in {
		assert.Contains(t, collections, "posts", "%s has a part of it", path)
	}
}

// TestNestedIDs: a nested schema may have its own id, and earlier parts may
// refer to it.
func TestNestedIDs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{`"type" a has to be string: 1 of 1 document has another type, such as 1`, `"type" b has to be string: 1 of 1 document has another type, such as 2`},
		violations(t, `{"$id": "https://example.com/a/root.json", "properties": {"a": {"$ref": "item.json"}, "b": {"$ref": "item.json#/$defs/x"}},
			"$defs": {"item": {"$id": "item.json", "type": "string", "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"type": "string"}}}}}`, `{"a": 1, "b": 2}`))
	for _, id := range []string{"http://", "https:", "http://%zz"} {
		set := load(t, map[string]string{"posts.json": fmt.Sprintf(`{"properties": {"a": {"$id": %q}}}`, id)})
		require.Len(t, set.Problems(), 1, id)
		assert.Contains(t, set.Problems()[0].Message, "is not a URL")
	}
	for url, usual := range map[string]string{
		"HTTP://e.com/x": "http://e.com/x", "http://e.com/a/../b": "http://e.com/b", "http://e.com/é": "http://e.com/%C3%A9", "URN:x:y": "urn:x:y",
	} {
		for _, text := range []string{`{"$id": %q, "allOf": [{}]}`, `{"properties": {"a": {"$ref": %q}}}`} {
			set := load(t, map[string]string{"posts.json": fmt.Sprintf(text, url)})
			require.Len(t, set.Problems(), 1, url)
			assert.Contains(t, set.Problems()[0].Message, "usual form")
			assert.Contains(t, set.Problems()[0].Hint, usual)
		}
	}
}

func TestDeclared(t *testing.T) {
	t.Parallel()
	d := sound(t, map[string]string{"posts.json": `{
		"oneOf": [
			{"properties": {"meta": {"properties": {"kind": {"const": "a"}}}, "x": {"type": "string"}}},
			{"properties": {"meta": {"properties": {"kind": {"enum": ["b", "c"]}}}, "y": {"type": "string"}}}
		],
		"properties": {
			"tags": {"type": "array", "maxItems": 5, "items": {"type": "string"}},
			"open": {"type": "array", "items": {"type": "object"}},
			"either": {"anyOf": [{"type": "null"}, {"type": "array", "maxItems": 7}]},
			"both": {"anyOf": [{"type": "array"}, {"type": "array", "maxItems": 7}]},
			"pair": {"prefixItems": [{}, {}], "items": false},
			"scores": {"type": "object", "additionalProperties": {"type": "number"}},
			"byDay": {"patternProperties": {"^[0-9]+$": {"type": "array", "maxItems": 9}}},
			"record": {"properties": {"a": {}}, "additionalProperties": {"type": "number"}},
			"parts": {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/part"}}
		},
		"$defs": {"part": {"properties": {"parts": {"type": "array", "maxItems": 4, "items": {"$ref": "#/$defs/part"}}}}}
	}`}).Declared()["posts"]
	bounds := map[string]int64{}
	for path, b := range d.Bounds {
		bounds[path] = b.Most
	}
	assert.Equal(t, map[string]int64{"tags": 5, "either": 7, "pair": 2, "byDay{}": 9, "parts": 3, "parts[].parts": 4}, bounds)
	assert.Equal(t, 7, d.Bounds["tags"].At.Line)
	assert.Contains(t, d.Maps, "scores")
	assert.Contains(t, d.Maps, "byDay")
	assert.Len(t, d.Maps, 2)
	assert.Equal(t, "meta.kind", d.Discriminators[""].Path)
	assert.Equal(t, 2, d.Discriminators[""].At.Line)
}

func lint(t *testing.T, db string, files map[string]string) []finding.Finding {
	t.Helper()
	return sound(t, files).Lint(schema.LintOptions{
		Lexicon: lexicon.Default(), DB: db, Rules: rules.OnSchemas(), Threshold: func(string, string) float64 { return 1_000 },
	})
}

func TestLint(t *testing.T) {
	t.Parallel()
	stock := `{"type": "object", "properties": {"id": {"type": "string"}, "symbol": {"type": "string"}, "price": {"type": "number"}, "high": {"type": "number"}}}`
	for _, test := range []struct {
		name  string
		db    string
		files map[string]string
		want  []string
	}{
		{"array by its name", "", map[string]string{"posts.json": `{"properties": {"comments": {"type": "array", "items": {"type": "object"}}}}`},
			[]string{`info unbounded-array "comments" comments`}},
		{"array of the size", "", map[string]string{"posts.json": `{"properties": {"comments": {"type": "array", "maxItems": 20, "items": {"type": "object"}}}}`}, nil},
		{"no bound", "", map[string]string{"posts.json": `{"properties": {"rows": {"type": "array", "maxItems": 5000, "items": {"type": "object"}}}}`},
			[]string{`warning unbounded-array 5000 rows`}},
		{"recent ones", "", map[string]string{"posts.json": `{"properties": {"recentComments": {"type": "array", "items": {"type": "object"}}}}`}, nil},
		{"other names", "", map[string]string{"posts.json": `{"properties": {"sizes": {"type": "array", "items": {"type": "string"}}}}`}, nil},
		{"numbers", "", map[string]string{"posts.json": `{"properties": {"events": {"type": "array", "items": {"type": "number"}}}}`}, nil},
		{"MongoDB", "mongodb", map[string]string{"posts.json": `{"$jsonSchema": {"properties": {"comments": {"bsonType": "array", "items": {"bsonType": "object"}}}}}`},
			[]string{`info unbounded-array "comments" comments`}},

		{"kinds", "", map[string]string{"posts.json": `{"oneOf": [{"properties": {"title": {"type": "string"}}}, {"properties": {"rating": {"type": "number"}}}]}`},
			[]string{`warning missing-discriminator "oneOf" `}},
		{"kinds told", "", map[string]string{"posts.json": `{"oneOf": [{"properties": {"type": {"const": "a"}, "title": {"type": "string"}}}, {"properties": {"type": {"enum": ["b"]}}}]}`}, nil},
		{"the same constant", "", map[string]string{"posts.json": `{"oneOf": [{"properties": {"type": {"const": "a"}, "title": {"type": "string"}}}, {"properties": {"type": {"enum": ["b", "a"]}}}]}`},
			[]string{`warning missing-discriminator "oneOf" `}},
		{"told by OpenAPI", "", map[string]string{"posts.json": `{"discriminator": {"propertyName": "t"}, "oneOf": [{"properties": {"title": {"type": "string"}}}, {"properties": {"rating": {"type": "number"}}}]}`}, nil},
		{"the rest", "", map[string]string{"posts.json": `{"oneOf": [{"properties": {"type": {"const": "a"}, "title": {"type": "string"}}}, {"properties": {"type": {"not": {"enum": ["a"]}}}}]}`}, nil},
		{"by key", "", map[string]string{"posts.json": `{"anyOf": [{"required": ["card"], "properties": {"card": {"type": "object"}}}, {"required": ["bank"], "properties": {"bank": {"type": "object"}}}]}`}, nil},
		{"conditions", "", map[string]string{"posts.json": `{"properties": {"a": {"type": "number"}}, "anyOf": [{"properties": {"a": {"minimum": 3}}}, {"properties": {"a": {"maximum": 1}}}]}`}, nil},
		{"scalars", "", map[string]string{"posts.json": `{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"b": {"type": "string"}}}]}}}`}, nil},
		{"kinds referred to", "", map[string]string{"posts.json": `{"properties": {"parts": {"maxItems": 9, "items": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}}}, "$defs": {"a": {"properties": {"x": {"type": "string"}}}, "b": {"properties": {"y": {"type": "string"}}}}}`},
			[]string{`warning missing-discriminator "anyOf" parts[]`}},

		{"embedded", "", map[string]string{"stocks.json": stock, "people.json": `{"properties": {"holdings": {"type": "array", "maxItems": 9, "items": {"properties": {"stock": {"$ref": "stocks.json"}}}}}}`},
			[]string{`info volatile-embed "stock" holdings[].stock`}},
		{"referred to by nobody", "", map[string]string{"stocks.json": stock, "people.json": `{"properties": {"stockId": {"type": "string"}, "name": {"type": "string"}}}`}, nil},
		{"a snapshot", "", map[string]string{"stocks.json": stock, "orders.json": `{"properties": {"stock": {"$ref": "stocks.json"}, "total": {"type": "number"}}}`}, nil},

		{"a join", "", map[string]string{"authorBooks.json": `{"properties": {"_id": {}, "authorId": {"type": "string"}, "bookId": {"type": "string"}, "createdAt": {"type": "string"}}}`,
			"authors.json": `{"required": ["name"]}`, "books.json": `{"required": ["title"]}`}, []string{`warning join-document "properties" `}},
		{"a join of unknown ones", "", map[string]string{"authorBooks.json": `{"properties": {"_id": {}, "authorId": {"type": "string"}, "bookId": {"type": "string"}}}`}, []string{`info join-document "properties" `}},
		{"a join in DynamoDB", "dynamodb", map[string]string{"authorBooks.json": `{"properties": {"authorId": {"type": "string"}, "bookId": {"type": "string"}}}`}, nil},
		{"an entity", "", map[string]string{"reviews.json": `{"properties": {"authorId": {"type": "string"}, "bookId": {"type": "string"}, "text": {"type": "string"}}}`}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var found []string
			for _, f := range lint(t, test.db, test.files) {
				found = append(found, fmt.Sprintf("%s %s %s %s", f.Severity, f.Rule, token(f.Location), f.Subject.Path))
				assert.NotEmpty(t, f.Message)
				assert.NotEmpty(t, f.Advice)
				assert.NotEmpty(t, f.Evidence)
				assert.Positive(t, f.Confidence)
			}
			assert.Equal(t, test.want, found)
		})
	}
}

// FuzzLoad: any file is either a schema or has a problem with a place in it.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		`{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}`, `{"$jsonSchema": {"bsonType": "object", "properties": {"a": {"enum": [1]}}}}`,
		`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$anchor": "x", "items": [{"$ref": "#x"}]}}}`, `{"$id": "http://%zz", "allOf": [{}]}`,
		`{"$id": "HTTP://e.com/x", "allOf": [{}], "properties": {"a": {"$ref": "HTTP://e.com/y#/a"}}}`, `{"$id": "http://e.com/é"}`,
		`{"properties": {"": false, "a/b": {"patternProperties": {"(": {}}}}}`, `{"oneOf": [{"properties": {"t": {"const": 1}}}, {"properties": {"t": {"const": 2}}}]}`, `[`, `true`, "{\n\n\"$ref\": 5}",
		`{"$ref": "#"}`, `{"$dynamicRef": "#m", "$dynamicAnchor": "m"}`, `{"maximum": 1e99999}`, `{"minItems": -1, "if": {"not": {}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "..") {
			return // no walks through the file system
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "a.json")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		set := schema.Load([]schema.Source{{Collection: "a", Path: path}})
		v := set.Validator()
		set.Declared()
		set.Lint(schema.LintOptions{Lexicon: lexicon.Default(), Rules: rules.OnSchemas(), Threshold: func(string, string) float64 { return 9 }})
		assert.Equal(t, len(set.Problems()) == 0, v.Has("a"), "%v", set.Problems())
		for _, p := range set.Problems() {
			assert.NotEmpty(t, p.Message)
			assert.Positive(t, p.Location.Line)
			assert.Positive(t, p.Location.Column)
		}
		o := v.Observer()
		see(t, o, "a", "{\"a\": {\"b\": [1, {\"$oid\": \"5f50c31a1c9d440000000000\"}]}, \"t\": 1}\n{\"t\": null}")
		v.Add(o.Seen)
		for _, found := range v.Violations() {
			assert.Positive(t, found.Location.Line, "%+v", found)
			assert.NotEmpty(t, found.At)
		}
	})
}
