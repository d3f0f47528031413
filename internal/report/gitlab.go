package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// The Code Quality report of GitLab:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type (
	gitLabIssue struct {
		Description string         `json:"description"`
		CheckName   string         `json:"check_name"`
		Fingerprint string         `json:"fingerprint"`
		Severity    string         `json:"severity"`
		Location    gitLabLocation `json:"location"`
	}
	gitLabLocation struct {
		Path  string      `json:"path"`
		Lines gitLabLines `json:"lines"`
	}
	gitLabLines struct {
		Begin int `json:"begin"`
	}
)

var gitLabSeverities = map[finding.Severity]string{
	finding.Error: "critical", finding.Warning: "major", finding.Info: "info",
}

// writeGitLab prints one array. Problems become blockers.
func writeGitLab(w io.Writer, r *finding.Report, _ Options) error {
	issues := []gitLabIssue{}
	seen := map[string]int{}
	add := func(check, fingerprint, severity, text string, l finding.Location) {
		// GitLab shows only one of several issues with the same fingerprint.
		seen[fingerprint]++
		digest := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", l.File, fingerprint, seen[fingerprint]))
		issues = append(issues, gitLabIssue{
			Description: term.Clean(text), CheckName: check, Fingerprint: hex.EncodeToString(digest[:]), Severity: severity,
			Location: gitLabLocation{Path: l.File, Lines: gitLabLines{Begin: max(1, l.Line)}},
		})
	}
	for _, f := range r.Findings {
		add(f.Rule, f.Fingerprint+"\x00"+f.Rule, gitLabSeverities[f.Severity], sentences(oneLine(f), f.Advice), f.Location)
	}
	for _, problem := range r.Problems {
		add("shapevet", problem.Message, "blocker", sentences(problem.Message, problem.Hint), problem.Location)
	}
	return writeIndented(w, issues)
}

// sentences joins a message, which has no full stop, with its advice.
func sentences(message, advice string) string {
	if advice == "" {
		return message
	}
	return message + ". " + advice
}
