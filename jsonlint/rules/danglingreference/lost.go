package danglingreference

import (
	"fmt"
	"math"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// reportLost reports fields that refer by their name and by the form of their
// values, and of which no value leads anywhere. That says nothing by itself: the
// target may be a sample. But other fields lead to it, and their share tells how
// likely it is that all of so many values were left out.
func reportLost(p *check.Pass) {
	shares := resolved(p)
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Scalars == nil || !unique(n) {
				return true
			}
			to := relations.NamedBy(p, e, n, func(id *model.Key) bool { return unique(id.Node) })
			if to == nil {
				return true
			}
			distinct := n.Scalars.Values.Distinct()
			share, known := shares[to.Collection]
			if !known || math.Pow(1-share, distinct) >= leftOut {
				return true
			}
			p.Report(e, n.Path(), check.Raw{At: n.FirstAny(), Finding: finding.Finding{
				Severity: finding.Info, Confidence: 0.6,
				Message: fmt.Sprintf("none of %s in %s leads to a document of %s, though other fields lead to them: here %s",
					wording.Count(n.Present(), "value"), n.Path(), to.Collection.Name, places.Quote(p, n.FirstAny())),
				Advice: fmt.Sprintf("If %s refers to %s, correct or remove these references, or restore the documents. If it refers to something else, give it a name that says so.",
					n.Path(), to.Collection.Name),
				Evidence: []finding.Evidence{
					{Name: "references", Value: n.Present()}, {Name: "dangling.distinct", Value: int64(distinct)},
					{Name: "resolved.elsewhere", Value: quantity.Percent(share)},
				},
			}})
			return true
		})
	}
}

// leftOut is how likely it may be that a sample lacks all that a field refers to.
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
		shares[c] = float64(found[c]) / float64(n+1) // the next may be the first that is not there
	}
	return shares
}

// unique reports whether the values have a form that no two documents share by
// accident.
func unique(n *profile.Node) bool { return relations.IDForm(n).IsGenerated() }
