package main

import (
	"context"
	"runtime"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/goconfig"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/rulebook"
)

// checkFunc checks the documents that inputs name.
type checkFunc func(ctx context.Context, inputs []string, o jsonlint.Options) (*finding.Report, error)

// engineOptions translates settings for the engine.
func (s *settings) engineOptions(a *app) jsonlint.Options {
	options := jsonlint.Options{
		Source: source.Options{
			Collections: s.collectionRules, StdinFilename: s.StdinFilename, Stdin: a.stdin, Shallow: s.shallow,
		},
		DB:          s.DB,
		Rules:       map[string]jsonlint.RuleOptions{},
		Collections: map[string]jsonlint.CollectionOptions{},
		Lexicon:     s.Lexicon,
		Strict:      s.Strict,
		Jobs:        s.Jobs,
		Picture:     slices.ContainsFunc(s.Output, showsDocuments),
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
		options.References = append(options.References, jsonlint.Reference{
			From: reference.From, Path: reference.Path, To: reference.To, Key: reference.Key,
		})
	}
	return options
}

// disabledRules are the rules that need not run.
func (s *settings) disabledRules() []string {
	return append(goconfig.Disabled(s.Config), s.ignoredRules...)
}

// severities are those the configuration sets.
func (s *settings) severities() map[string]finding.Severity {
	severities := map[string]finding.Severity{}
	for name, rule := range s.Rules {
		if severity, err := finding.ParseSeverity(rule.Severity); err == nil {
			severities[name] = severity
		}
	}
	return severities
}

// filter makes the filter of the report.
func (s *settings) filter() finding.Filter {
	filter := finding.Filter{
		Ignore: s.disabledRules(), Severity: s.severities(), MinConfidence: s.MinConfidence, MaxPerPath: s.MaxFindings,
	}
	if s.scope != nil {
		filter.Scope = s.scope.concerns
	}
	for _, ignore := range s.Ignore {
		filter.Suppressions = append(filter.Suppressions, finding.Suppression{
			Rule: ignore.Rule, Collection: ignore.Collection, Path: ignore.Path,
		})
	}
	return filter
}
