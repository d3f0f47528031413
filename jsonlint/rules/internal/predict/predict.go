// Package predict searches documents for the field, name or id prefix that says
// of which kind an object is.
package predict

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

const FewObjects = 20 // number of objects below which the sample is small

// Recall is the share of each kind's objects that must have a value that stands
// for the kind.
const Recall = 0.9

// A Site says where a [Probe] searches, and what for.
type Site struct {
	Path  profile.Path
	Kinds int

	// Classify returns the kind of the value at a token. It is not ok if it has
	// none.
	Classify func(d *profile.Document, i int) (kind int, ok bool)

	Inside []profile.Path // candidates below the objects
	Around []Around       // candidates in the objects' containers
	Ids    []string       // members of the documents whose ids may have a type prefix
	Urls   []string       // members of the documents that are addresses: /api/books/1

	ruledOut []bool // candidates, first of Inside and then of Around, that need not be counted

	Absent profile.Path // instead of all this: documents without this field
}

// Around is a candidate above the values of a site: a member of an object on
// the path, a member of such a member, or the name or index of the next value
// on the path.
type Around struct {
	Level int          // levels from the document down to the ancestor
	Path  profile.Path // below the ancestor; nil for the name or index itself
}

// An ancestor is a container on the path to a value of a site.
type ancestor struct {
	at    int // its token
	key   int // name of the next step; 0 in an array
	index int // index of the next step in an array
}

const (
	TableValues  = 256  // distinct values of a candidate
	kindIDs      = 1024 // ids kept per kind
	DeepestInner = 6    // steps from an object down to a candidate
)

// CandidatesAround returns the candidates around a node that may determine what
// is at it.
func CandidatesAround(n *profile.Node) []Around {
	var out []Around
	for below, a := n, n.Parent; a != nil; below, a = a, a.Parent {
		// An index means something only if all arrays have the same length.
		if below.Step.Kind == profile.MapValues || below.Step.Kind == profile.Element && a.Array.Len.Min == a.Array.Len.Max {
			out = append(out, Around{Level: a.Depth})
		}
		if a.Object == nil {
			continue
		}
		for _, f := range a.Object.Fields() {
			if f == below {
				continue
			}
			if FewValues(f) {
				out = append(out, Around{a.Depth, profile.Path{f.Step}})
			}
			if f.Object == nil || f.Object.Sampled() {
				continue
			}
			for _, g := range f.Object.Fields() {
				if FewValues(g) {
					out = append(out, Around{a.Depth, profile.Path{f.Step, g.Step}})
				}
			}
		}
	}
	return out
}

// mostValues is the largest number of distinct values of a field that is
// considered.
const mostValues = 250

func FewValues(n *profile.Node) bool {
	return model.Tells(n) && n.Scalars.Values.Exact() && n.Scalars.Values.Distinct() >= 2 && n.Scalars.Values.Distinct() <= mostValues
}

// Probe counts, for the objects at a site, which values of the candidates go
// with which kind.
type Probe struct {
	Site      *Site
	Tables    []ValueTable // for Inside, then for Around
	Prefixes  []ValueTable // for Ids
	Addresses []ValueTable // for Urls: the segment before the last
	Kinds     []Seen
	above     []ancestor // of the value being visited
	number    []byte

	at     profile.Trail   // to the site, or to the field that documents lack
	inside []profile.Trail // to Inside from the document, if that is the site
	around []profile.Trail // to Around from the document
}

// Seen is what was seen of one kind.
type Seen struct {
	Count    int64
	First    profile.Pos
	Smallest profile.Pos // smallest document with such an object
	ids      []uint64    // the smallest id hashes, sorted
}

func NewProbe(site *Site) *Probe {
	p := &Probe{Site: site, Kinds: make([]Seen, site.Kinds)}
	p.Tables = make([]ValueTable, len(site.Inside)+len(site.Around))
	for t, out := range site.ruledOut {
		p.Tables[t].Overflow = out
	}
	p.Prefixes = make([]ValueTable, len(site.Ids))
	p.Addresses = make([]ValueTable, len(site.Urls))
	p.at = profile.NewTrail(site.Path)
	if site.Absent != nil {
		p.at = profile.NewTrail(site.Absent)
	}
	for _, path := range site.Inside {
		p.inside = append(p.inside, profile.NewTrail(path))
	}
	for _, a := range site.Around {
		p.around = append(p.around, profile.NewTrail(a.Path))
	}
	return p
}

func (p *Probe) Skips(d *profile.Document) bool { return p.Site.Absent == nil && p.at.Absent(d) }

func (p *Probe) New() check.Probe { return NewProbe(p.Site) }

func (p *Probe) Visit(d *profile.Document) {
	if p.Site.Absent != nil {
		if i, ok := p.at.First(d); !ok || d.Class(i) == profile.Null {
			p.Kinds[0].see(d, 0)
		}
		return
	}
	p.above = p.above[:0]
	p.walk(d, 0, 0)
}

// walk follows the path of the site.
func (p *Probe) walk(d *profile.Document, i, step int) {
	if step == len(p.Site.Path) {
		p.value(d, i)
		return
	}
	n := len(p.above)
	switch s := p.Site.Path[step]; s.Kind {
	case profile.Field:
		if v, ok := d.Get(i, s.Name); ok {
			p.above = append(p.above[:n], ancestor{at: i, key: v - 1})
			p.walk(d, v, step+1)
		}
	case profile.Element:
		for index, v := range d.Elements(i) {
			p.above = append(p.above[:n], ancestor{at: i, index: index})
			p.walk(d, v, step+1)
		}
	case profile.MapValues:
		for k, v := range d.Members(i) {
			p.above = append(p.above[:n], ancestor{at: i, key: k})
			p.walk(d, v, step+1)
		}
	}
	p.above = p.above[:n]
}

func (p *Probe) value(d *profile.Document, i int) {
	kind, ok := p.Site.Classify(d, i)
	if !ok {
		return
	}
	p.Kinds[kind].see(d, i)
	for t, path := range p.Site.Inside {
		if table := &p.Tables[t]; !table.Overflow {
			v, ok := firstAt(d, i, path, &p.inside[t])
			table.add(d, v, ok, kind, p.Site.Kinds)
		}
	}
	for t, a := range p.Site.Around {
		table, above := &p.Tables[len(p.Site.Inside)+t], p.above[a.Level]
		switch {
		case table.Overflow:
		case a.Path != nil:
			v, ok := firstAt(d, above.at, a.Path, &p.around[t])
			table.add(d, v, ok, kind, p.Site.Kinds)
		case above.key > 0:
			table.count([]byte(d.String(above.key)), true, kind, p.Site.Kinds)
		default:
			p.number = strconv.AppendInt(p.number[:0], int64(above.index), 10)
			table.count(p.number, true, kind, p.Site.Kinds)
		}
	}
	if len(p.above) == 0 {
		p.document(d, kind)
	}
}

// firstAt returns the first value at a path below the value at i. trail is the
// trail of the path below the document.
func firstAt(d *profile.Document, i int, path profile.Path, trail *profile.Trail) (int, bool) {
	if i == 0 {
		return trail.First(d)
	}
	return d.First(i, path)
}

// document handles the ids and addresses of a document.
func (p *Probe) document(d *profile.Document, kind int) {
	for t, name := range p.Site.Ids {
		p.Prefixes[t].addPart(d, name, TypedPrefix, kind, p.Site.Kinds)
	}
	for t, name := range p.Site.Urls {
		p.Addresses[t].addPart(d, name, addressSegment, kind, p.Site.Kinds)
	}
	for _, name := range []string{"id", "_id"} {
		if v, ok := d.Get(0, name); ok && d.Class(v) != profile.Object && d.Class(v) != profile.Array {
			p.Kinds[kind].addID(d.Hash(v))
			break
		}
	}
}

func (p *Probe) Merge(other check.Probe) {
	o := other.(*Probe)
	for i := range p.Tables {
		p.Tables[i].merge(&o.Tables[i])
	}
	for i := range p.Prefixes {
		p.Prefixes[i].merge(&o.Prefixes[i])
	}
	for i := range p.Addresses {
		p.Addresses[i].merge(&o.Addresses[i])
	}
	for i := range p.Kinds {
		p.Kinds[i].merge(&o.Kinds[i])
	}
}

func (k *Seen) see(d *profile.Document, i int) {
	k.Count++
	if k.outdoes(d) {
		return
	}
	at := d.At(i)
	if c := d.Class(i); c == profile.Object || c == profile.Array {
		at.Len = 1
	}
	k.First = profile.Earlier(k.First, at)
	k.Smallest = places.SmallerDocument(k.Smallest, d.Start())
}

// outdoes reports whether nothing in a document can be first or in the smallest
// document, as is usual.
func (k *Seen) outdoes(d *profile.Document) bool {
	root := &d.Tokens[0]
	return k.Count > 1 && k.First.File == d.File && k.First.Off < d.Base+int64(root.Start) && k.Smallest.DocLen < root.End-root.Start
}

func (k *Seen) merge(o *Seen) {
	k.Count += o.Count
	k.First = profile.Earlier(k.First, o.First)
	k.Smallest = places.SmallerDocument(k.Smallest, o.Smallest)
	for _, id := range o.ids {
		k.addID(id)
	}
}

// addID keeps the smallest hashes.
func (k *Seen) addID(hash uint64) {
	if len(k.ids) == kindIDs && hash > k.ids[kindIDs-1] {
		return
	}
	i, found := slices.BinarySearch(k.ids, hash)
	if found || i == kindIDs {
		return
	}
	if len(k.ids) == kindIDs {
		k.ids = k.ids[:kindIDs-1]
	}
	k.ids = slices.Insert(k.ids, i, hash)
}

// Holds counts the values of a sample that are ids of the kind, and those for
// which the kept ids can tell.
func (k *Seen) Holds(values *profile.Sample) (found, tested int) {
	for _, v := range values.Values() {
		if len(k.ids) == kindIDs && v.Hash > k.ids[kindIDs-1] {
			continue
		}
		tested++
		if _, ok := slices.BinarySearch(k.ids, v.Hash); ok {
			found++
		}
	}
	return found, tested
}

// A ValueTable counts how often each value of a candidate occurs in objects of
// each kind. It gives up if there are too many values.
type ValueTable struct {
	Objects  []int64 // per kind, with a value or without
	Counts   map[string][]int64
	Overflow bool

	last []byte  // the previous value, as written
	row  []int64 // its counts; nil if unknown
}

// longestLast is the longest value that is compared with the next one.
const longestLast = 64

func (t *ValueTable) add(d *profile.Document, v int, ok bool, kind, kinds int) {
	if t.Overflow {
		return
	}
	if ok && d.Class(v) != profile.Object && d.Class(v) != profile.Array && d.Class(v) != profile.Null {
		raw := d.Raw(v)
		if t.row == nil || !bytes.Equal(raw, t.last) {
			text := d.Canonical(v)
			if t.row = t.Counts[string(text)]; t.row == nil {
				t.count(text, true, kind, kinds)
				return
			}
			if len(raw) > longestLast {
				raw = nil
			}
			t.last = append(t.last[:0], raw...)
		}
		t.Objects[kind]++
		t.row[kind]++
		return
	}
	t.count(nil, false, kind, kinds)
}

// addPart counts a part of the text in a member of the document, or nothing if
// partOf returns nil.
func (t *ValueTable) addPart(d *profile.Document, name string, partOf func(text []byte) []byte, kind, kinds int) {
	if t.Overflow {
		return
	}
	var part []byte
	if v, ok := d.Get(0, name); ok && d.Class(v) == profile.String {
		part = partOf(d.Canonical(v))
	}
	t.count(part, len(part) > 0, kind, kinds)
}

func (t *ValueTable) count(text []byte, ok bool, kind, kinds int) {
	if t.Overflow {
		return
	}
	if t.Objects == nil {
		t.Objects, t.Counts = make([]int64, kinds), map[string][]int64{}
	}
	t.Objects[kind]++
	if !ok || len(text) == 0 {
		return
	}
	row := t.Counts[string(text)]
	if row == nil {
		row = make([]int64, kinds)
		t.Counts[string(text)] = row
	}
	row[kind]++
	t.bound()
}

func (t *ValueTable) bound() {
	if len(t.Counts) > TableValues {
		*t = ValueTable{Overflow: true}
	}
}

func (t *ValueTable) merge(o *ValueTable) {
	switch {
	case t.Overflow || o.Objects == nil && !o.Overflow:
		return
	case o.Overflow:
		*t = ValueTable{Overflow: true}
		return
	case t.Objects == nil:
		*t = *o
		return
	}
	for kind, n := range o.Objects {
		t.Objects[kind] += n
	}
	for text, row := range o.Counts {
		mine := t.Counts[text]
		if mine == nil {
			t.Counts[text] = row
			continue
		}
		for kind, n := range row {
			mine[kind] += n
		}
	}
	t.bound()
}

// Pays reports whether distinguishing the kinds by this candidate, one of
// several, is worthwhile (see [model.Gain]).
func (t *ValueTable) Pays(news float64, candidates int) bool {
	return !t.Overflow && model.Gain(t.rows(), news, candidates) >= model.Convincing
}

// Alone reports whether only one kind is left without the objects whose value no other
// object has. Nothing can be compared with these.
func (t *ValueTable) Alone() bool {
	left := 0
	for kind := range t.Objects {
		if slices.ContainsFunc(t.rows(), func(row []int64) bool {
			all := int64(0)
			for _, n := range row {
				all += n
			}
			return all > 1 && row[kind] > 0
		}) {
			left++
		}
	}
	return t.Objects != nil && left < 2
}

// rows returns the objects of each kind by value; the last row has those
// without one.
func (t *ValueTable) rows() [][]int64 {
	rows := make([][]int64, 0, len(t.Counts)+1)
	without := slices.Clone(t.Objects)
	for _, text := range slices.Sorted(maps.Keys(t.Counts)) { // the order affects sums of floats
		rows = append(rows, t.Counts[text])
		for kind, n := range t.Counts[text] {
			without[kind] -= n
		}
	}
	if slices.Max(without) > 0 {
		rows = append(rows, without)
	}
	return rows
}

// Parted reports whether, in one of the tables, only objects of the first kind
// have certain values, and that is unlikely to be an accident in any table that
// could separate them as well (see [model.PartedByAccident]).
func Parted(tables []ValueTable) bool {
	chances, least := []float64{1}, 1.0
	for _, t := range tables {
		if t.Overflow || t.Objects == nil {
			continue
		}
		sizes, alone := make([]int64, 0, len(t.Counts)+1), true
		for _, row := range t.rows() {
			size := int64(0)
			for _, n := range row {
				size += n
			}
			alone = alone && (row[0] == 0 || row[0] == size)
			sizes = append(sizes, size)
		}
		chance := model.PartedByAccident(sizes, t.Objects[0])
		chances = append(chances, chance)
		if alone {
			least = min(least, chance)
		}
	}
	accident := 0.0
	for _, chance := range chances {
		if chance <= least {
			accident += chance
		}
	}
	return accident < surelyParted
}

// surelyParted is the highest probability of an accident in [Parted].
const surelyParted = 0.1

// Predicts reports whether a share of the objects have a value, and value and
// kind determine each other with the given purity.
func (t *ValueTable) Predicts(presence, purity float64) bool {
	if t.Overflow || len(t.Counts) < 2 {
		return false
	}
	all, have, modal := int64(0), int64(0), int64(0)
	for _, n := range t.Objects {
		all += n
	}
	predicted := make([]int64, len(t.Objects))
	for _, row := range t.Counts {
		best := 0
		for kind, n := range row {
			have += n
			if n > row[best] {
				best = kind
			}
		}
		modal += row[best]
		predicted[best] += row[best]
	}
	if float64(have) < presence*float64(all) || float64(modal) < purity*float64(have) {
		return false
	}
	for kind, n := range t.Objects {
		if n > 0 && float64(predicted[kind]) < Recall*float64(n) {
			return false
		}
	}
	return true
}

// KindOf returns the kind that each value stands for.
func (t *ValueTable) KindOf() map[string]int {
	out := map[string]int{}
	for text, row := range t.Counts {
		best := 0
		for kind, n := range row {
			if n > row[best] {
				best = kind
			}
		}
		out[text] = best
	}
	return out
}

// Values returns up to n values, most frequent first.
func (t *ValueTable) Values(n int) []string {
	total := func(text string) (sum int64) {
		for _, n := range t.Counts[text] {
			sum += n
		}
		return sum
	}
	var texts []string
	for text := range t.Counts {
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(total(b), total(a)), cmp.Compare(a, b)) })
	return texts[:min(n, len(texts))]
}

// TypedPrefix returns the letters before the number or separator of a typed id
// (user#7, ORDER-12, b3), or nil.
func TypedPrefix(id []byte) []byte {
	i := 0
	for i < len(id) && (id[i]|0x20 >= 'a' && id[i]|0x20 <= 'z') {
		i++
	}
	if i == 0 || i == len(id) || i > 24 {
		return nil
	}
	end := i
	for i < len(id) && (id[i] == '#' || id[i] == ':' || id[i] == '_' || id[i] == '-' || id[i] == '/' || id[i] == '.' || id[i] == '|') {
		i++
	}
	if i == len(id) {
		return nil
	}
	if i == end {
		for _, c := range id[i:] {
			if c < '0' || c > '9' {
				return nil
			}
		}
	}
	return id[:end]
}

// addressSegment returns the segment before the last of a path or URL, or nil
// if it has only one.
func addressSegment(address []byte) []byte {
	address = bytes.Trim(address, "/")
	last := bytes.LastIndexByte(address, '/')
	if last < 0 {
		return nil
	}
	return address[bytes.LastIndexByte(address[:last], '/')+1 : last]
}

// ObjectsIn returns the number of objects in clusters.
func ObjectsIn(kinds []*model.Cluster) (n int64) {
	for _, k := range kinds {
		n += k.Count
	}
	return n
}
