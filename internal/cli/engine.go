package cli

import (
	"context"
	"runtime"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/rulebook"
)

// checkFunc checks the documents that inputs name.
type checkFunc func(ctx context.Context, inputs []string, o jsonlint.Options) (*finding.Report, error)

// engineOptions converts settings for the engine.
func (s *settings) engineOptions(a *app) jsonlint.Options {
	options := jsonlint.Options{
		Source: source.Options{
			Collections: s.collectionRules, StdinFilename: s.StdinFilename, Stdin: a.stdin, Shallow: s.shallow, Hash: s.Fix,
			Skip: s.Exclude, Include: s.Include, Defaults: s.DefaultExcludes, TempDir: s.tempDir, InPlace: s.part != nil,
			Openers: a.openers, Stores: a.stores, Remote: s.remote,
		},
		DB:          s.DB,
		Rules:       map[string]jsonlint.RuleOptions{},
		Collections: map[string]jsonlint.CollectionOptions{},
		Lexicon:     s.Lexicon,
		Strict:      s.Strict,
		Jobs:        s.Jobs,
		Memory:      s.memory,
		Picture:     slices.ContainsFunc(s.Output, showsDocuments),
		Part:        s.part,
	}
	if options.Jobs == 0 {
		options.Jobs = runtime.GOMAXPROCS(0)
	}
	if options.Schemas = goconfig.Schemas(s.Config); options.Schemas != nil {
		options.Source.Exclude = options.Schemas.Files()
	}
	disabled := s.disabledRules()
	for _, name := range rulebook.Names() {
		rule := s.Rules[name]
		options.Rules[name] = jsonlint.RuleOptions{
			Disabled:   slices.Contains(disabled, name),
			Severity:   s.severities()[name],
			Thresholds: rule.Thresholds,
		}
	}
	for name, collection := range s.Collections {
		options.Collections[name] = jsonlint.CollectionOptions{
			Complete: collection.Complete, PartitionKey: collection.PartitionKey, ID: collection.ID,
		}
	}
	for _, reference := range s.References {
		options.References = append(options.References, jsonlint.Reference(reference))
	}
	return options
}

// disabledRules returns the rules that need not run.
func (s *settings) disabledRules() []string {
	return append(goconfig.Disabled(s.Config), s.ignoredRules...)
}

// severities returns the severities that the configuration sets.
func (s *settings) severities() map[string]finding.Severity {
	severities := map[string]finding.Severity{}
	for name, rule := range s.Rules {
		if severity, err := finding.ParseSeverity(rule.Severity); err == nil {
			severities[name] = severity
		}
	}
	return severities
}

// override returns the severity that the configuration gives a finding because
// of its file. The last matching entry wins.
func (s *settings) override(f *finding.Finding) (severity finding.Severity, off bool) {
	for _, o := range s.Overrides {
		word, there := o.Rules[f.Rule]
		if !there || !slices.ContainsFunc(o.Files, func(glob string) bool {
			matches, err := doublestar.Match(s.Beside(glob), f.Location.File)
			return err == nil && matches
		}) {
			continue
		}
		severity, _ = finding.ParseSeverity(word) // the only other word is off
		off = word == config.Off
	}
	return severity, off
}

// filter returns the filter for the report.
func (s *settings) filter() finding.Filter {
	filter := finding.Filter{
		Ignore: s.disabledRules(), Severity: s.severities(), MinConfidence: s.MinConfidence, MaxPerPath: s.MaxFindings,
	}
	if s.scope != nil {
		filter.Scope = s.scope.concerns
	}
	if len(s.Overrides) > 0 {
		filter.Override = s.override
	}
	for _, ignore := range s.Ignore {
		filter.Suppressions = append(filter.Suppressions, finding.Suppression{
			Rule: ignore.Rule, Collection: ignore.Collection, Path: ignore.Path,
		})
	}
	return filter
}
