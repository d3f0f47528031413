package profile

import (
	"slices"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A lookup caches what several probes look up in one document: the places of
// its members, its shape, the hashes of its scalars.
type lookup struct {
	pattern  *pattern   // of the document's layout; nil if that is unknown
	layouts  []*pattern // by [scan.Layout.ID]
	patterns uint32     // number explored
	ends     []int      // where the document's arrays end, as far as known; the first is the document's start

	members []keyTag // of the document, in order; valid if indexed
	indexed bool
	shape   uint64 // 0 until needed
	hashes  [hashesKept]tokenHash
	inside  []uint64 // hashes of objects and arrays, by token; 0 until needed
}

// hashesKept is the number of scalar hashes kept, a power of two.
const hashesKept = 16

// insideKept is the number of tokens of a document up to which hashes of
// objects and arrays are kept.
const insideKept = 1 << 14

type tokenHash struct {
	token int // 0, the document, means no token
	hash  uint64
}

// A keyTag stands for a name: its length and first bytes. Two names of up to
// seven bytes are equal if their tags are, and longer names hardly ever have to
// be compared.
type keyTag struct {
	tag uint64
	key int // its token
}

const (
	tagBytes   = 7
	tagLongest = 255 // longer names share this length
)

// Load makes d stand for another document; base is the offset of its Src[0] in
// the file.
func (d *Document) Load(doc *scan.Document, file uint32, base int64) {
	d.Document, d.File, d.Base = doc, file, base
	d.lookup.indexed, d.lookup.shape = false, 0
	clear(d.lookup.hashes[:])
	d.lookup.inside = d.lookup.inside[:0]
	d.lookup.pattern = nil
	if len(doc.Records) > 0 {
		d.lookup.pattern = d.lay()
	}
}

func tagOf(name string) uint64 {
	if n := len(name); n > tagBytes {
		return uint64(name[0]) | uint64(name[1])<<8 | uint64(name[2])<<16 | uint64(name[3])<<24 |
			uint64(name[4])<<32 | uint64(name[5])<<40 | uint64(name[6])<<48 | uint64(min(n, tagLongest))<<56
	}
	tag := uint64(len(name)) << 56
	for i := range len(name) {
		tag |= uint64(name[i]) << (8 * i)
	}
	return tag
}

func (d *Document) tagAt(k int) uint64 {
	t := &d.Tokens[k]
	if t.Flags&scan.Escaped != 0 {
		return tagOf(d.String(k))
	}
	if text := d.Src[t.A:t.B]; len(text) > tagBytes {
		return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(min(len(text), tagLongest))<<56
	}
	tag := uint64(t.B-t.A) << 56
	for i, c := range d.Src[t.A:t.B] {
		tag |= uint64(c) << (8 * i)
	}
	return tag
}

func (d *Document) index() {
	d.lookup.members = d.lookup.members[:0]
	for k := range d.Members(0) {
		d.lookup.members = append(d.lookup.members, keyTag{d.tagAt(k), k})
	}
	d.lookup.indexed = true
}

// Get returns the index of the value of the named member of the object at i,
// the last one if the name occurs several times.
func (d *Document) Get(i int, name string) (int, bool) {
	if i != 0 {
		return d.Document.Get(i, name)
	}
	tag := tagOf(name)
	if k := d.lookup.pattern; k != nil {
		for j := len(k.members) - 1; j >= 0; j-- {
			if m := &k.members[j]; m.tag == tag {
				if key := d.token(m.key); len(name) <= tagBytes || d.named(key, name) {
					return key + 1, true
				}
			}
		}
		return -1, false
	}
	if !d.lookup.indexed {
		d.index()
	}
	for j := len(d.lookup.members) - 1; j >= 0; j-- {
		m := &d.lookup.members[j]
		if m.tag == tag && (len(name) <= tagBytes || d.named(m.key, name)) {
			return m.key + 1, true
		}
	}
	return -1, false
}

func (d *Document) named(k int, name string) bool {
	if d.Tokens[k].Flags&scan.Escaped != 0 {
		return d.String(k) == name
	}
	return string(d.Text(k)) == name
}

// scalarHash returns the hash of the scalar at i.
func (d *Document) scalarHash(i int) uint64 {
	if i == 0 {
		return d.canon.Hash(d.Document, i)
	}
	kept := &d.lookup.hashes[i%hashesKept]
	if kept.token != i {
		*kept = tokenHash{i, d.canon.Hash(d.Document, i)}
	}
	return kept.hash
}

// inside returns where the hash of the object or array at i is kept, or nil.
func (d *Document) inside(i int) *uint64 {
	if i >= insideKept {
		return nil
	}
	if len(d.lookup.inside) == 0 {
		n := min(len(d.Tokens), insideKept)
		d.lookup.inside = slices.Grow(d.lookup.inside, n)[:n]
		clear(d.lookup.inside)
	}
	return &d.lookup.inside[i]
}
