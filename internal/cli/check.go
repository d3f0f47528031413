package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/rulebook"
)

func (a *app) checkCommand() *cobra.Command {
	flags := &checkFlags{live: len(a.openers) > 0}
	command := &cobra.Command{
		Use:   "check [flags] [INPUT...]",
		Short: "Check documents and Go packages",
		Long: a.withDatabases(`Check documents, and Go code that stores documents, and report modelling
mistakes.

An INPUT names documents or Go packages:

  FILE, **/GLOB or -      documents; - is standard input
  DIRECTORY               the documents in it and below; if it contains Go
                          files, that Go package instead
  DIRECTORY/..., or an    Go packages
  import path
DATABASES
Without INPUT, check reads the whole Go module (./...) and the documents that
docs: in the configuration names. Outside a module it reads the documents below
the working directory. The report ends with the files there that were not
checked, and how to include them.

Documents are JSON, JSON Lines, arrays of documents, concatenated documents or
MongoDB Extended JSON, plain or compressed with gzip or zstd. All inputs
together are one database: references are followed across collections.

With --changed, the inputs are changed files, as a hook names them. Documents
are read with the rest of their database (--docs, docs: in the configuration,
or the files in the same directory), Go files with their module. Only findings
that concern the changed files, collections and packages are reported.

Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 something could not
be checked.`),
		Example: `  shapevet check export/*.jsonl
  shapevet check --db mongodb --select unbounded-array,join-document dump/
  shapevet check --output concise --output sarif=shapes.sarif 'export/**/*.gz'
  mongoexport --collection posts | shapevet check --stdin-filename posts.json -
  shapevet check --changed $(git diff --name-only)`,
		RunE: func(command *cobra.Command, args []string) error {
			s, err := flags.settings(command.Flags())
			if err != nil {
				return err
			}
			g := given{docs: flags.docs, code: flags.goPatterns, either: args}
			if err := namesStdin(command.Flags(), g); err != nil {
				return err
			}
			if flags.changed {
				return a.runChanged(command, s, g)
			}
			if s.part, err = flags.part(command.Flags(), s, g); err != nil {
				return err
			}
			if s.part != nil && s.part.Shard != 0 {
				return a.runShard(command, s, g)
			}
			_, err = a.runCheck(command, s, g)
			return err
		},
	}
	flags.define(command.Flags())
	complete(command, "db", limits.Names())
	complete(command, "select", rulebook.Names())
	complete(command, "ignore", rulebook.Names())
	complete(command, "output", report.Formats())
	complete(command, "sort", report.Orders)
	complete(command, "group-by", report.Groupings)
	complete(command, "fail-on", []string{"error", "warning", "info", "never"})
	complete(command, "color", []string{"auto", "always", "never"})
	return command
}

// complete registers values of a flag for shell completion.
func complete(command *cobra.Command, flag string, values []string) {
	// The only possible error is an unknown flag, which tests would catch.
	_ = command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// given are the inputs of a command line: documents, Go packages, and inputs of
// unspecified type.
type given struct{ docs, code, either []string }

// namesStdin returns an error if standard input has a name but is not read.
func namesStdin(flags *pflag.FlagSet, g given) error {
	const flag = "stdin-filename"
	if flags.Changed(flag) && !slices.Contains(g.docs, stdin) && !slices.Contains(g.either, stdin) {
		return fmt.Errorf("--%s: standard input is not read: add - to the inputs", flag)
	}
	return nil
}

// stdin is the input that names standard input.
const stdin = "-"

// sorted separates documents from packages.
func (g given) sorted(s *settings) (docs, code []string) {
	docs, code = slices.Clone(g.docs), slices.Clone(g.code)
	for _, input := range g.either {
		if isGoPattern(input) {
			code = append(code, input)
		} else {
			docs = append(docs, input)
		}
	}
	if len(docs)+len(code) > 0 {
		return docs, code
	}
	for _, path := range s.Docs {
		docs = append(docs, s.Beside(path))
	}
	if analyzers.InModule(".") {
		return docs, []string{"./..."}
	}
	if len(docs) == 0 {
		docs = []string{"."}
	}
	return docs, nil
}

// runCheck checks the inputs and reports the findings.
func (a *app) runCheck(command *cobra.Command, s *settings, g given) (*finding.Report, error) {
	outputs, err := parseOutputs(s.Output)
	if err != nil {
		return nil, err
	}
	if err := open(outputs); err != nil {
		return nil, err
	}
	filter := s.filter()
	if filter.Fresh, err = a.fresh(command.Context(), s, g); err != nil {
		return nil, err
	}
	if docs, _ := g.sorted(s); s.Fix || s.Diff {
		if err := s.checkFixable(docs); err != nil {
			return nil, err
		}
	}
	c, err := a.collect(command.Context(), s, g)
	if err != nil {
		return nil, err
	}
	if _, code := g.sorted(s); command.Flags().Changed("evidence") && len(code) == 0 {
		c.warnings = append(c.warnings, "warning: --evidence judges Go code, and none is checked")
	}
	if command.Flags().Changed("unsafe-fixes") && s.UnsafeFixes && !s.Fix && !s.Diff {
		c.warnings = append(c.warnings, "warning: --unsafe-fixes only says which fixes: add --fix to apply them, or --diff to see them")
	}
	switch {
	case s.Diff:
		if err := a.diffFixes(c, s, filter); err != nil {
			return nil, err
		}
		outputs = slices.DeleteFunc(outputs, func(o output) bool { return o.file == "" }) // the diff goes to standard output
	case s.Fix:
		if c, err = a.applyFixes(command.Context(), s, g, c, filter); err != nil {
			return nil, err
		}
	}
	r := a.finish(c, s, filter)
	docs, code := g.sorted(s)
	if r.Unchecked, err = g.unchecked(command.Context(), s, docs, code); err != nil {
		return nil, err
	}
	if err := a.writeOutputs(command.Context(), outputs, r, s); err != nil {
		a.code = exitFailure
		return nil, err
	}
	a.code = s.exitCode(r)
	return r, nil
}

// findings checks the inputs and returns the findings that the filter keeps.
// Problems are printed on standard error and kept in the report.
func (a *app) findings(ctx context.Context, s *settings, g given, filter finding.Filter) (*finding.Report, error) {
	c, err := a.collect(ctx, s, g)
	if err != nil {
		return nil, err
	}
	return a.finish(c, s, filter), nil
}

// collected is the unfiltered result of a check.
type collected struct {
	report   *finding.Report
	warnings []string
	partial  []string       // import paths of packages that did not load completely
	seen     *evidence.File // what the documents show; may be nil

	documents *jsonlint.Documents // open while code is checked; may be nil
}

// collect checks the inputs.
func (a *app) collect(ctx context.Context, s *settings, g given) (c *collected, err error) {
	err = abandonable(ctx, func() (err error) {
		c, err = a.collectAll(ctx, s, g)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (a *app) collectAll(ctx context.Context, s *settings, g given) (_ *collected, err error) {
	docs, code := g.sorted(s)
	c := &collected{report: &finding.Report{}}
	if len(docs) > 0 {
		options := s.engineOptions(a)
		if len(code) > 0 {
			options.Observe = func(db *model.Database) {
				c.seen = evidence.New(db, evidence.Options{Tool: toolVersion(), Date: time.Now().UTC()})
			}
			options.Keep = func(d *jsonlint.Documents) { c.documents = d }
			defer func() { err = errors.Join(err, c.close()) }()
		}
		if c.report, err = a.checkInputs(ctx, s, docs, options); err != nil {
			return nil, err
		}
	} else if len(s.Schemas) > 0 {
		var err error
		if c.report, err = jsonlint.CheckSchemas(s.engineOptions(a)); err != nil {
			return nil, err
		}
	}
	if len(code) > 0 {
		if err := checkGo(ctx, code, s, c); err != nil {
			return nil, err
		}
	}
	switch {
	case s.scope != nil:
		c.report.Problems = slices.DeleteFunc(c.report.Problems, func(p finding.Problem) bool { return !s.scope.matters(p) })
	case len(docs) > 0:
		if c.report.DB != s.DB {
			c.warnings = append(c.warnings, "note: the documents come from "+c.report.DB+", so its limits apply: --db "+c.report.DB)
		}
		c.warnings = append(c.warnings, s.unknownCollections(c.report.Collections)...)
	}
	return c, nil
}

// close closes the documents.
func (c *collected) close() error {
	if c.documents == nil {
		return nil
	}
	documents := c.documents
	c.documents = nil
	return documents.Close()
}

// finish applies the filter and prints problems on standard error.
func (a *app) finish(c *collected, s *settings, filter finding.Filter) *finding.Report {
	r := c.report
	for _, warning := range c.warnings {
		a.complain(warning)
	}
	for _, i := range filter.Apply(r) {
		if s.Ignore[i].Line == 0 {
			continue // from a file shared by many projects
		}
		a.complain(s.unusedIgnore(i, r.Collections))
	}
	if n := len(r.Unread); n > 0 {
		shown := r.Unread[:min(n, 5)]
		more := ""
		if n > len(shown) {
			more = fmt.Sprintf(" and %d more", n-len(shown))
		}
		a.complain(fmt.Sprintf("warning: not read: %s%s: export the data as JSON Lines to have it checked", strings.Join(shown, ", "), more))
	}
	a.complainOf(r.Problems)
	return r
}

// alikeShown is how many problems with one message are named.
const alikeShown = 5

// complainOf reports what could not be checked. Problems beyond some with the same message
// are counted.
func (a *app) complainOf(problems []finding.Problem) {
	alike := map[string]int{}
	for _, problem := range problems {
		if alike[problem.Message]++; alike[problem.Message] <= alikeShown {
			a.complain(problemText(problem))
		}
	}
	for _, message := range slices.Sorted(maps.Keys(alike)) {
		if more := alike[message] - alikeShown; more > 0 {
			a.complain(fmt.Sprintf("%d more like it: %s (--output json names them)", more, message))
		}
	}
}

func (a *app) checkInputs(ctx context.Context, s *settings, inputs []string, options jsonlint.Options) (*finding.Report, error) {
	if s.Progress && isTerminal(a.stderr) {
		bar := newProgress(a.stderr)
		defer bar.clear()
		options.Progress = bar.update
	}
	return a.check(ctx, inputs, options)
}

func (s *settings) exitCode(r *finding.Report) int {
	if len(r.Problems) > 0 {
		return exitFailure
	}
	severity, err := finding.ParseSeverity(s.FailOn)
	if err != nil || s.ExitZero { // FailOn is never
		return exitOK
	}
	if r.Summary.AtLeast(severity) > 0 {
		return exitFindings
	}
	return exitOK
}

// isGoPattern reports whether an input names Go packages: a pattern with "...",
// a directory with Go files, or an import path.
func isGoPattern(input string) bool {
	if remote.Scheme(input) != "" {
		return false
	}
	if strings.Contains(input, "...") {
		return true
	}
	if _, err := os.Stat(input); err == nil {
		files, err := filepath.Glob(filepath.Join(escapeGlob(input), "*.go"))
		return err == nil && len(files) > 0 || strings.HasSuffix(input, ".go")
	}
	host, _, _ := strings.Cut(input, "/")
	_, err := os.Stat(host)
	return importPath.MatchString(input) && err != nil
}

// importPath matches import paths in modules.
var importPath = lazyregexp.New(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9_~-]+)+$`)

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func problemText(p finding.Problem) string { return strings.ReplaceAll(p.String(), "\n", " ") }

// unknownCollections reports the collections that the configuration or a flag
// names but the inputs lack.
func (s *settings) unknownCollections(known []string) []string {
	named := map[string]bool{}
	for name := range s.Collections {
		named[name] = true
	}
	for name := range s.Schemas {
		named[name] = true
	}
	for _, rule := range s.collectionRules {
		named[rule.Name] = true
	}
	for _, reference := range s.References {
		named[reference.From], named[reference.To] = true, true
	}
	var out []string
	for _, name := range sortedKeys(named) {
		if !slices.Contains(known, name) {
			text := fmt.Sprintf("info: no document is in the collection %q", name)
			if hint := suggest.DidYouMean(name, known); hint != "" {
				text += ": " + hint
			}
			out = append(out, text)
		}
	}
	return out
}

// unusedIgnore describes an ignore entry that matched nothing.
func (s *settings) unusedIgnore(i int, collections []string) string {
	ignore := s.Ignore[i]
	text := fmt.Sprintf("%s:%d: info: this ignore matches no finding: rule %s", filepath.ToSlash(s.Beside(filepath.Base(s.Path))), ignore.Line, ignore.Rule)
	if ignore.Collection != "" {
		text += ", collection " + ignore.Collection
		if !slices.Contains(collections, ignore.Collection) {
			if hint := suggest.DidYouMean(ignore.Collection, collections); hint != "" {
				text += " (" + hint + ")"
			}
		}
	}
	if ignore.Path != "" {
		text += ", path " + ignore.Path
	}
	return text
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
