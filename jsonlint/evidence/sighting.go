package evidence

import (
	"maps"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// sighted is where the documents hold a node's values. It is known only for
// documents of this run; files do not hold positions.
type sighted struct {
	first   []firstOf
	longest profile.Pos // the first of the longest values
	list    profile.Pos // the first of the longest lists
	words   map[string]int64
}

// fewWords is the number of different strings up to which a node of this run
// records them and how often each occurs.
const fewWords = 64

// Words returns how often each string occurs. It is nil if there is none, if
// there are too many, or if the node is from a file, which never holds values.
func (n *Node) Words() map[string]int64 { return n.sighted.words }

// wordsIn lists the strings of a profile, or returns nil if it does not know
// all of them.
func wordsIn(p *profile.Node) map[string]int64 {
	if p.Scalars == nil || p.Types[profile.String] == 0 || !p.Scalars.Values.Exact() || p.Scalars.Values.Distinct() > fewWords {
		return nil
	}
	words := map[string]int64{}
	for _, v := range p.Scalars.Values.Values() {
		switch {
		case !v.Classes.Has(profile.String):
		case v.Classes != 1<<profile.String || !v.HasText:
			return nil
		default:
			words[v.Text] = v.Count
		}
	}
	return words
}

// seeWords adds the strings of another node, before that node's counts.
func (n *Node) seeWords(o *Node) {
	switch {
	case o.Types[profile.String] == 0:
	case n.Types[profile.String] == 0:
		n.sighted.words = maps.Clone(o.sighted.words)
	case n.sighted.words == nil || o.sighted.words == nil:
		n.sighted.words = nil
	default:
		for word, k := range o.sighted.words {
			n.sighted.words[word] += k
		}
		if len(n.sighted.words) > fewWords {
			n.sighted.words = nil
		}
	}
}

type firstOf struct {
	class profile.Class
	at    profile.Pos
}

// First returns the position of the first value of a class. It is unknown if
// there is none or the node is from a file.
func (n *Node) First(class profile.Class) profile.Pos {
	for _, f := range n.sighted.first {
		if f.class == class {
			return f.at
		}
	}
	return profile.Pos{}
}

// FirstAny returns the position of the first value, if known.
func (n *Node) FirstAny() (at profile.Pos) {
	for _, f := range n.sighted.first {
		at = profile.Earlier(at, f.at)
	}
	return at
}

// Longest returns the position of the longest value, or of the longest list, if
// known.
func (n *Node) Longest() profile.Pos {
	if n.sighted.list.Known() {
		return n.sighted.list
	}
	return n.sighted.longest
}

func sightedIn(p *profile.Node) sighted {
	s := sighted{longest: p.MaxAt, words: wordsIn(p)}
	for class := profile.Null; class < profile.NumClasses; class++ {
		if at := p.First(class); at.Known() {
			s.first = append(s.first, firstOf{class, at})
		}
	}
	if p.Array != nil {
		s.list = p.Array.LongestAt
	}
	return s
}

// see adds what another node saw. It must be called before sizes are merged.
func (n *Node) see(o *Node) {
	n.seeWords(o)
	n.sighted.longest = longer(n.sighted.longest, n.Max, o.sighted.longest, o.Max)
	n.sighted.list = longer(n.sighted.list, n.Lengths.Max, o.sighted.list, o.Lengths.Max)
	for _, f := range o.sighted.first {
		i := slices.IndexFunc(n.sighted.first, func(mine firstOf) bool { return mine.class == f.class })
		if i < 0 {
			n.sighted.first = append(n.sighted.first, f)
		} else {
			n.sighted.first[i].at = profile.Earlier(n.sighted.first[i].at, f.at)
		}
	}
}

// Sight adds to a collection from a file where documents of this run, of the
// same collection, hold the values.
func (c *Collection) Sight(seen *Collection) {
	whole := seen.Whole().Root
	for _, k := range c.Kinds {
		k.Root.sight(whole)
	}
}

func (n *Node) sight(seen *Node) {
	if seen == nil {
		return
	}
	n.sighted.first, n.sighted.words = seen.sighted.first, seen.sighted.words
	if seen.Max >= n.Max { // otherwise the longest value is not among these
		n.sighted.longest = seen.sighted.longest
	}
	if seen.Lengths.Max >= n.Lengths.Max {
		n.sighted.list = seen.sighted.list
	}
	for step, child := range n.children() {
		child.sight(seen.step(step))
	}
}

func longer(a profile.Pos, sizeA int64, b profile.Pos, sizeB int64) profile.Pos {
	switch {
	case !a.Known() || sizeB > sizeA:
		return b
	case sizeA > sizeB:
		return a
	}
	return profile.Earlier(a, b)
}
