package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/internal/baseline"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/regular"
)

// baselineFile is the default file of a baseline.
const baselineFile = ".shapevet-baseline.json"

func (a *app) baselineCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "baseline",
		Short: "Accept known findings, and report new ones only",
		Long: `A baseline is a file of known findings. With "shapevet check --baseline FILE",
or baseline: FILE in the configuration, only other findings are reported. A
finding is identified by its rule and its subject (a path in a collection, a
field of a type), not by its line.`,
	}, a.baselineWriteCommand(), a.baselinePruneCommand())
}

func (a *app) baselineWriteCommand() *cobra.Command {
	flags := &checkFlags{live: len(a.openers) > 0}
	command := &cobra.Command{
		Use:   "write [flags] [INPUT...]",
		Short: "Write all current findings into the baseline",
		Long: `Check the inputs as "shapevet check" does and write the findings into a
baseline. Nothing is written if something could not be checked.`,
		Example: `  shapevet baseline write ./... samples/
  shapevet check --baseline ` + baselineFile + ` ./... samples/`,
		RunE: func(command *cobra.Command, args []string) error {
			r, s, err := a.baselineFindings(command, flags, args)
			if err != nil || a.code != exitOK {
				return err
			}
			path := baselinePath(s)
			known := baseline.Of(r.Findings)
			if err := writeFile(path, known.Write); err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s: %d known\n", filepath.ToSlash(path), len(r.Findings))
			if command.Flags().Changed("baseline") || s.Baseline == "" {
				fmt.Fprintf(a.stdout, "Use it with --baseline %[1]s, or put \"baseline: %[1]s\" into the configuration.\n", filepath.ToSlash(path))
			}
			return nil
		},
	}
	flags.defineBaseline(command.Flags(), "write to `FILE`")
	return command
}

func (a *app) baselinePruneCommand() *cobra.Command {
	flags := &checkFlags{live: len(a.openers) > 0}
	command := &cobra.Command{
		Use:   "prune [flags] [INPUT...]",
		Short: "Remove fixed findings from the baseline",
		Long: `Check the inputs as "shapevet check" does and remove fixed findings from the
baseline, so that they cannot come back unseen. Nothing is added. Nothing is
removed if something could not be checked, or for rules that did not run.`,
		Example: `  shapevet baseline prune ./... samples/`,
		RunE: func(command *cobra.Command, args []string) error {
			r, s, err := a.baselineFindings(command, flags, args)
			if err != nil || a.code != exitOK {
				return err
			}
			path := baselinePath(s)
			known, err := readBaseline(path)
			if err != nil {
				return err
			}
			filter := s.filter()
			removed := known.Prune(r.Findings, filter.Selects)
			if len(removed) > 0 {
				if err := writeFile(path, known.Write); err != nil {
					return err
				}
			}
			for _, entry := range removed {
				fmt.Fprintf(a.stdout, "mended: %s\n", entry)
			}
			fmt.Fprintf(a.stdout, "%s: %d removed, %d left\n", filepath.ToSlash(path), len(removed), len(known.Entries()))
			return nil
		},
	}
	flags.defineBaseline(command.Flags(), "remove from `FILE`")
	return command
}

// baselineFindings checks the inputs and returns all findings. It sets the exit
// code if something could not be checked.
func (a *app) baselineFindings(command *cobra.Command, flags *checkFlags, args []string) (*finding.Report, *settings, error) {
	s, err := flags.settings(command.Flags())
	if err != nil {
		return nil, nil, err
	}
	filter := s.filter()
	filter.MaxPerPath = 0
	g := given{docs: flags.docs, code: flags.goPatterns, either: args}
	if err := errors.Join(namesStdin(command.Flags(), g), writable(baselinePath(s))); err != nil {
		return nil, nil, err
	}
	r, err := a.findings(command.Context(), s, g, filter)
	if err != nil {
		return nil, nil, err
	}
	if len(r.Problems) > 0 {
		a.complain("the baseline is left as it was: not everything could be checked")
		a.code = exitFailure
	}
	return r, s, nil
}

func baselinePath(s *settings) string {
	if s.Baseline != "" {
		return s.Baseline
	}
	return s.Beside(baselineFile)
}

// maxBaseline keeps a mistyped file name from filling the memory.
const maxBaseline = 64 << 20

func readBaseline(path string) (*baseline.Baseline, error) {
	text, err := regular.ReadFile(path, maxBaseline)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no baseline %s: \"shapevet baseline write\" writes one", path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the baseline %s: %w", path, err)
	}
	known, err := baseline.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w: write it again with \"shapevet baseline write\"", path, err)
	}
	return known, nil
}

// fresh returns a function that drops findings that the baseline or the base
// revision has, or nil if there is neither.
func (a *app) fresh(ctx context.Context, s *settings, g given) (func([]finding.Finding) []finding.Finding, error) {
	var known []*baseline.Baseline
	if s.Baseline != "" {
		b, err := readBaseline(s.Baseline)
		if err != nil {
			return nil, err
		}
		known = append(known, b)
	}
	if s.diffBase != "" {
		b, err := a.atRevision(ctx, s, g)
		if err != nil {
			return nil, err
		}
		known = append(known, b)
	}
	if known == nil {
		return nil, nil
	}
	return func(findings []finding.Finding) []finding.Finding {
		for _, b := range known {
			findings = b.Fresh(findings)
		}
		return findings
	}, nil
}
