// Package limits holds what each document database allows and recommends, as
// data.
package limits

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Profile describes one database. Sizes are bytes in the profile's own
// encoding (see package size); 0 means no limit.
type Profile struct {
	Name  string // as in --db
	Title string // the vendor's spelling

	DocumentBytes int64 // larger documents are refused
	SizeInfo      int64 // from here on a document is remarkably large; below: too large, dangerously large
	SizeWarning   int64
	SizeError     int64
	Nesting       int // levels of objects and arrays

	IDKeys         []string // names of members that may hold a document's id, the usual one first
	IDBytes        int
	IDMustBeString bool
	IDForbidden    string // characters an id must not have
	IDDiscouraged  string // characters that cause trouble in an id; with IDASCII, so does everything outside ASCII
	IDASCII        bool
	IDReserved     func(id string) bool // may be nil

	PartitionKeyBytes      int   // of a partition key's value
	PartitionKeyShortBytes int   // the same in older containers
	SortKeyBytes           int   // of a sort key's value
	PartitionBytes         int64 // of all documents with the same partition key
	FieldNameBytes         int
	FieldNameForbidden     string // characters that break queries or updates of a field
	FieldNameDiscouraged   string // characters that need quoting or break analytics
	FieldsPerDocument      int    // that the analytical store can represent
	NumbersAreDoubles      bool   // integers beyond 2^53 lose digits
	ArraysInArrays         bool   // an array may hold arrays directly

	SystemKeys []string // members added by the database or by software usually used with it

	Sources []Source
}

// A Source says where a figure comes from. Figure is the name of a field of
// [Profile], or several separated by spaces.
type Source struct {
	Figure string
	Text   string
}

// Source returns the source of the named figure, or "" if none is cited.
func (p *Profile) Source(figure string) string {
	for _, s := range p.Sources {
		if slices.Contains(strings.Fields(s.Figure), figure) {
			return s.Text
		}
	}
	return ""
}

// Names returns the names of all profiles, generic first.
func Names() []string {
	names := make([]string, 0, len(profiles))
	for i := range profiles {
		names = append(names, profiles[i].Name)
	}
	return names
}

// For returns the profile of a database by name. It is not ok for an unknown
// name.
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

// An IDProblem is what is wrong with an id; "" is nothing.
type IDProblem string

const (
	IDFine        IDProblem = ""
	IDEmpty       IDProblem = "is empty"
	IDTooLong     IDProblem = "is too long"
	IDReserved    IDProblem = "is reserved"
	IDForbidden   IDProblem = "has a forbidden character"
	IDDiscouraged IDProblem = "has a character that needs escaping" // the only problem that the database tolerates
)

// CheckID returns what is wrong with a document's id, given as text.
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

// Dunder reports whether a name has the form __x__, which Firestore reserves in
// ids and field names.
func Dunder(name string) bool {
	return len(name) >= 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}
