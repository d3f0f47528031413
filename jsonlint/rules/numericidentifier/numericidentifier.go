// Package numericidentifier reports identifiers of digits that are stored as
// numbers: zip codes, phone numbers, ISBNs.
package numericidentifier

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is numeric-identifier on documents.
var Rule = check.Rule{Name: "numeric-identifier", Run: func(p *check.Pass) {
	check.Each(p, func(n *profile.Node) bool {
		return identity.IsNumericIdentifier(p, n) || isExtension(n) || identity.Rounded(n)
	}, (*digits).see, (*digits).merge,
		func(e *model.Entity, n *profile.Node, d *digits) { reportDigits(p, e, n, d) })
}}

// isExtension reports whether a field is the extension of a phone number next
// to it.
func isExtension(n *profile.Node) bool {
	return slices.Contains(extensionsWords(), lexicon.Fold(n.Step.Name)) && identity.WholeNumbers(n) &&
		slices.ContainsFunc(n.Parent.Object.Fields(), func(f *profile.Node) bool {
			return slices.ContainsFunc(lexicon.Tokens(f.Step.Name), func(word string) bool { return slices.Contains(phonesWords(), word) })
		})
}

var (
	phonesWords     = rulebook.Words("numeric-identifier", "phones")
	extensionsWords = rulebook.Words("numeric-identifier", "extensions")
)

const maxDigits = 20

// digits counts numbers by their number of digits.
type digits struct {
	lengths [maxDigits]int64
	first   [maxDigits]places.Earliest // by number of digits
	all     places.Earliest
	example places.SmallestDocument
}

func (f *digits) see(d *profile.Document, v int) {
	if d.Tokens[v].Kind != scan.Number {
		return
	}
	at, length := d.At(v), min(len(whole(string(d.Text(v)))), maxDigits-1)
	f.lengths[length]++
	f.first[length].Add(at)
	f.all.Add(at)
	f.example.Add(at)
}

// whole returns a whole number without the point or exponent that a double has.
func whole(text string) string {
	if number, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".Ee") {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return text
}

func (f *digits) merge(o *digits) {
	for length, n := range o.lengths {
		f.lengths[length] += n
		f.first[length].Merge(&o.first[length])
	}
	f.all.Merge(&o.all)
	f.example.Add(o.example.At)
}

func reportDigits(p *check.Pass, e *model.Entity, n *profile.Node, d *digits) {
	if d.all.N == 0 {
		return
	}
	name := naming.ListName(n)
	modal := 0
	for length, k := range d.lengths {
		if k >= d.lengths[modal] {
			modal = length
		}
	}
	// One digit less than most, where nearly all have so many: a leading zero was lost.
	short := int64(0)
	if modal > 1 && 2*d.lengths[modal] > d.all.N && 10*(d.lengths[modal]+d.lengths[modal-1]) >= 9*d.all.N {
		short = d.lengths[modal-1]
	}
	at := d.longEnough()
	rounded := identity.Rounded(n)
	severity, confidence := finding.Info, 0.7 // nothing has been lost yet
	message := fmt.Sprintf("%s is an identifier stored as a number (%s)", name, places.Quote(p, at))
	if d.all.N > 1 {
		message = fmt.Sprintf("%s is an identifier stored as a number (%s and %s more)", name, places.Quote(p, at),
			quantity.Grouped(d.all.N-1))
	}
	switch {
	case isExtension(n):
		confidence = 0.6
	case n.Scalars.MaxInt > 1<<53, rounded:
		severity, confidence = finding.Warning, 0.9
		message += "; some have more digits than a double can hold"
	case short > 0 && e.N() >= places.EnoughDocuments:
		severity, confidence = finding.Warning, 0.9
		at = d.first[modal-1].First()
		message = fmt.Sprintf("%s is stored as a number and loses leading zeros: %s has %d digits, most have %d (%s of %s)",
			name, places.Quote(p, at), modal-1, modal, quantity.Grouped(short), wording.Count(d.all.N, "value"))
	case e.N() < places.EnoughDocuments:
		confidence = 0.6
	}
	advice := fmt.Sprintf("Store %s as a string: nobody calculates with it, and a string keeps leading zeros, signs, letters and every digit.", name)
	if short > 0 {
		advice += fmt.Sprintf(" If the length is fixed, fill stored values up to %d digits when you convert them.", modal)
	}
	evidence := []finding.Evidence{{Name: "values", Value: d.all.N}, {Name: "digits.mode", Value: modal}, {Name: "digits.oneLess", Value: short}}
	r := check.Raw{At: at, Finding: finding.Finding{Severity: severity, Confidence: confidence, Message: message, Advice: advice, Evidence: evidence}}
	if rounded { // in all fields by one program, and digits that are lost cannot be written
		r.Cause, r.Sure = "ids that a double rounded", true
		r.Advice += " Take the present values from their source again: a double rounded them."
	} else {
		r.Fixes = digitsAsText(p, e, n.Path(), d.example.At)
	}
	p.Report(e, n.Path(), r)
}

// longEnough returns the first number with the length of an identifier, or the
// first of all.
func (d *digits) longEnough() profile.Pos {
	first := profile.Pos{}
	for length := 4; length < maxDigits; length++ {
		first = profile.Earlier(first, d.first[length].First())
	}
	if !first.Known() {
		first = d.all.First()
	}
	return first
}

// digitsAsText shows the smallest document with the numbers as strings.
func digitsAsText(p *check.Pass, e *model.Entity, path profile.Path, at profile.Pos) []finding.Fix {
	return plans.Changed(p, e.Collection.Name, fmt.Sprintf("%s as a string", path), at, func(document *reshape.Value) bool {
		return document.Replace(path, func(v *reshape.Value) *reshape.Value {
			if v.Kind() != scan.Number {
				return nil
			}
			return reshape.String(whole(v.Text()))
		})
	})
}
