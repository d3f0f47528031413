package model

import (
	"cmp"
	"context"
	"slices"
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

	// To is the kind of document that most values lead to. Values may also lead to
	// other kinds of its collection, see [Reference.Targets].
	To  *Entity
	Key *Key // of To

	Tail     bool // the key is the last segment of the value: /stocks/1, urn:uuid:…
	Declared bool // by the user
	Stem     bool // the field's name, or that of the object around it, names the target
	Bare     bool // the name says nothing else: books does, likedBooks does not
	Likewise int  // values of a field of this name that certainly refers to the key, with all its values; 0 if there is none

	// Only distinct values that the samples can judge are counted: all of them,
	// those that are keys of the target's collection in any type, and those that
	// also have the type of the key.
	Tested, Found, SameType int

	Odds Odds

	match lexicon.Match // how certainly the name names the target
	keyed bool          // by a name such as stockId, not by a plain noun such as stocks
}

// Resolved returns the share of the tested values that are keys of the target.
func (r *Reference) Resolved() float64 {
	if r.Tested == 0 {
		return 0
	}
	return float64(r.Found) / float64(r.Tested)
}

// Many reports whether a document holds a list of such references.
func (r *Reference) Many() bool { return r.Node.Inside() }

// Certain reports whether the field certainly refers to an identity of the
// target: to its id, or to another key that values and names show it to mean.
func (r *Reference) Certain() bool {
	return r.Declared || r.Key.ID || r.Key.Own || r.Odds.Sum() >= Sure
}

// Doubtful reports whether neither values nor names are enough to say that the field refers to the key.
func (r *Reference) Doubtful() bool { return !r.Stem && !r.Key.Indexed && !r.Certain() }

// Accidental reports whether the values are keys no more often than by accident, and the
// name is not that of the collection: occurrences are not ms_occurrences.
func (r *Reference) Accidental() bool { return r.Odds.Values < 0 && r.match < lexicon.SameName }

// Field returns the name that stands for the reference: of the field, or of the
// array or object that contains it.
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

// Odds are the log-odds that a field refers to a key, by kind of evidence.
type Odds struct {
	Prior  float64 // before anything is known, see [priorOdds]
	Values float64 // the hits, given how likely they are by accident
	Name   float64 // the names of the field and of the target, and numbers that confirm them
	Key    float64 // what the key is
}

// Sure is the log of nineteen to one.
const Sure = 3.0

// Sum returns the log-odds given all the evidence.
func (o Odds) Sum() float64 { return o.Prior + o.Values + o.Name + o.Key }

const extension = 0.95 // share of an extending collection's keys that the extended one has

func (db *Database) inferReferences(ctx context.Context, s Settings) error {
	groups := db.targetGroups()
	for _, g := range groups {
		if len(g.samples) > 1 {
			g.registered()
		}
	}
	index, err := newKeyIndex(ctx, db, groups)
	if err != nil {
		return err
	}
	entities := db.Entities()
	found := make([][]*Reference, len(entities))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(max(1, s.Jobs), len(entities)) {
		workers.Go(func() {
			w := newReferrer(ctx, db, index, s, groups)
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(entities) {
					return
				}
				found[i] = w.referencesOf(entities[i])
			}
		})
	}
	workers.Wait()
	all := slices.Concat(found...)
	w := newReferrer(ctx, db, index, s, groups)
	references := append(all, w.likewise(entities, all)...)
	w.through(references)
	w.beside(references)
	references = withoutCopies(references)
	slices.SortStableFunc(references, func(a, b *Reference) int {
		return cmp.Or(cmp.Compare(a.From.Collection.Name, b.From.Collection.Name), a.Node.FirstAny().Compare(b.Node.FirstAny()))
	})
	db.setReferences(references)
	return ctx.Err()
}

// A referrer finds references. Each worker has one, because it caches what was
// looked up for groups and values.
type referrer struct {
	ctx      context.Context
	db       *Database
	groups   []*targetGroup
	index    *keyIndex
	settings Settings
}

func newReferrer(ctx context.Context, db *Database, index *keyIndex, s Settings, groups []*targetGroup) *referrer {
	w := &referrer{ctx: ctx, db: db, index: index, settings: s, groups: make([]*targetGroup, len(groups))}
	for i, g := range groups {
		w.groups[i] = g.own()
	}
	for _, g := range w.groups {
		if g.keys.all != nil {
			g.keys.all = w.groups[g.keys.all.index]
		}
	}
	return w
}

// likewise says of references whether a field of the same name elsewhere certainly
// leads to the same key, with all its values. It also returns the references that
// only such a field shows, because most of their own values lead nowhere.
func (w *referrer) likewise(entities []*Entity, all []*Reference) (more []*Reference) {
	sure, known := map[string]namesakes{}, map[*profile.Node]*Reference{}
	for _, r := range all {
		known[r.Node] = r
		if name := r.Field(); r.Found == r.Tested && r.Odds.Sum() >= Sure && !pointerName(name) && name != r.Key.Node.Step.Name { // those names may lead anywhere
			if sure[name] == nil {
				sure[name] = namesakes{}
			}
			sure[name][r.To.Collection] = append(sure[name][r.To.Collection], r)
		}
	}
	for _, e := range entities {
		e.Root().Walk(func(n *profile.Node) bool {
			alike, r := sure[fieldName(n)], known[n]
			if len(alike) == 0 {
				return true
			}
			if r == nil {
				if r = w.reference(e, n, alike); r == nil {
					return true
				}
				more = append(more, r)
			}
			r.Likewise = alike.leadingTo(r.To.Collection, r.Key)
			return true
		})
	}
	return more
}

// through turns references to a field that itself refers to the ids of another
// collection into references to that collection: userId leads to users, not to the
// settings that also have a userId.
func (w *referrer) through(all []*Reference) {
	further := map[*profile.Node]*Reference{}
	for _, r := range all {
		if r.Key.ID {
			further[r.Node] = r
		}
	}
	for _, r := range all {
		next := further[r.Key.Node]
		if next == nil || r.Declared {
			continue
		}
		if next.To.Collection == r.To.Collection { // documents repeat their own id, in the type of the references
			r.Key.Own = r.Key.Own || next.Found == next.Tested
			continue
		}
		collection, key := next.To.Collection, next.Key
		if r.match >= lexicon.SameNoun { // idPatient refers to patients, whatever else has the same number there
			collection, key = r.To.Collection, r.To.ID()
		}
		w.redirect(r, r.Found, func(t Target) bool {
			return t.Entity.Collection == collection && key != nil && t.Key.Path.String() == key.Path.String()
		})
	}
}

// beside corrects references by the id in an object, such as {"id":7,"value":"BSB"}, of which
// some lead nowhere. If another member surely names documents that have all the ids, the ids
// are theirs. The name of the object says this of any id, if there are as many ids as names,
// {"product_id":7,"name":"Tea"}, and of ids with the same name elsewhere.
func (w *referrer) beside(all []*Reference) {
	named, turned := map[*profile.Node][]*Reference{}, map[string][]*Reference{}
	for _, r := range all {
		if r.Odds.Values >= Sure && r.Node.Depth > 1 && !r.Key.ID {
			named[r.Node.Parent] = append(named[r.Node.Parent], r)
		}
	}
	turn := func(r, by *Reference) {
		before := r.To.Collection
		if r.Found < r.Tested && by.To.Collection != before && !r.Declared {
			w.redirect(r, r.Tested, func(t Target) bool { return t.Entity.Collection == by.To.Collection && t.Key.Identifies() })
		}
		if name := r.Field(); r.To.Collection != before && !pointerName(name) {
			turned[name] = append(turned[name], r)
		}
	}
	for _, r := range all {
		for _, by := range named[r.Node.Parent] {
			if pointerName(r.Node.Step.Name) || called(by.Node.Step.Name) && 10*r.Tested >= 9*by.Tested {
				turn(r, by)
			}
		}
	}
	for _, r := range all {
		for _, like := range turned[r.Field()] {
			turn(r, like)
		}
	}
}

// redirect makes a reference lead to the best of some other keys to which at least so
// many of its values lead.
func (w *referrer) redirect(r *Reference, least int, keys func(Target) bool) {
	best := *r
	for _, g := range w.groups {
		if !keys(g.targets[0]) {
			continue
		}
		to := *r
		to.Likewise = 0 // that was about the other key
		if to.measure(g, nil); to.Found >= least && (best.Key == r.Key || to.better(&best)) {
			best = to
		}
	}
	*r = best
}

// namesakes are the certain references from fields of one name, by the collection that
// they lead to.
type namesakes map[*Collection][]*Reference

// leadingTo returns the most values with which one of the references leads to a key
// of a collection.
func (n namesakes) leadingTo(c *Collection, k *Key) (most int) {
	for _, r := range n[c] {
		if r.Key == k || r.Key.Path.String() == k.Path.String() {
			most = max(most, r.Found)
		}
	}
	return most
}

func (w *referrer) referencesOf(from *Entity) (found []*Reference) {
	from.Root().Walk(func(n *profile.Node) bool {
		if r := w.reference(from, n, nil); r != nil {
			found = append(found, r)
		}
		return true
	})
	return found
}

// withoutCopies drops attributes that are copied together with a reference. If
// members of one object hold different keys of one collection, such as user.id
// and user.name, only the most certain one refers to it, unless another names
// more documents.
func withoutCopies(references []*Reference) []*Reference {
	siblings := map[*profile.Node][]*Reference{}
	for _, r := range references {
		siblings[r.Node.Parent] = append(siblings[r.Node.Parent], r)
	}
	return slices.DeleteFunc(references, func(r *Reference) bool {
		return slices.ContainsFunc(siblings[r.Node.Parent], func(o *Reference) bool {
			return o.accompanies(r) && o.truer(r) || o != r && r.ownsElement() && o.To.Collection == r.To.Collection && o.Resolved() >= r.Resolved()
		})
	})
}

// truer reports whether of two fields that refer to the same documents by different
// keys, this one is the reference and o a copy: it names a document more often. A
// name that leads nowhere beside a code that leads somewhere is misspelt.
func (r *Reference) truer(o *Reference) bool {
	if r.Key.ID == o.Key.ID && r.Resolved() != o.Resolved() {
		return r.Resolved() > o.Resolved()
	}
	return r.better(o)
}

// ownsElement reports whether the field is the id of a list element, as drivers
// create it. If another field of the element refers to the same documents, ids
// of these documents in it are copies.
func (r *Reference) ownsElement() bool {
	return r.Node.Step.Name == "_id" && r.Many() && r.Resolved() < 1
}

// accompanies reports whether the field stands next to that of o and refers to
// the same documents by another key, so that one of the two is a copy.
func (r *Reference) accompanies(o *Reference) bool {
	if values := &r.Node.Scalars.Values; values.Exact() && float64(o.Found) > values.Distinct() && r.Node.Present() >= o.Node.Present() {
		return false // it refers to more documents than the other field: fromCity next to toId
	}
	if r.Key.ID && o.Key.ID && o.Node.Step.Name != o.Key.Node.Step.Name {
		return false // by another id, under a name of its own: partner next to userId
	}
	return r.Node.Parent == o.Node.Parent && r.To.Collection == o.To.Collection && r.Key.Path.String() != o.Key.Path.String() && !o.Declared
}

// reference finds what the values at a node refer to, or returns nil. namesakes are
// the references of fields with the same name that are certain.
func (w *referrer) reference(from *Entity, n *profile.Node, namesakes namesakes) *Reference {
	if !mayRefer(n) || w.ctx.Err() != nil {
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
	own := among(w.candidates(from, n, path, namesakes), nil)
	if own != nil && own.Odds.Sum() >= Sure {
		return own
	}
	// A kind may have too few values to decide. The other kinds show the same.
	whole := from.Collection.Profile.Root.At(path)
	if len(from.Collection.Entities) < 2 || whole == nil || whole.Scalars == nil {
		return own
	}
	r := among(w.candidates(from, whole, path, namesakes), n)
	if own == nil || r != nil && r.Key == own.Key && r.Odds.Sum() > own.Odds.Sum() {
		return r
	}
	return own
}

// toldBy reports whether the values at a path distinguish the kinds. A value that
// does not resolve then has a kind of its own.
func (e *Entity) toldBy(path profile.Path) bool {
	return e.split != nil && e.split.byHash != nil && slices.Equal(e.split.path, path)
}

// A weighed reference is a possible one, with the group it leads to.
type weighed struct {
	*Reference
	group *targetGroup
}

// candidates returns what the values at a node may refer to.
func (w *referrer) candidates(from *Entity, n *profile.Node, path profile.Path, namesakes namesakes) []weighed {
	lex := w.settings.Lexicon
	c := candidate{from: from, node: n, path: path, name: fieldName(n), words: nameWords(path), nameless: nameless(len(w.groups)), prefixes: newPrefixes(n), namesakes: namesakes}
	c.tokens = lexicon.Tokens(c.name)
	c.role = hasRole(c.words, lex)
	c.other = lex.Has(lexicon.ExternalID, c.name) || quantity(path, lex)
	c.values = newAsker(&n.Scalars.Values)
	if tails := n.Scalars.Tails(); tails.Distinct() > 0 {
		c.tails = newAsker(tails)
	}
	var all []weighed
	for _, i := range w.index.groups(&c) {
		if r := c.weigh(w.groups[i]); r != nil {
			all = append(all, weighed{r, w.groups[i]})
		}
	}
	return all
}

// among chooses the likeliest target of a field, or returns nil. If kind is
// set, the values come from several kinds of document, and only those at this
// node count.
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
	if slices.ContainsFunc(all, func(o weighed) bool { return o.rivals(best) }) {
		if best = amongRivals(all); best.Reference == nil {
			return nil
		}
	}
	if kind != nil {
		best.Node = kind
		if best.measure(best.group, nil); best.Found == 0 && !best.From.toldBy(best.Path) {
			return nil
		}
	}
	return best.Reference
}

// rivals reports whether a reference to another collection is about as likely.
func (r weighed) rivals(o weighed) bool {
	return r.To.Collection != o.To.Collection && r.Odds.Sum() > o.Odds.Sum()-clear
}

// clear is by how much one of two references to different collections must be
// likelier to be chosen.
const clear = 1.0

// amongRivals chooses if several collections have the values as keys.
// Collections that extend another one share its keys (the user and the user's
// settings), and the reference is to the one that has all keys. It returns
// nothing if there is no such collection.
func amongRivals(all []weighed) weighed {
	keys := func(r weighed) *profile.Sample { return &r.Key.Node.Scalars.Values }
	for _, r := range all {
		rivals := slices.ContainsFunc(all, func(o weighed) bool {
			if o.To.Collection == r.To.Collection {
				return o.better(r.Reference)
			}
			if r.covers(o) {
				return false
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

// covers reports whether all values of a field that lead to another reference's
// target also lead to this one's, and more do. The other target was then copied
// from this one, provided that two keys are not equal by accident.
func (r weighed) covers(o weighed) bool {
	values := &r.Node.Scalars.Values
	_, either, _ := values.Inclusion(&r.Key.Node.Scalars.Values, &o.Key.Node.Scalars.Values)
	return r.Odds.Values >= Sure && !r.Tail && !o.Tail && values.Exact() && r.Found > o.Found && either == r.Found
}

func (w *referrer) declared(from *Entity, n *profile.Node, path profile.Path) *Reference {
	for _, d := range w.settings.Declared {
		if d.From != from.Collection.Name || d.Path != path.String() {
			continue
		}
		for _, g := range w.groups {
			if key := g.targets[0].Key; g.name == d.To && g.collection().Name == d.To && (d.Key == "" && key.ID || d.Key == key.Path.String()) {
				r := &Reference{From: from, Node: n, Path: path, Declared: true, Stem: true, match: lexicon.SameName, keyed: true}
				if r.measure(g, &n.Scalars.Values); r.Found == 0 && n.Scalars.Tails().Distinct() > 0 && newPrefixes(n).match(g) != lexicon.NoMatch {
					r.Tail = true
					r.measure(g, n.Scalars.Tails())
				}
				return r
			}
		}
	}
	return nil
}

// measure compares values with the keys of a group. If values is nil, it uses
// those at the node, or their last segments if Tail is set.
func (r *Reference) measure(g *targetGroup, values *profile.Sample) {
	if values == nil {
		values = &r.Node.Scalars.Values
		if r.Tail {
			values = r.Node.Scalars.Tails()
		}
	}
	var each []int
	r.Tested, r.Found, r.SameType, each = g.inclusion(values)
	if r.Tail {
		r.SameType = r.Found
	}
	most := -1
	for i, t := range g.targets {
		if each[i] > most {
			most, r.To, r.Key = each[i], t.Entity, t.Key
		}
	}
}

// better reports whether r is likelier than o. Among the keys of one collection
// the id wins: the others describe the document that it identifies. A key that
// repeats another in the type of the references is what they refer to.
func (r *Reference) better(o *Reference) bool {
	if r.To.Collection == o.To.Collection {
		switch {
		case r.typed(o):
			return true
		case o.typed(r):
			return false
		case r.Key.ID != o.Key.ID:
			return r.Key.ID
		}
	}
	score := func(r *Reference) float64 { return r.Odds.Sum() + float64(r.SameType)/float64(max(1, r.Found)) }
	return score(r) > score(o)
}

// typed reports whether the values of a field have the type of this key, while another
// key with the same values has none of their type.
func (r *Reference) typed(o *Reference) bool {
	return r.Node == o.Node && o.SameType == 0 && r.SameType > 0 && r.SameType >= o.Found
}

// Owned reports whether the field is the id of the object that contains it
// rather than a reference: comments[].id among other members of a comment,
// unless the values show otherwise.
func (r *Reference) Owned() bool {
	last := r.Path[len(r.Path)-1]
	return !r.keyed && !r.Declared && r.Odds.Values < Sure && !r.shared() && last.Kind == profile.Field && len(r.Path) > 1 && idName(last.Name) && len(r.Node.Parent.Object.Fields()) > 2
}

// shared reports whether the elements of different lists hold the same ids, though
// they are not numbered within their list.
func (r *Reference) shared() bool {
	list, s := r.Node.Parent.Parent, r.Node.Scalars
	if list == nil || list.Array == nil || s == nil {
		return false
	}
	return s.Ints == r.Node.Present() && s.MaxInt-s.MinInt >= list.Array.Len.Max && s.Values.Distinct() < repeated*float64(s.Ints)
}

const repeated = 0.9 // share of distinct values above which ids repeat only by mistake

func idName(name string) bool {
	switch lexicon.Fold(name) {
	case "id", "uid", "uuid", "guid", "key":
		return true
	}
	return false
}

// Word returns the value of the discriminator for this kind, "" if it has none.
func (e *Entity) Word() string {
	if e.split == nil || e.split.byHash == nil || e.index >= len(e.Collection.Discriminator.Values) {
		return ""
	}
	return e.Collection.Discriminator.Values[e.index].Text
}
