// Package casevariantvalues reports look-up values (e-mail addresses, names to
// sign in with, slugs) that differ in nothing but case or the space around them: a query for one
// spelling does not find the other, and LOWER() in a query cannot use the
// index.
package casevariantvalues

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is case-variant-values on documents.
var Rule = check.Rule{Name: "case-variant-values", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		choices := map[string]*choice{}
		var paths []string
		for _, e := range c.Entities {
			e.Root().Walk(func(n *profile.Node) bool {
				if n.Scalars == nil || float64(n.Types[profile.String]) < 0.95*float64(n.Present()) || remark(n.Step.Name) || saidIn(c, n) {
					return true
				}
				f := &cases{entity: e, node: n, path: n.Path(), original: original(p, n)}
				if r := p.DB.ReferenceAt(n); r != nil && f.original == nil {
					f.original, f.refers = r.Key.Node, true
				}
				f.named = p.Lexicon.Has(lexicon.LookupValue, n.Step.Name)
				f.key = slices.ContainsFunc(p.DB.References, func(r *model.Reference) bool {
					return r.Key.Node == n && !r.Key.ID && r.Key.Unique == 1 && r.Stem && r.From.Collection != c
				})
				lookup := n.Step.Kind == profile.Field && !n.Inside() && n.Depth <= 3 && (f.named || addresses(n))
				path := f.path.String()
				if d := c.Discriminator; d != nil && path == d.Path.String() && !lookup {
					return true // inconsistent-discriminator says it
				}
				if choices[path] == nil {
					choices[path] = &choice{lookup: lookup}
					paths = append(paths, path)
				}
				choices[path].kinds = append(choices[path].kinds, f)
				return true
			})
		}
		for _, path := range paths {
			choices[path].watch(p)
		}
	}
}}

// original returns the field of other documents whose values the field repeats
// beside their ids, or nil: of the name in an object with an id, and of the userName
// beside a userId.
func original(p *check.Pass, n *profile.Node) *profile.Node {
	if n.Step.Kind != profile.Field {
		return nil
	}
	for _, f := range n.Parent.Object.Fields() {
		r := p.DB.ReferenceAt(f)
		if r == nil || f == n {
			continue
		}
		stem, _, ok := lexicon.ReferenceStem(f.Step.Name)
		if named := ok && strings.HasPrefix(lexicon.Fold(n.Step.Name), lexicon.Fold(stem)); !named && (n.Depth == 1 || !identity.IsIDName(f.Step.Name)) {
			continue // the name may be the document's own
		}
		for _, of := range r.To.Root().Object.Fields() {
			if naming.Repeats(n.Step.Name, of.Step.Name, stem) {
				return of
			}
		}
	}
	return nil
}

// remark reports whether the name of a field marks it as a comment, with or
// without a number: comment, adminNote, remark2.
func remark(name string) bool {
	return slices.Contains(remarksWords(), lastWord(strings.TrimRight(name, "0123456789_")))
}

func lastWord(name string) string {
	tokens := lexicon.Tokens(name)
	return strings.Join(tokens[max(0, len(tokens)-1):], "")
}

// paragraph is the number of bytes that only prose has.
const paragraph = 200

// saidIn reports whether a field is the text of a comment or a message, somewhere in
// documents, or in objects of a list, that are named so; or a text with a paragraph.
func saidIn(c *model.Collection, n *profile.Node) bool {
	if !slices.Contains(textsWords(), lexicon.Fold(n.Step.Name)) {
		return false
	}
	return n.Max >= paragraph || remark(c.Name) || slices.ContainsFunc(n.Path(), func(s profile.Step) bool { return s.Kind == profile.Field && remark(s.Name) })
}

var (
	choicesWords = rulebook.Words("case-variant-values", "choices")
	missingWords = rulebook.Words("case-variant-values", "missing")
	remarksWords = rulebook.Words("case-variant-values", "remarks")
	textsWords   = rulebook.Words("case-variant-values", "texts")
)

const (
	caseKept   = 1 << 15 // values whose spellings are compared
	caseGroups = 50      // values that are reported one by one
)

// cases is a field whose values are compared.
type cases struct {
	entity *model.Entity
	node   *profile.Node
	path   profile.Path
	values *caseProbe
	named  bool // by its name, documents are looked up by it
	key    bool // documents of other collections refer to these by it, instead of by their id

	original *profile.Node // the field of other documents whose values it repeats, or nil
	refers   bool          // whether that is the key of these documents
}

// alike reports whether the sample has the texts of all values and they show
// nothing to report.
func (c *cases) alike(p *check.Pass) bool {
	values := &c.node.Scalars.Values
	if !values.Exact() || c.node.Types[profile.String] != c.node.Present() || predict.NameRepeats(c.node) {
		return false
	}
	total, lower := int64(0), int64(0)
	spellings := map[string]bool{}
	for _, v := range values.Values() {
		if !v.HasText || !profile.Spelt(v.Text) {
			return false
		}
		folded := string(appendLower(nil, []byte(v.Text)))
		key := strings.TrimSpace(folded)
		if spellings[key] {
			return false
		}
		spellings[key] = true
		total += v.Count
		if folded == v.Text {
			lower += v.Count
		}
	}
	return total == c.node.Types[profile.String] && !mixesStyles(p, total, lower)
}

// wordLetters is the length from which words that differ only in case are the
// same. A shorter one may differ: m is not M.
const wordLetters = 3

// sentenceWords is the length from which words are a sentence, which nobody chooses.
const sentenceWords = 8

// isWord reports whether a text is a word or a few that people write in either case.
func isWord(text string) bool { return utf8.RuneCountInString(text) >= wordLetters && isWords(text) }

// innerMarks may stand in words, but also in lists and paths.
const innerMarks = "/%,"

// isWords reports whether a text is neither an expression nor a sentence.
func isWords(text string) bool {
	marks := " -–_'’&.()+"
	if strings.ContainsFunc(text, unicode.IsLetter) {
		marks += innerMarks
	} else if !strings.ContainsFunc(text, unicode.IsDigit) {
		return false
	}
	return len(strings.Fields(text)) < sentenceWords && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(marks, r)
	})
}
