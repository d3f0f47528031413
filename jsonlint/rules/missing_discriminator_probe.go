package rules

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A kindSite says where a [kindProbe] looks, and for what.
type kindSite struct {
	path  profile.Path
	kinds int

	// classify returns the kind of the value at a token; it is not ok if it is
	// of none.
	classify func(d *profile.Document, i int) (kind int, ok bool)

	inside []profile.Path // candidates below the objects
	around []around       // candidates in what holds them
	ids    []string       // members of the documents that may be typed by a prefix
	urls   []string       // members of the documents that are addresses: /api/books/1

	ruledOut []bool // of inside, then of around: candidates that need not be counted

	absent profile.Path // instead of all this: documents without this field
}

// around is a candidate in what stands above the values of a site: a member
// of an object on the way down, or a member of such a member, or the name or
// the index under which the next value on the way stands.
type around struct {
	level int          // ancestors from the document down
	path  profile.Path // below the ancestor; nil for the name or index itself
}

// An ancestor is a container on the way to a value of a site.
type ancestor struct {
	at    int // its token
	key   int // the name under which the way goes on; 0 in an array
	index int // the position where it goes on in an array
}

const (
	tableValues  = 64   // distinct values a candidate may have
	kindIDs      = 1024 // ids kept of each kind
	deepestInner = 6    // steps below an object at which a candidate may stand
)

// site collects what may tell the kinds apart where the profile cannot say:
// scalars deeper down or in arrays, scalars around an array, prefixes of ids.
func (m *mixture) site(p *Pass) *kindSite {
	kindOf := map[uint64]int{}
	for i, k := range m.kinds {
		for _, shape := range k.Shapes {
			kindOf[shape.Hash()] = i
		}
	}
	s := &kindSite{path: m.path, kinds: len(m.kinds), classify: func(d *profile.Document, i int) (int, bool) {
		if d.Class(i) != profile.Object {
			return 0, false
		}
		kind, ok := kindOf[d.Shape(i)]
		return kind, ok
	}}
	least := p.Threshold("presence") * float64(objectsIn(m.kinds))
	for _, f := range m.node.Object.Fields() {
		f.Walk(func(n *profile.Node) bool {
			if float64(n.Count) < least || n.Depth-m.node.Depth > deepestInner {
				return false
			}
			if fewValues(p, n, s.kinds) {
				s.inside = append(s.inside, n.Path()[m.node.Depth:])
			}
			return true
		})
	}
	s.around = candidatesAround(p, m.node, s.kinds)
	s.ruleOut(m.node, counts(m.kinds))
	if len(m.path) == 0 {
		for _, f := range m.node.Object.Fields() {
			if f.Scalars != nil && float64(f.Types[profile.String]) >= least &&
				(lexicon.IdentityName(f.Step.Name) || p.Lexicon.Has(lexicon.Metadata, f.Step.Name)) {
				s.ids = append(s.ids, f.Step.Name)
			}
			if f.Scalars != nil && f.Scalars.Tails.Distinct() > 0 && float64(f.Types[profile.String]) >= least {
				s.urls = append(s.urls, f.Step.Name)
			}
		}
	}
	return s
}

// candidatesAround returns what stands around a node and may decide what is
// at it.
func candidatesAround(p *Pass, n *profile.Node, kinds int) []around {
	var out []around
	for below, a := n, n.Parent; a != nil; below, a = a, a.Parent {
		// An index says something only where every array is as long.
		if below.Step.Kind == profile.MapValues || below.Step.Kind == profile.Element && a.Array.Len.Min == a.Array.Len.Max {
			out = append(out, around{level: a.Depth})
		}
		if a.Object == nil {
			continue
		}
		for _, f := range a.Object.Fields() {
			if f == below {
				continue
			}
			if fewValues(p, f, kinds) {
				out = append(out, around{a.Depth, profile.Path{f.Step}})
			}
			if f.Object == nil || f.Object.Sampled() {
				continue
			}
			for _, g := range f.Object.Fields() {
				if fewValues(p, g, kinds) {
					out = append(out, around{a.Depth, profile.Path{f.Step, g.Step}})
				}
			}
		}
	}
	return out
}

// valueShare is the number of distinct values per object up to which a field
// can be a discriminator; in a small sample it may have a few for each kind, as
// long as values repeat.
const (
	valueShare    = 0.2
	valuesPerKind = 3
	valueRepeats  = 2.0 / 3
	mostValues    = 50
)

func fewValues(p *Pass, n *profile.Node, kinds int) bool {
	if n.Scalars == nil || !n.Scalars.Values.Exact() || n.Types[profile.Double] > 0 {
		return false
	}
	distinct, values := n.Scalars.Values.Distinct(), float64(n.ScalarCount())
	return distinct >= 2 && distinct <= mostValues &&
		distinct <= max(valueShare*values, min(float64(valuesPerKind*kinds), valueRepeats*values))
}

// kindProbe counts, for the objects at a site, which values of the candidates
// go with which kind.
type kindProbe struct {
	site      *kindSite
	tables    []valueTable // of site.inside, then of site.around
	prefixes  []valueTable // of site.ids
	addresses []valueTable // of site.urls: the segment before the last
	kinds     []kindSeen
	above     []ancestor // of the value that is being visited
	number    []byte

	at     profile.Trail   // of the site, or of the field that the documents lack
	inside []profile.Trail // of site.inside, from the document, where that is the site
	around []profile.Trail // of site.around, from the document
}

// kindSeen is what was seen of one kind.
type kindSeen struct {
	count    int64
	first    profile.Pos
	smallest profile.Pos // the smallest document that holds one
	ids      []uint64    // hashes of the smallest ids, sorted
}

func newKindProbe(site *kindSite) *kindProbe {
	p := &kindProbe{site: site, kinds: make([]kindSeen, site.kinds)}
	p.tables = make([]valueTable, len(site.inside)+len(site.around))
	for t, out := range site.ruledOut {
		p.tables[t].overflow = out
	}
	p.prefixes = make([]valueTable, len(site.ids))
	p.addresses = make([]valueTable, len(site.urls))
	p.at = profile.NewTrail(site.path)
	if site.absent != nil {
		p.at = profile.NewTrail(site.absent)
	}
	for _, path := range site.inside {
		p.inside = append(p.inside, profile.NewTrail(path))
	}
	for _, a := range site.around {
		p.around = append(p.around, profile.NewTrail(a.path))
	}
	return p
}

func (p *kindProbe) skips(d *profile.Document) bool { return p.site.absent == nil && p.at.Absent(d) }

func (p *kindProbe) New() Probe { return newKindProbe(p.site) }

func (p *kindProbe) Visit(d *profile.Document) {
	if p.site.absent != nil {
		if i, ok := p.at.First(d); !ok || d.Class(i) == profile.Null {
			p.kinds[0].see(d, 0)
		}
		return
	}
	p.above = p.above[:0]
	p.walk(d, 0, 0)
}

// walk goes down the path of the site.
func (p *kindProbe) walk(d *profile.Document, i, step int) {
	if step == len(p.site.path) {
		p.value(d, i)
		return
	}
	n := len(p.above)
	switch s := p.site.path[step]; s.Kind {
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

func (p *kindProbe) value(d *profile.Document, i int) {
	kind, ok := p.site.classify(d, i)
	if !ok {
		return
	}
	p.kinds[kind].see(d, i)
	for t, path := range p.site.inside {
		if table := &p.tables[t]; !table.overflow {
			v, ok := firstAt(d, i, path, &p.inside[t])
			table.add(d, v, ok, kind, p.site.kinds)
		}
	}
	for t, a := range p.site.around {
		table, above := &p.tables[len(p.site.inside)+t], p.above[a.level]
		switch {
		case table.overflow:
		case a.path != nil:
			v, ok := firstAt(d, above.at, a.path, &p.around[t])
			table.add(d, v, ok, kind, p.site.kinds)
		case above.key > 0:
			table.count([]byte(d.String(above.key)), true, kind, p.site.kinds)
		default:
			p.number = strconv.AppendInt(p.number[:0], int64(above.index), 10)
			table.count(p.number, true, kind, p.site.kinds)
		}
	}
	if len(p.above) == 0 {
		p.document(d, kind)
	}
}

// firstAt returns the first value at a path below the value at i; trail is that
// of the path below the document.
func firstAt(d *profile.Document, i int, path profile.Path, trail *profile.Trail) (int, bool) {
	if i == 0 {
		return trail.First(d)
	}
	return d.First(i, path)
}

// document looks at the ids and addresses of a document.
func (p *kindProbe) document(d *profile.Document, kind int) {
	for t, name := range p.site.ids {
		p.prefixes[t].addPart(d, name, typedPrefix, kind, p.site.kinds)
	}
	for t, name := range p.site.urls {
		p.addresses[t].addPart(d, name, addressSegment, kind, p.site.kinds)
	}
	for _, name := range []string{"id", "_id"} {
		if v, ok := d.Get(0, name); ok && d.Class(v) != profile.Object && d.Class(v) != profile.Array {
			p.kinds[kind].addID(d.Hash(v))
			break
		}
	}
}

func (p *kindProbe) Merge(other Probe) {
	o := other.(*kindProbe)
	for i := range p.tables {
		p.tables[i].merge(&o.tables[i])
	}
	for i := range p.prefixes {
		p.prefixes[i].merge(&o.prefixes[i])
	}
	for i := range p.addresses {
		p.addresses[i].merge(&o.addresses[i])
	}
	for i := range p.kinds {
		p.kinds[i].merge(&o.kinds[i])
	}
}

func (k *kindSeen) see(d *profile.Document, i int) {
	k.count++
	if k.outdoes(d) {
		return
	}
	at := d.At(i)
	if c := d.Class(i); c == profile.Object || c == profile.Array {
		at.Len = 1
	}
	k.first = earlier(k.first, at)
	k.smallest = smallerDocument(k.smallest, d.Start())
}

// outdoes reports whether nothing in a document is the first or in the
// smallest: so it is with most of them.
func (k *kindSeen) outdoes(d *profile.Document) bool {
	root := &d.Tokens[0]
	return k.count > 1 && k.first.File == d.File && k.first.Off < d.Base+int64(root.Start) && k.smallest.DocLen < root.End-root.Start
}

func (k *kindSeen) merge(o *kindSeen) {
	k.count += o.count
	k.first = earlier(k.first, o.first)
	k.smallest = smallerDocument(k.smallest, o.smallest)
	for _, id := range o.ids {
		k.addID(id)
	}
}

// addID keeps the smallest hashes.
func (k *kindSeen) addID(hash uint64) {
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

// holds counts how many of the values of a sample are ids of the kind, of
// those of which the kept ids can tell.
func (k *kindSeen) holds(values *profile.Sample) (found, tested int) {
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

// smallerDocument returns the position in the smaller document, of equals the
// earlier one.
func smallerDocument(a, b profile.Pos) profile.Pos {
	switch {
	case !a.Known():
		return b
	case !b.Known() || a.DocLen < b.DocLen:
		return a
	case b.DocLen < a.DocLen || b.Compare(a) < 0:
		return b
	}
	return a
}

// A valueTable counts how often each value of a candidate occurs in objects of
// each kind; it gives up on candidates with too many values.
type valueTable struct {
	objects  []int64 // by kind, whether they have a value or not
	counts   map[string][]int64
	overflow bool

	last []byte  // the value before, as written
	row  []int64 // its counts; nil if it is not known
}

// longestLast bounds the values that are compared with the next one.
const longestLast = 64

func (t *valueTable) add(d *profile.Document, v int, ok bool, kind, kinds int) {
	if t.overflow {
		return
	}
	if ok && d.Class(v) != profile.Object && d.Class(v) != profile.Array && d.Class(v) != profile.Null {
		raw := d.Raw(v)
		if t.row == nil || !bytes.Equal(raw, t.last) {
			text := d.Canonical(v)
			if t.row = t.counts[string(text)]; t.row == nil {
				t.count(text, true, kind, kinds)
				return
			}
			if len(raw) > longestLast {
				raw = nil
			}
			t.last = append(t.last[:0], raw...)
		}
		t.objects[kind]++
		t.row[kind]++
		return
	}
	t.count(nil, false, kind, kinds)
}

// addPart counts a part of the text that a member of the document is; it is nil
// if there is no such part.
func (t *valueTable) addPart(d *profile.Document, name string, partOf func(text []byte) []byte, kind, kinds int) {
	if t.overflow {
		return
	}
	var part []byte
	if v, ok := d.Get(0, name); ok && d.Class(v) == profile.String {
		part = partOf(d.Canonical(v))
	}
	t.count(part, len(part) > 0, kind, kinds)
}

func (t *valueTable) count(text []byte, ok bool, kind, kinds int) {
	if t.overflow {
		return
	}
	if t.objects == nil {
		t.objects, t.counts = make([]int64, kinds), map[string][]int64{}
	}
	t.objects[kind]++
	if !ok {
		return
	}
	row := t.counts[string(text)]
	if row == nil {
		row = make([]int64, kinds)
		t.counts[string(text)] = row
	}
	row[kind]++
	t.bound()
}

func (t *valueTable) bound() {
	if len(t.counts) > tableValues {
		*t = valueTable{overflow: true}
	}
}

func (t *valueTable) merge(o *valueTable) {
	switch {
	case t.overflow || o.objects == nil && !o.overflow:
		return
	case o.overflow:
		*t = valueTable{overflow: true}
		return
	case t.objects == nil:
		*t = *o
		return
	}
	for kind, n := range o.objects {
		t.objects[kind] += n
	}
	for text, row := range o.counts {
		mine := t.counts[text]
		if mine == nil {
			t.counts[text] = row
			continue
		}
		for kind, n := range row {
			mine[kind] += n
		}
	}
	t.bound()
}

// predicts reports whether the value is there in a share of the objects, and
// tells the kind and is told by it with a purity.
func (t *valueTable) predicts(presence, purity float64) bool {
	if t.overflow || len(t.counts) < 2 {
		return false
	}
	all, have, modal := int64(0), int64(0), int64(0)
	for _, n := range t.objects {
		all += n
	}
	predicted := make([]int64, len(t.objects))
	for _, row := range t.counts {
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
	for kind, n := range t.objects {
		if n > 0 && float64(predicted[kind]) < kindRecall*float64(n) {
			return false
		}
	}
	return true
}

// kindOf returns the kind that each value stands for.
func (t *valueTable) kindOf() map[string]int {
	out := map[string]int{}
	for text, row := range t.counts {
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

// values returns up to n values, most frequent first.
func (t *valueTable) values(n int) []string {
	total := func(text string) (sum int64) {
		for _, n := range t.counts[text] {
			sum += n
		}
		return sum
	}
	var texts []string
	for text := range t.counts {
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(total(b), total(a)), cmp.Compare(a, b)) })
	return texts[:min(n, len(texts))]
}

// typedPrefix returns the letters before the number or the separator of a
// typed id (user#7, ORDER-12, b3), nil if the id is not typed.
func typedPrefix(id []byte) []byte {
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

// addressSegment returns the segment before the last of a path or URL; nil if
// it has one only.
func addressSegment(address []byte) []byte {
	address = bytes.Trim(address, "/")
	last := bytes.LastIndexByte(address, '/')
	if last < 0 {
		return nil
	}
	return address[bytes.LastIndexByte(address[:last], '/')+1 : last]
}

// objectsIn is the number of objects in clusters.
func objectsIn(kinds []*model.Cluster) (n int64) {
	for _, k := range kinds {
		n += k.Count
	}
	return n
}
