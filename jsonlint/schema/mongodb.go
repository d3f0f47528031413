package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// supportedKeywords are those of MongoDB's $jsonSchema. MongoDB refuses a
// validator with any other.
//
// See https://www.mongodb.com/docs/manual/reference/operator/query/jsonSchema/
var supportedKeywords = []string{
	"additionalItems", "additionalProperties", "allOf", "anyOf", "bsonType", "dependencies", "description", "encrypt", "encryptMetadata",
	"enum", "exclusiveMaximum", "exclusiveMinimum", "items", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength",
	"minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties", "properties", "required", "title", "type",
	"uniqueItems",
}

// instead says what to write for unsupported keywords of JSON Schema.
var instead = map[string]string{
	"const": "write enum with one value", "$ref": "write out what it refers to", "$defs": "write out what is defined where it is used",
	"definitions": "write out what is defined where it is used", "format": "write a pattern", "default": "leave it out", "$schema": "leave it out",
	"id": "leave it out", "$id": "leave it out",
}

// bsonNumber is the value of bsonType that is not a type.
const bsonNumber = "number"

func bsonTypeNames() []string {
	names := []string{bsonNumber}
	for t := range bson.NumTypes {
		names = append(names, t.String())
	}
	return names
}

// jsonTypes maps the values of type to MongoDB's types.
var jsonTypes = map[string]string{
	"object": "object", "array": "array", "string": "string", "number": bsonNumber, "boolean": "bool", "null": "null",
}

// supported reports what MongoDB would refuse.
func (r *resolver) supported(n *Node) {
	for _, m := range n.members {
		at := n.doc.tokenLocation(m.key)
		if !slices.Contains(supportedKeywords, m.name) {
			hint := instead[m.name]
			if hint == "" {
				hint = suggest.DidYouMean(m.name, supportedKeywords)
			}
			r.problem(at, fmt.Sprintf("MongoDB's $jsonSchema has no keyword %q", m.name), hint)
			continue
		}
		known := bsonTypeNames()
		switch m.name {
		case "type":
			known = sortedNames(jsonTypes)
		case "bsonType":
		default:
			continue
		}
		for _, name := range m.value.Texts() {
			if !slices.Contains(known, name) {
				hint := suggest.DidYouMean(name, known)
				if m.name == "type" && name == "integer" {
					hint = `write bsonType: ["int", "long"]`
				}
				r.problem(m.value.Location(), fmt.Sprintf("%s %q is unknown to MongoDB", m.name, name), hint)
			}
		}
	}
}

// A typed is a value whose type JSON lacks.
type typed struct {
	bsonType bson.Type
	text     string
}

// stored returns the value at i as MongoDB stores it. Each numeric type of
// MongoDB has its own Go type.
func stored(d *scan.Document, i, depth int) any {
	if depth > deepest {
		return nil
	}
	text := func() string { return string(d.Text(i)) }
	switch t := bson.TypeOf(d, i); t {
	case bson.Null:
		return nil
	case bson.Bool:
		return d.Tokens[i].Kind == scan.True
	case bson.Int, bson.Long:
		n, err := strconv.ParseInt(text(), 10, 64)
		if err != nil {
			return notANumber
		}
		if t == bson.Int && n == int64(int32(n)) {
			return int32(n)
		}
		return n
	case bson.Double:
		return double(text())
	case bson.Decimal:
		return decimal(text())
	case bson.String:
		return d.String(i)
	case bson.Object:
		o := make(map[string]any, d.Len(i))
		for k, v := range d.Members(i) {
			o[d.String(k)] = stored(d, v, depth+1)
		}
		return o
	case bson.Array:
		a := make([]any, 0, d.Len(i))
		for _, v := range d.Elements(i) {
			a = append(a, stored(d, v, depth+1))
		}
		return a
	default:
		return typed{t, text()}
	}
}

// storedType returns the type of a value from stored.
func storedType(v any) bson.Type {
	switch v := v.(type) {
	case nil:
		return bson.Null
	case bool:
		return bson.Bool
	case int32:
		return bson.Int
	case int64:
		return bson.Long
	case float64:
		return bson.Double
	case json.Number:
		return bson.Decimal
	case string:
		return bson.String
	case map[string]any:
		return bson.Object
	case []any:
		return bson.Array
	case typed:
		return v.bsonType
	}
	return bson.Undefined
}

// Keywords about MongoDB values get a prefix that hides them from the library.
// An extension of the library handles them.
const hidden = "bson:"

var hiddenKeywords = []string{"type", "bsonType", "enum", "uniqueItems"}

// translate turns a validator into a JSON Schema for the library.
func translate(n *Node) any {
	if !n.IsObject() {
		return json.RawMessage(n.raw())
	}
	out := map[string]any{}
	for _, m := range n.members {
		name := m.name
		if slices.Contains(hiddenKeywords, name) {
			name = hidden + name
		}
		switch {
		case slices.Contains(inMembers, m.name) && m.value.IsObject():
			inner := map[string]any{}
			for _, child := range m.value.members {
				inner[child.name] = translate(child.value)
			}
			out[name] = inner
		case slices.Contains(inList, m.name) && m.value.kind() == scan.Array:
			list := []any{}
			for _, e := range m.value.elements {
				list = append(list, translate(e))
			}
			out[name] = list
		case slices.Contains(inMember, m.name):
			out[name] = translate(m.value)
		case m.value.kind() == scan.Number && m.value.isWrapped():
			out[name] = json.RawMessage(m.value.doc.tape.Text(m.value.token)) // as in {"$numberInt":"5"}
		default:
			out[name] = json.RawMessage(m.value.raw())
		}
	}
	return out
}

func (n *Node) isWrapped() bool { return n.doc.tape.Tokens[n.token].Flags&scan.Wrapped != 0 }

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(out)
}

// bsonKeywords compiles the hidden keywords. The values of enum are read from
// the text, like those of documents.
type bsonKeywords struct{}

type bsonKeyword struct {
	types  []string // of bsonType
	simple []string // of type
	enum   map[string]bool
	unique bool
}

func (bsonKeywords) Compile(_ jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	k := &bsonKeyword{}
	used := false
	if v, ok := m[hidden+"bsonType"]; ok {
		k.types, used = texts(v), true
	}
	if v, ok := m[hidden+"type"]; ok {
		k.simple, used = texts(v), true
	}
	if v, ok := m[hidden+"enum"].([]any); ok {
		k.enum, used = map[string]bool{}, true
		for _, e := range v {
			text, err := json.Marshal(e)
			if err != nil {
				return nil, err
			}
			var p scan.Parser
			d, err := p.Parse(text)
			if err != nil {
				return nil, err
			}
			k.enum[canonical(stored(d, 0, 0))] = true
		}
	}
	if v, ok := m[hidden+"uniqueItems"].(bool); ok && v {
		k.unique, used = true, true
	}
	if !used {
		return nil, nil
	}
	return k, nil
}

func texts(v any) []string {
	if text, ok := v.(string); ok {
		return []string{text}
	}
	var out []string
	list, _ := v.([]any)
	for _, e := range list {
		if text, ok := e.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

func (k *bsonKeyword) Validate(ctx jsonschema.ValidationContext, v any) error {
	switch t := storedType(v); {
	case k.types != nil && !slices.ContainsFunc(k.types, func(name string) bool { return isType(t, name) }):
		return ctx.Error(hidden+"bsonType", "is %s", t)
	case k.simple != nil && !slices.ContainsFunc(k.simple, func(name string) bool { return isType(t, jsonTypes[name]) }):
		return ctx.Error(hidden+"type", "is %s", t)
	case k.enum != nil && !k.enum[canonical(v)]:
		return ctx.Error(hidden+"enum", "is none of them")
	}
	if list, ok := v.([]any); ok && k.unique {
		seen := make(map[string]bool, len(list))
		for _, e := range list {
			text := canonical(e)
			if seen[text] {
				return ctx.Error(hidden+"uniqueItems", "has equal elements")
			}
			seen[text] = true
		}
	}
	return nil
}

func isType(t bson.Type, name string) bool {
	return t.String() == name || name == bsonNumber && (t == bson.Int || t == bson.Long || t == bson.Double || t == bson.Decimal)
}

// canonical writes a value so that equal values have equal texts. MongoDB
// compares numbers across types.
func canonical(v any) string {
	switch v := v.(type) {
	case nil, bool:
		return fmt.Sprint(v)
	case int32, int64:
		return fmt.Sprint("#", v)
	case float64:
		if v == float64(int64(v)) {
			return fmt.Sprint("#", int64(v))
		}
		return "#" + strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return canonical(f)
		}
		return "#" + v.String()
	case string:
		return quoted(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = canonical(e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, name := range sortedNames(v) {
			parts = append(parts, quoted(name)+":"+canonical(v[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case typed:
		return v.bsonType.String() + quoted(v.text)
	}
	return fmt.Sprint(v)
}
