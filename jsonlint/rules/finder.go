package rules

import (
	"slices"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A finder looks through the documents of an entity for places of a few sorts
// and keeps the first ones of each. It is shown the values at a path.
type finder struct {
	at    profile.Trail
	find  findFunc
	limit int
	sorts []found
	hit   func(sort int, at profile.Pos, text string)
}

// found is what was found of one sort.
type found struct {
	count  int64
	places []place // the first ones, in order
}

type place struct {
	at   profile.Pos
	text string
}

// first returns the first place.
func (f *found) first() profile.Pos {
	if len(f.places) == 0 {
		return profile.Pos{}
	}
	return f.places[0].at
}

// A findFunc looks at the value at i.
type findFunc func(d *profile.Document, i int, hit func(sort int, at profile.Pos, text string))

// findPlaces starts a finder; limit is the number of places kept of each sort.
func findPlaces(p *Pass, e *model.Entity, path profile.Path, sorts, limit int, find findFunc) *finder {
	return Watch(p, e, newFinder(path, find, limit, sorts))
}

func newFinder(path profile.Path, find findFunc, limit, sorts int) *finder {
	f := &finder{at: profile.NewTrail(path), find: find, limit: limit, sorts: make([]found, sorts)}
	f.hit = func(sort int, at profile.Pos, text string) {
		s := &f.sorts[sort]
		s.count++
		s.keep(place{at, text}, f.limit)
	}
	return f
}

func (f *finder) New() Probe { return newFinder(f.at.Path(), f.find, f.limit, len(f.sorts)) }

func (f *finder) Visit(d *profile.Document) {
	for i := range f.at.All(d) {
		f.find(d, i, f.hit)
	}
}

func (f *finder) skips(d *profile.Document) bool { return f.at.Absent(d) }

func (f *finder) Merge(other Probe) {
	for i, o := range other.(*finder).sorts {
		s := &f.sorts[i]
		s.count += o.count
		for _, p := range o.places {
			s.keep(p, f.limit)
		}
	}
}

// full reports whether a place is not among the first ones.
func (f *found) full(at profile.Pos, limit int) bool {
	n := len(f.places)
	return n == limit && f.places[n-1].at.Compare(at) <= 0
}

func (f *found) keep(p place, limit int) {
	if f.full(p.at, limit) {
		return
	}
	i, _ := slices.BinarySearchFunc(f.places, p, func(a, b place) int { return a.at.Compare(b.at) })
	f.places = slices.Insert(f.places, i, p)
	if len(f.places) > limit {
		f.places = f.places[:limit]
	}
}

// memberName returns the token of the name under which the object at i has a
// member; the last one if it has several.
func memberName(d *profile.Document, i int, name string) (key int, ok bool) {
	v, ok := d.Get(i, name)
	return v - 1, ok
}
