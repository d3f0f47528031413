package rules

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Bounds of a [copyProbe]. Things are sampled by the hash of their identity,
// as in [profile.Sample], so that copies and originals still join.
const (
	minThings    = 1 << 10
	maxThings    = 1 << 15
	maxVariants  = 1 << 18 // values of all fields of all things
	cellCapacity = 64      // values of one field of one thing
	placesKept   = 16      // places of one value of one field of one thing

	maxQuotedText = 60
)

type copySettings struct {
	path      profile.Path
	id        string
	tail      bool // the identity is the last segment of a URL or path
	names     map[string]int
	fields    int
	capacity  int
	clock     string // of the holder
	rootClock string
}

// A copyProbe collects, thing by thing, how many documents hold a copy and
// which values each field has in the copies.
type copyProbe struct {
	settings *copySettings
	inArray  bool
	at       profile.Trail // what holds the copies: the array they stand in, or they themselves
	things   map[uint64]*thing
	shift    uint8
	visit    int64
	order    []orderedField // the members of the object before

	elements, ordinals int64 // elements with a whole number as identity, and those where it is their position
	clocks             int64 // documents of which both clocks can be read
	differing, later   int64 // ... and differ, and of which the copy's is the later one
	example            profile.Pos
}

type orderedField struct {
	name  string
	field int // of the settings; -1 for none
}

type thing struct {
	docs, copies int64
	at           profile.Pos // the first identity
	cells        []cell
	lastVisit    int64
}

// A cell has the values of one field of one thing.
type cell struct {
	count  int64
	shift  uint8
	values []variant // by hash
}

type variant struct {
	hash   uint64
	count  int64
	number float64
	exact  bool          // number is one
	places []profile.Pos // the first ones
}

func (c *copyProbe) New() Probe {
	return newCopyProbe(c.settings)
}

func newCopyProbe(s *copySettings) *copyProbe {
	c := &copyProbe{settings: s, things: map[uint64]*thing{}}
	path := s.path
	if n := len(path); n > 0 && path[n-1].Kind == profile.Element {
		c.inArray, path = true, path[:n-1]
	}
	c.at = profile.NewTrail(path)
	return c
}

func (c *copyProbe) skips(d *profile.Document) bool { return c.at.Absent(d) }

func (c *copyProbe) Visit(d *profile.Document) {
	c.visit++
	found := false
	for v := range c.at.All(d) {
		if !c.inArray {
			found = c.object(d, v, -1) || found
			continue
		}
		for i, v := range d.Elements(v) {
			found = c.object(d, v, i) || found
		}
	}
	if found {
		c.example = smallerDocument(c.example, d.Start())
	}
}

func (c *copyProbe) object(d *profile.Document, v, index int) bool {
	if d.Tokens[v].Kind != scan.Object {
		return false
	}
	id, ok := d.Get(v, c.settings.id)
	if !ok || d.Tokens[id].Kind == scan.Null || d.Tokens[id].Kind >= scan.Object {
		return false
	}
	text := d.Canonical(id)
	if len(text) == 0 {
		return false
	}
	if index >= 0 {
		c.ordinal(text, index)
	}
	hash := identityHash(text, c.settings.tail)
	if !c.keeps(hash) {
		return true
	}
	t := c.things[hash]
	if t == nil {
		t = &thing{cells: make([]cell, c.settings.fields)}
		c.things[hash] = t
		c.shrink()
	}
	t.copies++
	if at := d.At(id); at.Compare(t.at) < 0 {
		t.at = at
	}
	if t.lastVisit != c.visit {
		t.lastVisit = c.visit
		t.docs++
	}
	n := 0
	for k, value := range d.Members(v) {
		field := c.field(n, d.Text(k))
		n++
		if kind := d.Tokens[value].Kind; kind != scan.Null && kind < scan.Object && field >= 0 {
			t.cells[field].add(d, value)
		}
	}
	c.compareClocks(d, v)
	return true
}

// field returns which of the fields the n-th member of an object is, -1 if it
// is none. Objects at one place mostly have the same names in the same order.
func (c *copyProbe) field(n int, name []byte) int {
	if n < len(c.order) && c.order[n].name == string(name) {
		return c.order[n].field
	}
	m := orderedField{string(name), -1}
	if field, ok := c.settings.names[m.name]; ok {
		m.field = field
	}
	c.order = append(c.order[:min(n, len(c.order))], m)
	return m.field
}

func (c *copyProbe) ordinal(text []byte, index int) {
	digits := text
	if c := text[0]; c == '-' || c == '+' {
		digits = text[1:]
	}
	if slices.ContainsFunc(digits, func(c byte) bool { return c < '0' || c > '9' }) {
		return // most identities, without the error that Atoi would make
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return
	}
	c.elements++
	if n == index || n == index+1 {
		c.ordinals++
	}
}

func (c *copyProbe) compareClocks(d *profile.Document, v int) {
	if c.settings.clock == "" {
		return
	}
	own, ok := d.Get(v, c.settings.clock)
	root, rok := d.Get(0, c.settings.rootClock)
	if !ok || !rok {
		return
	}
	a, aok := instant(d, own)
	b, bok := instant(d, root)
	if !aok || !bok {
		return
	}
	c.clocks++
	if a != b {
		c.differing++
	}
	if a > b {
		c.later++
	}
}

// instant reads a point in time, in milliseconds since 1970.
func instant(d *profile.Document, i int) (int64, bool) {
	text := d.String(i)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMilli(), true
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, false
	}
	if d.Tokens[i].Kind == scan.Number && n < 1e11 { // seconds
		n *= 1000
	}
	return n, true
}

// identityHash is the hash of an identity, or of the last segment of one that
// is a URL or a path.
func identityHash(text []byte, tail bool) uint64 {
	if tail {
		text = bytes.TrimRight(text, "/")
		if cut := bytes.LastIndexAny(text, "/:"); cut >= 0 && cut+1 < len(text) {
			text = text[cut+1:]
		}
	}
	return profile.HashText(text)
}

func (c *copyProbe) keeps(hash uint64) bool { return c.shift == 0 || hash < 1<<(64-c.shift) }

func (c *copyProbe) shrink() {
	for len(c.things) > c.settings.capacity {
		c.raise(c.shift + 1)
	}
}

func (c *copyProbe) raise(shift uint8) {
	c.shift = max(c.shift, shift)
	for hash := range c.things {
		if !c.keeps(hash) {
			delete(c.things, hash)
		}
	}
}

func (c *copyProbe) Merge(other Probe) {
	o := other.(*copyProbe)
	c.raise(max(c.shift, o.shift))
	for hash, theirs := range o.things {
		if !c.keeps(hash) {
			continue
		}
		mine := c.things[hash]
		if mine == nil {
			c.things[hash] = theirs
			continue
		}
		mine.docs += theirs.docs
		mine.copies += theirs.copies
		if theirs.at.Compare(mine.at) < 0 {
			mine.at = theirs.at
		}
		for i := range mine.cells {
			mine.cells[i].merge(&theirs.cells[i])
		}
	}
	c.shrink()
	c.elements += o.elements
	c.ordinals += o.ordinals
	c.clocks += o.clocks
	c.differing += o.differing
	c.later += o.later
	c.example = smallerDocument(c.example, o.example)
}

func (c *cell) add(d *profile.Document, i int) {
	c.count++
	hash := d.Hash(i)
	if c.shift != 0 && hash >= 1<<(64-c.shift) {
		return
	}
	at, ok := c.find(hash)
	if !ok {
		v := variant{hash: hash}
		if k := d.Tokens[i].Kind; k == scan.Number || k == scan.Decimal {
			if f, err := strconv.ParseFloat(string(d.Text(i)), 64); err == nil {
				v.number, v.exact = f, true
			}
		}
		c.values = slices.Insert(c.values, at, v)
	}
	v := &c.values[at]
	v.count++
	if n := len(v.places); n < placesKept || d.At(i).Compare(v.places[n-1]) < 0 {
		v.places = firstPlaces(v.places, d.At(i))
	}
	if !ok {
		c.shrink()
	}
}

func (c *cell) find(hash uint64) (int, bool) {
	return slices.BinarySearchFunc(c.values, hash, func(v variant, h uint64) int { return cmp.Compare(v.hash, h) })
}

func (c *cell) shrink() {
	for len(c.values) > cellCapacity {
		c.raise(c.shift + 1)
	}
}

func (c *cell) raise(shift uint8) {
	c.shift = max(c.shift, shift)
	if c.shift != 0 {
		c.values = slices.DeleteFunc(c.values, func(v variant) bool { return v.hash >= 1<<(64-c.shift) })
	}
}

func (c *cell) merge(o *cell) {
	c.count += o.count
	c.raise(o.shift)
	for _, theirs := range o.values {
		if c.shift != 0 && theirs.hash >= 1<<(64-c.shift) {
			continue
		}
		at, ok := c.find(theirs.hash)
		if !ok {
			c.values = slices.Insert(c.values, at, theirs)
			continue
		}
		mine := &c.values[at]
		mine.count += theirs.count
		mine.places = firstPlaces(mine.places, theirs.places...)
	}
	c.shrink()
}

// firstPlaces adds places to sorted ones and keeps the first.
func firstPlaces(places []profile.Pos, more ...profile.Pos) []profile.Pos {
	for _, p := range more {
		if n := len(places); n == placesKept && places[n-1].Compare(p) <= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(places, p, profile.Pos.Compare)
		places = slices.Insert(places, at, p)
		places = places[:min(len(places), placesKept)]
	}
	return places
}
