package joindocument

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// joinPlan is how to replace join documents.
type joinPlan uint8

const (
	arraysOnBoth  joinPlan = iota
	arrayOnOne             // the documents of one side get the ids of the other
	fieldOnOne             // provenMultiplicity is the number of links from which "never more than one" is not an accident of a small sample.
	keepJoin               // too many links on both sides
	keepAttribute          // the link has attributes of its own
)

// provenMultiplicity is the number of links from which "never more than one" is
// no accident of a small sample.
const provenMultiplicity = 20

// plan chooses by the measured number of links, and returns which side should
// hold ids if only one does.
func (j *join) plan(p *check.Pass) (plan joinPlan, side int) {
	if len(j.payload) > 0 {
		return keepAttribute, 0
	}
	few := int64(p.Threshold("max-array"))
	many := int64(p.Threshold("max-bounded-array"))
	for side := range j.sides {
		if links := &j.sides[side].fanOut; links.Max == 1 && links.Count >= provenMultiplicity {
			return fieldOnOne, side
		}
	}
	switch a, b := j.sides[0].fanOut.Quantile(0.99), j.sides[1].fanOut.Quantile(0.99); {
	case max(a, b) <= few:
		return arraysOnBoth, 0
	case min(a, b) > many:
		return keepJoin, 0
	case a <= b:
		return arrayOnOne, 0
	}
	return arrayOnOne, 1
}

func (j *join) advice(plan joinPlan, side int) string {
	a, b := &j.sides[side], &j.sides[1-side]
	switch plan {
	case fieldOnOne:
		return fmt.Sprintf("This is not a many-to-many relation: each of the %s has one %s. Store the %s id in %s and drop the documents in between.",
			wording.Count(a.fanOut.Count, a.noun), b.noun, b.noun, a.collection())
	case arraysOnBoth:
		return fmt.Sprintf("Let each side list the other: an array of %s ids in %s (at most %d) and one of %s ids in %s (at most %d); "+
			"then drop %s. Write both arrays in one transaction or batch. To get from %s to its %s then takes one read and one query, not two queries and a join in the application.",
			b.noun, a.collection(), a.fanOut.Max, a.noun, b.collection(), b.fanOut.Max, j.name(), wording.Article(a.noun), b.plural())
	case arrayOnOne:
		return fmt.Sprintf("Store an array of %s ids in %s, which have few (at most %d), and drop %s. Do not store it the other way round: %s has up to %s. "+
			"Find the %s of %s with an index on that array.",
			b.noun, a.collection(), a.fanOut.Max, j.name(), wording.Article(b.noun), wording.Count(b.fanOut.Max, a.noun),
			a.plural(), wording.Article(b.noun))
	case keepJoin:
		return fmt.Sprintf("Keep these documents: both sides have hundreds of links, too many for arrays. Give them the id %s:%s, so that no pair is stored twice, "+
			"a partition key that serves the more frequent query, and copies of the names that lists show.", a.noun, b.noun)
	}
	return fmt.Sprintf("A link with attributes may stay a document. Where the %s of %s are few (at most %d here), an array of objects in %s with the %s id and the attributes saves a query.",
		b.plural(), wording.Article(a.noun), a.fanOut.Max, a.collection(), b.noun)
}

// name returns the name of the join documents for advice.
func (j *join) name() string {
	if j.entity.Kind != "" {
		return "these documents"
	}
	return j.entity.Collection.Name
}

const (
	joinExampleBytes = 2000 // per document in an example
	joinExampleLinks = 4    // links of the example's main document
)

// joinFix shows a few documents before and after.
func joinFix(p *check.Pass, j *join, plan joinPlan, side int) (finding.Fix, bool) {
	title := fmt.Sprintf("%s ids in %s instead of %s", j.sides[1-side].noun, j.sides[side].collection(), j.entity.Collection.Name)
	switch plan {
	case arraysOnBoth:
		title = fmt.Sprintf("ids on both sides instead of %s", j.entity.Collection.Name)
	case keepJoin, keepAttribute:
		return finding.Fix{}, false
	}
	x := joinExample{pass: p, join: j, plan: plan, first: side}
	if !x.choose() {
		return finding.Fix{}, false
	}
	before, after, err := x.documents()
	if err != nil {
		return finding.Fix{}, false
	}
	fix := finding.Fix{Title: title, Safety: finding.Plan, After: after}
	if fix.Before, err = json.Marshal(before); err != nil {
		return finding.Fix{}, false
	}
	return fix, true
}

// A joinExample is a document of one side with all its join documents and the
// documents connected to it. If these get arrays too, it includes all of
// theirs.
type joinExample struct {
	pass   *check.Pass
	join   *join
	plan   joinPlan
	first  int // side of the main document
	center uint64
	rows   []joinPair
}

// choose picks the smallest example in which a document has several links.
func (x *joinExample) choose() bool {
	pairs := x.join.rows.pairs
	if !pairs.Exact() {
		return false // the arrays would be incomplete
	}
	var links [2]map[uint64][]joinPair
	for side := range links {
		links[side] = map[uint64][]joinPair{}
	}
	for _, hash := range pairs.Hashes() {
		pair, _ := pairs.Get(hash)
		for side := range links {
			links[side][pair.ids[side]] = append(links[side][pair.ids[side]], pair)
		}
	}
	other, most := 1-x.first, 0
	for _, l := range links[x.first] {
		most = max(most, len(l))
	}
	for _, id := range slices.Sorted(maps.Keys(links[x.first])) {
		l := links[x.first][id]
		if len(l) < min(2, most) || len(l) > joinExampleLinks {
			continue
		}
		rows := slices.Clone(l)
		if x.plan == arraysOnBoth {
			rows = rows[:0]
			for _, pair := range l {
				rows = append(rows, links[other][pair.ids[other]]...)
			}
		}
		slices.SortFunc(rows, func(a, b joinPair) int { return a.at.Compare(b.at) })
		if !x.small(rows) {
			continue
		}
		if x.rows == nil || len(rows) < len(x.rows) || len(rows) == len(x.rows) && rows[0].at.Compare(x.rows[0].at) < 0 {
			x.center, x.rows = id, rows
		}
	}
	return x.rows != nil
}

// small reports whether the documents of these rows exist and are small enough
// to show.
func (x *joinExample) small(rows []joinPair) bool {
	for _, pair := range rows {
		if pair.at.DocLen > joinExampleBytes {
			return false
		}
		for side := range x.join.sides {
			s := &x.join.sides[side]
			if s.ref == nil {
				continue
			}
			at, ok := relations.FindKey(s.docs, pair.ids[side])
			if !ok || at.DocLen > joinExampleBytes || len(s.ref.Key.Path) != 1 {
				return false
			}
		}
	}
	return len(rows) <= 4*joinExampleLinks
}

func (x *joinExample) documents() (before []plans.Placed, after []finding.DocumentInPlace, err error) {
	var docs, arrays [2][]*reshape.Value
	var ids [2][]uint64
	var rows []*reshape.Value
	for _, pair := range x.rows {
		row, err := places.Read(x.pass, pair.at.Pos())
		if err != nil {
			return nil, nil, err
		}
		before = append(before, plans.Placed{Collection: x.join.entity.Collection.Name, Document: row})
		refs := reshape.Object()
		for side := range x.join.sides {
			s := &x.join.sides[side]
			refs.Set(refNames[side], row.Select(s.path)[0].Clone())
			if !slices.Contains(ids[side], pair.ids[side]) {
				doc, err := x.document(s, pair.ids[side], refs.Get(refNames[side]))
				if err != nil {
					return nil, nil, err
				}
				ids[side], docs[side] = append(ids[side], pair.ids[side]), append(docs[side], doc)
			}
			if s.ref != nil && s.ref.Tail { // rows have /books/1 if the document's id is 1
				refs.Set(refNames[side], docs[side][slices.Index(ids[side], pair.ids[side])].Get(s.key()).Clone())
			}
		}
		rows = append(rows, refs)
	}
	joined, err := reshape.JoinToArrays(rows, x.side(0, docs[0]), x.side(1, docs[1]), nil)
	if err != nil {
		return nil, nil, err
	}
	if len(joined.Dangling)+len(joined.Remaining) > 0 {
		return nil, nil, errors.New("not all pairs found their documents")
	}
	arrays[0], arrays[1] = joined.A, joined.B
	for _, side := range []int{x.first, 1 - x.first} {
		s := &x.join.sides[side]
		for i, doc := range arrays[side] {
			if side == x.first && ids[side][i] != x.center || side != x.first && x.plan != arraysOnBoth {
				continue // incomplete or unchanged
			}
			if x.plan == fieldOnOne {
				doc = x.single(docs[side][i], doc)
			}
			if s.ref != nil {
				before = append(before, plans.Placed{Collection: s.collection(), Document: docs[side][i]})
			}
			text, err := json.Marshal(doc)
			if err != nil {
				return nil, nil, err
			}
			after = append(after, finding.DocumentInPlace{Collection: s.collection(), Document: text})
		}
	}
	return before, after, nil
}

// refNames are the members of rows that hold only the two ids.
var refNames = [2]string{"first", "second"}

func (x *joinExample) side(side int, docs []*reshape.Value) reshape.Side {
	s, other := &x.join.sides[side], &x.join.sides[1-side]
	out := reshape.Side{Documents: docs, ID: s.key(), Ref: refNames[side]}
	if side == x.first || x.plan == arraysOnBoth {
		out.Array = reshape.FieldName(docs[0], other.plural())
	}
	return out
}

// document reads a document of a side. If it is not in the sample, a document
// with only the id takes its place.
func (x *joinExample) document(s *joinSide, id uint64, ref *reshape.Value) (*reshape.Value, error) {
	if s.ref == nil {
		return reshape.Object(reshape.Member{Name: s.key(), Value: ref.Clone()}), nil
	}
	at, _ := relations.FindKey(s.docs, id)
	return places.Read(x.pass, at)
}

// key returns the member of the side's documents that holds the id.
func (s *joinSide) key() string {
	if s.ref == nil {
		return "id"
	}
	return s.ref.Key.Path[0].Name
}

// single turns an array with one id into a field.
func (x *joinExample) single(before, after *reshape.Value) *reshape.Value {
	for _, m := range after.Members() {
		if before.Has(m.Name) {
			continue
		}
		noun := x.join.sides[1-x.first].noun
		if name := reshape.RefName(before, noun); m.Value.Len() == 1 && !after.Has(name) {
			after.Set(m.Name, m.Value.Elements()[0].Clone())
			after.Rename(m.Name, name)
		}
	}
	return after
}
