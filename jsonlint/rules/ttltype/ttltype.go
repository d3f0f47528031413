// Package ttltype reports documents that a TTL index never deletes.
package ttltype

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/catalog"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule reports values under a TTL index that are not dates. MongoDB deletes by
// dates, and by lists of dates, and keeps every other document forever. Without
// a dump's indexes, it is unknown what a collection expires by.
var Rule = check.Rule{Name: "ttl-type", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		c.Profile.Root.Walk(func(n *profile.Node) bool {
			if n.Step.Kind != profile.Field || n.Inside() {
				return true
			}
			if index, ok := p.Catalog[c.Name].Index(n.Path().String(), catalog.Expires); ok {
				report(p, c, n, index)
			}
			return true
		})
	}
}}

func report(p *check.Pass, c *model.Collection, n *profile.Node, index catalog.Index) {
	for _, t := range n.TypeClasses() {
		if t.Class == profile.Date {
			continue
		}
		path := n.Path()
		p.Report(places.Whole(c), path, check.Raw{
			At: t.At,
			Finding: finding.Finding{
				Severity: finding.Error, Confidence: 0.95,
				Message: fmt.Sprintf("%[1]s.%[2]s is %[3]s in %[4]s, but the TTL index %[5]s needs a date: these documents never expire",
					c.Name, path, wording.Article(t.Class.TypeName()), wording.Count(t.Count, "document"), index.Name),
				Advice: fmt.Sprintf("Store %s as a date, and convert what is stored: "+
					"db.%s.updateMany({%[1]s: {$type: %q}}, [{$set: {%[1]s: {$toDate: \"$%[1]s\"}}}]).", path, c.Name, t.Class.TypeName()),
				Evidence: []finding.Evidence{
					{Name: "documents", Value: t.Count}, {Name: "type", Value: t.Class.TypeName()}, {Name: "index", Value: index.Name},
				},
				Fingerprint: "ttl-type:" + c.Name + ":" + path.String() + ":" + t.Class.TypeName(),
			},
		})
	}
}
