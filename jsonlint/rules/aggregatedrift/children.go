package aggregatedrift

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/copies"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// childFormulas returns the references from documents of other kinds to the
// aggregate's document. The numbers, or the name, show which of them it counts,
// if any.
func childFormulas(p *check.Pass, a *aggregate) []*model.Reference {
	if a.holder.Inside() || a.measure == averaged || a.of == "" {
		return nil
	}
	refs := slices.DeleteFunc(slices.Clone(p.DB.ReferencesTo(a.entity)), func(r *model.Reference) bool { return r.From == a.entity })
	return refs[:min(len(refs), maxChildren)]
}

// numberOfChildren reports whether a number has the name of the documents that
// refer to this one: posts have likes, and there are likes of posts.
func numberOfChildren(p *check.Pass, e *model.Entity, n *profile.Node) bool {
	return slices.ContainsFunc(p.DB.ReferencesTo(e), func(r *model.Reference) bool {
		return r.From != e && lexicon.MatchStem(n.Step.Name, naming.EntityName(r.From)) == lexicon.SameName
	})
}

// maxChildren bounds the references tried for one number.
const maxChildren = 32

// A childJoin counts the documents, of one kind or of all kinds of a collection,
// that refer to each document of a kind.
type childJoin struct {
	reference *model.Reference // of the first kind
	parents   *storedProbe
	children  []*refererProbe
}

// together returns the joins, and one more for each collection of which several
// kinds refer to the documents in the same field: a number may count all of them.
func together(joins []*childJoin) []*childJoin {
	all := slices.Clone(joins)
	for i, j := range joins {
		same := func(k *childJoin) bool {
			a, b := j.reference, k.reference
			return a.From.Collection == b.From.Collection && a.Path.String() == b.Path.String() && a.Key.Path.String() == b.Key.Path.String()
		}
		if slices.ContainsFunc(joins[:i], same) {
			continue
		}
		whole := &childJoin{reference: j.reference, parents: j.parents}
		for _, k := range joins[i:] {
			if same(k) {
				whole.children = append(whole.children, k.children...)
			}
		}
		if len(whole.children) > 1 {
			all = append(all, whole)
		}
	}
	return all
}

func watchChildren(p *check.Pass, a *aggregate, r *model.Reference) *childJoin {
	return &childJoin{
		reference: r,
		parents:   check.Watch(p, a.entity, &storedProbe{key: r.Key.Path, holder: a.holder.Path(), field: a.node.Step.Name, stored: sample.NewByHash[offender](sample.Joined)}),
		children:  []*refererProbe{check.Watch(p, r.From, &refererProbe{path: r.Path, tail: r.Tail, counts: sample.NewByHash[int64](sample.Joined)})},
	}
}

// A storedProbe collects the stored numbers by key.
type storedProbe struct {
	key    profile.Path
	holder profile.Path
	field  string
	stored *sample.ByHash[offender]
}

func (q *storedProbe) New() check.Probe { return q }

func (q *storedProbe) Visit(d *profile.Document) {
	key, ok := d.First(0, q.key)
	holder, hok := d.First(0, q.holder)
	if !hok {
		return
	}
	v, vok := d.Get(holder, q.field)
	if !ok || !vok || d.Tokens[key].Kind >= scan.Object || d.Tokens[key].Kind == scan.Null {
		return
	}
	stored, ok := numberAt(d, v)
	if hash := d.Hash(key); !ok || !q.stored.Keeps(hash) {
		return
	}
	t := d.Tokens[v]
	o := offender{at: d.At(v), stored: stored, storedText: string(d.Text(v))}
	o.digits = o.at
	o.digits.Off, o.digits.Len = d.Base+int64(t.A), t.B-t.A
	q.stored.Put(d.Hash(key), o, offender.earlier)
}

// earlier returns the first of two documents with the same key.
func (o offender) earlier(p offender) offender {
	if p.at.Compare(o.at) < 0 {
		return p
	}
	return o
}

func (q *storedProbe) Merge(other check.Probe) {
	q.stored.Merge(other.(*storedProbe).stored, offender.earlier)
}

// A refererProbe counts the documents that refer to each key.
type refererProbe struct {
	path   profile.Path
	tail   bool
	counts *sample.ByHash[int64]
	seen   []uint64
}

func (c *refererProbe) New() check.Probe {
	return &refererProbe{path: c.path, tail: c.tail, counts: c.counts}
}

func (c *refererProbe) Visit(d *profile.Document) {
	c.seen = c.seen[:0]
	for v := range d.Select(0, c.path) {
		if k := d.Tokens[v].Kind; k == scan.Null || k >= scan.Object {
			continue
		}
		hash := copies.IdentityHash(d.Canonical(v), c.tail)
		if !slices.Contains(c.seen, hash) {
			c.seen = append(c.seen, hash)
			c.counts.Put(hash, 1, sample.Sum)
		}
	}
}

func (c *refererProbe) Merge(other check.Probe) {
	c.counts.Merge(other.(*refererProbe).counts, sample.Sum)
}

// judge compares the stored numbers with the counts.
func (j *childJoin) judge() judgement {
	out := judgement{join: j}
	for hash, stored := range j.parents.stored.All() {
		if slices.ContainsFunc(j.children, func(c *refererProbe) bool { return !c.counts.Keeps(hash) }) {
			continue
		}
		o, n := *stored, int64(0)
		for _, c := range j.children {
			count, _ := c.counts.Get(hash)
			n += count
		}
		out.tested++
		exact := o.stored == float64(n)
		if exact {
			out.exact++
		}
		if n == 0 && o.stored == 0 {
			continue
		}
		out.telling++
		if exact {
			out.proved++
			continue
		}
		o.expected, o.expectedText = float64(n), strconv.FormatInt(n, 10)
		out.offenders = keepFirst(out.offenders, &o)
	}
	return out
}

// describe returns what an aggregate is compared with.
func (j judgement) describe() string {
	if j.join != nil {
		return fmt.Sprintf("the number of %s with this %s", j.join.reference.From.Collection.Name, j.join.reference.Path)
	}
	return j.formula.String()
}

// source returns what the aggregate is computed from.
func (j judgement) source() string {
	if j.join != nil {
		return j.join.reference.From.Collection.Name
	}
	return strings.TrimSuffix(j.formula.array.String(), "[]")
}
