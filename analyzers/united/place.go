package united

import (
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// likeness says how certain it is that two places are the same.
type likeness int

const (
	different likeness = iota
	near               // one is the list and the other its elements, or the rule treats them as one
	same
)

// alike compares the place in documents of a finding on code with that of a
// finding on documents.
func alike(rule check.Rule, stored finding.Place, found *finding.Finding) likeness {
	switch {
	case stored.Collection != found.Subject.Collection,
		stored.Entity != "" && found.Entity != "" && stored.Entity != found.Entity:
		return different
	case stored.Path == found.Subject.Path:
		return same
	}
	a, b := parsed(stored.Path), parsed(found.Subject.Path)
	switch {
	case evidence.SamePath(a, b):
		return same
	case rule.SamePlace != nil && rule.SamePlace(a, b), len(a)*len(b) > 0 && evidence.SamePath(values(a), values(b)):
		return near
	}
	return different
}

// parsed parses a path. An invalid path becomes one that matches nothing.
func parsed(text string) profile.Path {
	path, err := evidence.ParsePath(text)
	if err != nil {
		return profile.Path{{Name: text}}
	}
	return path
}

// values drops the elements at the end of a path, because a rule may report a
// list or its elements.
func values(path profile.Path) profile.Path {
	for len(path) > 1 && path[len(path)-1].Kind != profile.Field {
		path = path[:len(path)-1]
	}
	return path
}
