// Package referencetypemismatch reports references that hold the right ids in
// the wrong type: 1 where the document's id is "1". No query finds these.
package referencetypemismatch

import (
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is reference-type-mismatch on documents.
var Rule = check.Rule{Name: "reference-type-mismatch", Run: func(p *check.Pass) {
	reportForeign(p)
	reportSpread(p)
	reportNamesakes(p)
	for _, r := range relations.Relations(p) {
		if confidence := mismatch(p, r); confidence > 0 {
			m := &typeMismatch{Relation: r, confidence: confidence}
			for _, k := range r.Kinds {
				m.typed = append(m.typed, check.Watch(p, k.From, &typed{at: profile.NewTrail(k.Path), keys: relations.KeysOf(p, r)}))
			}
			counts := relations.WatchOwn(p, r)
			p.After(func() {
				// Of a document's own id in another type, a number may have been rounded, to
				// the id of another document.
				if own, others := counts(); own == 0 || others > own {
					reportMismatch(p, m)
				}
			})
		}
	}
}}

type typeMismatch struct {
	*relations.Relation
	confidence float64
	typed      []*typed // of each kind of document
}

// mismatch returns how sure it is that a reference has the wrong type, 0 if
// it is not.
func mismatch(p *check.Pass, r *relations.Relation) float64 {
	tested, found, same := r.Counts()
	_, distinct := r.Distinct()
	resolved := float64(found) / float64(max(1, tested))
	switch {
	case r.Tail || float64(same) >= p.Threshold("same-type-share")*float64(found):
		return 0
	case r.Owned() && r.Many():
		return 0 // elements numbered within their array
	case model.SearchHit(r.Key.Node):
		return 0 // that of a search engine is a text, whatever the document's own id is
	case r.Odds.Sum() < likely && !r.Declared:
		return 0.4
	case resolved >= p.Threshold("resolved-share") && distinct >= 3:
		return 0.95
	case distinct == 1 && !relations.CommonForm(r.Key.Node).IsGenerated() && !r.Stem && !r.Declared:
		return 0.4 // a single value may be one by accident, unless a database generated it
	case resolved >= p.Threshold("resolved-share"), r.From.N() < plans.ExampleDocuments && r.Stem:
		return 0.9
	case r.Odds.Values >= model.Sure:
		return 0.7 // the values alone prove that they are ids of the target
	}
	return 0 // small integers that happen to be ids of something
}

// likely are log-odds of about three to one that a field refers at all.
const likely = 1.0

func reportMismatch(p *check.Pass, m *typeMismatch) {
	values := m.typed[0]
	for _, other := range m.typed[1:] {
		values.Merge(other)
	}
	want := m.Key.Node.TypeClasses()[0].Class
	have, references := values.most()
	for _, c := range m.Key.Node.TypeClasses() {
		if c.Class.TypeClass() != have.TypeClass() {
			want = c.Class // if ids have several types, one that the references do not have
			break
		}
	}
	var pairs []string
	for _, v := range m.Node.Scalars.Values.Values() {
		if held, _ := relations.Holds(m.Samples(), v.Hash); held && v.HasText && len(pairs) < 3 {
			pairs = append(pairs, wording.QuoteAs(v.Text, have)+" and "+wording.QuoteAs(v.Text, want))
		}
	}
	stored := typeSingular(want)
	if m.Many() {
		stored = typePlural(want)
	}
	tested, found := m.Distinct()
	says := fmt.Sprintf("%s holds ids of %s as %s, but %s is %s", m.Path, m.To.Collection.Name, typePlural(have), m.KeyName(), typeSingular(want))
	store := fmt.Sprintf("Store %s as %s, the type of %s", m.Path, stored, m.KeyName())
	if m.elsewhere() {
		says = fmt.Sprintf("%s and %s hold the same ids in two types, %s here and %s there", m.Path, m.KeyName(), typePlural(have), typePlural(want))
		store = fmt.Sprintf("Store both %s and %s in the type of the ids they refer to", m.Path, m.KeyName())
	}
	raw := check.Raw{
		At: references.found.First(),
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: m.confidence,
			Message: fmt.Sprintf("%s (%s): %s nothing", says, strings.Join(pairs, ", "), matching(references.found.N)),
			Advice: fmt.Sprintf("%s: databases compare types before values, so no look-up or join finds %s. Rewrite the stored values, and correct the code that writes them.",
				store, strings.Replace(first(pairs), " and ", " by ", 1)),
			Evidence: []finding.Evidence{
				{Name: "references", Value: references.found.N},
				{Name: "type", Value: have.TypeName()},
				{Name: "target.type", Value: want.TypeName()},
				{Name: "values.distinct", Value: int64(tested)},
				{Name: "values.found", Value: int64(found)},
				{Name: "pairs", Value: pairs},
				m.LogOdds(),
			},
		},
		Related: []check.RawRelated{{Message: fmt.Sprintf("%s, %s", m.KeyName(), typeSingular(want)), At: m.Key.Node.First(want)}},
		Cause:   typeSingular(have) + " for " + typeSingular(want), // one program writes all references so
	}
	if want.TypeClass() == profile.Int {
		raw.Related[0].At = m.Key.Node.TypeClasses()[0].At
	}
	if !m.elsewhere() {
		raw.Fixes = retypeFix(p, m, references.smallest.At, raw.Related[0].At)
	}
	p.Report(m.From, m.Path, raw)
}

// elsewhere reports whether the key is a reference itself, such as the userId of
// testimonials where there are no users. Which of the two types is right is not
// known.
func (m *typeMismatch) elsewhere() bool {
	_, _, refers := lexicon.ReferenceStem(m.Key.Node.Step.Name)
	return refers && !m.Key.ID && m.Node.Step.Name == m.Key.Node.Step.Name
}

func matching(references int64) string {
	if references == 1 {
		return "1 reference matches"
	}
	return wording.Count(references, "reference") + " match"
}

func first(texts []string) string {
	if len(texts) == 0 {
		return "the documents referred to"
	}
	return texts[0]
}

// retypeFix rewrites the references of a small document.
func retypeFix(p *check.Pass, m *typeMismatch, from, target profile.Pos) []finding.Fix {
	keys := relations.KeysOf(p, m.Relation)
	like, err := places.Read(p, target)
	if err != nil {
		return nil
	}
	ids := like.Select(m.Key.Path)
	if len(ids) == 0 {
		return nil // the documents are stored under their ids
	}
	return plans.Changed(p, m.From.Collection.Name, fmt.Sprintf("%s with the type of %s", m.Path, m.KeyName()), from, func(document *reshape.Value) bool {
		return document.Replace(m.Path, func(v *reshape.Value) *reshape.Value {
			if v.Kind() == scan.Null || !leads(keys, profile.HashText([]byte(v.Text()))) {
				return nil
			}
			converted, _ := plans.Retype(v, ids[0])
			return converted
		})
	})
}

func typeSingular(c profile.Class) string {
	switch c.TypeClass() {
	case profile.Int:
		return "a number"
	case profile.ObjectID:
		return "an ObjectId"
	case profile.Binary:
		return "binary"
	}
	return "a " + c.TypeName()
}

func typePlural(c profile.Class) string {
	switch c.TypeClass() {
	case profile.ObjectID:
		return "ObjectIds"
	case profile.Binary:
		return "binary values"
	}
	return c.TypeName() + "s"
}
