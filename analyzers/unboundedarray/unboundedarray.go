// Package unboundedarray reports lists in documents that keep growing.
//
// A list that gains an element with every comment, event or order makes its
// document larger for ever: reads and writes slow down and one day the
// document hits the size limit of the database. The rule adds up what the
// code shows: an append or a $push that nothing bounds, elements with an id
// and a time of their own, a name that speaks of things that keep coming.
package unboundedarray

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Rule reports lists that grow without bound.
var Rule = docmodel.Rule{
	Name: "unbounded-array",
	Doc: `report lists in documents that grow without bound

A list that gains an element with every comment, event or order makes its
document grow until it hits the size limit. Keep a bounded selection in the
document and store the elements as documents that refer to it.`,
	Severity: finding.Warning,
	Run:      run,
}

// Analyzer runs the rule on one package at a time.
var Analyzer = docmodel.Analyzer(Rule)

func run(p *docmodel.Pass) {
	threshold, high := p.Threshold("go-score", 4), p.Threshold("go-high-score", 7)
	for _, f := range p.Fields() {
		if !f.List() || exempt(f) || projected(p, f) {
			continue
		}
		s := weigh(p, f)
		if p.Suspected(f) {
			s.grows, s.Points = true, max(s.Points, threshold)
		}
		if s.Points < threshold-1 || !s.grows {
			continue
		}
		severity := finding.Warning
		if s.Points < threshold {
			severity = finding.Info
		}
		p.Report(docmodel.Finding{
			Field: f, Severity: severity, Confidence: s.Confidence(threshold, high),
			Message: message(f, s), Advice: advice(f, s), Evidence: s.Evidence, Related: s.Related, Fix: fix(p, f, s),
		})
	}
}

// projected reports whether the document is a type to read a selection of
// another's fields into: it is never written, no code adds to the list, nobody
// has declared it, and one that is written to the same place has all of its
// fields. The list is reported there.
func projected(p *docmodel.Pass, f *docmodel.Field) bool {
	d := f.Document
	adds := func(w *docmodel.FieldWrite) bool { return w.Kind == docmodel.Appends }
	if d.Written || d.Confidence == 1 || slices.ContainsFunc(f.Writes, adds) {
		return false
	}
	return slices.ContainsFunc(p.Program.Documents(), func(other *docmodel.Document) bool {
		return other != d && (other.Written || other.Confidence >= d.Confidence) && !other.View && other.Codec == d.Codec &&
			len(other.Fields) > len(d.Fields) && !apart(d.Collections, other.Collections) &&
			!slices.ContainsFunc(d.Fields, func(own *docmodel.Field) bool {
				return !slices.ContainsFunc(other.Fields, func(there *docmodel.Field) bool {
					return there.Name == own.Name && there.Kind == own.Kind && there.Lists == own.Lists
				})
			})
	})
}

// apart reports whether two types are known to be stored in different places.
func apart(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

var limitTag = lazyregexp.New(`\b(max|lte|len|lt)=\d`)

// exempt reports whether something states that the list is bounded.
func exempt(f *docmodel.Field) bool {
	return f.Array > 0 || f.Kind == docmodel.Bytes || f.Directive("bounded") != nil || limitTag.MatchString(f.RawTag) ||
		f.Deprecated()
}

// A score is the evidence for a list that grows.
type score struct {
	docmodel.Score
	grows      bool // not only the structure of the elements speaks for growth
	added      bool // code adds elements one by one
	references bool
}

func weigh(p *docmodel.Pass, f *docmodel.Field) *score {
	s := &score{references: f.Kind.IsID() && refs.Stem(f) != ""}
	words := p.Words()
	named(s, words, f)
	growth(s, f)
	if f.Kind == docmodel.Object {
		elements(s, p, f)
	} else if f.Kind.IsID() {
		references(s, p, f)
	}
	if f.Kind == docmodel.Number && !s.references || f.Kind == docmodel.Bool {
		s.Add(-4, "elements", "numbers")
	}
	if counter := counter(f); counter != nil {
		s.Add(1, "counter", counter.GoName())
	}
	bounds(s, words, f)
	return s
}

// appended are words for things that are only ever added to.
var appended = lazyregexp.New(`(?i)(^|_)(logs?|log_?lines?|history|histories|audits?)$|(Logs?|LogLines?|History|Histories)$`)

// talk are words for what people and machines keep saying.
var talk = lazyregexp.New(`(?i)(messages|chats|conversations|comments|revisions?)$`)

func named(s *score, words *lexicon.Lexicon, f *docmodel.Field) {
	for _, name := range []string{f.GoName(), f.Name} {
		if !words.HasIn(lexicon.Unbounded, name, f.OwnerName()) && !(f.Kind == docmodel.Object && words.HasIn(lexicon.Unbounded, plural(name), f.OwnerName())) {
			continue
		}
		if ownNoun(name, f.OwnerName()) {
			continue
		}
		s.grows = true
		s.Add(3, "name", name)
		if appended.MatchString(name) || f.Kind == docmodel.Object && talk.MatchString(name) {
			s.Add(1, "only added to", name)
		}
		return
	}
}

func plural(name string) string {
	tokens := lexicon.Tokens(name)
	if len(tokens) == 0 {
		return name
	}
	tokens[len(tokens)-1] = lexicon.Plural(tokens[len(tokens)-1])
	return strings.Join(tokens, "_")
}

// ownNoun reports whether a list is called by what holds it: the order_list
// of an order is what was ordered.
func ownNoun(name, owner string) bool {
	tokens := lexicon.Tokens(name)
	if len(tokens) > 1 && tokens[len(tokens)-1] == "list" {
		tokens = tokens[:len(tokens)-1]
	}
	return len(tokens) == 1 && strings.EqualFold(lexicon.Singular(tokens[0]), owner)
}

// growth looks for code that adds to the list, and for code that cuts it.
func growth(s *score, f *docmodel.Field) {
	handler, grows := false, false
	for _, u := range f.Updated("$push", "$addToSet", "$pushAll") {
		if u.Sliced {
			s.Add(-6, "capped", u.Op+" with $slice")
			s.At(u.Pos, "here the list is cut to a length")
			return
		}
		if !grows {
			s.Add(4, "grows", u.Op+" "+u.Path)
		}
		grows, handler = true, handler || u.Handler
		s.At(u.Pos, "%s adds to it and nothing cuts it", u.Op)
	}
	for _, w := range f.Writes {
		if w.Kind != docmodel.Appends || w.Fresh {
			continue
		}
		if w.Guarded {
			s.Add(-6, "capped", "its length is limited in "+w.Func)
			s.At(w.Pos, "here its length is limited")
			return
		}
		if !grows {
			s.Add(4, "grows", "append in "+w.Func)
		}
		grows, handler = true, handler || w.Handler
		s.At(w.Pos, "append without a bound")
	}
	if handler {
		s.Add(1, "grows with requests", true)
	}
	s.grows, s.added = s.grows || grows, grows
}

// elements looks at what is in the list.
func elements(s *score, p *docmodel.Pass, f *docmodel.Field) {
	name := ""
	if f.Struct != nil {
		name = f.Struct.Obj().Name()
	}
	if id := docmodel.ID(f.Fields, name); id != nil {
		s.Add(2, "elements have an id", id.GoName())
	}
	// A time tells when an element came if they come one by one; in a list that
	// is only written as a whole, such as the body of a request, it is one more
	// property.
	if at := docmodel.Timestamp(f.Fields); at != nil && s.added {
		s.Add(2, "elements have a time", at.GoName())
	}
	if d := p.Program.Document(f.Struct); d != nil && d.Confidence >= 0.5 && d != f.Document {
		s.Add(1, "elements are documents too", d.Name)
	}
	for _, inner := range f.Fields {
		if inner.List() && inner.Has(p.Words(), lexicon.Unbounded) {
			s.Add(1, "elements hold a growing list", inner.GoName())
			break
		}
	}
}

// references looks at what the ids in the list refer to.
func references(s *score, p *docmodel.Pass, f *docmodel.Field) {
	stem := refs.Plural(f)
	target := refs.Target(p.Program, stem, f.Document)
	if target != nil {
		s.references = true
		s.Add(1, "refers to documents", target.Name)
	}
	if back := backReference(p.Program, f.Document, target, stem); back != nil {
		s.grows, s.references = true, true
		s.Add(2, "the reference is also stored the other way", back.Document.Name+"."+back.GoName())
		s.At(back.Var.Pos(), "%s refers back to %s", back.Document.Name, f.Document.Name)
		if relates(back.Document, f.Document, stem) {
			s.Add(1, "a document is stored for each", back.Document.Name)
		}
	}
}

// relates reports whether documents are the relation between the owner of a
// list and what it lists, one for each element: DeviceDeployment.
func relates(d, owner *docmodel.Document, stem string) bool {
	name := lexicon.Fold(d.Name)
	noun, self := lexicon.Fold(stem), lexicon.Fold(owner.Name)
	return d.Written && noun != self && (name == noun+self || name == self+noun)
}

// backReference is the field by which the documents that a list refers to, or
// documents that tie the two together, refer to the owner of the list.
func backReference(p *docmodel.Program, owner, target *docmodel.Document, stem string) *docmodel.Field {
	var best *docmodel.Field
	for _, d := range p.Documents() {
		if d == owner || d.View || d.Confidence < 0.5 || d.PkgPath != owner.PkgPath || strings.Contains(d.Doc, "Deprecated:") {
			continue
		}
		var back *docmodel.Field
		tied := d == target
		for _, f := range d.Fields {
			if !f.Scalar() || !f.Kind.IsID() {
				continue
			}
			switch reference := refs.Stem(f); {
			case reference == "":
			case refs.Names(reference, owner.Name):
				back = f
			case reference == stem:
				tied = true
			}
		}
		if back != nil && tied && (best == nil || relates(d, owner, stem)) {
			best = back
		}
	}
	return best
}

// counter is a number beside the list that counts its elements.
func counter(f *docmodel.Field) *docmodel.Field {
	noun := lexicon.Fold(strings.ReplaceAll(refs.Plural(f), " ", ""))
	if noun == "" {
		return nil
	}
	for _, sibling := range f.Siblings() {
		if sibling.Kind != docmodel.Number || !sibling.Scalar() {
			continue
		}
		name := lexicon.Fold(sibling.GoName())
		rest := strings.Replace(strings.Replace(name, lexicon.Plural(noun), "", 1), noun, "", 1)
		switch rest {
		case "count", "countof", "num", "numberof", "total", "totalof", "n":
			if rest != name {
				return sibling
			}
		}
	}
	return nil
}

var lastN = lazyregexp.New(`(?i)\b(last|latest|most recent|first|top|up to|at most)\s+(\d+|n|ten|five|few)\b`)

// bounds looks for signs that the list stays small.
func bounds(s *score, words *lexicon.Lexicon, f *docmodel.Field) {
	switch {
	case f.Has(words, lexicon.BoundMarker):
		s.Add(-4, "a selection by name", f.GoName())
	case lastN.MatchString(f.Comment()):
		s.Add(-4, "a selection by its comment", strings.TrimSpace(f.Comment()))
	}
	if f.Has(words, lexicon.Bounded) {
		s.Add(-4, "few by name", f.GoName())
	}
	for _, owner := range []string{f.Document.Name, f.OwnerName()} {
		if words.Has(lexicon.HistoricalParent, owner) && !words.Has(lexicon.Unbounded, f.GoName()) {
			s.Add(-3, "fixed when it was recorded", owner)
			break
		}
	}
}

func message(f *docmodel.Field, s *score) string {
	what := "grows without bound"
	if s.Points < 4 {
		what = "may grow without bound"
	}
	kind := "elements"
	if s.references {
		kind = "references"
	}
	return fmt.Sprintf("%s %s: %s of every %s are kept in one document", f.Name, what, kind, f.Document.Name)
}

func advice(f *docmodel.Field, s *score) string {
	if s.references {
		return fmt.Sprintf("Store the reference on the other side: let each one carry the id of its %s, and query by it.", f.Document.Name)
	}
	return fmt.Sprintf("Keep the few most recent in the %s and store each one as a document of its own that carries the id of the %s.", f.Document.Name, f.Document.Name)
}
