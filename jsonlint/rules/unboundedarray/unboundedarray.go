// Package unboundedarray reports lists that nothing stops from growing: by
// their length alone, or by signs of growth in the sample.
package unboundedarray

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/bucket"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/geo"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/size"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is unbounded-array on documents.
var Rule = check.Rule{Name: "unbounded-array", OnSchema: onSchema, Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		buckets := bucket.Of(p, e)
		geo.WalkValues(e.Root(), func(n *profile.Node) {
			if n.Types[profile.Array] == 0 {
				return
			}
			if buckets != nil && buckets.List == n && float64(n.Array.Len.Max) <= p.Threshold("sure-elements") {
				return // splitting a list into documents of limited length is the remedy
			}
			l := newList(p, e, n)
			if l.declared() || l.stopsByItself() || !l.suspect() {
				return
			}
			l.probe = check.Watch(p, e, l.newProbe())
			if l.content == references && l.whole() && l.ref != nil && l.ref.To != e {
				l.children = relations.WatchKeys(p, []model.Target{{Entity: l.ref.To, Key: l.ref.Key}})
			}
			p.After(l.judge)
		})
	}
}}

// A list is the arrays at one path, as this rule sees them.
type list struct {
	p       *check.Pass
	e       *model.Entity
	node    *profile.Node
	elem    *profile.Node
	path    profile.Path
	name    string
	lens    *profile.Histogram
	content content
	link    *profile.Node // what refers, of a list of references: the element or a field in it
	ref     *model.Reference
	probe   *listProbe

	children []*relations.KeyIndex // finds the documents that a list of references names

	growing, bounded bool // by its name
	closed           bool // nothing is added after the document is written
}

func newList(p *check.Pass, e *model.Entity, n *profile.Node) *list {
	l := &list{p: p, e: e, node: n, elem: n.Array.Elem, path: n.Path(), name: naming.ListName(n), lens: &n.Array.Len}
	owner := naming.EntityName(e)
	if n.Parent.Parent != nil {
		owner = cmp.Or(naming.ListName(n.Parent), owner)
	}
	l.growing = p.Lexicon.HasIn(lexicon.Unbounded, l.name, owner)
	l.bounded = p.Lexicon.HasIn(lexicon.Bounded, l.name, owner)
	if p.Lexicon.Has(lexicon.HistoricalParent, owner) && !l.growing && !timed(l.elem) {
		l.bounded, l.closed = true, true
	}
	l.classify()
	return l
}

// timed reports whether the elements of a list have times of their own. Those of an
// order, an invoice or a shipment without them are complete when it is written.
func timed(elem *profile.Node) bool {
	return times.Is(elem) || elem.Object != nil && slices.ContainsFunc(elem.Object.Fields(), times.Is)
}

// declared reports whether the database bounds the documents of the collection,
// or its schema the list and the documents keep to that: those that do not
// violate the schema.
func (l *list) declared() bool {
	if c := l.p.Catalog[l.e.Collection.Name]; c != nil && c.Capped {
		return true // the oldest documents are dropped, so no list grows for long
	}
	bound, ok := l.p.DeclaredBound(l.e, l.path)
	return ok && bound.Most <= int64(l.p.Threshold("sure-elements")) && l.lens.Max <= bound.Most
}

// stopsByItself reports whether something bounds the list: all lengths alike,
// a hard cap, a name that says so, or a page of results in place of a
// document.
func (l *list) stopsByItself() bool {
	h := l.lens
	switch {
	case h.Max < 2:
		return true
	case h.Min == h.Max && h.Count >= 5:
		return true
	case h.AtMax >= 3 && 2*h.AtMax >= h.Count: // growth ends where it happens to, a bound at itself
		return true
	case h.AtMax >= 3 && slices.Contains([]int64{5, 10, 20, 25, 50, 100, 200, 500, 1000}, h.Max):
		return true
	case h.Max <= 50 && l.p.Lexicon.Has(lexicon.BoundMarker, l.name):
		return true
	}
	return l.isResponse()
}

// isResponse reports whether the only document is a file that contains others: a
// page of results from a service, which has one list and its position in the
// results; or the features of GeoJSON.
func (l *list) isResponse() bool {
	if l.e.N() != 1 || len(l.path) != 1 {
		return false
	}
	if geo.IsFeatureCollection(l.e.Root()) {
		return true
	}
	paging := 0
	for _, f := range l.e.Root().Object.Fields() {
		if f.Types[profile.Array]+f.Types[profile.Object] > 0 {
			continue
		}
		tokens := lexicon.Tokens(f.Step.Name)
		if slices.ContainsFunc(tokens, func(t string) bool {
			return slices.Contains(pagingWords(), t)
		}) {
			paging++
		}
	}
	return paging >= 2 || paging == 1 && slices.Contains(pageListsWords(), lexicon.Fold(l.name))
}

// suspect reports whether the profile shows enough to look at the documents
// again.
func (l *list) suspect() bool {
	return l.length() != nil || l.authorLeftOut() != nil || l.nameOnly() || l.mayGrow() || l.mayDominate() || l.nearLimit() != nil
}

// A sign is a piece of evidence for growth.
type sign struct {
	text       string
	severity   finding.Severity
	confidence float64
	evidence   []finding.Evidence
	at         profile.Pos // where it shows; the longest list by default
}

// length is the sign of a list that is long whatever else is known.
func (l *list) length() *sign {
	threshold := func(name string) int64 { return int64(l.p.Threshold(name)) }
	s := sign{severity: finding.Warning}
	longest := l.lens.Max
	switch {
	case l.closed && longest < threshold("sure-elements"):
		return nil
	case l.content == references && l.bounded && longest < threshold("max-elements"):
		if l.vocabulary() || longest < threshold("max-references") {
			return nil
		}
		s.confidence = 0.7
	case longest < l.reported():
		return nil
	case l.content == numbers && l.e.N() < places.EnoughDocuments:
		s.confidence = 0.4 // one mesh or one track is a value; that there are more to come is a guess
	case l.content == numbers:
		s.confidence = 0.7
	case identity.MayBeFile(l.p, l.e):
		s.confidence = 0.4 // its lists are collections
	case longest >= threshold("error-elements"):
		s.severity, s.confidence = finding.Error, 0.95
	case longest >= threshold("sure-elements"):
		s.confidence = 0.9
		if l.content == texts {
			s.confidence = 0.7
		}
	case l.content == texts && !l.growing:
		s.severity, s.confidence = finding.Info, 0.4 // keyword and symbol lists of a few hundred are common and right
	case l.isShortLog():
		s.severity, s.confidence = finding.Info, 0.6
	case l.content == things && l.e.N() >= places.EnoughDocuments && !l.came() && model.Identity(l.elem) == nil:
		s.confidence = 0.4
	case l.bounded || l.e.N() == 1:
		s.confidence = 0.6
	default:
		s.confidence = 0.7
	}
	return &s
}

// vocabulary reports whether many documents share what a list refers to: tagIds.
func (l *list) vocabulary() bool {
	share, known := l.ownership()
	return !known || share < l.p.Threshold("owner-share")
}

// isLog reports whether the name of a list says that it grows, and its elements have
// times, which they came at.
func (l *list) isLog() bool { return l.content == things && l.growing && timed(l.elem) }

// isShortLog reports whether a list is a log that has only begun.
func (l *list) isShortLog() bool {
	return l.isLog() && float64(l.lens.Max) < l.p.Threshold("max-references")
}

// reported is the length from which a list of such elements is reported.
func (l *list) reported() int64 {
	switch {
	case l.isLog():
		return int64(l.p.Threshold("growth-elements"))
	case l.content == references:
		return int64(l.p.Threshold("max-references"))
	case l.content == numbers:
		return int64(l.p.Threshold("error-elements"))
	}
	return int64(l.p.Threshold("max-elements"))
}

// came reports whether the name or something in the documents says that the elements came
// one after another. In a catalogue, the lists are as long as they are.
func (l *list) came() bool {
	return l.growing || l.elem.Types[profile.ObjectID] > 0 || timed(l.elem)
}

// spread is the median in brackets where there is something to compare.
func (l *list) spread() string {
	if l.lens.Count < 3 {
		return ""
	}
	return fmt.Sprintf(" (median %s)", quantity.Grouped(l.lens.Quantile(0.5)))
}

// authorLeftOut is the sign of an example: its author left elements out, or shows
// a few elements whose ids are far larger than their number.
func (l *list) authorLeftOut() *sign {
	if l.e.N() >= places.EnoughDocuments || l.bounded || l.content == numbers && l.ref == nil && !l.namesCollection() {
		return nil
	}
	a := l.node.Array
	if a.Elided > 0 && (l.growing || l.content == references || l.namesCollection()) {
		return &sign{severity: finding.Warning, confidence: 0.6, at: a.ElidedAt, text: "the example leaves elements out"}
	}
	if id := times.IDField(l.elem); id != nil && l.growing && id.Scalars.Ints > 2 {
		first, last := id.Scalars.MinInt, id.Scalars.MaxInt
		if first <= 1000 && last > 100*id.Scalars.Ints && last < 1000*times.EpochFirst { // a clock gave those from there on
			return &sign{severity: finding.Warning, confidence: 0.6, text: fmt.Sprintf("its %ss run from %s to %s, of which %s shown",
				id.Step.Name, quantity.Grouped(first), quantity.Grouped(last), wording.IsAre(id.Scalars.Ints))}
		}
	}
	return nil
}

func (l *list) namesCollection() bool {
	return slices.ContainsFunc(l.p.DB.Named(l.name), func(c *model.Collection) bool {
		return (c != l.e.Collection || len(c.Entities) > 1) && lexicon.MatchStem(l.name, c.Name) >= lexicon.SameNoun
	})
}

// nameOnly reports whether, in a few documents, the name is the only evidence.
// The finding is then a guess.
func (l *list) nameOnly() bool {
	if !l.growing || l.content != things || l.e.N() >= places.EnoughDocuments {
		return false
	}
	_, ordered := times.RankFieldOf(l.elem)
	return ordered || model.Identity(l.elem) != nil
}

// mayGrow reports whether the list is one in which growth can be measured.
func (l *list) mayGrow() bool {
	if l.e.N() < places.EnoughDocuments || float64(l.lens.Max) < l.p.Threshold("growth-elements") || l.bounded || l.stopsTogether() {
		return false
	}
	return l.content == things || l.content == references
}

// stopsTogether reports whether many lists stop at the same greatest length.
func (l *list) stopsTogether() bool {
	return profile.StopsAt(l.lens.AtMax, l.lens.Above(1))
}

// mayDominate reports whether the list can hold most of the bytes of the
// largest documents.
func (l *list) mayDominate() bool {
	if l.e.N() < places.EnoughDocuments || l.node.Inside() || l.content == numbers || l.bounded || l.stopsTogether() {
		return false
	}
	if float64(l.lens.Max) < l.p.Threshold("growth-elements") {
		return false
	}
	// The documents above the 90th percentile hold at least a tenth of all bytes.
	return float64(l.largeFrom()) >= l.p.Threshold("large-document") &&
		float64(l.node.Bytes) >= 0.1*l.p.Threshold("byte-share")*float64(l.e.Profile.Bytes)
}

func (l *list) largeFrom() int64 { return l.e.Profile.Sizes.Quantile(0.9) }

// tail is the sign of a few lists far longer than the rest.
func (l *list) tail() *sign {
	middle, high := max(1, l.lens.Quantile(0.5)), l.lens.Quantile(0.99)
	ratio := float64(high) / float64(middle)
	if ratio < l.p.Threshold("tail-ratio") || float64(l.lens.Max) < l.p.Threshold("tail-elements") {
		return nil
	}
	confidence := 0.7
	if !l.came() {
		confidence = 0.4
	}
	return &sign{
		severity: finding.Warning, confidence: confidence,
		text:     fmt.Sprintf("the longest lists are %s times as long as the median (99th percentile %s)", quantity.Grouped(int64(ratio)), quantity.Grouped(high)),
		evidence: []finding.Evidence{{Name: "length.p99", Value: high}},
	}
}

// judge weighs the signs and reports.
func (l *list) judge() {
	var signs []*sign
	hard := l.length()
	if over := l.nearLimit(); over != nil {
		hard = over
	}
	for _, s := range append([]*sign{hard, l.authorLeftOut()}, l.growthSigns()...) {
		if s != nil {
			signs = append(signs, s)
		}
	}
	if len(signs) == 0 {
		if !l.nameOnly() {
			return
		}
		signs = []*sign{{severity: finding.Info, confidence: 0.4, text: "by its name, more keep coming"}}
	}
	l.report(signs)
}

// nearLimit returns the sign of a list that takes a large part of the largest
// document that the database allows.
func (l *list) nearLimit() *sign {
	limit := l.p.Limits.DocumentBytes
	if limit == 0 || 4*places.EncodingGrowth*l.node.Max < limit || l.lens.Max < 4 {
		return nil
	}
	d, err := l.p.Document(l.node.MaxAt)
	if err != nil {
		return nil
	}
	i, ok := places.TokenAt(d, l.node.MaxAt)
	if !ok || d.Len(i) < 4 {
		return nil
	}
	bytes := size.Of(l.p.Limits.Name, d.Document, i)
	share := float64(bytes) / float64(limit)
	s := sign{at: l.node.MaxAt, severity: finding.Error, confidence: 0.95}
	if share < l.p.Threshold("limit-share") {
		if l.content != numbers || share < l.p.Threshold("number-limit-share") {
			return nil
		}
		s.severity, s.confidence = finding.Warning, 0.7
	}
	s.text = fmt.Sprintf("%s in %s of one document, %s of the %s that %s allows",
		wording.Count(int64(d.Len(i)), "element"), quantity.Bytes(bytes), quantity.Percent(share), quantity.Bytes(limit), l.p.Limits.Title)
	s.evidence = []finding.Evidence{{Name: "limit.share", Value: wording.Round3(share)}}
	return &s
}

// report writes the finding. It mentions the first sign first.
func (l *list) report(signs []*sign) {
	first := signs[0]
	f := finding.Finding{Severity: first.severity, Confidence: first.confidence}
	at := l.node.Array.LongestAt
	if first.at.Known() {
		at = first.at
	}
	text := fmt.Sprintf("up to %s in one document%s", wording.Count(l.lens.Max, "element"), l.spread())
	said := 0
	for i, s := range signs {
		if s.text != "" && said < 2 { // the others are among the evidence
			text += "; " + s.text
			said++
		}
		if i == 0 {
			continue
		}
		if s.severity > f.Severity {
			f.Severity, f.Confidence = s.severity, s.confidence
		}
		f.Confidence = max(f.Confidence, s.confidence)
	}
	if f.Confidence < 0.9 && f.Confidence >= 0.6 {
		more := len(signs) - 1
		if l.growing {
			more++
		}
		f.Confidence = min(0.9, f.Confidence+0.1*float64(more))
	}
	what := "grows without bound"
	if l.content == references {
		what = "is a list of references that grows without bound"
	}
	f.Confidence = wording.Round3(f.Confidence)
	f.Message = fmt.Sprintf("%s %s: %s", l.name, what, text)
	f.Evidence = l.evidence(signs)
	f.Advice = l.advice()
	raw := check.Raw{Finding: f, At: at}
	if at != l.node.Array.LongestAt {
		raw.Related = append(raw.Related, check.RawRelated{Message: "the longest: " + wording.Count(l.lens.Max, "element"), At: l.node.Array.LongestAt})
	}
	if back := l.backReference(); back != nil {
		raw.Related = append(raw.Related, check.RawRelated{
			Message: fmt.Sprintf("each %s already names its %s in %s", naming.Noun(back.From), naming.Noun(l.e), back.Path), At: back.Node.FirstAny(),
		})
	}
	raw.Fixes = l.fix()
	if raw.Confidence >= finding.Probable {
		lists := explained.ReportedLists(l.p)
		lists[l.e] = append(lists[l.e], l.path)
	}
	l.p.Report(l.e, l.path, raw)
}

func (l *list) evidence(signs []*sign) []finding.Evidence {
	h := l.lens
	out := []finding.Evidence{
		{Name: "documents", Value: l.e.N()},
		{Name: "length.p50", Value: h.Quantile(0.5)},
		{Name: "length.p95", Value: h.Quantile(0.95)},
		{Name: "length.max", Value: h.Max},
	}
	for _, s := range signs {
		out = append(out, s.evidence...)
	}
	if l.growing {
		out = append(out, finding.Evidence{Name: "name.unbounded", Value: true})
	}
	if l.content == references {
		if share, known := l.ownership(); known {
			out = append(out, finding.Evidence{Name: "ownership", Value: wording.Round3(share)})
		}
		if l.ref != nil {
			out = append(out, finding.Evidence{Name: "target", Value: l.ref.To.Label()})
		}
	}
	return append(out, l.projection()...)
}

// projection says how much space the longest list takes, and how long it could
// get.
func (l *list) projection() []finding.Evidence {
	at := l.node.Array.LongestAt
	d, err := l.p.Document(at)
	if err != nil {
		return nil
	}
	i, ok := places.TokenAt(d, at)
	if !ok || d.Len(i) == 0 {
		return nil
	}
	whole, part := size.Of(l.p.Limits.Name, d.Document, 0), size.Of(l.p.Limits.Name, d.Document, i)
	out := []finding.Evidence{
		{Name: "bytes.share", Value: wording.Round3(float64(part) / float64(max(1, whole)))},
		{Name: "bytes.element", Value: part / int64(d.Len(i))},
	}
	databases := []limits.Profile{l.p.Limits}
	if l.p.Limits.DocumentBytes == 0 {
		databases = nil
		for _, name := range limits.Names() {
			if db, ok := limits.For(name); ok && db.DocumentBytes > 0 {
				databases = append(databases, db)
			}
		}
	}
	for _, db := range databases {
		whole, part := size.Of(db.Name, d.Document, 0), size.Of(db.Name, d.Document, i)
		element := max(1, part/int64(d.Len(i)))
		out = append(out, finding.Evidence{Name: "length.atLimit." + db.Name, Value: max(0, (db.DocumentBytes-(whole-part))/element)})
	}
	return out
}

var (
	pagingWords    = rulebook.Words("unbounded-array", "paging")
	pageListsWords = rulebook.Words("unbounded-array", "page-lists")
)
