// Package goconfig translates the configuration for the analyzers of Go code.
// All drivers use it, so that they report alike: shapevet check, go vet and
// golangci-lint.
package goconfig

import (
	"slices"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Nearest loads the configuration file in dir or the nearest above it; there
// may be none.
func Nearest(dir string) (*config.Config, error) {
	path, err := config.Find(dir)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return config.Default(), nil
	}
	return config.LoadFound(path)
}

// Options translates a configuration. The rules in ignored do not run either.
func Options(c *config.Config, ignored ...string) (check.Options, error) {
	words, err := lexicon.Default().With(c.Lexicon)
	if err != nil {
		return check.Options{}, err
	}
	options := check.Options{
		Options: docmodel.Options{DB: c.DB, Lexicon: words, Threshold: func(rule, name string) (float64, bool) {
			value, ok := c.Rules[rule].Thresholds[name]
			return value, ok
		}},
		MinConfidence: c.MinConfidence, NoIgnore: c.NoIgnore,
		Enabled: func(rule string) bool { return Enabled(c, rule) && !slices.Contains(ignored, rule) },
		Accepts: func(rule, collection, path string) bool {
			return !c.NoIgnore && slices.ContainsFunc(c.Ignore, func(i config.Ignore) bool {
				return i.Rule == rule && (i.Collection == "" || i.Collection == collection) && (i.Path == "" || i.Path == path)
			})
		},
	}
	if c.Strict || c.MinConfidence == 0 {
		options.MinConfidence = check.AnyConfidence
	}
	for _, d := range c.Documents {
		options.Documents = append(options.Documents, docmodel.DeclaredDocument(d))
	}
	for _, sink := range c.Sinks {
		options.Sinks = append(options.Sinks, docmodel.DeclaredSink(sink))
	}
	return options, nil
}

// Enabled reports whether the configuration leaves a rule on.
func Enabled(c *config.Config, rule string) bool {
	selected := len(c.Select) == 0 || rule == finding.InputError || slices.Contains(c.Select, rule)
	return selected && c.Rules[rule].Severity != config.Off
}

// Disabled lists the rules that the configuration switches off.
func Disabled(c *config.Config) []string {
	return slices.DeleteFunc(rulebook.Names(), func(rule string) bool { return Enabled(c, rule) })
}
