package cli

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/internal/term"
	"github.com/shapevet/shapevet/rulebook"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain RULE",
		Short:   "Explain a rule",
		Long:    "Explain a rule: what it reports and why, bad and good examples, the fix, and its thresholds.",
		Example: "  shapevet explain unbounded-array",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one rule to explain: \"shapevet rules\" lists them")
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(rulebook.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			page, ok := rulebook.Find(args[0])
			if !ok {
				return fmt.Errorf("unknown rule %q: %s", args[0], cmp.Or(suggest.DidYouMean(args[0], rulebook.Names()), "\"shapevet rules\" lists them"))
			}
			return explain(a.stdout, page)
		},
	}
}

// maxProse is the widest readable line.
const maxProse = 100

func explain(w io.Writer, page rulebook.Page) error {
	style := term.Style{Color: colored("auto", w)}
	cells := width(w)
	if cells == 0 {
		cells = 80
	}
	cells = min(cells, maxProse)
	lines := []string{
		style.Bold(page.Name),
		style.Dim(fmt.Sprintf("%s · since %s · checks %s · fix: %s", page.Severity, page.Since, strings.Join(page.Applies, " and "), page.Fix)),
		"",
	}
	lines = append(lines, term.Markdown(page.Body, cells, style)...)
	lines = append(lines, explainSeverities(page, cells, style)...)
	lines = append(lines, explainThresholds(page, cells, style)...)
	lines = append(lines, "", style.Bold("Confidence"), "")
	lines = append(lines, term.Indent(term.Wrap(page.Confidence, cells-2), "  ")...)
	lines = append(lines, "", style.Bold("Databases"), "", "  "+strings.Join(page.Databases, ", "), "", style.Bold("Sources"), "")
	lines = append(lines, term.Indent(page.Sources, "  ")...)
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

func explainSeverities(page rulebook.Page, cells int, style term.Style) []string {
	if len(page.Severities) == 0 {
		return nil
	}
	lines := []string{"", style.Bold("Severity"), "", "  " + page.Severity.String() + ", but"}
	for _, severity := range []finding.Severity{finding.Error, finding.Warning, finding.Info} {
		if condition := page.Severities[severity]; condition != "" {
			lines = append(lines, term.Indent(term.Wrap(severity.String()+" where "+condition, cells-2), "  ")...)
		}
	}
	return lines
}

func explainThresholds(page rulebook.Page, cells int, style term.Style) []string {
	if len(page.Thresholds) == 0 {
		return nil
	}
	lines := []string{"", style.Bold("Thresholds") + style.Dim(" in "+config.FileName+", under rules: "+page.Name+": thresholds:"), ""}
	for _, name := range page.ThresholdNames() {
		threshold := page.Thresholds[name]
		value := strconv.FormatFloat(threshold.Default, 'f', -1, 64)
		lines = append(lines, "  "+style.Cyan(name+": "+value)+style.Dim("  # "+threshold.Unit))
		lines = append(lines, term.Indent(term.Wrap(threshold.Description, cells-6), "      ")...)
	}
	return lines
}
