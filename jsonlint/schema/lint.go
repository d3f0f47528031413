package schema

import (
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// LintOptions are what the rules on schemas go by.
type LintOptions struct {
	Lexicon   *lexicon.Lexicon
	DB        string // generic if empty
	Enabled   func(rule string) bool
	Threshold func(rule, name string) float64
}

// Lint checks the schemas for modelling mistakes. The findings stand in the
// schema files and are in the order of their places.
func (s *Set) Lint(o LintOptions) []finding.Finding {
	var out []finding.Finding
	for _, rule := range []struct {
		name string
		run  func(*linter)
	}{
		{"unbounded-array", (*linter).unboundedArrays},
		{"missing-discriminator", (*linter).missingDiscriminators},
		{"volatile-embed", (*linter).volatileEmbeds},
		{"join-document", (*linter).joinDocument},
	} {
		if !o.Enabled(rule.name) {
			continue
		}
		for _, c := range s.schemas {
			l := &linter{LintOptions: o, set: s, schema: c, rule: rule.name}
			rule.run(l)
			out = append(out, l.findings...)
		}
	}
	finding.Sort(out)
	return slices.CompactFunc(out, func(a, b finding.Finding) bool { // two collections with one schema
		return a.Rule == b.Rule && a.Location.File == b.Location.File && a.Location.Line == b.Location.Line && a.Location.Column == b.Location.Column
	})
}

// A linter is one rule looking at one schema.
type linter struct {
	LintOptions
	*schema
	set      *Set
	rule     string
	findings []finding.Finding
}

func (l *linter) report(at finding.Location, path profile.Path, f finding.Finding) {
	f.Rule, f.Location = l.rule, at
	f.Subject = finding.Subject{Kind: finding.KindDocument, Collection: l.collection, Path: path.String()}
	f.Fingerprint = l.rule + ":" + l.collection + ":" + f.Subject.Path + ":schema"
	if f.Related == nil {
		f.Related = []finding.Related{}
	}
	f.Evidence = append(f.Evidence, finding.Evidence{Name: "schema", Value: at.File})
	l.findings = append(l.findings, f)
}
