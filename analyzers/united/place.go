package united

import (
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// likeness says how surely two places are one.
type likeness int

const (
	different likeness = iota
	near               // one is the list and the other its elements, or the rule takes them for one
	same
)

// ofDocuments are rules with one finding for all documents of a kind: whether it
// stands at the key or at the document is a matter of who found it.
var ofDocuments = []string{"join-document", "missing-id", "partition-key"}

// ofNames are rules on two names for one field, of which either may be the one
// that a finding stands at.
var ofNames = []string{"field-name-variant"}

// alike compares where documents hold what code is about with where a finding
// on documents stands.
func alike(rule string, stored finding.Place, found *finding.Finding) likeness {
	switch {
	case stored.Collection != found.Subject.Collection,
		stored.Entity != "" && found.Entity != "" && stored.Entity != found.Entity:
		return different
	case stored.Path == found.Subject.Path:
		return same
	case slices.Contains(ofDocuments, rule) && (stored.Path == "" || found.Subject.Path == ""):
		return near
	}
	a, b := parsed(stored.Path), parsed(found.Subject.Path)
	switch {
	case samePath(a, b):
		return same
	case len(a)*len(b) == 0:
		// The type shares a collection and does not say which it is; documents
		// stand without the field that would.
		if rule == "missing-discriminator" && len(a)+len(b) == 1 {
			return near
		}
	case samePath(values(a), values(b)):
		return near
	case slices.Contains(ofNames, rule) && samePath(a[:len(a)-1], b[:len(b)-1]) && sameName(a[len(a)-1], b[len(b)-1]):
		return near
	}
	return different
}

// parsed reads a path; one that is none leads nowhere else.
func parsed(text string) profile.Path {
	path, err := evidence.ParsePath(text)
	if err != nil {
		return profile.Path{{Name: text}}
	}
	return path
}

// samePath compares two paths; any name is one of a map.
func samePath(a, b profile.Path) bool {
	return slices.EqualFunc(a, b, func(a, b profile.Step) bool {
		return a == b || a.Kind == profile.MapValues && b.Kind == profile.Field || a.Kind == profile.Field && b.Kind == profile.MapValues
	})
}

func sameName(a, b profile.Step) bool {
	return a.Kind == profile.Field && b.Kind == profile.Field && lexicon.Fold(a.Name) == lexicon.Fold(b.Name)
}

// values leaves out the elements at the end of a path: a rule may stand at a
// list, or at what it holds.
func values(path profile.Path) profile.Path {
	for len(path) > 1 && path[len(path)-1].Kind != profile.Field {
		path = path[:len(path)-1]
	}
	return path
}
