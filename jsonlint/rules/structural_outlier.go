package rules

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// structuralOutlier reports documents unlike their siblings: the odd one that
// lacks what all others have, a foreign one that was loaded into the wrong
// collection, one many times as large as the rest.
var structuralOutlier = Rule{Name: "structural-outlier", Run: func(p *Pass) {
	for _, e := range p.DB.Entities() {
		if e.Rest() {
			continue
		}
		checkIncomplete(p, e)
		checkHuge(p, e)
	}
	for _, c := range p.DB.Collections {
		checkForeign(p, c)
	}
}}

const (
	coreDepth     = 3
	corePaths     = 500
	outliersKept  = 20
	smallSample   = 20
	foreignCommon = 0.3
	hugeBytes     = 64 << 10
	hugeMedians   = 10
	hugeRanges    = 10
)

// core is a field that all objects but a few have.
type core struct {
	holder profile.Path
	name   string
	path   string
}

// An incompleteDocument is one that lacks core fields.
type incompleteDocument struct {
	at      profile.Pos
	missing []int // of the probe's core fields
	odd     []string
}

// incompleteProbe finds the documents that lack core fields.
type incompleteProbe struct {
	core    []core
	rare    []core          // fields that a single document has
	foreign map[uint64]bool // shapes that are reported as such

	count     int64
	documents []incompleteDocument // the first ones
}

func (p *incompleteProbe) New() Probe {
	return &incompleteProbe{core: p.core, rare: p.rare, foreign: p.foreign}
}

// skips is right for all documents of a layout since nothing here stands in an
// array.
func (p *incompleteProbe) skips(d *profile.Document) bool { return p.missing(d) == nil }

// missing returns the core fields that a document lacks.
func (p *incompleteProbe) missing(d *profile.Document) []int {
	var missing []int
	for i, c := range p.core {
		for holder := range d.Select(0, c.holder) {
			if d.Class(holder) != profile.Object {
				continue
			}
			if _, ok := d.Get(holder, c.name); !ok {
				missing = append(missing, i)
			}
		}
	}
	return missing
}

func (p *incompleteProbe) Visit(d *profile.Document) {
	missing := p.missing(d)
	if missing == nil || len(p.foreign) > 0 && p.foreign[d.RootShape()] {
		return
	}
	doc := incompleteDocument{at: d.Start(), missing: missing}
	for _, c := range p.rare {
		for holder := range d.Select(0, c.holder) {
			if _, ok := d.Get(holder, c.name); ok {
				doc.odd = append(doc.odd, c.path)
			}
		}
	}
	p.count++
	p.keep(doc)
}

func (p *incompleteProbe) keep(doc incompleteDocument) {
	i, _ := slices.BinarySearchFunc(p.documents, doc, func(a, b incompleteDocument) int { return a.at.Compare(b.at) })
	p.documents = slices.Insert(p.documents, i, doc)
	if len(p.documents) > outliersKept {
		p.documents = p.documents[:outliersKept]
	}
}

func (p *incompleteProbe) Merge(other Probe) {
	o := other.(*incompleteProbe)
	p.count += o.count
	for _, doc := range o.documents {
		p.keep(doc)
	}
}

// checkIncomplete looks for documents that lack what nearly all others have.
func checkIncomplete(p *Pass, e *model.Entity) {
	n := float64(e.N())
	if n < smallSample {
		return
	}
	most := int64(p.Threshold("max-share") * n)
	if n < p.Threshold("min-documents") {
		most = 1
	}
	probe := &incompleteProbe{foreign: map[uint64]bool{}}
	for _, k := range foreignClusters(p, e.Collection) {
		for _, shape := range k.Shapes {
			probe.foreign[shape.Hash()] = true
		}
	}
	e.Root().Walk(func(f *profile.Node) bool {
		if f.Step.Kind != profile.Field && f.Parent != nil || f.Depth > coreDepth || isGeometry(f) || len(probe.core) > corePaths {
			return false
		}
		if f.Object == nil || f.Object.Sampled() || f.Object.Rest != nil {
			return f.Parent == nil
		}
		variants := map[*profile.Node]bool{}
		for _, v := range nameVariants(f, usualRare, usualCommon) {
			variants[v.rare], variants[v.common] = true, true
		}
		objects := f.Types[profile.Object]
		if objects < int64(smallSample) || float64(objects) < 0.9*n {
			return true
		}
		for _, g := range f.Object.Fields() {
			missing := objects - g.Docs
			switch {
			case variants[g]:
			case missing > 0 && missing <= most && !housekeeping(p, g) && !discriminates(e, g):
				probe.core = append(probe.core, core{f.Path(), g.Step.Name, g.Path().String()})
			case g.Docs == 1 && !p.Lexicon.Has(lexicon.System, g.Step.Name):
				probe.rare = append(probe.rare, core{f.Path(), g.Step.Name, g.Path().String()})
			}
		}
		return true
	})
	if len(probe.core) == 0 || len(probe.core) > corePaths {
		return
	}
	Watch(p, e, probe)
	p.After(func() { reportIncomplete(p, e, probe, most) })
}

// housekeeping are fields whose absence says nothing: those that a framework
// or the database adds, optional ones, and references, of which the rule
// missing-reference speaks.
func housekeeping(p *Pass, f *profile.Node) bool {
	name := f.Step.Name
	for _, l := range []lexicon.List{lexicon.System, lexicon.OptionalByNature, lexicon.OptionalReference} {
		if p.Lexicon.Has(l, name) {
			return true
		}
	}
	_, _, reference := lexicon.ReferenceStem(name)
	return reference || p.DB.ReferenceAt(f) != nil || isIDName(name)
}

// discriminates reports whether f is the collection's discriminator, of which
// the rule missing-discriminator speaks.
func discriminates(e *model.Entity, f *profile.Node) bool {
	d := e.Collection.Discriminator
	return d != nil && d.Path.String() == f.Path().String()
}

func reportIncomplete(p *Pass, e *model.Entity, probe *incompleteProbe, most int64) {
	small := float64(e.N()) < p.Threshold("min-documents")
	// Many documents that each lack something are no outliers: then the
	// fields are simply optional.
	if probe.count > max(1, most) {
		return
	}
	alike := map[string]int{}
	for _, doc := range probe.documents {
		alike[fmt.Sprint(doc.missing)]++
	}
	for _, doc := range probe.documents {
		deviations := len(doc.missing) + len(doc.odd)
		if small && (len(doc.odd) == 0 || deviations < 2) || onlyOfItsKind(p, e, doc.at) {
			continue
		}
		// Fields that are missing together in several documents are an
		// optional part, and one that is missing alone may be optional too.
		confidence := 0.4
		if deviations >= 2 && alike[fmt.Sprint(doc.missing)] == 1 {
			confidence = 0.7
		}
		if confidence > 0.5 {
			p.outliers().documents[documentAt(doc.at)] = true
		}
		var missing []string
		for _, i := range doc.missing {
			missing = append(missing, probe.core[i].path)
		}
		message := fmt.Sprintf("this document lacks %s, which the others of %s have", joinNames(missing[:min(len(missing), 5)]), quantity.Grouped(e.N()))
		if len(doc.odd) > 0 {
			message += fmt.Sprintf(", and alone has %s", joinNames(doc.odd[:min(len(doc.odd), 5)]))
		}
		r := Raw{At: doc.at, Finding: finding.Finding{
			Severity: finding.Info, Confidence: confidence, Message: message,
			Advice: "Complete it or take it out: queries on what it lacks leave it out, and readers get empty values. Documents like this come from edits by hand and from imports that broke off.",
			Evidence: []finding.Evidence{
				{Name: "documents", Value: e.N()}, {Name: "documents.incomplete", Value: probe.count}, {Name: "missing", Value: missing},
			},
			Fingerprint: fmt.Sprintf("structural-outlier:%s:%s", e.Collection.Name, documentName(p, doc.at)),
		}}
		if len(doc.odd) > 0 {
			r.Evidence = append(r.Evidence, finding.Evidence{Name: "extra", Value: doc.odd})
		}
		p.Report(e, nil, r)
	}
}

// outliers are the documents and fields that have been reported with
// confidence: what else is odd about them has one cause with it.
type outliers struct {
	documents map[documentPos]bool
	fields    map[outlyingField]int64 // fields that foreign documents alone have, and how many
}

type outlyingField struct{ collection, path string }

// documentPos is where a document begins.
type documentPos struct {
	file uint32
	off  int64
}

func documentAt(at profile.Pos) documentPos { return documentPos{at.File, at.Doc} }

func (p *Pass) outliers() *outliers {
	return once(p, "outliers", func() *outliers {
		return &outliers{documents: map[documentPos]bool{}, fields: map[outlyingField]int64{}}
	})
}

// documentName is what tells a document from the others across runs: its id,
// or a hash of what it holds.
func documentName(p *Pass, at profile.Pos) string {
	d, err := p.Document(at)
	if err != nil {
		return ""
	}
	for _, name := range []string{"id", "_id"} {
		if i, ok := d.Get(0, name); ok && d.Class(i) != profile.Object && d.Class(i) != profile.Array && d.Class(i) != profile.Null {
			return string(d.Canonical(i))
		}
	}
	return fmt.Sprintf("%016x", d.Hash(0))
}

// checkHuge looks for documents many times as large as the others.
func checkHuge(p *Pass, e *model.Entity) {
	sizes := &e.Profile.Sizes
	if float64(sizes.Count) < p.Threshold("min-documents") {
		return
	}
	q1, median, q3 := sizes.Quantile(0.25), sizes.Quantile(0.5), sizes.Quantile(0.75)
	limit := max(hugeBytes, hugeMedians*median, q3+hugeRanges*(q3-q1))
	if n := sizes.Above(limit); n == 0 || float64(n) > p.Threshold("max-share")*float64(sizes.Count) {
		return
	}
	p.Report(e, nil, Raw{At: e.Profile.Largest, Finding: finding.Finding{
		Severity: finding.Info, Confidence: 0.4, // large lists and blobs have rules of their own
		Message: fmt.Sprintf("this document has %s, the median is %s; %s of %s are as far out", size(sizes.Max), size(median),
			quantity.Grouped(sizes.Above(limit)), count(sizes.Count, "document")),
		Advice: "Keep the first part in the document, flag it (hasExtras) and move the rest to overflow documents: then the common documents stay small and the rare large one does not set the limits.",
		Evidence: []finding.Evidence{
			{Name: "size.max", Value: sizes.Max}, {Name: "size.p50", Value: median}, {Name: "size.p75", Value: q3}, {Name: "documents", Value: sizes.Count},
		},
		Fingerprint: fmt.Sprintf("structural-outlier:%s:size", e.Collection.Name),
	}})
}

// foreignClusters returns the few documents of a collection that resemble no
// kind, in order.
func foreignClusters(p *Pass, c *model.Collection) []*model.Cluster {
	total := c.Profile.Docs
	root := c.Profile.Root.Object
	if float64(total) < p.Threshold("min-documents") || c.Discriminator != nil || root == nil || root.Shapes == nil || !root.Shapes.Exact() {
		return nil
	}
	kinds := model.Substantial(c.Kinds, total)
	var foreign []*model.Cluster
	n := int64(0)
	for _, k := range c.Kinds {
		like := func(o *model.Cluster) bool {
			return o == k || model.Jaccard(o, k) >= foreignCommon || hasNamesOf(p, k, o)
		}
		if !slices.ContainsFunc(kinds, like) {
			foreign = append(foreign, k)
			n += k.Count
		}
	}
	if len(kinds) == 0 || float64(n) > p.Threshold("max-share")*float64(total) {
		return nil
	}
	slices.SortFunc(foreign, func(a, b *model.Cluster) int { return a.First.Compare(b.First) })
	return foreign
}

// hasNamesOf reports whether the documents of a cluster have the names of a
// kind after all, most of them with null: shapes leave those out. They are
// rows of it that nobody filled in.
func hasNamesOf(p *Pass, k, kind *model.Cluster) bool {
	core := kind.Core()
	return !slices.ContainsFunc(k.Shapes, func(s *profile.Shape) bool {
		d, err := p.Document(s.First)
		if err != nil {
			return true
		}
		found := 0
		for _, name := range core {
			if _, ok := d.Get(0, name); ok {
				found++
			}
		}
		return float64(found) <= foreignCommon*float64(len(core))
	})
}

// onlyOfItsKind reports whether a field called type, or the like, has a value
// in the document that no other has, while in the others values repeat: then
// the document is of a kind of its own and unlike the others for that reason.
func onlyOfItsKind(p *Pass, e *model.Entity, at profile.Pos) bool {
	d, err := p.Document(at)
	if err != nil {
		return false
	}
	for _, f := range e.Root().Object.Fields() {
		name := f.Step.Name
		if words := lexicon.Tokens(name); len(words) > 1 && slices.Contains([]string{"code", "name", "id", "key"}, words[len(words)-1]) {
			name = lexicon.StyleSnake.Join(words[:len(words)-1]...) // the code of a type is one
		}
		if f.Scalars == nil || 2*f.Scalars.Values.Distinct() > float64(f.ScalarCount()) ||
			!p.Lexicon.HasIn(lexicon.Discriminator, name, lexicon.Singular(e.Collection.Name)) {
			continue
		}
		i, ok := d.Get(0, f.Step.Name)
		if !ok || d.Tokens[i].Kind >= scan.Object || d.Tokens[i].Kind == scan.Null {
			continue
		}
		hash := d.Hash(i)
		if slices.ContainsFunc(f.Scalars.Values.Values(), func(v profile.SampledValue) bool { return v.Hash == hash && v.Count == 1 }) {
			return true
		}
	}
	return false
}

// checkForeign looks for the few documents that resemble no kind.
func checkForeign(p *Pass, c *model.Collection) {
	total := c.Profile.Docs
	foreign := foreignClusters(p, c)
	for _, k := range foreign[:min(len(foreign), outliersKept)] {
		if k.Count == 1 && onlyOfItsKind(p, whole(c), k.First) {
			continue
		}
		names := k.Core()
		for _, name := range k.Names() {
			p.outliers().fields[outlyingField{c.Name, profile.Path{{Kind: profile.Field, Name: name}}.String()}] += int64(k.Share(name)*float64(k.Count) + 0.5)
		}
		what := "nothing but an id"
		if len(names) > 0 {
			what = joinNames(names[:min(len(names), 4)])
		}
		r := Raw{At: k.First, Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.7,
			Message: fmt.Sprintf("%s of %s resemble none of the others: they hold %s", quantity.Grouped(k.Count), count(total, "document"), what),
			Advice:  "Find out how they came here, a load into the wrong collection or a broken row of an import, and move or remove them: every reader of the collection has to skip them.",
			Evidence: []finding.Evidence{
				{Name: "documents", Value: total}, {Name: "documents.foreign", Value: k.Count}, {Name: "fields", Value: names},
			},
			Fingerprint: fmt.Sprintf("structural-outlier:%s:foreign:%s", c.Name, what),
		}}
		if k.Count == 1 {
			r.Message = fmt.Sprintf("this document resembles none of the other %s: it holds %s", quantity.Grouped(total-1), what)
		}
		p.Report(c.Entities[0], nil, r)
	}
}
