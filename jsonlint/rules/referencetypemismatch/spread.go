package referencetypemismatch

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
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

// A namesake is a field with a name of its own for the thing that it refers to, such as
// customerId, and values of one type.
type namesake struct {
	entity *model.Entity
	node   *profile.Node
	class  profile.Class
}

// reportNamesakes reports references that hold the ids that fields of the same name in two
// other collections or more hold in another type. The documents with these ids may be any of
// theirs, so the model knows no reference.
func reportNamesakes(p *check.Pass) {
	byName := map[string][]namesake{}
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			stem, _, refers := lexicon.ReferenceStem(n.Step.Name)
			if classes := n.TypeClasses(); refers && stem != "" && n.Step.Kind == profile.Field && len(classes) == 1 && n.Scalars != nil && n.Scalars.Values.Distinct() >= spreadValues {
				name := lexicon.Fold(n.Step.Name)
				byName[name] = append(byName[name], namesake{e, n, classes[0].Class.TypeClass()})
			}
			return true
		})
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if first := byName[name][0]; !slices.ContainsFunc(byName[name], func(n namesake) bool { return n.class != first.class }) {
			continue
		}
		for _, n := range byName[name] {
			if p.DB.ReferenceAt(n.node) == nil {
				n.report(p, byName[name])
			}
		}
	}
}

// holds reports whether a field has nearly all values of another.
func (n namesake) holds(o namesake) bool {
	held, known := 0, 0
	for hash := range o.node.Scalars.Values.Hashes() {
		known++
		if count, _, _ := n.node.Scalars.Values.Lookup(hash); count > 0 {
			held++
		}
	}
	return float64(held) >= namesakeShare*float64(known)
}

const namesakeShare = 0.95

func (n namesake) report(p *check.Pass, all []namesake) {
	var others []namesake
	for _, o := range all {
		switch {
		case o.entity.Collection == n.entity.Collection, !o.holds(n):
		case o.class == n.class:
			return
		case len(others) == 0 || others[0].class == o.class:
			others = append(others, o)
		}
	}
	if len(others) < 2 {
		return
	}
	first, path := others[0], n.node.Path()
	p.Report(n.entity, path, check.Raw{At: n.node.FirstAny(), Finding: finding.Finding{
		Severity: finding.Error, Confidence: 0.9,
		Message: fmt.Sprintf("%s and %s.%s hold the same ids in two types, %s here and %s there, and in %s; %s nothing", path, first.entity.Collection.Name, first.node.Path(),
			typePlural(n.class), typePlural(first.class), wording.Count(int64(len(others)-1), "more collection"), matching(n.node.Present())),
		Advice: fmt.Sprintf("Store %s in the type that it has in the other collections: databases compare types before values, so no look-up or join finds their documents.", path),
		Evidence: []finding.Evidence{
			{Name: "references", Value: n.node.Present()},
			{Name: "type", Value: n.class.TypeName()},
			{Name: "target.type", Value: first.class.TypeName()},
			{Name: "namesakes", Value: len(others)},
		},
	}, Related: []check.RawRelated{{Message: fmt.Sprintf("%s.%s, %s", first.entity.Collection.Name, first.node.Path(), typeSingular(first.class)), At: first.node.FirstAny()}}})
}
