package guided

import (
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// Confidence of a finding on code after comparing it with documents.
const (
	confirmed = 0.9
	withdrawn = 0.2 // below what is reported unless everything is
	sureCode  = 0.9 // confidence from which it takes ten times as many documents to withdraw the finding
	moreOften = 10
)

// Weigh compares a finding with the documents of its collection.
func (e *Evidence) Weigh(p *docmodel.Program, rule check.Rule, f *check.Finding) {
	f.Stored = e.stored(p, f)
	b := e.bind(p, f.Document)
	if e.bySchema(rule, f, b) || b.Collection == "" || rule.Ask == nil {
		return
	}
	v := rule.Ask(p, b.shown(), f)
	if v == nil {
		return
	}
	f.SeenIn(b.Collection, b.Documents, b.Until)
	f.Evidence = append(f.Evidence, v.Items...)
	age := ""
	if b.stale != "" {
		age = ", in old evidence of " + b.Until
	}
	needed := e.options.Documents
	if f.Confidence >= sureCode {
		needed *= moreOften
	}
	switch {
	case v.Confirms:
		f.Message += "; observed " + v.Note + age
		f.Confidence = max(f.Confidence, min(confirmed, max(f.Document.Confidence, b.Confidence)))
		f.Severity = max(f.Severity, v.Severity)
		if v.At.Known() && !e.shown(rule, f) {
			f.Sightings = append(f.Sightings, check.Sighting{Message: v.Note, At: v.At})
		}
	case v.Acquits && v.Seen >= needed && f.Severity < finding.Error && !e.shown(rule, f): // documents so far cannot clear an error
		withdraw(f, v.Note+age)
	}
}

// withdraw turns a finding into a guess and adds the reason against it.
func withdraw(f *check.Finding, reason string) {
	f.Message += "; withdrawn: " + reason
	f.Confidence = min(f.Confidence, withdrawn)
	f.Severity = finding.Info
	f.Fix = f.Fix.Plan()
}

// Suspects reports whether the documents alone show a rule's mistake.
func (e *Evidence) Suspects(p *docmodel.Program, rule check.Rule, f *docmodel.Field) bool {
	b := e.bind(p, f.Document)
	if rule.Ask == nil || b.Collection == "" {
		return false
	}
	v := rule.Ask(p, b.shown(), &check.Finding{Document: f.Document, Field: f})
	return v != nil && v.Confirms
}

// shown returns what a rule sees of the documents.
func (b *Binding) shown() check.Shown {
	return check.Shown{Name: b.Collection, Documents: b.Documents, Collection: b.collection, Kind: b.kind, Root: b.root}
}
