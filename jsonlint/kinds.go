package jsonlint

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A collection with several kinds of document is profiled as a whole and kind
// by kind. Only after all documents are profiled is it certain what tells the
// kinds apart, but a few hundred mostly show it. From then on each part of a
// [model.Partition] has its own profile, and the profile of the whole is their
// sum. If in the end no part mixes two kinds, only the documents before that
// point are read again; otherwise all are.

const (
	kindsAsked  = 512 // documents after which a worker first looks for kinds
	askedFactor = 2   // factor by which this number grows for each later look
	neverAsked  = math.MaxInt64
	mostParts   = 64 // more than a discriminator has values
)

// An extent is a range of bytes of a decoded file.
type extent struct {
	file       uint32
	start, end int64
}

// A guess is what seems to tell the kinds of a collection apart. The first
// worker that finds something makes it for all workers.
type guess struct {
	mutex sync.Mutex
	by    *model.Partition
	wrong bool // the guess makes too many parts
}

func (g *guess) get() (by *model.Partition, wrong bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.by, g.wrong
}

// make makes the guess unless there is one already.
func (g *guess) make(by *model.Partition) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.by == nil {
		g.by = by
	}
}

func (g *guess) drop() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.wrong = true
}

// A sorter profiles the documents of one collection that one worker reads.
type sorter struct {
	guess *guess
	next  int64 // number of documents at which to look for kinds again

	mixed  *profile.Collection // documents that are not sorted
	before []extent            // where the mixed documents stand

	by     *model.PartReader // nil while documents are not sorted
	parts  map[uint64]*profile.Collection
	sorted []extent

	batch extent
}

// add profiles a document of a batch.
func (s *sorter) add(b *profile.Builder, d *profile.Document, batch extent, lex *lexicon.Lexicon) {
	if s.batch != batch {
		s.enter(batch, lex)
	}
	c := s.mixed
	if s.by != nil {
		if c = s.part(d); c == nil {
			s.guess.drop()
			s.join()
			c = s.mixed
		}
	}
	b.Add(c, d.Document, d.File, d.Base)
}

// enter decides how to profile the documents of the next batch.
func (s *sorter) enter(batch extent, lex *lexicon.Lexicon) {
	s.batch = batch
	by, wrong := s.guess.get()
	if by == nil && s.mixed.Docs >= s.next {
		s.next = askedFactor * s.mixed.Docs
		s.mixed.Settle()
		if by = model.Seeming(s.mixed, lex); by != nil {
			s.guess.make(by)
			by, wrong = s.guess.get()
		}
	}
	switch {
	case wrong:
		s.join()
	case by != nil && s.by == nil:
		s.by, s.parts = by.Reader(), map[uint64]*profile.Collection{}
	}
	if s.by != nil {
		s.sorted = append(s.sorted, batch)
	} else {
		s.before = append(s.before, batch)
	}
}

// part returns the profile of the part that a document belongs to, or nil if
// there are too many parts.
func (s *sorter) part(d *profile.Document) *profile.Collection {
	part := s.by.Part(d)
	c := s.parts[part]
	if c == nil {
		if len(s.parts) == mostParts {
			return nil
		}
		c = profile.NewCollection(s.mixed.Name)
		s.parts[part] = c
	}
	return c
}

// join gives up sorting.
func (s *sorter) join() {
	for _, part := range slices.Sorted(maps.Keys(s.parts)) {
		s.mixed.Merge(s.parts[part])
	}
	s.before = append(s.before, s.sorted...)
	s.by, s.parts, s.sorted = nil, nil, nil
}

// A sorting is what the workers know about the kinds of one collection.
type sorting struct {
	by     *model.Partition // nil if the documents are not sorted
	parts  map[uint64]*profile.Collection
	before extents // documents that belong to no part
}

// together merges the workers' profiles of a collection on up to jobs
// goroutines and returns the profile of the whole.
func together(sorters []*sorter, jobs int) (*profile.Collection, *sorting) {
	all := &sorting{parts: map[uint64]*profile.Collection{}}
	var whole *profile.Collection
	parts := map[uint64][]*profile.Collection{}
	for _, s := range sorters {
		if _, wrong := s.guess.get(); wrong {
			s.join()
		}
		if whole == nil {
			whole = s.mixed
		} else {
			whole.Merge(s.mixed)
		}
		s.mixed = nil
		all.before = append(all.before, s.before...)
		if s.by != nil {
			all.by, _ = s.guess.get()
		}
		for number, part := range s.parts {
			part.Settle() // leave out what profiles of one worker share
			parts[number] = append(parts[number], part)
		}
		s.parts = nil
	}
	var group errgroup.Group
	group.SetLimit(jobs)
	for number, several := range parts {
		all.parts[number] = several[0]
		if len(several) > 1 {
			group.Go(func() error {
				for _, more := range several[1:] {
					several[0].Merge(more)
				}
				return nil
			})
		}
	}
	_ = group.Wait() // merging does not fail
	for _, number := range slices.Sorted(maps.Keys(all.parts)) {
		whole.Merge(all.parts[number])
	}
	all.before.sort()
	return whole, all
}

// kinds returns the kind that the splitter gives each part. ok is false if the
// documents were not sorted, or if a part mixes several kinds.
func (s *sorting) kinds(splitter *model.Splitter) (kinds map[uint64]int, ok bool) {
	if s == nil || s.by == nil {
		return nil, false
	}
	kinds = make(map[uint64]int, len(s.parts))
	for number := range s.parts {
		if kinds[number], ok = splitter.KindOf(s.by, number); !ok {
			return nil, false
		}
	}
	return kinds, true
}

// extents are sorted ranges that do not overlap.
type extents []extent

func (x extents) sort() {
	slices.SortFunc(x, func(a, b extent) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start)) })
}

// cover reports whether an offset lies in one of the ranges.
func (x extents) cover(file uint32, offset int64) bool {
	i, found := slices.BinarySearchFunc(x, extent{file: file, start: offset}, func(a, b extent) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start))
	})
	if found {
		return true
	}
	return i > 0 && x[i-1].file == file && offset < x[i-1].end
}
