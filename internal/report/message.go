package report

import "github.com/shapevet/shapevet/internal/finding"

// oneLine is the message of a finding for formats that show one place only: it
// says where documents show what stands in code, or code stores what stands in
// documents.
func oneLine(f finding.Finding) string {
	for _, r := range f.Related {
		if at := position(r.Location); r.Side != "" && at != "" {
			return f.Message + "; in " + r.Side + " at " + at
		}
	}
	return f.Message
}
