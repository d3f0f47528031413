package guided

import (
	"cmp"
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// What the numbers of documents mean, where the configuration has no thresholds
// of the rules on documents.
const (
	longList       = 250 // elements from which a list is too long
	longReferences = 100
	longStrings    = 1_000
	longNumbers    = 10_000
	shortList      = 20 // elements up to which a list is none that grows

	deepLevels    = 10
	shallowLevels = 6

	fewKeys   = 20 // distinct names up to which a map is a record
	blobBytes = 16 << 10

	copiesOften = 3.0 // copies of one thing from which a change is expensive
	copiesOnce  = 1.05

	confirmed = 0.9
	withdrawn = 0.2 // below what is reported unless all is
	sureCode  = 0.9 // from which code alone is so sure that it takes ten times the documents to withdraw
	moreOften = 10
)

// A verdict is what documents say of a finding.
type verdict struct {
	confirms, acquits bool
	seen              int64  // values that acquit
	note              string // what was observed
	severity          finding.Severity
	items             []finding.Evidence
	at                profile.Pos // where documents of this run show it, if that is known
}

func (v *verdict) item(name string, value any) {
	v.items = append(v.items, finding.Evidence{Name: name, Value: value})
}

// Weigh compares a finding with the documents of its collection.
func (e *Evidence) Weigh(p *docmodel.Program, f *docmodel.Finding) {
	f.Stored = e.stored(p, f)
	b := e.bind(p, f.Document)
	if e.bySchema(f, b) || b.Collection == "" {
		return
	}
	v := judge(p, b, f)
	if v == nil {
		return
	}
	f.Evidence = append(f.Evidence,
		finding.Evidence{Name: "observed in", Value: b.Collection},
		finding.Evidence{Name: "observed documents", Value: b.Documents},
		finding.Evidence{Name: "observed until", Value: b.Until})
	f.Evidence = append(f.Evidence, v.items...)
	age := ""
	if b.stale != "" {
		age = ", in old evidence of " + b.Until
	}
	needed := e.options.Documents
	if f.Confidence >= sureCode {
		needed *= moreOften
	}
	switch {
	case v.confirms:
		f.Message += "; observed " + v.note + age
		f.Confidence = max(f.Confidence, min(confirmed, max(f.Document.Confidence, b.Confidence)))
		f.Severity = max(f.Severity, v.severity)
		if v.at.Known() && !e.shown(f) {
			f.Sightings = append(f.Sightings, docmodel.Sighting{Message: v.note, At: v.at})
		}
	case v.acquits && v.seen >= needed && f.Severity < finding.Error && !e.shown(f): // an error is none for what is stored so far only
		f.Message += "; withdrawn: " + v.note + age
		f.Confidence = min(f.Confidence, withdrawn)
		f.Severity = finding.Info
		f.Fix = f.Fix.Plan()
	}
}

// Suspects reports whether the documents alone show the mistake of a rule.
func (e *Evidence) Suspects(p *docmodel.Program, rule string, f *docmodel.Field) bool {
	if rule != "unbounded-array" {
		return false
	}
	b := e.bind(p, f.Document)
	if b.Collection == "" {
		return false
	}
	v := list(p, b, f)
	return v != nil && v.confirms
}

func judge(p *docmodel.Program, b *Binding, f *docmodel.Finding) *verdict {
	switch {
	case f.Rule == "missing-discriminator" && f.Field == nil:
		return kinds(b)
	case f.Rule == "deep-nesting":
		return depth(p, b)
	case f.Field == nil:
		return nil
	}
	switch f.Rule {
	case "unbounded-array":
		return list(p, b, f.Field)
	case "dynamic-keys":
		return keys(b, f.Field)
	case "inline-blob":
		return blob(b, f.Field)
	case "volatile-embed":
		return copied(p, b, f.Field)
	}
	return nil
}

func list(p *docmodel.Program, b *Binding, f *docmodel.Field) *verdict {
	n := b.root.At(f.Path)
	if n == nil || n.Lengths.Count == 0 {
		return nil
	}
	h := &n.Lengths
	v := &verdict{seen: h.Count, at: n.Longest()}
	v.item("length.p50", h.Quantile(0.5))
	v.item("length.p95", h.Quantile(0.95))
	v.item("length.p99", h.Quantile(0.99))
	v.item("length.max", h.Max)
	long := p.Threshold("unbounded-array", "max-elements", longList)
	switch {
	case f.Kind == docmodel.ObjectID || f.Kind == docmodel.UUID:
		long = p.Threshold("unbounded-array", "max-references", longReferences)
	case f.Kind == docmodel.String:
		long = max(long, longStrings)
	case f.Kind == docmodel.Number || f.Kind == docmodel.Bool:
		long = p.Threshold("unbounded-array", "error-elements", longNumbers)
	}
	switch {
	case float64(h.Max) >= long:
		v.confirms, v.severity = true, finding.Warning
		v.note = fmt.Sprintf("up to %s elements, p95 %s", quantity.Grouped(h.Max), quantity.Grouped(h.Quantile(0.95)))
	case h.Max <= shortList:
		v.acquits = true
		v.note = fmt.Sprintf("%s lists in documents of %s have at most %s", quantity.Grouped(h.Count), b.Collection, quantity.Of(h.Max, "element"))
	}
	return v
}

func kinds(b *Binding) *verdict {
	c := b.collection
	v := &verdict{seen: b.Documents}
	v.item("kinds", len(c.Kinds))
	switch {
	case c.Discriminator != "":
		v.item("discriminator", c.Discriminator)
		v.acquits, v.note = true, fmt.Sprintf("%s tells the documents of %s apart", c.Discriminator, c.Name)
	case len(c.Kinds) > 1:
		v.confirms, v.severity = true, finding.Warning
		v.note = fmt.Sprintf("%d kinds of document in %s, which no field tells apart", len(c.Kinds), c.Name)
	default:
		v.acquits, v.note = true, fmt.Sprintf("%s documents of %s are of one kind", quantity.Grouped(b.Documents), c.Name)
	}
	return v
}

func depth(p *docmodel.Program, b *Binding) *verdict {
	h := &b.kind.Depths
	if h.Count == 0 {
		return nil
	}
	v := &verdict{seen: h.Count}
	v.item("depth.p95", h.Quantile(0.95))
	v.item("depth.max", h.Max)
	switch {
	case float64(h.Max) >= p.Threshold("deep-nesting", "deep", deepLevels):
		v.confirms, v.severity = true, finding.Warning
		v.note = fmt.Sprintf("up to %d levels, p95 %d", h.Max, h.Quantile(0.95))
	case float64(h.Max) <= p.Threshold("deep-nesting", "noticeable", shallowLevels):
		v.acquits = true
		v.note = fmt.Sprintf("%s documents of %s have at most %s", quantity.Grouped(h.Count), b.Collection, quantity.Of(h.Max, "level"))
	}
	return v
}

func keys(b *Binding, f *docmodel.Field) *verdict {
	n := b.root.At(f.Path)
	if n == nil || n.Objects() == 0 {
		return nil
	}
	v := &verdict{seen: n.Objects(), at: n.FirstAny()}
	distinct := n.Names.Most + int64(len(n.Fields))
	v.item("keys.distinct", distinct)
	v.item("keys.max", n.Keys.Max)
	switch {
	case n.Fold == evidence.Map:
		v.confirms, v.severity = true, finding.Warning
		v.note = fmt.Sprintf("%s different keys, up to %s in one document", atMost(n.Names), quantity.Grouped(n.Keys.Max))
	case n.Fold == evidence.Unfolded && n.Rest == nil && len(n.Fields) <= fewKeys:
		v.acquits = true
		v.note = fmt.Sprintf("%s objects in documents of %s have %s between them", quantity.Grouped(n.Objects()), b.Collection, quantity.Of(int64(len(n.Fields)), "name"))
	}
	return v
}

func blob(b *Binding, f *docmodel.Field) *verdict {
	n := b.root.At(f.Path)
	if n != nil && f.List() {
		n = n.Elem
	}
	if n == nil || n.Scalars() == 0 {
		return nil
	}
	v := &verdict{seen: n.Scalars(), at: n.Longest()}
	v.item("bytes.max", n.Max)
	v.item("bytes.mean", n.Bytes/n.Values)
	v.item("blobs", n.Blobs)
	switch {
	case n.Blobs > 0:
		v.confirms, v.severity = true, finding.Warning
		v.note = fmt.Sprintf("%s files of up to %s KiB", quantity.Grouped(n.Blobs), quantity.Grouped(n.Max>>10))
	case n.Max < blobBytes:
		v.acquits = true
		v.note = fmt.Sprintf("%s values in documents of %s have at most %s", quantity.Grouped(n.Scalars()), b.Collection, quantity.Of(n.Max, "byte"))
	}
	return v
}

// copied looks at how often the thing occurs of which a copy is kept: a copy
// that is made once is no copy but a part.
func copied(p *docmodel.Program, b *Binding, f *docmodel.Field) *verdict {
	name := ""
	if f.Struct != nil {
		name = f.Struct.Obj().Name()
	}
	id := docmodel.ID(f.Fields, name)
	if id == nil {
		return nil
	}
	n := b.root.At(id.Path)
	if n == nil || n.Scalars() == 0 || n.Distinct.Least == 0 {
		return nil
	}
	v := &verdict{seen: n.Scalars(), at: n.FirstAny()}
	copies := float64(n.Scalars())
	least, most := copies/float64(n.Distinct.Most), copies/float64(n.Distinct.Least)
	v.item("copies", n.Scalars())
	v.item("copied things", n.Distinct.String())
	switch {
	case least >= p.Threshold("volatile-embed", "mean-fan-out", copiesOften):
		v.confirms, v.severity = true, finding.Warning
		v.note = fmt.Sprintf("%s copies of %s different %s", quantity.Grouped(n.Scalars()), atMost(n.Distinct), cmp.Or(lastField(id.Path), "ids"))
	case most <= copiesOnce:
		v.acquits = true
		v.note = fmt.Sprintf("%s values of %s in documents of %s are all different", quantity.Grouped(n.Scalars()), id.Path, b.Collection)
	}
	return v
}

func lastField(path string) string {
	steps, err := evidence.ParsePath(path)
	if err != nil || len(steps) == 0 || steps[len(steps)-1].Kind != profile.Field {
		return ""
	}
	return steps[len(steps)-1].Name
}

func atMost(r evidence.Range) string {
	if r.Least == r.Most {
		return quantity.Grouped(r.Most)
	}
	return "at most " + quantity.Grouped(r.Most)
}
