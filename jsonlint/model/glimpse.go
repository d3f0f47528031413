package model

import (
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// glimpse is the number of values that are looked up before all are.
const glimpse = 64

// glimpses are a few values of every field that may be a reference, and which
// groups have them as keys. Most fields hold keys of one group or of none: with
// this, the work does not grow with the fields times the groups.
type glimpses struct {
	few     map[*profile.Node][]uint64
	holders map[uint64][]int // by value: indexes of the groups, in order
	shared  *glimpses        // what all workers know; nil in that itself
}

// own returns what a worker can add to.
func (x *glimpses) own() *glimpses {
	return &glimpses{few: map[*profile.Node][]uint64{}, holders: map[uint64][]int{}, shared: x}
}

// holding returns the groups that have a value as a key; known is false if that
// was not looked up.
func (x *glimpses) holding(hash uint64) (groups []int, known bool) {
	if groups, known = x.shared.holders[hash]; !known {
		groups, known = x.holders[hash]
	}
	return groups, known
}

func (db *Database) newGlimpses(groups []*targetGroup) *glimpses {
	x := &glimpses{few: map[*profile.Node][]uint64{}, holders: map[uint64][]int{}}
	collect := func(n *profile.Node) bool {
		if mayRefer(n) && x.few[n] == nil {
			x.few[n] = n.Scalars.Values.Lowest(glimpse)
			for _, hash := range x.few[n] {
				x.holders[hash] = nil
			}
		}
		return true
	}
	for _, c := range db.Collections {
		for _, e := range c.Entities {
			e.Root().Walk(collect)
		}
		if len(c.Entities) > 1 {
			c.Profile.Root.Walk(collect)
		}
	}
	of := map[*profile.Sample][]int{} // a kind's keys are in a group of its own and in that of the collection
	for i, g := range groups {
		for _, s := range g.samples {
			of[s] = append(of[s], i)
		}
	}
	for s, i := range of {
		for hash := range s.Hashes() {
			if held, wanted := x.holders[hash]; wanted {
				x.holders[hash] = append(held, i...)
			}
		}
	}
	for hash, held := range x.holders {
		slices.Sort(held)
		x.holders[hash] = slices.Compact(held)
	}
	return x
}

// of returns the few values of a field. Those of a field that no walk reaches,
// under a name that has been folded, are looked up now.
func (x *glimpses) of(n *profile.Node, groups []*targetGroup) []uint64 {
	few, known := x.shared.few[n]
	if !known {
		few, known = x.few[n]
	}
	if known {
		return few
	}
	few = n.Scalars.Values.Lowest(glimpse)
	for _, hash := range few {
		if _, known := x.holding(hash); known {
			continue
		}
		x.holders[hash] = nil
		for i, g := range groups {
			if slices.ContainsFunc(g.samples, func(s *profile.Sample) bool { count, _, _ := s.Lookup(hash); return count > 0 }) {
				x.holders[hash] = append(x.holders[hash], i)
			}
		}
	}
	x.few[n] = few
	return few
}

// hits counts, for each group, how many of a few values are its keys.
func (x *glimpses) hits(few []uint64, groups int) []int {
	hits := make([]int, groups)
	for _, hash := range few {
		holding, _ := x.holding(hash)
		for _, i := range holding {
			hits[i]++
		}
	}
	return hits
}

// mayRefer reports whether the values at a node can be keys of documents.
func mayRefer(n *profile.Node) bool {
	return n.Scalars != nil && n.ScalarCount() > 0 && n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date]+n.Types[profile.Binary] == 0
}

// misses reports whether no value of the candidate is a key of a group of which
// it has none of the few: these are all values, and no parts of them stand for
// keys.
func (c *candidate) misses() bool {
	s := c.node.Scalars
	return len(c.few) < glimpse && s.Values.Exact() && s.Tails.Distinct() == 0
}

// seems reports whether enough of a few values are keys of the group, or
// there are too few to tell; hits is how many of them are.
func (c *candidate) seems(g *targetGroup, hits int) bool {
	tested := len(c.few)
	if slices.ContainsFunc(g.samples, func(s *profile.Sample) bool { return !s.Exact() }) {
		tested = 0
		for _, hash := range c.few {
			if g.tells(hash) {
				tested++
			}
		}
	}
	return tested < glimpse/2 || 2*hits >= tested
}
