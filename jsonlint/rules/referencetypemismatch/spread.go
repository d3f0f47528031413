package referencetypemismatch

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// reportSpread reports texts that are the ObjectIds of documents of several
// collections, and of nothing else. No field says more clearly to which it refers,
// so it is a reference to neither, but no two ObjectIds are equal by accident.
func reportSpread(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if names := spread(p, n); names != nil {
				reportTexts(p, e, n, names)
			}
			return true
		})
	}
}

// spreadValues is the number of different values from which a field is no copy of a
// few ids.
const spreadValues = 3

// spread returns the collections to which the texts at a node lead, if they are
// several and each text leads to exactly one.
func spread(p *check.Pass, n *profile.Node) (names []string) {
	if n.Scalars == nil || n.Types[profile.ObjectID] > 0 || n.Scalars.Values.Distinct() < spreadValues || p.DB.ReferenceAt(n) != nil {
		return nil
	}
	if hex, _ := n.Scalars.FormCount(profile.FormHex24); hex == 0 {
		return nil // most fields are not looked up in each collection
	}
	led := 0
	for _, c := range p.DB.Collections {
		found := 0
		for _, e := range c.Entities {
			if id := e.ID(); id != nil && id.Node.Types[profile.ObjectID] == id.Node.Present() {
				_, k, _ := n.Scalars.Values.Inclusion(&id.Node.Scalars.Values)
				found += k
			}
		}
		if found > 0 {
			names = append(names, c.Name)
			led += found
		}
	}
	if len(names) < 2 || float64(led) != n.Scalars.Values.Distinct() { // those of one collection refer to it, or the model has a reason to doubt it
		return nil
	}
	return names
}

func reportTexts(p *check.Pass, e *model.Entity, n *profile.Node, names []string) {
	path := n.Path()
	p.Report(e, path, check.Raw{At: n.FirstAny(), Finding: finding.Finding{
		Severity: finding.Warning, Confidence: 0.9,
		Message: fmt.Sprintf("%s holds ids of %s as strings, but their ids are ObjectIds: %s nothing", path, wording.JoinNames(names), matching(n.Present())),
		Advice:  fmt.Sprintf("Store %s as ObjectIds, next to a field that names the collection of each: databases compare types before values, so no look-up or join finds the documents.", path),
		Evidence: []finding.Evidence{
			{Name: "references", Value: n.Present()},
			{Name: "type", Value: profile.String.TypeName()},
			{Name: "target.type", Value: profile.ObjectID.TypeName()},
			{Name: "values.distinct", Value: int64(n.Scalars.Values.Distinct())},
		},
	}})
}
