package missingdiscriminator

import (
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
)

// site collects candidates that the profile cannot judge: scalars deeper down
// or in arrays, scalars around an array, id prefixes.
func (m *mixture) site(p *check.Pass) *predict.Site {
	kindOf := map[uint64]int{}
	for i, k := range m.kinds {
		for _, shape := range k.Shapes {
			kindOf[shape.Hash()] = i
		}
	}
	s := &predict.Site{Path: m.path, Kinds: len(m.kinds), Classify: func(d *profile.Document, i int) (int, bool) {
		if d.Class(i) != profile.Object {
			return 0, false
		}
		kind, ok := kindOf[d.Shape(i)]
		return kind, ok
	}}
	least := p.Threshold("presence") * float64(predict.ObjectsIn(m.kinds))
	for _, f := range m.node.Object.Fields() {
		f.Walk(func(n *profile.Node) bool {
			if float64(n.Count) < least || n.Depth-m.node.Depth > predict.DeepestInner {
				return false
			}
			if predict.FewValues(n) {
				s.Inside = append(s.Inside, n.Path()[m.node.Depth:])
			}
			return true
		})
	}
	s.Around = predict.CandidatesAround(m.node)
	s.RuleOut(m.node, counts(m.kinds))
	if len(m.path) == 0 {
		for _, f := range m.node.Object.Fields() {
			if f.Scalars != nil && float64(f.Types[profile.String]) >= least &&
				(lexicon.IdentityName(f.Step.Name) || p.Lexicon.Has(lexicon.Metadata, f.Step.Name)) {
				s.Ids = append(s.Ids, f.Step.Name)
			}
			if f.Scalars != nil && f.Scalars.Tails().Distinct() > 0 && float64(f.Types[profile.String]) >= least {
				s.Urls = append(s.Urls, f.Step.Name)
			}
		}
	}
	return s
}
