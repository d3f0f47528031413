package schema

import (
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// LintOptions are what the rules on schemas go by.
type LintOptions struct {
	Rules     []Rule
	Lexicon   *lexicon.Lexicon
	DB        string // generic if empty
	Threshold func(rule, name string) float64
}

// A Rule is what a rule says about schemas.
type Rule struct {
	Name string
	Run  func(*Pass)
}

// Lint checks the schemas for modelling mistakes. The findings stand in the
// schema files and are in the order of their places.
func (s *Set) Lint(o LintOptions) []finding.Finding {
	var out []finding.Finding
	for _, rule := range o.Rules {
		for _, c := range s.schemas {
			p := &Pass{Lexicon: o.Lexicon, DB: o.DB, schema: c, set: s, rule: rule.Name, threshold: o.Threshold}
			rule.Run(p)
			out = append(out, p.findings...)
		}
	}
	finding.Sort(out)
	return slices.CompactFunc(out, func(a, b finding.Finding) bool { // two collections with one schema
		return a.Rule == b.Rule && a.Location.File == b.Location.File && a.Location.Line == b.Location.Line && a.Location.Column == b.Location.Column
	})
}

// A Pass is one rule looking at one schema.
type Pass struct {
	Lexicon *lexicon.Lexicon
	DB      string

	*schema
	set       *Set
	rule      string
	threshold func(rule, name string) float64
	findings  []finding.Finding
}

// Report adds a finding about the values at a path, which stands at a place in
// a schema file.
func (p *Pass) Report(at finding.Location, path profile.Path, f finding.Finding) {
	f.Rule, f.Location = p.rule, at
	f.Subject = finding.Subject{Kind: finding.KindDocument, Collection: p.collection, Path: path.String()}
	f.Fingerprint = p.rule + ":" + p.collection + ":" + f.Subject.Path + ":schema"
	if f.Related == nil {
		f.Related = []finding.Related{}
	}
	f.Evidence = append(f.Evidence, finding.Evidence{Name: "schema", Value: at.File})
	p.findings = append(p.findings, f)
}

// Threshold returns the value of one of the rule's thresholds.
func (p *Pass) Threshold(name string) float64 { return p.threshold(p.rule, name) }

// Collection is the one whose documents the schema describes.
func (p *Pass) Collection() string { return p.collection }

// Collections are all that have a schema.
func (p *Pass) Collections() []string { return p.set.Collections() }

// Root is the schema of whole documents.
func (p *Pass) Root() *Node { return p.root }

// Documents are what a schema of another collection describes.
type Documents struct {
	Collection string
	At         finding.Location // the schema
	Properties []Property
}

// DocumentsOf returns the documents of another collection if these, as a
// whole, are what a schema refers to; nil if it refers to none.
func (p *Pass) DocumentsOf(n *Node) *Documents {
	if p.refs[n] == nil {
		return nil
	}
	meant := p.Parts(n)
	for _, other := range p.set.schemas {
		if other.collection == p.collection || other.root == p.root {
			continue
		}
		for _, root := range other.Parts(other.root) {
			if root != n && slices.Contains(meant, root) && other.IsObject(root) {
				return &Documents{other.collection, other.root.Location(), other.Properties(other.root)}
			}
		}
	}
	return nil
}
