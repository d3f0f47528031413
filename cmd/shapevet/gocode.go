package main

import (
	"context"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/internal/goconfig"
)

// checkGo checks the Go packages that patterns match and adds what it finds.
func checkGo(ctx context.Context, patterns []string, s *settings, c *collected) error {
	options, err := goconfig.Options(s.Config, s.ignoredRules...)
	if err != nil {
		return err
	}
	result, err := analyzers.Check(ctx, patterns, options)
	if err != nil {
		return err
	}
	for _, warning := range result.Warnings {
		c.warnings = append(c.warnings, "warning: "+warning)
	}
	c.partial = append(c.partial, result.Partial...)
	r := c.report
	r.Findings = append(r.Findings, result.Report.Findings...)
	r.Problems = append(r.Problems, result.Report.Problems...)
	r.Summary.Packages += result.Report.Summary.Packages
	return nil
}
