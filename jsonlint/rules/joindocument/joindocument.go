// Package joindocument reports collections whose documents only connect two
// others, like the join table of a relational schema.
package joindocument

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is join-document on documents.
var Rule = check.Rule{Name: "join-document", OnSchema: onSchema, Run: func(p *check.Pass) {
	if p.Limits.Name == "dynamodb" {
		return // the adjacency list is the recommended pattern there
	}
	for _, e := range p.DB.Entities() {
		if j := joinOf(p, e); j != nil {
			j.watch(p)
			p.After(func() { reportJoin(p, j) })
		}
	}
}}

// A join is a kind of document that connects two others.
type join struct {
	entity  *model.Entity
	sides   [2]joinSide
	payload []*profile.Node // other content of the documents
	audits  []string        // fields that record who made the documents and when
	acts    bool            // most were made at a time of their own
	rows    *joinRows
}

// A joinSide is one of the two references.
type joinSide struct {
	path profile.Path // to the id
	node *profile.Node
	noun string                // the target: author
	ref  *model.Reference      // nil if the target was not read
	bare bool                  // only the values show that it is a reference, not even the name
	docs []*relations.KeyIndex // documents referred to

	// The number of join documents per document of this side.
	fanOut profile.Histogram
}

// joinOf decides from the profile whether documents are a join. It returns nil
// if not.
func joinOf(p *check.Pass, e *model.Entity) *join {
	if len(p.DB.ReferencesTo(e)) > 0 {
		return nil // what others refer to is an entity of its own
	}
	j := &join{entity: e}
	var sides, tenants []joinSide
	for _, n := range joinFields(p, e) {
		side, isRef := joinSideOf(p, e, n)
		switch {
		case housekeeping(p, e, n):
			if timestamp(n) && n.Present() > 0 {
				j.audits = append(j.audits, n.Step.Name)
				j.acts = j.acts || timed(n)
			}
		case audit(n):
			j.audits = append(j.audits, n.Step.Name)
			j.acts = j.acts || timed(n)
		case isRef && p.Lexicon.Has(lexicon.Tenant, n.Step.Name):
			tenants = append(tenants, side)
		case isRef:
			sides = append(sides, side)
		case ownID(e, n):
			j.audits = append(j.audits, n.Step.Name)
		default:
			j.payload = append(j.payload, n)
		}
	}
	if len(sides) != 2 || sides[0].noun == sides[1].noun || len(tenants) > 1 {
		return nil
	}
	j.sides = [2]joinSide(sides)
	if float64(len(j.payload)) > p.Threshold("max-payload") || !slices.ContainsFunc(j.payload, attribute) && len(j.payload) > 0 {
		return nil
	}
	if (j.sides[0].bare || j.sides[1].bare) && !j.labelled() {
		return nil
	}
	least := p.Threshold("min-documents")
	if j.proven(p) {
		least = min(least, 2)
	}
	if float64(e.N()) < least {
		return nil
	}
	for i := range j.sides {
		j.sides[i].measure()
	}
	return j
}

// joinFields returns the members of the documents, and those of an id made of
// several.
func joinFields(p *check.Pass, e *model.Entity) []*profile.Node {
	root := e.Root()
	if root.Object.Rest != nil {
		return nil
	}
	var fields []*profile.Node
	for _, f := range root.Object.Fields() {
		if slices.Contains([]string{"_id", "id"}, f.Step.Name) && f.Object != nil && f.Scalars == nil && f.Array == nil && f.Object.Rest == nil {
			fields = append(fields, f.Object.Fields()...)
			continue
		}
		fields = append(fields, f)
	}
	return fields
}

// housekeeping reports whether a field of a join document says nothing about
// the pair: its id, timestamps, versions, the document's kind.
func housekeeping(p *check.Pass, e *model.Entity, n *profile.Node) bool {
	name := n.Step.Name
	switch {
	case n.Present() == 0,
		p.Lexicon.Has(lexicon.Metadata, name), p.Lexicon.Has(lexicon.System, name), slices.Contains(p.Limits.SystemKeys, name),
		lexicon.Fold(name) == "source", timestamp(n),
		strings.TrimPrefix(p.Collections[e.Collection.Name].PartitionKey, "/") == name:
		return true
	case n.Scalars == nil:
		return false
	case e.Collection.Discriminator != nil && e.Collection.Discriminator.Node.Step.Name == name,
		p.Lexicon.HasIn(lexicon.Discriminator, name, e.Collection.Name) && n.Scalars.Values.Distinct() <= 1:
		return true
	}
	return slices.ContainsFunc(e.Keys, func(k *model.Key) bool { return k.Node == n && (k.Own || k.ID) })
}

// timestamp reports whether a field records when the document was written:
// last_update, insertedAt.
func timestamp(n *profile.Node) bool {
	return slices.ContainsFunc(lexicon.Tokens(n.Step.Name), func(token string) bool {
		return slices.Contains(timeBeginningsWords(), token)
	}) && n.Object == nil && n.Array == nil
}

// ofPeople reports whether one side is people who use the program.
func ofPeople(s joinSide) bool {
	words := strings.Fields(s.noun)
	return slices.Contains(peopleWords(), words[len(words)-1])
}

// timed reports whether most documents have a time of their own: somebody liked this or
// followed that, one after the other. Lists of such acts only grow.
func timed(n *profile.Node) bool {
	return n.Scalars != nil && lexicon.TimeName(n.Step.Name) && 2*n.Scalars.Values.Distinct() > float64(n.Present())
}

// audit reports whether a field records who made or removed the link and when,
// or whether it is still valid: assigned_by, grantedAt, is_active. The time
// when somebody joined or started belongs to the pair.
func audit(n *profile.Node) bool {
	tokens := lexicon.Tokens(n.Step.Name)
	if n.Array != nil || len(tokens) == 0 {
		return false
	}
	switch last := tokens[len(tokens)-1]; {
	case slices.Contains(deedEndingsWords(), last):
		return slices.ContainsFunc(tokens[:len(tokens)-1], func(t string) bool {
			return slices.Contains(deedsWords(), t)
		})
	case slices.Contains(flagsWords(), last):
		// A flag with different values is a state: some links are no longer valid.
		return n.Types[profile.Bool] == n.Present() && n.Scalars.Values.Distinct() <= 1 && (len(tokens) == 1 || len(tokens) == 2 && tokens[0] == "is")
	}
	return false
}

// ownID reports whether a field is an id of the link itself in addition to the
// database's: a uuid that differs in every document.
func ownID(e *model.Entity, n *profile.Node) bool {
	if slices.Contains(ownKeysWords(), lexicon.Fold(n.Step.Name)) {
		return slices.ContainsFunc(e.Keys, func(k *model.Key) bool { return k.Node == n })
	}
	return false
}

// joinSideOf returns what a field refers to. ok is false unless the field is a
// single reference.
func joinSideOf(p *check.Pass, e *model.Entity, n *profile.Node) (joinSide, bool) {
	value := pointerValue(p, n)
	if value == nil || float64(value.ScalarCount()) < 0.95*float64(e.N()) {
		return joinSide{}, false
	}
	side := joinSide{node: value, path: value.Path(), ref: p.DB.ReferenceAt(value)}
	stem, many, ok := lexicon.ReferenceStem(n.Step.Name)
	if side.ref != nil {
		if !side.ref.Certain() {
			return joinSide{}, false
		}
		side.noun = stem
		if !ok {
			side.noun = strings.TrimPrefix(strings.Join(lexicon.Tokens(n.Step.Name), " "), "id ")
		}
		return side, side.noun != ""
	}
	side.noun = stem
	tokens := lexicon.Tokens(n.Step.Name)
	named := ok && !many && slices.Contains(idEndingsWords(), tokens[len(tokens)-1])
	if !named && len(tokens) > 0 && repeatsIDs(n) {
		named, side.bare, side.noun = true, true, strings.Join(tokens, " ")
	}
	return side, named && value == n && !p.Lexicon.Has(lexicon.ExternalID, n.Step.Name) && relations.IDTyped(n)
}

// repeatsIDs reports whether values look like the ids of something else:
// ObjectIds or codes that occur in several documents. Secrets do not repeat,
// and numbers and words may mean anything.
func repeatsIDs(n *profile.Node) bool {
	if n.Scalars == nil || n.Array != nil {
		return false
	}
	ids := n.Types[profile.ObjectID]
	for _, f := range []profile.Form{profile.FormInteger, profile.FormHex24, profile.FormUUID, profile.FormPrefixNumber} {
		count, _ := n.Scalars.FormCount(f)
		ids += count
	}
	return ids == n.Present() && n.Scalars.Values.Distinct() < repeating*float64(ids)
}

// repeating is the share of distinct values above which ids repeat too little
// for a many-to-many link.
const repeating = 0.9

// pointerValue returns the scalar with which a field refers: the field itself,
// even if a few documents hold an object by mistake, or the id in an object with
// a reference and the name of its target (like DBRef). It returns nil if there is
// none.
func pointerValue(p *check.Pass, n *profile.Node) *profile.Node {
	const mistakes = 20 // one of so many values may be a mistaken object
	if n.Array != nil {
		return nil
	}
	if n.Scalars != nil && n.Types[profile.Object] <= n.Present()/mistakes {
		return n
	}
	if n.Object == nil {
		return nil
	}
	var value *profile.Node
	for _, f := range n.Object.Fields() {
		switch {
		case f.Array != nil || f.Object != nil || n.Scalars != nil:
			return nil
		case p.DB.ReferenceAt(f) != nil && value == nil:
			value = f
		case !slices.Contains([]string{"_type", "type", "$ref", "$db", "collection"}, f.Step.Name):
			return nil
		}
	}
	return value
}

// attribute reports whether a field may describe a pair: it is one short
// scalar. Longer texts, text that people write anew each time, objects and
// lists are the content of an independent entity.
func attribute(n *profile.Node) bool {
	if n.Scalars == nil || n.Array != nil || n.Object != nil {
		return false
	}
	texts, _ := n.Scalars.FormCount(profile.FormText)
	written := 2*texts > n.Present() && 2*n.Scalars.Values.Distinct() > float64(n.Present())
	return n.Types[profile.String] == 0 || n.Bytes <= 40*n.Count && !written
}

func (s *joinSide) measure() {
	for _, v := range s.node.Scalars.Values.Values() {
		s.fanOut.Add(v.Count)
	}
}

func (s *joinSide) resolved() float64 {
	if s.ref == nil {
		return 0
	}
	return s.ref.Resolved()
}

// collection returns the collection with the documents of the side, or a name
// for it.
func (s *joinSide) collection() string {
	if s.ref != nil {
		return s.ref.To.Collection.Name
	}
	words := strings.Fields(s.noun)
	words[len(words)-1] = lexicon.Plural(words[len(words)-1])
	return lexicon.StyleCamel.Join(words...)
}

func (j *join) proven(p *check.Pass) bool {
	share := p.Threshold("resolved-share")
	return j.sides[0].resolved() >= share && j.sides[1].resolved() >= share
}

func (j *join) confidence(p *check.Pass) float64 {
	if j.acts && (j.unboundedLink(p.Lexicon) || slices.ContainsFunc(j.sides[:], ofPeople)) {
		return 0.4
	}
	if len(j.payload) > 0 {
		return 0.4 // data about a pair is often an entity of its own: a grade, a booking
	}
	confidence := 0.6
	if j.proven(p) {
		confidence = 0.95
	} else if j.sides[0].named(p) && j.sides[1].named(p) {
		confidence = 0.8
	}
	if j.labelled() {
		confidence = min(0.95, confidence+0.1)
	}
	return confidence
}

// named reports whether the reference is known to lead to a collection that was
// read, perhaps not with all values.
func (s *joinSide) named(p *check.Pass) bool {
	return s.ref != nil || slices.ContainsFunc(p.DB.Collections, func(c *model.Collection) bool {
		return lexicon.MatchStem(s.noun, c.Name) == lexicon.SameName
	})
}

// labelled reports whether the collection's name is that of a join: both sides
// (authorBooks), or a word for it.
func (j *join) labelled() bool {
	var tokens []string
	for _, t := range lexicon.Tokens(j.entity.Collection.Name) {
		tokens = append(tokens, lexicon.Singular(t))
	}
	if slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(joinsWords(), t) }) {
		return true
	}
	// It has both nouns and nothing else, whatever they share: a productTag of a
	// product and a product tag.
	nouns := append(strings.Fields(j.sides[0].noun), strings.Fields(j.sides[1].noun)...)
	for _, noun := range nouns {
		if !slices.Contains(tokens, lexicon.Singular(noun)) {
			return false
		}
	}
	return !slices.ContainsFunc(tokens, func(t string) bool { return !slices.Contains(nouns, t) })
}

// unboundedLink reports whether the collection is named after links without a
// limit at either end: likes, follows.
func (j *join) unboundedLink(lex *lexicon.Lexicon) bool {
	tokens := lexicon.Tokens(j.entity.Collection.Name)
	if len(tokens) == 0 {
		return false
	}
	last := lexicon.Singular(tokens[len(tokens)-1])
	if slices.Contains(linksWords(), last) {
		return true
	}
	for _, s := range j.sides {
		if words := strings.Fields(s.noun); words[len(words)-1] == last {
			return false // tagPosts are not posts
		}
	}
	return lex.Has(lexicon.Unbounded, lexicon.Plural(last))
}

// joinRows is a probe that collects the pairs of a join.
type joinRows struct {
	sides   [2]profile.Path
	tails   [2]bool
	payload []profile.Path
	pairs   *sample.ByHash[joinPair]

	composites []int64 // per payload field, documents in which it consists of the two ids
	present    []int64
}

// joinPair is a pair of ids with the position of its first join document.
type joinPair struct {
	ids   [2]uint64
	count int64
	at    sample.PackedPos
}

func (a joinPair) and(b joinPair) joinPair {
	return joinPair{a.ids, a.count + b.count, sample.EarlierPacked(a.at, b.at)}
}

// joinPairsKept bounds the pairs that are kept.
const joinPairsKept = 1 << 16

func (j *join) watch(p *check.Pass) {
	rows := &joinRows{pairs: sample.NewByHash[joinPair](joinPairsKept)}
	for i, s := range j.sides {
		rows.sides[i] = s.path
		if s.ref != nil {
			rows.tails[i] = s.ref.Tail
			j.sides[i].docs = relations.WatchKeys(p, s.ref.Targets())
		}
	}
	for _, n := range j.payload {
		rows.payload = append(rows.payload, n.Path())
	}
	if id := j.entity.ID(); id != nil {
		rows.payload = append(rows.payload, id.Path)
	}
	j.rows = check.Watch(p, j.entity, rows.New().(*joinRows))
}

func (r *joinRows) New() check.Probe {
	return &joinRows{
		sides: r.sides, tails: r.tails, payload: r.payload, pairs: r.pairs,
		composites: make([]int64, len(r.payload)), present: make([]int64, len(r.payload)),
	}
}

func (r *joinRows) Visit(d *profile.Document) {
	pair := joinPair{count: 1, at: sample.Pack(d.Start())}
	var texts [2]string
	for side, path := range r.sides {
		i, ok := d.First(0, path)
		if !ok || !places.Scalar(d, i) {
			return
		}
		if pair.ids[side], ok = relations.RefHash(d, i, r.tails[side]); !ok {
			return
		}
		texts[side] = strings.ToLower(string(d.Canonical(i)))
	}
	r.pairs.Put(sample.PairHash(pair.ids[0], pair.ids[1]), pair, joinPair.and)
	for k, path := range r.payload {
		if i, ok := d.First(0, path); ok && places.Scalar(d, i) {
			r.present[k]++
			if composite(strings.ToLower(string(d.Canonical(i))), texts) {
				r.composites[k]++
			}
		}
	}
}

// composite reports whether a text consists of two others and a separator.
func composite(text string, parts [2]string) bool {
	for range 2 {
		if rest, ok := strings.CutPrefix(text, parts[0]); ok {
			if sep, ok := strings.CutSuffix(rest, parts[1]); ok && len(sep) <= 3 {
				return true
			}
		}
		parts[0], parts[1] = parts[1], parts[0]
	}
	return false
}

func (r *joinRows) Merge(o check.Probe) {
	s := o.(*joinRows)
	r.pairs.Merge(s.pairs, joinPair.and)
	for k := range r.payload {
		r.composites[k] += s.composites[k]
		r.present[k] += s.present[k]
	}
}

// composite reports whether a field always consists of the two ids.
func (r *joinRows) composite(k int) bool { return r.present[k] > 0 && r.composites[k] == r.present[k] }

// unique returns the share of the join documents whose pair occurs once.
func (r *joinRows) unique() float64 {
	total := int64(0)
	for _, pair := range r.pairs.All() {
		total += pair.count
	}
	if total == 0 {
		return 0
	}
	return float64(r.pairs.Len()) / float64(total)
}

func reportJoin(p *check.Pass, j *join) {
	if j.rows.unique() < p.Threshold("pair-uniqueness") {
		return // something that happens repeatedly between two things is an event
	}
	payload := j.payload[:0:0]
	for k, n := range j.payload {
		if !j.rows.composite(k) {
			payload = append(payload, n)
		}
	}
	madeOf := "" // the parts of the id
	if id := j.entity.ID(); id != nil && j.rows.composite(len(j.payload)) {
		madeOf = fmt.Sprintf(" (%s is made of the two)", id.Path)
	}
	j.payload = payload
	if slices.ContainsFunc(payload, func(n *profile.Node) bool { return !attribute(n) }) {
		return
	}
	plan, side := j.plan(p)
	severity := finding.Warning
	if len(payload) > 0 || plan == keepJoin || p.Limits.Name == "firestore" || j.unboundedLink(p.Lexicon) {
		severity = finding.Info
	}
	a, b := &j.sides[0], &j.sides[1]
	raw := check.Raw{
		At: j.entity.Root().FirstAny(),
		Finding: finding.Finding{
			Severity: severity, Confidence: j.confidence(p), Message: j.message(madeOf), Advice: j.advice(plan, side),
			Evidence: []finding.Evidence{
				{Name: "documents", Value: j.entity.N()},
				{Name: "pairs.unique", Value: math.Round(1000*j.rows.unique()) / 1000},
				{Name: "payload", Value: int64(len(payload))},
				{Name: a.path.String() + ".resolved", Value: math.Round(1000*a.resolved()) / 1000},
				{Name: a.path.String() + ".links.p50", Value: a.fanOut.Quantile(0.5)},
				{Name: a.path.String() + ".links.p99", Value: a.fanOut.Quantile(0.99)},
				{Name: a.path.String() + ".links.max", Value: a.fanOut.Max},
				{Name: b.path.String() + ".resolved", Value: math.Round(1000*b.resolved()) / 1000},
				{Name: b.path.String() + ".links.p50", Value: b.fanOut.Quantile(0.5)},
				{Name: b.path.String() + ".links.p99", Value: b.fanOut.Quantile(0.99)},
				{Name: b.path.String() + ".links.max", Value: b.fanOut.Max},
			},
		},
	}
	for i := range j.sides {
		if s := &j.sides[i]; s.ref != nil {
			raw.Related = append(raw.Related, check.RawRelated{
				Message: fmt.Sprintf("%s refers to %s; this is the first", s.path, s.ref.To.Collection.Name),
				At:      s.ref.To.Root().FirstAny(),
			})
		}
	}
	if len(j.audits) > 0 && len(payload) == 0 {
		raw.Advice += fmt.Sprintf(" If anybody reads %s, copy that into an audit log first.", wording.JoinNames(j.audits))
	}
	if fix, ok := joinFix(p, j, plan, side); ok && len(j.audits) == 0 { // no plan may lose a value
		raw.Fixes = []finding.Fix{fix}
	}
	explained.Joins(p)[j.entity] = raw.Confidence > 0.5
	p.Report(j.entity, nil, raw)
}

func (j *join) message(madeOf string) string {
	a, b := &j.sides[0], &j.sides[1]
	var what string
	switch len(j.payload) {
	case 0:
		what = fmt.Sprintf("%s documents only connect %s with %s: %s and %s are all that the %s hold%s", j.entity.Label(), a.plural(), b.plural(),
			a.path, b.path, wording.Count(j.entity.N(), "document"), madeOf)
	default:
		var names []string
		for _, n := range j.payload {
			names = append(names, n.Step.Name)
		}
		what = fmt.Sprintf("%s documents connect %s with %s and hold %s as well, in %s", j.entity.Label(), a.plural(), b.plural(),
			strings.Join(names, " and "), wording.Count(j.entity.N(), "document"))
	}
	return fmt.Sprintf("%s; %s has up to %s, %s up to %s", what,
		wording.Article(a.noun), wording.Count(a.fanOut.Max, b.noun), wording.Article(b.noun), wording.Count(b.fanOut.Max, a.noun))
}

func (s *joinSide) plural() string {
	words := strings.Fields(s.noun)
	words[len(words)-1] = lexicon.Plural(words[len(words)-1])
	return strings.Join(words, " ")
}

var idEndingsWords = rulebook.Words("join-document", "id-endings")

var (
	joinsWords = rulebook.Words("join-document", "joins")
	linksWords = rulebook.Words("join-document", "links")

	peopleWords = rulebook.Words("join-document", "people")
)

var (
	timeBeginningsWords = rulebook.Words("join-document", "time-beginnings")
	deedEndingsWords    = rulebook.Words("join-document", "deed-endings")
	flagsWords          = rulebook.Words("join-document", "flags")
	deedsWords          = rulebook.Words("join-document", "deeds")
	ownKeysWords        = rulebook.Words("join-document", "own-keys")
)
