package duplicateid

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// watchCopies looks for documents that were stored again under another id. They
// agree in every field, so it is enough to watch the one that distinguishes most of
// the others. id is nil if the documents have none.
func watchCopies(p *check.Pass, c *model.Collection, id *profile.Node) {
	var name *profile.Node
	for _, n := range c.Profile.Root.Object.Fields() {
		if n != id && distinguishes(n) && (name == nil || n.Scalars.Values.Distinct() > name.Scalars.Values.Distinct()) {
			name = n
		}
	}
	if name == nil {
		return
	}
	probe := identity.NewSameIDProbe(c, name, nil)
	if probe == nil {
		return
	}
	if id != nil {
		probe.Watch = id.Path()
	}
	check.Watch(p, places.Whole(c), probe)
	p.After(func() {
		if copies := copiesOf(c, name, probe); copies != nil {
			reportCopies(p, c, name, copies, probe)
		}
	})
}

// handful is the number of different values that show that a name distinguishes
// documents.
const handful = 5

// distinguishes reports whether most documents have a text of their own in a field.
// A date or a number may differ by accident.
func distinguishes(n *profile.Node) bool {
	if n.Scalars == nil || n.Present() != n.Types[profile.String] || !n.Scalars.Values.Exact() {
		return false
	}
	for form := range profile.NumForms {
		if count, _ := n.Scalars.FormCount(form); count > 0 && (form.IsDate() || form == profile.FormInteger || form == profile.FormDecimal) {
			return false
		}
	}
	distinct := n.Scalars.Values.Distinct()
	alone := distinct - n.Scalars.Values.Repeated()
	return alone >= handful && float64(n.Present())-distinct < alone
}

// copiesOf returns the documents with a name that are the same as the first with it,
// if other documents hardly share a name, and if it is unlikely that different things
// with one name agree in all else.
func copiesOf(c *model.Collection, name *profile.Node, b *identity.SameIDProbe) []identity.SameIDPair {
	var pairs []identity.SameIDPair
	namesakes := int64(0)
	for _, s := range b.Sorted() {
		pair := identity.SameIDPair{N: s.N, A: &s.First[0], B: &s.First[1]}
		switch {
		case pair.A.Watched != 0 && pair.A.Watched == pair.B.Watched: // reported by the id
		case pair.A.At.File == pair.B.At.File && b.Again(pair.A, pair.B):
			pairs = append(pairs, pair)
		default:
			namesakes += s.N - 1
		}
	}
	if len(pairs) == 0 || model.UniqueOdds(name.ScalarCount(), namesakes) < 0 {
		return nil
	}
	surprise := identity.Surprise(c.Profile.Root, name, pairs)
	if slices.ContainsFunc(pairs, func(pair identity.SameIDPair) bool { return surprise(pair) < model.Convincing }) {
		return nil
	}
	return pairs
}

func reportCopies(p *check.Pass, c *model.Collection, name *profile.Node, pairs []identity.SameIDPair, b *identity.SameIDProbe) {
	first := pairs[0]
	message := fmt.Sprintf("the same document is stored %d times: %s %s and all other values agree", first.N, name.Path(), places.Quote(p, first.B.At))
	if len(pairs) > 1 {
		message = fmt.Sprintf("%s are stored more than once: %s and all other values agree; the first has %s",
			wording.Count(int64(len(pairs)), "document"), name.Path(), places.Quote(p, first.B.At))
	}
	p.Report(places.Whole(c), name.Path(), check.Raw{
		At: first.B.At,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.6, Message: message,
			Advice: fmt.Sprintf("Keep one of them and change the references to the others. If %s must be different in each document, put a unique index on it: "+
				"a form sent twice or an import run again stores such copies.", name.Path()),
			Evidence: []finding.Evidence{{Name: "documents", Value: name.Count}, {Name: "documents.repeated", Value: b.Estimate(len(pairs))}},
		},
		Related: sameIDPlaces(p, pairs),
	})
}
