package model

import (
	"context"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

const (
	glimpse = 64 // values of a field looked up before all of them
	crowded = 64 // groups with the same key from which the key says nothing about any of them
	named   = 64 // groups tried because of their names
)

// A keyIndex finds the groups that have a value as a key, and those that a word
// names. It makes the work proportional to the fields and their values rather
// than to fields times groups.
type keyIndex struct {
	holders map[uint64][]int // indexes of groups by value, in order
	called  map[string][]int // by the beginning of a word
}

func newKeyIndex(ctx context.Context, db *Database, groups []*targetGroup) (*keyIndex, error) {
	x := &keyIndex{holders: map[uint64][]int{}, called: map[string][]int{}}
	collect := func(n *profile.Node) bool {
		if mayRefer(n) {
			for _, s := range []*profile.Sample{&n.Scalars.Values, n.Scalars.Tails()} {
				for _, hash := range s.Lowest(glimpse) {
					x.holders[hash] = nil
				}
			}
		}
		return true
	}
	for _, c := range db.Collections {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, e := range c.Entities {
			e.Root().Walk(collect)
		}
		if len(c.Entities) > 1 {
			c.Profile.Root.Walk(collect)
		}
	}
	for i, g := range groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, s := range g.samples {
			for hash := range s.Hashes() {
				held, wanted := x.holders[hash]
				if wanted && len(held) <= crowded && (len(held) == 0 || held[len(held)-1] != i) {
					x.holders[hash] = append(held, i)
				}
			}
		}
		for _, token := range lexicon.Tokens(g.name) {
			begin := beginning(token)
			if in := x.called[begin]; len(in) == 0 || in[len(in)-1] != i {
				x.called[begin] = append(in, i)
			}
		}
	}
	return x, nil
}

// beginning returns the first letters, which words for the same thing must
// share.
func beginning(token string) string {
	letters := []rune(token)
	return string(letters[:min(3, len(letters))])
}

// groups returns the groups that a field may refer to, in order.
func (x *keyIndex) groups(c *candidate) []int {
	var out []int
	crowd := len(c.values.few) == glimpse // one of the other values may be a key
	for _, a := range []*asker{c.values, c.tails} {
		if a == nil {
			continue
		}
		for _, hash := range a.few {
			if held := x.holders[hash]; len(held) <= crowded {
				out = append(out, held...)
			} else {
				crowd = true
			}
		}
	}
	if crowd {
		words := slices.Clone(c.prefixes.segments)
		for _, w := range c.words {
			words = append(words, w.word)
		}
		for _, token := range lexicon.Tokens(strings.Join(words, " ")) {
			in := x.called[beginning(token)]
			out = append(out, in[:min(named, len(in))]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mayRefer reports whether the values at a node can be keys of documents.
func mayRefer(n *profile.Node) bool {
	return n.Scalars != nil && n.ScalarCount() > 0 && n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date]+n.Types[profile.Binary] == 0
}

// glimpse looks up a few values.
func (g *targetGroup) glimpse(few []uint64) (tested, found int) {
	for _, hash := range few {
		held, known := g.has(hash)
		if known {
			tested++
		}
		if held {
			found++
		}
	}
	return tested, found
}
