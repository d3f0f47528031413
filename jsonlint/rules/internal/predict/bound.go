package predict

import (
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// RuleOut finds the candidates of which the profile alone shows that they do
// not tell the kinds of the objects at n apart: too few objects have them, or
// their values are too frequent for a rare kind, or too rare. counts are how
// many objects there are of each kind.
func (s *Site) RuleOut(n *profile.Node, counts []int64) {
	s.ruledOut = make([]bool, len(s.Inside)+len(s.Around))
	if NameRepeats(n) {
		return // of the values under one name the documents show the last
	}
	for t, path := range s.Inside {
		s.ruledOut[t] = cannotPredict(n.At(path), n, path, counts)
	}
	for t, a := range s.Around {
		holder := n
		for holder.Depth > a.Level {
			if holder.Step.Kind != profile.Field {
				holder = nil // it holds several objects, and its value counts for each
				break
			}
			holder = holder.Parent
		}
		if holder != nil && a.Path != nil {
			s.ruledOut[len(s.Inside)+t] = cannotPredict(holder.At(a.Path), holder, a.Path, counts)
		}
	}
}

// AllRuledOut reports whether no candidate is left.
func (s *Site) AllRuledOut() bool {
	for _, out := range s.ruledOut {
		if !out {
			return false
		}
	}
	return true
}

// cannotPredict reports whether [ValueTable.Predicts] would say no of a
// candidate that stands at a path below its holder, each of which has at most
// one of the objects. A value stands for the kind that it occurs with most, so that
// it occurs with that kind in its share of the objects at least; and the values
// that stand for a kind must be found in nearly all of its objects.
func cannotPredict(candidate, holder *profile.Node, path profile.Path, counts []int64) bool {
	if NameRepeats(candidate) || !candidate.Scalars.Values.Exact() {
		return false
	}
	others := holder.Types[profile.Object] // holders that have none of the objects
	for _, n := range counts {
		others -= n
	}
	single := true // a value for each holder
	for _, step := range path {
		single = single && step.Kind == profile.Field
	}
	for _, n := range counts {
		reach := int64(0)
		for _, v := range candidate.Scalars.Values.Values() {
			if !single || v.Count-others <= n*int64(len(counts)) {
				reach += min(v.Count, n)
			}
		}
		if float64(reach) < Recall*float64(n) {
			return true
		}
	}
	return false
}

// NameRepeats reports whether the name of the node, or one on the way to it,
// occurs twice in an object.
func NameRepeats(n *profile.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Duplicated > 0 {
			return true
		}
	}
	return false
}
