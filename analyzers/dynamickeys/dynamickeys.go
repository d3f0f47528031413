// Package dynamickeys reports maps in documents whose names are data.
//
// A database indexes and queries names it knows. A map by user id, date or
// e-mail address stores names that nobody can write into a query or a schema.
// The rule infers what the keys are from the type of the map, its name, the
// expressions that index it, and computed update paths.
package dynamickeys

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Rule reports maps whose keys are data.
var Rule = check.Rule{Name: "dynamic-keys", Run: run, Ask: ask, Declared: declared}

// guess is the probability from which a map is reported; below one half it is
// reported only as a guess.
const guess = 0.3

// sure is the probability from which keys with dots are an error.
const sure = 0.75

func run(p *check.Pass) {
	weights := p.Weights()
	for _, f := range p.Fields() {
		if !f.Map() || exempt(p, f) {
			continue
		}
		s := weigh(p, weights, f)
		confidence := s.Probability()
		if confidence < guess || !s.keys {
			continue
		}
		severity := finding.Warning
		switch {
		case confidence < 0.5:
			severity = finding.Info
		case s.dots && confidence >= sure && p.DB(f.Document) == "mongodb":
			severity = finding.Error
		}
		p.Report(check.Finding{
			Field: f, Severity: severity, Confidence: confidence, Message: message(f, s), Advice: advice(f, s),
			Evidence: s.Evidence, Related: s.Related, Fix: check.Plan("turn %s into a list of objects that carry the key in a field", f.Path),
		})
	}
}

// exempt reports whether the names are intentionally free, or a closed set.
func exempt(p *check.Pass, f *docmodel.Field) bool {
	return !p.Program.Own(f.Type) && typeName(f.Type) != "" || docmodel.Enumeration(f.MapKey)
}

// A score is the evidence for keys that are data.
type score struct {
	check.Score
	weights check.Weights
	keys    bool   // there is evidence of what the keys are
	what    string // what the keys are: user ids, dates
	ids     bool   // the keys are known to be ids or names
	escaped bool   // code escapes dots in keys
	dots    bool   // keys may hold a dot
}

func (s *score) weigh(name string, value any) { s.Weigh(s.weights, name, value) }

func (s *score) say(name string, value any, what string) {
	s.weigh(name, value)
	s.keys, s.what = true, cmp.Or(s.what, what)
}

func weigh(p *check.Pass, weights check.Weights, f *docmodel.Field) *score {
	s := &score{weights: weights}
	s.Points = weights.Start()
	keyType(s, f)
	if what := namedBy(f.GoName()); what != "" && !inList(f) {
		s.say("name", f.GoName(), what)
	}
	described(s, f)
	paths(s, p, f)
	values(s, f)
	// Code that stores an index of the names knows that they are free.
	free := indexed(s, p, f)
	if constant, open := uses(s, p, f); (constant || !open && asked(p, f)) && !free {
		s.weigh("constant keys", true)
	}
	if f.Has(p.Words(), lexicon.FreeFormMap) && !s.ids && !free { // a map of details by id is not a free-form map that users fill
		s.weigh("free form", f.GoName())
	}
	if custom(f) {
		s.weigh("writes itself", true)
	}
	if madeWhole(p, f) {
		s.weigh("made with its keys", f.Document.Name)
	}
	return s
}

// madeWhole reports whether code that makes a document writes out the entries of the map,
// such as one for each of two participants. A single one may be the first of many.
func madeWhole(p *check.Pass, f *docmodel.Field) bool {
	values := p.Program.Values(f)
	return len(values) > 0 && !slices.ContainsFunc(values, func(v docmodel.Value) bool {
		entries, ok := ast.Unparen(v.Expr).(*ast.CompositeLit)
		return !ok || len(entries.Elts) < 2
	})
}

// inList reports whether the maps are list elements that the name describes:
// managedByTenants are tenants.
func inList(f *docmodel.Field) bool {
	_, list := docmodel.Pointed(f.Type).Underlying().(*types.Slice)
	return list
}

// keyedBy matches comments that say what a map's keys are.
var keyedBy = lazyregexp.New(`(?i)\b(?:keyed by|keys are|keys is|indexed by|map(?:s|ping)?(?: \w+)? (?:of|from|by)|maps|for each|by)(?: (?:the|a|an|their|its))? ((?:[\w-]+ ){0,3}?(?:ids?|names?|uuids?|urls?|domains?|emails?|keys?|paths?|hosts?|users?)(?: ids?)?|[\w-]+)`)

// arrow matches the same in short: user id -> score.
var arrow = lazyregexp.New(`([\w-]+)\]? ?[-=]+> ?`)

// described looks for a comment that says what the keys are, or that the map is
// an open-ended set of things.
func described(s *score, f *docmodel.Field) {
	text := arrow.ReplaceAllString(strings.Join(strings.Fields(f.Comment()), " "), "keyed by $1 ")
	match := keyedBy.FindStringSubmatch(text)
	if match == nil {
		return
	}
	tokens := lexicon.Tokens(match[1])
	last := lexicon.Singular(tokens[len(tokens)-1])
	_, rest, _ := strings.Cut(text, match[0])
	next, _, _ := strings.Cut(strings.TrimSpace(rest), " ") // requester in "by requester type"
	switch {
	case slices.Contains(closed(), last), slices.Contains(closed(), lexicon.Singular(strings.ToLower(next))):
		s.weigh("described as a closed set", match[0])
	case slices.Contains(identities(), last) || last == "name":
		tokens[len(tokens)-1] = lexicon.Plural(last)
		s.dots = s.dots || slices.Contains(dotted(), last)
		s.ids = true
		s.say("described as keyed by ids", match[0], strings.Join(tokens, " "))
	default:
		s.say("described as keyed", match[0], "")
	}
}

// custom reports whether a struct around the map controls how it is stored.
func custom(f *docmodel.Field) bool {
	for up := f.Parent; up != nil; up = up.Parent {
		if up.Custom {
			return true
		}
	}
	return false
}

// keyType examines the type of the keys.
func keyType(s *score, f *docmodel.Field) {
	switch kind := docmodel.KindOf(f.MapKey, f.Document.Codec); {
	case kind == docmodel.ObjectID || kind == docmodel.UUID:
		s.say("id keys", kind.String(), "ids")
	case idType(f.MapKey):
		s.say("id keys", typeName(f.MapKey), "ids")
	case kind == docmodel.Number:
		s.say("number keys", true, "numbers")
	}
}

// namedBy returns the key that the name of a map states: user for scoresByUser.
func namedBy(name string) string {
	tokens := lexicon.Tokens(name)
	for i := 1; i < len(tokens)-1; i++ {
		if tokens[i] != "by" {
			continue
		}
		last := lexicon.Singular(tokens[len(tokens)-1])
		if slices.Contains(closed(), last) {
			return ""
		}
		return strings.Join(append(tokens[i+1:len(tokens)-1], lexicon.Plural(last)), " ")
	}
	return ""
}

// A built path is one that code puts together, in an update or a query.
type built struct {
	in   string // $set, or "query"
	path string // its constant beginning
	part docmodel.KeyUse
	pos  token.Pos
}

// builtBelow returns the paths below a map that code puts together.
func builtBelow(p *check.Pass, f *docmodel.Field) (found []built) {
	for _, u := range f.Updates {
		if u.Dynamic && len(u.Parts) > 0 {
			found = append(found, built{u.Op, u.Path, docmodel.KeyUse{Expr: u.Parts[0], Pkg: u.Pkg}, u.Pos})
		}
	}
	for _, m := range p.Program.BuiltBelow(f.Dotted) {
		again := slices.ContainsFunc(found, func(b built) bool { return b.part.Expr == m.Parts[0] }) // an update is a query, too
		if !again && p.Program.Concerns(m, f.Document) {
			found = append(found, built{"query", m.Name + ".", docmodel.KeyUse{Expr: m.Parts[0], Pkg: m.Pkg}, m.Pos})
		}
	}
	return found
}

// paths looks for computed paths: "scores." + id. If other code takes the names from a
// closed set, a name that was read from a document is one of these.
func paths(s *score, p *check.Pass, f *docmodel.Field) {
	evidence, at, what := "", built{}, ""
	all := builtBelow(p, f)
	open := slices.DeleteFunc(slices.Clone(all), func(b built) bool { return known(p, b.part) })
	for _, b := range open {
		if len(open) < len(all) && p.Program.ReadBack(b.part) {
			continue
		}
		word, name := said(p, b.part)
		s.dots = s.dots || slices.Contains(dotted(), word)
		s.At(b.pos, "this builds the path")
		if word != "" {
			evidence, at, what = "path of an id", b, name
		} else if evidence == "" {
			evidence, at = "path put together", b
		}
	}
	if evidence != "" {
		s.say(evidence, at.in+" "+at.path+"…", what)
	}
}

// indexed looks for a stored list of the names, which makes the map searchable.
func indexed(s *score, p *check.Pass, f *docmodel.Field) bool {
	for _, sibling := range f.Siblings() {
		if sibling != f && isIndexOf(sibling.Name, f.Name) {
			s.say("index of the names next to it", sibling.GoName(), "free names")
			s.At(sibling.Var.Pos(), "%s replaces the index that the names cannot have", sibling.GoName())
			return true
		}
	}
	if f.Owner == nil {
		return false
	}
	if pos, key := writes(p, f.Owner, func(key string) bool { return isIndexOf(key, f.Name) }); key != "" {
		s.say("index of the names next to it", key, "free names")
		s.At(pos, "%s replaces the index that the names cannot have", key)
		return true
	}
	return false
}

// asked reports whether queries or updates spell out paths below the map, and
// so know its names. It does not count if another document has something else
// at the same path.
func asked(p *check.Pass, f *docmodel.Field) bool {
	return f.Maps == 1 && p.Program.MentionsBelow(f.Dotted) && !slices.ContainsFunc(p.Program.Documents(), func(d *docmodel.Document) bool {
		found := false
		docmodel.All(d.Fields, func(other *docmodel.Field) { found = found || other.Dotted == f.Dotted && !other.Map() })
		return found
	})
}

func isIndexOf(name, of string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(name), strings.ToLower(of))
	return ok && indexEndings()[strings.TrimPrefix(rest, "_")]
}

// values examines the map's values. Objects make it a collection inside a
// document, even more so with their own ids. A map to true is a set.
func values(s *score, f *docmodel.Field) {
	switch {
	case f.Kind == docmodel.Bool && f.Lists == 0, emptyStruct(f.Elem):
		s.weigh("a set", true)
	case f.Kind == docmodel.Object && hasID(f):
		s.weigh("values have an id", true)
	case f.Kind == docmodel.Object:
		s.weigh("values are objects", true)
	case f.Lists > 0 || f.Maps > 1:
		s.weigh("values are lists", true)
	}
}

func emptyStruct(t types.Type) bool {
	u, ok := t.Underlying().(*types.Struct)
	return ok && u.NumFields() == 0
}

func hasID(f *docmodel.Field) bool {
	return slices.ContainsFunc(f.Fields, func(inner *docmodel.Field) bool {
		tokens := lexicon.Tokens(inner.GoName())
		return inner.Scalar() && inner.Kind.IsID() && len(tokens) > 0 && tokens[len(tokens)-1] == "id"
	})
}

func message(f *docmodel.Field, s *score) string {
	return fmt.Sprintf("%s uses %s as field names: no query, index or schema of %s can name them", f.Path, cmp.Or(s.what, "data"), f.Document.Name)
}

func advice(f *docmodel.Field, s *score) string {
	value := "value"
	if f.Struct != nil && f.Lists == 0 {
		value = f.Struct.Obj().Name()
	}
	text := fmt.Sprintf("Store %s as a list of objects, each with a key and a %s, or each entry as a document with the id of its %s.", f.Name, value, f.Document.Name)
	if s.dots {
		text += " Such keys may contain a dot, which breaks every update path."
	}
	return text
}
