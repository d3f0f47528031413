package model

import (
	"slices"
	"sync"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// groupKeys answer which values are keys of a [targetGroup]. A collection with
// many kinds has many groups: one for all and one per kind. The answers for the
// whole collection contain most of the answers for its kinds.
type groupKeys struct {
	register func() *profile.Register // of all samples of the group, made on first use
	asked    [2]asked                 // the latest two questions: a field's values, and their last segments

	all   *targetGroup // for a kind, the group of all kinds; otherwise nil
	index int          // of the kind's key among all keys
}

// asked holds how many of some values are keys of each target of a group.
type asked struct {
	values *profile.Sample
	each   []int
}

// among says that the keys are those of one target in a larger group.
func (k *groupKeys) among(all *targetGroup, key *Key) {
	if len(all.targets) > 1 {
		k.all = all
		k.index = slices.IndexFunc(all.targets, func(t Target) bool { return t.Key == key })
	}
}

// registered makes the group's register available on first use.
func (g *targetGroup) registered() {
	g.keys.register = sync.OnceValue(func() *profile.Register { return profile.NewRegister(g.samples...) })
}

// has reports whether a value is a key of the group, and whether that is known.
func (g *targetGroup) has(hash uint64) (held, known bool) {
	if len(g.samples) == 1 {
		count, _, known := g.samples[0].Lookup(hash)
		return count > 0, known
	}
	return g.keys.register().Lookup(hash)
}

// each returns how many of the values are keys of each target.
func (g *targetGroup) each(values *profile.Sample) []int {
	for _, a := range g.keys.asked {
		if a.values == values {
			return a.each
		}
	}
	_, _, _, each := g.inclusion(values)
	return each
}

// inclusion joins values with the keys of the group, like
// [profile.Sample.Inclusion]. each is how many of them are keys of each target.
func (g *targetGroup) inclusion(values *profile.Sample) (tested, found, sameType int, each []int) {
	k := &g.keys
	switch {
	case len(g.samples) > 1:
		tested, found, sameType, each = g.keys.register().Inclusion(values)
		k.asked[0], k.asked[1] = asked{values, each}, k.asked[0]
	case k.all != nil && k.all.each(values)[k.index] == 0:
		tested, each = g.samples[0].Tells(values), []int{0}
	default:
		tested, found, sameType = values.Inclusion(g.samples[0])
		each = []int{found}
	}
	return tested, found, sameType, each
}
