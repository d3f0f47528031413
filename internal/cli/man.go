package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand writes manual pages for operating system packages. It is hidden,
// because only the release runs it.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIRECTORY",
		Short:   "Write manual pages",
		Long:    "Write a manual page for each command into a directory.",
		Example: "  shapevet man share/man/man1",
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("write manual pages: %w", err)
			}
			return a.writeManuals(command.Root(), args[0])
		},
	}
}

func (a *app) writeManuals(command *cobra.Command, dir string) error {
	name := strings.ReplaceAll(command.CommandPath(), " ", "-") + ".1"
	if err := a.writeText([]byte(manual(command)), filepath.Join(dir, name)); err != nil {
		return err
	}
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() {
			if err := a.writeManuals(child, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// roff escapes text so that roff finds no requests or escapes in it.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
}

// manual returns the manual page of a command in man(7) macros.
func manual(command *cobra.Command) string {
	var b strings.Builder
	title := strings.ReplaceAll(command.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"shapevet %s\"\n", roff(strings.ToUpper(title)), roff(toolVersion()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(title), roff(command.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(command.UseLine()))
	if command.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(command.Long))
	}
	for _, group := range flagGroups(command.Flags()) {
		fmt.Fprintf(&b, ".SH %s\n", roff(strings.ToUpper(group.heading)))
		group.flags.VisitAll(func(flag *pflag.Flag) {
			if flag.Hidden {
				return
			}
			word, usage := pflag.UnquoteUsage(flag)
			name := "--" + flag.Name
			if flag.Shorthand != "" {
				name = "-" + flag.Shorthand + ", " + name
			}
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+word)), roff(usage))
		})
	}
	if command.HasExample() {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(command.Example))
	}
	var others []string
	if command.HasParent() {
		others = append(others, strings.ReplaceAll(command.Parent().CommandPath(), " ", "-")+"(1)")
	}
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() {
			others = append(others, title+"-"+child.Name()+"(1)")
		}
	}
	fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", roff(strings.Join(others, ", ")))
	return b.String()
}
