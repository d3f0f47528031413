package model

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A targetGroup is a possible target of references: the documents of a
// collection that have a key at the same path, or one kind of them, which is
// called by its discriminator.
type targetGroup struct {
	name    string // as in names of references
	targets []Target
	samples []*profile.Sample
	kind    bool // of one kind of document
	index   int  // in the list of all groups

	integers func() []int64 // among the kept keys of all kinds of document: one kind may have the ids of its own time
	keys     groupKeys
	matches  map[string]lexicon.Match // how certainly words name the group, as far as known
	alike    map[string]bool
	about    map[string]bool
}

// match returns how certainly a word names the group.
func (g *targetGroup) match(word string) lexicon.Match {
	m, known := g.matches[word]
	if !known {
		m = lexicon.MatchStem(word, g.name)
		g.matches[word] = m
	}
	return m
}

func (g *targetGroup) add(e *Entity, k *Key) {
	g.targets = append(g.targets, Target{e, k})
	g.samples = append(g.samples, &k.Node.Scalars.Values)
}

func (g *targetGroup) collection() *Collection { return g.targets[0].Entity.Collection }

// targetGroups lists the groups in a fixed order.
func (db *Database) targetGroups() []*targetGroup {
	var groups []*targetGroup
	for _, c := range db.Collections {
		byPath := map[string]*targetGroup{}
		for _, e := range c.Entities {
			for _, k := range e.Keys {
				if db.foreign(k, c) {
					continue
				}
				path := k.Path.String()
				g := byPath[path]
				if g == nil {
					g = &targetGroup{name: c.Name}
					byPath[path] = g
					groups = append(groups, g)
				}
				g.add(e, k)
			}
		}
		for _, e := range c.Entities {
			if word := e.Word(); word != "" {
				for _, k := range e.Keys {
					all := byPath[k.Path.String()]
					if all == nil {
						continue
					}
					kind := &targetGroup{name: word, kind: true}
					kind.add(e, k)
					kind.keys.among(all, k)
					groups = append(groups, kind)
				}
			}
		}
	}
	for i, g := range groups {
		g.index = i
		g.integers = sync.OnceValue(func() (all []int64) {
			for _, s := range g.samples {
				all = append(all, numbers(readTexts(s))...)
			}
			return all
		})
	}
	return groups
}

// foreign reports whether a key has the name of another collection's id. Fields
// with its values refer to that collection as well.
func (db *Database) foreign(k *Key, c *Collection) bool {
	stem, _, ok := lexicon.ReferenceStem(k.Node.Step.Name)
	return ok && !k.ID && lexicon.MatchStem(stem, c.Name) == lexicon.NoMatch && slices.ContainsFunc(db.Named(stem), func(o *Collection) bool {
		return o != c && lexicon.MatchStem(stem, o.Name) >= lexicon.SameNoun
	})
}

// own returns a copy of the group for one worker.
func (g *targetGroup) own() *targetGroup {
	c := *g
	c.matches, c.alike, c.about = map[string]lexicon.Match{}, map[string]bool{}, map[string]bool{}
	return &c
}

// similar reports whether a word of a name shares most of its letters with a
// word of the group's name: other languages inflect too, and people abbreviate
// and misspell.
func (g *targetGroup) similar(name string) bool {
	known, ok := g.alike[name]
	if !ok {
		known = alike(name, g.name) || g.names(name)
		g.alike[name] = known
	}
	return known
}

// names reports whether a name is about the group's documents: it includes the
// noun of their name, like customerNumber and codigo_producto.
func (g *targetGroup) names(name string) bool {
	known, ok := g.about[name]
	if !ok {
		if words, noun := lexicon.Tokens(name), lexicon.Tokens(g.name); len(words) > 1 && len(noun) > 0 {
			last := lexicon.Singular(noun[len(noun)-1])
			known = slices.ContainsFunc(words, func(w string) bool { return lexicon.Singular(w) == last })
		}
		g.about[name] = known
	}
	return known
}

// similarLength is the number of letters from which words are compared by
// letters. At most one letter in differingLetters may differ.
const (
	similarLength    = 5
	differingLetters = 4 // one in this many
)

func alike(a, b string) bool {
	x, y := lexicon.Tokens(a), lexicon.Tokens(b)
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	for _, v := range x {
		for _, w := range y {
			n := min(utf8.RuneCountInString(v), utf8.RuneCountInString(w))
			if n >= similarLength && lexicon.Damerau(v, w, n/differingLetters) <= n/differingLetters {
				return true
			}
		}
	}
	return false
}
