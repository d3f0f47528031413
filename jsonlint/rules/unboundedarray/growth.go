package unboundedarray

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/size"
	"github.com/shapevet/shapevet/rulebook"
)

// A listProbe measures growth: whether older documents have longer lists,
// whether elements are only appended, the list's share of large documents, and
// how lists change between two versions of a document. It also looks for a
// small document with which to show the proposed model.
type listProbe struct {
	path   profile.Path
	limits limits.Profile

	rank    times.RankField // orders the elements; used if ordered
	ordered bool

	age profile.Path // when the document was created; nil if unknown

	id      profile.Path // the document's id, in snapshot mode
	changed profile.Path // when this version was written

	largeFrom int64
	exampleAt [2]int // lengths that make a good example

	ages     *sample.HashSample[agePoint]
	versions *sample.HashSample[version]

	lists, rising, falling           int64
	largeDocs, largeBytes, listBytes int64
	smallest                         example
}

type agePoint struct {
	born   int64
	length int
}

// A version is the list in one of several copies of a document.
type version struct {
	at       int64
	length   int
	elements []uint64 // hashes of the first elements
}

// An example is the position of a small document. The best one has the least
// rank, then the fewest bytes.
type example struct {
	rank   int
	at     profile.Pos
	length int
}

func (e example) better(o example) bool {
	if !e.at.Known() || !o.at.Known() {
		return e.at.Known()
	}
	return cmp.Or(cmp.Compare(e.rank, o.rank), cmp.Compare(e.at.DocLen, o.at.DocLen), e.at.Compare(o.at)) < 0
}

const (
	agesKept     = 4096
	versionsKept = 4096
	elementsKept = 512 // hashes per version
)

func (l *list) newProbe() *listProbe {
	b := &listProbe{
		path: l.path, limits: l.p.Limits, largeFrom: max(l.largeFrom(), int64(l.p.Threshold("large-document"))),
		ages: sample.NewHashSample[agePoint](agesKept), versions: sample.NewHashSample[version](versionsKept),
	}
	keep := int(l.p.Threshold("keep"))
	b.exampleAt = [2]int{keep + 1, keep + 9}
	if l.content == references {
		b.exampleAt = [2]int{2, 6}
	}
	if l.mayGrow() {
		if l.growing {
			b.rank, b.ordered = times.RankFieldOf(l.elem)
		}
		if !l.node.Inside() {
			b.age = l.ageField()
			b.id, b.changed = l.snapshots()
		}
	}
	return b.empty()
}

func (b listProbe) empty() *listProbe {
	b.lists, b.rising, b.falling, b.largeDocs, b.largeBytes, b.listBytes = 0, 0, 0, 0, 0, 0
	b.smallest = example{}
	return &b
}

// ageField returns the path of the value that says when a document was created:
// a creation time, or else an ObjectId as id, or else Cosmos DB's _ts.
func (l *list) ageField() profile.Path {
	root := l.e.Root()
	if f := times.BornField(root); f != nil {
		return f.Path()
	}
	if id := root.Object.Field("_id"); id != nil && id.Types[profile.ObjectID] == id.Present() && id.Present() == l.e.N() {
		return id.Path()
	}
	if ts := root.Object.Field("_ts"); ts != nil && times.Is(ts) {
		return ts.Path()
	}
	return nil
}

// snapshots returns the paths of the id and of the version's time if the sample
// holds several versions of the same documents.
func (l *list) snapshots() (id, changed profile.Path) {
	key := l.e.ID()
	if key == nil || key.Node.Scalars.Values.Repeated() < 2 {
		return nil, nil
	}
	for _, f := range l.e.Root().Object.Fields() {
		if !times.Is(f) {
			continue
		}
		tokens := lexicon.Tokens(f.Step.Name)
		if f.Step.Name == "_ts" || slices.ContainsFunc(tokens, func(t string) bool {
			return slices.Contains(stateTimesWords(), t)
		}) {
			return key.Path, f.Path()
		}
	}
	return nil, nil
}

func (b *listProbe) New() check.Probe { return b.empty() }

func (b *listProbe) Visit(d *profile.Document) {
	large := profile.CompactLen(d.Document) >= b.largeFrom
	if large {
		b.largeDocs++
		b.largeBytes += size.Of(b.limits.Name, d.Document, 0)
	}
	length := -1
	for i := range d.Select(0, b.path) {
		if d.Tokens[i].Kind != scan.Array {
			continue
		}
		length = max(length, d.Len(i))
		if large {
			b.listBytes += size.Of(b.limits.Name, d.Document, i)
		}
		if b.ordered {
			b.order(d, i)
		}
		if b.id != nil {
			b.version(d, i)
		}
	}
	if length < 0 {
		return
	}
	b.consider(d, length)
	if b.age != nil {
		if i, ok := d.First(0, b.age); ok {
			if born, ok := times.At(d, i); ok {
				b.ages.Add(profile.HashText(d.Raw(0)), agePoint{born, length})
			}
		}
	}
}

func (b *listProbe) consider(d *profile.Document, length int) {
	e := example{at: d.Start(), length: length}
	switch {
	case length < b.exampleAt[0]:
		e.rank = 2
	case length > b.exampleAt[1]:
		e.rank = 1
	}
	if length > 0 && e.better(b.smallest) {
		b.smallest = e
	}
}

// order counts lists of at least three elements that are strictly ordered by
// their times or ids.
func (b *listProbe) order(d *profile.Document, array int) {
	if d.Len(array) < 3 {
		return
	}
	b.lists++
	var last times.Rank
	up, down := true, true
	for n, v := range d.Elements(array) {
		r := b.rank.Of(d, v)
		if n > 0 {
			c := r.Compare(last)
			comparable := r.Comparable(last)
			up, down = up && comparable && c > 0, down && comparable && c < 0
		}
		if last = r; !up && !down {
			return
		}
	}
	if up {
		b.rising++
	} else {
		b.falling++
	}
}

func (b *listProbe) version(d *profile.Document, array int) {
	id, okID := d.First(0, b.id)
	at, okAt := d.First(0, b.changed)
	if !okID || !okAt {
		return
	}
	hash := d.Hash(id)
	if !b.versions.Keeps(hash) {
		return
	}
	when, ok := times.At(d, at)
	if !ok {
		return
	}
	v := version{at: when, length: d.Len(array)}
	for n, e := range d.Elements(array) {
		if n == elementsKept {
			break
		}
		v.elements = append(v.elements, d.Hash(e))
	}
	b.versions.Add(hash, v)
}

func (b *listProbe) Merge(other check.Probe) {
	o := other.(*listProbe)
	b.ages.Merge(o.ages)
	b.versions.Merge(o.versions)
	b.lists += o.lists
	b.rising += o.rising
	b.falling += o.falling
	b.largeDocs += o.largeDocs
	b.largeBytes += o.largeBytes
	b.listBytes += o.listBytes
	if o.smallest.better(b.smallest) {
		b.smallest = o.smallest
	}
}

// growthSigns returns the signs of growth in a sample of many documents.
func (l *list) growthSigns() []*sign {
	var signs []*sign
	if l.mayGrow() {
		signs = append(signs, l.versionsGrow(), l.olderIsLonger(), l.appendedOnly())
		if l.content == things || l.content == references {
			signs = append(signs, l.tail())
		}
	}
	if l.mayDominate() {
		signs = append(signs, l.dominates())
	}
	return signs
}

const (
	agesNeeded  = 20
	daySpan     = 24 * time.Hour / time.Millisecond
	listsNeeded = 10
)

// olderIsLonger returns the sign that older documents have longer lists.
func (l *list) olderIsLonger() *sign {
	var born, lengths []float64
	first, last := int64(0), int64(0)
	for _, hash := range l.probe.ages.Hashes() {
		for _, a := range l.probe.ages.Of(hash) {
			if len(born) == 0 {
				first, last = a.born, a.born
			}
			first, last = min(first, a.born), max(last, a.born)
			born, lengths = append(born, -float64(a.born)), append(lengths, float64(a.length))
		}
	}
	// Documents created on one day are an import, whose order means nothing.
	if len(born) < agesNeeded || last-first < int64(daySpan) {
		return nil
	}
	rho := times.Spearman(born, lengths)
	if rho < l.p.Threshold("age-correlation") {
		return nil
	}
	return &sign{
		severity: finding.Warning, confidence: 0.7,
		text:     fmt.Sprintf("the older the document, the longer the list (rank correlation %.2f over %s)", rho, wording.Count(int64(len(born)), "document")),
		evidence: []finding.Evidence{{Name: "age.correlation", Value: wording.Round3(rho)}},
	}
}

// appendedOnly returns the sign that elements are in the order of their
// arrival, in a list named after things that keep coming.
func (l *list) appendedOnly() *sign {
	b := l.probe
	ordered := max(b.rising, b.falling)
	if !b.ordered || b.lists < listsNeeded || 10*ordered < 9*b.lists {
		return nil
	}
	share := float64(ordered) / float64(b.lists)
	return &sign{
		severity: finding.Warning, confidence: 0.7,
		text: fmt.Sprintf("elements are only ever added (%s of the lists are in the order of %q)", quantity.Percent(share), b.rank.Name),
		evidence: []finding.Evidence{
			{Name: "append.share", Value: wording.Round3(share)},
			{Name: "append.order", Value: b.rank.Name},
		},
	}
}

// versionsGrow returns the sign that lists grew between versions of their
// document and never shrank.
func (l *list) versionsGrow() *sign {
	grown, extended := 0, 0
	fastest, longest, latest := 0.0, 0, int64(0)
	for _, hash := range l.probe.versions.Hashes() {
		all := l.probe.versions.Of(hash)
		slices.SortFunc(all, func(a, b version) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.length, b.length)) })
		for i := 1; i < len(all); i++ {
			older, newer := all[i-1], all[i]
			if newer.length < older.length {
				return nil
			}
			if newer.length == older.length {
				continue
			}
			grown++
			if n := min(len(older.elements), len(newer.elements)); slices.Equal(older.elements[:n], newer.elements[:n]) {
				extended++
			}
		}
		if len(all) < 2 {
			continue
		}
		first, last := all[0], all[len(all)-1]
		latest = max(latest, last.at)
		if days := float64(last.at-first.at) / float64(daySpan); days > 0 {
			if rate := float64(last.length-first.length) / days; rate > fastest {
				fastest, longest = rate, last.length
			}
		}
	}
	if extended < 2 {
		return nil
	}
	s := &sign{
		severity: finding.Warning, confidence: 0.9,
		text: fmt.Sprintf("it grew between two versions of a document in %s and never shrank, by up to %s a day", wording.Count(int64(grown), "case"), wording.Decimal(fastest)),
		evidence: []finding.Evidence{
			{Name: "snapshots.grown", Value: grown},
			{Name: "growth.perDay", Value: wording.Round3(fastest)},
		},
	}
	if most, ok := l.atLimit(); ok && fastest > 0 && most > int64(longest) {
		days := float64(most-int64(longest)) / fastest
		if days < 100*365 {
			date := time.UnixMilli(latest).UTC().AddDate(0, 0, int(days)).Format(time.DateOnly)
			s.text += fmt.Sprintf(", and will reach the limit of %s around %s", l.p.Limits.Title, date)
			s.evidence = append(s.evidence, finding.Evidence{Name: "limit.date", Value: date})
		}
	}
	return s
}

// atLimit returns the number of elements with which the longest list would
// bring its document to the database's limit.
func (l *list) atLimit() (int64, bool) {
	for _, e := range l.projection() {
		if n, ok := e.Value.(int64); ok && e.Name == "length.atLimit."+l.p.Limits.Name {
			return n, true
		}
	}
	return 0, false
}

// dominates returns the sign that a list takes most of the bytes of the largest
// documents.
func (l *list) dominates() *sign {
	b := l.probe
	if b.largeDocs == 0 || b.largeBytes == 0 {
		return nil
	}
	share := float64(b.listBytes) / float64(b.largeBytes)
	if share < l.p.Threshold("byte-share") {
		return nil
	}
	confidence := 0.7
	if !l.growing {
		// A list of similar length everywhere may be the documents' main content.
		if l.lens.Quantile(0.99) < 2*l.lens.Quantile(0.5) {
			return nil
		}
		confidence = 0.6
		if !l.came() {
			confidence = 0.4 // the verses of a chapter
		}
	}
	return &sign{
		severity: finding.Warning, confidence: confidence,
		text: fmt.Sprintf("it takes %s of the bytes of the largest documents (%s of %s or more)",
			quantity.Percent(share), quantity.Grouped(b.largeDocs), quantity.Bytes(b.largeFrom)),
		evidence: []finding.Evidence{{Name: "bytes.shareOfLarge", Value: wording.Round3(share)}},
	}
}

var stateTimesWords = rulebook.Words("unbounded-array", "state-times")
