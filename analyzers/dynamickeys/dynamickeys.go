// Package dynamickeys reports maps in documents whose names are data.
//
// A database indexes and queries names it knows. A map by user id, date or
// e-mail address stores a name nobody can write into a query or a schema. The
// rule reads what the keys are from the type of the map, from its name, from
// the expressions that index it, and from update paths that are put together.
package dynamickeys

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Rule reports maps whose keys are data.
var Rule = docmodel.Rule{
	Name: "dynamic-keys",
	Doc: `report maps in documents whose keys are data

Ids, dates or what users type become names of fields: no index, no query and
no schema can name them. Store a list of objects that carry the key in a field,
or documents of their own.`,
	Severity: finding.Warning,
	Run:      run,
}

// Analyzer runs the rule on one package at a time.
var Analyzer = docmodel.Analyzer(Rule)

func run(p *docmodel.Pass) {
	threshold, high := p.Threshold("go-score", 4), p.Threshold("go-high-score", 6)
	for _, f := range p.Fields() {
		if !f.Map() || exempt(p, f) {
			continue
		}
		s := weigh(p, f)
		if s.Points < threshold-1 || !s.keys {
			continue
		}
		severity := finding.Warning
		switch {
		case s.Points < threshold:
			severity = finding.Info
		case s.dots && p.DB(f.Document) == "mongodb":
			severity = finding.Error
		}
		p.Report(docmodel.Finding{
			Field: f, Severity: severity, Confidence: s.Confidence(threshold, high), Message: message(f, s), Advice: advice(f, s),
			Evidence: s.Evidence, Related: s.Related, Fix: plan(f, s),
		})
	}
}

// exempt reports whether the names are free on purpose, or a closed set.
func exempt(p *docmodel.Pass, f *docmodel.Field) bool {
	return !p.Program.Own(f.Type) && named(f.Type) || enumeration(f.MapKey)
}

// A score is the evidence for keys that are data.
type score struct {
	docmodel.Score
	keys bool   // something says what the keys are
	what string // what the keys are: user ids, dates
	dots bool   // keys may hold a dot
}

func (s *score) say(points float64, name string, value any, what string) {
	s.Add(points, name, value)
	s.keys = true
	if s.what == "" {
		s.what = what
	}
}

func weigh(p *docmodel.Pass, f *docmodel.Field) *score {
	s := &score{}
	free := f.Has(p.Words(), lexicon.FreeFormMap)
	keyType(s, f)
	if what := namedBy(f.GoName()); what != "" {
		s.say(4, "name", f.GoName(), what)
	}
	updates(s, f)
	if uses(s, p, f) && s.Points < 6 {
		s.Add(-4, "constant keys", true)
	}
	things(s, f)
	indexed(s, p, f)
	if free {
		s.Add(-4, "free form", f.GoName())
	}
	if custom(f) {
		s.Add(-1, "writes itself", true)
	}
	return s
}

// custom reports whether a struct around the map decides itself how it is
// stored.
func custom(f *docmodel.Field) bool {
	for up := f.Parent; up != nil; up = up.Parent {
		if up.Custom {
			return true
		}
	}
	return false
}

// keyType looks at the type of the keys.
func keyType(s *score, f *docmodel.Field) {
	switch kind := docmodel.KindOf(f.MapKey, f.Document.Codec); {
	case kind == docmodel.ObjectID || kind == docmodel.UUID:
		s.say(6, "keys", kind.String(), "ids")
	case idType(f.MapKey):
		s.say(5, "keys", typeName(f.MapKey), "ids")
	case kind == docmodel.Number:
		s.say(4, "keys", "numbers", "numbers")
	case kind == docmodel.Time:
		s.say(5, "keys", "times", "times")
	}
}

var closed = []string{"type", "kind", "status", "state", "level", "severity", "category", "role", "day", "weekday", "month", "hour",
	"language", "lang", "locale", "currency", "country", "region", "platform", "os", "gender", "size", "color", "mode", "method",
	"stage", "phase", "priority", "tier", "plan", "channel", "source", "stat", "metric", "field", "env", "environment", "format"}

// namedBy is what a map is kept by according to its name: scoresByUser.
func namedBy(name string) string {
	tokens := lexicon.Tokens(name)
	for i := 1; i < len(tokens)-1; i++ {
		if tokens[i] != "by" {
			continue
		}
		last := lexicon.Singular(tokens[len(tokens)-1])
		if slices.Contains(closed, last) {
			return ""
		}
		return strings.Join(tokens[i+1:len(tokens)-1], " ") + spaced(tokens[i+1:], lexicon.Plural(last))
	}
	return ""
}

func spaced(tokens []string, last string) string {
	if len(tokens) > 1 {
		return " " + last
	}
	return last
}

// updates looks for paths that are put together: "scores." + id.
func updates(s *score, f *docmodel.Field) {
	best, at := 0.0, (*docmodel.Update)(nil)
	what := ""
	for _, u := range f.Updates {
		if !u.Dynamic || len(u.Parts) == 0 {
			continue
		}
		use := docmodel.KeyUse{Expr: u.Parts[0], Pkg: u.Pkg}
		if t := use.Pkg.Info.TypeOf(origin(use)); t != nil && enumeration(t) {
			continue
		}
		points := 3.0
		word, name := keyWord(use)
		if word != "" {
			points = 5
			s.dots = s.dots || slices.Contains(dotted, word)
		}
		s.At(u.Pos, "this update puts the path together")
		if points > best {
			best, at, what = points, u, name
		}
	}
	if at != nil {
		s.say(best, "path put together", at.Op+" "+at.Path+"…", what)
	}
}

// indexed looks for a list of the names that is stored to make the map
// searchable.
func indexed(s *score, p *docmodel.Pass, f *docmodel.Field) {
	for _, sibling := range f.Siblings() {
		if sibling != f && isIndexOf(sibling.Name, f.Name) {
			s.say(5, "index of the names beside it", sibling.GoName(), "free names")
			s.At(sibling.Var.Pos(), "%s makes up for names that no index can hold", sibling.GoName())
			return
		}
	}
	if f.Owner == nil {
		return
	}
	if s.Points < 0 {
		s.Points = 0 // the code that adds the index knows that the names are free
	}
	if pos, key := writes(p, f.Owner, func(key string) bool { return isIndexOf(key, f.Name) }); key != "" {
		s.say(5, "index of the names beside it", key, "free names")
		s.At(pos, "%s makes up for names that no index can hold", key)
	}
}

var indexSuffix = lazyregexp.New(`(?i)^_?(idx|index|keys|names|keylist)$`)

func isIndexOf(name, of string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(name), strings.ToLower(of))
	return ok && indexSuffix.MatchString(rest)
}

// things looks at what is in the map: things with an id of their own make it
// a collection inside a document.
func things(s *score, f *docmodel.Field) {
	if f.Kind != docmodel.Object || len(f.Fields) == 0 {
		return
	}
	for _, inner := range f.Fields {
		tokens := lexicon.Tokens(inner.GoName())
		if inner.Scalar() && inner.Kind.IsID() && len(tokens) > 0 && tokens[len(tokens)-1] == "id" {
			s.Add(2, "values have an id", inner.GoName())
			return
		}
	}
	s.Add(1, "values", "objects")
}

func message(f *docmodel.Field, s *score) string {
	what := s.what
	if what == "" {
		what = "data"
	}
	return fmt.Sprintf("%s uses %s as field names: no query, index or schema of %s can name them", f.Path, what, f.Document.Name)
}

func advice(f *docmodel.Field, s *score) string {
	value := "value"
	if f.Struct != nil && f.Lists == 0 {
		value = f.Struct.Obj().Name()
	}
	text := fmt.Sprintf("Store %s as a list of objects, each a key and a %s, or each entry as a document that carries the id of its %s.", f.Name, value, f.Document.Name)
	if s.dots {
		text += " Such keys may hold a dot, which breaks every update path."
	}
	return text
}

func plan(f *docmodel.Field, _ *score) *docmodel.Fix {
	return &docmodel.Fix{Title: fmt.Sprintf("turn %s into a list of objects that carry the key in a field", f.Path), Safety: finding.Plan}
}
