package report

import (
	"fmt"
	"io"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// writeConcise prints a line per finding, in the form that editors and grep
// understand.
func writeConcise(w io.Writer, r *finding.Report, _ Options) error {
	for _, f := range r.Findings {
		at := position(f.Location)
		if at == "" {
			at = "-"
		}
		if _, err := fmt.Fprintf(w, "%s: %s: %s [%s]\n", at, f.Severity, term.Clean(oneLine(f)), f.Rule); err != nil {
			return err
		}
	}
	return nil
}
