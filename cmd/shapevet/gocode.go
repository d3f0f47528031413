package main

import (
	"context"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/goconfig"
	"github.com/shapevet/shapevet/internal/guided"
)

// checkGo checks the Go packages that patterns match and adds what it finds.
func checkGo(ctx context.Context, patterns []string, s *settings, c *collected) error {
	options, err := goconfig.Options(s.Config, s.ignoredRules...)
	if err != nil {
		return err
	}
	evidence, err := goconfig.Evidence(s.Config, s.evidence, c.seen)
	if err != nil {
		return err
	}
	options.Evidence = evidence
	result, err := analyzers.Check(ctx, patterns, options)
	if err != nil {
		return err
	}
	c.judged(evidence)
	c.addGo(result)
	return nil
}

// addGo adds what was found in Go packages.
func (c *collected) addGo(result *analyzers.Result) {
	for _, warning := range result.Warnings {
		c.warnings = append(c.warnings, "warning: "+warning)
	}
	c.partial = append(c.partial, result.Partial...)
	r := c.report
	r.Findings = append(r.Findings, result.Report.Findings...)
	r.Problems = append(r.Problems, result.Report.Problems...)
	r.Summary.Packages += result.Report.Summary.Packages
}

// judged adds what was wrong with the evidence.
func (c *collected) judged(evidence *guided.Evidence) {
	for _, warning := range evidence.Warnings() {
		c.warnings = append(c.warnings, "warning: "+warning)
	}
	for _, problem := range evidence.Problems() {
		c.report.Problems = append(c.report.Problems, finding.Problem{
			Message: problem.Error(), Hint: "make it again with \"shapevet profile\"",
		})
	}
}
