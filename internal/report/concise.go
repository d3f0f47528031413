package report

import (
	"cmp"
	"fmt"
	"io"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// writeConcise prints a line per finding in the format that editors and grep
// understand.
func writeConcise(w io.Writer, r *finding.Report, o Options) error {
	for _, f := range arrange(r.Findings, cmp.Or(o.Sort, ByPlace)) {
		at := position(f.Location)
		if at == "" {
			at = "-"
		}
		if _, err := fmt.Fprintf(w, "%s: %s: %s [%s]\n", at, f.Severity, term.Clean(oneLine(f)), f.Rule); err != nil {
			return err
		}
	}
	if o.Statistics {
		return Statistics(w, r, o)
	}
	return nil
}
