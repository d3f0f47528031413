// Package report prints the outcome of a run, one file per format. The same
// report gives the same bytes in every format, so no format includes times or
// absolute paths.
package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/rulebook"
)

// Options configures [Write].
type Options struct {
	ToolVersion string

	// Pages returns the rule pages, for formats with a rule catalogue.
	Pages func() []rulebook.Page

	// FailOn is the severity that fails a run; zero means none does.
	FailOn finding.Severity

	// Position returns the line and the byte column of an offset in a file that
	// edits name. Formats that show edits by line need it.
	Position func(file string, offset int64) (line, column int, ok bool)

	// Options of the text format.
	Color         bool
	Width         int     // cells per line; 0 means 80
	Statistics    bool    // count findings by rule; also in the concise format
	MinConfidence float64 // findings below are hidden
	ShowFixes     bool    // show whole documents instead of differences

	// Options of the formats for people. Sort is one of [Orders], or by severity
	// if empty; GroupBy is one of [Groupings] or empty.
	Sort, GroupBy string
	MaxPerRule    int // 0 means all
}

// ErrFormat is the error of [Write] for an unknown format.
var ErrFormat = errors.New("unknown output format")

type writer func(io.Writer, *finding.Report, Options) error

// formats lists the formats in the order of the help.
var formats = [...]struct {
	name  string
	write writer
}{
	{"text", writeText},
	{"concise", writeConcise},
	{"json", writeJSON},
	{"jsonl", writeJSONLines},
	{"sarif", writeSARIF},
	{"github", writeGitHub},
	{"gitlab", writeGitLab},
	{"junit", writeJUnit},
	{"checkstyle", writeCheckstyle},
	{"rdjson", writeRDJSON},
	{"markdown", writeMarkdown},
	{"html", writeHTML},
}

// Formats lists the format names.
func Formats() []string {
	names := make([]string, len(formats))
	for i, format := range formats {
		names[i] = format.name
	}
	return names
}

// Known returns nil for a known format. Otherwise it returns an error that
// wraps [ErrFormat] and suggests a name.
func Known(format string) error {
	if slices.Contains(Formats(), format) {
		return nil
	}
	hint := cmp.Or(suggest.DidYouMean(format, Formats()), "use one of "+strings.Join(Formats(), ", "))
	return fmt.Errorf("%w %q: %s", ErrFormat, format, hint)
}

// Write prints a report, whose findings must be sorted.
func Write(w io.Writer, format string, r *finding.Report, o Options) error {
	if err := Known(format); err != nil {
		return err
	}
	if o.Pages == nil {
		o.Pages = func() []rulebook.Page { return nil }
	}
	buffered := bufio.NewWriter(w)
	err := formats[slices.Index(Formats(), format)].write(buffered, r, o)
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", format, err)
	}
	return nil
}

const homePage = "https://github.com/shapevet/shapevet"

// pageURL returns the URL of a rule's page.
func pageURL(rule string) string { return homePage + "/blob/main/rulebook/" + rule + "/README.md" }

// joinLines puts the advice on a separate line.
func joinLines(message, advice string) string {
	if advice == "" {
		return message
	}
	return message + "\n" + advice
}
