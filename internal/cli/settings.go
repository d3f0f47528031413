package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/rulebook"
)

// settings are the configuration as overridden by flags.
type settings struct {
	*config.Config
	ignoredRules    []string
	collectionRules []source.CollectionRule
	evidence        []string       // paths
	diffBase        string         // git revision; "" for none
	shallow         bool           // read only the files directly in a directory of documents
	scope           *scope         // what findings must concern; nil means anything
	memory          int64          // bytes; 0 for the default
	tempDir         string         // "" means the system's
	part            *jsonlint.Part // this process's part of a run of several; nil for all
	remote          remote.Options
	copied          bool   // checks a copy that is removed after the run
	unasked         string // key of a found configuration that asks for edits; "" if flags do
}

// settings loads the configuration and applies the flags that were given.
func (f *checkFlags) settings(set *pflag.FlagSet) (*settings, error) {
	loaded, err := loadConfig(f.config)
	if err != nil {
		return nil, err
	}
	s := &settings{Config: loaded, ignoredRules: f.ignore}
	if set.Changed("jobs") && f.jobs < 1 {
		return nil, fmt.Errorf("--jobs %d: use at least one worker", f.jobs)
	}
	if f.output != nil { // in the profile command it is another flag
		override(set, "output", &s.Output, f.output)
	}
	override(set, "db", &s.DB, f.db)
	override(set, "select", &s.Select, f.selected)
	override(set, "fail-on", &s.FailOn, f.failOn)
	override(set, "strict", &s.Strict, f.strict)
	override(set, "jobs", &s.Jobs, f.jobs)
	override(set, "max-findings", &s.MaxFindings, f.maxFindings)
	override(set, "max-per-rule", &s.MaxPerRule, f.maxPerRule)
	override(set, "sort", &s.Sort, f.sort)
	override(set, "group-by", &s.GroupBy, f.groupBy)
	override(set, "show-fixes", &s.ShowFixes, f.showFixes)
	override(set, "color", &s.Color, f.color)
	override(set, "no-progress", &s.Progress, !f.noProgress)
	override(set, "statistics", &s.Statistics, f.statistics)
	override(set, "exit-zero", &s.ExitZero, f.exitZero)
	override(set, "stdin-filename", &s.StdinFilename, f.stdinFilename)
	s.Baseline = loaded.Beside(s.Baseline)
	override(set, "baseline", &s.Baseline, f.baseline)
	s.evidence = goconfig.EvidenceFiles(loaded)
	override(set, "evidence", &s.evidence, f.evidence)
	s.diffBase = f.diffBase
	override(set, "fix", &s.Fix, f.fix)
	override(set, "unsafe-fixes", &s.UnsafeFixes, f.unsafeFixes)
	override(set, "diff", &s.Diff, f.diff)
	for _, patterns := range []*[]string{&s.Exclude, &s.Include} {
		for i, glob := range *patterns {
			(*patterns)[i] = loaded.Beside(glob)
		}
	}
	s.Exclude, s.Include = append(s.Exclude, f.exclude...), append(s.Include, f.include...)
	override(set, "no-default-excludes", &s.DefaultExcludes, !f.noDefaults)
	s.tempDir, s.remote = f.tempDir, f.remote
	override(set, "no-ignore", &s.NoIgnore, f.noIgnore)
	if s.NoIgnore {
		s.Ignore = nil
	}
	switch {
	case !s.Found:
	case s.Fix && !f.fix:
		s.unasked = "fix"
	case s.UnsafeFixes && !f.unsafeFixes:
		s.unasked = "unsafeFixes"
	}
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

// validate checks the flags. The configuration has been checked already.
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
	if s.Sort != "" {
		oneOf("sort", s.Sort, report.Orders)
	}
	if s.GroupBy != "" {
		oneOf("group-by", s.GroupBy, report.Groupings)
	}
	if s.MaxPerRule < 0 {
		problems = append(problems, fmt.Errorf("--max-per-rule %d: use 0 for all, or a number above 0", s.MaxPerRule))
	}
	for _, rule := range s.Select {
		unknown("select", rule, rulebook.Names(), "\"shapevet rules\" lists them")
	}
	for _, rule := range f.ignore {
		unknown("ignore", rule, rulebook.Names(), "\"shapevet rules\" lists them")
	}
	for flag, patterns := range map[string][]string{"exclude": f.exclude, "include": f.include} {
		for _, glob := range patterns {
			if err := globs.Check(glob); err != nil {
				problems = append(problems, fmt.Errorf("--%s: %q %w", flag, glob, err))
			}
		}
	}
	if f.live && f.remote.Documents < 1 {
		problems = append(problems, fmt.Errorf("--sample %d: use a number above 0", f.remote.Documents))
	}
	if f.remote.MaxRU < 0 {
		problems = append(problems, fmt.Errorf("--max-ru %v: use 0 for no limit, or a number above 0", f.remote.MaxRU))
	}
	if f.memory != "" {
		var err error
		if s.memory, err = quantity.ParseBytes(f.memory); err != nil {
			problems = append(problems, fmt.Errorf("--memory: %w", err))
		} else if s.memory < jsonlint.DefaultMemory {
			problems = append(problems, fmt.Errorf("--memory %s: use at least %s", f.memory, quantity.Bytes(jsonlint.DefaultMemory)))
		}
	}
	if f.tempDir != "" {
		if info, err := os.Stat(f.tempDir); err != nil || !info.IsDir() {
			problems = append(problems, fmt.Errorf("--temp-dir %s: there is no such directory", f.tempDir))
		}
	}
	if s.MinConfidence < 0 || s.MinConfidence > 1 {
		problems = append(problems, fmt.Errorf("--min-confidence %v: use a number from 0 to 1", s.MinConfidence))
	}
	if s.MaxFindings < 0 {
		problems = append(problems, fmt.Errorf("--max-findings %d: use 0 for all, or a number above 0", s.MaxFindings))
	}
	return errors.Join(problems...)
}

// loadConfig reads the named configuration, the nearest one, or none.
func loadConfig(path string) (*config.Config, error) {
	if path == "" {
		return goconfig.Nearest(".")
	}
	return config.Load(path)
}

// collectionRules lists the globs of collections. Flags precede the
// configuration, because the first match wins.
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
			rules = append(rules, source.CollectionRule{Name: name, Glob: c.Beside(glob)})
		}
	}
	return rules, nil
}
