package predict

import (
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// RuleOut finds the candidates that, according to the profile alone, cannot
// distinguish the kinds of the objects at n: too few objects have them, or
// their values are too frequent for a rare kind, or too rare. counts are the
// numbers of objects of each kind.
func (s *Site) RuleOut(n *profile.Node, counts []int64) {
	s.ruledOut = make([]bool, len(s.Inside)+len(s.Around))
	if NameRepeats(n) {
		return // if a name repeats, the documents show only its last value
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

// cannotPredict reports whether [ValueTable.Predicts] would certainly reject a
// candidate at a path below its holder, each of which has at most one of the
// objects. A value stands for the kind with which it occurs most, so it occurs
// with that kind in at least its share of the objects; and the values that
// stand for a kind must be in nearly all of its objects.
func cannotPredict(candidate, holder *profile.Node, path profile.Path, counts []int64) bool {
	if NameRepeats(candidate) || !candidate.Scalars.Values.Exact() {
		return false
	}
	others := holder.Types[profile.Object] // holders without any of the objects
	for _, n := range counts {
		others -= n
	}
	single := true // one value per holder
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

// NameRepeats reports whether the name of the node, or one on the path to it,
// occurs twice in an object.
func NameRepeats(n *profile.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Duplicated > 0 {
			return true
		}
	}
	return false
}
