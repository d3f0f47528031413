// Package untraceablecopy reports objects that repeat fields of another
// document but not its id, so that nobody can tell later what they were copied
// from.
package untraceablecopy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/copies"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is untraceable-copy on documents.
var Rule = check.Rule{Name: "untraceable-copy", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		if copies.Historical(p, e) {
			continue
		}
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Object == nil || n.Parent == nil {
				return true
			}
			if n.Object.Sampled() {
				return false
			}
			if copies.Frozen(p, n) {
				return false
			}
			watchAnonymous(p, e, n)
			return true
		})
	}
}}

// anonymous is an object without identity that may be a copy of a kind of
// document.
type anonymous struct {
	entity *model.Entity
	node   *profile.Node
	of     *model.Entity
	key    *model.Key
	fields []string // names that both have

	copies    *tupleProbe
	originals *tupleProbe
}

func watchAnonymous(p *check.Pass, e *model.Entity, n *profile.Node) {
	if float64(n.Types[profile.Object]) < p.Threshold("cases") || model.Identity(n) != nil || copies.InsideMap(n) {
		return
	}
	for _, f := range n.Object.Fields() {
		if r := p.DB.ReferenceAt(f); r != nil && (r.Key.ID || r.Key.Named) {
			return // it refers to something by id
		}
	}
	telling := slices.DeleteFunc(slices.Clone(n.Object.Fields()), func(f *profile.Node) bool { return !copies.Copied(f) || !describes(p, f) })
	if float64(len(telling)) < p.Threshold("fields") {
		return
	}
	var candidates []*anonymous
	for _, to := range p.DB.Entities() {
		key := to.ID()
		if to == e || key == nil {
			continue
		}
		a := &anonymous{entity: e, node: n, of: to, key: key, fields: shared(telling, to)}
		if float64(len(a.fields)) < p.Threshold("fields") || refersNearby(p, e, n, to) {
			continue
		}
		a.copies = check.Watch(p, e, &tupleProbe{settings: &tupleSettings{path: n.Path(), names: a.fields}, tuples: sample.NewByHash[tuple](sample.Joined)})
		a.originals = check.Watch(p, to, &tupleProbe{settings: &tupleSettings{names: a.fields}, tuples: sample.NewByHash[tuple](sample.Joined)})
		candidates = append(candidates, a)
	}
	if len(candidates) == 0 {
		return
	}
	p.After(func() {
		best, bestShare := (*anonymous)(nil), 0.0
		for _, a := range candidates {
			if share, cases := a.matched(); float64(cases) >= p.Threshold("cases") && share >= p.Threshold("share") && share > bestShare {
				best, bestShare = a, share
			}
		}
		if best != nil {
			reportAnonymous(p, best, bestShare)
		}
	})
}

// shared returns the names of those fields whose values documents have under the same
// name.
func shared(fields []*profile.Node, documents *model.Entity) (names []string) {
	key := documents.ID().Node
	for _, f := range fields {
		if g := documents.Root().Object.Field(f.Step.Name); g != nil && g != key && copies.Copied(g) && valuesIncluded(f, g) {
			names = append(names, f.Step.Name)
		}
	}
	return names
}

// refersNearby reports whether the objects around n refer to the documents:
// userId next to user{name, image} identifies the user. The same holds if a
// document refers to the one it is copied into, as positions do to their
// vehicle.
func refersNearby(p *check.Pass, e *model.Entity, n *profile.Node, to *model.Entity) bool {
	if slices.ContainsFunc(p.DB.ReferencesFrom(to), func(r *model.Reference) bool { return r.To == e }) {
		return true
	}
	for _, r := range p.DB.ReferencesFrom(e) {
		if r.To != to {
			continue
		}
		for m := n.Parent; m != nil; m = m.Parent {
			if r.Node.Parent == m {
				return true
			}
		}
	}
	return false
}

// describes reports whether a field describes a particular thing. Parts of
// addresses, amounts and dates occur anywhere.
func describes(p *check.Pass, f *profile.Node) bool {
	if !copies.Telling(f) || p.Lexicon.Has(lexicon.Metadata, f.Step.Name) || copies.HoldsDates(f) {
		return false
	}
	return !slices.ContainsFunc(lexicon.Tokens(f.Step.Name), func(t string) bool {
		return slices.Contains(addressPartsWords(), t)
	})
}

// valuesIncluded reports whether nearly all values of a field are values of the
// other.
func valuesIncluded(f, g *profile.Node) bool {
	tested, found, _ := f.Scalars.Values.Inclusion(&g.Scalars.Values)
	return 10*found >= 8*tested
}

// matched returns the number of cases, and the share in which the object
// repeats exactly one document.
func (a *anonymous) matched() (share float64, cases int64) {
	hit := int64(0)
	distinct := 0
	for hash, t := range a.copies.tuples.All() {
		if !a.originals.tuples.Keeps(hash) {
			continue
		}
		cases += t.count
		if original, _ := a.originals.tuples.Get(hash); original.count == 1 {
			hit += t.count
			distinct++
		}
	}
	if cases == 0 || distinct < 2 {
		return 0, cases
	}
	return float64(hit) / float64(cases), cases
}

func reportAnonymous(p *check.Pass, a *anonymous, share float64) {
	target, key := a.of.Collection.Name, a.key.Path.String()
	name := wording.Label(a.node.Path(), "object")
	message := fmt.Sprintf("%s repeats %s of a document of %s in %s of %s, but not its %s: nothing says what it is a copy of",
		name, wording.JoinNames(a.fields), target, quantity.Percent(share), wording.Count(a.node.Types[profile.Object], "case"), key)
	r := check.Raw{At: a.node.First(profile.Object), Finding: finding.Finding{
		Severity: finding.Warning, Confidence: 0.7, Message: message,
		Advice: fmt.Sprintf("Store the %s of the %s next to the copied fields, in the same type as in %s: then the copies of a document that has "+
			"changed can be found and refreshed. Names change and repeat; ids do not.", key, lexicon.Singular(target), target),
		Evidence: []finding.Evidence{
			{Name: "cases", Value: a.node.Types[profile.Object]},
			{Name: "matched", Value: float64(int64(1000*share)) / 1000},
			{Name: "fields", Value: a.fields},
			{Name: "original", Value: target},
		},
	}, Cause: target + " " + strings.Join(a.fields, " "), Sure: true} // whoever copies them leaves out the id, wherever the copies are
	if share >= 0.95 && a.node.Types[profile.Object] >= places.EnoughDocuments {
		r.Confidence = 0.9
	}
	addIDs(p, a, &r)
	p.Report(a.entity, a.node.Path(), r)
}

// addIDs adds the edits that write the id into the copies.
func addIDs(p *check.Pass, a *anonymous, r *check.Raw) {
	complete := a.copies.tuples.Exact() && a.originals.tuples.Exact() && int64(len(a.copies.places)) == a.copies.objects
	name := a.key.Path[len(a.key.Path)-1].Name
	var edits []check.RawEdit
	for _, at := range a.copies.places {
		original, ok := a.originals.tuples.Get(at.tuple)
		if !ok || original.count != 1 {
			continue // that copy matches nothing: a person has to look
		}
		d, err := p.Document(original.at)
		if err != nil {
			return
		}
		id, ok := d.First(0, a.key.Path)
		if !ok {
			continue
		}
		edits = append(edits, check.RawEdit{At: at.open, NewText: fmt.Sprintf("{%q: %s, ", name, d.Raw(id))})
		if len(r.Related) == 0 {
			r.Related = append(r.Related, check.RawRelated{Message: "the original of the first copy", At: original.at})
		}
	}
	if len(edits) == 0 {
		return
	}
	title := fmt.Sprintf("add the %s of %s to %s", name, a.of.Collection.Name, wording.Label(a.node.Path(), "the copies"))
	plans.Mend(p, a.entity, r, title, edits[0].At, edits, complete)
}

var addressPartsWords = rulebook.Words("untraceable-copy", "address-parts")
