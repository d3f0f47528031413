// Package report prints the outcome of a run, one file per format. The same
// report gives the same bytes in every format, so times and absolute paths
// have no place in them.
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

// Options of [Write].
type Options struct {
	ToolVersion string

	// Pages are what the formats with a rule catalogue say about rules.
	Pages func() []rulebook.Page

	// FailOn is the severity that fails a run; zero for none.
	FailOn finding.Severity

	// Position finds the line and the column, in bytes, of an offset in a file
	// that edits name. Formats that show edits by line need it.
	Position func(file string, offset int64) (line, column int, ok bool)

	// For the text format.
	Color         bool
	Width         int     // cells of a line; 0 means 80
	Statistics    bool    // count findings by rule; the concise format does so too
	MinConfidence float64 // below which findings are hidden
	ShowFixes     bool    // whole documents, not what differs

	// For the formats that people read. Sort is one of [Orders], by severity if
	// empty; GroupBy one of [Groupings] or empty.
	Sort, GroupBy string
	MaxPerRule    int // 0: all
}

// ErrFormat is the error of [Write] for a format it does not have.
var ErrFormat = errors.New("unknown output format")

type writer func(io.Writer, *finding.Report, Options) error

// formats are the formats in the order in which help lists them.
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

// Formats lists the names [Write] knows.
func Formats() []string {
	names := make([]string, len(formats))
	for i, format := range formats {
		names[i] = format.name
	}
	return names
}

// Known returns an error that wraps [ErrFormat] and suggests a name if there
// is no such format.
func Known(format string) error {
	if slices.Contains(Formats(), format) {
		return nil
	}
	hint := cmp.Or(suggest.DidYouMean(format, Formats()), "use one of "+strings.Join(Formats(), ", "))
	return fmt.Errorf("%w %q: %s", ErrFormat, format, hint)
}

// Write prints a report whose findings are sorted.
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

// pageURL is where the page of a rule can be read.
func pageURL(rule string) string { return homePage + "/blob/main/rulebook/" + rule + "/README.md" }

// joinLines puts what to do about it on a line of its own.
func joinLines(message, advice string) string {
	if advice == "" {
		return message
	}
	return message + "\n" + advice
}
