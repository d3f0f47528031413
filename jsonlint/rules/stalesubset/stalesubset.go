// Package stalesubset reports lists such as recentComments that are not the
// newest part of their source: the child documents, or the buckets, of the same
// parent.
package stalesubset

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/bucket"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/geo"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is stale-subset on documents.
var Rule = check.Rule{Name: "stale-subset", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		geo.WalkValues(e.Root(), func(n *profile.Node) {
			if n.Inside() || n.Array == nil || n.Array.Elem.Object == nil || !isNewestByName(naming.ListName(n)) {
				return
			}
			if from := subsetsOf(p, e, n); len(from) > 0 {
				p.After(func() { reportStale(p, from) })
			}
		})
	}
}}

var newestWords = rulebook.Words("stale-subset", "newest-words")

func isNewestByName(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 1 && (slices.Contains(newestWords(), tokens[0]) || slices.Contains(newestWords(), tokens[len(tokens)-1]))
}

// restOf returns the name without the word that marks a selection.
func restOf(name string) string {
	tokens := slices.DeleteFunc(lexicon.Tokens(name), func(t string) bool { return slices.Contains(newestWords(), t) })
	return lexicon.StyleCamel.Join(tokens...)
}

// A subset is a list of the newest elements, with the place of all elements.
type subset struct {
	e    *model.Entity
	node *profile.Node
	name string
	rank times.RankField

	from  *model.Entity
	ref   *model.Reference // by which the documents refer to their parent
	inner profile.Path     // from a document of from to the elements; empty if the document is an element
	named bool             // the list is named after them

	parents *subsetProbe
	newest  *newestProbe
}

// subsetsOf finds the documents from which a list of the newest may be taken:
// flights that start here, or flights that end here.
func subsetsOf(p *check.Pass, e *model.Entity, n *profile.Node) (from []*subset) {
	rank, ok := times.RankFieldOf(n.Array.Elem)
	if !ok {
		return nil
	}
	for _, r := range p.DB.ReferencesTo(e) {
		if r.From == e || r.Many() {
			continue
		}
		s := &subset{e: e, node: n, name: naming.ListName(n), rank: rank, from: r.From, ref: r}
		full := r.From.Root()
		if b := bucket.Of(p, r.From); b != nil && b.List.Array.Elem.Object != nil {
			full = b.List.Array.Elem
			s.inner = full.Path()
		}
		if !sameThing(p, s, full) {
			continue
		}
		most := int(n.Array.Len.Max) + 1
		s.parents = check.Watch(p, e, &subsetProbe{id: r.Key.Path, path: n.Path(), rank: rank, lists: sample.NewHashSample[subsetList](subsetsKept)})
		s.newest = check.Watch(p, r.From, &newestProbe{ref: r.Path, inner: s.inner, rank: rank, most: most, items: sample.NewByHash[ranked](newestKept)})
		from = append(from, s)
	}
	return from
}

// sameThing reports whether the elements of the subset look like those of the
// full set: four in five of their fields are fields there, the same field
// orders them, and name or shape agree.
func sameThing(p *check.Pass, s *subset, full *profile.Node) bool {
	if full.Object == nil || full.Object.Sampled() {
		return false
	}
	order := full.Object.Field(s.rank.Name)
	if order == nil || s.rank.Time && !times.Is(order) || !s.rank.Time && times.IDField(full) != order {
		return false
	}
	common, own, all := 0, 0, 0
	for _, f := range s.node.Array.Elem.Object.Fields() {
		own++
		if full.Object.Field(f.Step.Name) != nil {
			common++
		}
	}
	for _, f := range full.Object.Fields() {
		if name := f.Step.Name; f == s.ref.Node || p.Lexicon.Has(lexicon.Discriminator, name) || p.Lexicon.Has(lexicon.System, name) ||
			p.Lexicon.Has(lexicon.Metadata, name) && s.node.Array.Elem.Object.Field(name) == nil {
			continue
		}
		all++
	}
	if own == 0 || 5*common < 4*own {
		return false
	}
	s.named = lexicon.MatchStem(restOf(s.name), naming.EntityName(s.from)) != lexicon.NoMatch ||
		len(s.inner) > 0 && lexicon.MatchStem(restOf(s.name), naming.ListName(full)) != lexicon.NoMatch
	return s.named || 5*common >= 4*(own+all-common)
}

const (
	subsetsKept = 1 << 15
	newestKept  = 1 << 17
)

// A subsetProbe collects the lists by their document's id.
type subsetProbe struct {
	id, path profile.Path
	rank     times.RankField
	lists    *sample.HashSample[subsetList]
}

type subsetList struct {
	at    profile.Pos // of the list's name
	ranks []times.Rank
}

func (l subsetList) newest() times.Rank { return slices.MaxFunc(l.ranks, times.Rank.Compare) }

func (l subsetList) sorted() bool {
	return slices.IsSortedFunc(l.ranks, times.Rank.Compare) ||
		slices.IsSortedFunc(l.ranks, func(a, b times.Rank) int { return b.Compare(a) })
}

// leavesOut reports whether the list has both newer and older elements than one that
// it does not have.
func (l subsetList) leavesOut(r ranked) bool {
	oldest := slices.MinFunc(l.ranks, times.Rank.Compare)
	return r.Compare(oldest) > 0 && r.Compare(l.newest()) < 0 && !slices.Contains(l.ranks, r.Rank)
}

func (s *subsetProbe) New() check.Probe {
	return &subsetProbe{id: s.id, path: s.path, rank: s.rank, lists: s.lists}
}

func (s *subsetProbe) Visit(d *profile.Document) {
	id, ok := d.First(0, s.id)
	if !ok {
		return
	}
	i, ok := d.First(0, s.path)
	if !ok || d.Tokens[i].Kind != scan.Array || d.Len(i) == 0 {
		return
	}
	list := subsetList{at: d.At(i - 1)}
	for _, v := range d.Elements(i) {
		r := s.rank.Of(d, v)
		if r.Kind == times.NoRank {
			return
		}
		list.ranks = append(list.ranks, r)
	}
	s.lists.Add(d.Hash(id), list)
}

func (s *subsetProbe) Merge(o check.Probe) { s.lists.Merge(o.(*subsetProbe).lists) }

// A newestProbe keeps the newest elements of each parent.
type newestProbe struct {
	ref, inner profile.Path
	rank       times.RankField
	most       int
	items      *sample.ByHash[ranked]
}

type ranked struct {
	times.Rank
	at profile.Pos // of the element
}

func (s *newestProbe) New() check.Probe {
	return &newestProbe{ref: s.ref, inner: s.inner, rank: s.rank, most: s.most, items: s.items}
}

func (s *newestProbe) Visit(d *profile.Document) {
	i, ok := d.First(0, s.ref)
	if !ok || d.Tokens[i].Kind == scan.Null {
		return
	}
	parent := d.Hash(i)
	for v := range d.Select(0, s.inner) {
		if r := s.rank.Of(d, v); r.Kind != times.NoRank {
			at := d.At(v)
			at.Len = 1
			s.items.Insert(parent, ranked{r, at}, s.keepNewest())
		}
	}
}

// keepNewest returns a function that adds an element of a parent. If the
// maximum is kept already, it replaces the oldest.
func (s *newestProbe) keepNewest() func(have *ranked, add ranked) bool {
	n, oldest := 0, (*ranked)(nil)
	return func(have *ranked, add ranked) bool {
		if n++; oldest == nil || newestFirst(*have, *oldest) > 0 {
			oldest = have
		}
		if n < s.most {
			return false
		}
		if newestFirst(add, *oldest) < 0 {
			*oldest = add
		}
		return true
	}
}

func newestFirst(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.Kind, a.Kind), b.Compare(a.Rank), a.at.Compare(b.at))
}

// of returns the elements kept for a parent, newest first.
func (s *newestProbe) of(parent uint64) []ranked {
	var all []ranked
	for r := range s.items.Table.All(parent) {
		all = append(all, *r)
	}
	slices.SortFunc(all, newestFirst)
	return all
}

func (s *newestProbe) Merge(other check.Probe) {
	o := other.(*newestProbe).items
	if o == s.items {
		return // all workers share one
	}
	s.items.KeepBelow(o.Shift.Load())
	for parent, r := range o.All() {
		s.items.Insert(parent, *r, s.keepNewest())
	}
}

// A stale is a list that lacks a newer element.
type stale struct {
	list    subsetList
	newest  []ranked // of the full set, as many as the list has
	missing ranked   // the newest of all
}

// find compares the lists with their parents' full sets. If the names differ,
// the two hold the same things only if most lists share an element with the
// full set.
//
// common is how many elements of the lists are in the full set. Lists with
// newer elements than the full set come from somewhere else. Lists that are not
// sorted, or leave out elements between their own, are in another order. A list
// that is merely behind lacks elements newer than all it has.
func (s *subset) find() (found []stale, compared, common int) {
	shared, ahead, otherwise := 0, 0, 0
	for _, parent := range s.parents.lists.Hashes() {
		full := s.newest.of(parent)
		for _, list := range s.parents.lists.Of(parent) {
			if len(full) == 0 {
				continue
			}
			compared++
			before := common
			for _, r := range full {
				if slices.Contains(list.ranks, r.Rank) {
					common++
				}
			}
			if common > before {
				shared++
			}
			if !list.sorted() || slices.ContainsFunc(full, list.leavesOut) {
				otherwise++
			}
			if listed, newest := list.newest(), full[0]; newest.Comparable(listed) {
				switch later := newest.Compare(listed); {
				case later < 0:
					ahead++
				case later > 0:
					found = append(found, stale{list, full[:min(len(full), len(list.ranks))], newest})
				}
			}
		}
	}
	if !s.named && 2*shared < compared || ahead > 1 && 5*ahead > compared || otherwise > 1 && 2*otherwise > compared {
		return nil, compared, common
	}
	slices.SortFunc(found, func(a, b stale) int { return a.list.at.Compare(b.list.at) })
	return found, compared, common
}

// reportStale reports a list that is behind those of its sources with which it
// has most in common.
func reportStale(p *check.Pass, from []*subset) {
	var s *subset
	var found []stale
	compared, most := 0, -1
	for _, o := range from {
		if f, n, common := o.find(); common > most {
			s, found, compared, most = o, f, n, common
		}
	}
	if len(found) == 0 {
		return
	}
	first := found[0]
	newest := first.list.newest()
	source := s.from.Collection.Name
	f := finding.Finding{
		Severity: finding.Warning, Confidence: 0.9,
		Message: fmt.Sprintf("%s does not hold the newest of %s in %s of %s: here the newest %s is %s, but %s has %s",
			s.name, source, quantity.Grouped(int64(len(found))), wording.Count(int64(compared), "document"), s.rank.Name, newest, source, first.missing.Rank),
		Evidence: []finding.Evidence{
			{Name: "documents.stale", Value: len(found)},
			{Name: "documents.compared", Value: compared},
			{Name: "order", Value: s.rank.Name},
			{Name: "newest.listed", Value: newest.String()},
			{Name: "newest.missing", Value: first.missing.Rank.String()},
		},
		Advice: fmt.Sprintf("Update %s in the same step as you write the new %s: push it and cut the list to its length ($push with $sort and $slice in MongoDB), "+
			"or rebuild the list from a change feed.", s.name, naming.SingularWords(restOf(s.name))),
	}
	if !s.rank.Time {
		// A higher id means a newer element only by convention.
		f.Severity, f.Confidence = finding.Info, 0.6
	}
	raw := check.Raw{
		Finding: f, At: first.list.at,
		Related: []check.RawRelated{{Message: "newer, but not in the list: " + first.missing.Rank.String(), At: first.missing.at}},
	}
	raw.Fixes = refresh(p, s, first)
	p.Report(s.e, s.node.Path(), raw)
}

// refresh shows the document with the newest elements in its list. Elements
// that leave the list are shown as documents of the full set, where they
// belong.
func refresh(p *check.Pass, s *subset, first stale) []finding.Fix {
	const most = 10
	if len(first.list.ranks) > most {
		return nil
	}
	d, err := p.Document(first.list.at)
	if err != nil {
		return nil
	}
	before, cut := plans.Shown(d.Document, most)
	if before == nil {
		return nil
	}
	after := before.Clone()
	path := s.node.Path()
	lists := after.Select(path)
	parent := before.Select(s.ref.Key.Path)
	if len(lists) != 1 || len(parent) != 1 || lists[0].Kind() != scan.Array || len(s.ref.Path) != 1 {
		return nil
	}
	old := lists[0].Elements()
	if len(old) != len(first.list.ranks) {
		return nil
	}
	fresh := s.union(p, old, first)
	if fresh == nil {
		return nil
	}
	holder := after
	if len(path) > 1 {
		holder = after.Select(path[:len(path)-1])[0]
	}
	holder.Set(path[len(path)-1].Name, reshape.Array(fresh...))
	fix := finding.Fix{
		Title: fmt.Sprintf("rebuild %s from %s", s.name, s.from.Collection.Name), Safety: finding.Plan, Before: before.AppendJSON(nil),
		After: []finding.DocumentInPlace{{Collection: s.e.Collection.Name, Document: after.AppendJSON(nil)}},
	}
	if cut {
		fix.Title += " (shown with a shortened document)"
	}
	gone := reshape.Array()
	for _, o := range old {
		if !slices.ContainsFunc(fresh, o.Equal) {
			gone.Append(o.Clone())
		}
	}
	ref := s.ref.Path[0].Name
	switch {
	case gone.Len() == 0:
	case len(s.inner) > 0:
		page := reshape.Object(reshape.Member{Name: ref, Value: parent[0].Clone()}, reshape.Member{Name: s.inner[0].Name, Value: gone})
		fix.After = append(fix.After, finding.DocumentInPlace{Collection: s.from.Collection.Name, Document: page.AppendJSON(nil)})
	default:
		for _, element := range gone.Elements() {
			if element.Kind() != scan.Object {
				return nil
			}
			element.AddAfterID([]string{"id", "_id"}, ref, parent[0].Clone())
			fix.After = append(fix.After, finding.DocumentInPlace{Collection: s.from.Collection.Name, Document: element.AppendJSON(nil)})
		}
	}
	return []finding.Fix{fix}
}

// union returns the newest elements of the list and the full set, newest first,
// as many as the list has, with the fields that the list keeps.
func (s *subset) union(p *check.Pass, old []*reshape.Value, first stale) []*reshape.Value {
	type candidate struct {
		times.Rank
		value *reshape.Value
	}
	var all []candidate
	for i, r := range first.list.ranks {
		all = append(all, candidate{r, old[i]})
	}
	for _, r := range first.newest {
		if slices.Contains(first.list.ranks, r.Rank) {
			continue
		}
		d, err := p.Document(r.at)
		if err != nil {
			return nil
		}
		i, ok := places.TokenAt(d, r.at)
		if !ok {
			return nil
		}
		whole, kept := reshape.From(d.Document, i), reshape.Object()
		for _, name := range whole.Keys() {
			if s.node.Array.Elem.Object.Field(name) != nil {
				kept.Set(name, whole.Get(name).Clone())
			}
		}
		all = append(all, candidate{r.Rank, kept})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return b.Compare(a.Rank) })
	var out []*reshape.Value
	for _, c := range all[:len(old)] {
		out = append(out, c.value.Clone())
	}
	return out
}
