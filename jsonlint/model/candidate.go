package model

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A candidate is a field that may be a reference, with what can be said of it
// whatever the target.
type candidate struct {
	node     *profile.Node
	words    []stem
	small    bool     // its values are small integers, which are ids of anything
	external bool     // its name is that of an id which another system issues
	quantity bool     // its name is that of a number of things
	few      []uint64 // some values, chosen by hash
	prefixes *prefixes
	lex      *lexicon.Lexicon
}

// weigh returns the reference to a group, nil if the field refers to
// something else; hits is how many of the few values are keys of the group.
func (c *candidate) weigh(from *Entity, path profile.Path, g *targetGroup, hits int) *Reference {
	for _, t := range g.targets {
		if t.Key.Node == c.node || t.Entity.Collection == from.Collection && !g.kind && t.Key.Path.String() == path.String() {
			return nil // the same field, or that of another kind of document
		}
	}
	if g.prose {
		return nil
	}
	r := &Reference{From: from, Node: c.node, Path: path, prefixes: c.prefixes}
	for _, w := range c.words {
		m := g.match(w.word)
		if m > r.match || m == r.match && w.key {
			r.match, r.keyed = m, w.key && m != lexicon.NoMatch
		}
	}
	if r.match == lexicon.NoMatch && !c.seems(g, hits) && !r.prefixNames(g) {
		return nil
	}
	r.measure(g)
	if r.Found == 0 {
		return nil
	}
	small := c.small && !g.sparse(&c.node.Scalars.Values)
	r.Stem = r.match != lexicon.NoMatch
	if r.Stem && c.named(r, g, small) {
		return r
	}
	r.Stem, r.match, r.keyed = false, lexicon.NoMatch, false
	counters := small || !r.Tail && smallIntegers(r.Key.Node) && !g.sparse(&c.node.Scalars.Values)
	if c.role(r, g) || !counters && c.byValue(r) {
		return r
	}
	return nil
}

// named decides where the name of the field is one of the target. Small
// integers are in every collection, so that they need the surer names.
func (c *candidate) named(r *Reference, g *targetGroup, small bool) bool {
	resolved := r.Resolved()
	if c.external && (r.match != lexicon.SameName || resolved < valueInclusion) {
		return false
	}
	own := r.From.Collection == g.collection() && (r.From == r.To || g.name == g.collection().Name)
	if own && !r.Node.Inside() && len(r.Path) == 1 && r.match == lexicon.SameName {
		return false // the document's own id under a longer name: userId of a user
	}
	if !r.keyed && r.Found < enumTargets && !r.Tail && !r.Node.Inside() && words(r.Node) {
		return false // a word of a few is a value of an enumeration, whatever is called after it
	}
	if !r.Key.ID && !r.Key.Own {
		if name := r.Path[len(r.Path)-1].Name; name == r.Key.Node.Step.Name && !pointerName(name) && !r.Key.Named {
			return false // comment of a comment: a copy of the text
		}
		least := keyInclusion
		if codes(r.Key.Node) {
			least = stemInclusion
		}
		return !small && !dates(r.Node) && (r.Found >= 2 || r.keyed) && resolved >= least
	}
	if !small {
		return resolved >= stemInclusion || r.keyed
	}
	switch {
	case r.Tail:
		return resolved >= stemInclusion
	case r.match == lexicon.Abbreviation, c.quantity:
		return false
	case r.match == lexicon.SameNoun && own && !longer(c.words, g.name):
		return false // the bookId of an authorBook is no id of an authorBook
	case r.keyed:
		return r.match == lexicon.SameName || resolved >= stemInclusion
	}
	// A plain noun: books holds ids, book.id is one, book = 3 may be anything.
	if resolved < nounInclusion {
		return false
	}
	if last := r.Path[len(r.Path)-1]; last.Kind == profile.Field {
		return pointerName(last.Name)
	}
	tokens := lexicon.Tokens(r.Field())
	return r.Found >= 2 && len(tokens) > 0 && lexicon.Plural(tokens[len(tokens)-1]) == tokens[len(tokens)-1]
}

// longer reports whether one of the stems has more words than a name:
// parentCategory is a category in a role.
func longer(words []stem, name string) bool {
	n := len(lexicon.Tokens(name))
	return slices.ContainsFunc(words, func(w stem) bool { return len(lexicon.Tokens(w.word)) > n })
}

// role decides on names that give another document of the same kind a role:
// parentId, previousId.
func (c *candidate) role(r *Reference, g *targetGroup) bool {
	if r.From.Collection != g.collection() || !r.Key.ID || r.Tested < valueCount || r.Resolved() < valueInclusion {
		return false
	}
	return slices.ContainsFunc(c.words, func(w stem) bool {
		switch tokens := lexicon.Tokens(w.word); lexicon.Singular(tokens[len(tokens)-1]) {
		case "parent", "ancestor", "child", "previous", "prev", "next", "root", "predecessor", "successor", "sibling":
			return w.key || r.Node.Inside() || !c.small
		}
		return false
	})
}

// byValue reports whether the values alone make it a reference.
func (c *candidate) byValue(r *Reference) bool {
	if c.external || r.Resolved() < valueInclusion || r.Found < valueCount || dates(r.Node) ||
		!r.Key.ID && !r.Key.Own && !r.Key.Named && !codes(r.Key.Node) {
		return false
	}
	if slices.ContainsFunc(r.From.Keys, func(k *Key) bool {
		return k.Node == r.Node && (k.Named || r.Node.Step.Name == r.Key.Node.Step.Name)
	}) {
		return false // a natural key that two collections share
	}
	if r.From.Collection == r.To.Collection && r.Node.Depth <= 1 && !r.Node.Inside() {
		if plainID(r.Path[len(r.Path)-1].Name) {
			return false // the document's own id once more: uid beside _id
		}
		return r.Key.ID && !r.repeatsKey() // else another field of the same document that repeats the key
	}
	return true
}

// fieldName is the name that stands for a node: of the nearest field.
func fieldName(n *profile.Node) string {
	for ; n != nil; n = n.Parent {
		if n.Step.Kind == profile.Field && n.Parent != nil {
			return n.Step.Name
		}
	}
	return ""
}

// stem is a word that a path says its value is about.
type stem struct {
	word string
	key  bool // it comes from a name such as stockId, not from a plain noun such as stocks
}

// nameWords returns what the names on a path may say about the target: the
// stem of the last name (stockId → stock), the name itself (books), and that
// of the object or array around a pointer (author.id → author).
func nameWords(path profile.Path) []stem {
	var words []stem
	fields := 0
	for i := len(path) - 1; i >= 0 && fields < 2; i-- {
		if path[i].Kind != profile.Field || len(lexicon.Tokens(path[i].Name)) == 0 {
			continue
		}
		fields++
		name := path[i].Name
		switch word, _, ok := lexicon.ReferenceStem(name); {
		case ok:
			words = append(words, stem{word, true})
		case fields == 1 && pointerName(name):
			continue
		default:
			words = append(words, stem{name, false})
		}
		if !lexicon.IdentityName(name) || words[len(words)-1].key {
			return words
		}
	}
	return words
}

// pointerName are the names of the fields in which a reference object keeps
// its target's key.
func pointerName(name string) bool {
	switch name {
	case "id", "_id", "ID", "Id", "$id", "$oid", "ref", "_ref", "$ref", "href", "url", "uri", "reference", "key", "_key", "index", "name", "uid", "uuid":
		return true
	}
	return false
}

// quantity reports whether a path says how many or how much: totalProducts,
// ratings[].
func quantity(path profile.Path, lex *lexicon.Lexicon) bool {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Kind != profile.Field {
			continue
		}
		name := path[i].Name
		if _, _, ok := lexicon.ReferenceStem(name); ok || pointerName(name) {
			return false
		}
		first, _, _ := strings.Cut(strings.Join(lexicon.Tokens(name), " "), " ")
		switch first {
		case "total", "num", "number", "count", "sum", "max", "min", "avg", "average", "no":
			return true
		}
		return lex.Has(lexicon.VolatileStrong, name) || lex.Has(lexicon.VolatileMedium, name)
	}
	return false
}

// smallIntegers reports whether the values are integers, or strings of
// digits, as counters make them. Words for a missing value do not count.
func smallIntegers(n *profile.Node) bool {
	s := n.Scalars
	return s.Ints > 0 && s.MaxInt < smallInteger || onlyDigits(n) && n.Bytes < 10*n.Count
}

func onlyDigits(n *profile.Node) bool {
	texts, digits := int64(0), int64(0)
	for f := profile.Form(0); f < profile.NumForms; f++ {
		count, _ := n.Scalars.FormCount(f)
		if f == profile.FormPlaceholder || f == profile.FormEmpty {
			continue
		}
		texts += count
		if f == profile.FormInteger || f == profile.FormLeadingZero {
			digits += count
		}
	}
	return texts > 0 && 10*digits >= 9*texts
}

// repeatsKey reports whether the field is a key of the documents that it
// leads to: a name that is the id as well.
func (r *Reference) repeatsKey() bool {
	return r.From == r.To && slices.ContainsFunc(r.From.Keys, func(k *Key) bool { return k.Path.String() == r.Path.String() })
}

// dates reports whether most values are dates: documents of one day share
// them without referring to each other.
func dates(n *profile.Node) bool {
	count := int64(0)
	for f := profile.FormDate; f.IsDate(); f++ {
		k, _ := n.Scalars.FormCount(f)
		count += k
	}
	return 2*count > n.ScalarCount()
}

// codes reports whether a key's values are codes: without white space, and no
// plain words.
func codes(n *profile.Node) bool {
	codes := int64(0)
	for _, f := range []profile.Form{
		profile.FormUpper, profile.FormToken, profile.FormPrefixNumber, profile.FormUUID, profile.FormHex24,
		profile.FormHex, profile.FormURL, profile.FormPath,
	} {
		k, _ := n.Scalars.FormCount(f)
		codes += k
	}
	return 10*codes >= 9*n.Present()
}

// words reports whether most values are plain words, which people choose.
func words(n *profile.Node) bool {
	count, _ := n.Scalars.FormCount(profile.FormWord)
	return 2*count > n.Present()
}

// prose reports whether a key's values are texts that nobody refers by: of
// several words without being called the name of something, or too long for
// one. An address is such, the title of a book is not.
func prose(k *Key) bool {
	if k.ID || k.Own {
		return false
	}
	texts, _ := k.Node.Scalars.FormCount(profile.FormText)
	if 2*texts <= k.Node.Present() {
		return false
	}
	tokens := lexicon.Tokens(k.Node.Step.Name)
	if k.Node.Bytes > nameLength*k.Node.Count || len(tokens) == 0 {
		return true
	}
	switch tokens[len(tokens)-1] {
	case "name", "title", "label":
		return false
	}
	return !k.Named
}

// prefixNames reports whether what stands before the last segment names the
// group, or is a URN, whose last part is globally unique. Where the last
// segments are small integers all prefixes must name it: 1 is an id of
// anything.
func (r *Reference) prefixNames(g *targetGroup) bool {
	if r.prefixes == nil || r.prefixes.node != r.Node {
		r.prefixes = newPrefixes(r.Node)
	}
	names, others := 0, 0
	for _, segment := range r.prefixes.segments {
		match := g.match(segment)
		if segment == "uuid" || match == lexicon.SameName ||
			match == lexicon.SameNoun && len(lexicon.Tokens(segment)) < len(lexicon.Tokens(g.name)) {
			names++
		} else {
			others++
		}
	}
	return names > 0 && (others == 0 || !r.prefixes.shortTails)
}

// prefixes is what stands before the last segments of the values at a node.
type prefixes struct {
	node       *profile.Node
	segments   []string // the last ones of the prefixes
	shortTails bool     // one of the last segments of the values is a short number
}

func newPrefixes(n *profile.Node) *prefixes {
	p := &prefixes{node: n}
	for _, v := range n.Scalars.Prefixes.Values() {
		p.segments = append(p.segments, lastSegment(v.Text))
	}
	p.shortTails = len(p.segments) > 0 && shortTails(&n.Scalars.Tails)
	return p
}

// shortTails reports whether one of the last segments that are kept is a
// short number.
func shortTails(tails *profile.Sample) bool {
	return slices.ContainsFunc(tails.Values(), func(v profile.SampledValue) bool {
		return v.HasText && len(v.Text) < 7 && profile.FormOf([]byte(v.Text)) == profile.FormInteger
	})
}

func lastSegment(prefix string) string {
	end := len(prefix)
	for end > 0 && (prefix[end-1] == '/' || prefix[end-1] == ':') {
		end--
	}
	start := end
	for start > 0 && prefix[start-1] != '/' && prefix[start-1] != ':' {
		start--
	}
	return prefix[start:end]
}
