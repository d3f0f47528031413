package model

import (
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Partition divides the documents of a collection into parts before all are
// known, by the field that distinguishes the first ones, or by groups of their
// shapes. The documents of a part are probably of one kind; a [Splitter]
// determines whether they are.
type Partition struct {
	path   profile.Path      // nil to divide by shapes
	shapes map[uint64]uint64 // a part is identified by one of its shapes, which are known here
}

// Seeming returns a partition of the documents of a profile, or nil if they
// seem to be of one kind.
func Seeming(p *profile.Collection, lex *lexicon.Lexicon) *Partition {
	c := &Collection{Name: p.Name, Profile: p}
	c.inferKinds(lex)
	s := c.splitter()
	switch {
	case s == nil:
		return nil
	case s.byHash != nil:
		return &Partition{path: s.path}
	}
	names := map[int]uint64{}
	for shape, kind := range s.byShape {
		if name, ok := names[kind]; !ok || shape < name {
			names[kind] = shape
		}
	}
	out := &Partition{shapes: map[uint64]uint64{}}
	for shape, kind := range s.byShape {
		out.shapes[shape] = names[kind]
	}
	return out
}

// A PartReader determines the parts of the documents that one worker reads.
type PartReader struct {
	partition *Partition
	at        profile.Trail
}

// Reader returns a reader.
func (p *Partition) Reader() *PartReader { return &PartReader{p, profile.NewTrail(p.path)} }

// Part returns the part of a document. An unknown shape is a separate part.
func (r *PartReader) Part(d *profile.Document) uint64 {
	if r.partition.path != nil {
		return valueAt(d, &r.at)
	}
	shape := d.RootShape()
	if part, known := r.partition.shapes[shape]; known {
		return part
	}
	return shape
}

// KindOf returns the index of the kind to which all documents in a part belong.
// ok is false if they may belong to several.
func (s *Splitter) KindOf(p *Partition, part uint64) (kind int, ok bool) {
	if p.path != nil {
		return s.kindOfValue(part), s.byHash != nil && slices.Equal(s.path, p.path)
	}
	kind = s.kindOfShape(part)
	for shape, of := range p.shapes {
		if of == part && s.kindOfShape(shape) != kind {
			return 0, false
		}
	}
	return kind, s.byShape != nil
}
