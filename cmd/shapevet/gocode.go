package main

import (
	"context"
	"slices"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// checkGo checks the Go packages that patterns match and adds what it finds
// to a report.
func (a *app) checkGo(ctx context.Context, patterns []string, s *settings, r *finding.Report) error {
	options, err := s.goOptions()
	if err != nil {
		return err
	}
	result, err := analyzers.Check(ctx, patterns, options)
	if err != nil {
		return err
	}
	for _, warning := range result.Warnings {
		a.complain("warning: " + warning)
	}
	r.Findings = append(r.Findings, result.Report.Findings...)
	r.Problems = append(r.Problems, result.Report.Problems...)
	r.Summary.Packages += result.Report.Summary.Packages
	return nil
}

// goOptions translates settings for the analyzers.
func (s *settings) goOptions() (docmodel.Options, error) {
	words, err := lexicon.Default().With(s.Lexicon)
	if err != nil {
		return docmodel.Options{}, err
	}
	disabled := s.disabledRules()
	options := docmodel.Options{
		DB: s.DB, Lexicon: words, MinConfidence: s.MinConfidence,
		Enabled: func(rule string) bool { return !slices.Contains(disabled, rule) },
		Threshold: func(rule, name string) (float64, bool) {
			value, ok := s.Rules[rule].Thresholds[name]
			return value, ok
		},
	}
	for _, d := range s.Documents {
		options.Documents = append(options.Documents, docmodel.DeclaredDocument{
			Type: d.Type, Collection: d.Collection, DB: d.DB, Partition: d.PartitionKey,
		})
	}
	for _, sink := range s.Sinks {
		options.Sinks = append(options.Sinks, docmodel.DeclaredSink{Function: sink.Function, Argument: sink.Argument, DB: sink.DB})
	}
	return options, nil
}
