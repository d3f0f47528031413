package danglingreference

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// reportLost reports fields that are references by their name and the form of
// their values, but none of whose values resolves. That alone proves nothing,
// because the target may be a sample. But other fields refer to it, and the share
// of theirs that resolves shows how likely a sample is to leave out all of these
// values. If no other field refers to it, the collections that others refer to show
// how likely it is that this one is a sample, and in a sample every share is equally
// likely. The fields are judged together, because a sample leaves out a document for
// all of them.
func reportLost(p *check.Pass) {
	shares := resolved(p)
	found := map[*model.Collection][]lost{}
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Scalars == nil || !mayBeLost(n) {
				return true
			}
			to := othersNamed(p, e, n)
			if to == nil {
				return true
			}
			form, id := relations.CommonForm(n), to.ID().Node
			has := func(k *model.Key) bool { return k.Identifies() && relations.CountForm(k.Node, form) > 0 }
			formed := func(k *model.Key) bool {
				return (k.Node == id || k.Identifies() && form != profile.FormInteger) && relations.CommonForm(k.Node) == form
			}
			typed := relations.IDForm(n) != profile.FormText && relations.IDForm(id) != profile.FormText // reference-type-mismatch reports those
			l := lost{e, n, n.Path(), !typed && !code(n) && !slices.ContainsFunc(to.Keys, has)}
			if !leadsTo(to, n) && (l.strange || slices.ContainsFunc(to.Keys, formed)) && distinct([]lost{l}) > 0 && !l.meant(p, to.Collection) {
				found[to.Collection] = append(found[to.Collection], l)
			}
			return true
		})
	}
	sampled := sampledShare(shares)
	for _, c := range p.DB.Collections {
		fields := found[c]
		values := distinct(fields)
		if values == 0 || p.Partial[c.Name] || c.Profile.Root.Count < 2 { // a single document is an example
			continue
		}
		elsewhere, known := shares[c]
		chance := sampled / (1 + values)
		if known {
			chance = math.Pow(1-elsewhere.resolved(), values)
		}
		if chance >= leftOut && !p.Collections[c.Name].Complete {
			// A sample leaves out documents, but its ids have the same forms.
			fields = slices.DeleteFunc(fields, func(l lost) bool { return !l.strange })
		}
		if len(fields) > 0 {
			reportLostTo(p, c, fields, elsewhere.resolved(), known)
		}
	}
}

// leadsTo reports whether a field holds a key of the documents, or the id of an object in
// them, such as a line of an order.
func leadsTo(to *model.Entity, n *profile.Node) bool {
	holds := func(k *profile.Node) bool {
		_, found, _ := n.Scalars.Values.Inclusion(&k.Scalars.Values)
		return found > 0
	}
	leads := slices.ContainsFunc(to.Keys, func(k *model.Key) bool {
		return (k.Identifies() || relations.CommonForm(k.Node) != profile.FormInteger) && holds(k.Node)
	})
	to.Root().Walk(func(k *profile.Node) bool {
		leads = leads || k.Scalars != nil && identity.IsIDName(k.Step.Name) && holds(k)
		return !leads
	})
	return leads
}

// othersNamed returns the documents that a field refers to by its name, or nil. If these have
// it too, as their id, and are alike, it is the id of both. One may be an archive.
func othersNamed(p *check.Pass, from *model.Entity, n *profile.Node) *model.Entity {
	to := relations.NamedBy(p, from, n)
	if to != nil && n.Depth <= 1 && n.Step == to.ID().Node.Step && from.Alike(to) {
		return nil
	}
	return to
}

// mayBeLost reports whether the values are ids by their form, which no two documents
// share by accident, or by the name of the field.
func mayBeLost(n *profile.Node) bool {
	form := relations.CommonForm(n)
	_, _, keyed := lexicon.ReferenceStem(naming.ListName(n))
	return form.IsGenerated() || keyed && form != profile.FormText
}

// code reports whether a field holds codes by its name. Codes have another form than ids:
// team_code is that of a team which may be in no collection.
func code(n *profile.Node) bool {
	tokens := lexicon.Tokens(naming.ListName(n))
	return len(tokens) > 0 && lexicon.Singular(tokens[len(tokens)-1]) == "code"
}

// A lost field is a reference none of whose values resolves.
type lost struct {
	from *model.Entity
	node *profile.Node
	path profile.Path

	strange bool // no key has the form of the values
}

// distinct returns how many different values fields hold together.
func distinct(fields []lost) float64 {
	most, all := 0.0, map[uint64]bool{}
	for _, l := range fields {
		if !l.node.Scalars.Values.Exact() {
			most = max(most, l.node.Scalars.Values.Distinct()) // more than the sample kept
		}
		for _, v := range l.node.Scalars.Values.Values() {
			if !v.HasText || !relations.AbsentText(v.Text) {
				all[v.Hash] = true
			}
		}
	}
	return max(most, float64(len(all)))
}

func (l lost) String() string { return l.from.Collection.Name + "." + l.path.String() }

// reportLostTo reports the fields that should refer to documents of one collection.
// They have one cause: these documents got new ids, or were replaced.
func reportLostTo(p *check.Pass, to *model.Collection, fields []lost, elsewhere float64, known bool) {
	slices.SortStableFunc(fields, func(a, b lost) int { return cmp.Compare(b.node.Present(), a.node.Present()) })
	first := fields[0]
	some := places.Find(p, first.from, first.path, 1, 1, func(d *profile.Document, i int, hit func(sort int, at profile.Pos, text string)) {
		if !relations.Absent(d, i) {
			hit(0, d.At(i), "")
		}
	})
	p.After(func() {
		values := some.Sorts[0]
		says := fmt.Sprintf("none of %s in %s leads to a document of %s", wording.Count(values.Count, "value"), first.path, to.Name)
		if values.Count == 1 {
			says = fmt.Sprintf("the only value in %s leads to no document of %s", first.path, to.Name)
		}
		raw := check.Raw{At: values.First(), Finding: finding.Finding{
			Severity: finding.Info, Confidence: 0.6,
			Message: says,
			Advice: fmt.Sprintf("If %s refers to %s, correct or remove these references, or restore the documents. If it refers to something else, give it a name that says so.",
				first.path, to.Name),
			Evidence: []finding.Evidence{
				{Name: "references", Value: values.Count}, {Name: "dangling.distinct", Value: int64(first.node.Scalars.Values.Distinct())},
			},
		}}
		if others := first.instead(p); others != nil {
			raw.Message += ", but to " + others.Name
			raw.Advice = fmt.Sprintf("If %s refers to %s, correct these references. If it refers to %s, give it a name that says so.", first.path, to.Name, others.Name)
		} else if known {
			raw.Message += ", though other fields lead to them"
			raw.Evidence = append(raw.Evidence, finding.Evidence{Name: "resolved.elsewhere", Value: quantity.Percent(elsewhere)})
		} else if !first.strange {
			raw.Advice += fmt.Sprintf(" If %s was exported in part, the documents may be there.", to.Name)
		}
		var names []string
		for _, l := range fields[1:] {
			if l.String() != first.String() && !slices.Contains(names, l.String()) { // a field of several kinds of document
				names = append(names, l.String())
				raw.Related = append(raw.Related, check.RawRelated{Message: "none here either, in " + l.String(), At: l.node.FirstAny()})
			}
		}
		if len(names) > 0 {
			raw.Message += fmt.Sprintf(", nor does any in %s", wording.JoinNames(wording.FirstFew(names)))
		}
		raw.Message += ": here " + places.Quote(p, values.First())
		p.Report(first.from, first.path, raw)
	})
}

// instead returns the only other collection that has documents with all the values as ids.
// Small numbers are ids everywhere.
func (l lost) instead(p *check.Pass) (other *model.Collection) {
	for v := range l.node.Scalars.Values.Texts() {
		if len(v.Text) < smallNumber && profile.FormOf([]byte(v.Text)) == profile.FormInteger {
			return nil
		}
	}
	for _, e := range p.DB.Entities() {
		id := e.ID()
		if id == nil || !id.ID || e.Collection == other {
			continue
		}
		if tested, found, _ := l.node.Scalars.Values.Inclusion(&id.Node.Scalars.Values); tested > 0 && found == tested {
			if other != nil {
				return nil
			}
			other = e.Collection
		}
	}
	return other
}

// meant reports whether the only other collection with all the values as ids also has the
// name of the one that the field names: category leads to categories-archive.
func (l lost) meant(p *check.Pass, to *model.Collection) bool {
	other := l.instead(p)
	return other != nil && strings.Contains(lexicon.Fold(other.Name), lexicon.Fold(to.Name))
}

const smallNumber = 4 // digits from which a number is not small

// leftOut is the probability up to which a sample may lack all documents that a
// field refers to.
const leftOut = 0.2

// A share counts the values of references, and those that lead to a document.
type share struct{ tested, found int }

// resolved is the share that leads to a document. The next value may be the first
// that does not.
func (s share) resolved() float64 { return float64(s.found) / float64(s.tested+1) }

// resolved counts, by collection, the values of all references to it by id.
func resolved(p *check.Pass) map[*model.Collection]share {
	shares := map[*model.Collection]share{}
	for _, r := range p.DB.References {
		if r.Key.ID && r.From.Collection != r.To.Collection {
			s := shares[r.To.Collection]
			shares[r.To.Collection] = share{s.tested + r.Tested, s.found + r.Found}
		}
	}
	return shares
}

// sampledShare is the probability that a collection is a sample, judged by those that
// others refer to: one is if it lacks any of the documents.
func sampledShare(shares map[*model.Collection]share) float64 {
	samples := 1.0
	for _, s := range shares {
		if s.found < s.tested {
			samples++
		}
	}
	return samples / float64(len(shares)+1)
}
