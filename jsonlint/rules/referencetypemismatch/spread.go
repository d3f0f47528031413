package referencetypemismatch

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// reportSpread reports texts that are the ObjectIds of documents of several
// collections. They lead to no single collection, so the model knows no reference
// here, but two ObjectIds are never equal by accident.
func reportSpread(p *check.Pass) {
	var targets []*model.Entity
	for _, e := range p.DB.Entities() {
		if id := e.ID(); id != nil && id.Node.Types[profile.ObjectID] == id.Node.Present() {
			targets = append(targets, e)
		}
	}
	if len(targets) < 2 {
		return
	}
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if names := spread(p, n, targets); len(names) > 1 {
				reportTexts(p, e, n, names)
			}
			return true
		})
	}
}

// spreadValues is the number of different values from which a field is no copy of a
// few ids.
const spreadValues = 3

// spread returns the collections to which the texts at a node lead, if each text is
// the id of a document in exactly one.
func spread(p *check.Pass, n *profile.Node, targets []*model.Entity) (names []string) {
	if n.Scalars == nil || n.Types[profile.ObjectID] > 0 || n.Scalars.Values.Distinct() < spreadValues || p.DB.ReferenceAt(n) != nil {
		return nil
	}
	for hash := range n.Scalars.Values.Hashes() {
		to := ""
		for _, e := range targets {
			count, _, _ := e.ID().Node.Scalars.Values.Lookup(hash)
			switch name := e.Collection.Name; {
			case count == 0:
			case to != "" && to != name:
				return nil
			default:
				to = name
			}
		}
		if to == "" {
			return nil // so most fields are done after their first value
		}
		if !slices.Contains(names, to) {
			names = append(names, to)
		}
	}
	slices.Sort(names)
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
