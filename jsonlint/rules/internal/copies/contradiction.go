package copies

import (
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// A Contradiction is a field of copies that names the thing but has different
// values in copies of the same thing. It needs no original.
type Contradiction struct {
	*Site
	Field     *FieldMeasure
	Conflicts []conflict // by the position of the differing copy
	Copies    int64      // of things with several
	Differing int64
	Odds      float64
}

// Contradictions returns the most certain one at each place that no other
// finding is about.
func Contradictions(p *check.Pass, all []*Site) []*Contradiction {
	var found []*Contradiction
	volatile := AllVolatile(p, all)
	for _, c := range all {
		if c.probe == nil || c.numbered() || slices.ContainsFunc(volatile, func(v *Volatile) bool { return v.holds(c) }) ||
			slices.ContainsFunc(all, c.sameThing) {
			continue
		}
		var best *Contradiction
		for _, f := range c.Measure(p).Fields {
			if x := c.contradiction(f); x != nil && (best == nil || x.Odds > best.Odds) {
				best = x
			}
		}
		if best != nil {
			found = append(found, best)
		}
	}
	return found
}

// sameThing reports whether a reference next to the id leads to the document of
// the same thing: teamId next to teamCode. The reference is then the identity,
// and two documents with one code are two things.
func (c *Site) sameThing(other *Site) bool {
	return c.Ref == nil && other.Ref != nil && other.Holder == c.Holder && slices.Equal(c.stem(), other.stem())
}

func (c *Site) contradiction(f *FieldMeasure) *Contradiction {
	if f.Compared > 0 || f.lacking || !c.mayName(f.Node) {
		return nil
	}
	x := &Contradiction{Site: c, Field: f}
	table := model.Table{}
	for _, t := range c.Measured.Things {
		values := &t.Cells[f.Index]
		if values.Shift > 0 || len(values.values) == 0 {
			return nil
		}
		row, best := map[uint64]int64{}, 0
		for i, v := range values.values {
			row[v.hash] = v.Count
			if better(v, values.values[best]) {
				best = i
			}
		}
		table[t.Hash] = row
		if values.count > 1 {
			x.Copies += values.count
		}
		if len(row) > 1 {
			x.Conflicts = append(x.Conflicts, conflictOf(t, values, best))
		}
	}
	if x.Odds, x.Differing = table.NameOdds(); x.Differing == 0 || x.Odds < model.Sure {
		return nil
	}
	if !slices.ContainsFunc(x.Conflicts, func(one conflict) bool { return one.Thing.Docs > 1 }) {
		return nil // parts of one document each, such as the codes of a ticket, are no copies
	}
	slices.SortFunc(x.Conflicts, func(a, b conflict) int { return a.Other.Places[0].Compare(b.Other.Places[0]) })
	return x
}

// mayContradict reports whether a field may contradict itself, so that reading
// is worthwhile: it has slightly more values than there are things, and several
// copies of each.
func (c *Site) mayContradict(f *profile.Node) bool {
	things, values := &c.ID.Scalars.Values, &f.Scalars.Values
	n := things.Distinct()
	if !c.mayName(f) || float64(f.ScalarCount()) < 1.5*n || values.Distinct() > 1.5*n+2 {
		return false
	}
	return values.Distinct() > n || (!values.Exact() || !things.Exact()) && values.Distinct() > 0.9*n
}

// mayName reports whether a field may be the name of the things. Only ids stand
// for things, but object_id for things of any kind; the text of a classification's code is not a copy.
func (c *Site) mayName(f *profile.Node) bool {
	words := lexicon.Tokens(c.ID.Step.Name)
	stem, _, ok := lexicon.ReferenceStem(c.ID.Step.Name)
	return stem != "object" && Telling(f) && !c.namedAfterOther(f) && c.ID.Scalars.Values.Distinct() >= 3 && (ok || len(words) > 0 && words[0] == "id")
}

// namedAfterOther reports whether a field names another reference next to it, like productName
// next to supplierId and productId, or may do so, like the name next to studyId and treeId.
func (c *Site) namedAfterOther(f *profile.Node) bool {
	words := lexicon.Tokens(f.Step.Name)
	names := func(n *profile.Node) bool {
		stem, _, ok := lexicon.ReferenceStem(n.Step.Name)
		return ok && n != f && (slices.Contains(words, stem) || len(words) == 1 && n != c.ID)
	}
	return !names(c.ID) && slices.ContainsFunc(f.Parent.Object.Fields(), names)
}
