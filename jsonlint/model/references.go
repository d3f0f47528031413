package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Reference is a field whose values are keys of documents.
type Reference struct {
	From *Entity
	Node *profile.Node // the field, or the element of an array
	Path profile.Path

	// To is the kind of document that most values lead to. Values may lead to
	// other kinds of its collection too, see [Reference.Targets].
	To  *Entity
	Key *Key // of To

	Tail     bool // the key is the last segment of the value: /stocks/1, urn:uuid:…
	Declared bool // by the user
	Stem     bool // the field's name, or that of the object around it, names the target

	// Of the distinct values of which the samples can tell: how many there
	// are, how many are keys of the target's collection whatever their type,
	// and how many with the type of the key.
	Tested, Found, SameType int

	match lexicon.Match // how surely the name names the target
	keyed bool          // by a name such as stockId, not by a plain noun such as stocks
}

// Resolved is the share of the tested values that are keys of the target.
func (r *Reference) Resolved() float64 {
	if r.Tested == 0 {
		return 0
	}
	return float64(r.Found) / float64(r.Tested)
}

// Many reports whether a document holds a list of such references.
func (r *Reference) Many() bool { return r.Node.Inside() }

// Field returns the name that stands for the reference: of the field, or of
// the array or object that holds it.
func (r *Reference) Field() string { return fieldName(r.Node) }

// A Target is a kind of document that values of a reference may lead to.
type Target struct {
	Entity *Entity
	Key    *Key
}

// Targets returns all kinds of the target's collection that have its key.
func (r *Reference) Targets() []Target {
	path := r.Key.Path.String()
	var out []Target
	for _, e := range r.To.Collection.Entities {
		for _, k := range e.Keys {
			if k.Path.String() == path {
				out = append(out, Target{e, k})
			}
		}
	}
	return out
}

const (
	valueInclusion = 0.8  // share of the values that must be keys where only the values speak
	valueCount     = 5    // distinct values that must speak
	nounInclusion  = 0.8  // share that must be keys where a plain noun and small integers speak
	stemInclusion  = 0.2  // share that is enough where the name speaks too
	keyInclusion   = 0.5  // ... but the key is not the id
	extension      = 0.95 // share of an extending collection's keys that the extended one has
	smallInteger   = 1_000_000
	sparse         = 0.1 // share of the integers next to values that are keys, below which a hit is no accident
	sparseTests    = 20
)

func (db *Database) inferReferences(s Settings) {
	groups := db.targetGroups()
	for _, from := range db.Entities() {
		from.Root().Walk(func(n *profile.Node) bool {
			if r := db.reference(from, n, groups, s); r != nil {
				db.References = append(db.References, r)
			}
			return true
		})
	}
	db.References = withoutCopies(db.References)
	slices.SortStableFunc(db.References, func(a, b *Reference) int {
		return cmp.Or(cmp.Compare(a.From.Collection.Name, b.From.Collection.Name), a.Node.FirstAny().Compare(b.Node.FirstAny()))
	})
}

// withoutCopies drops attributes copied beside a reference: of the members of
// one object that hold different keys of one collection, user.id and
// user.name, only the surest one refers to it.
func withoutCopies(references []*Reference) []*Reference {
	var kept []*Reference
	for i, r := range references {
		if !slices.ContainsFunc(references[:i], func(o *Reference) bool { return o.besides(r) && !r.better(o) }) &&
			!slices.ContainsFunc(references[i+1:], func(o *Reference) bool { return o.besides(r) && o.better(r) }) {
			kept = append(kept, r)
		}
	}
	return kept
}

func (r *Reference) besides(o *Reference) bool {
	return r.Node.Parent == o.Node.Parent && r.To.Collection == o.To.Collection && r.Key.Path.String() != o.Key.Path.String() && !o.Declared
}

// A targetGroup is what a reference may lead to: the documents of a
// collection that have a key at the same path, or one kind of them, which its
// discriminator gives a name of its own.
type targetGroup struct {
	name    string // as references call it
	targets []Target
	samples []*profile.Sample
}

func (g *targetGroup) add(e *Entity, k *Key) {
	g.targets = append(g.targets, Target{e, k})
	g.samples = append(g.samples, &k.Node.Scalars.Values)
}

// sparse reports whether the keys are integers far apart, so that few other
// integers happen to be among them: those next to the values are not.
func (g *targetGroup) sparse(values *profile.Sample) bool {
	tested, hits := 0, 0
	for _, v := range values.Values() {
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if err != nil {
			continue
		}
		for _, next := range []int64{n - 1, n + 1} {
			hash := profile.HashText(strconv.AppendInt(nil, next, 10))
			for _, s := range g.samples {
				if count, _, known := s.Lookup(hash); known {
					tested++
					hits += int(min(count, 1))
				}
			}
		}
	}
	return tested >= sparseTests && float64(hits) < sparse*float64(tested)
}

func (g *targetGroup) collection() *Collection { return g.targets[0].Entity.Collection }

// targetGroups lists the groups in a fixed order.
func (db *Database) targetGroups() []*targetGroup {
	var groups []*targetGroup
	for _, c := range db.Collections {
		byPath := map[string]*targetGroup{}
		for _, e := range c.Entities {
			for _, k := range e.Keys {
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
					kind := &targetGroup{name: word}
					kind.add(e, k)
					groups = append(groups, kind)
				}
			}
		}
	}
	return groups
}

// reference finds what the values at a node refer to; nil if to nothing.
func (db *Database) reference(from *Entity, n *profile.Node, groups []*targetGroup, s Settings) *Reference {
	if n.Scalars == nil || n.ScalarCount() == 0 || n.Types[profile.Double]+n.Types[profile.Bool]+n.Types[profile.Date]+n.Types[profile.Binary] > 0 {
		return nil
	}
	for _, k := range from.Keys {
		if k.Node == n && k.ID {
			return nil
		}
	}
	path := n.Path()
	if r := declared(from, n, path, groups, s); r != nil {
		return r
	}
	if r := among(candidates(from, n, path, groups, s), nil); r != nil {
		return r
	}
	// A kind may have too few values to tell; its siblings say the same.
	whole := from.Collection.Profile.Root.At(path)
	if len(from.Collection.Entities) < 2 || whole == nil || whole.Scalars == nil {
		return nil
	}
	return among(candidates(from, whole, path, groups, s), n)
}

// A weighed reference is one that a field may be, and the group it leads to.
type weighed struct {
	*Reference
	group *targetGroup
}

// candidates returns what the values at a node may refer to.
func candidates(from *Entity, n *profile.Node, path profile.Path, groups []*targetGroup, s Settings) []weighed {
	c := candidate{node: n, words: nameWords(path), small: smallIntegers(n), lex: s.Lexicon}
	c.external = s.Lexicon.Has(lexicon.ExternalID, fieldName(n))
	c.quantity = quantity(path, s.Lexicon)
	var all []weighed
	for _, g := range groups {
		if r := c.weigh(from, path, g); r != nil {
			all = append(all, weighed{r, g})
		}
	}
	return all
}

// among chooses the best of what a field may refer to, nil if none is. With
// kind, the values were those of several kinds of document, of which only
// those at this node count.
func among(all []weighed, kind *profile.Node) *Reference {
	if len(all) == 0 {
		return nil
	}
	best := all[0]
	for _, w := range all[1:] {
		if w.better(best.Reference) {
			best = w
		}
	}
	if !best.Stem {
		if best = amongRivals(all); best.Reference == nil {
			return nil
		}
	}
	if kind != nil {
		best.Node = kind
		if best.measure(best.group); best.Resolved() < valueInclusion || best.From == best.To && kind.Depth <= 1 && !best.Stem {
			return nil
		}
	}
	return best.Reference
}

// amongRivals chooses where only values speak and several collections have
// them as keys: collections that extend another one share its keys (the user
// and the user's settings), and the one that has all of them is meant. It
// returns none if there is no such.
func amongRivals(all []weighed) weighed {
	keys := func(r weighed) *profile.Sample { return &r.Key.Node.Scalars.Values }
	for _, r := range all {
		rivals := slices.ContainsFunc(all, func(o weighed) bool {
			if o.To.Collection == r.To.Collection {
				return o.better(r.Reference)
			}
			tested, found, _ := keys(o).Inclusion(keys(r))
			return float64(found) < extension*float64(tested) || keys(o).Distinct() >= keys(r).Distinct()
		})
		if !rivals {
			return r
		}
	}
	return weighed{}
}

func declared(from *Entity, n *profile.Node, path profile.Path, groups []*targetGroup, s Settings) *Reference {
	for _, d := range s.Declared {
		if d.From != from.Collection.Name || d.Path != path.String() {
			continue
		}
		for _, g := range groups {
			if key := g.targets[0].Key; g.name == d.To && g.collection().Name == d.To && (d.Key == "" && key.ID || d.Key == key.Path.String()) {
				r := &Reference{From: from, Node: n, Path: path, Declared: true, Stem: true, match: lexicon.SameName, keyed: true}
				r.measure(g)
				return r
			}
		}
	}
	return nil
}

// measure joins the values with the keys of a group.
func (r *Reference) measure(g *targetGroup) {
	values := &r.Node.Scalars.Values
	r.Tested, r.Found, r.SameType = values.Inclusion(g.samples...)
	if tails := &r.Node.Scalars.Tails; r.Found == 0 && tails.Distinct() > 0 && r.prefixNames(g) {
		if tested, found, _ := tails.Inclusion(g.samples...); found > 0 {
			r.Tested, r.Found, r.SameType, r.Tail = tested, found, found, true
			values = tails
		}
	}
	r.To, r.Key = g.targets[0].Entity, g.targets[0].Key
	if len(g.targets) > 1 {
		most := -1
		for i, t := range g.targets {
			if _, found, _ := values.Inclusion(g.samples[i]); found > most {
				most, r.To, r.Key = found, t.Entity, t.Key
			}
		}
	}
}

// A candidate is a field that may be a reference, with what can be said of it
// whatever the target.
type candidate struct {
	node     *profile.Node
	words    []stem
	small    bool // its values are small integers, which are ids of anything
	external bool // its name is that of an id which another system issues
	quantity bool // its name is that of a number of things
	lex      *lexicon.Lexicon
}

// weigh returns the reference to a group, nil if the field refers to
// something else.
func (c *candidate) weigh(from *Entity, path profile.Path, g *targetGroup) *Reference {
	for _, t := range g.targets {
		if t.Key.Node == c.node {
			return nil
		}
	}
	r := &Reference{From: from, Node: c.node, Path: path}
	for _, w := range c.words {
		m := lexicon.MatchStem(w.word, g.name)
		if m > r.match || m == r.match && w.key {
			r.match, r.keyed = m, w.key && m != lexicon.NoMatch
		}
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
	if c.role(r, g) || !small && c.byValue(r) {
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
			return w.key || r.Node.Inside()
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
		return r.From != r.To && r.Key.ID // else another field of the same document that repeats the key
	}
	return true
}

func (r *Reference) better(o *Reference) bool {
	score := func(r *Reference) float64 {
		s := r.Resolved() + float64(r.match)
		if r.Stem {
			s++
		}
		if r.Key.ID {
			s += 0.5
		} else if r.Key.Own || r.Key.Named {
			s += 0.25
		}
		if r.Tail {
			s -= 0.1
		}
		return s + 0.3*float64(r.SameType)/float64(max(1, r.Found))
	}
	return score(r) > score(o)
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
// digits, as counters make them.
func smallIntegers(n *profile.Node) bool {
	s := n.Scalars
	return s.Ints > 0 && s.MaxInt < smallInteger || onlyDigits(n) && n.Bytes < 10*n.Count
}

func onlyDigits(n *profile.Node) bool {
	texts, digits := int64(0), int64(0)
	for f := profile.Form(0); f < profile.NumForms; f++ {
		count, _ := n.Scalars.FormCount(f)
		texts += count
		if f == profile.FormInteger || f == profile.FormLeadingZero {
			digits += count
		}
	}
	return texts > 0 && 10*digits >= 9*texts
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

// prefixNames reports whether what stands before the last segment names the
// group, or is a URN, whose last part is globally unique. Where the last
// segments are small integers all prefixes must name it: 1 is an id of
// anything.
func (r *Reference) prefixNames(g *targetGroup) bool {
	names, others := 0, 0
	for _, p := range r.Node.Scalars.Prefixes.Values() {
		segment := lastSegment(p.Text)
		match := lexicon.MatchStem(segment, g.name)
		if segment == "uuid" || match == lexicon.SameName ||
			match == lexicon.SameNoun && len(lexicon.Tokens(segment)) < len(lexicon.Tokens(g.name)) {
			names++
		} else {
			others++
		}
	}
	return names > 0 && (others == 0 || !shortTails(&r.Node.Scalars.Tails))
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

// Word returns the value of the discriminator that makes the kind, "" if the
// kind has none.
func (e *Entity) Word() string {
	if e.split == nil || e.split.byHash == nil || e.index >= len(e.Collection.Discriminator.Values) {
		return ""
	}
	return e.Collection.Discriminator.Values[e.index].Text
}

// Keyed reports whether the field is named as a reference to the target:
// stockId, and not stock or stocks[].
func (r *Reference) Keyed() bool { return r.keyed }

// Owned reports whether the field is rather the id of the object that holds
// it than a reference: comments[].id among other members of a comment.
func (r *Reference) Owned() bool {
	last := r.Path[len(r.Path)-1]
	return !r.keyed && !r.Declared && last.Kind == profile.Field && len(r.Path) > 1 && idName(last.Name) && len(r.Node.Parent.Object.Fields()) > 2
}

func idName(name string) bool {
	switch lexicon.Fold(name) {
	case "id", "uid", "uuid", "guid", "key":
		return true
	}
	return false
}
