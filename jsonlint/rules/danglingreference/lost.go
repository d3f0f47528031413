package danglingreference

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// reportLost reports fields that are references by their name and the form of
// their values, but none of whose values resolves. That alone proves nothing,
// because the target may be a sample. But other fields refer to it, and the share
// of theirs that resolves shows how likely a sample is to leave out all of these
// values. If no other field refers to it, every share is equally likely, and many
// values are evidence by themselves. The fields are judged together, because a
// sample leaves out a document for all of them.
func reportLost(p *check.Pass) {
	shares := resolved(p)
	found := map[*model.Collection][]lost{}
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Scalars == nil || !unique(n) {
				return true
			}
			to := relations.NamedBy(p, e, n, func(id *model.Key) bool { return relations.IDForm(id.Node) == relations.IDForm(n) })
			if to == nil {
				return true
			}
			found[to.Collection] = append(found[to.Collection], lost{e, n, n.Path()})
			return true
		})
	}
	for _, c := range p.DB.Collections {
		fields := found[c]
		if fields == nil {
			continue
		}
		share, known := shares[c]
		chance := 1 / (1 + distinct(fields))
		if known {
			chance = math.Pow(1-share, distinct(fields))
		}
		if chance < leftOut {
			reportLostTo(p, c, fields, share, known)
		}
	}
}

// A lost field is a reference none of whose values resolves.
type lost struct {
	from *model.Entity
	node *profile.Node
	path profile.Path
}

// distinct returns how many different values fields hold together.
func distinct(fields []lost) float64 {
	most, all := 0.0, map[uint64]bool{}
	for _, l := range fields {
		most = max(most, l.node.Scalars.Values.Distinct()) // more than the sample kept
		for _, v := range l.node.Scalars.Values.Values() {
			all[v.Hash] = true
		}
	}
	return max(most, float64(len(all)))
}

func (l lost) String() string { return l.from.Collection.Name + "." + l.path.String() }

// reportLostTo reports the fields that should refer to documents of one collection.
// They have one cause: these documents got new ids, or were replaced.
func reportLostTo(p *check.Pass, to *model.Collection, fields []lost, share float64, known bool) {
	slices.SortStableFunc(fields, func(a, b lost) int { return cmp.Compare(b.node.Present(), a.node.Present()) })
	first, at := fields[0], fields[0].node.FirstAny()
	raw := check.Raw{At: at, Finding: finding.Finding{
		Severity: finding.Info, Confidence: 0.6,
		Message: fmt.Sprintf("none of %s in %s leads to a document of %s", wording.Count(first.node.Present(), "value"), first.path, to.Name),
		Advice: fmt.Sprintf("If %s refers to %s, correct or remove these references, or restore the documents. If it refers to something else, give it a name that says so.",
			first.path, to.Name),
		Evidence: []finding.Evidence{
			{Name: "references", Value: first.node.Present()}, {Name: "dangling.distinct", Value: int64(first.node.Scalars.Values.Distinct())},
		},
	}}
	if known {
		raw.Message += ", though other fields lead to them"
		raw.Evidence = append(raw.Evidence, finding.Evidence{Name: "resolved.elsewhere", Value: quantity.Percent(share)})
	} else {
		raw.Advice += fmt.Sprintf(" If %s was exported in part, the documents may be there.", to.Name)
	}
	if others := fields[1:]; len(others) > 0 {
		var names []string
		for _, l := range others {
			names = append(names, l.String())
			raw.Related = append(raw.Related, check.RawRelated{Message: "none here either, in " + l.String(), At: l.node.FirstAny()})
		}
		raw.Related = raw.Related[:min(len(raw.Related), places.RelatedPlaces)]
		raw.Message += fmt.Sprintf(", nor does any in %s", wording.JoinNames(wording.FirstFew(names)))
	}
	raw.Message += ": here " + places.Quote(p, at)
	p.Report(first.from, first.path, raw)
}

// leftOut is the probability up to which a sample may lack all documents that a
// field refers to.
const leftOut = 0.2

// resolved returns, by collection, the share of the values of all references that
// lead to a document by its id.
func resolved(p *check.Pass) map[*model.Collection]float64 {
	tested, found := map[*model.Collection]int{}, map[*model.Collection]int{}
	for _, r := range p.DB.References {
		if r.Key.ID && r.From.Collection != r.To.Collection {
			tested[r.To.Collection] += r.Tested
			found[r.To.Collection] += r.Found
		}
	}
	shares := map[*model.Collection]float64{}
	for c, n := range tested {
		shares[c] = float64(found[c]) / float64(n+1) // the next may be the first that does not exist
	}
	return shares
}

// unique reports whether the values have a form that no two documents share by
// accident.
func unique(n *profile.Node) bool { return relations.IDForm(n).IsGenerated() }
