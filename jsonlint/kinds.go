package jsonlint

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/source"
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
	mostParts   = 64  // more than there are values of a discriminator
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

// splitting is a collection whose documents are read again to profile each
// kind on its own.
type splitting struct {
	*model.Splitter
	all   bool
	where extents // if not all
}

func (s *splitting) wants(file uint32, offset int64) bool {
	return s.all || s.where.cover(file, offset)
}

// split fills the parts of collections with several kinds: with what was
// profiled kind by kind already, and by reading the other documents again.
func (e *engine) split(ctx context.Context, splitters []*model.Splitter) error {
	again := map[string]*splitting{}
	for _, s := range splitters {
		name := s.Collection.Name
		known := e.sorted[name]
		kinds, ok := known.kinds(s)
		if !ok {
			again[name] = &splitting{Splitter: s, all: true}
			continue
		}
		for _, number := range slices.Sorted(maps.Keys(known.parts)) {
			if i := kinds[number]; s.Parts[i].Docs > 0 {
				s.Parts[i].Merge(known.parts[number])
			} else {
				s.Parts[i] = known.parts[number]
			}
		}
		if len(known.before) > 0 {
			again[name] = &splitting{Splitter: s, where: known.before}
		}
	}
	e.sorted = nil
	if len(again) == 0 {
		return nil
	}
	return e.profileKinds(ctx, again)
}

// profileKinds reads the documents and profiles each kind on its own.
func (e *engine) profileKinds(ctx context.Context, again map[string]*splitting) error {
	type part struct {
		kinds []*profile.Collection
		*model.KindReader
	}
	type worker struct {
		builder profile.Builder
		parts   map[*splitting]part
	}
	workers := make([]worker, e.jobs)
	for i := range workers {
		workers[i].parts = map[*splitting]part{}
	}
	err := e.each(ctx, pass{
		files: e.heads(again),
		wants: func(file *source.File, offset int64) bool {
			for _, name := range e.holds[file.ID] {
				if s := again[name]; s != nil && s.wants(file.ID, offset) {
					return true
				}
			}
			return false
		},
		visit: func(w int, name string, d *profile.Document) {
			s := again[name]
			if s == nil || !s.wants(d.File, d.Base+int64(d.Tokens[0].Start)) {
				return
			}
			of, met := workers[w].parts[s]
			if !met {
				of.KindReader = s.Reader()
				for range s.Names {
					of.kinds = append(of.kinds, profile.NewCollection(name))
				}
				workers[w].parts[s] = of
			}
			workers[w].builder.Add(of.kinds[of.Kind(d)], d.Document, d.File, d.Base)
		},
	})
	if err != nil {
		return err
	}
	for _, w := range workers {
		for s, of := range w.parts {
			for i, kind := range of.kinds {
				s.Parts[i].Merge(kind)
			}
		}
	}
	return nil
}

// heads returns the files to read again, and how far.
func (e *engine) heads(again map[string]*splitting) []source.Head {
	var heads []source.Head
	for _, f := range e.set.Files {
		head := source.Head{File: f}
		wanted := false
		for _, name := range e.holds[f.ID] {
			s := again[name]
			switch {
			case s == nil:
			case s.all:
				wanted, head.End = true, source.WholeFile
			default:
				for _, x := range s.where {
					if x.file == f.ID {
						wanted, head.End = true, max(head.End, x.end)
					}
				}
			}
		}
		if wanted {
			heads = append(heads, head)
		}
	}
	return heads
}
