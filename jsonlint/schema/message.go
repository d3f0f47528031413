package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// message says what the schema requires and how many documents violate it.
func (v *violation) message(schema *Node, documents, of int64) string {
	first := v.examples[0]
	subject := first.path
	if subject == "" {
		subject = "the document"
	}
	asks, instead := v.asks(schema)
	others := fmt.Sprintf("%s of %s", quantity.Grouped(documents), quantity.Of(of, "document"))
	text := fmt.Sprintf("%s %s: %s %s", subject, asks, others, verb(documents, instead))
	if first.text != "" {
		text += ", such as " + first.text
	}
	return text
}

// verb puts the first word of a phrase, a verb, into the singular.
func verb(n int64, phrase string) string {
	if n != 1 {
		return phrase
	}
	first, rest, _ := strings.Cut(phrase, " ")
	switch first {
	case "have":
		first = "has"
	case "do":
		first = "does"
	case "are":
		first = "is"
	case "lack":
		first = "lacks"
	case "fit":
		first = "fits"
	}
	return strings.TrimSpace(first + " " + rest)
}

// asks says what a keyword requires and what violating documents do instead.
func (f *fault) asks(schema *Node) (asks, instead string) {
	value := schema.Get(f.keyword)
	if value == nil {
		return "is not allowed", "have it"
	}
	short := shorten(value.raw(), 60)
	if value.kind() == scan.Number {
		short = string(value.doc.tape.Text(value.token)) // without its wrapper
	}
	switch f.keyword {
	case "type", "bsonType":
		return "has to be " + list(value.Texts(), "or"), "have another type"
	case "enum":
		return "has to be one of " + strings.Trim(short, "[]"), "have something else"
	case "exclusiveMinimum":
		return "has to be more than " + bound(schema, short, "minimum"), "have less"
	case "exclusiveMaximum":
		return "has to be less than " + bound(schema, short, "maximum"), "have more"
	case "oneOf":
		if f.several {
			return "has to fit one alternative of the schema only", "fit several"
		}
	}
	if thing := counted[f.keyword]; thing != "" {
		if strings.HasPrefix(f.keyword, "max") {
			return "may have " + things(short, thing) + " at most", "have more"
		}
		return "has to have " + things(short, thing) + " at least", "have fewer"
	}
	if s, ok := sentences[f.keyword]; ok {
		return strings.ReplaceAll(s.asks, "%", short), s.instead
	}
	return "has to keep to " + f.keyword, "do not"
}

// counted names what keywords bound the number of.
var counted = map[string]string{
	"maxItems": "element", "minItems": "element", "maxProperties": "member", "minProperties": "member", "maxLength": "character", "minLength": "character",
}

// sentences say what keywords require, with % for their value, and what
// documents do instead.
var sentences = map[string]struct{ asks, instead string }{
	"additionalItems":       {"may have no more elements than the schema has", "have more"},
	"additionalProperties":  {"may have no other names than those of the schema", "have some"},
	"anyOf":                 {"has to fit an alternative of the schema", "fit none"},
	"const":                 {"has to be %", "have something else"},
	"contains":              {"has to contain what the schema asks for", "do not"},
	"dependencies":          {"has to have names that depend on each other together", "do not"},
	"dependentRequired":     {"has to have names that depend on each other together", "do not"},
	"format":                {"has to be of the format %", "have something else"},
	"items":                 {"may have no more elements than the schema has", "have more"},
	"maxContains":           {"has to contain what the schema asks for", "do not"},
	"maximum":               {"may be at most %", "have more"},
	"minContains":           {"has to contain what the schema asks for", "do not"},
	"minimum":               {"has to be at least %", "have less"},
	"multipleOf":            {"has to be a multiple of %", "have something else"},
	"not":                   {"may not be what the schema excludes", "are"},
	"oneOf":                 {"has to fit one alternative of the schema", "fit none"},
	"pattern":               {"has to match %", "do not match"},
	"required":              {"is required", "lack it"},
	"unevaluatedItems":      {"may have no more elements than the schema has", "have more"},
	"unevaluatedProperties": {"may have no other names than those of the schema", "have some"},
	"uniqueItems":           {"may not have equal elements", "have some"},
}

// things writes a number of things, given as the schema writes it.
func things(n, thing string) string {
	if n == "1" {
		return n + " " + thing
	}
	return n + " " + thing + "s"
}

// bound returns the value of an exclusive bound. Draft 4 writes that as true
// beside the bound.
func bound(schema *Node, short, other string) string {
	if n := schema.Get(other); short == "true" && n != nil {
		return n.raw()
	}
	return short
}

// example shows what a document has instead.
func (l *leaf) example(d *scan.Document) string {
	t := &d.Tokens[l.at]
	switch l.keyword {
	case "required", "oneOf", "anyOf":
		return ""
	case "additionalProperties", "unevaluatedProperties":
		var names []string
		for _, k := range l.others(d) {
			names = append(names, fmt.Sprintf("%q", shorten(d.String(k), 40)))
		}
		return list(names, "and")
	case "maxItems", "minItems":
		return quantity.Grouped(int64(d.Len(l.at)))
	case "maxProperties", "minProperties":
		return quantity.Grouped(int64(d.Len(l.at)))
	}
	switch t.Kind {
	case scan.Object:
		return "an object"
	case scan.Array:
		return "an array"
	}
	return shorten(string(d.Raw(l.at)), 40)
}

// others returns the tokens of an object's first names that its schema lacks,
// if the schema allows no others.
func (l *leaf) others(d *scan.Document) []int {
	if l.keyword != "additionalProperties" && l.keyword != "unevaluatedProperties" {
		return nil
	}
	var out []int
	known := l.schema.Get("properties").names()
	for k := range d.Members(l.at) {
		if len(out) < 3 && !slices.Contains(known, d.String(k)) {
			out = append(out, k)
		}
	}
	return out
}

// list joins words, with a conjunction before the last.
func list(words []string, conjunction string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " " + conjunction + " " + words[n-1]
	}
}

// shorten puts a text on one line and cuts it to most bytes.
func shorten(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
