package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// Exit codes, as documented.
const (
	exitOK          = 0
	exitFindings    = 1
	exitFailure     = 2   // something could not be checked at all
	exitInterrupted = 130 // 128 + SIGINT, as in shells
)

// app is shared by the commands.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	check          checkFunc
	openers        remote.Openers // of live databases; may be nil
	stores         remote.Stores  // of objects; may be nil
	code           int            // exit code of a command that succeeded
	complaints     int            // lines written to standard error
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	err := unknownCommand(root, args)
	if err == nil {
		root.SetArgs(args)
		err = root.ExecuteContext(ctx)
	}
	switch {
	case err == nil || errors.Is(err, syscall.EPIPE): // the reader of the output has stopped reading
		return a.code
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		a.complain("interrupted")
		return exitInterrupted
	}
	a.complain(err.Error())
	return exitFailure
}

// complain writes each cause on a line of standard error.
func (a *app) complain(message string) {
	for line := range strings.SplitSeq(strings.TrimRight(message, "\n"), "\n") {
		a.complaints++
		fmt.Fprintln(a.stderr, "shapevet: "+line)
	}
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "shapevet",
		Short: "Find modelling mistakes in document databases",
		Long: `Shapevet reads samples of the documents that a database stores and reports the
modelling mistakes that hurt later: arrays that grow without bound, kinds of
document that no field distinguishes, copies of data that changes, documents
that only join two others. Each finding shows its evidence and suggests a fix.`,
		Example: `  shapevet check export/*.jsonl
  shapevet check --db cosmosdb --output sarif=shapes.sarif dump/
  shapevet explain unbounded-array`,
		Version:       toolVersion(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("shapevet {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usage)
	root.AddCommand(
		a.checkCommand(), a.profileCommand(), a.bindCommand(), a.rulesCommand(), a.explainCommand(), a.initCommand(), a.configCommand(), a.baselineCommand(), a.lspCommand(), a.versionCommand(), a.manCommand(),
	)
	if len(a.openers) > 0 {
		root.AddCommand(a.sampleCommand())
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
}

// unknownCommand returns an error with a suggestion if the first argument is
// not a command.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[0], "__complete") {
		return nil
	}
	word := args[0]
	if slices.ContainsFunc(root.Commands(), func(command *cobra.Command) bool { return command.Name() == word }) {
		return nil
	}
	names := commandNames(root)
	if hint := suggest.DidYouMean(word, names); hint != "" {
		return fmt.Errorf("unknown command %q: %s", word, hint)
	}
	if _, err := os.Stat(word); err == nil {
		return fmt.Errorf("unknown command %q: did you mean \"shapevet check %s\"?", word, word)
	}
	return fmt.Errorf("unknown command %q: use one of %s", word, strings.Join(names, ", "))
}

func commandNames(parent *cobra.Command) []string {
	var names []string
	for _, command := range parent.Commands() {
		if !command.Hidden {
			names = append(names, command.Name())
		}
	}
	return names
}

// flagError adds a suggestion to the error for an unknown flag.
func flagError(command *cobra.Command, err error) error {
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%w: see \"%s --help\"", err, command.CommandPath())
	}
	var names []string
	command.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	if name := suggest.Closest(unknown.GetSpecifiedName(), names); name != "" {
		return fmt.Errorf("%w: did you mean \"--%s\"?", err, name)
	}
	return fmt.Errorf("%w: see \"%s --help\"", err, command.CommandPath())
}

// group makes a command that only has subcommands.
func group(command *cobra.Command, children ...*cobra.Command) *cobra.Command {
	command.AddCommand(children...)
	command.Args = cobra.ArbitraryArgs
	command.RunE = func(command *cobra.Command, args []string) error {
		if len(args) == 0 {
			return command.Help()
		}
		names := commandNames(command)
		return fmt.Errorf("unknown command %q of %s: %s", args[0], command.CommandPath(), cmp.Or(suggest.DidYouMean(args[0], names), "use one of "+strings.Join(names, ", ")))
	}
	return command
}
