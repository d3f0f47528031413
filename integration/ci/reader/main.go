// Reader replaces reviewdog in the test of its example. It reads the report with
// reviewdog's own parser and prints the comments. The whole program would need a
// pull request to comment on.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/reviewdog/reviewdog/parser"
	"github.com/reviewdog/reviewdog/proto/rdf"
)

func main() {
	failed, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "reader:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// run reads the format that -f names and reports whether a finding is at least as
// serious as -fail-level.
func run(arguments []string) (failed bool, err error) {
	format, level := "", rdf.Severity_UNKNOWN_SEVERITY
	for _, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		switch name {
		case "-f":
			format = value
		case "-fail-level":
			level = rdf.Severity(rdf.Severity_value[strings.ToUpper(value)])
		case "-name", "-reporter", "-filter-mode":
		default:
			return false, fmt.Errorf("reviewdog has no flag %s", argument)
		}
	}
	p, err := parser.New(&parser.Option{FormatName: format})
	if err != nil {
		return false, err
	}
	diagnostics, err := p.Parse(os.Stdin)
	if err != nil {
		return false, err
	}
	for _, d := range diagnostics {
		start := d.GetLocation().GetRange().GetStart()
		fmt.Printf("%s:%d:%d: %s: %s [%s] %d suggestions\n", d.GetLocation().GetPath(), start.GetLine(), start.GetColumn(),
			d.GetSeverity(), strings.ReplaceAll(d.GetMessage(), "\n", " "), d.GetCode().GetValue(), len(d.GetSuggestions()))
		// A more serious severity has a lower number.
		failed = failed || level != rdf.Severity_UNKNOWN_SEVERITY && d.GetSeverity() <= level
	}
	return failed, nil
}
