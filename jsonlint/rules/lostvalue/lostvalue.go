// Package lostvalue reports texts that a program wrote where it had no value.
package lostvalue

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports the texts that languages write for a missing value: undefined,
// NaN, [object Object], <nil>.
var Rule = check.Rule{Name: "lost-value", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		var fields []field
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Types[profile.String] > 0 && mayHold(n.Scalars) && !namesTypes(n.Scalars) {
				fields = append(fields, field{n, places.Find(p, e, n.Path(), len(lost), plans.EditsKept, look)})
			}
			return true
		})
		p.After(func() {
			for k, l := range lost {
				var sure []field // one habit of the program that wrote the documents, reported once
				for _, f := range fields {
					switch {
					case f.found.Sorts[k].Count == 0:
					case l.sort == lostNone && !wordless(f.node), l.sort == lostWord && enumerates(p, f.node.Scalars):
						report(p, e, k, []field{f}, 0.4)
					default:
						sure = append(sure, f)
						explained.Lost(p)[f.node] += f.found.Sorts[k].Count
					}
				}
				if len(sure) > 0 {
					slices.SortFunc(sure, func(a, b field) int {
						return cmp.Or(cmp.Compare(b.found.Sorts[k].Count, a.found.Sorts[k].Count), cmp.Compare(a.node.Path().String(), b.node.Path().String()))
					})
					report(p, e, k, sure, 0.95)
				}
			}
		})
	}
}}

// A lostText is a text that stands for a missing value.
type lostText struct {
	text string
	by   string // the language that writes it
	sort lostSort
}

type lostSort uint8

const (
	lostSure lostSort = iota
	lostWord          // it may also be one of the words of an enumeration
	lostNone          // people also write it, in fields with words
	lostCode          // the program that should have computed the value
)

var lost = []lostText{
	{"undefined", "JavaScript", lostWord},
	{"null", "String(null)", lostWord},
	{"NULL", "an export of a table", lostWord},
	{"None", "Python's str", lostNone},
	{"NaN", "a number that could not be computed", lostSure},
	{"undefined undefined", "JavaScript, in place of two names", lostSure},
	{"null null", "two names put together", lostSure},
	{"[object Object]", "JavaScript, in place of an object", lostSure},
	{"[object Undefined]", "JavaScript", lostSure},
	{"[object Null]", "JavaScript", lostSure},
	{"Invalid Date", "JavaScript, in place of a date", lostSure},
	{"Invalid date", "Moment.js, in place of a date", lostSure},
	{"<nil>", "Go's fmt", lostSure},
	{"%!s(<nil>)", "Go's fmt", lostSure},
	{"%!d(<nil>)", "Go's fmt", lostSure},
	{"%!v(<nil>)", "Go's fmt", lostSure},
	{"datetime.now()", "Python in quotes", lostCode},
	{"datetime.utcnow()", "Python in quotes", lostCode},
	{"datetime.datetime.now()", "Python in quotes", lostCode},
	{"uuid.uuid4()", "Python in quotes", lostCode},
	{"Date.now()", "JavaScript in quotes", lostCode},
	{"new Date()", "JavaScript in quotes", lostCode},
	{"new Date().toISOString()", "JavaScript in quotes", lostCode},
	{"uuidv4()", "JavaScript in quotes", lostCode},
	{"time.Now()", "Go in quotes", lostCode},
}

// longest is the length of the longest of the texts.
var longest = func() (n int) {
	for _, l := range lost {
		n = max(n, len(l.text))
	}
	return n
}()

// typeNames are words for fields that name types, of which null is one.
var typeNames = rulebook.Words("lost-value", "types")

// mayHold reports whether one of the texts is among the values, according to
// the sample or to their form.
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
		return // the text of an object is unknown
	}
	text := d.Text(i)
	if len(text) > longest {
		return
	}
	for k := range lost {
		if string(text) == lost[k].text {
			hit(k, d.At(i), "")
			return
		}
	}
}

// enumerates reports whether the other values of a field are few words, so that
// "undefined" may be intended as one of them.
func enumerates(p *check.Pass, s *profile.Scalars) bool {
	if !s.Values.Exact() {
		return false
	}
	others := 0
	for _, v := range s.Values.Values() {
		if !v.HasText {
			return false
		}
		if isLost(v.Text) {
			continue
		}
		if f := profile.FormOf([]byte(v.Text)); f != profile.FormWord && f != profile.FormToken && f != profile.FormUpper && f != profile.FormPlaceholder {
			return false
		}
		others++
	}
	return others > 0 && float64(others) <= p.Threshold("enumeration-values")
}

func isLost(text string) bool {
	return slices.ContainsFunc(lost, func(l lostText) bool { return l.text == text })
}

// wordless reports whether the other values are ids, numbers, dates or addresses.
// Nobody writes None among such values.
func wordless(n *profile.Node) bool {
	others := n.Present()-n.Types[profile.String] > 0
	for v := range n.Scalars.Values.Texts() {
		if isLost(v.Text) {
			continue
		}
		if f := profile.FormOf([]byte(v.Text)); f != profile.FormEmail && f != profile.FormURL && (!f.IDLike() || f == profile.FormUpper) && !f.IsDate() {
			return false
		}
		others = true
	}
	return others
}

// A field may contain such texts, at the places found.
type field struct {
	node  *profile.Node
	found *places.Finder
}

// report reports a text in one or more fields.
func report(p *check.Pass, e *model.Entity, k int, fields []field, confidence float64) {
	n, s := fields[0].node, &fields[0].found.Sorts[k]
	path, place, more := n.Path(), "a missing value", ""
	if lost[k].sort == lostCode {
		place = "what the code computes"
	}
	if len(fields) > 1 {
		more = "; the same in " + wording.Count(int64(len(fields)-1), "more field")
	}
	r := check.Raw{At: s.First(), Finding: finding.Finding{
		Confidence: confidence, Severity: finding.Warning,
		Message: fmt.Sprintf("%s is the text %q in %s of %s: a program wrote it in place of %s%s",
			path, lost[k].text, quantity.Grouped(s.Count), wording.Count(n.Present(), "value"), place, more),
		Advice: fmt.Sprintf("Find the code that writes it (%s), store null or leave the field out, and correct these documents: queries for a missing %s do not find them.",
			lost[k].by, wording.LastName(path)),
		Evidence:    []finding.Evidence{{Name: "values", Value: n.Present()}, {Name: "values.lost", Value: s.Count}, {Name: "text", Value: lost[k].text}},
		Fingerprint: fmt.Sprintf("lost-value:%s:%s:%s", e.Collection.Name, path, lost[k].text),
	}}
	for _, place := range s.Places[1:min(len(s.Places), places.Shown)] {
		r.Related = append(r.Related, check.RawRelated{Message: "also here", At: place.At})
	}
	var edits []check.RawEdit // write null in place of the texts
	values, complete := int64(0), true
	for i, f := range fields {
		s := &f.found.Sorts[k]
		if i > 0 {
			r.Related = append(r.Related, check.RawRelated{Message: f.node.Path().String() + " in " + wording.Count(s.Count, "value"), At: s.First()})
		}
		for _, place := range s.Places {
			edits = append(edits, check.RawEdit{At: place.At, NewText: "null"})
		}
		values, complete = values+s.Count, complete && s.Count == int64(len(s.Places))
	}
	plans.Mend(p, e, &r, fmt.Sprintf("write null (%s)", wording.Count(values, "value")), s.First(), edits, complete)
	p.Report(e, path, r)
}
