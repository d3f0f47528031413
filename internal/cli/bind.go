package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/internal/term"
)

func (a *app) bindCommand() *cobra.Command {
	flags := &checkFlags{live: len(a.openers) > 0}
	var format string
	command := &cobra.Command{
		Use:   "bind [flags] [PATTERN...]",
		Short: "Show which documents belong to which Go types",
		Long: `For each stored Go type, show the collection in the evidence that it belongs to,
with the confidence and the reason. A directive, the configuration or the code
names the collection. Otherwise it is the one whose documents have the fields of
the type. If several collections are possible, the type belongs to none.`,
		Example: `  shapevet bind ./...
  shapevet bind --evidence dump.shapevet.json ./models`,
		RunE: func(command *cobra.Command, args []string) error {
			s, err := flags.settings(command.Flags())
			if err != nil {
				return err
			}
			if format != "text" && format != "json" {
				return fmt.Errorf("--format: unknown %q: %s", format, cmp.Or(suggest.DidYouMean(format, []string{"json", "text"}), "use text or json"))
			}
			bound, err := a.bindings(command, s, args)
			if err != nil {
				return err
			}
			if format == "json" {
				return writeJSON(a.stdout, bound)
			}
			return writeBindings(a.stdout, bound)
		},
	}
	set := command.Flags()
	set.StringVar(&flags.config, "config", "", "configuration `FILE` (default: the nearest .shapevet.yaml upward)")
	set.StringArrayVar(&flags.evidence, "evidence", nil, "the evidence `FILE` (repeatable; default: the nearest default.shapevet.json)")
	set.StringVar(&format, "format", "text", "`FORMAT`: text or json")
	complete(command, "format", []string{"text", "json"})
	return command
}

// bound is a Go type with its documents.
type bound struct {
	Type       string  `json:"type"`
	Collection string  `json:"collection"` // "" without documents
	Confidence float64 `json:"confidence"`
	Reason     string  `json:"reason"`
	Documents  int64   `json:"documents"`
	Evidence   string  `json:"evidence"` // the evidence file
	Until      string  `json:"until"`
}

func (a *app) bindings(command *cobra.Command, s *settings, patterns []string) ([]bound, error) {
	options, err := goconfig.Options(s.Config)
	if err != nil {
		return nil, err
	}
	evidence, err := goconfig.Evidence(s.Config, s.evidence, nil, nil)
	if err != nil {
		return nil, err
	}
	program, warnings, err := analyzers.Program(command.Context(), patterns, options.Options)
	for _, warning := range warnings {
		a.complain("warning: " + warning)
	}
	if err != nil {
		return nil, err
	}
	out := []bound{}
	for _, d := range program.Documents() {
		if d.Generated {
			continue
		}
		b := evidence.Bind(program, d)
		out = append(out, bound{d.Key, b.Collection, b.Confidence, b.Reason, b.Documents, b.File, b.Until})
	}
	a.sayEvidence(evidence)
	return out, nil
}

// sayEvidence reports what is wrong with the evidence.
func (a *app) sayEvidence(evidence *guided.Evidence) {
	for _, warning := range evidence.Warnings() {
		a.complain("warning: " + warning)
	}
	for _, problem := range evidence.Problems() {
		a.complain(problem.Error())
		a.code = exitFailure
	}
}

func writeBindings(w io.Writer, all []bound) error {
	widest := 0
	for _, b := range all {
		widest = max(widest, term.Width(b.Type))
	}
	for _, b := range all {
		collection, sure := "-", ""
		if b.Collection != "" {
			collection = b.Collection
			sure = fmt.Sprintf("%.2f, ", b.Confidence)
		}
		line := term.Pad(b.Type, widest) + "  " + collection + "  (" + sure + b.Reason + ")"
		if _, err := fmt.Fprintln(w, strings.TrimRight(term.Clean(line), " ")); err != nil {
			return err
		}
	}
	return nil
}
