// Package unversioneddrift reports kinds whose shape changed at some point in
// time, one set of fields giving way to another, without a version that says
// which shape a document has.
package unversioneddrift

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/correlation"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is unversioned-drift on documents.
var Rule = check.Rule{Name: "unversioned-drift", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		if float64(e.N()) < p.Threshold("min-documents") || e.Rest() {
			continue
		}
		if d := findDrift(p, e); d != nil {
			d.watch(p)
		}
	}
	for _, c := range p.DB.Collections {
		driftOfKinds(p, c)
	}
}}

// driftOfKinds looks at two shapes that have too little in common to be one kind,
// without a field that distinguishes them. If one ends before the other begins,
// they are still an old and a new shape.
func driftOfKinds(p *check.Pass, c *model.Collection) {
	if len(c.Entities) != 2 || c.Discriminator != nil || float64(c.Profile.Docs) < p.Threshold("min-documents") {
		return
	}
	d := findDrift(p, places.Whole(c))
	if d == nil || !d.share(p) {
		return
	}
	// Kinds that are imported one after the other have separate ranges of ids, so
	// only a date counts here.
	d.clocks = slices.DeleteFunc(d.clocks, func(c clock) bool { return identity.IsIDName(c.paths[0].String()) })
	if len(d.clocks) == 0 {
		d.clocks = ownClocks(d.a, d.b)
	}
	for i := range d.clocks {
		d.clocks[i].strict = true
	}
	d.watch(p)
}

const clockSample = 4096 // documents whose times are compared

// drift is two groups of fields. A document has one or the other.
type drift struct {
	entity *model.Entity
	a, b   []*profile.Node // a in the larger part of the documents
	clocks []clock
}

// A clock says when a document was written: a field that nearly all documents
// have, or the earliest of several fields if each shape has its own.
type clock struct {
	paths  []profile.Path
	strict bool // groups must not overlap at all, because the fields or the shapes are too different for less
}

func (c clock) String() string {
	names := make([]string, len(c.paths))
	for i, path := range c.paths {
		names[i] = path.String()
	}
	return wording.JoinNames(wording.FirstFew(names))
}

// apart is the separation of groups that do not overlap in time.
const apart = 0.995

// oneRun is the time in milliseconds in which one run writes documents, such as an
// import. It writes one kind after the other, and its program does not change.
const oneRun = float64(time.Hour / time.Millisecond)

// findDrift looks for the two groups.
func findDrift(p *check.Pass, e *model.Entity) *drift {
	root := e.Root()
	if !root.Object.Shapes.Exact() || versioned(e) {
		return nil
	}
	d := &drift{entity: e, clocks: clocks(root)}
	least := p.Threshold("group-share") * float64(e.N())
	var fields []*profile.Node
	for _, f := range root.Object.Fields() {
		if float64(f.Present()) >= least && float64(e.N()-f.Present()) >= least && !p.Lexicon.Has(lexicon.OptionalByNature, f.Step.Name) {
			fields = append(fields, f)
		}
	}
	together := correlation.New(root.Object.Shapes)
	for i, f := range fields {
		for _, g := range fields[i+1:] {
			if together.Phi(f, g) > -p.Threshold("exclusion") || lexicon.Fold(f.Step.Name) == lexicon.Fold(g.Step.Name) {
				continue
			}
			d.a, d.b = []*profile.Node{f}, []*profile.Node{g}
			for _, h := range fields {
				switch {
				case h == f || h == g:
				case together.Phi(f, h) >= p.Threshold("exclusion"):
					d.a = append(d.a, h)
				case together.Phi(g, h) >= p.Threshold("exclusion"):
					d.b = append(d.b, h)
				}
			}
			if d.b[0].Present() > d.a[0].Present() {
				d.a, d.b = d.b, d.a
			}
			if predictedGroup(p, e, d.b[0]) || referToOthers(p, d) {
				continue
			}
			if len(d.clocks) == 0 {
				d.clocks = ownClocks(d.a, d.b)
			}
			return d
		}
	}
	return nil
}

// referToOthers reports whether the two groups refer to different kinds of
// document. Then they are alternatives, such as the class or the session of a task.
func referToOthers(p *check.Pass, d *drift) bool {
	return slices.ContainsFunc(d.a, func(f *profile.Node) bool {
		return slices.ContainsFunc(d.b, func(g *profile.Node) bool {
			r, s := p.DB.ReferenceAt(f), p.DB.ReferenceAt(g)
			return r != nil && s != nil && r.To != s.To
		})
	})
}

// share reports whether the two groups have a field of substance in common, so
// that they can be one kind.
func (d *drift) share(p *check.Pass) bool {
	return slices.ContainsFunc(d.entity.Root().Object.Fields(), func(f *profile.Node) bool {
		name := f.Step.Name
		return float64(f.Present()) >= 0.95*float64(d.entity.N()) && !identity.IsIDName(name) && !times.Is(f) &&
			!p.Lexicon.Has(lexicon.Metadata, name) && !p.Lexicon.Has(lexicon.System, name)
	})
}

// versioned reports whether nearly all documents say which version of the
// shape they have.
func versioned(e *model.Entity) bool {
	return slices.ContainsFunc(e.Root().Object.Fields(), func(f *profile.Node) bool {
		return versionName(f.Step.Name) && float64(f.Present()) >= 0.95*float64(e.N())
	})
}

func versionName(name string) bool {
	if slices.Contains(versionFieldsWords(), lexicon.Fold(name)) {
		return name != "__v" && name != "_rev"
	}
	return false
}

// clocks are the fields that say when a document was written.
func clocks(root *profile.Node) []clock {
	var out []clock
	for _, f := range root.Object.Fields() {
		objectIDs := identity.IsIDName(f.Step.Name) && f.Types[profile.ObjectID] == f.Present()
		if float64(f.Present()) >= 0.95*float64(root.Count) && (objectIDs || times.Is(f)) {
			out = append(out, clock{paths: []profile.Path{{f.Step}}})
		}
	}
	return out
}

// ownClocks returns one clock for the times in the two groups of fields, or none if
// a group has no times.
func ownClocks(a, b []*profile.Node) []clock {
	c := clock{strict: true}
	for _, group := range [][]*profile.Node{a, b} {
		before := len(c.paths)
		for _, f := range group {
			if times.Is(f) {
				c.paths = append(c.paths, profile.Path{f.Step})
			}
		}
		if len(c.paths) == before {
			return nil
		}
	}
	return []clock{c}
}

// predictedGroup reports whether the value of some other field says which
// group a document has: then the groups belong to kinds, not to times. A
// reference says nothing about kinds, but those to the newest documents come late.
func predictedGroup(p *check.Pass, e *model.Entity, field *profile.Node) bool {
	root := e.Root()
	all := root.Object.Shapes.All()
	for _, node := range root.Object.Shapes.Tabulated() {
		if times.Is(node) || p.DB.ReferenceAt(node) != nil {
			continue
		}
		with, without := map[uint64]int64{}, map[uint64]int64{}
		for _, s := range all {
			counts := without
			if slices.Contains(s.Fields, field) {
				counts = with
			}
			for hash, n := range s.Values(node) {
				counts[hash] += n
			}
		}
		total, right := int64(0), int64(0)
		for _, v := range node.Scalars.Values.Values() {
			total += with[v.Hash] + without[v.Hash]
			right += max(with[v.Hash], without[v.Hash])
		}
		if float64(total) >= 0.9*float64(e.N()) && float64(right) >= 0.95*float64(total) && node.Scalars.Values.Distinct() <= 0.2*float64(total) {
			share := float64(field.Present()) / float64(e.N())
			if 1-float64(right)/float64(total) < 0.2*min(share, 1-share) {
				return true
			}
		}
	}
	return false
}

// driftProbe samples documents by a hash of their place in time.
type driftProbe struct {
	d      *drift
	fields [2]profile.Trail // of a and of b
	ids    [2]profile.Trail
	sample *sample.HashSample[moment]
	first  [2]profile.Pos // of the names of a and of b
}

// A moment is when a document of one of the groups was written, by one clock.
type moment struct {
	time  float64 // NaN if unknown
	clock uint16
	b     bool
}

func newDriftProbe(d *drift, sample *sample.HashSample[moment]) *driftProbe {
	member := func(name string) profile.Trail { return profile.NewTrail(profile.Path{{Name: name}}) }
	return &driftProbe{
		d: d, sample: sample,
		fields: [2]profile.Trail{member(d.a[0].Step.Name), member(d.b[0].Step.Name)},
		ids:    [2]profile.Trail{member("id"), member("_id")},
	}
}

func (p *driftProbe) New() check.Probe { return newDriftProbe(p.d, p.sample) }

// group returns the group of a document, and the value that shows it. It is not ok
// if the document belongs to neither group or to both.
func (p *driftProbe) group(d *profile.Document) (group, value int, ok bool) {
	a, inA := p.fields[0].First(d)
	b, inB := p.fields[1].First(d)
	inA, inB = inA && d.Class(a) != profile.Null, inB && d.Class(b) != profile.Null
	if inB {
		return 1, b, !inA
	}
	return 0, a, inA
}

func (p *driftProbe) Skips(d *profile.Document) bool {
	return places.HasMember(d, p.d.a[0].Step.Name) == places.HasMember(d, p.d.b[0].Step.Name)
}

func (p *driftProbe) Visit(d *profile.Document) {
	group, value, ok := p.group(d)
	if !ok {
		return
	}
	p.first[group] = profile.Earlier(p.first[group], d.At(value-1))
	hash := p.hash(d)
	if !p.sample.Keeps(hash) {
		return
	}
	for i, clock := range p.d.clocks {
		m := moment{time: math.NaN(), clock: uint16(i), b: group == 1}
		for _, path := range clock.paths {
			if v, ok := d.First(0, path); ok {
				if t, ok := times.At(d, v); ok && !(float64(t) >= m.time) { // also if m.time is NaN
					m.time = float64(t)
				}
			}
		}
		p.sample.Add(hash, m)
	}
}

// hash is the hash by which documents are sampled: that of the id, or of the whole
// document if it has none.
func (p *driftProbe) hash(d *profile.Document) uint64 {
	for k := range p.ids {
		if i, ok := p.ids[k].First(d); ok && places.Scalar(d, i) {
			return d.Hash(i)
		}
	}
	return d.Hash(0)
}

func (p *driftProbe) Merge(other check.Probe) {
	o := other.(*driftProbe)
	p.sample.Merge(o.sample)
	for i := range p.first {
		p.first[i] = profile.Earlier(p.first[i], o.first[i])
	}
}

func (d *drift) watch(p *check.Pass) {
	if len(d.clocks) == 0 {
		return
	}
	probe := check.Watch(p, d.entity, newDriftProbe(d, sample.NewHashSample[moment](clockSample*len(d.clocks))))
	p.After(func() {
		best, clock := 0.5, -1
		for i := range d.clocks {
			if auc := probe.separation(i); max(auc, 1-auc) > max(best, 1-best) {
				best, clock = auc, i
			}
		}
		least := p.Threshold("separation")
		if clock >= 0 && d.clocks[clock].strict {
			least = max(least, apart)
		}
		if clock >= 0 && max(best, 1-best) >= least {
			if max(best, 1-best) >= apart {
				explained.Shapes(p)[d.entity.Collection] = true
			}
			d.report(p, probe, clock, best)
		}
	})
}

// separation is how well a clock separates the groups: the probability that, of two
// documents from different groups, the one with a is older.
// (Area under the ROC curve, by ranks: the statistic of Mann and Whitney.)
func (p *driftProbe) separation(clock int) float64 {
	var a, b []float64
	first, last := math.Inf(1), math.Inf(-1)
	for m := range p.sample.All() {
		switch {
		case int(m.clock) != clock || math.IsNaN(m.time):
			continue
		case m.b:
			b = append(b, m.time)
		default:
			a = append(a, m.time)
		}
		first, last = min(first, m.time), max(last, m.time)
	}
	if len(a) == 0 || len(b) == 0 || last-first < oneRun {
		return 0.5
	}
	slices.Sort(a)
	less, equal := 0.0, 0.0
	for _, t := range b {
		low, _ := slices.BinarySearch(a, t)
		high, _ := slices.BinarySearchFunc(a, t, func(x, t float64) int {
			if x <= t {
				return -1
			}
			return 1
		})
		less += float64(low)
		equal += float64(high - low)
	}
	return (less + equal/2) / float64(len(a)) / float64(len(b))
}

func (d *drift) report(p *check.Pass, probe *driftProbe, clock int, separation float64) {
	older, newer := d.a, d.b
	first := probe.first
	if separation < 0.5 {
		older, newer, separation = newer, older, 1-separation
		first[0], first[1] = first[1], first[0]
	}
	a, b := nodeNames(older), nodeNames(newer)
	shareA, shareB := older[0].Present(), newer[0].Present()
	severity := finding.Warning
	var partly string
	for _, f := range d.entity.Root().Object.Fields() {
		if versionName(f.Step.Name) {
			severity = finding.Info
			partly = fmt.Sprintf(" %s exists, but only in %s.", f.Step.Name, wording.Count(f.Present(), "document"))
		}
	}
	r := check.Raw{
		At:      first[1],
		Related: []check.RawRelated{{Message: "the first with " + wording.JoinNames(wording.FirstFew(a)), At: first[0]}},
		Finding: finding.Finding{
			Severity: severity, Confidence: 0.7,
			Message: fmt.Sprintf("documents changed their shape over time without a version: by %[5]s, the first %[1]s have %[2]s, the later %[3]s have %[4]s",
				wording.Count(shareA, "document"), wording.JoinNames(wording.FirstFew(a)), quantity.Grouped(shareB), wording.JoinNames(wording.FirstFew(b)), d.clocks[clock]),
			Advice: fmt.Sprintf("Add a schemaVersion and raise it with each change of shape; rewrite stored documents in one pass, or when they are next written. Until then every reader has to try %s and %s.%s",
				a[0], b[0], partly),
			Evidence: []finding.Evidence{
				{Name: "documents", Value: d.entity.N()}, {Name: "documents." + a[0], Value: shareA}, {Name: "documents." + b[0], Value: shareB},
				{Name: "separation", Value: math.Round(100*separation) / 100},
			},
		},
	}
	p.Report(d.entity, newer[0].Path(), r)
}

func nodeNames(nodes []*profile.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Step.Name)
	}
	return out
}

var versionFieldsWords = rulebook.Words("unversioned-drift", "version-fields")
