package model

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Key is a field that identifies the documents of an entity.
type Key struct {
	Node    *profile.Node
	Path    profile.Path
	ID      bool    // the database's own id: id, _id, the configured field, or what comes nearest
	Own     bool    // named after the collection, as the accountId of accounts, or the same as the id in another type
	Named   bool    // has the name of an identifier
	Indexed bool    // a unique index of the database says that it is a key
	Unique  float64 // share of the values that occur once
}

const (
	keyPresence = 0.9  // share of the documents that must have a key
	keyUnique   = 0.95 // distinct values per document; a few duplicates are errors to report and do not disprove a key
	keyLength   = 128  // mean bytes; longer texts are not keys
)

// findKeys looks for keys among the scalars of the document and of an object of
// ids directly in it: id.isbn. Keys in other objects identify those objects.
func (e *Entity) findKeys(declared string, unique []string, lex *lexicon.Lexicon) []*Key {
	var keys []*Key
	consider := func(n *profile.Node) {
		if k := e.key(n, declared, unique, lex); k != nil {
			keys = append(keys, k)
		}
	}
	for _, f := range e.Root().Object.Fields() {
		consider(f)
		if f.Object != nil && f.Array == nil && !f.Object.Sampled() && HoldsIDs(f.Step.Name) {
			for _, g := range f.Object.Fields() {
				consider(g)
			}
		}
	}
	if !slices.ContainsFunc(keys, func(k *Key) bool { return k.ID }) {
		for _, k := range keys {
			if k.Own || plainID(k.Node.Step.Name) {
				k.ID = true
				break
			}
		}
	}
	slices.SortStableFunc(keys, func(a, b *Key) int { return cmp.Compare(b.rank(), a.rank()) })
	return keys
}

// plainID reports whether a name is an id in documents with neither id nor _id.
func plainID(name string) bool {
	return slices.Contains([]string{"id", "@id", "uuid", "guid", "uid", "oid", "pk", "key"}, lexicon.Fold(name))
}

// HoldsIDs reports whether an object with this name holds the ids of what it is in.
func HoldsIDs(name string) bool {
	const ofContentful = "sys" // what it knows of a document
	return name == ofContentful || slices.Contains([]string{"id", "key", "identifier", "externalid"}, lexicon.Singular(lexicon.Fold(name)))
}

func (k *Key) rank() float64 {
	r := k.Unique
	if k.ID {
		r += 4
	}
	if k.Named {
		r += 2
	}
	if k.Own {
		r++
	}
	return r - 0.5*float64(len(k.Path))
}

func (e *Entity) key(n *profile.Node, declared string, indexed []string, lex *lexicon.Lexicon) *Key {
	path := n.Path()
	id := n.IsDocumentID() || declared != "" && path.String() == declared
	count := n.ScalarCount()
	switch {
	case n.Scalars == nil, n.Types[profile.Object]+n.Types[profile.Array]+n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date]+n.Types[profile.Binary] > 0:
		return nil
	case float64(count) < keyPresence*float64(e.N()), n.Bytes > keyLength*n.Count:
		return nil
	}
	unique := n.Scalars.Values.Distinct() / float64(count)
	if whole := e.Collection.Profile.Root.At(path); whole != nil && whole.Scalars != nil {
		// A field unique in the collection is unique in each kind, even one with a
		// single document.
		all := whole.ScalarCount()
		if u := whole.Scalars.Values.Distinct() / float64(all); u > unique || count < 2 {
			unique, count = u, all
		}
	}
	if !id && (unique < keyUnique || count < 2) {
		return nil // one value is always unique
	}
	stem, _, ok := lexicon.ReferenceStem(n.Step.Name)
	own := ok && len(path) == 1 && lexicon.MatchStem(stem, e.Collection.Name) == lexicon.SameName
	chosen := slices.Contains(indexed, path.String())                                   // whoever made a unique index meant a key
	list := n.Scalars.Ints == 0 && len(path) == 1 && len(e.Root().Object.Fields()) == 1 // of values, which have no other name
	k := &Key{Own: own, Node: n, Path: path, ID: id, Named: chosen || list || lexicon.IdentityName(n.Step.Name), Indexed: chosen, Unique: unique}
	if !chosen && (prose(k) || k.foreign() || k.moment() || !k.Identifies() && lex.Has(lexicon.Metadata, n.Step.Name)) {
		return nil // who wrote a document and when does not tell it from others
	}
	return k
}

// moment reports whether the values are times, as numbers or as their digits. Two documents
// may have one in common, such as the last login of a user and the entry in a log.
func (k *Key) moment() bool {
	texts, _ := k.Node.Scalars.FormCount(profile.FormInteger)
	return !k.Identifies() && texts+k.Node.Scalars.Ints == k.Node.ScalarCount() && lexicon.TimeName(k.Node.Step.Name)
}

// foreign reports whether the values were generated as ids of other documents:
// an ObjectId is, unless it is its own document's id.
func (k *Key) foreign() bool { return k.Node.Types[profile.ObjectID] > 0 && !k.ID && !k.Own }

// Identifies reports whether documents may be referred to by the key because it is
// there to identify them: their id, or another one that they have beside it.
func (k *Key) Identifies() bool { return k.ID || k.Own || k.Named }

// SearchHit reports whether a field is the id that Elasticsearch keeps around a document,
// which is always a text, and unique within an index and a type.
func SearchHit(id *profile.Node) bool {
	return id.Step.Name == "_id" && id.Parent.Object.Field("_source") != nil
}

// ID returns the key by which the documents are addressed, or nil.
func (e *Entity) ID() *Key {
	if len(e.Keys) > 0 && (e.Keys[0].ID || e.Keys[0].Named) {
		return e.Keys[0]
	}
	return nil
}

// OwnKey returns the key that is named after the collection, as the accountId of
// accounts, if every document has one. Otherwise it returns nil.
func (e *Entity) OwnKey() *Key {
	for _, k := range e.Keys {
		if k.Own && k.Node.Present() == e.N() {
			return k
		}
	}
	return nil
}

// Identity returns the field that identifies an embedded object: the
// best-scoring scalar with the name or form of an identifier, or nil. The score
// is that of the identifiers of Souibgui et al. (DKE 2022), from name, type,
// depth and form.
func Identity(n *profile.Node) *profile.Node {
	if n.Object == nil || isTranslated(n.Object) {
		return nil
	}
	best, bestScore := (*profile.Node)(nil), 2.5
	for _, f := range n.Object.Fields() {
		if s := identityScore(f); s >= bestScore && (best == nil || s > bestScore) {
			best, bestScore = f, s
		}
	}
	return best
}

// isTranslated reports whether most fields of an object are named after languages, as
// those of a text in each of them. There, id is Indonesian.
func isTranslated(o *profile.ObjectStats) bool {
	fields, languages := o.Fields(), 0
	for _, f := range fields {
		if len(f.Step.Name) == 2 {
			if _, err := language.ParseBase(f.Step.Name); err == nil {
				languages++
			}
		}
	}
	return languages > 3 && 2*languages > len(fields)
}

func identityScore(f *profile.Node) float64 {
	if f.Scalars == nil || f.Types[profile.Object]+f.Types[profile.Array]+f.Types[profile.Double]+f.Types[profile.Bool]+f.Types[profile.Date] > 0 {
		return 0
	}
	named := lexicon.IdentityName(f.Step.Name)
	formed := f.Types[profile.ObjectID] == f.Present()
	uuids, _ := f.Scalars.FormCount(profile.FormUUID)
	formed = formed || uuids == f.Present()
	if !named && !formed {
		return 0
	}
	score := 1.0 // a string, an integer or an ObjectId
	if named {
		score++
	}
	if formed {
		score++
	}
	if slices.Contains([]string{"id", "_id", "symbol", "sku", "uuid", "isbn", "slug", "ticker"}, strings.ToLower(f.Step.Name)) {
		score += 0.5
	}
	return score + 0.5
}
