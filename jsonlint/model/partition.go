package model

import (
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Partition puts the documents of a collection into parts before all of them
// are known: by the value of the field that tells the first ones apart, or by
// the groups of shapes that these fall into. What is in one part is likely to
// be of one kind; a [Splitter] says whether it is.
type Partition struct {
	path   profile.Path      // nil if shapes count
	shapes map[uint64]uint64 // the parts of the shapes that are known
	parts  [][]uint64        // the shapes of these parts
}

// Seeming returns a partition of the documents of a profile; nil if they seem
// to be of one kind.
func Seeming(p *profile.Collection, lex *lexicon.Lexicon) *Partition {
	c := &Collection{Name: p.Name, Profile: p}
	c.inferKinds(lex)
	if c.Discriminator != nil {
		return &Partition{path: c.Discriminator.Path}
	}
	s := c.splitter()
	if s == nil {
		return nil
	}
	out := &Partition{shapes: map[uint64]uint64{}, parts: make([][]uint64, len(s.Names))}
	for shape, kind := range s.byShape {
		out.shapes[shape] = uint64(kind)
		out.parts[kind] = append(out.parts[kind], shape)
	}
	return out
}

// A PartReader tells the parts of the documents that one worker reads.
type PartReader struct {
	partition *Partition
	at        profile.Trail
}

// Reader returns a reader.
func (p *Partition) Reader() *PartReader { return &PartReader{p, profile.NewTrail(p.path)} }

// Part returns the part that a document is in. A shape that was not known is a
// part of its own.
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

// KindOf returns the index of the kind that all documents in a part belong to;
// ok is false if they may belong to several.
func (s *Splitter) KindOf(p *Partition, part uint64) (kind int, ok bool) {
	switch {
	case s.byHash != nil && p.path != nil:
		return s.kindOfValue(part), slices.Equal(s.path, p.path)
	case s.byShape != nil && p.path == nil:
		if part >= uint64(len(p.parts)) {
			return s.kindOfShape(part), true
		}
		kind = -1
		for _, shape := range p.parts[part] {
			of := s.kindOfShape(shape)
			if kind >= 0 && of != kind {
				return 0, false
			}
			kind = of
		}
		return kind, kind >= 0
	}
	return 0, false
}
