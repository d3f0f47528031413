package jsonlint

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// The documents of a collection with several kinds are profiled as a whole and
// kind by kind. What tells the kinds apart is known for sure only when all of
// them have been profiled, but a few hundred mostly show it: from then on each
// value of that field gets a profile of its own, and the profile of the whole
// is the sum of these. If in the end the kinds are told apart by that field,
// only the documents read before it was known have to be read again; if not,
// all of them.

const (
	kindsAsked  = 512 // documents after which a worker first looks for kinds
	askedFactor = 4   // ... and again after so many times as many
	mostParts   = 64  // values of the field; a discriminator has fewer
)

// An extent is a range of bytes of a decoded file.
type extent struct {
	file       uint32
	start, end int64
}

// A guess is the field that seems to tell the kinds of a collection apart. It
// is made by the first worker that finds one, for all of them.
type guess struct {
	mutex sync.Mutex
	path  profile.Path
	wrong bool // it has too many values
}

func (g *guess) get() (path profile.Path, wrong bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.path, g.wrong
}

// make makes the guess unless there is one.
func (g *guess) make(path profile.Path) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.path == nil {
		g.path = path
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

	path   profile.Path // nil while documents are not sorted
	value  profile.Trail
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
	if s.path != nil {
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
	path, wrong := s.guess.get()
	if path == nil && s.mixed.Docs >= s.next {
		s.next = askedFactor * s.mixed.Docs
		s.mixed.Settle()
		if path = model.KindPath(s.mixed, lex); path != nil {
			s.guess.make(path)
			path, wrong = s.guess.get()
		}
	}
	switch {
	case wrong:
		s.join()
	case path != nil && s.path == nil:
		s.path, s.value, s.parts = path, profile.NewTrail(path), map[uint64]*profile.Collection{}
	}
	if s.path != nil {
		s.sorted = append(s.sorted, batch)
	} else {
		s.before = append(s.before, batch)
	}
}

// part returns the profile for the value that a document has in the field; nil
// if there are too many values.
func (s *sorter) part(d *profile.Document) *profile.Collection {
	value := model.KindValue(d, &s.value)
	c := s.parts[value]
	if c == nil {
		if len(s.parts) == mostParts {
			return nil
		}
		c = profile.NewKind(s.mixed.Name)
		s.parts[value] = c
	}
	return c
}

// join gives up sorting.
func (s *sorter) join() {
	for _, value := range slices.Sorted(maps.Keys(s.parts)) {
		s.mixed.Merge(s.parts[value])
	}
	s.before = append(s.before, s.sorted...)
	s.path, s.parts, s.sorted = nil, nil, nil
}

// A sorting is what the workers know of the kinds of one collection.
type sorting struct {
	path   profile.Path // nil if the documents are not sorted
	parts  map[uint64]*profile.Collection
	before extents // documents that are in no part
}

// together merges what the workers have of a collection and returns the
// profile of the whole.
func together(sorters []*sorter) (*profile.Collection, *sorting) {
	all := &sorting{parts: map[uint64]*profile.Collection{}}
	var whole *profile.Collection
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
		if s.path != nil {
			all.path = s.path
		}
		for value, part := range s.parts {
			if mine := all.parts[value]; mine != nil {
				mine.Merge(part)
			} else {
				all.parts[value] = part
			}
		}
		s.parts = nil
	}
	for _, value := range slices.Sorted(maps.Keys(all.parts)) {
		whole.Merge(all.parts[value])
	}
	all.before.sort()
	return whole, all
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
		if known == nil || !s.ByField(known.path) {
			again[name] = &splitting{Splitter: s, all: true}
			continue
		}
		for _, value := range slices.Sorted(maps.Keys(known.parts)) {
			if i := s.KindOf(value); s.Parts[i].Docs > 0 {
				s.Parts[i].Merge(known.parts[value])
			} else {
				s.Parts[i] = known.parts[value]
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
					of.kinds = append(of.kinds, profile.NewKind(name))
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
