// Package deepnesting reports documents with many levels, and struct types that
// contain themselves, so that a tree of any height becomes one document.
package deepnesting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports deep and recursive documents.
var Rule = check.Rule{Name: "deep-nesting", Run: run, Ask: ask}

func run(p *check.Pass) {
	deep(p)
	trees(p)
}

// deep reports documents with many levels. It reports each innermost field
// once, in the document that holds it deepest. Types show how deep a document
// can be, but few documents are: by default only the database's limit counts.
func deep(p *check.Pass) {
	noticeable, share := p.Threshold("noticeable"), p.Threshold("limit-share")
	for _, d := range p.Documents() {
		f := deepest(d)
		if f == nil || f.WritesItself() || float64(levels(f)) < noticeable || !deepestOf(p, f) {
			continue
		}
		n := levels(f)
		profile, _ := p.Limits(d)
		found := check.Finding{
			Document: d, Severity: finding.Info, Confidence: 0.4,
			Message:  fmt.Sprintf("%s is stored with %d levels of objects and lists: %s", d.Name, n, f.Path),
			Advice:   "Flatten structs that hold a single field, and store parts that change on their own as documents.",
			Evidence: []finding.Evidence{{Name: "levels", Value: n}, {Name: "path", Value: f.Path}},
			Related:  []check.Related{{Pos: f.Var.Pos(), Message: "the deepest field"}},
		}
		switch {
		case profile.Nesting > 0 && n > profile.Nesting:
			found.Severity, found.Confidence = finding.Error, 0.95
			found.Message += fmt.Sprintf("; %s allows %d", profile.Title, profile.Nesting)
		case profile.Nesting > 0 && float64(n) >= share*float64(profile.Nesting):
			found.Severity, found.Confidence = finding.Warning, 0.7
			found.Message += fmt.Sprintf("; %s allows %d", profile.Title, profile.Nesting)
		}
		p.Report(found)
	}
}

// levels returns the objects and lists from the document down to a field's
// value, both included.
func levels(f *docmodel.Field) int {
	n := f.Depth + f.Lists + f.Maps
	if f.Kind == docmodel.Object {
		n++
	}
	return n
}

func deepest(d *docmodel.Document) *docmodel.Field {
	var found *docmodel.Field
	docmodel.All(d.Fields, func(f *docmodel.Field) {
		if found == nil || levels(f) > levels(found) {
			found = f
		}
	})
	return found
}

// deepestOf reports whether no other document holds the same field as deep or
// deeper.
func deepestOf(p *check.Pass, f *docmodel.Field) bool {
	for _, other := range p.Program.Occurrences(f.Var) {
		if other.Document == f.Document || other.Document.View || other.Document.Generated {
			continue
		}
		if levels(other) > levels(f) || levels(other) == levels(f) && other.Document.Key < f.Document.Key {
			return false
		}
	}
	return true
}

// trees reports fields through which a struct contains itself, once per cycle.
func trees(p *check.Pass) {
	threshold, high := p.Threshold("go-tree-score"), p.Threshold("go-tree-high-score")
	known := map[string]bool{}
	for _, f := range p.Fields() {
		selection := slices.ContainsFunc(f.Updates, func(u *docmodel.Update) bool { return u.Sliced }) // the last answers to a comment
		if !f.Recurses || f.WritesItself() || p.Program.Retired(f) || selection {
			continue
		}
		cycle := cycleOf(f)
		if known[cycle] {
			continue
		}
		known[cycle] = true
		s := weigh(p, f)
		// Code has to write the nodes separately, which an edit of types cannot
		// achieve.
		severity, way := finding.Warning, check.Plan("store each %s as a document with its parent's id and the path of its ancestors, and leave out %s",
			f.Struct.Obj().Name(), f.GoName())
		if s.Points < threshold {
			severity = finding.Info
		}
		p.Report(check.Finding{
			Field: f, Severity: severity, Confidence: s.Confidence(threshold, high), Evidence: s.Evidence, Related: s.Related,
			Message: fmt.Sprintf("%s contains its own type %s: the whole tree is stored in one document, however deep it gets", f.Path, f.Struct.Obj().Name()),
			Advice: fmt.Sprintf("Store each %s as a document with the id of its parent and the path of its ancestors: one query by path prefix reads a branch.",
				f.Struct.Obj().Name()),
			Fix: way,
		})
	}
}

// cycleOf returns the names of the structs on the way from a field back to its
// struct.
func cycleOf(f *docmodel.Field) string {
	key := docmodel.TypeKey(f.Struct)
	names := []string{key}
	for up := f.Parent; up != nil && up.Struct != nil && docmodel.TypeKey(up.Struct) != key; up = up.Parent {
		names = append(names, docmodel.TypeKey(up.Struct))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// shallow are words for recursive structs that are naturally written as a
// whole: expressions, schemas, menus, and errors with details.
var shallow = rulebook.Words("deep-nesting", "shallow")

func isShallow(name string) bool {
	return slices.ContainsFunc(lexicon.Tokens(name), func(token string) bool { return slices.Contains(shallow(), lexicon.Singular(token)) })
}

var oneLevel = rulebook.WordSet("deep-nesting", "one-level")

// isOneLevel reports whether a field leads to one other node by its name.
func isOneLevel(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && oneLevel()[tokens[0]]
}

// weigh collects the evidence for a growing tree.
func weigh(p *check.Pass, f *docmodel.Field) *check.Score {
	s := &check.Score{}
	name := f.Struct.Obj().Name()
	fields := fieldsOf(f)
	if f.Lists+f.Maps > 0 {
		s.Add(2, "contains many of itself", name)
	} else {
		s.Add(1, "contains one of itself", name)
	}
	if id := docmodel.ID(fields, name); id != nil {
		s.Add(1, "has an id", id.GoName())
		if at := docmodel.Timestamp(fields); at != nil { // without an id, the time may be an operand of an expression
			s.Add(2, "has a time", at.GoName())
		}
	}
	if docmodel.TypeKey(f.Struct) == f.Document.Key {
		s.Add(1, "is a document", name)
	}
	if f.Has(p.Words(), lexicon.Unbounded) && !child.MatchString(f.GoName()) {
		s.Add(2, "name", f.GoName())
	}
	switch {
	case isShallow(name) || isShallow(f.GoName()):
		s.Add(-4, "of limited height by its name", name)
	case f.Lists+f.Maps == 0 && isOneLevel(f.GoName()):
		s.Add(-2, "one level by its name", f.GoName())
	}
	return s
}

// child matches the usual names for the nodes below a node.
var child = lazyregexp.New(`(?i)^(sub_?)?child(ren)?$`)

// fieldsOf returns the fields of the struct that a recursive field contains.
func fieldsOf(f *docmodel.Field) []*docmodel.Field {
	key := docmodel.TypeKey(f.Struct)
	for up := f.Parent; up != nil; up = up.Parent {
		if up.Struct != nil && docmodel.TypeKey(up.Struct) == key {
			return up.Fields
		}
	}
	return f.Document.Fields
}
