// Package identity finds the field that carries the id of documents, and what
// documents of one id are to each other: copies, versions, or a mistake.
package identity

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
)

func IsIDName(name string) bool { return name == "id" || name == "_id" }

// SameIDPair are two documents with one id, in their order.
type SameIDPair struct {
	N    int64 // documents with the id
	A, B *sameIDDocument
}

// Names are the names under which the documents of a collection may carry
// their id, the usual one first: what the configuration says, else what the
// database prescribes. Where no database is named the usual spellings all
// count, unless most documents have the one that databases add themselves.
func Names(p *check.Pass, c *model.Collection) []string {
	if id := p.Collections[c.Name].ID; id != "" {
		return []string{id}
	}
	if n := c.Profile.Root.Object.Field("_id"); n != nil && slices.Contains(p.Limits.IDKeys, "_id") && 2*n.Present() > c.Profile.Root.Types[profile.Object] {
		return []string{"_id"}
	}
	if p.Limits.Name == "generic" {
		return []string{"_id", "id", "ID", "Id", "_key", "pk", "PK", "uuid"}
	}
	return p.Limits.IDKeys
}

// MayBeFile reports whether documents are a single one without an id, which may be
// the file that it stands in: what is in it are collections then.
func MayBeFile(p *check.Pass, e *model.Entity) bool {
	return e.N() == 1 && e.Profile.Identified == 0 && Node(p, e.Collection) == nil
}

// Node returns the field in which most documents of the collection carry
// their id; nil if none does.
func Node(p *check.Pass, c *model.Collection) *profile.Node {
	var best *profile.Node
	for _, name := range Names(p, c) {
		n := c.Profile.Root.Object.Field(name)
		if n != nil && n.Present() > 0 && (best == nil || n.Present() > best.Present()) {
			best = n
		}
	}
	return best
}

// IsMap reports whether the documents of an entity are used as maps.
func IsMap(e *model.Entity) bool {
	return slices.ContainsFunc(e.Maps, func(m *model.Map) bool { return m.Node.Depth == 0 })
}

// NaturalKey returns a field other than the id that is present and different
// in every document and reads like a key: an index, a slug, a code, a name;
// nil if there is none. Where all that differs stands in objects, as in the
// properties of a feature on a map, it may stand there. A social security number is no key.
func NaturalKey(p *check.Pass, e *model.Entity) *profile.Node {
	wrapped := !slices.ContainsFunc(e.Root().Object.Fields(), func(f *profile.Node) bool {
		return f.Object == nil && (f.Scalars == nil || f.Scalars.Values.Distinct() > 1)
	})
	for _, f := range e.Root().Object.Fields() {
		if keyLike(p.Lexicon, e, f) {
			return f
		}
		if f.Object == nil || f.Array != nil || f.Object.Sampled() {
			continue
		}
		for _, g := range f.Object.Fields() {
			if (wrapped || lexicon.IdentityName(g.Step.Name) || lexicon.IdentityName(f.Step.Name)) && keyLike(p.Lexicon, e, g) {
				return g
			}
		}
	}
	return nil
}

// longKey is the mean length from which a text is prose, in bytes.
const longKey = 64

func keyLike(lex *lexicon.Lexicon, e *model.Entity, n *profile.Node) bool {
	s := n.Scalars
	if s == nil || n.Types[profile.Object]+n.Types[profile.Array]+n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date] > 0 ||
		n.ScalarCount() < e.N() || !allDistinct(&s.Values, e.N()) {
		return false
	}
	tokens := lexicon.Tokens(n.Step.Name)
	if n.Bytes > longKey*n.Count || slices.ContainsFunc(tokens, func(t string) bool { return lex.HasWord(lexicon.Personal, t) }) {
		return false
	}
	if lex.HasWord(lexicon.KeyName, n.Step.Name) {
		return true
	}
	many := e.N() >= places.EnoughDocuments
	if stem, _, ok := lexicon.ReferenceStem(n.Step.Name); ok {
		// The id of something else is unique by accident while there are few,
		// unless it is all that a document says: that is said once.
		return many || lexicon.StemMatches(stem, e.Collection.Name) || len(e.Root().Object.Fields()) == 1
	}
	if lexicon.IdentityName(n.Step.Name) {
		return true
	}
	if s.Ints > 0 {
		return model.DistinctByAccident(e.N(), float64(s.MaxInt)-float64(s.MinInt)+1) < accident // numbered, with few gaps
	}
	forms := []profile.Form{profile.FormUUID, profile.FormHex24, profile.FormHex, profile.FormPrefixNumber, profile.FormURL, profile.FormPath}
	if many {
		forms = append(forms, profile.FormToken, profile.FormWord, profile.FormUpper, profile.FormInteger, profile.FormLeadingZero)
	}
	codes := n.Types[profile.ObjectID]
	for _, f := range forms {
		k, _ := s.FormCount(f)
		codes += k
	}
	return codes == n.ScalarCount()
}

// accident is how likely it may be that numbers which count or measure something
// are all different.
const accident = 0.001

// allDistinct reports whether n values are all different; where only a sample
// is kept, as far as that can tell.
func allDistinct(s *profile.Sample, n int64) bool {
	return s.Repeated() == 0 && (!s.Exact() || int64(s.Distinct()) == n)
}

// DistinctField returns the first field of the documents, other than a natural
// key, that is present and different in all of them, nil if there is none. A
// word or a number may serve as the key; a time, a fraction and prose are
// different by nature and identify nothing: these are weak.
func DistinctField(lex *lexicon.Lexicon, e *model.Entity) (n *profile.Node, weak bool) {
	for _, f := range e.Root().Object.Fields() {
		s := f.Scalars
		if s == nil || f.Types[profile.Object]+f.Types[profile.Array]+f.Types[profile.Bool] > 0 || f.ScalarCount() < e.N() || !allDistinct(&s.Values, e.N()) {
			continue
		}
		words := f.Types[profile.String] == f.ScalarCount() && f.Bytes <= longKey*f.Count && !times.Is(f)
		if words && !slices.ContainsFunc(lexicon.Tokens(f.Step.Name), func(t string) bool { return lex.HasWord(lexicon.Personal, t) }) {
			return f, false
		}
		if n == nil {
			n = f
		}
	}
	return n, true
}

// Text returns the id of the document that holds a position, for a message.
func Text(p *check.Pass, at profile.Pos, key profile.Path) (string, bool) {
	if len(key) == 0 {
		return "", false
	}
	d, err := p.Document(at)
	if err != nil {
		return "", false
	}
	i, ok := d.First(0, key)
	if !ok {
		return "", false
	}
	return places.QuoteToken(d, i), true
}

// fewDigits is the number of digits from which a number can be an identifier;
// a mobile of 3 or a card of 12 is a count or a place in a list.
const fewDigits = 1000

// IsNumericIdentifier reports whether the numbers at a node are digits that
// identify something: by their name, and by being whole, not negative and
// long enough.
func IsNumericIdentifier(p *check.Pass, n *profile.Node) bool {
	return WholeNumbers(n) && n.Scalars.MaxInt >= fewDigits && p.Lexicon.HasIn(lexicon.NumericIdentifier, n.Step.Name, "")
}

func WholeNumbers(n *profile.Node) bool {
	// Where the same field also has strings, which type is meant is for
	// mixed-types to say.
	return n.Step.Kind == profile.Field && n.Scalars != nil && n.Types[profile.Int] == n.Present() && n.Scalars.Ints > 0 && n.Scalars.MinInt >= 0
}

// PartitionPath reads the path of a partition key as databases write it,
// /address/city, or as reports do, address.city; it is empty if none is given.
func PartitionPath(key string) profile.Path {
	if key == "" {
		return nil
	}
	separator := "."
	if strings.HasPrefix(key, "/") {
		key, separator = key[1:], "/"
	}
	var path profile.Path
	for _, name := range strings.Split(key, separator) {
		path = append(path, profile.Step{Kind: profile.Field, Name: strings.Trim(name, `"`)})
	}
	return path
}
