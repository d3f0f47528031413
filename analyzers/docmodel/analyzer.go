// Package docmodel finds the struct types of a program that are stored in a
// document database and shows their fields the way they are stored.
//
// It infers from evidence what is stored. The best evidence is a value that
// reaches a call which writes. Values are followed through helpers,
// interfaces and generic repositories. Rules ask for documents and fields and
// need not know how the evidence was found:
//
//	func run(p *docmodel.Pass) {
//		for _, f := range p.Fields() {
//			if f.Nested {
//				p.Report(docmodel.Finding{Field: f, Confidence: 0.9, Message: …})
//			}
//		}
//	}
//
// There are two ways to run rules. [Suite] makes analyzers for drivers that
// look at one package at a time, such as go vet; they know only what that
// package shows. [New] and [Program.Check] look at a whole program at once: a
// type may be declared in one package and stored by another.
package docmodel

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/rulebook"
)

// Suite makes an analyzer of each rule. They share one reading of each package.
func Suite(options Options, rules ...Rule) []*analysis.Analyzer {
	model := &analysis.Analyzer{
		Name:             "docmodel",
		Doc:              "find the types that are stored as documents\n\nOther analyzers build on it; it reports nothing.",
		Run:              func(pass *analysis.Pass) (any, error) { return read(pass, options), nil },
		ResultType:       reflect.TypeFor[*Program](),
		RunDespiteErrors: true,
	}
	var suite []*analysis.Analyzer
	for _, rule := range rules {
		suite = append(suite, rule.analyzer(model, options))
	}
	return append(suite, directives(model, suite))
}

func (r Rule) analyzer(model *analysis.Analyzer, options Options) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             r.AnalyzerName(),
		Doc:              r.doc(),
		Requires:         []*analysis.Analyzer{model},
		RunDespiteErrors: true,
		Run: func(pass *analysis.Pass) (any, error) {
			r.check(pass, pass.ResultOf[model].(*Program), options)
			return nil, nil
		},
	}
}

// doc returns the documentation of the rule's analyzer: a summary line, then
// what it reports.
func (r Rule) doc() string {
	page, ok := rulebook.Find(r.Name)
	if !ok {
		return r.Name
	}
	return page.Summary + "\n\n" + strings.TrimSpace(page.Section("What it reports"))
}

// check runs the rule over the package of a pass.
func (r Rule) check(pass *analysis.Pass, program *Program, options Options) {
	if options.Enabled != nil && !options.Enabled(r.Name) {
		return
	}
	r.Run(&Pass{Rule: r, Program: program, Package: program.only, emit: func(f Finding) {
		if f.Confidence >= options.minConfidence() && !options.accepts(f) {
			pass.Report(diagnostic(f))
		}
	}})
}

// One makes a single analyzer of all rules, for drivers that show the name of
// the analyzer next to each finding.
func One(name, doc string, options Options, rules ...Rule) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             name,
		Doc:              doc,
		RunDespiteErrors: true,
		Run: func(pass *analysis.Pass) (any, error) {
			program := read(pass, options)
			for _, rule := range rules {
				rule.check(pass, program, options)
			}
			program.reportDirectives(pass)
			return nil, nil
		},
	}
}

func (o Options) minConfidence() float64 {
	if o.MinConfidence == 0 {
		return finding.Probable
	}
	return o.MinConfidence
}

func (o Options) accepts(f Finding) bool {
	if o.Accepts == nil {
		return false
	}
	return o.Accepts(f.Rule, f.Collections(), f.Place())
}

// read makes a program of one package.
func read(pass *analysis.Pass, options Options) *Program {
	pkg := &Package{Path: pass.Pkg.Path(), Fset: pass.Fset, Files: pass.Files, Types: pass.Pkg, Info: pass.TypesInfo, ReadFile: pass.ReadFile}
	if pass.Module != nil {
		pkg.Module = pass.Module.Path
	}
	p := newProgram([]*Package{pkg}, options, false)
	p.only = pkg
	return p
}

func diagnostic(f Finding) analysis.Diagnostic {
	d := analysis.Diagnostic{
		Pos: f.At, End: f.End, Category: f.Rule,
		Message: fmt.Sprintf("%s (%s)", f.Message, f.Rule),
	}
	for _, r := range f.Related {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: r.Pos, Message: r.Message})
	}
	if f.Fix != nil && f.Fix.Safety == "safe" && len(f.Fix.Edits) > 0 {
		d.SuggestedFixes = []analysis.SuggestedFix{{Message: f.Fix.Title, TextEdits: f.Fix.Edits}}
	}
	return d
}

// directives makes the analyzer that reports directives without effect or
// without a reason. It runs after the rules.
func directives(model *analysis.Analyzer, rules []*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             "directives",
		Doc:              "report //shapevet: comments that have no effect\n\nAn ignore needs a reason and a finding that it accepts.",
		Requires:         append([]*analysis.Analyzer{model}, rules...),
		RunDespiteErrors: true,
		Run: func(pass *analysis.Pass) (any, error) {
			pass.ResultOf[model].(*Program).reportDirectives(pass)
			return nil, nil
		},
	}
}

func (p *Program) reportDirectives(pass *analysis.Pass) {
	for _, problem := range p.DirectiveProblems() {
		pass.Report(analysis.Diagnostic{Pos: problem.Pos, Category: "directive", Message: problem.Message})
	}
}

// DirectiveProblems lists the directives that are malformed, and the ignores
// that suppressed nothing. It is complete once all rules have run.
func (p *Program) DirectiveProblems() []Related {
	var problems []Related
	for _, d := range p.directives {
		text := d.Problem()
		if text == "" && d.Name == "ignore" && !d.used.Load() && p.ran(d.Rules) {
			text = fmt.Sprintf("this ignore accepts no finding: %s", strings.Join(d.Rules, ", "))
		}
		if text != "" {
			problems = append(problems, Related{Pos: d.Pos, Message: text})
		}
	}
	return problems
}

// ran reports whether any of the rules ran. An ignore for a rule that is
// switched off is not unused.
func (p *Program) ran(rules []string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool { return p.options.Enabled == nil || p.options.Enabled(rule) })
}

// Check runs a rule over all packages of the program. It passes findings to
// emit, and those that a directive accepts to accepted.
func (p *Program) Check(packages []*Package, rule Rule, emit, accepted func(Finding)) {
	for _, pkg := range packages {
		rule.Run(&Pass{Rule: rule, Program: p, Package: pkg, emit: emit, accepted: accepted})
	}
}
