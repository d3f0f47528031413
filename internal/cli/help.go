package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/internal/term"
)

// groupKey is the flag annotation with the heading that the flag is listed
// under.
const groupKey = "group"

// grouped puts the flags that define adds under a heading in the help.
func grouped(set *pflag.FlagSet, heading string, define func(*pflag.FlagSet)) {
	part := unsorted()
	define(part)
	part.VisitAll(func(flag *pflag.Flag) { flag.Annotations = map[string][]string{groupKey: {heading}} })
	set.SortFlags = false
	set.AddFlagSet(part)
}

// unsorted is a set of flags that keeps the order in which they are defined.
func unsorted() *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	return set
}

// A flagGroup has the flags under one heading.
type flagGroup struct {
	heading string
	flags   *pflag.FlagSet
}

// flagGroups returns the groups, ordered by their first flag's definition.
// Flags without a heading come last.
func flagGroups(set *pflag.FlagSet) []flagGroup {
	var groups []flagGroup
	rest := flagGroup{"Flags", unsorted()}
	set.VisitAll(func(flag *pflag.Flag) {
		into := &rest
		if heading := flag.Annotations[groupKey]; heading != nil {
			i := 0
			for i < len(groups) && groups[i].heading != heading[0] {
				i++
			}
			if i == len(groups) {
				groups = append(groups, flagGroup{heading[0], unsorted()})
			}
			into = &groups[i]
		}
		into.flags.AddFlag(flag)
	})
	if rest.flags.HasAvailableFlags() {
		if len(groups) > 0 {
			rest.heading = "Other flags"
		}
		groups = append(groups, rest)
	}
	return groups
}

// usage prints how to call a command: like cobra, but with grouped flags and
// wrapped lines.
func usage(command *cobra.Command) error {
	w := command.OutOrStdout()
	cells := min(cmp.Or(width(w), 80), maxProse)
	var b strings.Builder
	b.WriteString("Usage:\n")
	if command.Runnable() {
		fmt.Fprintf(&b, "  %s\n", command.UseLine())
	}
	if command.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", command.CommandPath())
	}
	if command.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", command.Example)
	}
	if command.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, child := range command.Commands() {
			if child.IsAvailableCommand() || child.Name() == "help" {
				fmt.Fprintf(&b, "  %s %s\n", term.Pad(child.Name(), command.NamePadding()), child.Short)
			}
		}
	}
	for _, group := range flagGroups(command.Flags()) {
		fmt.Fprintf(&b, "\n%s:\n%s", group.heading, group.flags.FlagUsagesWrapped(cells))
	}
	if command.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\"%s [command] --help\" says more about a command.\n", command.CommandPath())
	}
	_, err := io.WriteString(w, b.String())
	return err
}
