// Package partitionkey reports unsuitable partition keys.
package partitionkey

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports unsuitable partition keys.
var Rule = check.Rule{Name: "partition-key", Run: run, SamePlace: check.EitherWhole}

func run(p *check.Pass) {
	containers := containers(p)
	for _, d := range p.Documents() {
		key := keyOf(p, d, containers)
		if key.path == "" {
			continue
		}
		path := strings.ReplaceAll(key.path, "/", ".")
		f := field(d.Fields, path)
		if f == nil {
			absent(p, d, key, path)
			continue
		}
		if f.WritesItself() {
			continue
		}
		optional(p, f, key)
		kinds(p, f, key, path)
		lowCardinality(p, f, key)
		mutable(p, f, key)
	}
}

// field returns the field with a path, or nil.
func field(fields []*docmodel.Field, path string) *docmodel.Field {
	var found *docmodel.Field
	docmodel.All(fields, func(f *docmodel.Field) {
		if found == nil && f.Dotted == path && f.Maps == 0 {
			found = f
		}
	})
	return found
}

// report fills in what the findings share.
func report(p *check.Pass, kind string, key key, f check.Finding) {
	f.Evidence = append([]finding.Evidence{{Name: "kind", Value: kind}, {Name: "partition key", Value: "/" + key.path}}, f.Evidence...)
	if key.pos.IsValid() {
		f.Related = append(f.Related, check.Related{Pos: key.pos, Message: "the container is created with the partition key /" + key.path})
	}
	p.Report(f)
}

// absent reports a type without the key, unless it may hold fields that are not
// listed.
func absent(p *check.Pass, d *docmodel.Document, key key, path string) {
	if d.Open() || !d.Written && d.Confidence < 1 {
		return
	}
	message := fmt.Sprintf("%s has no field stored as %s, its partition key: all its documents share the partition for missing keys", d.Name, path)
	advice := fmt.Sprintf("Store %s with every %s.", path, d.Name)
	for _, f := range d.Fields {
		if lexicon.Fold(f.Name) == lexicon.Fold(path) || lexicon.Fold(f.GoName()) == lexicon.Fold(path) {
			advice = fmt.Sprintf("Name %s in the tag of %s, which is stored as %s.", path, f.GoName(), f.Name)
		}
	}
	report(p, "missing", key, check.Finding{
		Document: d, Severity: finding.Error, Confidence: 0.95, Message: message, Advice: advice,
		Fix: check.Plan("store %s", path),
	})
}

// optional reports a key that some documents may lack.
func optional(p *check.Pass, f *docmodel.Field, key key) {
	switch {
	case f.List() || f.Kind == docmodel.Object:
		report(p, "missing", key, check.Finding{
			Field: f, Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("the partition key %s is stored as %s, which counts as no value", f.Path, compound(f)),
			Advice:  "Use a field that holds one string or number.",
			Fix:     check.Plan("choose a partition key that holds one value"),
		})
	case f.Pointer:
		report(p, "missing", key, check.Finding{
			Field: f, Severity: finding.Warning, Confidence: 0.7,
			Message: fmt.Sprintf("the partition key %s is a pointer: documents whose %s is nil share the partition for missing keys", f.Path, f.GoName()),
			Advice:  fmt.Sprintf("Make %s a %s.", f.GoName(), f.Elem),
			Fix:     check.Plan("make %s a %s", f.GoName(), f.Elem),
		})
	case f.Tag.Has("omitempty") || f.Tag.Has("omitzero"):
		report(p, "missing", key, check.Finding{
			Field: f, Severity: finding.Warning, Confidence: 0.7,
			Message: fmt.Sprintf("the partition key %s is left out if it is empty: such documents share the partition for missing keys", f.Path),
			Advice:  fmt.Sprintf("Remove omitempty from %s, and reject documents without it.", f.GoName()),
			Fix:     always(p, f),
		})
	}
}

func compound(f *docmodel.Field) string {
	if f.List() {
		return "a list"
	}
	return "an object"
}

// always returns the edit that stores the key even if it is empty.
func always(p *check.Pass, f *docmodel.Field) *check.Fix {
	options := slices.DeleteFunc(slices.Clone(f.Tag.Options), func(o string) bool { return o == "omitempty" || o == "omitzero" })
	fix := p.Retag(f, "store "+f.Path+" in every document", f.Tag.Key, f.Tag.Name, options...)
	if f.Tag.Key == "" || f.Tag.Name == "" {
		return fix.Plan()
	}
	return fix
}

// kinds reports a key whose type differs from that in another type of the same
// container.
func kinds(p *check.Pass, f *docmodel.Field, key key, path string) {
	d := f.Document
	for _, other := range p.Program.Documents() {
		if other == d || other.View || other.Confidence < 0.6 || other.DB != d.DB || !docmodel.Overlap(d.Collections, other.Collections) {
			continue
		}
		g := field(other.Fields, path)
		if g == nil || !f.Kind.IsID() || !g.Kind.IsID() || g.WritesItself() || stored(f) == stored(g) {
			continue
		}
		report(p, "mixed-type", key, check.Finding{
			Field: f, Severity: finding.Error, Confidence: 0.9,
			Message: fmt.Sprintf("the partition key %s is a %s in %s and a %s in %s: one value is in two partitions", f.Path, f.Kind, d.Name, g.Kind, other.Name),
			Advice:  fmt.Sprintf("Store %s in one type, that of %s.%s or %s.%s.", f.Path, d.Name, f.GoName(), other.Name, g.GoName()),
			Related: []check.Related{{Pos: g.Var.Pos(), Message: fmt.Sprintf("%s.%s is a %s", other.Name, g.GoName(), g.Kind)}},
			Fix:     check.Plan("store %s in one type", f.Path),
		})
		return
	}
}

// stored returns the kind of a written id: everything but numbers is text in
// JSON.
func stored(f *docmodel.Field) docmodel.Kind {
	if f.Document.Codec == docmodel.JSON && (f.Kind != docmodel.Number || f.Tag.Has("string")) {
		return docmodel.String
	}
	return f.Kind
}

// fewValues are names of fields with few distinct values.
var fewValues = rulebook.Words("partition-key", "few-values")

// lowCardinality reports a key whose name or type means few distinct values.
func lowCardinality(p *check.Pass, f *docmodel.Field, key key) {
	tokens := lexicon.Tokens(f.Name)
	if len(tokens) == 0 || f.Kind != docmodel.Bool && !slices.Contains(fewValues(), lexicon.Singular(tokens[len(tokens)-1])) {
		return
	}
	partner := "the id"
	if id := docmodel.ID(f.Document.Fields, f.Document.Name); id != nil {
		partner = id.Name
	}
	why := "by its name it has few values"
	if f.Kind == docmodel.Bool {
		why = "it has two values"
	}
	report(p, "low-cardinality", key, check.Finding{
		Field: f, Severity: finding.Warning, Confidence: 0.6,
		Message: fmt.Sprintf("the partition key %s divides %s into few partitions: %s", f.Path, f.Document.Name, why),
		Advice:  fmt.Sprintf("Use a hierarchical key of %s and %s, or a field that joins the two.", f.Path, partner),
		Fix:     check.Plan("join %s and %s into a key of its own", f.Path, partner),
	})
}

// changers begin the names of functions that change stored documents.
var changers = rulebook.Words("partition-key", "changers")

// mutable reports code that changes the key of a stored document.
func mutable(p *check.Pass, f *docmodel.Field, key key) {
	if p.DB(f.Document) == "mongodb" { // its shard keys can change
		return
	}
	s := &check.Score{}
	confidence := 0.0
	for _, u := range f.Updated("$set", "$inc", "$unset", "$mul", "$min", "$max") {
		confidence = 0.85
		s.At(u.Pos, "%s changes it in place", u.Func)
	}
	for _, w := range f.Writes {
		if w.Fresh || !slices.ContainsFunc(changers(), func(verb string) bool { return strings.HasPrefix(w.Func, verb) }) {
			continue
		}
		confidence = max(confidence, 0.6)
		s.At(w.Pos, "%s changes it", w.Func)
	}
	if confidence == 0 {
		return
	}
	report(p, "mutable", key, check.Finding{
		Field: f, Severity: finding.Warning, Confidence: confidence, Related: s.Related,
		Message: fmt.Sprintf("%s is the partition key, but code changes it: a stored document cannot move to another partition", f.Path),
		Advice:  fmt.Sprintf("Write the document again with the new %s and delete the old one, or partition by a field that never changes.", f.Path),
		Fix:     check.Plan("partition by a field that never changes"),
	})
}
