package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
)

// danglingReference reports references to documents that are not there.
var danglingReference = Rule{Name: "dangling-reference", Run: func(p *Pass) {
	for _, r := range p.relations() {
		if r.Owned() || !p.mayDangle(r) {
			continue
		}
		d := &dangling{relation: r}
		for _, k := range r.kinds {
			d.probes = append(d.probes, Watch(p, k.From, p.newDanglingProbe(r)))
		}
		p.After(func() { p.reportDangling(d) })
	}
}}

// mayDangle reports whether the samples show a value that leads nowhere, or
// cannot rule it out.
func (p *Pass) mayDangle(r *relation) bool {
	tested, found, _ := r.counts()
	if float64(found) < p.Threshold("sampled-share")*float64(tested) && !p.Collections[r.To.Collection.Name].Complete {
		return false // the target was not sampled
	}
	if found < tested {
		return true
	}
	for _, k := range r.kinds {
		if !k.Node.Scalars.Values.Exact() {
			return true
		}
	}
	return slices.ContainsFunc(r.samples(), func(s *profile.Sample) bool { return !s.Exact() })
}

type dangling struct {
	*relation
	probes []*danglingProbe
}

// danglingProbe looks up the values of a reference.
type danglingProbe struct {
	at      profile.Trail
	targets *targetKeys
	others  []*profile.Sample // keys of all other documents

	last    []byte // the value before, as written
	lastSee seen   // what it was
	byTail  bool   // the last one that is a key is one by its last segment

	values   int64 // of which the samples can tell
	unfound  int64
	missing  *byHash[missingKey]
	smallest profile.Pos // document with such a value
}

// seen is what a value turned out to be.
type seen uint8

const (
	seenUnfound seen = iota // to be looked up
	seenOther               // no reference to the target, or the samples cannot tell
	seenFound
)

// missingKey is a value that is no key.
type missingKey struct {
	count int64
	at    packedPos
}

func (a missingKey) and(b missingKey) missingKey {
	return missingKey{a.count + b.count, earlierPacked(a.at, b.at)}
}

// missingKept bounds the distinct values that are kept.
const missingKept = 1 << 12

func (p *Pass) newDanglingProbe(r *relation) *danglingProbe {
	x := &danglingProbe{at: profile.NewTrail(r.Path), targets: p.keysOf(r), missing: newByHash[missingKey](missingKept)}
	for _, e := range p.DB.Entities() {
		for _, k := range e.Keys {
			s := &k.Node.Scalars.Values
			if e.Collection != r.To.Collection && (k.ID || k.Own || k.Path.String() == r.Key.Path.String()) {
				x.others = append(x.others, s)
			}
		}
	}
	return x.New().(*danglingProbe)
}

func (x *danglingProbe) New() Probe {
	return &danglingProbe{at: profile.NewTrail(x.at.Path()), targets: x.targets, others: x.others, missing: x.missing}
}

func (x *danglingProbe) skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *danglingProbe) Visit(d *profile.Document) {
	for i := range x.at.All(d) {
		if !scalar(d, i) {
			continue
		}
		// Documents that stand together often refer to the same thing.
		what := x.lastSee
		if text := d.Raw(i); what == seenUnfound || !bytes.Equal(text, x.last) {
			what = x.look(d, i)
			x.last, x.lastSee = append(x.last[:0], text...), what
		}
		switch what {
		case seenOther:
			continue
		case seenFound:
			x.values++
			continue
		}
		x.values++
		x.unfound++
		x.missing.put(d.Hash(i), missingKey{1, pack(d.At(i))}, missingKey.and)
		x.smallest = smallerDocument(x.smallest, d.Start())
	}
}

// look looks the value at i up.
func (x *danglingProbe) look(d *profile.Document, i int) seen {
	if x.byTail { // so is this one, most likely
		if _, tail, ok := d.Tail(i); ok {
			if held, _ := x.targets.keys.Lookup(profile.HashText(tail)); held {
				return seenFound
			}
		}
	}
	hash := d.Hash(i)
	held, known := x.targets.keys.Lookup(hash)
	x.byTail = x.byTail && !held
	if !held {
		if prefix, tail, ok := d.Tail(i); ok {
			if held, known = x.targets.keys.Lookup(profile.HashText(tail)); !held && !x.targets.leads(prefix) {
				return seenOther // a link to something else
			}
			x.byTail = held
		}
	}
	switch {
	case !known || !held && absent(d, i):
		return seenOther
	case held || x.elsewhere(d, i, hash):
		return seenFound
	}
	return seenUnfound
}

// absent reports whether a value stands for no reference at all, or for a
// part of the same document.
func absent(d *profile.Document, i int) bool {
	switch text := string(d.Canonical(i)); {
	case text == "", text == "0", text == "-1", strings.HasPrefix(text, "#"):
		return true
	case profile.FormOf(d.Canonical(i)) == profile.FormPlaceholder:
		return true // "unknown", "n/a"
	default:
		return strings.Trim(text, "0-") == "" // zero ObjectId, zero UUID
	}
}

// elsewhere reports whether a value is the key of a document of another
// collection: the field refers to several. Small integers are ids everywhere.
func (x *danglingProbe) elsewhere(d *profile.Document, i int, hash uint64) bool {
	if len(d.Canonical(i)) < 7 && profile.FormOf(d.Canonical(i)) == profile.FormInteger {
		return false
	}
	held, _ := holds(x.others, hash)
	return held
}

func (x *danglingProbe) Merge(o Probe) {
	y := o.(*danglingProbe)
	x.values += y.values
	x.unfound += y.unfound
	x.missing.merge(y.missing, missingKey.and)
	x.smallest = smallerDocument(x.smallest, y.smallest)
}

// inOrder returns the values in the order of their first places.
func (x *danglingProbe) inOrder() []missingKey {
	var out []missingKey
	for _, v := range x.missing.all() {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b missingKey) int { return a.at.compare(b.at) })
	return out
}

const (
	danglingShown = 5 // values named in the message
	danglingBytes = 8 << 10
)

func (p *Pass) reportDangling(d *dangling) {
	x := d.probes[0]
	for _, o := range d.probes[1:] {
		x.Merge(o)
	}
	severity, confidence := p.judgeDangling(d, x)
	if confidence == 0 {
		return
	}
	missing := x.inOrder()
	var names []string
	raw := Raw{At: missing[0].at.pos()}
	for n, v := range missing[:min(danglingShown, len(missing))] {
		text, err := p.text(v.at.pos())
		if err != nil {
			continue
		}
		names = append(names, text+times(v.count))
		if n > 0 {
			raw.Related = append(raw.Related, RawRelated{Message: "no " + d.key() + " is " + text, At: v.at.pos()})
		}
	}
	distinct := int64(math.Round(float64(len(missing)) * x.missing.scale()))
	if more := distinct - int64(len(names)); more > 0 {
		names = append(names, quantity.Grouped(more)+" more")
	}
	share := float64(x.unfound) / float64(x.values)
	raw.Finding = finding.Finding{
		Severity: severity, Confidence: confidence,
		Message: fmt.Sprintf("%s of %s in %s %s to no document of %s: %s", quantity.Grouped(x.unfound), count(x.values, "reference"), d.Path,
			verb(x.unfound, "lead"), d.To.Collection.Name, strings.Join(names, ", ")),
		Advice: p.danglingAdvice(d, severity),
		Evidence: []finding.Evidence{
			{Name: "references", Value: x.values},
			{Name: "dangling", Value: x.unfound},
			{Name: "dangling.distinct", Value: distinct},
			{Name: "dangling.share", Value: math.Round(10000*share) / 10000},
		},
	}
	if fix, err := p.danglingFix(d, x, missing); err == nil {
		raw.Fixes = []finding.Fix{fix}
	}
	p.Report(d.From, d.Path, raw)
}

// judgeDangling returns how bad it is that values lead nowhere, and how sure;
// 0 if it says nothing.
func (p *Pass) judgeDangling(d *dangling, x *danglingProbe) (finding.Severity, float64) {
	if x.unfound == 0 || x.missing.len() == 0 {
		return 0, 0
	}
	resolved := 1 - float64(x.unfound)/float64(x.values)
	said := p.Collections[d.To.Collection.Name].Complete
	byID := d.Key.ID || d.Key.Own
	switch {
	case !said && resolved < p.Threshold("sampled-share"):
		return 0, 0
	case said && byID:
		return finding.Error, 0.95
	case x.values-x.unfound < 2:
		return finding.Info, 0.4 // one that is found may be an accident
	case x.values < exampleDocuments:
		return finding.Info, 0.6 // a handful of documents need not be all
	case resolved < p.Threshold("partial-share"):
		return finding.Info, 0.4
	case resolved < p.Threshold("complete-share"), !byID:
		return finding.Info, 0.6
	case d.Stem:
		return finding.Error, 0.9
	}
	return finding.Error, 0.7
}

func (p *Pass) danglingAdvice(d *dangling, severity finding.Severity) string {
	if !d.Key.ID && !d.Key.Own {
		return fmt.Sprintf("%s refers by %s, which people type and change: look for misspellings first. Refer by the id of %s, which never changes, and copy the name beside it for display.",
			d.Path, d.Key.Path, d.To.Collection.Name)
	}
	what := fmt.Sprintf("Nothing checks %s when it is written, or when a document of %s is deleted. ", d.Path, d.To.Collection.Name)
	if severity == finding.Info {
		return what + fmt.Sprintf("If %s was exported as a whole, set complete: true for it in the configuration, and correct, remove or restore what these values name; if it is a sample, they may be right.", d.To.Collection.Name)
	}
	return what + "Remove these references or restore the documents; then delete in the order references first, documents after, and repair what a crash leaves with a periodic check such as this one."
}

// times says how often a value occurs, if more than once.
func times(n int64) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (%s times)", quantity.Grouped(n))
}

// text returns the scalar at a position as written.
func (p *Pass) text(at profile.Pos) (string, error) {
	d, err := p.Document(at)
	if err != nil {
		return "", err
	}
	start := int(at.Off - d.Base)
	if start < 0 || start+int(at.Len) > len(d.Src) {
		return "", fmt.Errorf("the document at %d does not hold offset %d", at.Doc, at.Off)
	}
	return string(d.Src[start : start+int(at.Len)]), nil
}

// danglingFix shows the documents that would have to be restored.
func (p *Pass) danglingFix(d *dangling, x *danglingProbe, missing []missingKey) (finding.Fix, error) {
	if !d.Key.ID && !d.Key.Own || d.Tail || len(d.Key.Path) != 1 || x.smallest.DocLen > danglingBytes {
		return finding.Fix{}, fmt.Errorf("%s cannot be shown", d.Path)
	}
	before, err := p.read(x.smallest)
	if err != nil {
		return finding.Fix{}, err
	}
	fix, err := planFix(fmt.Sprintf("restore what %s names, or remove it there", d.Path), d.From.Collection.Name, before, before)
	if err != nil {
		return finding.Fix{}, err
	}
	for _, v := range missing {
		if v.at.doc != x.smallest.Doc || v.at.file != x.smallest.File {
			continue
		}
		text, err := p.text(v.at.pos())
		if err != nil {
			return finding.Fix{}, err
		}
		key, err := reshape.Raw([]byte(text))
		if err != nil {
			return finding.Fix{}, err
		}
		stub, err := json.Marshal(reshape.Object(reshape.Member{Name: d.Key.Path[0].Name, Value: key}))
		if err != nil {
			return finding.Fix{}, err
		}
		fix.After = append(fix.After, finding.DocumentInPlace{Collection: d.To.Collection.Name, Document: stub})
	}
	if len(fix.After) < 2 {
		return finding.Fix{}, fmt.Errorf("%s cannot be shown", d.Path)
	}
	return fix, nil
}
