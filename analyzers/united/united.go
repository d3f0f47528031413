// Package united reports a mistake that both code and documents show once: it
// finds the findings on documents that are the same as one on code, and merges
// them into it.
package united

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/internal/finding"
)

// Code is what is known about the code besides its findings.
type Code struct {
	// Accepted are findings on code that a directive accepts. Findings on
	// documents that show the same mistake are left out.
	Accepted []finding.Finding

	Holders []finding.Holder

	Rules []check.Rule // that check code
}

// Findings returns the findings, with those on documents merged into the
// findings on code that are the same mistake: of the same rule, at the same
// place in documents of the collection and kind that the type belongs to. If
// several fields of Go types are stored there, each of them reports it, since
// each needs correction.
//
// A mistake that only documents show stays a finding on them, with the place in
// code that stores it.
func Findings(all []finding.Finding, code Code) (united []finding.Finding) {
	rules := map[string]check.Rule{}
	for _, r := range code.Rules {
		rules[r.Name] = r
	}
	var onCode, documents []finding.Finding
	for _, f := range all {
		if f.Subject.Kind == finding.KindDocument {
			documents = append(documents, f)
		} else {
			onCode = append(onCode, f)
		}
	}
	finding.Sort(onCode)
	finding.Sort(documents)
	slices.SortStableFunc(documents, graver) // the most severe is reported first
	for i := range documents {
		d := &documents[i]
		at, how := closest(rules, onCode, d)
		accepts, known := closest(rules, code.Accepted, d)
		switch {
		case len(at) > 0 && how >= known:
			for _, c := range at {
				c.Also = append(c.Also, finding.Twin{Rule: d.Rule, Subject: d.Subject, Location: d.Location, Fingerprint: d.Fingerprint})
				join(c, d)
			}
		case len(accepts) > 0: // accepted on code, so accepted here
		default:
			d.Related = append(code.holding(d), d.Related...)
			united = append(united, *d)
		}
	}
	united = append(united, onCode...)
	finding.Sort(united)
	return united
}

// mostHolders is how many places in code one finding lists.
const mostHolders = 3

// holding finds the places in code that store the subject of a finding on
// documents.
func (c Code) holding(d *finding.Finding) []finding.Related {
	if d.Rule == finding.InputError { // it is about text, which code did not store
		return nil
	}
	how := different
	var at []finding.Related
	seen := map[string]bool{}
	for _, h := range c.Holders {
		l := alike(check.Rule{}, h.Place, d)
		if l == different || l < how || l == how && seen[h.Symbol] {
			continue
		}
		if l > how {
			at, how = nil, l
			clear(seen)
		}
		seen[h.Symbol] = true
		at = append(at, finding.InCode(h.Name, h.Location))
	}
	slices.SortStableFunc(at, func(a, b finding.Related) int { return a.Location.Compare(b.Location) })
	return at[:min(len(at), mostHolders)]
}

func graver(a, b finding.Finding) int {
	return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Severity, a.Severity))
}

// closest returns the findings on code whose place is nearest to that of one on
// documents.
func closest(rules map[string]check.Rule, onCode []finding.Finding, d *finding.Finding) (at []*finding.Finding, how likeness) {
	for i := range onCode {
		f := &onCode[i]
		rule := rules[f.Rule]
		if f.Rule != d.Rule && rule.Cause != d.Rule || !sameValues(f, d) {
			continue
		}
		switch l := best(rule, f.Stored, d); {
		case l == different || l < how:
		case l > how:
			at, how = []*finding.Finding{f}, l
		default:
			at = append(at, f)
		}
	}
	return at, how
}

// sameValues reports whether two findings on the values of a field may be about
// the same values, as far as both say which.
func sameValues(c, d *finding.Finding) bool {
	a, b := valuesOf(c), valuesOf(d)
	return a == nil || !slices.ContainsFunc(b, func(value string) bool { return !slices.Contains(a, value) })
}

func valuesOf(f *finding.Finding) []string {
	for _, e := range f.Evidence {
		if values, ok := e.Value.([]string); ok && e.Name == "values" {
			return values
		}
	}
	return nil
}

// Shown reports whether a finding on documents is of a rule and at one of the
// places.
func Shown(rule check.Rule, stored []finding.Place, d *finding.Finding) bool {
	return d.Subject.Kind == finding.KindDocument && d.Rule == rule.Name && best(rule, stored, d) > different
}

// best returns how near the nearest of the places is.
func best(rule check.Rule, stored []finding.Place, d *finding.Finding) (how likeness) {
	for _, place := range stored {
		how = max(how, alike(rule, place, d))
	}
	return how
}

// join merges a finding on documents into one on code. A person begins with the
// code, so the place, the text and the first fixes are those of the finding on
// code.
func join(c, d *finding.Finding) {
	c.Severity = max(c.Severity, d.Severity)
	c.Confidence = max(c.Confidence, d.Confidence)
	c.Related = slices.DeleteFunc(slices.Clone(c.Related), func(r finding.Related) bool { return r.Location == d.Location })
	c.Related = slices.Insert(c.Related, min(len(c.Also)-1, len(c.Related)), finding.InDocuments(d.Message, d.Location)) // before other places in code
	for _, r := range d.Related {
		c.Related = append(c.Related, finding.InDocuments(r.Message, r.Location))
	}
	if len(c.Also) == 1 { // other kinds have numbers with the same names
		c.Evidence = slices.Concat(c.Evidence, numbers(c.Evidence, d))
	}
	for _, fix := range d.Fixes {
		fix.Title = "in documents: " + fix.Title
		c.Fixes = append(slices.Clip(c.Fixes), fix)
	}
}

// numbers returns the numbers that documents add to those that code shows.
func numbers(known []finding.Evidence, d *finding.Finding) []finding.Evidence {
	var added []finding.Evidence
	for _, e := range d.Evidence {
		i := slices.IndexFunc(known, func(k finding.Evidence) bool { return k.Name == e.Name })
		if i >= 0 && fmt.Sprint(known[i].Value) == fmt.Sprint(e.Value) {
			continue
		}
		if i >= 0 {
			e.Name = "documents." + e.Name
		}
		added = append(added, e)
	}
	return added
}
