// Package structuraloutlier reports documents unlike their siblings: one that
// lacks what all others have, or one loaded into the wrong collection.
package structuraloutlier

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/geo"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/namevariant"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is structural-outlier on documents.
var Rule = check.Rule{Name: "structural-outlier", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		if e.Rest() {
			continue
		}
		checkIncomplete(p, e)
	}
	for _, c := range p.DB.Collections {
		checkForeign(p, c)
	}
}}

const (
	coreDepth     = 3
	corePaths     = 500
	outliersKept  = 20
	fewest        = 12        // objects from which one can be an outlier: those of a handful differ in any way
	newer         = 3.0       // bits of additional evidence needed for the first document, which may be older than the field
	single        = 6.0       // the same if only one field is missing, which may just have no value
	slip          = 1.0 / 100 // probability that an object lacks a field that all should have
	foreignCommon = 0.3
)

// A core is a field that all but a few objects have.
type core struct {
	holder profile.Path
	name   string
	path   string

	// reference says that missing-reference reports the field. Together with other
	// missing fields, it still makes a document incomplete.
	reference bool

	habit float64 // log2 of the odds that it is missing by mistake
}

// ofElements reports whether elements of a list have the field.
func (c *core) ofElements() bool {
	return len(c.holder) > 0 && c.holder[len(c.holder)-1].Kind != profile.Field
}

// An incompleteDocument is one that lacks core fields.
type incompleteDocument struct {
	at      profile.Pos
	missing []int // of the probe's core fields, without repeats
	odd     []string
}

// incompleteProbe finds the documents that lack core fields.
type incompleteProbe struct {
	core    []core
	common  int             // number of fields that nearly all documents have
	rare    []core          // fields that a single document has
	foreign map[uint64]bool // shapes reported as foreign
	lists   bool            // some fields are fields of elements

	count     int64
	documents []incompleteDocument // the first ones
}

func (p *incompleteProbe) New() check.Probe {
	return &incompleteProbe{core: p.core, rare: p.rare, foreign: p.foreign, lists: p.lists}
}

// Skips holds for all documents of a layout if none of the fields is in an
// array.
func (p *incompleteProbe) Skips(d *profile.Document) bool { return !p.lists && p.missing(d) == nil }

// missing returns the core fields that a document lacks.
func (p *incompleteProbe) missing(d *profile.Document) []int {
	var missing []int
	for i, c := range p.core {
		for holder := range d.Select(0, c.holder) {
			if d.Class(holder) != profile.Object || holder > 0 && d.Tokens[holder].B == 0 {
				continue // { } means no more than null
			}
			if _, ok := d.Get(holder, c.name); !ok && (len(missing) == 0 || missing[len(missing)-1] != i) {
				missing = append(missing, i)
			}
		}
	}
	return missing
}

// lacking returns what lacks the fields, a document or an element of a list, and how
// many there are: none if several lists in one document have such elements, since the
// same slip does not happen in each.
func (p *incompleteProbe) lacking(e *model.Entity, doc incompleteDocument) (what string, of int64) {
	holder := p.core[doc.missing[0]].holder
	for _, i := range doc.missing[1:] {
		for !slices.Equal(holder, p.core[i].holder[:min(len(holder), len(p.core[i].holder))]) {
			holder = holder[:len(holder)-1]
		}
	}
	for len(holder) > 0 && holder[len(holder)-1].Kind == profile.Field {
		holder = holder[:len(holder)-1]
	}
	switch {
	case len(holder) > 0:
		return "an element of " + holder[:len(holder)-1].String(), e.Root().At(holder).Types[profile.Object]
	case slices.ContainsFunc(doc.missing, func(i int) bool { return !p.core[i].ofElements() }):
		return "a document", e.N()
	}
	return "", 0
}

func (p *incompleteProbe) Visit(d *profile.Document) {
	if d.Tokens[0].Flags&scan.Elided != 0 {
		return // its author or damage omitted something
	}
	missing := p.missing(d)
	if !slices.ContainsFunc(missing, func(i int) bool { return !p.core[i].reference }) || len(p.foreign) > 0 && p.foreign[d.RootShape()] {
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

func (p *incompleteProbe) keep(more ...incompleteDocument) {
	p.documents = places.KeepFirst(p.documents, outliersKept, func(a, b incompleteDocument) int { return a.at.Compare(b.at) }, more...)
}

func (p *incompleteProbe) Merge(other check.Probe) {
	o := other.(*incompleteProbe)
	p.count += o.count
	p.keep(o.documents...)
}

// checkIncomplete looks for documents that lack what nearly all others have.
func checkIncomplete(p *check.Pass, e *model.Entity) {
	probe := &incompleteProbe{foreign: map[uint64]bool{}}
	for _, k := range foreignClusters(p, e.Collection) {
		for _, shape := range k.Shapes {
			probe.foreign[shape.Hash()] = true
		}
	}
	e.Root().Walk(func(f *profile.Node) bool {
		if f.Step.Kind == profile.MapValues || f.Depth > coreDepth || geo.IsGeometry(f) || len(probe.core) > corePaths {
			return false
		}
		if f.Object == nil || f.Object.Sampled() || f.Object.Rest != nil {
			return f.Parent == nil || f.Array != nil
		}
		if objects := f.Types[profile.Object]; objects >= fewest && float64(objects) >= 0.9*float64(e.N()) {
			probe.expect(p, e, f)
		}
		return true
	})
	if len(probe.core) == 0 || len(probe.core) > corePaths {
		return
	}
	check.Watch(p, e, probe)
	p.After(func() { reportIncomplete(p, e, probe) })
}

// mostIncomplete returns how many of the objects can lack something by mistake.
func mostIncomplete(p *check.Pass, objects int64) int64 {
	if float64(objects) < p.Threshold("min-documents") {
		return 1
	}
	return int64(p.Threshold("max-share") * float64(objects))
}

// expect adds the members that nearly all objects at f have.
func (p *incompleteProbe) expect(pass *check.Pass, e *model.Entity, f *profile.Node) {
	objects := f.Types[profile.Object]
	most := mostIncomplete(pass, objects)
	variants := map[*profile.Node]bool{}
	for _, v := range namevariant.Find(f, namevariant.UsualRare, namevariant.UsualCommon) {
		variants[v.Rare], variants[v.Common] = true, true
	}
	var expected []core
	optional := 0
	fields := f.Object.Fields()
	for _, g := range fields {
		c := core{holder: f.Path(), name: g.Step.Name, path: g.Path().String()}
		missing := objects - g.Count
		if f.Parent == nil && missing <= most {
			p.common++
		}
		switch {
		case variants[g]:
		case missing > 0 && missing <= most:
			c.reference = refers(pass, g)
			if !housekeeping(pass, g) {
				expected = append(expected, c)
			}
		case g.Count == 1 && !pass.Lexicon.Has(lexicon.System, g.Step.Name):
			p.rare = append(p.rare, c)
		case missing > most:
			optional++
		}
	}
	// If many fields are optional, one more is no surprise. Any number of objects
	// may lack an optional field, but a mandatory field is missing in only one of
	// them, by mistake.
	share := (float64(optional) + 0.5) / (float64(len(fields)) + 1)
	once := math.Exp2(math.Log2(float64(objects)) - model.PresenceBits(1, objects))
	if len(expected) == 0 {
		return
	}
	alike := similar(pass, e)
	for _, c := range expected {
		missing, of := elsewhere(alike, c)
		c.habit = math.Log2((1-share)/share) + math.Log2(slip/once) + min(0, model.BySlip(missing, of))
		p.core = append(p.core, c)
		p.lists = p.lists || f.Inside()
	}
}

// similar returns the other kinds and collections that have half of their names
// in common with e.
func similar(p *check.Pass, e *model.Entity) []*model.Entity {
	return slices.DeleteFunc(p.DB.Entities(), func(o *model.Entity) bool { return o == e || !e.Alike(o) })
}

// elsewhere counts the objects of similar documents that lack a field which
// others there have. If the field is optional there, it is optional here too.
func elsewhere(alike []*model.Entity, c core) (missing, objects int64) {
	for _, e := range alike {
		holder := e.Root().At(c.holder)
		if holder == nil || holder.Object == nil {
			continue
		}
		if f := holder.Object.Field(c.name); f != nil {
			objects += holder.Types[profile.Object]
			missing += max(0, holder.Types[profile.Object]-f.Count)
		}
	}
	return missing, objects
}

// housekeeping reports whether the absence of a field says nothing: a framework
// or the database adds it, or it is optional.
func housekeeping(p *check.Pass, f *profile.Node) bool {
	name := f.Step.Name
	for _, l := range []lexicon.List{lexicon.System, lexicon.OptionalByNature, lexicon.OptionalReference} {
		if p.Lexicon.Has(l, name) {
			return true
		}
	}
	return false
}

func refers(p *check.Pass, f *profile.Node) bool {
	_, _, reference := lexicon.ReferenceStem(f.Step.Name)
	return reference || p.DB.ReferenceAt(f) != nil || identity.IsIDName(f.Step.Name)
}

func reportIncomplete(p *check.Pass, e *model.Entity, probe *incompleteProbe) {
	// If many documents each lack something, the fields are simply optional, but a
	// document without most of them is incomplete.
	if probe.count > max(1, mostIncomplete(p, e.N())) {
		probe.documents = slices.DeleteFunc(probe.documents, func(d incompleteDocument) bool { return 2*len(d.missing) <= probe.common })
	}
	alike := map[string]int{}
	for _, doc := range probe.documents {
		alike[fmt.Sprint(doc.missing)]++
	}
	var raws []check.Raw
	said := map[string]int{} // index of the finding on documents that lack the same
	for _, doc := range probe.documents {
		what, of := probe.lacking(e, doc)
		if what == "" || onlyOfItsKind(p, e, doc.at, probe.core[doc.missing[0]]) {
			continue
		}
		same := fmt.Sprint(doc.missing)
		bits := 0.0
		if !slices.ContainsFunc(doc.missing, func(i int) bool { return len(probe.core[i].holder) > 0 }) {
			bits = soleValueBits(p, e, doc.at)
			if places.DocumentAt(doc.at) == places.DocumentAt(e.Root().FirstAny()) {
				bits -= newer
			}
		}
		confidence := probe.confidence(doc, alike[same], bits)
		if confidence > 0.5 {
			explained.Outliers(p).Documents[places.DocumentAt(doc.at)] = true
		}
		if i, ok := said[same]; ok && len(doc.odd) == 0 {
			raws[i].Related = append(raws[i].Related, check.RawRelated{Message: "the same here", At: doc.at})
			continue
		}
		var missing []string
		for _, i := range doc.missing {
			missing = append(missing, probe.core[i].path)
		}
		lacks := what + " lacks"
		if len(doc.odd) == 0 {
			said[same] = len(raws)
			if alike[same] > 1 && what == "a document" {
				lacks = fmt.Sprintf("%d documents lack", alike[same])
			}
		}
		message := fmt.Sprintf("%s %s, which the others of %s have", lacks, wording.JoinNames(missing[:min(len(missing), 5)]), quantity.Grouped(of))
		if len(doc.odd) > 0 {
			message += fmt.Sprintf(", and it alone has %s", wording.JoinNames(doc.odd[:min(len(doc.odd), 5)]))
		}
		r := check.Raw{At: doc.at, Finding: finding.Finding{
			Severity: finding.Info, Confidence: confidence, Message: message,
			Advice: "Complete or remove the document: queries on the missing fields leave it out, and readers get empty values. Manual edits and interrupted imports leave such documents.",
			Evidence: []finding.Evidence{
				{Name: "documents", Value: e.N()}, {Name: "documents.incomplete", Value: probe.count}, {Name: "missing", Value: missing},
			},
			Fingerprint: fmt.Sprintf("structural-outlier:%s:%s", e.Collection.Name, documentName(p, doc.at)),
		}}
		if len(doc.odd) > 0 {
			r.Evidence = append(r.Evidence, finding.Evidence{Name: "extra", Value: doc.odd})
		}
		raws = append(raws, r)
	}
	slices.SortStableFunc(raws, func(a, b check.Raw) int { return cmp.Compare(b.Confidence, a.Confidence) })
	guess := slices.IndexFunc(raws, func(r check.Raw) bool { return r.Confidence < 0.5 })
	if guess < 0 {
		guess = len(raws)
	}
	reportOne(p, e, raws[:guess])
	reportOne(p, e, raws[guess:])
}

// reportOne reports the incomplete documents of a collection as one finding.
func reportOne(p *check.Pass, e *model.Entity, raws []check.Raw) {
	if len(raws) == 0 {
		return
	}
	first, more := raws[0], 0
	for _, r := range raws[1:] {
		more += 1 + len(r.Related)
		first.Related = append(first.Related, check.RawRelated{Message: "here " + r.Message, At: r.At})
		first.Related = append(first.Related, r.Related...)
	}
	if more > 0 {
		first.Message += "; " + quantity.Of(int64(more), "more document") + " like it"
	}
	p.Report(e, nil, first)
}

// confidence adds up what is odd about a document: that it lacks a field, that
// it lacks several, that it has fields that no other has. A single field that is
// missing shows little: it may have no value. Fields missing
// together in several documents are an optional part. explained is 0 or less: it
// allows for a value that may be the reason.
func (p *incompleteProbe) confidence(doc incompleteDocument, alike int, explained float64) float64 {
	bits := p.core[doc.missing[0]].habit
	for _, i := range doc.missing[1:] {
		bits = max(bits, p.core[i].habit)
	}
	if len(doc.missing) == 1 && len(doc.odd) == 0 {
		bits -= single
	}
	bits += math.Log2(float64(len(doc.missing))) + 2*float64(len(doc.odd)) - 3*float64(alike-1) + explained
	odds := math.Exp2(bits)
	return math.Round(100*min(0.8, max(0.3, odds/(1+odds)))) / 100
}

// documentName returns what identifies a document across runs: its id, or a
// hash of its content.
func documentName(p *check.Pass, at profile.Pos) string {
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

// foreignClusters returns the few documents of a collection that resemble no
// kind, in order. A document whose kind a field gives is of that kind.
func foreignClusters(p *check.Pass, c *model.Collection) []*model.Cluster {
	total := c.Profile.Docs
	root := c.Profile.Root.Object
	if float64(total) < p.Threshold("min-documents") || !root.Shapes.Exact() {
		return nil
	}
	d := c.Discriminator
	if d != nil && (len(d.Path) > 1 || d.Named(c.Name, p.Lexicon)) {
		return nil // missing-discriminator reports documents without a named one
	}
	kinds := model.Substantial(c.Kinds, total)
	var foreign []*model.Cluster
	n := int64(0)
	for _, k := range c.Kinds {
		if d != nil && k.Share(d.Node.Step.Name) > 0 {
			continue
		}
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
// kind after all, most of them with null, which shapes omit. They are
// incomplete documents of that kind.
func hasNamesOf(p *check.Pass, k, kind *model.Cluster) bool {
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

// onlyOfItsKind reports whether the document, or the element in it that lacks a field, has
// a unique value in a field called type or the like, whose values repeat in the others. It is
// then different because it is of another kind.
func onlyOfItsKind(p *check.Pass, e *model.Entity, at profile.Pos, lacks core) bool {
	d, err := p.Document(at)
	if err != nil {
		return false
	}
	odd := 0
	for holder := range d.Select(0, lacks.holder) {
		if _, ok := d.Get(holder, lacks.name); !ok && d.Class(holder) == profile.Object {
			odd = holder
		}
	}
	for _, f := range e.Root().At(lacks.holder).Object.Fields() {
		name := f.Step.Name
		if words := lexicon.Tokens(name); len(words) > 1 && slices.Contains(keyEndingsWords(), words[len(words)-1]) {
			name = lexicon.StyleSnake.Join(words[:len(words)-1]...) // the code of a type is a type
		}
		if f.Scalars == nil || 2*f.Scalars.Values.Distinct() > float64(f.ScalarCount()) ||
			!p.Lexicon.HasIn(lexicon.Discriminator, name, lexicon.Singular(e.Collection.Name)) {
			continue
		}
		i, ok := d.Get(odd, f.Step.Name)
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

// soleValueBits returns the log2 of the probability that a document is the only one
// with some value of a field whose values usually repeat, such as the only order that
// was refused. It returns 0 if the document has no such value. If that is rare, the
// value may be the reason why the document has other fields.
func soleValueBits(p *check.Pass, e *model.Entity, at profile.Pos) float64 {
	d, err := p.Document(at)
	if err != nil {
		return 0
	}
	chance, sole := 0.0, false
	for _, f := range e.Root().Object.Fields() {
		if f.Scalars == nil || !f.Scalars.Values.Exact() || 2*f.Scalars.Values.Distinct() > float64(f.ScalarCount()) {
			continue
		}
		i, ok := d.Get(0, f.Step.Name)
		for _, v := range f.Scalars.Values.Values() {
			if v.Count == 1 {
				chance += 1 / float64(e.N())
				sole = sole || ok && d.Tokens[i].Kind < scan.Object && d.Hash(i) == v.Hash
			}
		}
	}
	if !sole {
		return 0
	}
	return math.Log2(min(1, chance))
}

// checkForeign looks for the few documents that resemble no kind.
func checkForeign(p *check.Pass, c *model.Collection) {
	total := c.Profile.Docs
	foreign := foreignClusters(p, c)
	for _, k := range foreign[:min(len(foreign), outliersKept)] {
		if k.Count == 1 && onlyOfItsKind(p, places.Whole(c), k.First, core{}) {
			continue
		}
		names := k.Core()
		for _, name := range k.Names() {
			explained.Outliers(p).Fields[explained.OutlyingField{Collection: c.Name, Path: profile.Path{{Kind: profile.Field, Name: name}}.String()}] += int64(k.Share(name)*float64(k.Count) + 0.5)
		}
		what := "nothing but an id"
		if len(names) > 0 {
			what = wording.JoinNames(names[:min(len(names), 4)])
		}
		r := check.Raw{At: k.First, Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.7,
			Message: fmt.Sprintf("%s of %s resemble none of the others: they hold %s", quantity.Grouped(k.Count), wording.Count(total, "document"), what),
			Advice:  "Find out how they got here, such as by an import into the wrong collection, and move or remove them: every reader has to skip them.",
			Evidence: []finding.Evidence{
				{Name: "documents", Value: total}, {Name: "documents.foreign", Value: k.Count}, {Name: "fields", Value: names},
			},
			Fingerprint: fmt.Sprintf("structural-outlier:%s:foreign:%s", c.Name, what),
		}}
		if k.Count == 1 {
			r.Message = fmt.Sprintf("a document resembles none of the other %s: it holds %s", quantity.Grouped(total-1), what)
		}
		p.Report(c.Entities[0], nil, r)
	}
}

var keyEndingsWords = rulebook.Words("structural-outlier", "key-endings")
