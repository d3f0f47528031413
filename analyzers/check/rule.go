package check

import (
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/rulebook"
)

// A Rule is a kind of modelling mistake and how Go code shows it.
type Rule struct {
	Name string // in kebab-case, as in the rule book, which has everything else about the rule
	Run  func(*Pass)

	// Ask compares a finding of the rule with documents of the type. It returns
	// nil if they show nothing about it. Findings of a rule without Ask are not
	// compared with documents.
	Ask func(p *docmodel.Program, s Shown, on *Finding) *Verdict

	// Declared compares a finding of the rule with the schema of the type's
	// collection. It returns nil if the schema says nothing about it.
	Declared func(d *schema.Declared, s Shown, on *Finding) *Declaration

	// SamePlace reports whether findings of the rule on code and on documents are
	// the same mistake although their paths differ.
	SamePlace func(code, documents profile.Path) bool

	// Cause is the rule on documents whose findings show the cause of this rule's
	// findings.
	Cause string
}

// AnalyzerName returns the rule's name without dashes, as its analyzer is
// called.
func (r Rule) AnalyzerName() string { return strings.ReplaceAll(r.Name, "-", "") }

// EitherWhole is the [Rule.SamePlace] of rules that report all documents of a
// kind once, at the key or at the document.
func EitherWhole(code, documents profile.Path) bool { return len(code) == 0 || len(documents) == 0 }

// doc returns the documentation of the rule's analyzer: a summary line, then
// what it reports.
func (r Rule) doc() string {
	page, ok := rulebook.Find(r.Name)
	if !ok {
		return r.Name
	}
	return page.Summary + "\n\n" + strings.TrimSpace(page.Section("What it reports"))
}
