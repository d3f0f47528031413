// Package oversizeddocument reports documents near or over the database's size
// limit, measured in its own encoding.
package oversizeddocument

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/size"
)

// Rule is oversized-document on documents.
var Rule = check.Rule{Name: "oversized-document", Run: func(p *check.Pass) {
	levels := sizeLevels(p)
	if len(levels) == 0 {
		return
	}
	smallest := levels[len(levels)-1].bytes
	for _, e := range p.DB.Entities() {
		if e.Profile.Sizes.Max*places.EncodingGrowth < smallest {
			continue
		}
		probe := check.Watch(p, e, &sizeProbe{limits: p.Limits, from: smallest, blobs: explained.BlobsOf(p, e), counts: make([]int64, len(levels)), levels: levels})
		p.After(func() {
			p.After(func() { // when it is known which arrays are reported
				if !madeByLists(p, e, probe) {
					reportSize(p, e, probe)
				}
			})
		})
	}
}}

type sizeLevel struct {
	bytes    int64
	severity finding.Severity
	name     string
}

// sizeLevels returns the sizes from which documents are reported, largest
// first.
func sizeLevels(p *check.Pass) []sizeLevel {
	all := []sizeLevel{
		{p.Limits.DocumentBytes, finding.Error, "limit"},
		{p.Limits.SizeError, finding.Error, "error"},
		{p.Limits.SizeWarning, finding.Warning, "warning"},
		{p.Limits.SizeInfo, finding.Info, "info"},
	}
	return slices.DeleteFunc(all, func(l sizeLevel) bool { return l.bytes == 0 })
}

// A sizeProbe measures the documents that are large as written.
type sizeProbe struct {
	limits limits.Profile
	from   int64
	levels []sizeLevel
	blobs  explained.BlobsReported

	sizes   profile.Histogram // of all documents as stored
	counts  []int64           // number of documents at or above each level
	largest []sized           // the largest documents
}

type sized struct {
	bytes int64
	at    profile.Pos
}

// usualDocuments is the number of documents from which the median is the usual
// size.
const usualDocuments = 3

// largestKept is the number of documents in a finding.
const largestKept = 4

func (s *sizeProbe) New() check.Probe {
	return &sizeProbe{limits: s.limits, from: s.from, levels: s.levels, blobs: s.blobs, counts: make([]int64, len(s.levels))}
}

func (s *sizeProbe) Visit(d *profile.Document) {
	bytes := size.Of(s.limits.Name, d.Document, 0)
	s.sizes.Add(bytes)
	if bytes < s.from {
		return
	}
	// A reported blob explains a document that is merely large, but not one that a
	// database may refuse.
	if !s.refused(bytes) && bytes-s.blobs.In(d, s.limits) < s.from {
		return
	}
	for i, l := range s.levels {
		if bytes >= l.bytes {
			s.counts[i]++
		}
	}
	s.keep(sized{bytes, d.Start()})
}

// refused reports whether a document is near or over a limit.
func (s *sizeProbe) refused(bytes int64) bool {
	return slices.ContainsFunc(s.levels, func(l sizeLevel) bool { return l.severity != finding.Info && bytes >= l.bytes })
}

// madeByLists reports whether all the large documents are large because of
// arrays that are reported as growing. That finding then covers the cause.
func madeByLists(p *check.Pass, e *model.Entity, s *sizeProbe) bool {
	lists := explained.ReportedLists(p)[e]
	if len(lists) == 0 || s.counts[len(s.counts)-1] > int64(len(s.largest)) {
		return false
	}
	return !slices.ContainsFunc(s.largest, func(x sized) bool {
		d, err := p.Document(x.at)
		if err != nil || s.refused(x.bytes) {
			return true
		}
		rest := x.bytes - s.blobs.In(d, s.limits)
		for _, path := range lists {
			for v := range d.Select(0, path) {
				rest -= size.Of(s.limits.Name, d.Document, v)
			}
		}
		return rest >= s.from
	})
}

func (s *sizeProbe) keep(documents ...sized) {
	s.largest = append(s.largest, documents...)
	slices.SortFunc(s.largest, func(a, b sized) int { return cmp.Or(cmp.Compare(b.bytes, a.bytes), a.at.Compare(b.at)) })
	s.largest = s.largest[:min(largestKept, len(s.largest))]
}

func (s *sizeProbe) Merge(other check.Probe) {
	o := other.(*sizeProbe)
	s.sizes.Merge(&o.sizes)
	for i := range s.counts {
		s.counts[i] += o.counts[i]
	}
	s.keep(o.largest...)
}

func reportSize(p *check.Pass, e *model.Entity, s *sizeProbe) {
	if len(s.largest) == 0 {
		return
	}
	largest := s.largest[0]
	at := slices.IndexFunc(s.levels, func(l sizeLevel) bool { return largest.bytes >= l.bytes })
	level := s.levels[at]
	f := finding.Finding{
		Severity: level.severity, Confidence: 0.9,
		Evidence: []finding.Evidence{
			{Name: "bytes.max", Value: largest.bytes},
			{Name: "bytes.p50", Value: s.sizes.Quantile(0.5)},
			{Name: "documents", Value: e.N()},
		},
	}
	if level.severity == finding.Info {
		f.Confidence = 0.6
		if e.N() < usualDocuments || s.sizes.Quantile(0.5) < level.bytes {
			f.Confidence = 0.4 // a single large document far from any limit is rarely read
		}
	}
	for i, l := range s.levels {
		f.Evidence = append(f.Evidence, finding.Evidence{Name: "documents.above." + l.name, Value: s.counts[i]})
	}
	many := wording.Count(s.counts[at], "document")
	switch {
	case level.name == "limit":
		f.Confidence = 0.95
		f.Message = fmt.Sprintf("%s of up to %s, more than the %[4]s that %[3]s stores", many, quantity.Bytes(largest.bytes), p.Limits.Title, quantity.Bytes(p.Limits.DocumentBytes))
	case p.Limits.DocumentBytes > 0:
		f.Message = fmt.Sprintf("%s of %s or more, the largest %s: that is %s of the %s that %s stores", many, quantity.Bytes(level.bytes), quantity.Bytes(largest.bytes),
			quantity.Percent(float64(largest.bytes)/float64(p.Limits.DocumentBytes)), quantity.Bytes(p.Limits.DocumentBytes), p.Limits.Title)
	default:
		f.Message = fmt.Sprintf("%s of %s or more, the largest %s%s", many, quantity.Bytes(level.bytes), quantity.Bytes(largest.bytes), overLimits(largest.bytes))
	}
	shares := heaviest(p, largest.at)
	var parts []string
	for _, s := range shares {
		f.Evidence = append(f.Evidence, finding.Evidence{Name: "bytes.share." + s.path, Value: wording.Round3(s.share)})
		parts = append(parts, fmt.Sprintf("%s (%s)", s.path, quantity.Percent(s.share)))
	}
	f.Advice = "Split the document into parts that are used together: every read and write carries the whole of it."
	if len(parts) > 0 {
		f.Advice = fmt.Sprintf("Move %s into documents with the id of this one: that is most of it.", wording.JoinNames(parts))
	}
	raw := check.Raw{Finding: f, At: largest.at}
	for _, next := range s.largest[1:] {
		raw.Related = append(raw.Related, check.RawRelated{Message: "another one: " + quantity.Bytes(next.bytes), At: next.at})
	}
	p.Report(e, nil, raw)
}

// overLimits returns the databases that would refuse a document with this many
// bytes of JSON.
func overLimits(bytes int64) string {
	var over []string
	for _, name := range limits.Names() {
		if db, ok := limits.For(name); ok && db.DocumentBytes > 0 && bytes > db.DocumentBytes {
			over = append(over, db.Title)
		}
	}
	if len(over) == 0 {
		return ""
	}
	verb := " store"
	if len(over) == 1 {
		verb = " stores"
	}
	return ", more than " + wording.JoinNames(over) + verb
}

type pathShare struct {
	path  string
	share float64
}

// heaviest returns up to three members that make up most of a document: the
// lists, objects and texts where its bytes are concentrated.
func heaviest(p *check.Pass, at profile.Pos) []pathShare {
	d, err := p.Document(at)
	if err != nil {
		return nil
	}
	whole := float64(max(1, size.Of(p.Limits.Name, d.Document, 0)))
	const worthNaming, dominating, deep = 0.15, 0.8, 8
	var shares []pathShare
	var descend func(i int, path profile.Path)
	descend = func(i int, path profile.Path) {
		for k, v := range d.Members(i) {
			share := float64(size.Of(p.Limits.Name, d.Document, v)) / whole
			if share < worthNaming {
				continue
			}
			below := append(slices.Clone(path), profile.Step{Kind: profile.Field, Name: d.String(k)})
			if d.Tokens[v].Kind == scan.Object && len(path) < deep {
				before := len(shares)
				if descend(v, below); len(shares) > before {
					continue // its content says more
				}
			}
			shares = append(shares, pathShare{below.String(), share})
		}
	}
	descend(0, nil)
	slices.SortStableFunc(shares, func(a, b pathShare) int { return cmp.Compare(b.share, a.share) })
	if len(shares) > 0 && shares[0].share >= dominating {
		return shares[:1]
	}
	return shares[:min(3, len(shares))]
}
