package jsonlint

import (
	"context"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// splitting is a collection whose documents are read again to profile each kind
// separately.
type splitting struct {
	*model.Splitter
	all   bool
	where extents // where they stand; nil for all
}

func (s *splitting) wants(file uint32, offset int64) bool {
	return s.all || s.where.cover(file, offset)
}

// split fills the parts of collections with several kinds. It uses profiles
// that are already separate by kind and reads the other documents again.
func (e *engine) split(ctx context.Context, splitters []*model.Splitter) error {
	if e.part != nil {
		return e.splitParts(ctx, splitters)
	}
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

// profileKinds reads the documents and profiles each kind separately.
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
