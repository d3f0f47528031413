package identity

import (
	"cmp"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// SameIDProbe collects the documents that share an id. The profile knows which
// ids repeat, so only those are kept.
type SameIDProbe struct {
	collection *model.Collection
	kinds      *model.KindReader
	key        profile.Trail  // the id
	within     []profile.Path // other parts of the identity: partition key, sort key
	Watch      profile.Path   // value to compare between the copies; may be empty
	wanted     map[uint64]struct{}
	sampled    float64 // ids per wanted one

	names sameIDNames
	ids   *sample.ByHash[sameID]
}

// sameIDsKept bounds the ids that are kept.
const sameIDsKept = 1 << 14

// A sameID holds the documents with one id.
type sameID struct {
	N     int64
	First []sameIDDocument // the earliest, in order
	files map[uint32]bool  // the value says whether the file has several
}

const (
	sameIDFirst   = 3  // documents compared per id
	sameIDFiles   = 64 // files remembered per id: the first ones
	sameIDMembers = 64 // members compared per document
)

// A sameIDDocument is a document with the id.
type sameIDDocument struct {
	At      profile.Pos // of the id
	Kind    int
	body    uint64
	members []sameIDMember // sorted
	clock   uint64         // of the values that give its version; 0 without
	dated   uint64         // of the dates that may give it; 0 without
	created uint64         // of the creation time; 0 without
	Watched uint64
}

type sameIDMember struct{ name, value uint64 }

// NewSameIDProbe returns a probe for the ids that occur more than once, or nil
// if none does.
func NewSameIDProbe(c *model.Collection, n *profile.Node, within []profile.Path) *SameIDProbe {
	b := newSameIDProbe(c, n, within)
	for hash := range n.Scalars.Values.Repeats() {
		b.wanted[hash] = struct{}{}
	}
	if len(b.wanted) == 0 {
		return nil
	}
	b.sampled = n.Scalars.Values.Repeated() / float64(len(b.wanted))
	return b
}

// newSameIDProbe returns a probe that wants no ids yet.
func newSameIDProbe(c *model.Collection, n *profile.Node, within []profile.Path) *SameIDProbe {
	return &SameIDProbe{collection: c, key: profile.NewTrail(n.Path()), within: within, wanted: map[uint64]struct{}{}, ids: sample.NewByHash[sameID](sameIDsKept)}
}

// Estimate returns how many ids n kept ones stand for.
func (b *SameIDProbe) Estimate(n int) int64 {
	return int64(float64(n)*b.sampled*b.ids.Scale() + 0.5)
}

func (b *SameIDProbe) New() check.Probe {
	fresh := *b
	fresh.key, fresh.kinds = profile.NewTrail(b.key.Path()), b.collection.NewKindReader()
	fresh.names, fresh.ids = newSameIDNames(b.key.Path()), sample.NewByHash[sameID](sameIDsKept)
	return &fresh
}

func (b *SameIDProbe) Skips(d *profile.Document) bool { return b.key.Absent(d) }

func (b *SameIDProbe) Visit(d *profile.Document) {
	i, ok := b.key.First(d)
	if !ok || !places.Scalar(d, i) {
		return
	}
	hash := d.Hash(i)
	if _, ok := b.wanted[hash]; !ok || len(d.Canonical(i)) == 0 {
		return
	}
	// Ids that differ in case or type are different; 1 and 1.0 are the same.
	if d.Class(i) == profile.String {
		hash = xxh3.HashString(d.String(i))
	}
	hash = sample.PairHash(hash, uint64(d.Class(i).TypeClass()))
	for _, path := range b.within {
		if j, ok := d.First(0, path); ok {
			hash = sample.PairHash(hash, d.Hash(j))
		}
	}
	if !b.ids.Keeps(hash) {
		return
	}
	one := sameID{N: 1, files: map[uint32]bool{d.File: false}}
	if before, ok := b.ids.Get(hash); !ok || before.keeps(d.At(i)) {
		one.First = []sameIDDocument{b.copied(d, i)}
	}
	b.ids.Put(hash, one, addSameID)
}

// keeps reports whether a document, whose id is at the position, is one of the
// first.
func (s *sameID) keeps(at profile.Pos) bool {
	return len(s.First) < sameIDFirst || at.Compare(s.First[sameIDFirst-1].At) < 0
}

func (b *SameIDProbe) Merge(other check.Probe) { b.ids.Merge(other.(*SameIDProbe).ids, addSameID) }

func addSameID(x, y sameID) sameID {
	x.N += y.N
	x.First = append(x.First, y.First...)
	slices.SortFunc(x.First, func(a, b sameIDDocument) int { return a.At.Compare(b.At) })
	x.First = x.First[:min(len(x.First), sameIDFirst)]
	for file, many := range y.files {
		had, again := x.files[file]
		x.files[file] = again || had || many
	}
	for len(x.files) > sameIDFiles {
		delete(x.files, slices.Max(slices.Collect(maps.Keys(x.files))))
	}
	return x
}

func (b *SameIDProbe) copied(d *profile.Document, i int) sameIDDocument {
	c := sameIDDocument{At: d.At(i), Kind: b.kindOf(d)}
	for k, v := range d.Members(0) {
		name := b.names.of(d, k)
		hash := sample.PairHash(name.hash, d.Hash(v))
		c.body += hash
		if d.Tokens[v].Kind == scan.Null {
			continue
		}
		switch name.role {
		case sameIDKey:
		case sameIDVersion:
			c.clock += hash
		case sameIDCreation:
			c.created += hash
		case sameIDDate:
			c.dated += hash
		default:
			if len(c.members) < sameIDMembers {
				c.members = append(c.members, sameIDMember{name.hash, hash})
			}
		}
	}
	slices.SortFunc(c.members, func(a, b sameIDMember) int { return cmp.Compare(a.name, b.name) })
	if len(b.Watch) > 0 {
		if j, ok := d.First(0, b.Watch); ok {
			c.Watched = d.Hash(j)
		}
	}
	return c
}

func (b *SameIDProbe) kindOf(d *profile.Document) int {
	kind := b.kinds.Kind(d)
	return max(0, slices.IndexFunc(b.collection.Entities, func(e *model.Entity) bool { return e.Is(kind) }))
}

// A likeness is a relation between two documents with one id.
type likeness uint8

const (
	SameBody     likeness = iota // the same document twice
	LaterVersion                 // one thing at two times
	OtherKind                    // things of two kinds
	Collision                    // two things
)

// A history says why two documents with the same id are versions of one thing
// rather than two things.
type history struct {
	byDate bool // most ids repeat, so a date distinguishes versions
	ByFile bool // most ids occur once in each of several files: dumps of different days
}

const (
	alikeShare  = 0.5 // share of equal members from which two documents are the same thing
	fewMembers  = 2   // number of members that say nothing
	mostIDs     = 0.5 // share of the ids that repeat in a history
	kindOverlap = 0.5 // share of common names below which two documents are of different kinds
)

func (h history) Between(a, b *sameIDDocument) likeness {
	if a.body == b.body {
		return SameBody
	}
	names, values, union := compareMembers(a.members, b.members)
	if union > fewMembers && float64(names) < kindOverlap*float64(union) {
		return OtherKind
	}
	if a.created != b.created && a.created != 0 && b.created != 0 {
		return Collision
	}
	alike := union <= fewMembers || float64(values) >= alikeShare*float64(union)
	dated := h.byDate && a.dated != b.dated
	switch {
	case h.ByFile || dated, alike && a.clock != b.clock:
		return LaterVersion
	}
	return Collision
}

// compareMembers counts the names and values that two documents have in common,
// and all their names.
func compareMembers(a, b []sameIDMember) (names, values, union int) {
	union = len(a) + len(b)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Compare(a[i].name, b[j].name); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			names++
			union--
			if a[i].value == b[j].value {
				values++
			}
			i, j = i+1, j+1
		}
	}
	return names, values, union
}

// History examines all ids. distinct is how many the collection has.
func (b *SameIDProbe) History(distinct float64) (h history) {
	repeated := b.Sorted()
	h.byDate = float64(b.Estimate(len(repeated))) >= mostIDs*distinct
	h.ByFile = h.byDate && !slices.ContainsFunc(repeated, func(c sameID) bool {
		return len(c.files) < 2 || slices.Contains(slices.Collect(maps.Values(c.files)), true)
	})
	return h
}

// Sorted returns the repeated ids, ordered by the position of their second
// document.
func (b *SameIDProbe) Sorted() []sameID {
	var out []sameID
	for _, hash := range b.ids.Hashes() {
		if c, _ := b.ids.Get(hash); c.N > 1 {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y sameID) int { return x.First[1].At.Compare(y.First[1].At) })
	return out
}
