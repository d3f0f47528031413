// Package missingdiscriminator reports several kinds of document in one
// collection, or of object in one array, that nothing distinguishes. Kinds are
// clusters of shapes that have hardly a name in common. Whatever predicts the
// kind counts as its discriminator, whatever its name: a field of the object,
// of a part of it or of the object around it, the prefix of an id, or a name
// that only one kind has.
package missingdiscriminator

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule is missing-discriminator on documents.
var Rule = check.Rule{Name: "missing-discriminator", OnSchema: onSchema, Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		if d, missing := partialDiscriminator(p, c); missing > 0 {
			reportPartial(p, c, d)
		} else if c.Discriminator == nil {
			if m := rootMixture(p, c); m != nil {
				m.watch(p, c.Entities, func(p *check.Pass, probe *predict.Probe) {
					p.After(func() { // once it is known whether the shapes are reported for another reason, and which are outliers
						if !explained.Shapes(p)[c] && !m.outliers(p, probe) {
							m.reportRoot(p, probe)
						}
					})
				})
			} else {
				checkFamilies(p, c)
			}
		}
		for _, e := range c.Entities {
			e.Root().Walk(func(n *profile.Node) bool {
				if n.Step.Kind == profile.Element && n.Parent != nil {
					if m := elementMixture(p, e, n); m != nil {
						m.watch(p, []*model.Entity{e}, m.reportElements)
					}
				}
				return true
			})
		}
	}
}}

// A mixture is several kinds of object at one path.
type mixture struct {
	collection *model.Collection
	node       *profile.Node
	path       profile.Path
	kinds      []*model.Cluster // largest first
	total      int64
	overlap    float64 // the most that two of the kinds have in common
	example    bool    // too few objects for ratios
	tag        string  // the field to add, which distinguishes them
}

const exampleKinds = 1.5 // objects a kind has on average in a small sample

const kindsCover = 0.8 // objects that must be of one of the kinds

// rootMixture returns the kinds of the documents of a collection, or nil if
// there is only one.
func rootMixture(p *check.Pass, c *model.Collection) *mixture {
	root := c.Profile.Root
	if !root.Object.Shapes.Exact() {
		return nil
	}
	m := &mixture{collection: c, node: root, total: c.Profile.Docs, tag: tag(p, c, nil)}
	overlap := p.Threshold("max-overlap")
	m.kinds = m.separate(m.substantial(p, c.Kinds), overlap)
	if len(m.kinds) > 1 {
		// Once there are several kinds, a rare one is a kind as well.
		least := p.Threshold("min-documents")
		m.kinds = m.separate(slices.DeleteFunc(slices.Clone(c.Kinds), func(k *model.Cluster) bool { return float64(k.Count) < least }), overlap)
	} else if m.total < predict.FewObjects {
		m.example = true
		m.kinds = m.separate(c.Kinds, overlap)
		if !m.plausibleExample(c, overlap) || m.outlier() {
			return nil
		}
	}
	if m.keyed() || !m.distinct() || m.taggedByKey() || m.flagged() || m.predicted(p) || m.declared(p) {
		return nil
	}
	return m
}

// keyed reports whether every document has a key of its own that is named after the
// collection, as each of doctors has a doctorId. However different they are, such as
// those who have not told all about themselves, they are things of one kind.
func (m *mixture) keyed() bool {
	return !slices.ContainsFunc(m.collection.Entities, func(e *model.Entity) bool { return e.OwnKey() == nil })
}

// outlier reports whether a single document is unlike several of one kind. It
// makes no kind.
func (m *mixture) outlier() bool {
	return len(m.kinds) == 2 && m.kinds[1].Count == 1 && m.kinds[0].Count >= 4
}

// outliers reports whether all but one kind are single documents that
// structural-outlier reports.
func (m *mixture) outliers(p *check.Pass, probe *predict.Probe) bool {
	reported := explained.Outliers(p).Documents
	for i, k := range m.kinds[1:] {
		if k.Count > 1 || !reported[places.DocumentAt(probe.Kinds[i+1].First)] {
			return false
		}
	}
	return true
}

// elementMixture returns the kinds of the objects in an array.
func elementMixture(p *check.Pass, e *model.Entity, n *profile.Node) *mixture {
	o := n.Object
	if o == nil || !o.Shapes.Exact() || float64(n.Types[profile.Object]) < p.Threshold("min-elements") {
		return nil
	}
	m := &mixture{collection: e.Collection, node: n, path: n.Path(), total: n.Types[profile.Object], tag: tag(p, e.Collection, n.Path())}
	m.kinds = m.separate(m.substantial(p, model.ClusterShapes(o.Shapes, p.Lexicon)), p.Threshold("max-overlap"))
	if !m.distinct() || m.taggedByKey() || m.flagged() || m.predicted(p) || m.declared(p) {
		return nil
	}
	return m
}

func (m *mixture) substantial(p *check.Pass, clusters []*model.Cluster) []*model.Cluster {
	least := max(p.Threshold("min-documents"), p.Threshold("min-share")*float64(m.total))
	return slices.DeleteFunc(slices.Clone(clusters), func(k *model.Cluster) bool { return float64(k.Count) < least })
}

// separate returns the kinds that the clusters form, and records how much two
// of them have in common.
func (m *mixture) separate(clusters []*model.Cluster, overlap float64) []*model.Cluster {
	kinds := model.SeparatedBy(clusters, overlap)
	m.overlap = 0
	for i, a := range kinds {
		for _, b := range kinds[:i] {
			m.overlap = max(m.overlap, model.Jaccard(a, b))
		}
	}
	return kinds
}

// plausibleExample reports whether a handful of documents is a sample of a
// collection and not a folder of unrelated files: they have ids, there are
// several of a kind, and each is of one of the kinds.
func (m *mixture) plausibleExample(c *model.Collection, overlap float64) bool {
	inKinds, largest := int64(0), int64(0)
	for _, k := range m.kinds {
		inKinds += k.Count
		largest = max(largest, k.Count)
	}
	ids := int64(0)
	for _, name := range []string{"id", "_id"} {
		if f := c.Profile.Root.Object.Field(name); f != nil {
			ids = max(ids, f.Present())
		}
	}
	return m.total >= 3 && m.overlap <= overlap-0.1 && inKinds == m.total && largest >= 2 && 2*ids >= m.total &&
		float64(m.total) >= exampleKinds*float64(len(m.kinds))
}

// distinct reports whether most objects belong to a kind, and at least two kinds have names of their own
// that are not other spellings, and no data. A smaller shape whose names all occur in a larger one may be the same kind
// with fewer values. If most objects resemble no other, there are no kinds.
func (m *mixture) distinct() bool {
	if float64(predict.ObjectsIn(m.kinds)) < kindsCover*float64(m.total) {
		return false
	}
	having := map[string]int{}
	for _, k := range m.kinds {
		for _, name := range k.Own(m.kinds) {
			having[lexicon.Fold(name)]++
		}
	}
	n := 0
	for _, k := range m.kinds {
		if slices.ContainsFunc(k.Own(m.kinds), func(name string) bool { return having[lexicon.Fold(name)] == 1 && !model.IsDataName(name) }) {
			n++
		}
	}
	return n > 1
}

// taggedByKey reports whether each kind has an object of its own, whose name
// then gives the kind: {"id": …, "card": {…}} or {"id": …, "bank": {…}}.
func (m *mixture) taggedByKey() bool {
	return !slices.ContainsFunc(m.kinds, func(k *model.Cluster) bool {
		own := k.Own(m.kinds)
		if len(own) != 1 {
			return true
		}
		f := m.node.Object.Field(own[0])
		return f == nil || f.Types[profile.Object] < f.Present()
	})
}

// flagged reports whether a flag, which is all that one of two kinds has of its
// own, distinguishes them: {"title": …, "break": true}.
func (m *mixture) flagged() bool {
	return len(m.kinds) == 2 && slices.ContainsFunc(m.kinds, func(k *model.Cluster) bool {
		own := k.Own(m.kinds)
		if len(own) != 1 {
			return false
		}
		f := m.node.Object.Field(own[0])
		return f != nil && f.Count == k.Count && f.AlwaysTrue()
	})
}

// predicted reports whether a field of the objects, or of a part of them,
// distinguishes the kinds. Objects in which it is not a text (a list of types)
// count neither for nor against it.
func (m *mixture) predicted(p *check.Pass) bool {
	for _, d := range model.Discriminators(m.node.Object.Shapes, m.kinds, m.total, p.Lexicon) {
		if float64(d.Node.Present()) >= p.Threshold("presence")*float64(m.total) && d.Purity >= p.Threshold("purity") &&
			d.Recall >= predict.Recall && float64(len(d.Values)) <= p.Threshold("max-kinds") {
			return true
		}
	}
	return false
}

// declared reports whether the schema of the collection names the discriminator
// and objects have it. Objects without it violate the schema.
func (m *mixture) declared(p *check.Pass) bool {
	name := p.DeclaredDiscriminator(m.collection.Name, m.path)
	if name == "" {
		return false
	}
	steps, err := evidence.ParsePath(name)
	if err != nil {
		return false
	}
	n := m.node.At(steps)
	return n != nil && float64(n.Present()) >= p.Threshold("presence")*float64(m.total)
}

// tag returns the name of the field that should distinguish the kinds.
func tag(p *check.Pass, c *model.Collection, path profile.Path) string {
	return cmp.Or(p.DeclaredDiscriminator(c.Name, path), "type")
}

// watch looks for what only the documents can show and reports afterwards.
func (m *mixture) watch(p *check.Pass, entities []*model.Entity, report func(*check.Pass, *predict.Probe)) {
	site := m.site(p)
	var probes []*predict.Probe
	for _, e := range entities {
		probes = append(probes, check.Watch(p, e, predict.NewProbe(site)))
	}
	p.After(func() {
		for _, other := range probes[1:] {
			probes[0].Merge(other)
		}
		report(p, probes[0])
	})
}

// told reports whether a field around the objects, or deeper in them,
// distinguishes the kinds.
func (m *mixture) told(p *check.Pass, probe *predict.Probe) bool {
	return slices.ContainsFunc(probe.Tables, func(t predict.ValueTable) bool {
		return t.Predicts(p.Threshold("presence"), p.Threshold("purity")) && t.Pays(math.Inf(1), len(probe.Tables))
	})
}

func (m *mixture) reportRoot(p *check.Pass, probe *predict.Probe) {
	if m.told(p, probe) {
		return
	}
	presence := p.Threshold("presence")
	severity, confidence := finding.Warning, m.confidence()
	advice := ""
	for i, t := range probe.Prefixes {
		if key := strings.ToLower(probe.Site.Ids[i]); (key == "pk" || key == "sk") && len(t.Counts) > 1 && !t.Overflow {
			return // the partition key and the sort key tell the kinds of a table together
		}
		if !t.Predicts(presence, p.Threshold("prefix-purity")) {
			continue
		}
		if keyPrefixConvention(p) {
			return
		}
		severity, confidence = finding.Info, min(confidence, 0.6)
		advice = fmt.Sprintf(" Until then only the prefix of %s (%s) distinguishes them, and every reader has to know that.",
			probe.Site.Ids[i], strings.Join(wording.QuoteAll(t.Values(3)), ", "))
	}
	if p.Limits.Name == "firestore" {
		severity = finding.Info // kinds usually have collections of their own there
	}
	names := m.names(p, probe)
	r := m.raw(probe, "document", m.collection.Name, names)
	r.Severity, r.Confidence = severity, confidence
	r.Advice = fmt.Sprintf("Add a field %s to every document, for instance %s. Write it in new documents first, then in stored ones, and let readers reject values they do not know. Or give each kind its own collection, if they are never read together.%s",
		m.tag, m.typeList(names), advice)
	r.Fixes = m.fix(p, probe, names)
	r.Fingerprint = "missing-discriminator:" + m.collection.Name + ":"
	p.Report(m.collection.Entities[0], nil, r)
}

func (m *mixture) reportElements(p *check.Pass, probe *predict.Probe) {
	if m.told(p, probe) {
		return
	}
	names := m.names(p, probe)
	r := m.raw(probe, "element", m.path.String(), names)
	r.Severity = finding.Info
	// Lists of different parts are a strength of documents. Decoding them by their
	// missing fields is only a problem if the parts are many and each has several
	// names of its own.
	r.Confidence = 0.4
	if m.total >= 50 && !slices.ContainsFunc(m.kinds, func(k *model.Cluster) bool { return len(k.Own(m.kinds)) < 2 }) {
		r.Confidence = 0.6
	}
	r.Advice = fmt.Sprintf("Add a field %s to every element, for instance %s: then readers decode an element by it, and not by the fields it lacks.", m.tag, m.typeList(names))
	r.Fixes = m.fix(p, probe, names)
	p.Report(entityOf(p, m), m.path, r)
}

func entityOf(p *check.Pass, m *mixture) *model.Entity {
	for _, e := range m.collection.Entities {
		if e.Root().At(m.path) == m.node {
			return e
		}
	}
	return m.collection.Entities[0]
}

func (m *mixture) confidence() float64 {
	if m.example {
		return 0.6
	}
	c := 0.7
	if m.overlap <= 0.1 {
		c += 0.1
	}
	if m.kinds[len(m.kinds)-1].Count >= predict.FewObjects {
		c += 0.1
	}
	return min(math.Round(100*c)/100, 0.9)
}

// raw returns the parts that both reports share.
func (m *mixture) raw(probe *predict.Probe, noun, place string, names []string) check.Raw {
	var parts, evidence []string
	for _, k := range m.kinds {
		fields := m.shown(k)
		parts = append(parts, fmt.Sprintf("%s with %s", quantity.Grouped(k.Count), strings.Join(fields, ", ")))
		evidence = append(evidence, strings.Join(fields, ", "))
	}
	r := check.Raw{Finding: finding.Finding{
		Message: fmt.Sprintf("%s holds %d kinds of %s that no field distinguishes: %s", place, len(m.kinds), noun, strings.Join(parts, "; ")),
		Evidence: []finding.Evidence{
			{Name: noun + "s", Value: m.total},
			{Name: "kinds", Value: len(m.kinds)},
			{Name: "kinds.count", Value: counts(m.kinds)},
			{Name: "kinds.fields", Value: evidence},
			{Name: "overlap", Value: math.Round(100*m.overlap) / 100},
			{Name: "candidates", Value: len(probe.Tables) + len(probe.Prefixes)},
		},
	}}
	order := make([]int, len(m.kinds))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return probe.Kinds[a].First.Compare(probe.Kinds[b].First) })
	r.At = probe.Kinds[order[1]].First // the first one that is unlike those before
	for _, i := range order {
		r.Related = append(r.Related, check.RawRelated{Message: fmt.Sprintf("the first %s (%s)", names[i], strings.Join(m.shown(m.kinds[i]), ", ")), At: probe.Kinds[i].First})
	}
	return r
}

func counts(kinds []*model.Cluster) []int64 {
	out := make([]int64, len(kinds))
	for i, k := range kinds {
		out[i] = k.Count
	}
	return out
}

// shown returns up to three names by which a person recognises a kind.
func (m *mixture) shown(k *model.Cluster) []string {
	names := k.Own(m.kinds)
	if len(names) == 0 {
		names = k.Core()
	}
	if len(names) == 0 {
		return []string{"nothing but an id"}
	}
	return names[:min(3, len(names))]
}

func (m *mixture) typeList(names []string) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%q where there is %s", name, strings.Join(m.shown(m.kinds[i])[:1], ""))
	}
	return strings.Join(parts, ", ")
}

// keyPrefixConvention reports whether the database's users put the kind into
// the key by convention.
func keyPrefixConvention(p *check.Pass) bool {
	return p.Limits.Name == "dynamodb" || p.Limits.Name == "couchbase"
}
