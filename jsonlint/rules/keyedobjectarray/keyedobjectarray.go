// Package keyedobjectarray reports arrays of objects with a single member whose
// name distinguishes the elements.
package keyedobjectarray

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is keyed-object-array on documents.
var Rule = check.Rule{Name: "keyed-object-array", Run: func(p *check.Pass) {
	check.Each(p, func(n *profile.Node) bool { return isKeyedArray(p, n) }, (*keyed).see, (*keyed).merge,
		func(e *model.Entity, n *profile.Node, k *keyed) { reportKeyed(p, e, n, k) })
}}

// isKeyedArray reports whether the elements of an array are objects with a
// single member, with several names but similar values. Values that differ make
// it a tagged union, and names that are operators a query.
func isKeyedArray(p *check.Pass, n *profile.Node) bool {
	if n.Array == nil || n.Array.Len.Max < 2 {
		return false
	}
	elem := n.Array.Elem
	if elem.Object == nil || elem.Object.Rest != nil || elem.Types[profile.Object] != elem.Present() {
		return false
	}
	keys := &elem.Object.Keys
	single := keys.Above(1) - keys.Above(2)
	if float64(single) < p.Threshold("single-share")*float64(elem.Present()) || float64(single) < p.Threshold("elements") {
		return false
	}
	fields := elem.Object.Fields()
	if len(fields) < 2 {
		return false
	}
	classes := map[profile.Class]bool{}
	for _, f := range fields {
		name := f.Step.Name
		if f.Present() == elem.Present() {
			return false // a member that every element has is not a key
		}
		if name == "" || name[0] == '$' || strings.IndexFunc(name, unicode.IsLetter) < 0 || isOperator(name) {
			return false
		}
		for _, t := range f.TypeClasses() {
			classes[t.Class.TypeClass()] = true
		}
		if f.Array != nil {
			return false
		}
	}
	if len(classes) != 1 {
		return false
	}
	return !classes[profile.Object] || alikeObjects(fields)
}

// alikeObjects reports whether the values of all fields have the same names.
func alikeObjects(fields []*profile.Node) bool {
	var first []string
	for i, f := range fields {
		var names []string
		for _, g := range f.Object.Fields() {
			names = append(names, g.Step.Name)
		}
		if i == 0 {
			first = names
			continue
		}
		common := 0
		for _, name := range names {
			for _, other := range first {
				if name == other {
					common++
				}
			}
		}
		if float64(common) < 0.8*float64(max(len(names), len(first))) {
			return false
		}
	}
	return len(first) > 0
}

// isOperator reports whether a name is a keyword of query languages and rules,
// which write conditions as objects with one member.
func isOperator(name string) bool {
	return slices.Contains(operatorsWords(), strings.ToLower(name))
}

// keyed records whether names repeat within an array.
type keyed struct {
	repeating int64                   // arrays with a repeated name
	example   places.SmallestDocument // the smallest document with two elements and two names in an array
}

func (k *keyed) see(d *profile.Document, v int) {
	if d.Tokens[v].Kind != scan.Array {
		return
	}
	seen := map[string]bool{}
	repeats := false
	for _, e := range d.Elements(v) {
		for m := range d.Members(e) {
			name := d.String(m)
			repeats = repeats || seen[name]
			seen[name] = true
		}
	}
	if repeats {
		k.repeating++
	}
	if d.Len(v) >= 2 && len(seen) >= 2 {
		k.example.Add(d.Start())
	}
}

func (k *keyed) merge(o *keyed) {
	k.repeating += o.repeating
	k.example.Add(o.example.At)
}

func reportKeyed(p *check.Pass, e *model.Entity, n *profile.Node, k *keyed) {
	if !k.example.At.Known() {
		return // the elements of an array have the same one of several fields
	}
	fields := n.Array.Elem.Object.Fields()
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.Step.Name)
	}
	confidence := 0.6
	if e.N() >= places.EnoughDocuments {
		confidence = 0.7
	}
	field := wording.LastName(n.Path())
	one := k.repeating == 0
	advice := fmt.Sprintf("Make %s one object, {%q: …, %q: …}: no name occurs twice in one array, so a reader finds a value by its name "+
		"instead of trying every element.", field, names[0], names[1])
	if !one {
		advice = fmt.Sprintf("Store the name as a value in each element of %s, {\"kind\": %q, \"value\": …}: then one index serves all kinds, and order "+
			"and repetitions stay.", field, names[0])
	}
	p.Report(e, n.Path(), check.Raw{
		At: n.First(profile.Array),
		Finding: finding.Finding{
			Severity: finding.Info, Confidence: confidence,
			Message: fmt.Sprintf("%s holds objects of one member each, whose name says what the value is: %s (%s in %s)", field,
				wording.QuoteNames(names), wording.Count(n.Array.Elem.Present(), "element"), wording.Count(n.Array.Len.Count, "array")),
			Advice: advice,
			Evidence: []finding.Evidence{
				{Name: "elements", Value: n.Array.Elem.Present()}, {Name: "names", Value: len(names)}, {Name: "arrays.repeating", Value: k.repeating},
			},
			Fixes: unkeyed(p, e, n.Path(), k, one),
		},
	})
}

// unkeyed shows the smallest document with the array as one object, or with the
// names as values.
func unkeyed(p *check.Pass, e *model.Entity, path profile.Path, k *keyed, one bool) []finding.Fix {
	title := fmt.Sprintf("%s as one object", path)
	if !one {
		title = fmt.Sprintf("%s with the names as values", path)
	}
	return plans.Changed(p, e.Collection.Name, title, k.example.At, func(document *reshape.Value) bool {
		apart := true
		return document.Replace(path, func(array *reshape.Value) *reshape.Value {
			object, pairs := reshape.Object(), reshape.Array()
			for _, element := range array.Elements() {
				apart = apart && element.Len() == 1 // otherwise its members belong together
				for _, m := range element.Members() {
					apart = apart && !(one && object.Has(m.Name))
					object.Set(m.Name, m.Value)
					pairs.Append(reshape.Object(reshape.Member{Name: "kind", Value: reshape.String(m.Name)}, reshape.Member{Name: "value", Value: m.Value.Clone()}))
				}
			}
			switch {
			case array.Kind() != scan.Array:
				return nil
			case one:
				return object
			}
			return pairs
		}) && apart
	})
}

var operatorsWords = rulebook.Words("keyed-object-array", "operators")
