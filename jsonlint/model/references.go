package model

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

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

	prefixes *prefixes // of the values at Node; nil until they are asked for

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
	enumTargets    = 3  // distinct documents below which words that lead to them are an enumeration
	nameLength     = 64 // mean bytes from which a text of several words is no name
)

func (db *Database) inferReferences(s Settings) {
	groups := db.targetGroups()
	for _, g := range groups {
		if len(g.samples) > 1 {
			g.registered()
		}
	}
	glimpses := db.newGlimpses(groups)
	entities := db.Entities()
	found := make([][]*Reference, len(entities))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(max(1, s.Jobs), len(entities)) {
		workers.Go(func() {
			w := referrer{db: db, groups: db.targetGroups(), glimpses: glimpses.own(), settings: s}
			for i, g := range w.groups {
				g.keys.register = groups[i].keys.register
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(entities) {
					return
				}
				found[i] = w.referencesOf(entities[i])
			}
		})
	}
	workers.Wait()
	db.References = withoutCopies(slices.Concat(found...))
	slices.SortStableFunc(db.References, func(a, b *Reference) int {
		return cmp.Or(cmp.Compare(a.From.Collection.Name, b.From.Collection.Name), a.Node.FirstAny().Compare(b.Node.FirstAny()))
	})
}

// A referrer finds references. Each worker has one, since what was asked of
// groups and values is remembered.
type referrer struct {
	db       *Database
	groups   []*targetGroup
	glimpses *glimpses
	settings Settings
}

func (w *referrer) referencesOf(from *Entity) (found []*Reference) {
	from.Root().Walk(func(n *profile.Node) bool {
		if r := w.reference(from, n); r != nil {
			found = append(found, r)
		}
		return true
	})
	return found
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
	kind    bool // of one kind of document
	prose   bool // nobody refers by such a key

	keys    groupKeys
	matches map[string]lexicon.Match // how surely words name the group, as far as it was asked
}

// match says how surely a word names the group.
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
	g.prose = g.prose || prose(k)
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
					g = &targetGroup{name: c.Name, matches: map[string]lexicon.Match{}}
					byPath[path] = g
					groups = append(groups, g)
				}
				g.add(e, k)
			}
		}
		for _, e := range c.Entities {
			if word := e.Word(); word != "" {
				for _, k := range e.Keys {
					kind := &targetGroup{name: word, kind: true, matches: map[string]lexicon.Match{}}
					kind.add(e, k)
					kind.keys.among(byPath[k.Path.String()], k)
					groups = append(groups, kind)
				}
			}
		}
	}
	return groups
}

// reference finds what the values at a node refer to; nil if to nothing.
func (w *referrer) reference(from *Entity, n *profile.Node) *Reference {
	if !mayRefer(n) {
		return nil
	}
	for _, k := range from.Keys {
		if k.Node == n && k.ID {
			return nil
		}
	}
	path := n.Path()
	if r := w.declared(from, n, path); r != nil {
		return r
	}
	if r := among(w.candidates(from, n, path), nil); r != nil {
		return r
	}
	// A kind may have too few values to tell; its siblings say the same.
	whole := from.Collection.Profile.Root.At(path)
	if len(from.Collection.Entities) < 2 || whole == nil || whole.Scalars == nil {
		return nil
	}
	return among(w.candidates(from, whole, path), n)
}

// A weighed reference is one that a field may be, and the group it leads to.
type weighed struct {
	*Reference
	group *targetGroup
}

// candidates returns what the values at a node may refer to.
func (w *referrer) candidates(from *Entity, n *profile.Node, path profile.Path) []weighed {
	lex := w.settings.Lexicon
	c := candidate{node: n, words: nameWords(path), small: smallIntegers(n), lex: lex}
	c.external = lex.Has(lexicon.ExternalID, fieldName(n))
	c.quantity = quantity(path, lex)
	c.few = w.glimpses.of(n, w.groups)
	c.prefixes = newPrefixes(n)
	var all []weighed
	misses, hits := c.misses(), w.glimpses.hits(c.few, len(w.groups))
	for i, g := range w.groups {
		if misses && hits[i] == 0 {
			continue
		}
		if r := c.weigh(from, path, g, hits[i]); r != nil {
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
		if best.measure(best.group); best.Resolved() < valueInclusion || best.repeatsKey() {
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

func (w *referrer) declared(from *Entity, n *profile.Node, path profile.Path) *Reference {
	for _, d := range w.settings.Declared {
		if d.From != from.Collection.Name || d.Path != path.String() {
			continue
		}
		for _, g := range w.groups {
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
	var each []int
	r.Tested, r.Found, r.SameType, each = g.inclusion(&r.Node.Scalars.Values)
	if tails := &r.Node.Scalars.Tails; r.Found == 0 && tails.Distinct() > 0 && r.prefixNames(g) {
		if tested, found, _, parts := g.inclusion(tails); found > 0 {
			r.Tested, r.Found, r.SameType, r.Tail = tested, found, found, true
			each = parts
		}
	}
	most := -1
	for i, t := range g.targets {
		if each[i] > most {
			most, r.To, r.Key = each[i], t.Entity, t.Key
		}
	}
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

// Word returns the value of the discriminator that makes the kind, "" if the
// kind has none.
func (e *Entity) Word() string {
	if e.split == nil || e.split.byHash == nil || e.index >= len(e.Collection.Discriminator.Values) {
		return ""
	}
	return e.Collection.Discriminator.Values[e.index].Text
}
