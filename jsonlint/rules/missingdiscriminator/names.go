package missingdiscriminator

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
)

// The words that a type field should contain.

// names gives each kind the word that its type field should contain: that of
// the references to it, of its addresses or ids, of its own key, or of a field
// of its own.
func (m *mixture) names(p *check.Pass, probe *predict.Probe) []string {
	names := make([]string, len(m.kinds))
	used := map[string]bool{}
	claim := func(i int, name string) {
		if name = strings.ToLower(name); name != "" && names[i] == "" && !used[name] {
			names[i], used[name] = name, true
		}
	}
	for i, word := range referencedAs(p, probe.Kinds) {
		claim(i, word)
	}
	for _, t := range slices.Concat(probe.Addresses, probe.Prefixes) {
		if !t.Predicts(p.Threshold("presence"), p.Threshold("purity")) {
			continue
		}
		kinds := t.KindOf()
		for _, value := range t.Values(predict.TableValues) {
			if len(value) >= 3 {
				claim(kinds[value], lexicon.Singular(value))
			}
		}
	}
	for i, k := range m.kinds {
		claim(i, m.ownWord(k))
	}
	for i, k := range m.kinds {
		for _, name := range append(m.shown(k), k.Core()...) {
			words := lexicon.Tokens(name)
			if len(words) > 0 {
				words[len(words)-1] = lexicon.Singular(words[len(words)-1])
			}
			claim(i, strings.Join(words, "-"))
		}
		claim(i, fmt.Sprintf("kind-%d", i+1))
	}
	return names
}

// ownWord makes a word out of a kind's own names: the stems of a document
// that only refers (authorId, bookId), that of its own key (accountId), or
// the word that begins most of them (orderTotal, orderDate).
func (m *mixture) ownWord(k *model.Cluster) string {
	own := k.Own(m.kinds)
	first := map[string]int{}
	var stems []string
	for _, name := range own {
		if tokens := lexicon.Tokens(name); len(tokens) > 1 {
			first[tokens[0]]++
		}
		if stem, _, ok := lexicon.ReferenceStem(name); ok {
			stem = strings.ReplaceAll(stem, " ", "-")
			stems = append(stems, stem)
			if f := m.node.Object.Field(name); f.Scalars != nil && f.Scalars.Values.Distinct() >= 0.95*float64(k.Count) && k.Count >= predict.FewObjects {
				return stem
			}
		}
	}
	if len(stems) > 1 && len(stems) == len(own) {
		return strings.Join(stems, "-")
	}
	for _, word := range slices.Sorted(maps.Keys(first)) {
		if n := first[word]; n > 1 && 2*n > len(own) {
			return word
		}
	}
	return ""
}

// A reference is a field whose name says what its values refer to.
type reference struct {
	stem   string
	values *profile.Sample
}

// references returns the references in the documents of a run.
func references(p *check.Pass) []reference {
	return check.Once(p, "references by name", func() (out []reference) {
		for _, e := range p.DB.Entities() {
			e.Root().Walk(func(n *profile.Node) bool {
				if n.Scalars != nil {
					if stem, _, ok := lexicon.ReferenceStem(naming.ListName(n)); ok {
						out = append(out, reference{stem, &n.Scalars.Values})
					}
				}
				return true
			})
		}
		return out
	})
}

// referencedAs returns for each kind the word that references use for its
// documents and for no other kind: bookId makes them books.
func referencedAs(p *check.Pass, kinds []predict.Seen) []string {
	words, most := make([]string, len(kinds)), make([]int, len(kinds))
each:
	for _, r := range references(p) {
		target, held := -1, 0
		for i := range kinds {
			switch found, tested := kinds[i].Holds(r.values); {
			case 2*found > tested && target < 0:
				target, held = i, found
			case 5*found > tested:
				continue each // it may be either
			}
		}
		if target >= 0 && (held > most[target] || held == most[target] && r.stem < words[target]) {
			words[target], most[target] = r.stem, held
		}
	}
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], " ", "-")
	}
	return words
}
