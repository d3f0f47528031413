// Package predict searches documents for the field, name or id prefix that says
// of which kind an object is.
package predict

import (
	"bytes"
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

	deepestAround = 4 // steps from a container down to a candidate: sys.contentType.sys.id
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
			f.Walk(func(g *profile.Node) bool {
				if g.Step.Kind != profile.Field || g.Depth-a.Depth > deepestAround || g.Object != nil && g.Object.Sampled() {
					return false
				}
				if FewValues(g) {
					out = append(out, Around{a.Depth, g.Path()[a.Depth:]})
				}
				return true
			})
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
