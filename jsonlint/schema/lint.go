package schema

import (
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// LintOptions configures the rules on schemas.
type LintOptions struct {
	Rules     []Rule
	Lexicon   *lexicon.Lexicon
	DB        string // empty means generic
	Threshold func(rule, name string) float64
}

// A Rule checks schemas.
type Rule struct {
	Name string
	Run  func(*Pass)
}

// Lint checks the schemas for modelling mistakes. The findings point into the
// schema files and are sorted by place.
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
	return slices.CompactFunc(out, func(a, b finding.Finding) bool { // two collections may share a schema
		return a.Rule == b.Rule && a.Location.File == b.Location.File && a.Location.Line == b.Location.Line && a.Location.Column == b.Location.Column
	})
}

// A Pass is one rule checking one schema.
type Pass struct {
	Lexicon *lexicon.Lexicon
	DB      string

	*schema
	set       *Set
	rule      string
	threshold func(rule, name string) float64
	findings  []finding.Finding
}

// Report adds a finding about the values at a path, with its place in a schema
// file.
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

// Collection returns the name of the collection that the schema describes.
func (p *Pass) Collection() string { return p.collection }

// Collections returns the names of all collections with a schema.
func (p *Pass) Collections() []string { return p.set.Collections() }

// Root returns the schema of whole documents.
func (p *Pass) Root() *Node { return p.root }

// Documents are the documents that another collection's schema describes.
type Documents struct {
	Collection string
	At         finding.Location // the schema
	Properties []Property
}

// DocumentsOf returns the documents of another collection if the schema refers
// to all of them. It returns nil if it does not.
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
