package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/goconfig"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/rulebook"
)

// settings are the configuration with the flags laid over it.
type settings struct {
	*config.Config
	ignoredRules    []string
	collectionRules []source.CollectionRule
	evidence        []string // paths of files
	diffBase        string   // git revision; "" for none
	shallow         bool     // of a directory of documents only the files that stand in it
	scope           *scope   // what findings have to concern; nil: anything
	copied          bool     // what is checked is a copy that is gone after the run
}

// checkFlags are the flags of check.
type checkFlags struct {
	config        string
	docs          []string
	goPatterns    []string
	collection    []string
	output        []string
	db            string
	selected      []string
	ignore        []string
	failOn        string
	minConfidence float64
	strict        bool
	jobs          int
	maxFindings   int
	color         string
	noProgress    bool
	statistics    bool
	exitZero      bool
	stdinFilename string
	baseline      string
	evidence      []string
	diffBase      string
	fix           bool
	unsafeFixes   bool
	diff          bool
	changed       bool
}

// define adds all flags of check.
func (f *checkFlags) define(set *pflag.FlagSet) {
	f.defineInputs(set)
	f.defineReport(set)
	set.BoolVar(&f.changed, "changed", false, "the inputs are files that changed: read what they belong with, report what concerns them")
	set.BoolVar(&f.fix, "fix", false, "apply the safe fixes, and report what is left")
	set.BoolVar(&f.unsafeFixes, "unsafe-fixes", false, "with --fix or --diff: also those that change stored data or what a program writes")
	set.BoolVar(&f.diff, "diff", false, "show what --fix would change, and change nothing")
}

// defineInputs adds the flags that say what is checked, and how.
func (f *checkFlags) defineInputs(set *pflag.FlagSet) {
	defaults := config.Default()
	set.StringArrayVar(&f.goPatterns, "go", nil, "check the Go packages that `PATTERN` matches (repeatable)")
	set.StringArrayVar(&f.docs, "docs", nil, "check the documents in `PATH`, even if it also holds Go code (repeatable)")
	set.StringArrayVar(&f.collection, "collection", nil, "put the documents of matching files into a collection: `NAME=GLOB` (repeatable)")
	set.StringVar(&f.db, "db", defaults.DB, "`DATABASE` whose limits apply: "+strings.Join(limits.Names(), ", "))
	set.StringSliceVar(&f.selected, "select", nil, "check only these `RULES`, separated by commas")
	set.StringSliceVar(&f.ignore, "ignore", nil, "leave out these `RULES`, separated by commas")
	set.StringArrayVar(&f.evidence, "evidence", nil, "judge Go code by the evidence `FILE`, which \"shapevet profile\" makes (repeatable; default: default.shapevet.json beside packages)")
	set.Float64Var(&f.minConfidence, "min-confidence", defaults.MinConfidence, "leave out findings that are less sure, from `0` to 1")
	set.BoolVar(&f.strict, "strict", false, "report guesses too")
	set.StringVar(&f.config, "config", "", "configuration `FILE` (default: the nearest "+config.FileName+" upward)")
	set.IntVar(&f.jobs, "jobs", 0, "`N` workers (default: one per processor)")
	set.BoolVar(&f.noProgress, "no-progress", false, "show no progress bar")
	set.StringVar(&f.stdinFilename, "stdin-filename", "", "`NAME` of standard input, for its collection and in findings")
}

// defineProfile adds the flags that say what is profiled, and how.
func (f *checkFlags) defineProfile(set *pflag.FlagSet) {
	set.StringArrayVar(&f.collection, "collection", nil, "put the documents of matching files into a collection: `NAME=GLOB` (repeatable)")
	set.StringVar(&f.config, "config", "", "configuration `FILE` (default: the nearest "+config.FileName+" upward)")
	set.IntVar(&f.jobs, "jobs", 0, "`N` workers (default: one per processor)")
	set.BoolVar(&f.noProgress, "no-progress", false, "show no progress bar")
	set.StringVar(&f.stdinFilename, "stdin-filename", "", "`NAME` of standard input, for its collection")
}

// defineReport adds the flags that say what becomes of the findings.
func (f *checkFlags) defineReport(set *pflag.FlagSet) {
	defaults := config.Default()
	set.StringArrayVarP(&f.output, "output", "o", defaults.Output, "`FORMAT[=FILE]`: "+strings.Join(report.Formats(), ", ")+" (repeatable)")
	set.StringVar(&f.failOn, "fail-on", defaults.FailOn, "exit with 1 from this `SEVERITY` on: error, warning, info, never")
	set.IntVar(&f.maxFindings, "max-findings", defaults.MaxFindings, "show at most `N` findings per rule and path, 0 for all")
	set.StringVar(&f.color, "color", defaults.Color, "`WHEN` to use colour: auto, always, never")
	set.BoolVar(&f.statistics, "statistics", false, "count findings by rule at the end")
	set.BoolVar(&f.exitZero, "exit-zero", false, "exit with 0 even if there are findings")
	set.StringVar(&f.baseline, "baseline", "", "leave out the known findings in `FILE`, which \"shapevet baseline write\" makes")
	set.StringVar(&f.diffBase, "diff-base", "", "report only what is new since the git `REVISION`")
}

// settings loads the configuration and lays the flags that were given over it.
func (f *checkFlags) settings(set *pflag.FlagSet) (*settings, error) {
	loaded, err := loadConfig(f.config)
	if err != nil {
		return nil, err
	}
	s := &settings{Config: loaded, ignoredRules: f.ignore}
	if set.Changed("jobs") && f.jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: at least one worker is needed", f.jobs)
	}
	if f.output != nil { // of profile, it is another flag
		override(set, "output", &s.Output, f.output)
	}
	override(set, "db", &s.DB, f.db)
	override(set, "select", &s.Select, f.selected)
	override(set, "fail-on", &s.FailOn, f.failOn)
	override(set, "strict", &s.Strict, f.strict)
	override(set, "jobs", &s.Jobs, f.jobs)
	override(set, "max-findings", &s.MaxFindings, f.maxFindings)
	override(set, "color", &s.Color, f.color)
	override(set, "no-progress", &s.Progress, !f.noProgress)
	override(set, "statistics", &s.Statistics, f.statistics)
	override(set, "exit-zero", &s.ExitZero, f.exitZero)
	override(set, "stdin-filename", &s.StdinFilename, f.stdinFilename)
	s.Baseline = besideConfig(loaded, s.Baseline)
	override(set, "baseline", &s.Baseline, f.baseline)
	s.evidence = goconfig.EvidenceFiles(loaded)
	override(set, "evidence", &s.evidence, f.evidence)
	s.diffBase = f.diffBase
	override(set, "fix", &s.Fix, f.fix)
	override(set, "unsafe-fixes", &s.UnsafeFixes, f.unsafeFixes)
	override(set, "diff", &s.Diff, f.diff)
	if s.Strict {
		s.MinConfidence = 0
	}
	override(set, "min-confidence", &s.MinConfidence, f.minConfidence)
	if err := f.validate(s); err != nil {
		return nil, err
	}
	s.collectionRules, err = collectionRules(f.collection, loaded)
	return s, err
}

func override[T any](set *pflag.FlagSet, name string, target *T, value T) {
	if set.Changed(name) {
		*target = value
	}
}

// validate checks what flags say; the configuration has been checked.
func (f *checkFlags) validate(s *settings) error {
	var problems []error
	unknown := func(flag, value string, names []string, hint string) {
		if slices.Contains(names, value) {
			return
		}
		if meant := suggest.DidYouMean(value, names); meant != "" {
			hint = meant
		}
		problems = append(problems, fmt.Errorf("--%s: unknown %q: %s", flag, value, hint))
	}
	oneOf := func(flag, value string, names []string) {
		unknown(flag, value, names, "use one of "+strings.Join(names, ", "))
	}
	oneOf("db", s.DB, limits.Names())
	oneOf("fail-on", s.FailOn, []string{"error", "warning", "info", "never"})
	oneOf("color", s.Color, []string{"auto", "always", "never"})
	for _, rule := range s.Select {
		unknown("select", rule, rulebook.Names(), "\"shapevet rules\" lists them")
	}
	for _, rule := range f.ignore {
		unknown("ignore", rule, rulebook.Names(), "\"shapevet rules\" lists them")
	}
	if s.MinConfidence < 0 || s.MinConfidence > 1 {
		problems = append(problems, fmt.Errorf("--min-confidence %v: use a number from 0 to 1", s.MinConfidence))
	}
	if s.MaxFindings < 0 {
		problems = append(problems, fmt.Errorf("--max-findings %d: use 0 for all, or a number above", s.MaxFindings))
	}
	return errors.Join(problems...)
}

// loadConfig reads the named configuration, or the nearest, or none.
func loadConfig(path string) (*config.Config, error) {
	if path == "" {
		return goconfig.Nearest(".")
	}
	return config.Load(path)
}

// collectionRules lists which files belong to which collection; flags come
// before the configuration, since the first match wins.
func collectionRules(flags []string, c *config.Config) ([]source.CollectionRule, error) {
	var rules []source.CollectionRule
	for _, flag := range flags {
		name, glob, ok := strings.Cut(flag, "=")
		if !ok || name == "" || glob == "" {
			return nil, fmt.Errorf("--collection %q: use NAME=GLOB, such as posts=export/blog-*.jsonl", flag)
		}
		rules = append(rules, source.CollectionRule{Name: name, Glob: glob})
	}
	for _, name := range sortedKeys(c.Collections) {
		for _, glob := range c.Collections[name].Files {
			rules = append(rules, source.CollectionRule{Name: name, Glob: besideConfig(c, glob)})
		}
	}
	return rules, nil
}

// besideConfig makes a path of the configuration, which is relative to its
// file, relative to the working directory.
func besideConfig(c *config.Config, path string) string {
	if c.Path == "" || path == "" || filepath.IsAbs(path) {
		return path
	}
	dir, err := filepath.Abs(filepath.Dir(c.Path))
	if err != nil {
		return path
	}
	joined := filepath.Join(dir, path)
	if wd, err := os.Getwd(); err == nil {
		if relative, err := filepath.Rel(wd, joined); err == nil {
			joined = relative
		}
	}
	return filepath.ToSlash(joined)
}
