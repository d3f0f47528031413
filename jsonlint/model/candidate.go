package model

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A candidate is a field that may be a reference, with everything that does not
// depend on the target.
type candidate struct {
	from     *Entity
	node     *profile.Node
	path     profile.Path
	name     string   // of the field
	tokens   []string // of its name
	words    []stem
	nameless float64 // prior log-odds of a key that the name does not suggest
	role     bool    // its name gives another document of the same kind a role
	other    bool    // its name says that it is something else: a quantity, an id of another system
	values   *asker
	tails    *asker // of URLs and paths
	prefixes *prefixes

	namesakes namesakes
}

// An asker is a set of values to look up among the keys of groups.
type asker struct {
	sample *profile.Sample
	few    []uint64 // chosen by hash

	texts      func() []readText
	neighbours func() []uint64
}

func newAsker(s *profile.Sample) *asker {
	a := &asker{sample: s, few: s.Lowest(glimpse), texts: sync.OnceValue(func() []readText { return readTexts(s) })}
	a.neighbours = sync.OnceValue(func() []uint64 { return neighbours(a.texts()) })
	return a
}

// How much a name adds to the log-odds, by how certainly it names the target.
// It is bounded: no name makes up for missing values.
var (
	keyedOdds = [...]float64{lexicon.NoMatch: 0.5, lexicon.Abbreviation: 2.5, lexicon.SameNoun: 4.5, lexicon.SameName: 7}
	plainOdds = [...]float64{lexicon.NoMatch: 0, lexicon.Abbreviation: 1, lexicon.SameNoun: 2, lexicon.SameName: 3}
)

const (
	similarOdds = 4.5   // most letters of a word in common: idSquadra, Squadre
	aroundOdds  = -1.0  // the name is that of the object around the field, which may be a part with an id of its own
	listOdds    = 3.0   // a list whose name is the plural of the target
	roleOdds    = 4.0   // a parent, a successor
	likeOdds    = 4.0   // a field of the same name certainly refers to it
	otherOdds   = -3.0  // a name that says it is something else
	codeOdds    = -0.5  // keys other than ids that are called an identifier, or have the name of the group: case_number; names of the things that the field is named after
	uniqueOdds  = -2.0  // keys that happen to be unique
	sharedOdds  = -6.0  // both fields are keys with the same name: two collections have an attribute in common
	ownOdds     = -10.0 // the field and its target are in the same document, whose own id it seems to be
)

// nameOdds weighs the names of the field and of the group.
func (c *candidate) nameOdds(r *Reference, g *targetGroup) float64 {
	odds := c.nounOdds(r, g)
	if r.match != lexicon.NoMatch && slices.ContainsFunc(r.From.Keys, func(k *Key) bool { return k.Own && k.Node == c.node }) {
		return math.Inf(-1) // territoryId of territories does not name employee-territories
	}
	if r.From.Collection == g.collection() {
		if c.role {
			odds += roleOdds
		} else if len(c.path) == 1 && r.match != lexicon.NoMatch && !longer(c.words, g.name) && (r.From == r.To || !g.kind) {
			odds += otherOdds // the document's own id under a longer name
		}
	}
	if c.other && (r.match != lexicon.SameName || !r.keyed) {
		odds += otherOdds
	}
	return odds
}

// nounOdds weighs the word of the field's path that names the group best.
func (c *candidate) nounOdds(r *Reference, g *targetGroup) (noun float64) {
	if endsWith(c.tokens, r.Key.Node.Step.Name) && g.match(c.name) == lexicon.SameName || endsWithOwn(c.tokens, r.To) { // timeCode, timecodes.code
		noun, r.match, r.keyed = keyedOdds[lexicon.SameName], lexicon.SameName, true
	}
	for _, w := range c.words {
		m := g.match(w.word)
		o := plainOdds[m]
		switch {
		case w.key:
			o = keyedOdds[m]
		case w.around:
			o = max(o, keyedOdds[m]+aroundOdds)
		case m >= lexicon.SameNoun && c.node.Inside() && plural(w.word):
			o += listOdds
		}
		if m == lexicon.NoMatch && g.similar(w.word) {
			if m, o = lexicon.Abbreviation, similarOdds; !w.key {
				o /= 2
			}
		}
		if m > r.match || m == r.match && w.key {
			r.match, r.keyed = m, w.key && m != lexicon.NoMatch
		}
		noun = max(noun, o)
	}
	return noun
}

// endsWith reports whether the last word of a name is another name.
func endsWith(tokens []string, last string) bool {
	return len(tokens) > 1 && tokens[len(tokens)-1] == lexicon.Fold(last)
}

// endsWithOwn reports whether a name ends with that of a key which is named after the
// collection: relatedAccountId, the accountId of accounts.
func endsWithOwn(tokens []string, to *Entity) bool {
	return len(tokens) > 2 && slices.ContainsFunc(to.Keys, func(k *Key) bool {
		if !k.Own {
			return false
		}
		own := lexicon.Tokens(k.Node.Step.Name)
		return len(own) > 1 && len(own) < len(tokens) && slices.Equal(tokens[len(tokens)-len(own):], own)
	})
}

// keyOdds weighs what the key is, and whether the field is a key as well.
func (c *candidate) keyOdds(r *Reference, g *targetGroup) float64 {
	odds := 0.0
	switch k := r.Key; {
	case k.ID, k.Own:
	case k.Named, g.names(k.Node.Step.Name), r.match == lexicon.SameName && called(k.Node.Step.Name):
		odds += codeOdds
	case r.match == lexicon.NoMatch && counts(k.Node):
		return math.Inf(-1) // a revenue leads nowhere, and the same things have the same price everywhere
	default:
		odds += uniqueOdds
	}
	name := c.path[len(c.path)-1].Name
	own := r.From == r.To && c.node.Depth <= 1 && !c.role
	if own && (plainID(name) || slices.ContainsFunc(r.From.Keys, func(k *Key) bool { return k.Node == c.node })) {
		return odds + ownOdds
	}
	if g.names(name) {
		return odds // customerNumber is that of a customer, wherever it occurs
	}
	if k := r.Key; !k.Identifies() && name == k.Node.Step.Name && !c.node.Inside() {
		return odds + sharedOdds
	}
	for _, k := range r.From.Keys {
		if k.Path.String() == c.path.String() && (k.Named && !k.Own && !c.role && r.match == lexicon.NoMatch || !r.Key.ID && (k.Unique == 1 && r.Key.Unique < 1 || name == r.Key.Node.Step.Name)) {
			odds += sharedOdds
		}
	}
	return odds
}

// counts reports whether most values are numbers, as numbers or as texts.
func counts(n *profile.Node) bool {
	digits, _ := n.Scalars.FormCount(profile.FormInteger)
	return 2*(n.Scalars.Ints+digits) > n.Present()
}

// weigh returns the reference to a group, or nil if the field is more likely
// not one.
func (c *candidate) weigh(g *targetGroup) *Reference {
	for _, t := range g.targets {
		if t.Key.Node == c.node || t.Entity.Collection == c.from.Collection && !g.kind && t.Key.Path.String() == c.path.String() {
			return nil // the same field, or that of another kind of document
		}
	}
	r := &Reference{From: c.from, Node: c.node, Path: c.path, To: g.targets[0].Entity, Key: g.targets[0].Key}
	r.Odds.Name = c.nameOdds(r, g)
	located := c.prefixes.match(g)
	if located != lexicon.NoMatch {
		r.Odds.Name = max(r.Odds.Name, keyedOdds[located])
		r.match = max(r.match, located)
	}
	r.Odds.Prior = priorOdds
	if r.match == lexicon.NoMatch {
		r.Odds.Prior = c.nameless
	}
	values := c.values
	tested, found := g.glimpse(values.few)
	if found == 0 && c.tails != nil && (located != lexicon.NoMatch || !c.prefixes.shortTails) {
		values, r.Tail = c.tails, true
		tested, found = g.glimpse(values.few)
	}
	if found == 0 && len(values.few) < glimpse { // all were looked up
		return nil
	}
	domain := g.domainOf(values.texts())
	chance := g.chance(domain, values)
	if valueOdds(found, tested, chance)+r.Odds.Name+r.Odds.Prior < hopeless {
		return nil
	}
	r.measure(g, values.sample)
	if r.Found == 0 || c.own(r) {
		return nil
	}
	r.Odds.Values = valueOdds(r.Found, r.Tested, chance) + g.roundness(domain.held)
	if r.match >= lexicon.SameNoun {
		r.Odds.Name += g.reach(values)
	}
	if c.namesakes.leadingTo(g.collection(), r.Key) > 0 {
		r.Odds.Name += likeOdds
	}
	r.Odds.Key = c.keyOdds(r, g)
	r.Stem = r.match != lexicon.NoMatch
	r.Bare = r.match >= lexicon.SameNoun && !longer(c.words, g.name)
	if r.Odds.Sum() <= 0 {
		return nil
	}
	return r
}

// own reports whether the values tell documents apart that are the same as those of
// the target, as in a backup: the target has them in the same field, or they end with the
// ids of their own documents, as addresses do.
func (c *candidate) own(r *Reference) bool {
	id, same := c.from.ID(), r.To.Root().At(c.path)
	switch {
	case id == nil, r.From.Collection == r.To.Collection:
		return false
	case r.Tail:
		if tested, found, _ := c.tails.sample.Inclusion(&id.Node.Scalars.Values); found < tested {
			return false
		}
	case same == nil, same.Scalars == nil, !within(c.node, same):
		return false
	}
	return c.from.Repeats(r.To)
}

// hopeless are the log-odds of a few values from which looking up all of them
// would not help.
const hopeless = -3.0

// longer reports whether one of the stems has more words than a name:
// parentCategory is a category in a role.
func longer(words []stem, name string) bool {
	n := len(lexicon.Tokens(name))
	return slices.ContainsFunc(words, func(w stem) bool { return len(lexicon.Tokens(w.word)) > n })
}

// plural reports whether a word is in the plural.
func plural(word string) bool {
	tokens := lexicon.Tokens(word)
	last := tokens[len(tokens)-1]
	return lexicon.Plural(last) == last
}

// hasRole reports whether a name gives another document of the same kind a
// role: parentId, previous.
func hasRole(words []stem, lex *lexicon.Lexicon) bool {
	return slices.ContainsFunc(words, func(w stem) bool {
		tokens := lexicon.Tokens(w.word)
		return lex.HasWord(lexicon.Role, lexicon.Singular(tokens[len(tokens)-1]))
	})
}

// fieldName returns the name of the nearest field at or above a node.
func fieldName(n *profile.Node) string {
	for ; n != nil; n = n.Parent {
		if n.Step.Kind == profile.Field && n.Parent != nil {
			return n.Step.Name
		}
	}
	return ""
}

// A stem is a word in a path that may name what its value refers to.
type stem struct {
	word   string
	key    bool // it comes from a name such as stockId, not from a plain noun such as stocks
	around bool // it is the name of the object around a pointer
}

// nameWords returns the words on a path that may name the target: the stem of
// the last name (stockId → stock), the name itself (books), that of the object or
// array around a pointer (author.id → author), and the one around that, which says
// less (teams.home.id → teams).
func nameWords(path profile.Path) []stem {
	var words []stem
	fields := 0
	for i := len(path) - 1; i >= 0 && fields < 3; i-- {
		if path[i].Kind != profile.Field || len(lexicon.Tokens(path[i].Name)) == 0 {
			continue
		}
		fields++
		name := path[i].Name
		word, key := keyStem(name)
		switch {
		case fields == 3:
			return append(words, stem{name, false, false})
		case key:
			return append(words, stem{word, true, false})
		case fields == 1 && pointerName(name):
			continue
		}
		words = append(words, stem{name, false, fields > 1})
		if fields == 1 && !lexicon.IdentityName(name) {
			break
		}
	}
	return words
}

// keyStem returns the words of a name without the id: stockId, idSquadra.
func keyStem(name string) (stem string, ok bool) {
	if stem, _, ok = lexicon.ReferenceStem(name); ok {
		return stem, true
	}
	tokens := lexicon.Tokens(name)
	if len(tokens) < 2 || tokens[0] != "id" && tokens[0] != "ids" && tokens[0] != "fk" {
		return "", false
	}
	return strings.Join(tokens[1:], " "), true
}

// pointerName reports whether a name is that of a field in which a reference
// object stores its target's key.
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
		if tokens := lexicon.Tokens(name); len(tokens) > 0 && lex.HasWord(lexicon.Amount, tokens[0]) {
			return true
		}
		return lex.Has(lexicon.VolatileStrong, name) || lex.Has(lexicon.VolatileMedium, name)
	}
	return false
}

// nameLength is the mean number of bytes from which a text of several words is
// not a name.
const nameLength = 64

// prose reports whether a key's values are texts that references do not use: of
// several words without being called a name, or too long for one. An address is
// such a text, the title of a book is not.
func prose(k *Key) bool {
	if k.ID || k.Own {
		return false
	}
	texts, _ := k.Node.Scalars.FormCount(profile.FormText)
	if 2*texts <= k.Node.Present() {
		return false
	}
	return sentences(k.Node) || !k.Named && !called(k.Node.Step.Name)
}

// called reports whether a field says what its document is called.
func called(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && slices.Contains([]string{"name", "title", "label"}, tokens[len(tokens)-1])
}

// sentences reports whether most values are texts that are too long for names.
func sentences(n *profile.Node) bool {
	texts, _ := n.Scalars.FormCount(profile.FormText)
	return 2*texts > n.Present() && n.Bytes > nameLength*n.Count
}

// match says how clearly the part before the last segment names the group. The
// last part of a URN is globally unique. If the last segments are short numbers,
// all prefixes must name the group, because 1 can be an id of anything.
func (p *prefixes) match(g *targetGroup) lexicon.Match {
	best, others := lexicon.NoMatch, 0
	for _, segment := range p.segments {
		match := g.match(segment)
		switch {
		case segment == "uuid":
			match = lexicon.SameName
		case match == lexicon.SameNoun && len(lexicon.Tokens(segment)) >= len(lexicon.Tokens(g.name)), match == lexicon.Abbreviation:
			match = lexicon.NoMatch
		}
		if best = max(best, match); match == lexicon.NoMatch {
			others++
		}
	}
	if others > 0 && p.shortTails {
		return lexicon.NoMatch
	}
	return best
}

// prefixes are the parts before the last segments of the values at a node.
type prefixes struct {
	segments   []string // the last ones of the prefixes
	shortTails bool     // one of the last segments of the values is a short number
}

func newPrefixes(n *profile.Node) *prefixes {
	p := &prefixes{}
	for _, v := range n.Scalars.Prefixes().Values() {
		p.segments = append(p.segments, lastSegment(v.Text))
	}
	p.shortTails = len(p.segments) > 0 && shortTails(n.Scalars.Tails())
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
