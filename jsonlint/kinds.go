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

// The documents of a collection with several kinds are profiled as a whole and
// kind by kind. What tells the kinds apart is known for sure only when all of
// them have been profiled, but a few hundred mostly show it: from then on each
// part of a [model.Partition] gets a profile of its own, and the profile of the
// whole is the sum of these. If in the end no part has documents of two kinds,
// only the documents read before have to be read again; if one has, all of
// them.

const (
	kindsAsked  = 512 // documents after which a worker first looks for kinds
	askedFactor = 2   // ... and again after so many times as many
	neverAsked  = math.MaxInt64
	mostParts   = 64 // more than there are values of a discriminator
)

// An extent is a range of bytes of a decoded file.
type extent struct {
	file       uint32
	start, end int64
}

// A guess is what seems to tell the kinds of a collection apart. It is made by
// the first worker that finds something, for all of them.
type guess struct {
	mutex sync.Mutex
	by    *model.Partition
	wrong bool // it has too many parts
}

func (g *guess) get() (by *model.Partition, wrong bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.by, g.wrong
}

// make makes the guess unless there is one.
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
	next  int64 // documents at which to look for kinds again

	mixed  *profile.Collection // documents that are not sorted
	before []extent            // where they stand

	by     *model.PartReader // nil while documents are not sorted
	parts  map[uint64]*profile.Collection
	sorted []extent

	batch extent
}

func newSorter(name string, g *guess, asked int64) *sorter {
	return &sorter{guess: g, next: asked, mixed: profile.NewCollection(name)}
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

// enter decides what is done with the documents of the next batch.
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

// part returns the profile for the part that a document is in; nil if there are
// too many parts.
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

// A sorting is what the workers know of the kinds of one collection.
type sorting struct {
	by     *model.Partition // nil if the documents are not sorted
	parts  map[uint64]*profile.Collection
	before extents // documents that are in no part
}

// together merges what the workers have of a collection, on as many goroutines
// as jobs says, and returns the profile of the whole.
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
			part.Settle() // what profiles of one worker share is left out of what follows
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

// kinds returns the kinds that the splitter gives the parts; ok is false if the
// documents were not sorted, or if there is a part with several kinds.
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

// extents are ranges that do not overlap, in order.
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
