package cli

import (
	"context"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/analyzers/united"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// checkGo checks the Go packages that patterns match and adds the findings. A
// mistake that documents show too becomes one finding with both places.
func checkGo(ctx context.Context, patterns []string, s *settings, c *collected) error {
	memory := ""
	if c.seen == nil { // otherwise the result also depends on what documents show, which the hash does not cover
		var err error
		if memory, err = goMemory(ctx, patterns, s); err != nil {
			memory = "" // the analysis reports whatever is unreadable
		}
	}
	outcome := recallGo(memory)
	if outcome == nil {
		var err error
		if outcome, err = analyse(ctx, patterns, s, c); err != nil {
			return err
		}
		// Do not cache if a file changed in the meantime.
		if memory != "" && outcome.complete() {
			if now, err := goMemory(ctx, patterns, s); err == nil && now == memory {
				rememberGo(memory, outcome)
			}
		}
	}
	c.addGo(outcome)
	r := c.report
	r.Findings = united.Findings(r.Findings, united.Code{Accepted: outcome.Result.Accepted, Holders: outcome.Result.Holders, Rules: analyzers.Rules()})
	for _, accepted := range outcome.Result.Accepted {
		if accepted.Confidence >= s.MinConfidence {
			r.Summary.Suppressed++
		}
	}
	return nil
}

// analyse loads and checks the packages that patterns match.
func analyse(ctx context.Context, patterns []string, s *settings, c *collected) (*goOutcome, error) {
	options, err := goconfig.Options(s.Config, s.ignoredRules...)
	if err != nil {
		return nil, err
	}
	evidence, err := goconfig.Evidence(s.Config, s.evidence, c.seen, c.report.Findings)
	if err != nil {
		return nil, err
	}
	options.Evidence = evidence
	if c.documents != nil {
		options.Locate = func(at []profile.Pos) ([]finding.Location, error) { return c.documents.Locate(ctx, at) }
	}
	defer generous()()
	result, err := analyzers.Check(ctx, patterns, options)
	if err != nil {
		return nil, err
	}
	return newGoOutcome(result, evidence), nil
}

// addGo adds findings from Go packages and problems with the evidence.
func (c *collected) addGo(o *goOutcome) {
	for _, warning := range slices.Concat(o.Warnings, o.Result.Warnings) {
		c.warnings = append(c.warnings, "warning: "+warning)
	}
	c.partial = append(c.partial, o.Result.Partial...)
	r, found := c.report, o.Result.Report
	r.Problems = slices.Concat(r.Problems, o.Problems, found.Problems)
	r.Findings = append(r.Findings, found.Findings...)
	r.Summary.Packages += found.Summary.Packages
	if r.Hashes == nil {
		r.Hashes = map[string]uint64{}
	}
	maps.Copy(r.Hashes, found.Hashes)
}
