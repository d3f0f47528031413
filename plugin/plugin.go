// Package plugin is the module plugin for golangci-lint. A golangci-lint that
// is built with it contains the linter shapevet.
package plugin

import (
	"crypto/sha256"
	"fmt"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/analyzers/guided"
)

// Name is what golangci-lint calls the linter.
const Name = "shapevet"

func init() { register.Plugin(Name, New) }

// New returns the linter. settings come from linters.settings.custom.shapevet
// in the configuration of golangci-lint: either "config", the path of a
// .shapevet.yaml, or the keys of such a file, where "version" is optional.
// Without settings the nearest .shapevet.yaml upward from the working directory
// is used. An unknown key is an error.
func New(settings any) (register.LinterPlugin, error) {
	loaded, others, err := decode(settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	options, err := goconfig.Options(loaded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	files := goconfig.EvidenceFiles(loaded)
	evidence, err := goconfig.Evidence(loaded, files, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	if err := readable(evidence); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	options.Evidence = evidence
	others = append(others, files...)
	hash := sha256.New()
	if err := goconfig.Fingerprint(hash, ".", others...); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	return &linter{options: options, state: fmt.Sprintf("%x", hash.Sum(nil)[:8])}, nil
}

// readable reports evidence files of packages that cannot be read.
func readable(evidence *guided.Evidence) error {
	paths, err := goconfig.InReach(".")
	if err != nil {
		return err
	}
	for _, path := range paths {
		if filepath.Base(path) == goconfig.EvidenceName {
			if err := evidence.Load(filepath.Dir(path)); err != nil {
				return err
			}
		}
	}
	return nil
}

type linter struct {
	options check.Options
	state   string // of the files that decide what is reported
}

// GetLoadMode asks for types, which show what is stored.
func (*linter) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers returns an analyzer of all rules, and one that reports
// nothing. golangci-lint caches results by package and analyzer names, so the
// name of the second analyzer changes with the files that affect the results.
func (l *linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	shapes := check.One(Name, "find modelling mistakes in code that stores documents\n\nMessages end with the name of the rule.", l.options, analyzers.Rules()...)
	run := shapes.Run
	shapes.Run = func(pass *analysis.Pass) (any, error) {
		folded := *pass
		folded.Report = func(d analysis.Diagnostic) { pass.Report(fold(pass.Fset, d)) }
		return run(&folded)
	}
	return []*analysis.Analyzer{shapes, {
		Name: "state" + l.state,
		Doc:  "keep results apart that were found under different configurations\n\nIt reports nothing.",
		Run:  func(*analysis.Pass) (any, error) { return nil, nil },
	}}, nil
}

// fold puts related places and the title of the fix into the message.
// golangci-lint would turn related places into issues of their own, and its text
// and SARIF formats leave out the title.
func fold(fset *token.FileSet, d analysis.Diagnostic) analysis.Diagnostic {
	var more []string
	for _, r := range d.Related {
		at := fset.Position(r.Pos)
		more = append(more, fmt.Sprintf("%s at %s:%d", r.Message, filepath.Base(at.Filename), at.Line))
	}
	for _, f := range d.SuggestedFixes {
		more = append(more, "fix: "+f.Message)
	}
	if len(more) == 0 {
		return d
	}
	rule := " (" + d.Category + ")"
	d.Message = strings.TrimSuffix(d.Message, rule) + "; " + strings.Join(more, "; ") + rule
	d.Related = nil
	return d
}
