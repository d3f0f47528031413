package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// referenceTypeMismatch reports references that hold the right ids in the
// wrong type: 1 where the document's id is "1". No query finds these.
var referenceTypeMismatch = Rule{Name: "reference-type-mismatch", Run: func(p *Pass) {
	for _, r := range p.relations() {
		if confidence := p.mismatch(r); confidence > 0 {
			m := &typeMismatch{relation: r, confidence: confidence, from: Watch(p, r.From, &smallest{path: r.Path})}
			p.After(func() { p.reportMismatch(m) })
		}
	}
}}

type typeMismatch struct {
	*relation
	confidence float64
	from       *smallest
}

// mismatch returns how sure it is that a reference has the wrong type, 0 if
// it is not.
func (p *Pass) mismatch(r *relation) float64 {
	tested, found, same := r.counts()
	resolved := float64(found) / float64(max(1, tested))
	switch {
	case r.Tail || found == 0 || float64(same) >= p.Threshold("same-type-share")*float64(found):
		return 0
	case r.Owned() && r.Many():
		return 0 // elements numbered within their array
	case resolved >= p.Threshold("resolved-share") && found >= 3:
		return 0.95
	case resolved >= p.Threshold("resolved-share"), r.From.N() < exampleDocuments && r.Stem:
		return 0.9
	case found >= 5 && r.Node.Scalars.Ints == 0:
		return 0.7
	}
	return 0 // small integers that happen to be ids of something
}

// exampleDocuments is the number of documents below which a sample is an
// example, of which shares say nothing.
const exampleDocuments = 20

func (p *Pass) reportMismatch(m *typeMismatch) {
	have, want := m.Node.TypeClasses()[0].Class, m.Key.Node.TypeClasses()[0].Class
	var pairs []string
	for _, v := range m.Node.Scalars.Values.Values() {
		if held, _ := holds(m.samples(), v.Hash); held && v.HasText && len(pairs) < 3 {
			pairs = append(pairs, quoteAs(v.Text, have)+" and "+quoteAs(v.Text, want))
		}
	}
	stored := typeSingular(want)
	if m.Many() {
		stored = typePlural(want)
	}
	tested, found, _ := m.counts()
	raw := Raw{
		At: m.Node.First(have),
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: m.confidence,
			Message: fmt.Sprintf("%s holds ids of %s as %s, but %s is %s (%s): %s match nothing",
				m.Path, m.To.Collection.Name, typePlural(have), m.key(), typeSingular(want), strings.Join(pairs, ", "), count(m.values(), "reference")),
			Advice: fmt.Sprintf("Store %s as %s, the type of %s: databases compare types before values, so that no lookup or join finds %s. Rewrite the stored values once and correct what writes them.",
				m.Path, stored, m.key(), strings.Replace(first(pairs), " and ", " by ", 1)),
			Evidence: []finding.Evidence{
				{Name: "references", Value: m.values()},
				{Name: "type", Value: have.TypeName()},
				{Name: "target.type", Value: want.TypeName()},
				{Name: "values.distinct", Value: int64(tested)},
				{Name: "values.found", Value: int64(found)},
				{Name: "pairs", Value: pairs},
			},
		},
		Related: []RawRelated{{Message: fmt.Sprintf("%s, %s", m.key(), typeSingular(want)), At: m.Key.Node.First(want)}},
	}
	if have.TypeClass() == profile.Int {
		raw.At = m.Node.TypeClasses()[0].At
	}
	if want.TypeClass() == profile.Int {
		raw.Related[0].At = m.Key.Node.TypeClasses()[0].At
	}
	if fix, err := p.retypeFix(m, raw.Related[0].At); err == nil {
		raw.Fixes = []finding.Fix{fix}
	}
	p.Report(m.From, m.Path, raw)
}

func first(texts []string) string {
	if len(texts) == 0 {
		return "the documents referred to"
	}
	return texts[0]
}

// retypeBytes is the size up to which a document serves as an example.
const retypeBytes = 8 << 10

// retypeFix rewrites the references of a small document.
func (p *Pass) retypeFix(m *typeMismatch, target profile.Pos) (finding.Fix, error) {
	if m.from.at.DocLen > retypeBytes {
		return finding.Fix{}, fmt.Errorf("the smallest document has %d bytes", m.from.at.DocLen)
	}
	like, err := p.read(target)
	if err != nil {
		return finding.Fix{}, err
	}
	before, err := p.read(m.from.at)
	if err != nil {
		return finding.Fix{}, err
	}
	after := before.Clone()
	for _, v := range after.Select(m.Path) {
		if v.Kind() == scan.Null || v.Text() == "" {
			continue
		}
		if typed, ok := retype(v, like.Select(m.Key.Path)[0]); ok {
			*v = *typed
		}
	}
	return planFix(fmt.Sprintf("%s with the type of %s", m.Path, m.key()), m.From.Collection.Name, before, after)
}

// planFix shows one document before and after.
func planFix(title, collection string, before, after *reshape.Value) (finding.Fix, error) {
	fix := finding.Fix{Title: title, Safety: finding.Plan}
	var err error
	if fix.Before, err = json.Marshal(before); err != nil {
		return finding.Fix{}, err
	}
	text, err := json.Marshal(after)
	fix.After = []finding.DocumentInPlace{{Collection: collection, Document: text}}
	return fix, err
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
