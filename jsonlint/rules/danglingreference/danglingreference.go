// Package danglingreference reports references to documents that do not exist.
package danglingreference

import (
	"bytes"
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
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Rule is dangling-reference on documents.
var Rule = check.Rule{Name: "dangling-reference", Run: func(p *check.Pass) {
	reportLost(p)
	var found []*danglingFound
	for _, r := range relations.Relations(p) {
		if r.Owned() || p.Partial[r.To.Collection.Name] || !mayDangle(p, r) {
			continue
		}
		d := &dangling{Relation: r, beyond: watchBeyond(p, r)}
		for _, k := range r.Kinds {
			d.probes = append(d.probes, check.Watch(p, k.From, newDanglingProbe(p, d)))
			if probe := d.watchSorts(p, k); probe != nil {
				d.sorts = append(d.sorts, check.Watch(p, k.From, probe))
			}
		}
		counts := relations.WatchOwn(p, r)
		p.After(func() {
			own, others := counts()
			if relations.MostlyOwn(own, others) {
				return
			}
			d.probes[0].told -= own // a document's own id leads to no other document
			if f := describeDangling(p, d); f != nil {
				found = append(found, f)
			}
		})
	}
	p.After(func() {
		for _, f := range found {
			if !slices.ContainsFunc(found, f.repeats) {
				f.represent(slices.DeleteFunc(slices.Clone(found), func(o *danglingFound) bool { return !o.repeats(f) }))
				p.Report(f.From, f.Path, f.raw)
			}
		}
	})
}}

type dangling struct {
	*relations.Relation
	probes []*danglingProbe
	sorts  []*predict.Probe // of the kinds with a field that may say what they refer to
	beyond *beyond          // nil if the samples hold all keys
}

// watchSorts looks for a field next to the reference that says to which collection
// it refers, as contentType does for contentId. It returns nil if there is none.
func (d *dangling) watchSorts(p *check.Pass, k *model.Reference) *predict.Probe {
	name := k.Field()
	if stem, _, ok := lexicon.ReferenceStem(name); ok {
		name = stem
	}
	site := &predict.Site{Path: k.Path, Kinds: 2}
	for _, a := range predict.CandidatesAround(k.Node) {
		holder := k.Node.Parent
		for holder.Depth > a.Level {
			holder = holder.Parent
		}
		// A type of the whole document does not contradict what the name already
		// says.
		if a.Path == nil || d.Stem && (len(a.Path) > 1 || holder != k.Node.Parent) {
			continue
		}
		if p.Lexicon.HasIn(lexicon.Discriminator, a.Path[len(a.Path)-1].Name, name) || namesCollections(p, holder.At(a.Path)) {
			site.Around = append(site.Around, a)
		}
	}
	if site.Around == nil {
		return nil
	}
	targets := relations.KeysOf(p, d.Relation)
	site.Classify = func(doc *profile.Document, i int) (kind int, ok bool) {
		if !places.Scalar(doc, i) || relations.Absent(doc, i) {
			return 0, false
		}
		if hash, ok := relations.RefHash(doc, i, d.Tail); ok {
			if held, _ := targets.Keys.Lookup(hash); held {
				return 1, true
			}
		}
		return 0, true
	}
	return predict.NewProbe(site)
}

// namesCollections reports whether a field holds the names of several collections.
// In an audit log it says where the changed document is.
func namesCollections(p *check.Pass, n *profile.Node) bool {
	collections := check.Once(p, "names of collections", func() map[string]bool {
		names := map[string]bool{}
		for _, c := range p.DB.Collections {
			names[lexicon.Singular(lexicon.Fold(c.Name))] = true
		}
		return names
	})
	named := 0
	for v := range n.Scalars.Values.Texts() {
		if collections[lexicon.Singular(lexicon.Fold(v.Text))] {
			named++
		}
	}
	return named > 1
}

// sorted reports whether a field next to the reference distinguishes the values
// that do not resolve from the others. Then they refer to something else. If the name
// says what they refer to, that must not be an accident.
func (d *dangling) sorted() bool {
	for _, probe := range d.sorts {
		if probe.Kinds[0].Count > 0 && !slices.ContainsFunc(probe.Tables, func(t predict.ValueTable) bool {
			return t.Predicts(0, 1) && (!d.Stem || t.Pays(math.Inf(1), len(probe.Tables)))
		}) {
			return false
		}
	}
	return len(d.sorts) > 0 && len(d.sorts) == len(d.probes)
}

// danglingProbe looks up the values of a reference.
type danglingProbe struct {
	at      profile.Trail
	targets *relations.TargetKeys
	others  []*profile.Sample                     // keys of all other documents, and of parts of documents
	whole   []*profile.Sample                     // keys of documents of the target that are embedded as a whole
	strange func(d *profile.Document, i int) bool // the value cannot be a key
	padded  bool                                  // some keys begin with a zero

	last    []byte // the previous value, as written
	lastSee seen   // its result
	byTail  bool   // the last value that is a key is one by its last segment

	beyond *beyond
	rest   *beyondWriter // of a worker

	told     int64 // values that the samples can decide
	unfound  int64
	missing  *sample.ByHash[missingKey]
	smallest profile.Pos // document with such a value
}

// seen is the result of looking up a value.
type seen uint8

const (
	seenUnfound seen = iota // to be looked up
	seenOther               // not a reference to the target
	seenFound
	seenBeyond // the samples cannot decide
)

// missingKey is a value that is not a key.
type missingKey struct {
	count int64
	at    sample.PackedPos
}

func (a missingKey) and(b missingKey) missingKey {
	return missingKey{a.count + b.count, sample.EarlierPacked(a.at, b.at)}
}

// missingKept bounds the distinct values that are kept.
const missingKept = 1 << 12

func newDanglingProbe(p *check.Pass, d *dangling) *danglingProbe {
	x := &danglingProbe{at: profile.NewTrail(d.Path), targets: relations.KeysOf(p, d.Relation), beyond: d.beyond, missing: sample.NewByHash[missingKey](missingKept)}
	x.others = slices.Clone(check.Once(p, "embedded ids", func() []*profile.Sample { return embedded(p) }))
	for _, t := range othersOf(p, d.Relation) {
		x.others = append(x.others, &t.Key.Node.Scalars.Values)
	}
	x.whole = check.Once(p, "ids of whole documents", func() map[*model.Collection][]*profile.Sample { return embeddedWhole(p) })[d.To.Collection]
	x.strange = strangersOf(d.Relation)
	zeros, _ := d.Key.Node.Scalars.FormCount(profile.FormLeadingZero)
	x.padded = zeros > 0
	return x.New().(*danglingProbe)
}

// othersOf returns the keys of documents of other collections, and the other keys of the target:
// patients and doctors are users, each with a number of their own. A key that refers to the
// target leads nowhere either.
func othersOf(p *check.Pass, r *relations.Relation) []model.Target {
	var out []model.Target
	for _, e := range p.DB.Entities() {
		for _, k := range e.Keys {
			back := p.DB.ReferenceAt(k.Node)
			if k.Path.String() != r.Key.Path.String() && e.Collection == r.To.Collection && k.Identifies() || e.Collection != r.To.Collection && (back == nil || back.To.Collection != r.To.Collection) && (k.ID || k.Own || k.Path.String() == r.Key.Path.String() || p.Lexicon.HasWord(lexicon.KeyName, k.Node.Step.Name)) {
				out = append(out, model.Target{Entity: e, Key: k})
			}
		}
	}
	return out
}

// strangersOf returns a function that recognises the values of a field that are not
// references:
//   - values of another type than the keys, if half or more have the type of the
//     keys, which rule mixed-types reports;
//   - texts that are not numbers if all keys are numbers, texts without a digit if
//     all keys have one, and several words if all keys are single words;
//   - values that do not look like keys, if only the values say that the field is a
//     reference.
func strangersOf(r *relations.Relation) func(d *profile.Document, i int) bool {
	key := r.Key.Node
	class, single := key.TypeClasses()[0].Class, len(key.TypeClasses()) == 1
	mixed := single && 2*r.Node.Types[class] >= r.Node.Present() && len(r.Node.TypeClasses()) > 1
	form, named := usualForm(key), r.Stem || r.Declared || r.Tail
	counted := form == profile.FormInteger && !r.Tail
	numbered := form != profile.FormRandom && allNumbered(&key.Scalars.Values)
	texts, _ := key.Scalars.FormCount(profile.FormText)
	words := !counted && distinctWords(r) > specialWords
	return func(d *profile.Document, i int) bool {
		text := d.Canonical(i)
		f := profile.FormOf(text)
		if form == profile.FormRandom && f == profile.FormWord && len(text) >= profile.ShortestRandom {
			f = form // by accident
		}
		switch {
		case mixed && d.Class(i).TypeClass() != class:
			return true
		case words:
			return false
		case texts == 0 && bytes.IndexByte(bytes.TrimSpace(text), ' ') > 0:
			return true
		case counted && d.Class(i) == profile.String && f != profile.FormInteger && f != profile.FormLeadingZero:
			return true // "127,259" among numbers, also those that are texts
		case numbered && !bytes.ContainsAny(text, digits), form == profile.FormRandom && f == profile.FormWord:
			return true // "system" among the users
		default:
			return !named && form != profile.FormText && f != form
		}
	}
}

// distinctWords returns how many different texts without a digit a field holds that its
// name calls a reference, although keys have digits.
func distinctWords(r *relations.Relation) (n int) {
	if _, _, keyed := lexicon.ReferenceStem(r.Field()); !keyed || !r.Stem || !allNumbered(&r.Key.Node.Scalars.Values) {
		return 0
	}
	for _, k := range r.Kinds {
		for v := range k.Node.Scalars.Values.Texts() {
			if !strings.ContainsAny(v.Text, digits) && !relations.AbsentText(v.Text) {
				n++
			}
		}
	}
	return n
}

// specialWords is how many words may stand for no document among ids: system, guest.
const specialWords = 2

// usualForm returns the form of the ids of a collection. A few of those that
// programs make may be written by hand, such as "m4a1flash0000000000000001".
func usualForm(key *profile.Node) profile.Form {
	for _, form := range []profile.Form{profile.FormHex24, profile.FormUUID} {
		if float64(relations.CountForm(key, form)) >= usual*float64(key.Present()) {
			return form
		}
	}
	return relations.IDForm(key)
}

// usual is the share of ids that show which form ids have.
const usual = 0.9

const digits = "0123456789"

// allNumbered reports whether each key has a digit, as numbers and most codes do.
func allNumbered(keys *profile.Sample) bool {
	return !slices.ContainsFunc(slices.Collect(keys.Texts()), func(v profile.SampledValue) bool { return !strings.ContainsAny(v.Text, digits) })
}

func (x *danglingProbe) New() check.Probe {
	y := &danglingProbe{at: profile.NewTrail(x.at.Path()), targets: x.targets, others: x.others, whole: x.whole, strange: x.strange, padded: x.padded, beyond: x.beyond, missing: x.missing}
	if y.beyond != nil {
		y.rest = y.beyond.writer()
	}
	return y
}

func (x *danglingProbe) Skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *danglingProbe) Visit(d *profile.Document) {
	for i := range x.at.All(d) {
		if !places.Scalar(d, i) {
			continue
		}
		// Neighbouring documents often refer to the same thing.
		what := x.lastSee
		if text := d.Raw(i); what == seenUnfound || !bytes.Equal(text, x.last) {
			what = x.look(d, i)
			x.last, x.lastSee = append(x.last[:0], text...), what
		}
		switch what {
		case seenOther:
		case seenFound:
			x.told++
		case seenUnfound:
			x.miss(d.Hash(i), sample.Pack(d.At(i)))
		case seenBeyond:
			x.rest.add(d, i)
		}
	}
}

// miss records a value that is not a key.
func (x *danglingProbe) miss(hash uint64, at sample.PackedPos) {
	x.told++
	x.unfound++
	x.missing.Put(hash, missingKey{1, at}, missingKey.and)
	start := at.Pos()
	start.Off, start.Len = start.Doc, 0
	x.smallest = places.SmallerDocument(x.smallest, start)
}

// look looks up the value at i.
func (x *danglingProbe) look(d *profile.Document, i int) seen {
	if x.byTail { // this value probably is too
		if _, tail, ok := d.Tail(i); ok {
			if held, _ := x.targets.Keys.Lookup(profile.HashText(tail)); held {
				return seenFound
			}
		}
	}
	hash := d.Hash(i)
	held, known := x.targets.Keys.Lookup(hash)
	x.byTail = x.byTail && !held
	if !held {
		if prefix, tail, ok := d.Tail(i); ok {
			var tailKnown bool
			held, tailKnown = x.targets.Keys.Lookup(profile.HashText(tail))
			switch {
			case held, x.targets.Leads(prefix):
			case x.targets.ByID && x.targets.Called(tail):
				return seenUnfound // the path of the collection, without an id: /users in place of /users/u1
			default:
				return seenOther // a link to something else
			}
			known = known && tailKnown
			x.byTail = held
		}
	}
	switch {
	case !held && (relations.Absent(d, i) || x.targets.Called(d.Text(i)) || x.strange(d, i) || x.embedded(d, i, hash) || x.elsewhere(d, i, hash)):
		return seenOther
	case held:
		return seenFound
	case !known:
		return seenBeyond
	}
	return seenUnfound
}

// elsewhere reports whether a value is the key of a document of another
// collection, so that the field refers to several. Small integers are ids
// everywhere, unless they are codes that are padded with zeros.
func (x *danglingProbe) elsewhere(d *profile.Document, i int, hash uint64) bool {
	if !x.padded && countsUp(d.Canonical(i)) {
		return false
	}
	held, _ := relations.Holds(x.others, hash)
	return held
}

// embedded reports whether a value may be the id of a document that is embedded as a
// whole: what it stands for can be read there.
func (x *danglingProbe) embedded(d *profile.Document, i int, hash uint64) bool {
	held, known := relations.Holds(x.whole, hash)
	if _, tail, ok := d.Tail(i); ok && !held && known {
		held, known = relations.Holds(x.whole, profile.HashText(tail))
	}
	return held || !known
}

// countsUp reports whether a value is a small integer.
func countsUp(text []byte) bool { return len(text) < 7 && profile.FormOf(text) == profile.FormInteger }

func (x *danglingProbe) Merge(o check.Probe) {
	y := o.(*danglingProbe)
	if y.rest != nil {
		y.rest.flush()
	}
	if x.beyond != y.beyond {
		x.beyond.merge(y.beyond)
	}
	x.told += y.told
	x.unfound += y.unfound
	x.missing.Merge(y.missing, missingKey.and)
	x.smallest = places.SmallerDocument(x.smallest, y.smallest)
}

// inOrder returns the values in the order of their first places.
func (x *danglingProbe) inOrder() (out []missingKey) {
	for _, v := range x.missing.All() {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b missingKey) int { return a.at.Compare(b.at) })
	return out
}

// A danglingFound is a reference to report, with the evidence.
type danglingFound struct {
	*dangling
	missing *sample.ByHash[missingKey]
	raw     check.Raw
}

// repeats reports whether a reference is dangling only where the same field of a
// document with the original is too. The reference was then copied with it.
func (f *danglingFound) repeats(o *danglingFound) bool {
	if f.To.Collection != o.To.Collection || len(o.Path) >= len(f.Path) || o.Path[len(o.Path)-1] != f.Path[len(f.Path)-1] {
		return false
	}
	for hash := range f.missing.All() {
		if _, ok := o.missing.Get(hash); !ok {
			return false
		}
	}
	return true
}

// represent adds the places to which a reference was copied.
func (f *danglingFound) represent(copies []*danglingFound) {
	if len(copies) == 0 {
		return
	}
	f.raw.Message += "; copied to " + quantity.Of(int64(len(copies)), "more field")
	for _, o := range copies {
		f.raw.Related = append(f.raw.Related, check.RawRelated{Message: "copied to " + o.From.Collection.Name + "." + o.Path.String(), At: o.raw.At})
	}
}

// describeDangling returns what to report about a reference, or nil.
func describeDangling(p *check.Pass, d *dangling) *danglingFound {
	x := d.probes[0]
	for _, o := range d.probes[1:] {
		x.Merge(o)
	}
	if d.beyond != nil {
		if err := d.beyond.tell(p, x); err != nil {
			p.Fail(err)
			return nil
		}
	}
	if d.sorted() {
		return nil
	}
	missing, proven, ok := lookUp(p, d, x, x.inOrder())
	if !ok {
		return nil
	}
	severity, confidence := judgeDangling(p, d, x, proven)
	if confidence == 0 {
		return nil
	}
	var names []string
	raw := check.Raw{At: missing[0].at.Pos()}
	for n, v := range missing[:min(plans.ValuesShown, len(missing))] {
		text, times := places.Quote(p, v.at.Pos()), ""
		if v.count > 1 {
			times = fmt.Sprintf(" (%s times)", quantity.Grouped(v.count))
		}
		names = append(names, text+times)
		if n > 0 {
			raw.Related = append(raw.Related, check.RawRelated{Message: "no " + d.KeyName() + " is " + text, At: v.at.Pos()})
		}
	}
	distinct := int64(math.Round(float64(len(missing)) * x.missing.Scale()))
	if more := distinct - int64(len(names)); more > 0 {
		names = append(names, quantity.Grouped(more)+" more")
	}
	share := float64(x.unfound) / float64(x.told)
	raw.Finding = finding.Finding{
		Severity: severity, Confidence: confidence,
		Message: fmt.Sprintf("%s refers to documents of %s that do not exist, in %s of %s: %s", d.Path, d.To.Collection.Name,
			quantity.Grouped(x.unfound), wording.Count(x.told, "reference"), strings.Join(names, ", ")),
		Advice: danglingAdvice(p, d, severity),
		Evidence: []finding.Evidence{
			{Name: "references", Value: x.told},
			{Name: "dangling", Value: x.unfound},
			{Name: "dangling.distinct", Value: distinct},
			{Name: "dangling.share", Value: math.Round(10000*share) / 10000},
			d.LogOdds(),
		},
	}
	raw.Fixes = danglingFix(p, d, x, missing)
	respelt(p, d, missing, &raw)
	raw.Cause, raw.Sure = fmt.Sprint(d.To.Collection.Name, x.missing.Hashes()), true // the documents are lost once, however many fields refer to them
	return &danglingFound{d, x.missing, raw}
}

// lookUp looks up the values that the sample lacks in the live database, and
// returns those that really lead nowhere. ok is false if the database cannot
// answer: the sample alone proves nothing. For files, nothing is looked up or
// proven.
func lookUp(p *check.Pass, d *dangling, x *danglingProbe, missing []missingKey) (left []missingKey, proven, ok bool) {
	var at []profile.Pos
	if d.Key.ID {
		for _, v := range missing {
			at = append(at, v.at.Pos())
		}
	}
	dangling, err := p.Dangling(d.To.Collection.Name, at)
	switch {
	case err != nil:
		return nil, false, false
	case dangling == nil:
		return missing, false, true
	case !d.Key.ID:
		return missing, false, p.Collections[d.To.Collection.Name].Complete
	}
	unfound := int64(0)
	x.smallest = profile.Pos{}
	for n, v := range missing {
		if dangling[n] {
			left = append(left, v)
			unfound += v.count
			x.smallest = places.SmallerDocument(x.smallest, at[n])
		}
	}
	x.unfound = int64(math.Round(float64(unfound) * x.missing.Scale()))
	return left, true, len(left) > 0
}

func danglingAdvice(p *check.Pass, d *dangling, severity finding.Severity) string {
	if !d.Key.ID && !d.Key.Own {
		return fmt.Sprintf("Look for misspellings first: %s refers by %s, which people type and change. Refer by the id of %s, which never changes, and copy the name for display.",
			d.Path, d.Key.Path, d.To.Collection.Name)
	}
	what := fmt.Sprintf("No database checks %s when it is written, or when a document of %s is deleted. ", d.Path, d.To.Collection.Name)
	if severity == finding.Info {
		return what + fmt.Sprintf("If %s was exported in full, set complete: true for it in the configuration, then correct or remove these references or restore the documents. If it is a sample, they may be right.", d.To.Collection.Name)
	}
	if relations.CommonForm(d.Key.Node) == profile.FormText { // words, such as the names of countries
		return what + fmt.Sprintf("Look for misspellings first, then correct these references or add the missing documents to %s.", d.To.Collection.Name)
	}
	return what + "Remove these references or restore the documents. From now on delete references first and documents after, and run a check such as this one now and then to find what a crash leaves."
}

// danglingFix shows the documents that would have to be restored.
func danglingFix(p *check.Pass, d *dangling, x *danglingProbe, missing []missingKey) []finding.Fix {
	if !d.Key.ID && !d.Key.Own || d.Tail || len(d.Key.Path) != 1 {
		return nil
	}
	before := plans.Document(p, x.smallest)
	if before == nil {
		return nil
	}
	fix := plans.Fix(fmt.Sprintf("restore the documents that %s refers to, or remove the references", d.Path), d.From.Collection.Name, before, before)
	for _, v := range missing {
		if v.at.Doc != x.smallest.Doc || v.at.File != x.smallest.File {
			continue
		}
		if document, i, ok := places.TokenOf(p, v.at.Pos()); ok {
			stub := reshape.Object(reshape.Member{Name: d.Key.Path[0].Name, Value: reshape.From(document.Document, i)})
			fix.After = append(fix.After, plans.Place(d.To.Collection.Name, stub))
		}
	}
	if len(fix.After) < 2 {
		return nil
	}
	return []finding.Fix{fix}
}
