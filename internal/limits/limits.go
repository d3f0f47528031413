// Package limits has what each document database allows and recommends, as
// data.
package limits

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Profile is one database. Sizes are bytes in the profile's own encoding
// (see package size); 0 means that there is no such limit.
type Profile struct {
	Name  string // as --db writes it
	Title string // as its vendor does

	DocumentBytes int64 // a document beyond it is refused
	SizeInfo      int64 // from here on a document is remarkably, too, dangerously large
	SizeWarning   int64
	SizeError     int64
	Nesting       int // levels of objects and arrays

	IDKeys         []string // the members that may hold a document's id, the usual one first
	IDBytes        int
	IDMustBeString bool
	IDForbidden    string // characters an id must not have
	IDDiscouraged  string // characters that cause trouble in an id, as does all that is not ASCII if IDASCII
	IDASCII        bool
	IDReserved     func(id string) bool // nil: none

	PartitionKeyBytes      int   // a partition key's value
	PartitionKeyShortBytes int   // what older containers allow of it
	SortKeyBytes           int   // a sort key's value
	PartitionBytes         int64 // all documents with one partition key
	FieldNameBytes         int
	FieldNameForbidden     string // characters that break queries or updates of a field
	FieldNameDiscouraged   string // characters that need quoting or break analytics
	FieldsPerDocument      int    // what the analytical store represents
	NumbersAreDoubles      bool   // integers beyond 2^53 lose digits
	ArraysInArrays         bool   // an array may hold arrays directly

	SystemKeys []string // members the database, or what usually sits on it, adds

	Sources []Source
}

// A Source says where a figure comes from. Figure is the name of the field of
// [Profile]; several are separated by spaces.
type Source struct {
	Figure string
	Text   string
}

// Source returns where the named figure comes from, "" if it is not cited.
func (p *Profile) Source(figure string) string {
	for _, s := range p.Sources {
		if slices.Contains(strings.Fields(s.Figure), figure) {
			return s.Text
		}
	}
	return ""
}

// Names returns the names of all profiles, the generic one first.
func Names() []string {
	names := make([]string, 0, len(profiles))
	for i := range profiles {
		names = append(names, profiles[i].Name)
	}
	return names
}

// For returns the profile of a database by its name; it is not ok if there is
// none.
func For(db string) (Profile, bool) {
	for i := range profiles {
		if profiles[i].Name == db {
			return profiles[i].clone(), true
		}
	}
	return Profile{}, false
}

func (p Profile) clone() Profile {
	p.IDKeys, p.SystemKeys, p.Sources = slices.Clone(p.IDKeys), slices.Clone(p.SystemKeys), slices.Clone(p.Sources)
	return p
}

// An IDProblem is what is wrong with an id; the empty one is nothing.
type IDProblem string

const (
	IDFine        IDProblem = ""
	IDEmpty       IDProblem = "is empty"
	IDTooLong     IDProblem = "is too long"
	IDReserved    IDProblem = "is reserved"
	IDForbidden   IDProblem = "has a forbidden character"
	IDDiscouraged IDProblem = "has a character that needs escaping" // the only one that the database accepts
)

// CheckID says what is wrong with a document's id, given as text.
func (p *Profile) CheckID(id string) IDProblem {
	switch {
	case id == "":
		return IDEmpty
	case p.IDBytes > 0 && len(id) > p.IDBytes:
		return IDTooLong
	case strings.ContainsAny(id, p.IDForbidden):
		return IDForbidden
	case p.IDReserved != nil && p.IDReserved(id):
		return IDReserved
	case strings.ContainsAny(id, p.IDDiscouraged), p.IDASCII && strings.IndexFunc(id, notASCII) >= 0:
		return IDDiscouraged
	}
	return IDFine
}

func notASCII(r rune) bool { return r >= utf8.RuneSelf }

// Dunder reports whether a name has the form __x__, which Firestore keeps for
// itself in ids and in field names.
func Dunder(name string) bool {
	return len(name) >= 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}
