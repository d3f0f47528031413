package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

func (a *app) profileCommand() *cobra.Command {
	flags := &checkFlags{live: len(a.openers) > 0}
	var out, values, date, schema string
	command := &cobra.Command{
		Use:   "profile [flags] INPUT... -o FILE",
		Short: "Write an evidence file of documents",
		Long: `Profile documents and write the statistics into an evidence file: for each
collection and path the types, the frequency, lengths, sizes, numbers of
distinct values, references. The file holds no value of a document, and no field
name that is data, such as the keys of a map.

"shapevet check --evidence FILE" judges Go code by it. A file named
default.shapevet.json in the directory of a package, or above it up to the root
of the module, is used automatically, also by go vet and golangci-lint.

The date in the file is that of today, or of SOURCE_DATE_EPOCH.

With --schema, a schema of the documents is written instead: a JSON Schema or
a validator for MongoDB, of several collections in one file, or in one each if
-o names a directory. It holds the values of discriminators unless --values
none is given. INPUT may be evidence files then, which say less than documents.`,
		Example: `  shapevet profile dump/*.jsonl -o default.shapevet.json
  shapevet profile show default.shapevet.json
  shapevet profile merge eu.shapevet.json us.shapevet.json -o default.shapevet.json
  shapevet profile --schema json posts.jsonl -o posts.schema.json
  shapevet profile --schema mongodb dump/*.jsonl -o validators/`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 && !command.Flags().Changed("output") && !command.Flags().Changed("schema") {
				return command.Help()
			}
			s, err := flags.settings(command.Flags())
			if err != nil {
				return err
			}
			if err := namesStdin(command.Flags(), given{docs: args}); err != nil {
				return err
			}
			if values != "none" && values != "discriminators" {
				return fmt.Errorf("--values: unknown %q: %s", values, cmp.Or(suggest.DidYouMean(values, []string{"none", "discriminators"}), "use none or discriminators"))
			}
			if command.Flags().Changed("schema") {
				constants := values == "discriminators" || !command.Flags().Changed("values")
				return a.runProfileSchema(command, s, args, schemaOutput{format: schema, path: out, constants: constants})
			}
			day, err := profileDay(date)
			if err != nil {
				return err
			}
			return a.runProfile(command, s, args, out, evidence.Options{Tool: toolVersion(), Date: day, Discriminators: values == "discriminators", Shared: true})
		},
	}
	grouped(command.Flags(), "What is read", flags.defineCollections)
	grouped(command.Flags(), "What is written", func(set *pflag.FlagSet) {
		set.StringVarP(&out, "output", "o", "", "write the evidence, or the schema, to `FILE` (default: standard output)")
		set.StringVar(&values, "values", "none", "`WHICH` values may be in the file: none, discriminators")
		set.StringVar(&date, "date", "", "`DAY` on which the documents were read, as 2026-01-31 (default: today)")
		set.StringVar(&schema, "schema", "", "write a schema of the documents instead, in a `FORMAT`: "+strings.Join(schemaFormats(), ", "))
	})
	grouped(command.Flags(), runFlags, flags.defineRun)
	complete(command, "values", []string{"none", "discriminators"})
	complete(command, "schema", schemaFormats())
	command.AddCommand(a.profileMergeCommand(), a.profileShowCommand())
	return command
}

// profileDay parses the day for an evidence file.
func profileDay(date string) (time.Time, error) {
	if date != "" {
		day, err := time.Parse(evidence.DateLayout, date)
		if err != nil {
			return time.Time{}, fmt.Errorf("--date %q: use a day such as 2026-01-31", date)
		}
		return day, nil
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%s: this is not a number of seconds", epoch)
		}
		return time.Unix(seconds, 0).UTC(), nil
	}
	return time.Now().UTC(), nil
}

// profileInputs returns the documents to profile: those in the configuration if
// the command line names none.
func profileInputs(s *settings, inputs []string) ([]string, error) {
	if len(inputs) == 0 {
		for _, path := range s.Docs {
			inputs = append(inputs, s.Beside(path))
		}
	}
	if len(inputs) == 0 {
		return nil, errors.New("name the documents to profile: shapevet profile INPUT... -o FILE")
	}
	return inputs, nil
}

// profileOptions returns options for the engine, with a progress bar that done
// clears.
func (a *app) profileOptions(s *settings) (options jsonlint.Options, done func()) {
	options, done = s.engineOptions(a), func() {}
	if s.Progress && isTerminal(a.stderr) {
		bar := newProgress(a.stderr)
		options.Progress, done = bar.update, bar.clear
	}
	return options, done
}

// unread reports documents that could not be read.
func (a *app) unread(report *finding.Report) {
	for _, f := range report.Findings {
		a.complain(fmt.Sprintf("%s:%d:%d: %s", f.Location.File, f.Location.Line, f.Location.Column, f.Message))
		a.code = exitFindings
	}
	for _, problem := range report.Problems {
		a.complain(problemText(problem))
		a.code = exitFailure
	}
}

func (a *app) runProfile(command *cobra.Command, s *settings, inputs []string, out string, o evidence.Options) error {
	inputs, err := profileInputs(s, inputs)
	if err != nil {
		return err
	}
	if out != "" && out != stdin {
		if err := writable(out); err != nil {
			return err
		}
	}
	options, done := a.profileOptions(s)
	defer done()
	var f *evidence.File
	var report *finding.Report
	err = abandonable(command.Context(), func() error {
		db, read, err := jsonlint.Profile(command.Context(), inputs, options)
		if err != nil {
			return err
		}
		f, report = evidence.New(db, o), read
		return nil
	})
	if err != nil {
		return err
	}
	a.unread(report)
	if f.Documents() == 0 {
		if a.code == exitFailure {
			return nil // reported above
		}
		return errors.New("there are no documents in the inputs")
	}
	for _, c := range f.Collections {
		if n := c.Documents(); n < evidence.FewObjects {
			a.complain(fmt.Sprintf("info: %s has %s, too few to distinguish the keys of maps from field names: names that may be either are left out; give %d documents, and look at the file before you share it", c.Name, quantity.Of(n, "document"), evidence.FewObjects))
		}
	}
	return a.writeEvidence(f, out)
}

func (a *app) writeEvidence(f *evidence.File, out string) error {
	text, err := f.Marshal()
	if err != nil {
		return err
	}
	return a.writeText(text, out)
}

// writeText writes to a file, or to standard output if out is empty.
func (a *app) writeText(text []byte, out string) error {
	if out == "" || out == "-" {
		_, err := a.stdout.Write(text)
		return err
	}
	return writeFile(out, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func (a *app) profileMergeCommand() *cobra.Command {
	var out string
	command := &cobra.Command{
		Use:   "merge FILE... -o FILE",
		Short: "Merge evidence files of parts of a database",
		Long: `Merge evidence files into the file that one run over all documents would write.
Counts, types, sizes and lengths are exact. Parts may share distinct values, so
their number becomes a range. A reference into another part counts as one that
does not resolve.`,
		Example: `  shapevet profile merge shard-*.shapevet.json -o default.shapevet.json`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the files to merge: shapevet profile merge FILE... -o FILE")
			}
			files, err := loadEvidence(args)
			if err != nil {
				return err
			}
			merged, err := evidence.Merge(files...)
			if err != nil {
				return err
			}
			return a.writeEvidence(merged, out)
		},
	}
	command.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` (default: standard output)")
	return command
}

// loadEvidence reads evidence files. The error includes all causes.
func loadEvidence(paths []string) ([]*evidence.File, error) {
	var files []*evidence.File
	var problems []error
	for _, path := range paths {
		f, err := evidence.Load(path)
		if errors.Is(err, os.ErrNotExist) {
			siblings, _ := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(path)), "*.json"))
			if hint := suggest.DidYouMean(path, siblings); hint != "" {
				err = fmt.Errorf("%w: %s", err, hint)
			}
		}
		files, problems = append(files, f), append(problems, err)
	}
	return files, errors.Join(problems...)
}

func (a *app) profileShowCommand() *cobra.Command {
	var format, color string
	formats := []string{"text", "markdown", "json"}
	command := &cobra.Command{
		Use:   "show [flags] FILE",
		Short: "Show what an evidence file says",
		Long: `Show an evidence file as tables, one for each collection and kind of document:
path, types, share of the objects that have it, length of arrays (median, 95th
percentile, maximum) or number of map keys, distinct values, references.`,
		Example: `  shapevet profile show default.shapevet.json
  shapevet profile show --format markdown default.shapevet.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one evidence file to show: shapevet profile show FILE")
			}
			files, err := loadEvidence(args)
			if err != nil {
				return err
			}
			switch format {
			case "text":
				return showText(a.stdout, files[0], colored(color, a.stdout))
			case "markdown":
				return showMarkdown(a.stdout, files[0])
			case "json":
				return showJSON(a.stdout, files[0])
			}
			return fmt.Errorf("--format: unknown %q: %s", format, cmp.Or(suggest.DidYouMean(format, formats), "use one of "+strings.Join(formats, ", ")))
		},
	}
	command.Flags().StringVar(&format, "format", "text", "`FORMAT`: "+strings.Join(formats, ", "))
	command.Flags().StringVar(&color, "color", "auto", "`WHEN` to use colour: auto, always, never")
	complete(command, "format", formats)
	complete(command, "color", []string{"auto", "always", "never"})
	return command
}
