package check

import (
	"fmt"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// Suite makes an analyzer of each rule. They share one reading of each package.
func Suite(options Options, rules ...Rule) []*analysis.Analyzer {
	model := &analysis.Analyzer{
		Name:             "docmodel",
		Doc:              "find the types that are stored as documents\n\nOther analyzers build on it; it reports nothing.",
		Run:              func(pass *analysis.Pass) (any, error) { return read(pass, options), nil },
		ResultType:       reflect.TypeFor[*Checker](),
		RunDespiteErrors: true,
	}
	var suite []*analysis.Analyzer
	for _, rule := range rules {
		suite = append(suite, &analysis.Analyzer{
			Name:             rule.AnalyzerName(),
			Doc:              rule.doc(),
			Requires:         []*analysis.Analyzer{model},
			RunDespiteErrors: true,
			Run: func(pass *analysis.Pass) (any, error) {
				pass.ResultOf[model].(*Checker).report(pass, rule)
				return nil, nil
			},
		})
	}
	return append(suite, directives(model, suite))
}

// One makes a single analyzer of all rules, for drivers that show the name of
// the analyzer next to each finding.
func One(name, doc string, options Options, rules ...Rule) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             name,
		Doc:              doc,
		RunDespiteErrors: true,
		Run: func(pass *analysis.Pass) (any, error) {
			c := read(pass, options)
			for _, rule := range rules {
				c.report(pass, rule)
			}
			c.reportDirectives(pass)
			return nil, nil
		},
	}
}

// read makes a checker of one package.
func read(pass *analysis.Pass, options Options) *Checker {
	pkg := &docmodel.Package{Path: pass.Pkg.Path(), Fset: pass.Fset, Files: pass.Files, Types: pass.Pkg, Info: pass.TypesInfo, ReadFile: pass.ReadFile}
	if pass.Module != nil {
		pkg.Module = pass.Module.Path
	}
	return &Checker{docmodel.One(pkg, options.Options), options}
}

// report runs a rule over the only package and reports its findings.
func (c *Checker) report(pass *analysis.Pass, rule Rule) {
	c.Run([]*docmodel.Package{c.program.Only()}, rule, func(f Finding) {
		if f.Confidence >= c.options.minConfidence() && !c.options.accepts(f) {
			pass.Report(diagnostic(f))
		}
	}, nil)
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
			pass.ResultOf[model].(*Checker).reportDirectives(pass)
			return nil, nil
		},
	}
}

func (c *Checker) reportDirectives(pass *analysis.Pass) {
	for _, problem := range c.DirectiveProblems() {
		pass.Report(analysis.Diagnostic{Pos: problem.Pos, Category: "directive", Message: problem.Message})
	}
}
