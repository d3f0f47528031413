// Package duplicatekey reports names that occur twice in one object. Readers
// disagree on which one counts: encoding/json keeps the last, others the first.
package duplicatekey

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is duplicate-key on documents.
var Rule = check.Rule{Name: "duplicate-key", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Duplicated > 0 {
				reportDuplicate(p, e, n)
			}
			return true
		})
	}
}}

func reportDuplicate(p *check.Pass, e *model.Entity, n *profile.Node) {
	twice, ok := twice(p, n.DuplicatedAt)
	if !ok {
		return
	}
	message := fmt.Sprintf("%q occurs twice in one object, as %s and as %s; some readers keep the first, others the last",
		twice.name, twice.before, twice.here)
	advice := "Remove one of the two, or rename one if both are meant; then find the code that writes objects as text."
	if twice.before == twice.here {
		message = fmt.Sprintf("%q occurs twice in one object, both times as %s", twice.name, twice.here)
		advice = "Remove one of the two; then find the code that writes objects as text."
	}
	if n.Duplicated > 1 {
		message += fmt.Sprintf(" (the first of %s)", wording.Count(n.Duplicated, "object"))
	}
	p.Report(e, n.Path(), check.Raw{
		At: n.DuplicatedAt,
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: 0.95, Message: message, Advice: advice,
			Evidence: []finding.Evidence{{Name: "objects", Value: n.Duplicated}},
			Fixes:    twice.fix(n.Duplicated),
		},
		Related: []check.RawRelated{{At: twice.first, Message: fmt.Sprintf("%q the first time, as %s", twice.name, twice.before)}},
		Edits:   twice.edits(n.Duplicated),
	})
}

// duplicated is a name that occurs twice in one object.
type duplicated struct {
	name         string
	first        profile.Pos // of the earlier name
	before, here string      // the two values
	equal        bool
	member       profile.Pos // the first member, including the comma after it
}

// twice finds the last member with the same name before the one at a position.
func twice(p *check.Pass, at profile.Pos) (t duplicated, ok bool) {
	d, k, ok := places.TokenOf(p, at)
	if !ok || d.Tokens[k].Flags&scan.Key == 0 {
		return t, false
	}
	t.name = d.String(k)
	object := enclosing(d, k)
	for other, v := range d.Members(object) {
		if other == k {
			break
		}
		if d.String(other) == t.name {
			t.first, t.before, t.equal = d.At(other), places.QuoteToken(d, v), d.Hash(v) == d.Hash(k+1) && d.Class(v) == d.Class(k+1)
			t.member = t.first
			t.member.Len = d.Tokens[d.Next(v)].Start - d.Tokens[other].Start
		}
	}
	t.here = places.QuoteToken(d, k+1)
	return t, t.first.Known()
}

// enclosing returns the object that holds the name at k: the innermost one that
// is still open.
func enclosing(d *profile.Document, k int) int {
	object := 0
	for i := range d.Tokens[:k] {
		if t := &d.Tokens[i]; t.Kind == scan.Object && int(t.A) > k {
			object = i
		}
	}
	return object
}

// fix removes the first of the two if there is only one such object. Most
// readers use the last value, so nothing changes for them.
func (t *duplicated) fix(objects int64) []finding.Fix {
	if objects > 1 {
		return nil
	}
	fix := finding.Fix{Title: fmt.Sprintf("remove the first %q, which most readers do not see", t.name), Safety: finding.Unsafe, Edits: []finding.Edit{}}
	if t.equal {
		fix.Title, fix.Safety = fmt.Sprintf("remove the first %q; the second has the same value", t.name), finding.Safe
	}
	return []finding.Fix{fix}
}

func (t *duplicated) edits(objects int64) []check.RawEdit {
	if objects > 1 {
		return nil
	}
	return []check.RawEdit{{At: t.member}}
}
