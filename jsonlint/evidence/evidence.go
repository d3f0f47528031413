// Package evidence keeps what documents show of a database, without the
// documents: a small file of counts that judges Go code in places where the
// data never goes.
//
// A file holds no values of documents and no field names that are data. Where
// the names of an object vary as data does, they are folded into one step, {},
// as the keys of a map are. Files of parts of a database merge to the file of
// the whole: counts, types, sizes and lengths exactly, numbers of distinct
// values as the range that they lie in.
package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Format and Version identify the file format.
const (
	Format  = "shapevet evidence"
	Version = 1
)

// DateLayout is how files write days, as package time has it.
const DateLayout = "2006-01-02"

// A File is what the documents of a database show.
type File struct {
	Tools       []string // versions of the programs that made it or its parts, sorted
	From, Until string   // first and last day on which documents were read
	Parts       int      // files that were merged, 1 for one that was made from documents
	Collections []*Collection
	References  []*Reference
}

// Documents returns the number of documents seen.
func (f *File) Documents() (n int64) {
	for _, c := range f.Collections {
		n += c.Documents()
	}
	return n
}

// Collection returns the collection of a name, nil if there is none.
func (f *File) Collection(name string) *Collection {
	for _, c := range f.Collections {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// A Collection holds documents of one or several kinds.
type Collection struct {
	Name          string
	Discriminator string // path of the field that tells the kinds apart, "" if none does
	Kinds         []*Kind
}

// Documents returns the number of documents seen.
func (c *Collection) Documents() (n int64) {
	for _, k := range c.Kinds {
		n += k.Documents
	}
	return n
}

// Whole returns all documents of the collection as one kind.
func (c *Collection) Whole() *Kind {
	whole := &Kind{Root: &Node{}}
	for _, k := range c.Kinds {
		whole.merge(k)
	}
	return whole
}

// A Kind is documents of one kind.
type Kind struct {
	Value     string // of the discriminator; "" if it is not told
	Named     bool   // Value is told
	Documents int64
	Sizes     profile.Histogram // bytes of a document as written
	Depths    profile.Histogram // levels of objects and arrays in a document
	Root      *Node

	// Entity is the kind as findings on documents of this run name it. Files do
	// not hold it.
	Entity string
}

// A Node is the values at one path.
type Node struct {
	Docs      int64 // documents that hold at least one; not counted (0) at and below the values of a map
	Values    int64 // null included
	Types     [profile.NumClasses]int64
	Forms     [profile.NumForms]int64 // of strings
	Bytes     int64                   // of the values as written
	Max       int64                   // length of the longest
	Ints      Width                   // of the integers
	Fractions int64                   // doubles that are no 64-bit integer
	Decimals  int64                   // 128-bit decimals; they count as doubles too
	Blobs     int64                   // strings of 16 KB and more that are base64 or a data URI, binary values as large

	Distinct Range // distinct scalar values

	Lengths profile.Histogram // elements of the arrays
	Elem    *Node             // of arrays; nil if there were none

	Keys   profile.Histogram // members of the objects
	Fields map[string]*Node
	Fold   Fold  // why names are left out
	Names  Range // distinct names that are left out
	Rest   *Node // the values of the names that are left out; nil if there are none

	sighted sighted
}

// Fold says why the names of the objects at a path are left out.
type Fold uint8

const (
	Unfolded Fold = iota // no names, or only single ones that are data by themselves
	Few                  // the objects are too few to tell whether the names are data
	Varied               // the names vary as data does
	Map                  // the objects are used as maps
)

// Present returns the number of values that are not null.
func (n *Node) Present() int64 { return n.Values - n.Types[profile.Null] }

// Objects returns the number of objects at the path.
func (n *Node) Objects() int64 { return n.Types[profile.Object] }

// Scalars returns the number of scalar values that are not null.
func (n *Node) Scalars() int64 {
	return n.Present() - n.Types[profile.Object] - n.Types[profile.Array]
}

// FieldNames returns the names of the fields in order.
func (n *Node) FieldNames() []string { return slices.Sorted(maps.Keys(n.Fields)) }

// A Range is what is known of a number: it lies between the two, both
// included. They are equal if it was counted, or estimated, in one place; of
// several places nobody knows what they have in common.
type Range struct{ Least, Most int64 }

// add makes the range that of two places together.
func (r *Range) add(o Range) {
	r.Least = max(r.Least, o.Least)
	r.Most += o.Most
}

// String writes a number, or a range.
func (r Range) String() string {
	if r.Least == r.Most {
		return fmt.Sprint(r.Least)
	}
	return fmt.Sprintf("%d–%d", r.Least, r.Most)
}

// AtMost writes a number, or how high it may be: at most 1,204.
func (r Range) AtMost() string {
	if r.Least == r.Most {
		return quantity.Grouped(r.Most)
	}
	return "at most " + quantity.Grouped(r.Most)
}

// A Width is how many bits integers take: with the sign those below zero, 0 if
// there are none, and without it those above. 64 stands for more than 63, too.
type Width struct{ Below, Above int }

func widthOf(least, most int64) (w Width) {
	if least < 0 {
		w.Below = bits.Len64(uint64(^least)) + 1
	}
	if most > 0 {
		w.Above = bits.Len64(uint64(most))
	}
	return w
}

func (w *Width) add(o Width) { *w = Width{max(w.Below, o.Below), max(w.Above, o.Above)} }

// A Reference is a field whose values are keys of documents.
type Reference struct {
	From string `json:"from"` // collection
	Path string `json:"path"`
	To   string `json:"to"`  // collection
	Key  string `json:"key"` // path of the key in documents of To

	// Of the distinct values of which could be told: how many there are, how
	// many are keys of the target, and how many with the type of the key. In a
	// file that was merged a value that leads into another part counts as
	// tested and not as found, so that Found is the least.
	Tested   int64 `json:"tested"`
	Found    int64 `json:"found"`
	SameType int64 `json:"sameType"`

	Declared bool `json:"declared,omitempty"` // by the user
}

func compareReferences(a, b *Reference) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Path, b.Path), cmp.Compare(a.To, b.To), cmp.Compare(a.Key, b.Key))
}

// Resolved is the share of the tested values that are keys of the target.
func (r *Reference) Resolved() float64 {
	if r.Tested == 0 {
		return 0
	}
	return float64(r.Found) / float64(r.Tested)
}
