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

// childFormulas are the references by which documents of another kind point at
// the aggregate's document. Which of them it counts, if any, is told by the
// numbers, or by its name.
func childFormulas(p *check.Pass, a *aggregate) []*model.Reference {
	if a.holder.Inside() || a.measure == averaged || a.of == "" {
		return nil
	}
	refs := slices.DeleteFunc(slices.Clone(p.DB.ReferencesTo(a.entity)), func(r *model.Reference) bool { return r.From == a.entity })
	return refs[:min(len(refs), maxChildren)]
}

// numberOfChildren reports whether a number is called what documents that refer
// to this one are: posts have likes, and there are likes of posts.
func numberOfChildren(p *check.Pass, e *model.Entity, n *profile.Node) bool {
	return slices.ContainsFunc(p.DB.ReferencesTo(e), func(r *model.Reference) bool {
		return r.From != e && lexicon.MatchStem(n.Step.Name, naming.EntityName(r.From)) == lexicon.SameName
	})
}

// maxChildren bounds the references that are counted for one number.
const maxChildren = 32

// A childJoin counts the documents that refer to each document of a kind.
type childJoin struct {
	reference *model.Reference
	parents   *storedProbe
	children  *refererProbe
}

func watchChildren(p *check.Pass, a *aggregate, r *model.Reference) *childJoin {
	return &childJoin{
		reference: r,
		parents:   check.Watch(p, a.entity, &storedProbe{key: r.Key.Path, holder: a.holder.Path(), field: a.node.Step.Name, stored: map[uint64]offender{}}),
		children:  check.Watch(p, r.From, &refererProbe{path: r.Path, tail: r.Tail, counts: map[uint64]int64{}}),
	}
}

// A storedProbe collects the stored numbers by key.
type storedProbe struct {
	key    profile.Path
	holder profile.Path
	field  string
	stored map[uint64]offender
	shift  uint8
}

func (q *storedProbe) New() check.Probe {
	return &storedProbe{key: q.key, holder: q.holder, field: q.field, stored: map[uint64]offender{}}
}

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
	hash := d.Hash(key)
	if !ok || !sample.Kept(hash, q.shift) {
		return
	}
	t := d.Tokens[v]
	o := offender{at: d.At(v), stored: stored, storedText: string(d.Text(v))}
	o.digits = o.at
	o.digits.Off, o.digits.Len = d.Base+int64(t.A), t.B-t.A
	q.put(hash, o)
	sample.ShrinkBy(q.stored, &q.shift, q.shift)
}

// put keeps the first of several documents with one key.
func (q *storedProbe) put(hash uint64, o offender) {
	if have, ok := q.stored[hash]; !ok || o.at.Compare(have.at) < 0 {
		q.stored[hash] = o
	}
}

func (q *storedProbe) Merge(other check.Probe) {
	o := other.(*storedProbe)
	sample.ShrinkBy(q.stored, &q.shift, o.shift)
	for hash, x := range o.stored {
		if sample.Kept(hash, q.shift) {
			q.put(hash, x)
		}
	}
	sample.ShrinkBy(q.stored, &q.shift, q.shift)
}

// A refererProbe counts the documents that refer to a key.
type refererProbe struct {
	path   profile.Path
	tail   bool
	counts map[uint64]int64
	shift  uint8
	seen   []uint64
}

func (c *refererProbe) New() check.Probe {
	return &refererProbe{path: c.path, tail: c.tail, counts: map[uint64]int64{}}
}

func (c *refererProbe) Visit(d *profile.Document) {
	c.seen = c.seen[:0]
	for v := range d.Select(0, c.path) {
		if k := d.Tokens[v].Kind; k == scan.Null || k >= scan.Object {
			continue
		}
		hash := copies.IdentityHash(d.Canonical(v), c.tail)
		if sample.Kept(hash, c.shift) && !slices.Contains(c.seen, hash) {
			c.seen = append(c.seen, hash)
			c.counts[hash]++
		}
	}
	sample.ShrinkBy(c.counts, &c.shift, c.shift)
}

func (c *refererProbe) Merge(other check.Probe) {
	o := other.(*refererProbe)
	sample.ShrinkBy(c.counts, &c.shift, o.shift)
	for hash, n := range o.counts {
		if sample.Kept(hash, c.shift) {
			c.counts[hash] += n
		}
	}
	sample.ShrinkBy(c.counts, &c.shift, c.shift)
}

// judge compares the stored numbers with the counts.
func (j *childJoin) judge() judgement {
	out := judgement{join: j}
	shift := max(j.parents.shift, j.children.shift)
	for hash, o := range j.parents.stored {
		if !sample.Kept(hash, shift) {
			continue
		}
		n := j.children.counts[hash]
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
		out.offenders = keepFirst(out.offenders, o)
	}
	return out
}

// describe names what an aggregate is compared with.
func (j judgement) describe() string {
	if j.join != nil {
		return fmt.Sprintf("the number of %s with this %s", j.join.reference.From.Collection.Name, j.join.reference.Path)
	}
	return j.formula.String()
}

// source names what the aggregate is made of.
func (j judgement) source() string {
	if j.join != nil {
		return j.join.reference.From.Collection.Name
	}
	return strings.TrimSuffix(j.formula.array.String(), "[]")
}
