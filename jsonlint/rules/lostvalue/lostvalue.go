// Package lostvalue reports texts that a program wrote where it had no value.
package lostvalue

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports what languages make of a value that is not there when it is
// turned into text: undefined, NaN, [object Object], <nil>.
var Rule = check.Rule{Name: "lost-value", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Types[profile.String] == 0 || !mayHold(n.Scalars) || namesTypes(n.Scalars) {
				return true
			}
			found := places.Find(p, e, n.Path(), len(lost), plans.EditsKept, look)
			p.After(func() { report(p, e, n, found.Sorts) })
			return true
		})
	}
}}

// A lostText is a text that stands for no value.
type lostText struct {
	text string
	by   string // what writes it
	word bool   // it may be one of the words of an enumeration too
}

var lost = []lostText{
	{"undefined", "JavaScript", true},
	{"null", "String(null)", true},
	{"NaN", "a number that could not be computed", false},
	{"[object Object]", "JavaScript, in place of an object", false},
	{"[object Undefined]", "JavaScript", false},
	{"[object Null]", "JavaScript", false},
	{"Invalid Date", "JavaScript, in place of a date", false},
	{"Invalid date", "Moment.js, in place of a date", false},
	{"<nil>", "Go's fmt", false},
	{"%!s(<nil>)", "Go's fmt", false},
	{"%!d(<nil>)", "Go's fmt", false},
	{"%!v(<nil>)", "Go's fmt", false},
}

// typeNames show that a field names types, of which null is one.
var typeNames = rulebook.Words("lost-value", "types")

// mayHold reports whether one of the texts is among the values: as far as the
// sample knows, or by their form.
func mayHold(s *profile.Scalars) bool {
	for _, l := range lost {
		count, classes, known := s.Values.Lookup(profile.HashText([]byte(l.text)))
		if count > 0 && classes.Has(profile.String) {
			return true
		}
		if n, _ := s.FormCount(profile.FormOf([]byte(l.text))); !known && n > 0 {
			return true
		}
	}
	return false
}

func namesTypes(s *profile.Scalars) bool {
	return slices.ContainsFunc(typeNames(), func(name string) bool {
		count, _, _ := s.Values.Lookup(profile.HashText([]byte(name)))
		return count > 0
	})
}

func look(d *profile.Document, i int, hit func(sort int, at profile.Pos, text string)) {
	if d.Class(i) != profile.String {
		return // an object has no text
	}
	text := d.Text(i)
	if len(text) > len("[object Undefined]") {
		return
	}
	for k := range lost {
		if string(text) == lost[k].text {
			hit(k, d.At(i), "")
			return
		}
	}
}

// enumerates reports whether the other values of a field are few words, of
// which "undefined" may be meant as one.
func enumerates(p *check.Pass, s *profile.Scalars) bool {
	if !s.Values.Exact() {
		return false
	}
	others := 0
	for _, v := range s.Values.Values() {
		if !v.HasText {
			return false
		}
		if slices.ContainsFunc(lost, func(l lostText) bool { return l.text == v.Text }) {
			continue
		}
		if f := profile.FormOf([]byte(v.Text)); f != profile.FormWord && f != profile.FormToken && f != profile.FormUpper && f != profile.FormPlaceholder {
			return false
		}
		others++
	}
	return others > 0 && float64(others) <= p.Threshold("enumeration-values")
}

func report(p *check.Pass, e *model.Entity, n *profile.Node, sorts []places.Found) {
	for k := range sorts {
		s := &sorts[k]
		if s.Count == 0 {
			continue
		}
		confidence := 0.95
		if lost[k].word && enumerates(p, n.Scalars) {
			confidence = 0.4
		}
		path := n.Path()
		r := check.Raw{At: s.First(), Finding: finding.Finding{
			Confidence: confidence, Severity: finding.Warning,
			Message: fmt.Sprintf("%s is the text %q in %s of %s: a program wrote it in place of a missing value",
				path, lost[k].text, quantity.Grouped(s.Count), wording.Count(n.Present(), "value")),
			Advice: fmt.Sprintf("Find the code that writes it (%s), store null or leave the field out, and correct these documents: queries for a missing %s do not find them.",
				lost[k].by, wording.LastName(path)),
			Evidence:    []finding.Evidence{{Name: "values", Value: n.Present()}, {Name: "values.lost", Value: s.Count}, {Name: "text", Value: lost[k].text}},
			Fingerprint: fmt.Sprintf("lost-value:%s:%s:%s", e.Collection.Name, path, lost[k].text),
		}}
		r.Related = s.AlsoAt("also here", places.Shown)
		mend(p, e, s, &r)
		p.Report(e, path, r)
	}
}

// mend writes null in place of the texts.
func mend(p *check.Pass, e *model.Entity, s *places.Found, r *check.Raw) {
	edits := make([]check.RawEdit, 0, len(s.Places))
	for _, place := range s.Places {
		edits = append(edits, check.RawEdit{At: place.At, NewText: "null"})
	}
	plans.Mend(p, e, r, fmt.Sprintf("write null (%s)", wording.Count(s.Count, "value")), s.First(), edits, s.Count == int64(len(s.Places)))
}
