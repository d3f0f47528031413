// Package overnormalized reports parts that are stored apart: small documents that
// each belong to one other document, with at most a handful for each.
package overnormalized

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is over-normalized on documents.
var Rule = check.Rule{Name: "over-normalized", Run: func(p *check.Pass) {
	for _, r := range p.DB.References {
		if c := partOf(p, r); c != nil {
			c.parents = relations.WatchKeys(p, r.Targets())
			c.children = check.Watch(p, r.From, &childIndex{r.Path, r.Tail, sample.NewByHash[[]profile.Pos](parentsKept)})
			p.After(func() { reportPart(p, c) })
		}
	}
}}

// meant reports whether a reference leads to documents, and not only to an attribute
// that happens to be different in each, such as a title.
func meant(r *model.Reference) bool {
	return r.Stem || r.Key.Identifies()
}

// A part is a kind of document that belongs to another one.
type part struct {
	*model.Reference
	perParent profile.Histogram
	noun      string // what the parent would call it
	named     bool   // its name is that of a part
	parents   []*relations.KeyIndex
	children  *childIndex
}

// partOf decides on the profile whether documents are parts; nil if not.
func partOf(p *check.Pass, r *model.Reference) *part {
	e := r.From
	if r.Many() || len(r.Path) != 1 || !r.Stem || !r.Key.ID && !r.Key.Own || r.To.Collection == e.Collection || r.Resolved() < 0.8 {
		return nil
	}
	others := slices.ContainsFunc(p.DB.ReferencesFrom(e), func(o *model.Reference) bool {
		return o != r && !p.Lexicon.Has(lexicon.Metadata, o.Field())
	})
	c := &part{Reference: r}
	c.noun, c.named = c.partName(p.Lexicon)
	line := line(p, c)
	if others && !line || slices.ContainsFunc(p.DB.ReferencesTo(e), meant) {
		return nil // it ties things together, or is one of its own
	}
	if float64(e.Profile.Sizes.Quantile(0.5)) > p.Threshold("max-bytes") || !line && ownClock(p, e) {
		return nil
	}
	for _, v := range r.Node.Scalars.Values.Values() {
		c.perParent.Add(v.Count)
	}
	parents := r.Node.Scalars.Values.Distinct()
	switch {
	case line && parents >= p.Threshold("min-parents") && float64(c.perParent.Max) <= p.Threshold("max-lines"):
	case parents < p.Threshold("min-parents"), float64(c.perParent.Max) > p.Threshold("max-children"),
		float64(c.perParent.Quantile(0.95)) > p.Threshold("usual-children"):
		return nil
	}
	return c
}

// line reports whether the documents are the lines of a record: the items of
// an order, the lines of an invoice. They are written with it, name the
// products that they are about, and keep the price of that day, which does
// not change by itself.
func line(p *check.Pass, c *part) bool {
	if !p.Lexicon.Has(lexicon.HistoricalParent, c.To.Collection.Name) {
		return false
	}
	tokens := lexicon.Tokens(c.From.Collection.Name)
	parent := lexicon.Tokens(c.To.Collection.Name)
	if len(tokens) < 2 || lexicon.Singular(tokens[0]) != lexicon.Singular(parent[len(parent)-1]) {
		return false
	}
	if !slices.Contains(linesWords(), lexicon.Singular(strings.Join(tokens[1:], ""))) {
		return false
	}
	return c.From.Root().Object.Rest == nil
}

// ownClock reports whether documents change or grow by themselves, or hold
// what must not travel with the parent: secrets.
func ownClock(p *check.Pass, e *model.Entity) bool {
	if p.Lexicon.Has(lexicon.Unbounded, e.Collection.Name) || p.Lexicon.Has(lexicon.HistoricalParent, e.Collection.Name) {
		return true
	}
	return e.Root().Object.Rest != nil || slices.ContainsFunc(e.Root().Object.Fields(), func(f *profile.Node) bool {
		name := f.Step.Name
		return p.Lexicon.Has(lexicon.VolatileStrong, name) || secret(name) || f.Array != nil && f.Array.Elem.Object != nil
	})
}

// secret reports whether a field holds what authentication needs.
func secret(name string) bool {
	return slices.ContainsFunc(lexicon.Tokens(name), func(token string) bool {
		return slices.Contains(secretsWords(), token)
	})
}

// partName returns the name that the parent would give the part, such as
// addresses for customerAddresses, and whether the name says that it is one.
func (c *part) partName(lex *lexicon.Lexicon) (string, bool) {
	tokens := lexicon.Tokens(c.From.Collection.Name)
	parent := lexicon.Tokens(c.To.Collection.Name)
	if len(tokens) == 0 || len(parent) == 0 {
		return c.From.Collection.Name, false
	}
	noun := tokens
	if owner := lexicon.Singular(parent[len(parent)-1]); len(tokens) > 1 && lexicon.Singular(tokens[0]) == owner {
		noun = tokens[1:]
	}
	if slices.Contains(partsWords(), lexicon.Singular(noun[len(noun)-1])) {
		return strings.Join(noun, " "), true
	}
	return strings.Join(noun, " "), len(noun) < len(tokens) || lex.Has(lexicon.Bounded, c.From.Collection.Name)
}

// A childIndex is a probe that finds the children of parents.
type childIndex struct {
	path profile.Path
	tail bool
	kept *sample.ByHash[[]profile.Pos] // by the hash of the parent's key
}

const parentsKept = 1 << 13

func (x *childIndex) New() check.Probe {
	return &childIndex{x.path, x.tail, x.kept}
}

func (x *childIndex) Visit(d *profile.Document) {
	if i, ok := d.First(0, x.path); ok && places.Scalar(d, i) {
		if hash, ok := relations.RefHash(d, i, x.tail); ok {
			x.kept.Put(hash, []profile.Pos{d.Start()}, joinPositions)
		}
	}
}

func joinPositions(a, b []profile.Pos) []profile.Pos {
	all := append(slices.Clone(a), b...)
	slices.SortFunc(all, profile.Pos.Compare)
	return all
}

func (x *childIndex) Merge(o check.Probe) { x.kept.Merge(o.(*childIndex).kept, joinPositions) }

func reportPart(p *check.Pass, c *part) {
	parents := float64(c.To.N())
	single := c.perParent.Max == 1
	exact := single && float64(c.perParent.Count) >= 0.95*parents
	severity, confidence := finding.Info, 0.6
	switch {
	case !c.named:
		confidence = 0.4 // a small sample of what grows looks the same
	case exact:
		severity, confidence = finding.Warning, 0.7
	}
	shape := fmt.Sprintf("an array %s in %s", reshapeName(c.noun, false), c.To.Collection.Name)
	many := fmt.Sprintf("at most %d", c.perParent.Max)
	if single {
		shape, many = fmt.Sprintf("an object %s in %s", reshapeName(c.noun, true), c.To.Collection.Name), "never more than one"
	}
	raw := check.Raw{
		At: c.From.Root().FirstAny(),
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence,
			Message: fmt.Sprintf("%s documents are parts of %s stored apart: %s for each, a median of %s, and nothing else refers to them",
				c.From.Label(), c.To.Collection.Name, many, quantity.Bytes(c.From.Profile.Sizes.Quantile(0.5))),
			Advice: fmt.Sprintf("Embed them as %s: small parts that are read and written with their parent save a query and a transaction there. Keep them apart if they change much more often than the parent, or may grow without bound.", shape),
			Evidence: []finding.Evidence{
				{Name: "documents", Value: c.From.N()},
				{Name: "parents", Value: c.To.N()},
				{Name: "perParent.p95", Value: c.perParent.Quantile(0.95)},
				{Name: "perParent.max", Value: c.perParent.Max},
				{Name: "bytes.p50", Value: c.From.Profile.Sizes.Quantile(0.5)},
				{Name: "parents.withOne", Value: math.Round(1000*float64(c.perParent.Count)/parents) / 1000},
			},
		},
		Related: []check.RawRelated{{Message: fmt.Sprintf("%s refers to %s; this is the first", c.Path, c.To.Collection.Name), At: c.To.Root().FirstAny()}},
	}
	raw.Fixes = mergeFix(p, c, single)
	p.Report(c.From, nil, raw)
}

func reshapeName(noun string, single bool) string {
	words := lexicon.Tokens(noun)
	last := len(words) - 1
	if single {
		words[last] = lexicon.Singular(words[last])
	} else {
		words[last] = lexicon.Plural(words[last])
	}
	return lexicon.StyleCamel.Join(words...)
}

// mergeFix shows a parent with its parts in it.
func mergeFix(p *check.Pass, c *part, single bool) []finding.Fix {
	children, parent, ok := c.smallestFamily(single)
	if !ok {
		return nil
	}
	doc := plans.Document(p, parent)
	if doc == nil {
		return nil
	}
	before := []plans.Placed{{Collection: c.To.Collection.Name, Document: doc}}
	var parts []*reshape.Value
	for _, at := range children {
		child := plans.Document(p, at)
		if child == nil {
			return nil
		}
		before = append(before, plans.Placed{Collection: c.From.Collection.Name, Document: child})
		embedded := child.Clone()
		embedded.Remove(c.Path[0].Name) // the parent's id, which it is in now
		parts = append(parts, embedded)
	}
	after := doc.Clone()
	name, value := reshape.FieldName(doc, reshapeName(c.noun, single)), reshape.Array(parts...)
	if single {
		value = parts[0]
	}
	if doc.Has(name) {
		name = reshape.FieldName(doc, "embedded", name)
	}
	after.Set(name, value)
	fix := plans.Fix(fmt.Sprintf("%s in %s", name, c.To.Collection.Name), c.To.Collection.Name, doc, after)
	shown, err := json.Marshal(before)
	if err != nil {
		return nil
	}
	fix.Before = shown
	return []finding.Fix{fix}
}

// smallestFamily returns the children of the parent that makes the smallest
// example; one with two or three children where there are such.
func (c *part) smallestFamily(single bool) (children []profile.Pos, parent profile.Pos, ok bool) {
	best := int64(math.MaxInt64)
	for _, hash := range c.children.kept.Hashes() {
		family, _ := c.children.kept.Get(hash)
		at, found := relations.FindKey(c.parents, hash)
		if !found || len(family) > 3 || !single && len(family) < 2 {
			continue
		}
		bytes := int64(at.DocLen)
		for _, child := range family {
			bytes += int64(child.DocLen)
		}
		if bytes <= plans.ExampleBytes && (bytes < best || bytes == best && at.Compare(parent) < 0) {
			best, children, parent, ok = bytes, family, at, true
		}
	}
	return children, parent, ok
}

var (
	secretsWords = rulebook.Words("over-normalized", "secrets")
	partsWords   = rulebook.Words("over-normalized", "parts")
	linesWords   = rulebook.Words("over-normalized", "lines")
)
