// Package identity finds the field with the id of documents, and how documents
// with the same id are related: copies, versions, or a mistake.
package identity

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
)

func IsIDName(name string) bool { return name == "id" || name == "_id" }

// SameIDPair are two documents with one id, in order.
type SameIDPair struct {
	N    int64 // number of documents with the id
	A, B *sameIDDocument
}

// Names returns the names under which the documents of a collection may have
// their id, the usual one first: those in the configuration, or those that the
// database prescribes. If no database is named, all usual names count, unless
// most documents have the one that databases add themselves.
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

// MayBeFile reports whether the documents are a single one without an id. It
// may be a whole file that contains collections.
func MayBeFile(p *check.Pass, e *model.Entity) bool {
	return e.N() == 1 && Node(p, e.Collection) == nil
}

// Node returns the field in which most documents of the collection have their
// id, or nil.
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

// NaturalKey returns a field other than the id that is present and different in
// every document and looks like a key: an index, a slug, a code, a name. It
// returns nil if there is none. It may be in an embedded object if everything
// that differs is in such objects, like the properties of a feature on a map, or
// if it refers to other documents. A social security number is not a key.
func NaturalKey(p *check.Pass, e *model.Entity) *profile.Node {
	wrapped := !slices.ContainsFunc(e.Root().Object.Fields(), func(f *profile.Node) bool {
		return f.Object == nil && (f.Scalars == nil || f.Scalars.Values.Distinct() > 1)
	})
	for _, f := range e.Root().Object.Fields() {
		if keyLike(p, e, f) {
			return f
		}
		if f.Object == nil || f.Array != nil || f.Object.Sampled() {
			continue
		}
		for _, g := range f.Object.Fields() {
			if (wrapped || lexicon.IdentityName(g.Step.Name) || lexicon.IdentityName(f.Step.Name)) && keyLike(p, e, g) {
				return g
			}
		}
	}
	for _, r := range p.DB.ReferencesFrom(e) { // what there is one of for each of the others is known by these
		if e.N() >= places.EnoughDocuments && r.Found == r.Tested && keyLike(p, e, r.Node) && !slices.ContainsFunc(r.Path, func(s profile.Step) bool { return s.Kind != profile.Field }) {
			return r.Node
		}
	}
	return nil
}

// longKey is the mean length, in bytes, from which a text is prose.
const longKey = 64

func keyLike(p *check.Pass, e *model.Entity, n *profile.Node) bool {
	s := n.Scalars
	if s == nil || n.Types[profile.Object]+n.Types[profile.Array]+n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date] > 0 ||
		n.ScalarCount() < e.N() || !allDistinct(&s.Values, e.N()) && !nearlyDistinct(&s.Values, e.N()) {
		return false
	}
	stem, _, refers := lexicon.ReferenceStem(n.Step.Name)
	own := refers && lexicon.StemMatches(stem, e.Collection.Name)
	personal := func(word string) bool { return p.Lexicon.HasWord(lexicon.Personal, word) }
	if n.Bytes > longKey*n.Count || !own && slices.ContainsFunc(lexicon.Tokens(n.Step.Name), personal) {
		return false
	}
	if p.Lexicon.HasWord(lexicon.KeyName, n.Step.Name) {
		return true
	}
	many := e.N() >= places.EnoughDocuments
	if refers {
		// In a few documents, the id of something else may be unique by accident. It
		// does not count unless the documents say nothing else, which is reported
		// once.
		return many || own || len(e.Root().Object.Fields()) == 1 || keyOfOthers(p, n.Step, stem)
	}
	if lexicon.IdentityName(n.Step.Name) {
		return true
	}
	if s.Ints > 0 {
		return model.DistinctByAccident(e.N(), float64(s.MaxInt)-float64(s.MinInt)+1) < accident // numbered, with few gaps
	}
	forms := []profile.Form{profile.FormUUID, profile.FormHex24, profile.FormHex, profile.FormRandom, profile.FormPrefixNumber, profile.FormURL, profile.FormPath}
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

// keyOfOthers reports whether a field is the key of the documents of a larger collection
// that it is not named after. The program that gives it to those gives it to these, too.
func keyOfOthers(p *check.Pass, name profile.Step, stem string) bool {
	return slices.ContainsFunc(p.DB.Entities(), func(o *model.Entity) bool {
		f := o.Root().At(profile.Path{name})
		return f != nil && f.Scalars != nil && o.N() >= places.EnoughDocuments && allDistinct(&f.Scalars.Values, o.N()) && !lexicon.StemMatches(stem, o.Collection.Name)
	})
}

// accident is the probability up to which numbers that count or measure may all
// be different by accident.
const accident = 0.001

// allDistinct reports whether n values are all different, as far as a sample
// can tell.
// nearlyDistinct reports whether all but a few values differ: of many documents, some
// are stored twice.
func nearlyDistinct(s *profile.Sample, n int64) bool {
	return s.Exact() && n >= places.EnoughDocuments && s.Distinct() >= 0.99*float64(n)
}

func allDistinct(s *profile.Sample, n int64) bool {
	return s.Repeated() == 0 && (!s.Exact() || int64(s.Distinct()) == n)
}

// DistinctField returns the first field other than a natural key that is
// present and different in all documents, or nil. A word or a number may serve
// as the key. Times, fractions and prose naturally differ and identify nothing:
// they are weak.
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

// Text returns the id of the document at a position, for a message.
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

// fewDigits is the least number that can be an identifier. A mobile of 3 or a
// card of 12 is a count or an index.
const fewDigits = 1000

// IsNumericIdentifier reports whether the numbers at a node are identifiers of
// digits: their name says so, and they are whole, not negative and long enough.
func IsNumericIdentifier(p *check.Pass, n *profile.Node) bool {
	return WholeNumbers(n) && slices.Max(wholes(n.Scalars)) >= fewDigits && p.Lexicon.HasIn(lexicon.NumericIdentifier, naming.ListName(n), "")
}

// Rounded reports whether ids are stored as doubles of which some are beyond 2^53: their
// last digits are lost.
func Rounded(n *profile.Node) bool {
	if n.Types[profile.Double] == 0 || !WholeNumbers(n) || slices.Max(wholes(n.Scalars)) <= 1<<53 {
		return false
	}
	_, _, reference := lexicon.ReferenceStem(n.Step.Name)
	return reference || lexicon.IdentityName(n.Step.Name)
}

func WholeNumbers(n *profile.Node) bool {
	// If the field also has strings, mixed-types decides which type is meant.
	return n.Step.Kind != profile.MapValues && n.Scalars != nil && n.Types[profile.Int]+n.Types[profile.Double] == n.Present() &&
		n.Scalars.Fractions == 0 && slices.Min(wholes(n.Scalars)) >= 0
}

// wholes returns the least and the greatest of the integers, and those of the numbers
// with a point or an exponent, as the shell of MongoDB stores all numbers, that are known.
func wholes(s *profile.Scalars) []float64 {
	out := []float64{float64(s.MinInt), float64(s.MaxInt)} // 0 if there are none
	for v := range s.Values.Texts() {
		if number, err := strconv.ParseFloat(v.Text, 64); err == nil {
			out = append(out, number)
		}
	}
	return out
}

// PartitionPath parses the path of a partition key in the notation of
// databases, /address/city, or of reports, address.city. It returns an empty
// path for an empty key.
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
