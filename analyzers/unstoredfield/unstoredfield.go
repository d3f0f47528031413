// Package unstoredfield reports fields with a database tag that the codec
// cannot see.
package unstoredfield

import (
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/internal/finding"
)

// Rule reports unexported fields with a tag of the codec that stores the type.
// It leaves tags for encoding/json to go vet, which reports them everywhere.
var Rule = check.Rule{Name: "unstored-field", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Unexported() {
		d := f.Document
		if f.Tag.Key == "json" || d.Codec.Marshals(d.Named) || f.Owner != nil && d.Codec.Marshals(f.Owner) {
			continue // go vet reports it, or the type encodes the field itself
		}
		if strings.Trim(f.Name, "_-") == "" {
			continue // the name says that the field is omitted
		}
		p.Report(check.Finding{
			Field: f, Confidence: 0.95,
			Message:  fmt.Sprintf("%s is unexported: it is never stored as %s and never read", f.GoName(), f.Name),
			Advice:   fmt.Sprintf("Export the field if it belongs to the document. If not, drop the tag or write `%s:\"-\"`.", f.Tag.Key),
			Evidence: []finding.Evidence{{Name: "tag", Value: f.RawTag}, {Name: "type", Value: f.Type.String()}},
			Fix:      check.Plan("export %s", f.GoName()),
		})
	}
}
