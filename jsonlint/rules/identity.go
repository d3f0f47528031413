package rules

import (
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// idNames are the names under which the documents of a collection may carry
// their id, the usual one first: what the configuration says, else what the
// database prescribes. Where no database is named the usual spellings all
// count.
func (p *Pass) idNames(c *model.Collection) []string {
	if id := p.Collections[c.Name].ID; id != "" {
		return []string{id}
	}
	if p.Limits.Name == "generic" {
		return []string{"_id", "id", "ID", "Id", "_key", "pk", "PK", "uuid"}
	}
	return p.Limits.IDKeys
}

// idNode returns the field in which most documents of the collection carry
// their id; nil if none does.
func (p *Pass) idNode(c *model.Collection) *profile.Node {
	var best *profile.Node
	for _, name := range p.idNames(c) {
		n := c.Profile.Root.Object.Field(name)
		if n != nil && n.Present() > 0 && (best == nil || n.Present() > best.Present()) {
			best = n
		}
	}
	return best
}

// isMap reports whether the documents of an entity are used as maps.
func isMap(e *model.Entity) bool {
	return slices.ContainsFunc(e.Maps, func(m *model.Map) bool { return m.Node.Depth == 0 })
}

// naturalKey returns a field other than the id that is present and different
// in every document and reads like a key: an index, a slug, a code, a name;
// nil if there is none. A social security number is no key.
func (p *Pass) naturalKey(e *model.Entity) *profile.Node {
	root := e.Root()
	if root.Object == nil {
		return nil
	}
	for _, f := range root.Object.Fields() {
		if keyLike(e, f) {
			return f
		}
		if f.Object == nil || f.Array != nil || f.Object.Sampled() {
			continue
		}
		for _, g := range f.Object.Fields() {
			if (lexicon.IdentityName(g.Step.Name) || lexicon.IdentityName(f.Step.Name)) && keyLike(e, g) {
				return g
			}
		}
	}
	return nil
}

// keyNames are names of fields that people use as keys, beyond those that say
// so (see [lexicon.IdentityName]).
var keyNames = []string{"index", "name", "title", "label", "url", "uri", "href", "path", "file", "filename", "hash", "domain", "host", "hostname"}

// personal are words of identifiers that must not become keys: they belong to
// a person and go wherever the key goes.
var personal = []string{"ssn", "nin", "passport", "iban", "card", "tax", "phone", "telephone", "mobile", "fax", "address"}

// longKey is the mean length from which a text is prose, in bytes.
const longKey = 64

func keyLike(e *model.Entity, n *profile.Node) bool {
	s := n.Scalars
	if s == nil || n.Types[profile.Object]+n.Types[profile.Array]+n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date] > 0 ||
		n.ScalarCount() < e.N() || !allDistinct(&s.Values, e.N()) {
		return false
	}
	tokens := lexicon.Tokens(n.Step.Name)
	if n.Bytes > longKey*n.Count || slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(personal, t) }) {
		return false
	}
	if slices.Contains(keyNames, n.Step.Name) {
		return true
	}
	many := e.N() >= sampleMode
	if stem, _, ok := lexicon.ReferenceStem(n.Step.Name); ok {
		// The id of something else is unique by accident while there are few.
		return many || lexicon.StemMatches(stem, e.Collection.Name)
	}
	if lexicon.IdentityName(n.Step.Name) {
		return true
	}
	if s.Ints > 0 {
		return many && s.MaxInt-s.MinInt+1 == e.N() // numbered without a gap
	}
	forms := []profile.Form{profile.FormUUID, profile.FormHex24, profile.FormHex, profile.FormPrefixNumber, profile.FormURL, profile.FormPath}
	if many {
		forms = append(forms, profile.FormToken, profile.FormWord, profile.FormUpper)
	}
	codes := n.Types[profile.ObjectID]
	for _, f := range forms {
		k, _ := s.FormCount(f)
		codes += k
	}
	return codes == n.ScalarCount()
}

// allDistinct reports whether n values are all different; where only a sample
// is kept, as far as that can tell.
func allDistinct(s *profile.Sample, n int64) bool {
	return s.Repeated() == 0 && (!s.Exact() || int64(s.Distinct()) == n)
}

// distinctField returns the first field of the documents, other than a natural
// key, that is present and different in all of them, nil if there is none. A
// word or a number may serve as the key; a time, a fraction and prose are
// different by nature and identify nothing: these are weak.
func distinctField(e *model.Entity) (n *profile.Node, weak bool) {
	for _, f := range e.Root().Object.Fields() {
		s := f.Scalars
		if s == nil || f.Types[profile.Object]+f.Types[profile.Array]+f.Types[profile.Bool] > 0 || f.ScalarCount() < e.N() || !allDistinct(&s.Values, e.N()) {
			continue
		}
		words := f.Types[profile.String] == f.ScalarCount() && f.Bytes <= longKey*f.Count && !isTime(f)
		if words && !slices.ContainsFunc(lexicon.Tokens(f.Step.Name), func(t string) bool { return slices.Contains(personal, t) }) {
			return f, false
		}
		if n == nil {
			n = f
		}
	}
	return n, true
}
