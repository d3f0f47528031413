package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// message says what the schema asks for, and how many documents do otherwise.
func (v *violation) message(documents, of int64) string {
	first := v.examples[0]
	subject := first.path
	if subject == "" {
		subject = "the document"
	}
	asks, instead := v.asks()
	others := fmt.Sprintf("%s of %s", quantity.Grouped(documents), quantity.Of(of, "document"))
	text := fmt.Sprintf("%s %s: %s %s", subject, asks, others, verb(documents, instead))
	if first.text != "" {
		text += ", such as " + first.text
	}
	return text
}

// verb puts the verb that a phrase begins with into the singular.
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

// asks says what a keyword asks for, and what documents do that violate it.
func (l *leaf) asks() (asks, instead string) {
	value := l.schema.Get(l.keyword)
	if value == nil {
		return "is not allowed", "have it"
	}
	short := shorten(value.raw(), 60)
	if value.kind() == scan.Number {
		short = string(value.doc.tape.Text(value.token)) // without its wrapper
	}
	switch l.keyword {
	case "required":
		return "is required", "lack it"
	case "type", "bsonType":
		return "has to be " + list(value.Texts(), "or"), "have another type"
	case "const":
		return "has to be " + short, "have something else"
	case "enum":
		return "has to be one of " + strings.Trim(short, "[]"), "have something else"
	case "maxItems":
		return "may have " + things(short, "element") + " at most", "have more"
	case "minItems":
		return "has to have " + things(short, "element") + " at least", "have fewer"
	case "maxProperties":
		return "may have " + things(short, "member") + " at most", "have more"
	case "minProperties":
		return "has to have " + things(short, "member") + " at least", "have fewer"
	case "maxLength":
		return "may have " + things(short, "character") + " at most", "have more"
	case "minLength":
		return "has to have " + things(short, "character") + " at least", "have fewer"
	case "minimum":
		return "has to be at least " + short, "have less"
	case "maximum":
		return "may be at most " + short, "have more"
	case "exclusiveMinimum":
		return "has to be more than " + l.bound(short, "minimum"), "have less"
	case "exclusiveMaximum":
		return "has to be less than " + l.bound(short, "maximum"), "have more"
	case "multipleOf":
		return "has to be a multiple of " + short, "have something else"
	case "pattern":
		return "has to match " + short, "do not match"
	case "format":
		return "has to be of the format " + short, "have something else"
	case "uniqueItems":
		return "may not have equal elements", "have some"
	case "additionalProperties", "unevaluatedProperties":
		return "may have no other names than those of the schema", "have some"
	case "additionalItems", "unevaluatedItems", "items":
		return "may have no more elements than the schema has", "have more"
	case "oneOf":
		if l.several {
			return "has to fit one alternative of the schema only", "fit several"
		}
		return "has to fit one alternative of the schema", "fit none"
	case "anyOf":
		return "has to fit an alternative of the schema", "fit none"
	case "not":
		return "may not be what the schema excludes", "are"
	case "contains", "minContains", "maxContains":
		return "has to contain what the schema asks for", "do not"
	case "dependencies", "dependentRequired":
		return "has to have names that depend on each other together", "do not"
	}
	return "has to keep to " + l.keyword, "do not"
}

// things is a number of them, as a schema writes it.
func things(n, thing string) string {
	if n == "1" {
		return n + " " + thing
	}
	return n + " " + thing + "s"
}

// bound is the number of an exclusive bound, which draft 4 writes as true
// beside the bound itself.
func (l *leaf) bound(short, other string) string {
	if n := l.schema.Get(other); short == "true" && n != nil {
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

// others are the tokens of the first names of an object that its schema does
// not have, where it allows no others.
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

// list writes words with a conjunction before the last.
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

// shorten cuts a text that is too long to show, on one line.
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
