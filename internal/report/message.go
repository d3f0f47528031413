package report

import "github.com/shapevet/shapevet/internal/finding"

// oneLine returns the message of a finding for formats that show only one
// place. It adds where documents show a problem found in code, or where code
// stores one found in documents.
func oneLine(f finding.Finding) string {
	for _, r := range f.Related {
		if at := position(r.Location); r.Side != "" && at != "" {
			return f.Message + "; in " + r.Side + " at " + at
		}
	}
	return f.Message
}
