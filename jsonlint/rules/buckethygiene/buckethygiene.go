// Package buckethygiene reports buckets (documents that each hold a page of
// their parent's list) that break the order of their siblings.
package buckethygiene

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/bucket"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is bucket-hygiene on documents.
var Rule = check.Rule{Name: "bucket-hygiene", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		b := bucket.PagesOf(p, e)
		if b == nil {
			continue
		}
		probe := &bucketProbe{
			parent: b.Parent.Path(), list: b.List.Path(), lengths: map[int]int64{}, pages: sample.NewHashSample[page](pagesKept),
		}
		if b.Count != nil {
			probe.count = b.Count.Path()
		}
		if b.Place != nil {
			probe.place, probe.placeTime = b.Place.Path(), times.Is(b.Place)
		}
		if id := e.ID(); id != nil {
			probe.id = id.Path
		}
		probe.rank, probe.ordered = times.RankFieldOf(b.List.Array.Elem)
		h := &buckets{p: p, e: e, bucket: b, probe: check.Watch(p, e, probe)}
		p.After(h.judge)
	}
}}

const pagesKept = 1 << 16

// A page is one bucket.
type page struct {
	at          profile.Pos // of the list's name
	length      int
	place       times.Rank // as stored, or according to the id
	first, last times.Rank // of the elements
}

// A bucketProbe collects the pages by their parent.
type bucketProbe struct {
	parent, list, count, place, id profile.Path
	placeTime                      bool
	rank                           times.RankField
	ordered                        bool

	lengths map[int]int64
	pages   *sample.HashSample[page]

	docs, numbered       int64 // number of documents, and of those whose id gives their place
	sorted, unsorted     int64
	unsortedAt           profile.Pos
	counted, miscounted  int64
	miscountedAt         profile.Pos
	miscount, miscountOf int64
}

func (b *bucketProbe) New() check.Probe {
	c := *b
	c.lengths = map[int]int64{}
	c.docs, c.numbered, c.sorted, c.unsorted, c.counted, c.miscounted, c.miscount, c.miscountOf = 0, 0, 0, 0, 0, 0, 0, 0
	c.unsortedAt, c.miscountedAt = profile.Pos{}, profile.Pos{}
	return &c
}

// lengthsKept bounds the lengths counted. No bucket is longer.
const lengthsKept = 1 << 16

func (b *bucketProbe) Visit(d *profile.Document) {
	parent, okParent := d.First(0, b.parent)
	list, okList := d.First(0, b.list)
	if !okParent || !okList || d.Tokens[list].Kind != scan.Array {
		return
	}
	b.docs++
	pg := page{at: d.At(list - 1), length: d.Len(list)}
	b.lengths[min(pg.length, lengthsKept)]++
	if i, ok := d.First(0, b.place); ok && b.place != nil {
		pg.place = times.RankAt(d, i, b.placeTime)
	}
	if n, ok := b.idPlace(d, parent); ok {
		b.numbered++
		if pg.place.Kind == times.NoRank {
			pg.place = times.Rank{Kind: times.ByNumber, N: n}
		}
	}
	if i, ok := d.First(0, b.count); ok && b.count != nil {
		b.checkCount(d, i, pg.length)
	}
	if b.ordered {
		b.span(d, list, &pg)
	}
	b.pages.Add(d.Hash(parent), pg)
}

// idPlace returns the number of a page in its id: "<parent>-7", "<parent>:7".
func (b *bucketProbe) idPlace(d *profile.Document, parent int) (int64, bool) {
	if b.id == nil {
		return 0, false
	}
	i, ok := d.First(0, b.id)
	if !ok || d.Tokens[i].Kind != scan.String {
		return 0, false
	}
	rest, ok := bytes.CutPrefix(d.Text(i), d.Text(parent))
	if !ok || len(rest) < 2 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(bytes.TrimLeft(rest, "-_:#/.|")), 10, 64)
	return n, err == nil
}

func (b *bucketProbe) checkCount(d *profile.Document, i, length int) {
	n, err := strconv.ParseInt(string(d.Text(i)), 10, 64)
	if err != nil {
		return
	}
	b.counted++
	if n == int64(length) {
		return
	}
	b.miscounted++
	if at := d.At(i); at.Compare(b.miscountedAt) < 0 {
		b.miscountedAt, b.miscount, b.miscountOf = at, n, int64(length)
	}
}

// span records the ranks of the elements and whether they are in order.
func (b *bucketProbe) span(d *profile.Document, list int, pg *page) {
	up, down := true, true
	var before times.Rank
	for n, v := range d.Elements(list) {
		r := b.rank.Of(d, v)
		if r.Kind == times.NoRank || n > 0 && !r.Comparable(before) {
			pg.first, pg.last = times.Rank{}, times.Rank{}
			return
		}
		if n == 0 {
			pg.first, pg.last = r, r
		} else {
			up, down = up && r.Compare(before) >= 0, down && r.Compare(before) <= 0
		}
		if r.Compare(pg.first) < 0 {
			pg.first = r
		}
		if r.Compare(pg.last) > 0 {
			pg.last = r
		}
		before = r
	}
	if up || down {
		b.sorted++
		return
	}
	b.unsorted++
	b.unsortedAt = profile.Earlier(b.unsortedAt, pg.at)
}

func (b *bucketProbe) Merge(other check.Probe) {
	o := other.(*bucketProbe)
	for length, n := range o.lengths {
		b.lengths[length] += n
	}
	b.pages.Merge(o.pages)
	b.docs += o.docs
	b.numbered += o.numbered
	b.sorted += o.sorted
	b.unsorted += o.unsorted
	b.counted += o.counted
	b.miscounted += o.miscounted
	b.unsortedAt = profile.Earlier(b.unsortedAt, o.unsortedAt)
	if o.miscountedAt.Compare(b.miscountedAt) < 0 {
		b.miscountedAt, b.miscount, b.miscountOf = o.miscountedAt, o.miscount, o.miscountOf
	}
}

// buckets judges the buckets of one kind.
type buckets struct {
	p      *check.Pass
	e      *model.Entity
	bucket *bucket.Bucket
	probe  *bucketProbe
}

// capacity returns the length at which buckets are full: the most frequent
// length, if it is clearly more frequent than others and hardly any bucket is
// longer. ok is false otherwise.
func (h *buckets) capacity() (int, bool) {
	best, most, longer := 0, int64(0), int64(0)
	for _, length := range slices.Sorted(maps.Keys(h.probe.lengths)) {
		if n := h.probe.lengths[length]; length >= 5 && n >= most {
			best, most = length, n
		}
	}
	for length, n := range h.probe.lengths {
		if length > best {
			longer += n
		}
	}
	return best, most >= 3 && 10*most >= h.probe.docs && 10*longer <= h.probe.docs
}

// parents returns the pages of each parent with several, in order of their
// place.
func (h *buckets) parents() [][]page {
	var out [][]page
	for _, parent := range h.probe.pages.Hashes() {
		pages := h.probe.pages.Of(parent)
		if len(pages) < 2 {
			continue
		}
		slices.SortFunc(pages, func(a, b page) int {
			return cmp.Or(cmp.Compare(a.place.Kind, b.place.Kind), a.place.Compare(b.place), a.first.Compare(b.first), a.at.Compare(b.at))
		})
		out = append(out, pages)
	}
	return out
}

func (h *buckets) judge() {
	capacity, capped := h.capacity()
	parents := h.parents()
	counting := h.probe.counted >= bucket.CountsNeeded && h.probe.miscounted <= max(1, h.probe.counted/5)
	placed := h.probe.place != nil || 10*h.probe.numbered >= 9*h.probe.docs
	if !capped && !counting && !placed || len(parents) == 0 {
		return // nothing shows that these documents with one list are pages
	}
	if counting && h.probe.miscounted > 0 {
		h.reportCount()
	}
	if capped {
		h.reportOverfull(capacity)
		h.reportGaps(capacity, parents)
	}
	h.reportOverlap(parents)
	h.reportUnsorted()
	if !placed && capped && h.probe.docs >= places.EnoughDocuments {
		h.reportNoPlace()
	}
}

func (h *buckets) report(path profile.Path, kind string, raw check.Raw) {
	raw.Evidence = append([]finding.Evidence{{Name: "kind", Value: kind}, {Name: "buckets", Value: h.e.N()}}, raw.Evidence...)
	raw.Fingerprint = fmt.Sprintf("bucket-hygiene:%s:%s:%s", h.e.Collection.Name, path.String(), kind)
	if h.e.Kind != "" {
		raw.Fingerprint += ":" + h.e.Kind
	}
	if h.p.Limits.Name == "cosmosdb" {
		raw.Advice += fmt.Sprintf(" Azure Cosmos DB recommends one item per element, with /%s as the partition key; that needs no buckets.",
			h.bucket.Parent.Step.Name)
	}
	h.p.Report(h.e, path, raw)
}

func (h *buckets) reportCount() {
	b := h.probe
	raw := check.Raw{
		At: b.miscountedAt,
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("in %s of %s the count is wrong: %s is %s here, but %s has %s",
				quantity.Grouped(b.miscounted), wording.Count(b.counted, "bucket"), h.bucket.Count.Step.Name, quantity.Grouped(b.miscount),
				h.bucket.List.Step.Name, wording.Count(b.miscountOf, "element")),
			Advice: fmt.Sprintf("Set %s to the number of elements, and change both in one update ($push with $inc).", h.bucket.Count.Step.Name),
			Evidence: []finding.Evidence{
				{Name: "buckets.miscounted", Value: b.miscounted}, {Name: "count", Value: b.miscount}, {Name: "length", Value: b.miscountOf},
			},
		},
	}
	if int(b.miscountedAt.Len) == len(strconv.FormatInt(b.miscount, 10)) { // a plain number without a wrapper
		raw.Fixes = []finding.Fix{{Title: "set the count of this bucket to the number of its elements", Safety: finding.Unsafe}}
		raw.Edits = []check.RawEdit{{At: b.miscountedAt, NewText: strconv.FormatInt(b.miscountOf, 10)}}
	}
	h.report(h.bucket.Count.Path(), "count", raw)
}

func (h *buckets) reportOverfull(capacity int) {
	limit := int(h.p.Threshold("overfull") * float64(capacity))
	n, longest := int64(0), 0
	for length, k := range h.probe.lengths {
		if length > limit {
			n += k
			longest = max(longest, length)
		}
	}
	if n == 0 {
		return
	}
	h.report(h.bucket.List.Path(), "overfull", check.Raw{
		At: h.bucket.List.Array.LongestAt,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.7,
			Message: fmt.Sprintf("%s of %s with more than the usual %s, up to %s", quantity.Grouped(n), wording.Count(h.e.N(), "bucket"),
				wording.Count(int64(capacity), "element"), quantity.Grouped(int64(longest))),
			Advice:   fmt.Sprintf("Start a new bucket at %d elements: make the count a condition of the update that appends.", capacity),
			Evidence: []finding.Evidence{{Name: "capacity", Value: capacity}, {Name: "length.max", Value: longest}, {Name: "buckets.overfull", Value: n}},
		},
	})
}

// reportGaps reports buckets that stay half empty.
func (h *buckets) reportGaps(capacity int, parents [][]page) {
	p50 := h.bucket.List.Array.Len.Quantile(0.5)
	if float64(p50) < h.p.Threshold("low-fill")*float64(capacity) && float64(h.e.N()) >= h.p.Threshold("low-fill-buckets") {
		h.report(h.bucket.List.Path(), "fill", check.Raw{
			At: h.bucket.List.First(profile.Array),
			Finding: finding.Finding{
				Severity: finding.Info, Confidence: 0.6,
				Message:  fmt.Sprintf("half of %s hold at most %s; a full one holds %d", wording.Count(h.e.N(), "bucket"), wording.Count(p50, "element"), capacity),
				Advice:   "Such small buckets save little: use a smaller bucket size, or one document per element.",
				Evidence: []finding.Evidence{{Name: "capacity", Value: capacity}, {Name: "length.p50", Value: p50}},
			},
		})
		return
	}
	var first profile.Pos
	affected := 0
	for _, pages := range parents {
		partial := 0
		for _, pg := range pages[:len(pages)-1] {
			if pg.length < capacity {
				if partial++; partial == 2 {
					first = profile.Earlier(first, pg.at)
				}
			}
		}
		if partial > 1 {
			affected++
		}
	}
	// If most do, buckets are not meant to be filled: there is one per day, say.
	if affected == 0 || 2*affected > len(parents) {
		return
	}
	h.report(h.bucket.List.Path(), "gaps", check.Raw{
		At: first,
		Finding: finding.Finding{
			Severity: finding.Info, Confidence: 0.6,
			Message:  fmt.Sprintf("%s of %s with several buckets that are not full, besides the last", quantity.Grouped(int64(affected)), wording.Count(int64(len(parents)), "parent")),
			Advice:   "Fill the last bucket before you start a new one, and merge those that deletions have emptied.",
			Evidence: []finding.Evidence{{Name: "capacity", Value: capacity}, {Name: "parents.affected", Value: affected}, {Name: "parents", Value: len(parents)}},
		},
	})
}

// reportOverlap reports buckets of one parent whose spans overlap, unlike
// nearly all others.
func (h *buckets) reportOverlap(parents [][]page) {
	pairs, overlaps := 0, 0
	var at, other page
	for _, pages := range parents {
		ordered := slices.DeleteFunc(slices.Clone(pages), func(pg page) bool { return pg.first.Kind == times.NoRank })
		slices.SortFunc(ordered, func(a, b page) int {
			return cmp.Or(a.first.Compare(b.first), a.last.Compare(b.last), a.at.Compare(b.at))
		})
		for i := 1; i < len(ordered); i++ {
			before, after := ordered[i-1], ordered[i]
			if !before.last.Comparable(after.first) {
				continue
			}
			pairs++
			if after.first.Compare(before.last) < 0 {
				overlaps++
				if after.at.Compare(at.at) < 0 {
					at, other = after, before
				}
			}
		}
	}
	if overlaps == 0 || float64(overlaps) > h.p.Threshold("exceptions")*float64(pairs) {
		return
	}
	h.report(h.bucket.List.Path(), "overlap", check.Raw{
		At: at.at,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.7,
			Message: fmt.Sprintf("%s of %s overlap: this one starts at %s %s, but its neighbour ends at %s", quantity.Grouped(int64(overlaps)),
				wording.Count(int64(pairs), "pair")+" of neighbouring buckets", h.probe.rank.Name, at.first, other.last),
			Advice:   "Merge the two buckets, sort the elements and split them again: readers that go from bucket to bucket see them out of order.",
			Evidence: []finding.Evidence{{Name: "pairs", Value: pairs}, {Name: "pairs.overlapping", Value: overlaps}},
		},
		Related: []check.RawRelated{{Message: "its neighbour", At: other.at}},
	})
}

func (h *buckets) reportUnsorted() {
	b := h.probe
	if b.unsorted == 0 || float64(b.unsorted) > h.p.Threshold("exceptions")*float64(b.sorted+b.unsorted) {
		return
	}
	raw := check.Raw{
		At: b.unsortedAt,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.7,
			Message:  fmt.Sprintf("in %s of %s the elements are not in the order of %s", quantity.Grouped(b.unsorted), wording.Count(b.sorted+b.unsorted, "bucket"), b.rank.Name),
			Advice:   "Sort the elements when you write them ($push with $sort): readers need not sort the other buckets.",
			Evidence: []finding.Evidence{{Name: "buckets.unsorted", Value: b.unsorted}, {Name: "order", Value: b.rank.Name}},
		},
	}
	raw.Fixes = h.sort()
	h.report(h.bucket.List.Path(), "unsorted", raw)
}

// sort shows the first unsorted bucket, sorted.
func (h *buckets) sort() []finding.Fix {
	return plans.Changed(h.p, h.e.Collection.Name, "sort the elements", h.probe.unsortedAt, func(bucket *reshape.Value) bool {
		name := h.bucket.List.Step.Name
		elements := bucket.Get(name).Elements()
		slices.SortStableFunc(elements, reshape.By(profile.Path{{Kind: profile.Field, Name: h.probe.rank.Name}}))
		bucket.Set(name, reshape.Array(elements...))
		return true
	})
}

func (h *buckets) reportNoPlace() {
	h.report(nil, "place", check.Raw{
		At: h.e.Root().First(profile.Object),
		Finding: finding.Finding{
			Severity: finding.Info, Confidence: 0.6,
			Message: fmt.Sprintf("no field says which bucket of its %s a bucket is", h.bucket.Parent.Step.Name),
			Advice: fmt.Sprintf("Number the buckets of each parent, best in the id: \"<%s>:<number>\". Then a query finds the last one without reading all.",
				h.bucket.Parent.Step.Name),
			Evidence: []finding.Evidence{{Name: "parent", Value: h.bucket.Parent.Step.Name}},
		},
	})
}
