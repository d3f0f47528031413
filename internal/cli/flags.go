package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// checkFlags are the flags of check.
type checkFlags struct {
	live          bool // the program can read databases, so there are flags for them
	remote        remote.Options
	config        string
	docs          []string
	goPatterns    []string
	collection    []string
	output        []string
	db            string
	selected      []string
	ignore        []string
	failOn        string
	minConfidence float64
	strict        bool
	noIgnore      bool
	jobs          int
	maxFindings   int
	maxPerRule    int
	sort          string
	groupBy       string
	showFixes     bool
	color         string
	noProgress    bool
	statistics    bool
	exitZero      bool
	stdinFilename string
	baseline      string
	evidence      []string
	diffBase      string
	fix           bool
	unsafeFixes   bool
	diff          bool
	changed       bool
	exclude       []string
	include       []string
	noDefaults    bool
	memory        string
	tempDir       string
	shard         string
	state         string
	merge         bool
}

// Headings of the help.
const (
	inputFlags  = "What is checked"
	ruleFlags   = "Which findings count"
	reportFlags = "What is reported, and how"
	fixFlags    = "Fixes"
	runFlags    = "The run"
)

// define adds all flags of check.
func (f *checkFlags) define(set *pflag.FlagSet) {
	grouped(set, inputFlags, func(set *pflag.FlagSet) {
		f.defineInputs(set)
		set.BoolVar(&f.changed, "changed", false, "treat the inputs as changed files: check them with their database or module, and report only findings that concern them")
	})
	grouped(set, ruleFlags, func(set *pflag.FlagSet) {
		f.defineRules(set)
		set.BoolVar(&f.noIgnore, "no-ignore", false, "also report what ignore: and //shapevet:ignore suppress")
		set.StringVar(&f.baseline, "baseline", "", "leave out the findings listed in `FILE`, which \"shapevet baseline write\" writes")
		set.StringVar(&f.diffBase, "diff-base", "", "report only what is new since the git `REVISION`")
	})
	grouped(set, reportFlags, f.defineReport)
	grouped(set, fixFlags, func(set *pflag.FlagSet) {
		set.BoolVar(&f.fix, "fix", false, "apply the safe fixes, then report the remaining findings")
		set.BoolVar(&f.diff, "diff", false, "show what --fix would change, and change nothing")
		set.BoolVar(&f.unsafeFixes, "unsafe-fixes", false, "with --fix or --diff: also apply fixes that change stored data or what a program writes")
	})
	grouped(set, runFlags, func(set *pflag.FlagSet) {
		f.defineRun(set)
		f.defineShards(set)
	})
}

// defineInputs adds the flags for inputs.
func (f *checkFlags) defineInputs(set *pflag.FlagSet) {
	set.StringArrayVar(&f.docs, "docs", nil, "check the documents in `PATH`, even if it also holds Go code (repeatable)")
	set.StringArrayVar(&f.goPatterns, "go", nil, "check the Go packages that match `PATTERN` (repeatable)")
	f.defineCollections(set)
	f.defineWalk(set)
	set.StringVar(&f.db, "db", config.Default().DB, "apply the limits of `DATABASE`: "+strings.Join(limits.Names(), ", "))
	set.StringArrayVar(&f.evidence, "evidence", nil, "judge Go code by the evidence in `FILE`, which \"shapevet profile\" writes (repeatable; default: the nearest default.shapevet.json)")
}

// defineCollections adds the flags for collections.
func (f *checkFlags) defineCollections(set *pflag.FlagSet) {
	set.StringArrayVar(&f.collection, "collection", nil, "put the documents of files that match GLOB into the collection NAME: `NAME=GLOB` (repeatable)")
	set.StringVar(&f.stdinFilename, "stdin-filename", "", "treat standard input as a file called `NAME`")
	if f.live {
		defineRemote(set, &f.remote)
	}
}

// defineRemote adds the flags that limit how much of a live database is read.
func defineRemote(set *pflag.FlagSet, o *remote.Options) {
	set.IntVar(&o.Documents, "sample", remote.DefaultDocuments, "read `N` documents of each large collection of a live database, and the documents they refer to")
	set.Float64Var(&o.MaxRU, "max-ru", 0, "stop before reading Azure Cosmos DB costs more than `N` request units, 0 for no limit")
}

// defineWalk adds the flags for searching directories.
func (f *checkFlags) defineWalk(set *pflag.FlagSet) {
	set.StringArrayVar(&f.exclude, "exclude", nil, "in directories, leave out files that match `GLOB` (repeatable)")
	set.StringArrayVar(&f.include, "include", nil, "in directories, read files that match `GLOB`, even if their name, .gitignore or the default excludes leave them out (repeatable)")
	set.BoolVar(&f.noDefaults, "no-default-excludes", false, "in directories, also read lock files, tool settings, schemas, translations, dependencies and build output")
}

// defineRules adds the flags that select findings.
func (f *checkFlags) defineRules(set *pflag.FlagSet) {
	set.StringSliceVar(&f.selected, "select", nil, "check only these `RULES`, separated by commas")
	set.StringSliceVar(&f.ignore, "ignore", nil, "leave out these `RULES`, separated by commas")
	set.Float64Var(&f.minConfidence, "min-confidence", config.Default().MinConfidence, "hide findings with a confidence below `NUMBER`, from 0 to 1")
	set.BoolVar(&f.strict, "strict", false, "report guesses too, as with --min-confidence 0")
}

// defineRun adds the flags that control the run.
func (f *checkFlags) defineRun(set *pflag.FlagSet) {
	set.StringVar(&f.config, "config", "", "read the configuration from `FILE` (default: the nearest "+config.FileName+", here or in a directory above)")
	set.IntVar(&f.jobs, "jobs", 0, "use `N` workers (default: one per processor)")
	set.BoolVar(&f.noProgress, "no-progress", false, "show no progress bar")
	set.StringVar(&f.memory, "memory", "", "use about `SIZE` of memory for documents before ids and similar data go to temporary files (default and minimum: "+quantity.Bytes(jsonlint.DefaultMemory)+")")
	set.StringVar(&f.tempDir, "temp-dir", "", "put temporary files, such as the text of compressed files, into `DIR` (default: the system's)")
}

// defineBaseline adds the flags of commands that write a baseline.
func (f *checkFlags) defineBaseline(set *pflag.FlagSet, usage string) {
	grouped(set, inputFlags, f.defineInputs)
	grouped(set, ruleFlags, func(set *pflag.FlagSet) {
		f.defineRules(set)
		set.StringVar(&f.baseline, "baseline", "", usage+" (default: the one in the configuration, or "+baselineFile+")")
	})
	grouped(set, runFlags, f.defineRun)
}

// defineReport adds the flags for reporting findings.
func (f *checkFlags) defineReport(set *pflag.FlagSet) {
	defaults := config.Default()
	set.StringArrayVarP(&f.output, "output", "o", defaults.Output, "write the report as `FORMAT[=FILE]`: "+strings.Join(report.Formats(), ", ")+" (repeatable)")
	set.Lookup("output").DefValue = strings.Join(defaults.Output, ", ")
	set.StringVar(&f.failOn, "fail-on", defaults.FailOn, "exit with 1 if a finding has this `SEVERITY` or a higher one: error, warning, info, never")
	set.BoolVar(&f.exitZero, "exit-zero", false, "exit with 0 even if there are findings")
	set.IntVar(&f.maxFindings, "max-findings", defaults.MaxFindings, "show at most `N` findings per rule and path, 0 for all")
	set.IntVar(&f.maxPerRule, "max-per-rule", defaults.MaxPerRule, "text: show at most `N` findings of a rule, 0 for all")
	set.StringVar(&f.sort, "sort", "", "text, concise and markdown: sort by `ORDER`: "+strings.Join(report.Orders, ", ")+" (default: severity; place for concise)")
	set.StringVar(&f.groupBy, "group-by", "", "text: group by `WHAT`: "+strings.Join(report.Groupings, ", "))
	set.BoolVar(&f.showFixes, "show-fixes", false, "text: show documents before and after a fix in full, not only the differences")
	set.BoolVar(&f.statistics, "statistics", false, "count the findings by rule at the end")
	set.StringVar(&f.color, "color", defaults.Color, "use colour: `WHEN` is auto, always or never")
}
