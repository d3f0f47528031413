// Package evidence keeps what documents show about a database, without the
// documents: a small file of counts with which to judge Go code in places where
// the data never goes.
//
// A file holds no values of documents and no field names that are data. If the
// names of an object vary like data, they are folded into one step, {}, like
// the keys of a map. Files for parts of a database merge to the file for the
// whole: counts, types, sizes and lengths exactly, numbers of distinct values
// as a range.
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

// DateLayout is the format of days in files, for package time.
const DateLayout = "2006-01-02"

// A File is what the documents of a database show.
type File struct {
	Tools       []string // versions of the programs that made it or parts of it, sorted
	From, Until string   // first and last day on which documents were read
	Parts       int      // number of files merged; 1 if made from documents
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

// Collection returns the collection with a name, or nil.
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
	Discriminator string // path of the field that distinguishes the kinds, or ""
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

// A Kind is the documents of one kind.
type Kind struct {
	Value     string // of the discriminator; "" if withheld
	Named     bool   // Value is known
	Documents int64
	Sizes     profile.Histogram // bytes of a document as written
	Depths    profile.Histogram // levels of objects and arrays in a document
	Root      *Node

	// Entity is the name of the kind in findings on documents of this run. Files
	// do not contain it.
	Entity string
}

// A Node describes the values at one path.
type Node struct {
	Docs      int64 // documents with at least one value; 0 at and below the values of a map
	Values    int64 // null included
	Types     [profile.NumClasses]int64
	Forms     [profile.NumForms]int64 // of strings
	Bytes     int64                   // of the values as written
	Max       int64                   // length of the longest
	Ints      Width                   // of the integers
	Fractions int64                   // doubles that are not 64-bit integers
	Decimals  int64                   // 128-bit decimals; they count as doubles too
	Blobs     int64                   // base64 strings and data URIs of 16 KB and more, and binary values as large

	Distinct Range // distinct scalar values

	Lengths profile.Histogram // elements of the arrays
	Elem    *Node             // of arrays; may be nil

	Keys   profile.Histogram // members of the objects
	Fields map[string]*Node
	Fold   Fold  // why names are omitted
	Names  Range // distinct omitted names
	Rest   *Node // values of the omitted names; may be nil

	sighted sighted
}

// Fold says why the names of the objects at a path are omitted.
type Fold uint8

const (
	Unfolded Fold = iota // no names are omitted, or only single ones that are themselves data
	Few                  // there are too few objects to say whether the names are data
	Varied               // the names vary like data
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

// FieldNames returns the names of the fields, sorted.
func (n *Node) FieldNames() []string { return slices.Sorted(maps.Keys(n.Fields)) }

// A Range is what is known about a number: it lies between the two, inclusive.
// They are equal if it was counted or estimated in one place. The overlap
// between several places is unknown.
type Range struct{ Least, Most int64 }

// add makes the range cover two places together.
func (r *Range) add(o Range) {
	r.Least = max(r.Least, o.Least)
	r.Most += o.Most
}

// String returns the number or the range.
func (r Range) String() string {
	if r.Least == r.Most {
		return fmt.Sprint(r.Least)
	}
	return fmt.Sprintf("%d–%d", r.Least, r.Most)
}

// AtMost returns the number or its upper bound: at most 1,204.
func (r Range) AtMost() string {
	if r.Least == r.Most {
		return quantity.Grouped(r.Most)
	}
	return "at most " + quantity.Grouped(r.Most)
}

// A Width is how many bits integers take: Below with the sign for negative
// ones, 0 if there are none, and Above without the sign for the others. 64 also
// stands for more than 63.
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

	// Counts of distinct values whose target could be checked: all of them, those
	// that are keys of the target, and those that also have the key's type. In a
	// merged file, a value that leads into another part counts as tested but not
	// as found, so Found is a lower bound.
	Tested   int64 `json:"tested"`
	Found    int64 `json:"found"`
	SameType int64 `json:"sameType"`

	Declared bool `json:"declared,omitempty"` // by the user
}

func compareReferences(a, b *Reference) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Path, b.Path), cmp.Compare(a.To, b.To), cmp.Compare(a.Key, b.Key))
}

// Resolved returns the share of the tested values that are keys of the target.
func (r *Reference) Resolved() float64 {
	if r.Tested == 0 {
		return 0
	}
	return float64(r.Found) / float64(r.Tested)
}
