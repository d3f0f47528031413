package report

import (
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

// leftOut says what is not shown and what was not checked, why, and how to
// change that.
func leftOut(r *finding.Report, minConfidence float64) []string {
	var lines []string
	s := r.Summary
	for _, left := range []struct {
		count int
		text  string
	}{
		{s.Truncated, " more at the same paths: --max-findings 0 shows them"},
		{s.Suppressed, " suppressed by an ignore: --no-ignore shows them"},
		{s.Hidden, fmt.Sprintf(" hidden, less than %.0f%% sure: --strict shows them", minConfidence*100)},
		{s.Baselined, " known from a baseline: check without it to see them"},
		{s.LeftOut, " left out as files of tools, dependencies or build output: --no-default-excludes checks them"},
		{s.Excluded, " excluded by the configuration or --exclude"},
		{s.Elsewhere, " in what has not changed: check without --changed to see them"},
	} {
		if left.count > 0 {
			lines = append(lines, quantity.Grouped(int64(left.count))+left.text)
		}
	}
	for _, note := range r.Notes {
		lines = append(lines, term.Clean(note))
	}
	for _, u := range r.Unchecked {
		lines = append(lines, fmt.Sprintf("Not checked: %s below %s; add %s to include %s", u.What, term.Clean(u.Below), term.Clean(u.Hint), itOrThem(u.What)))
	}
	return lines
}

func itOrThem(what string) string {
	if strings.HasPrefix(what, "1 ") {
		return "it"
	}
	return "them"
}

// whatWasRead says what was checked.
func whatWasRead(s finding.Summary) string {
	var parts []string
	if s.Documents > 0 || s.Packages == 0 {
		parts = append(parts, fmt.Sprintf("%s of %s (%s)", quantity.Of(s.Documents, "document"), quantity.Of(int64(s.Collections), "collection"), quantity.Bytes(s.Bytes)))
	}
	if s.Packages > 0 {
		parts = append(parts, quantity.Of(int64(s.Packages), "Go package"))
	}
	return strings.Join(parts, " and ")
}
