package places

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// A Finder searches the documents of an entity for places of a few sorts and
// keeps the first ones of each. It sees the values at one path.
type Finder struct {
	at    profile.Trail
	find  findFunc
	Limit int
	Sorts []Found
	hit   func(sort int, at profile.Pos, text string)
}

// Found holds the places of one sort.
type Found struct {
	Count  int64
	Places []Place // the first places, in order
}

type Place struct {
	At   profile.Pos
	Text string
}

// First returns the first place.
func (f *Found) First() profile.Pos {
	if len(f.Places) == 0 {
		return profile.Pos{}
	}
	return f.Places[0].At
}

// AlsoAt returns the places after the first, all with one message. Together
// with the first, they are at most most.
func (f *Found) AlsoAt(message string, most int) []check.RawRelated {
	var related []check.RawRelated
	for _, place := range f.Places[min(1, len(f.Places)):min(most, len(f.Places))] {
		related = append(related, check.RawRelated{At: place.At, Message: message})
	}
	return related
}

// A findFunc examines the value at i.
type findFunc func(d *profile.Document, i int, hit func(sort int, at profile.Pos, text string))

// Find starts a finder. limit is the number of places kept per sort.
func Find(p *check.Pass, e *model.Entity, path profile.Path, sorts, limit int, find findFunc) *Finder {
	return check.Watch(p, e, newFinder(path, find, limit, sorts))
}

func newFinder(path profile.Path, find findFunc, limit, sorts int) *Finder {
	f := &Finder{at: profile.NewTrail(path), find: find, Limit: limit, Sorts: make([]Found, sorts)}
	f.hit = func(sort int, at profile.Pos, text string) {
		s := &f.Sorts[sort]
		s.Count++
		s.Keep(f.Limit, Place{at, text})
	}
	return f
}

func (f *Finder) New() check.Probe { return newFinder(f.at.Path(), f.find, f.Limit, len(f.Sorts)) }

func (f *Finder) Visit(d *profile.Document) {
	for i := range f.at.All(d) {
		f.find(d, i, f.hit)
	}
}

func (f *Finder) Skips(d *profile.Document) bool { return f.at.Absent(d) }

func (f *Finder) Merge(other check.Probe) {
	for i, o := range other.(*Finder).Sorts {
		s := &f.Sorts[i]
		s.Count += o.Count
		s.Keep(f.Limit, o.Places...)
	}
}

// Full reports whether a place is not among the first ones.
func (f *Found) Full(at profile.Pos, limit int) bool {
	n := len(f.Places)
	return n == limit && f.Places[n-1].At.Compare(at) <= 0
}

func (f *Found) Keep(limit int, more ...Place) {
	f.Places = KeepFirst(f.Places, limit, func(a, b Place) int { return a.At.Compare(b.At) }, more...)
}
