package copies

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

const minThings = 1 << 10

const maxThings = 1 << 15

const maxVariants = 1 << 18 // values of all fields of all things

const cellCapacity = 64 // values of one field of one thing

const placesKept = 8 // places of one value of one field of one thing

type copySettings struct {
	path      profile.Path
	id        string
	tail      bool // the identity is the last segment of a URL or path
	names     map[string]int
	fields    int
	capacity  int
	clock     string // of the holder
	rootClock string
	all       columns // by field
}

// A copyProbe collects, for each thing, how many documents hold a copy and
// which values each field has in the copies.
type copyProbe struct {
	settings *copySettings
	inArray  bool
	at       profile.Trail // array that holds the copies, or the copies themselves
	things   map[uint64]*thing
	shift    uint8
	visit    int64
	order    []orderedField // members of the previous object
	all      writers        // by field

	elements, ordinals int64 // elements with an integer identity, and those whose identity is their position
	clocks             int64 // documents in which both clocks can be read
	differing, later   int64 // of these, those whose clocks differ, and those whose copy has the later one
	example            profile.Pos
}

type orderedField struct {
	name  string
	field int // index in the settings; -1 for none
}

type thing struct {
	Docs, copies int64
	At           profile.Pos // the first identity
	Cells        []cell
	lastVisit    int64
}

// A cell holds the values of one field of one thing.
type cell struct {
	count  int64
	Shift  uint8
	values []variant // by hash
}

type variant struct {
	hash   uint64
	Count  int64
	number float64
	exact  bool          // number is exact
	Places []profile.Pos // the first places
}

func (c *copyProbe) New() check.Probe {
	fresh := newCopyProbe(c.settings)
	fresh.all = c.settings.all.writers()
	return fresh
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

func (c *copyProbe) Skips(d *profile.Document) bool { return c.at.Absent(d) }

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
		c.example = places.SmallerDocument(c.example, d.Start())
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
	hash := IdentityHash(text, c.settings.tail)
	if !c.keeps(hash) {
		if len(c.all) == 0 {
			return true
		}
		c.values(d, v, func(field, value int) { addValue(c.all[field], hash, d, value) })
		return true
	}
	t := c.things[hash]
	if t == nil {
		t = &thing{Cells: make([]cell, c.settings.fields)}
		c.things[hash] = t
		c.shrink()
	}
	t.copies++
	t.At = profile.Earlier(t.At, d.At(id))
	if t.lastVisit != c.visit {
		t.lastVisit = c.visit
		t.Docs++
	}
	c.values(d, v, func(field, value int) {
		t.Cells[field].add(d, value)
		addValue(c.all[field], hash, d, value)
	})
	c.compareClocks(d, v)
	return true
}

// values calls f for the followed fields of the object at v.
func (c *copyProbe) values(d *profile.Document, v int, f func(field, value int)) {
	n := 0
	for k, value := range d.Members(v) {
		field := c.field(n, d.Text(k))
		n++
		if kind := d.Tokens[value].Kind; kind != scan.Null && kind < scan.Object && field >= 0 {
			f(field, value)
		}
	}
}

// field returns the index of the field that is the n-th member of an object, or
// -1. Objects at one place mostly have the same names in the same order.
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
		return // most identities fail here, which avoids the error that Atoi would make
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

// valueHash returns the hash of a value. A text with a time zone hashes as its
// instant, whatever the zone.
func valueHash(d *profile.Document, i int) uint64 {
	if d.Tokens[i].Kind == scan.String && profile.FormOf(d.Text(i)) == profile.FormDateTimeZone {
		if t, err := time.Parse(time.RFC3339Nano, d.String(i)); err == nil {
			return profile.HashText(t.UTC().AppendFormat(nil, time.RFC3339Nano))
		}
	}
	return d.Hash(i)
}

// instant reads a time in milliseconds since 1970.
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

func (c *copyProbe) Merge(other check.Probe) {
	o := other.(*copyProbe)
	o.all.flush()
	c.settings.all.merge(o.settings.all)
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
		mine.Docs += theirs.Docs
		mine.copies += theirs.copies
		mine.At = profile.Earlier(mine.At, theirs.At)
		for i := range mine.Cells {
			mine.Cells[i].merge(&theirs.Cells[i])
		}
	}
	c.shrink()
	c.elements += o.elements
	c.ordinals += o.ordinals
	c.clocks += o.clocks
	c.differing += o.differing
	c.later += o.later
	c.example = places.SmallerDocument(c.example, o.example)
}

func (c *cell) add(d *profile.Document, i int) {
	c.count++
	hash := valueHash(d, i)
	if c.Shift != 0 && hash >= 1<<(64-c.Shift) {
		return
	}
	at, ok := c.find(hash)
	if !ok {
		v := variant{hash: hash}
		if k := d.Tokens[i].Kind; k == scan.Number || k == scan.Decimal {
			if f, err := strconv.ParseFloat(string(d.Text(i)), 64); err == nil && !math.IsNaN(f) { // NaN has no place among numbers
				v.number, v.exact = f, true
			}
		}
		c.values = slices.Insert(c.values, at, v)
	}
	v := &c.values[at]
	v.Count++
	if n := len(v.Places); n < placesKept || d.At(i).Compare(v.Places[n-1]) < 0 {
		v.Places = firstPlaces(v.Places, d.At(i))
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
		c.raise(c.Shift + 1)
	}
}

func (c *cell) raise(shift uint8) {
	c.Shift = max(c.Shift, shift)
	if c.Shift != 0 {
		c.values = slices.DeleteFunc(c.values, func(v variant) bool { return v.hash >= 1<<(64-c.Shift) })
	}
}

func (c *cell) merge(o *cell) {
	c.count += o.count
	c.raise(o.Shift)
	for _, theirs := range o.values {
		if c.Shift != 0 && theirs.hash >= 1<<(64-c.Shift) {
			continue
		}
		at, ok := c.find(theirs.hash)
		if !ok {
			c.values = slices.Insert(c.values, at, theirs)
			continue
		}
		mine := &c.values[at]
		mine.Count += theirs.Count
		mine.Places = firstPlaces(mine.Places, theirs.Places...)
	}
	c.shrink()
}

// firstPlaces adds places to a sorted list and keeps the first ones.
func firstPlaces(known []profile.Pos, more ...profile.Pos) []profile.Pos {
	return places.KeepFirst(known, placesKept, profile.Pos.Compare, more...)
}
