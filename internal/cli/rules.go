package cli

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/internal/term"
	"github.com/shapevet/shapevet/rulebook"
)

func (a *app) rulesCommand() *cobra.Command {
	var format string
	command := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Long:  "List the rules with their severity and what they report.",
		Example: `  shapevet rules
  shapevet rules --format json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch format {
			case "text":
				return listRules(a.stdout, rulebook.All())
			case "json":
				return listRulesJSON(a.stdout, rulebook.All())
			}
			return fmt.Errorf("--format: unknown %q: %s", format, cmp.Or(suggest.DidYouMean(format, []string{"json", "text"}), "use text or json"))
		},
	}
	command.Flags().StringVar(&format, "format", "text", "`FORMAT`: text or json")
	complete(command, "format", []string{"text", "json"})
	return command
}

func listRules(w io.Writer, pages []rulebook.Page) error {
	style := term.Style{Color: colored("auto", w)}
	longest := 0
	for _, page := range pages {
		longest = max(longest, len(page.Name))
	}
	for _, page := range pages {
		severity := term.Pad(page.Severity.String(), len("warning"))
		line := term.Pad(page.Name, longest) + "  " + severity + "  " + page.Summary
		if cells := width(w); cells > 0 {
			line = term.Truncate(line, cells)
		}
		if style.Color {
			line = style.Bold(page.Name) + line[len(page.Name):]
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func listRulesJSON(w io.Writer, pages []rulebook.Page) error {
	type threshold struct {
		Name        string   `json:"name"`
		Default     float64  `json:"default"`
		Unit        string   `json:"unit"`
		Readers     []string `json:"readers"`
		Description string   `json:"description"`
	}
	type rule struct {
		Name       string                      `json:"name"`
		Severity   finding.Severity            `json:"severity"`
		Severities map[finding.Severity]string `json:"severities,omitempty"` // severities by condition
		Summary    string                      `json:"summary"`
		Since      string                      `json:"since"`
		Applies    []string                    `json:"applies"`
		Fix        string                      `json:"fix"`
		Databases  []string                    `json:"databases"`
		Confidence string                      `json:"confidence"`
		Thresholds []threshold                 `json:"thresholds"`
		Sources    []string                    `json:"sources"`
	}
	rules := make([]rule, 0, len(pages))
	for _, page := range pages {
		thresholds := []threshold{}
		for _, name := range page.ThresholdNames() {
			t := page.Thresholds[name]
			thresholds = append(thresholds, threshold{name, t.Default, t.Unit, t.Readers, t.Description})
		}
		rules = append(rules, rule{
			page.Name, page.Severity, page.Severities, page.Summary, page.Since, page.Applies, page.Fix, page.Databases,
			page.Confidence, thresholds, page.Sources,
		})
	}
	return writeJSON(w, rules)
}
