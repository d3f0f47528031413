package report_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/rulebook"
)

// gitHubLog is the part of SARIF that GitHub code scanning reads.
type gitHubLog struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID, HelpURI                             string
					ShortDescription, FullDescription, Help struct{ Text, Markdown string }
					DefaultConfiguration                    struct{ Level string }
					Properties                              struct{ Tags []string }
				}
			}
		}
		Invocations []struct {
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []struct {
			RuleID, Level       string
			Message             struct{ Text string }
			PartialFingerprints map[string]string
			RelatedLocations    []gitHubLocation
			Locations           []gitHubLocation
		}
	}
}

type gitHubLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
	}
}

func gitHubLogOf(t *testing.T, r *finding.Report) gitHubLog {
	t.Helper()
	var log gitHubLog
	require.NoError(t, json.Unmarshal([]byte(write(t, "sarif", r, report.Options{ToolVersion: "v0.1.0", Pages: rulebook.All})), &log))
	return log
}

// TestSARIFHasWhatGitHubRequires checks the properties that GitHub lists as
// required, and the values it knows:
// https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
func TestSARIFHasWhatGitHubRequires(t *testing.T) {
	t.Parallel()
	log := gitHubLogOf(t, fixture())
	assert.Equal(t, "2.1.0", log.Version)
	require.Len(t, log.Runs, 1, "at most 20")
	run := log.Runs[0]
	assert.NotEmpty(t, run.Tool.Driver.Name)
	require.NotEmpty(t, run.Tool.Driver.Rules)
	levels := []string{"note", "warning", "error"}
	for _, rule := range run.Tool.Driver.Rules {
		assert.NotEmpty(t, rule.ID)
		assert.LessOrEqual(t, len(rule.Properties.Tags), 10)
		if rule.DefaultConfiguration.Level == "" { // a rule without a page
			continue
		}
		assert.Contains(t, levels, rule.DefaultConfiguration.Level)
		for _, text := range []string{rule.ShortDescription.Text, rule.FullDescription.Text} {
			assert.NotEmpty(t, text, rule.ID)
			assert.LessOrEqual(t, len(text), 1024, rule.ID)
		}
		assert.NotEmpty(t, rule.Help.Text, rule.ID)
		assert.NotEmpty(t, rule.Help.Markdown, rule.ID)
		assert.Contains(t, rule.HelpURI, "https://", rule.ID)
	}
	for _, result := range run.Results {
		assert.Contains(t, levels, result.Level)
		assert.NotEmpty(t, result.RuleID)
		assert.NotEmpty(t, result.Message.Text)
		if result.RuleID != "retired-rule" { // the fixture has no such rule
			assert.NotEmpty(t, result.PartialFingerprints, result.RuleID)
		}
	}
}

// TestSARIFKeepsTheLimitsOfGitHub: GitHub refuses a file with more than 25,000
// results, and drops locations beyond 100.
func TestSARIFKeepsTheLimitsOfGitHub(t *testing.T) {
	t.Parallel()
	r := &finding.Report{}
	for i := range 25_010 {
		f := finding.Finding{
			Rule: "stale-copy", Severity: finding.Warning, Confidence: 0.7, Message: "m", Fingerprint: fmt.Sprint(i),
			Location: finding.Location{File: "a.json", Line: i + 1, Column: 1, EndLine: i + 1, EndColumn: 2},
		}
		switch {
		case i%5000 == 1:
			f.Severity = finding.Info // six of them
		case i == 25_009:
			f.Severity = finding.Error
			for line := range 2_000 {
				f.Related = append(f.Related, finding.Related{Message: "r", Location: finding.Location{File: "a.json", Line: line + 1, Column: 1}})
			}
		}
		r.Findings = append(r.Findings, f)
	}
	run := gitHubLogOf(t, r).Runs[0]
	require.Len(t, run.Results, 25_000)
	last := run.Results[len(run.Results)-1]
	assert.Equal(t, "error", last.Level, "the gravest stay, in their order")
	assert.Len(t, last.RelatedLocations, 99)
	for i, result := range run.Results {
		require.NotEqual(t, "note", result.Level)
		require.Len(t, result.Locations, 1)
		region := result.Locations[0].PhysicalLocation.Region
		require.Positive(t, region.StartLine)
		require.Positive(t, region.StartColumn)
		if i > 0 {
			require.Less(t, run.Results[i-1].Locations[0].PhysicalLocation.Region.StartLine, region.StartLine)
		}
	}
	require.NotEmpty(t, run.Invocations[0].ToolExecutionNotifications)
	assert.Contains(t, run.Invocations[0].ToolExecutionNotifications[0].Message.Text, "10 findings more")
}
