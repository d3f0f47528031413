package infer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/schema/infer"
)

// A result counts documents and the verdicts of their schemas.
type result struct {
	Documents, Accepted int64  // unchanged documents
	Mutated, Rejected   int64  // documents with a value of another type at a required path
	First               string // the first failure, for messages
}

// formats are the kinds of schema.
var formats = []string{"json", "mongodb"}

// measure makes schemas of the documents in inputs, writes them to dir, and
// validates each document, unchanged and mutated, against the schema of its
// collection. It mutates the given number of documents per collection, or all
// for 0.
func measure(ctx context.Context, inputs []string, format, dir string, mutated int64) (result, error) {
	options := jsonlint.Options{Jobs: 2}
	db, _, err := jsonlint.Describe(ctx, inputs, options)
	if err != nil {
		return result{}, err
	}
	schemas := db.JSONSchemas
	if format == "mongodb" {
		schemas = db.MongoDBValidators
	}
	parts, err := schemas(infer.Options{Constants: true})
	if err != nil {
		return result{}, err
	}
	var sources []schema.Source
	m := &measurement{texts: map[string]any{}, mutated: mutated, done: map[string]int64{}, random: rand.New(rand.NewPCG(1, 2))}
	for i, part := range parts {
		path := filepath.Join(dir, fmt.Sprintf("%d.%s.json", i, format))
		if err := os.WriteFile(path, part.Text, 0o600); err != nil {
			return result{}, err
		}
		sources = append(sources, schema.Source{Collection: part.Collection, Path: path})
		var text map[string]any
		if err := json.Unmarshal(part.Text, &text); err != nil {
			return result{}, err
		}
		m.texts[part.Collection] = text
		if inner, ok := text["$jsonSchema"]; ok {
			m.texts[part.Collection] = inner
		}
	}
	set := schema.Load(sources)
	m.validator = set.Validator()
	if problems := set.Problems(); len(problems) > 0 {
		return result{}, fmt.Errorf("%s:%d: %s", problems[0].Location.File, problems[0].Location.Line, problems[0].Message)
	}
	if err := jsonlint.Visit(ctx, inputs, options, m.see); err != nil {
		return result{}, err
	}
	return m.result, nil
}

type measurement struct {
	texts     map[string]any // of schemas, by collection
	validator *schema.Validator
	mutated   int64
	done      map[string]int64
	random    *rand.Rand
	result    result
	parser    scan.Parser
}

func (m *measurement) see(collection string, d *profile.Document) {
	m.result.Documents++
	if err := m.validator.Validate(collection, d.Document); err == nil {
		m.result.Accepted++
	} else if m.result.First == "" {
		m.result.First = fmt.Sprintf("%s: not accepted: %v: %.300s", collection, err, d.Raw(0))
	}
	if m.mutated > 0 && m.done[collection] >= m.mutated {
		return
	}
	text, path := m.mutate(m.texts[collection], d.Document)
	if text == nil {
		return
	}
	other, err := m.parser.Parse(text)
	if err != nil {
		return // recovered from invalid JSON
	}
	m.done[collection]++
	m.result.Mutated++
	if m.validator.Validate(collection, other) != nil {
		m.result.Rejected++
	} else if m.result.First == "" {
		m.result.First = fmt.Sprintf("%s: accepted with another type at %s: %.300s", collection, path, text)
	}
}

// A place is a required value with its schemas.
type place struct {
	token   int
	path    string
	schemas []any
}

// mutate replaces a value at a required path by one of a type that the schema
// does not name there. It returns nil if there is no such path.
func (m *measurement) mutate(text any, d *scan.Document) ([]byte, string) {
	if d.Tokens[0].Flags&scan.Wrapped != 0 || scan.DetectDialect(d) != scan.Plain {
		return nil, ""
	}
	var places []place
	collect(&places, []any{text}, d, 0, "")
	for len(places) > 0 {
		i := m.random.IntN(len(places))
		p := places[i]
		t, start := d.Tokens[p.token], d.Tokens[0].Start
		if wrong := wrongValue(p.schemas); wrong != "" && t.Start > start { // an id may be the name before the document
			return bytes.Join([][]byte{d.Src[start:t.Start], []byte(wrong), d.Src[t.End:d.Tokens[0].End]}, nil), p.path
		}
		places = slices.Delete(places, i, i+1)
	}
	return nil, ""
}

// collect lists the required values in an object that matches one of several
// schemas: the values that all of them require.
func collect(out *[]place, schemas []any, d *scan.Document, i int, path string) {
	schemas = alternatives(schemas)
	names := map[string]int{}
	for _, s := range schemas {
		o, _ := s.(map[string]any)
		required, _ := o["required"].([]any)
		for _, name := range required {
			names[name.(string)]++
		}
	}
	for k, v := range d.Members(i) {
		name := d.String(k)
		if last, _ := d.Get(i, name); names[name] != len(schemas) || last != v {
			continue
		}
		var inner []any
		for _, s := range schemas {
			properties, _ := s.(map[string]any)["properties"].(map[string]any)
			inner = append(inner, properties[name])
		}
		*out = append(*out, place{v, path + "/" + name, inner})
		if d.Tokens[v].Kind == scan.Object {
			collect(out, inner, d, v, path+"/"+name)
		}
	}
}

// alternatives expands oneOf and anyOf.
func alternatives(schemas []any) []any {
	var out []any
	for _, s := range schemas {
		o, _ := s.(map[string]any)
		list, ok := o["oneOf"].([]any)
		if !ok {
			list, ok = o["anyOf"].([]any)
		}
		if ok {
			out = append(out, alternatives(list)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// candidates are values by the schema names of their types.
var candidates = []struct {
	text  string
	types []string
}{
	{"true", []string{"boolean", "bool"}},
	{`"wrong"`, []string{"string"}},
	{"[0]", []string{"array"}},
	{"7.5", []string{"number", "double"}},
	{`{"wrong": true}`, []string{"object"}},
	{"null", []string{"null"}},
}

// wrongValue returns a value whose type no schema allows.
func wrongValue(schemas []any) string {
	var types []string
	for _, s := range alternatives(schemas) {
		o, ok := s.(map[string]any)
		if !ok {
			return "" // anything is allowed
		}
		found := false
		for _, keyword := range []string{"type", "bsonType"} {
			switch t := o[keyword].(type) {
			case string:
				types, found = append(types, t), true
			case []any:
				for _, name := range t {
					types, found = append(types, name.(string)), true
				}
			}
		}
		values, _ := o["enum"].([]any)
		if value, ok := o["const"]; ok {
			values = append(values, value)
		}
		for _, value := range values {
			found = true
			switch value.(type) {
			case bool:
				types = append(types, "boolean", "bool")
			case string:
				types = append(types, "string")
			case float64:
				types = append(types, "number")
			}
		}
		if _, ok := o["$ref"]; ok { // a wrapper, which is another form of object
			found = true
		}
		if !found {
			return ""
		}
	}
	for _, c := range candidates {
		if !slices.ContainsFunc(c.types, func(t string) bool { return slices.Contains(types, t) }) {
			return c.text
		}
	}
	return ""
}
