// Package check runs rules on Go code. A rule asks its pass for the stored types
// and fields of a package and reports those that show its mistake:
//
//	func run(p *check.Pass) {
//		for _, f := range p.Fields() {
//			if f.Nested {
//				p.Report(check.Finding{Field: f, Confidence: 0.9, Message: …})
//			}
//		}
//	}
//
// There are two ways to run rules. [Suite] and [One] make analyzers for drivers
// that look at one package at a time, such as go vet; they know only what that
// package shows. [New] and [Checker.Run] look at a whole program at once.
package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Options are the settings of a [Checker].
type Options struct {
	docmodel.Options

	MinConfidence float64                // of findings that are reported under go vet; 0 means 0.5
	Enabled       func(rule string) bool // nil means all

	Evidence Evidence // what documents show; may be nil
	NoIgnore bool     // ignore directives suppress nothing

	// Accepts reports whether the configuration accepts findings of a rule on a
	// path of a collection. Drivers that see one package at a time call it.
	Accepts func(rule, collection, path string) bool

	// Locate finds places in documents of this run. It is nil if there are none.
	Locate func([]profile.Pos) ([]finding.Location, error)
}

// AnyConfidence is the [Options.MinConfidence] with which guesses are reported
// too.
const AnyConfidence = -1

func (o *Options) enabled(rule string) bool { return o.Enabled == nil || o.Enabled(rule) }

func (o *Options) minConfidence() float64 {
	if o.MinConfidence == 0 {
		return finding.Probable
	}
	return o.MinConfidence
}

func (o *Options) accepts(f Finding) bool {
	return o.Accepts != nil && o.Accepts(f.Rule, f.Collections(), f.Place())
}

// A Checker runs rules over a program.
type Checker struct {
	program *docmodel.Program
	options Options
}

// New returns a checker of packages that are read together; see
// [docmodel.New].
func New(packages []*docmodel.Package, options Options) *Checker {
	return &Checker{docmodel.New(packages, options.Options), options}
}

// Run runs a rule over packages of the program, unless it is switched off. It
// passes findings to emit, and those that a directive accepts to accepted.
func (c *Checker) Run(packages []*docmodel.Package, rule Rule, emit, accepted func(Finding)) {
	if !c.options.enabled(rule.Name) {
		return
	}
	for _, pkg := range packages {
		rule.Run(&Pass{Rule: rule, Program: c.program, Package: pkg, options: &c.options, emit: emit, accepted: accepted})
	}
}

// Holders calls visit for the stored types and fields whose declarations were
// read, with the places in documents of this run that hold their values.
func (c *Checker) Holders(visit func(place finding.Place, d *docmodel.Document, f *docmodel.Field)) {
	if c.options.Evidence == nil {
		return
	}
	for _, d := range c.program.Documents() {
		place, ok := c.options.Evidence.Place(c.program, d)
		if !ok || !d.Declared() || d.Generated {
			continue
		}
		visit(place, d, nil)
		docmodel.All(d.Fields, func(f *docmodel.Field) {
			if f.Syntax != nil && !f.WritesItself() {
				visit(finding.Place{Collection: place.Collection, Entity: place.Entity, Path: f.Path}, d, f)
			}
		})
	}
}

// DirectiveProblems lists the directives that are malformed, and the ignores
// that suppressed nothing, unless their rules are switched off. It is complete
// once all rules have run.
func (c *Checker) DirectiveProblems() []Related {
	var problems []Related
	for _, d := range c.program.Directives() {
		text := d.Problem()
		if text == "" && d.Name == "ignore" && !d.Used() && slices.ContainsFunc(d.Rules, c.options.enabled) {
			text = fmt.Sprintf("this ignore accepts no finding: %s", strings.Join(d.Rules, ", "))
		}
		if text != "" {
			problems = append(problems, Related{Pos: d.Pos, Message: text})
		}
	}
	return problems
}
