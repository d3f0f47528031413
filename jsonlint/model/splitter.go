package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

func (c *Collection) inferKinds(lex *lexicon.Lexicon) {
	shapes := c.Profile.Root.Object.Shapes
	if shapes == nil {
		return
	}
	c.Kinds = ClusterShapes(shapes, lex)
	substantial := Substantial(c.Kinds, c.Profile.Docs)
	for _, d := range Discriminators(shapes, c.Kinds, c.Profile.Docs, lex) {
		if d.Works(substantial, lex) {
			c.Discriminator = d
			return
		}
	}
}

// A Splitter assigns the documents of a collection to its kinds.
type Splitter struct {
	Collection *Collection
	Names      []string // one per kind
	Parts      []*profile.Collection

	path    profile.Path
	byHash  map[uint64]int // discriminator value → kind
	byShape map[uint64]int // shape → kind
	other   int
}

// splitter returns nil if the documents are of one kind.
func (c *Collection) splitter() *Splitter {
	s := &Splitter{Collection: c}
	if c.Discriminator != nil {
		s.byValue(c.Discriminator)
	} else if kinds := c.apart(); len(kinds) > 1 {
		s.byCluster(kinds)
	} else {
		return nil
	}
	return s
}

func (s *Splitter) byValue(d *Discriminator) {
	s.path, s.byHash = d.Path, map[uint64]int{}
	name := d.Path.String()
	for i, v := range d.Values {
		s.byHash[v.Hash] = i
		s.Names = append(s.Names, fmt.Sprintf("%s %q", name, v.Text))
	}
	s.other = len(s.Names)
	s.Names = append(s.Names, "no "+name)
}

// apart returns the clusters that are separate kinds if no field distinguishes
// kinds, fewer than two if all documents are of one kind. Once there are
// several kinds, a small cluster that resembles none of them is one too.
func (c *Collection) apart() []*Cluster {
	root := c.Profile.Root.Object
	if !root.Shapes.Exact() || len(distinct(Separated(Substantial(c.Kinds, c.Profile.Docs)))) < 2 {
		return nil
	}
	kinds := distinct(Separated(slices.DeleteFunc(slices.Clone(c.Kinds), func(k *Cluster) bool { return k.Count < minClusterSize })))
	return kinds[:min(len(kinds), kindValues)]
}

// distinct returns the clusters that are not part of another. Objects that have
// only names of a larger kind are incomplete objects of that kind.
func distinct(clusters []*Cluster) []*Cluster {
	return slices.DeleteFunc(slices.Clone(clusters), func(k *Cluster) bool {
		return slices.ContainsFunc(clusters, func(o *Cluster) bool {
			return o != k && o.Count > k.Count && len(k.Own([]*Cluster{o})) == 0
		})
	})
}

func (s *Splitter) byCluster(kinds []*Cluster) {
	s.byShape = map[uint64]int{}
	for _, k := range kinds {
		s.Names = append(s.Names, "with "+strings.Join(firstNames(k.Distinguishing(kinds), 3), ", "))
	}
	s.other = len(s.Names)
	s.Names = append(s.Names, "unlike the others")
	for i, k := range kinds {
		for _, shape := range k.Shapes {
			s.byShape[shape.Hash()] = i
		}
	}
	for _, k := range s.Collection.Kinds {
		if _, ok := s.byShape[k.Shapes[0].Hash()]; ok {
			continue
		}
		nearest := k.nearest(kinds, s.other)
		for _, shape := range k.Shapes {
			s.byShape[shape.Hash()] = nearest
		}
	}
}

func firstNames(names []string, n int) []string { return names[:min(n, len(names))] }

// nearest returns the index of the kind that shares most names with the
// cluster, or none if each shares too few.
func (c *Cluster) nearest(kinds []*Cluster, none int) int {
	best, at := separate, none
	for i, k := range kinds {
		if sim := Jaccard(c, k); sim > best {
			best, at = sim, i
		}
	}
	return at
}

// kindOfValue returns the index of the kind that documents with a value belong to.
func (s *Splitter) kindOfValue(value uint64) int {
	if kind, ok := s.byHash[value]; ok {
		return kind
	}
	return s.other
}

func (s *Splitter) kindOfShape(shape uint64) int {
	if kind, ok := s.byShape[shape]; ok {
		return kind
	}
	return s.other
}

// A KindReader determines the kinds of the documents that one worker reads.
type KindReader struct {
	split *Splitter // nil if all are of one kind
	at    profile.Trail
}

// Reader returns a reader for the documents of the splitter's collection.
func (s *Splitter) Reader() *KindReader { return &KindReader{s, profile.NewTrail(s.path)} }

// NewKindReader returns a reader for the documents of the collection.
func (c *Collection) NewKindReader() *KindReader {
	if len(c.Entities) == 0 || c.Entities[0].split == nil {
		return &KindReader{}
	}
	return c.Entities[0].split.Reader()
}

// Kind returns the index of the kind that a document belongs to, for
// [Entity.Is].
func (r *KindReader) Kind(d *profile.Document) int {
	s := r.split
	if s == nil {
		return 0
	}
	if s.byHash != nil {
		return s.kindOfValue(valueAt(d, &r.at))
	}
	return s.kindOfShape(d.RootShape())
}

// valueAt returns the hash of a document's value at a path, or 0.
func valueAt(d *profile.Document, at *profile.Trail) uint64 {
	if i, ok := at.First(d); ok {
		return d.Hash(i)
	}
	return 0
}

func (s *Splitter) entities() {
	for i, part := range s.Parts {
		if part.Docs > 0 {
			e := &Entity{Collection: s.Collection, Kind: s.Names[i], Profile: part, split: s, index: i}
			s.Collection.Entities = append(s.Collection.Entities, e)
		}
	}
}

// Is reports whether the entity is the kind with an index.
func (e *Entity) Is(kind int) bool { return e.split == nil || kind == e.index }

// Rest reports whether the entity is the documents that belong to no kind.
func (e *Entity) Rest() bool { return e.split != nil && e.index == e.split.other }

// Value returns the value of the collection's discriminator in the documents of
// the entity, or "".
func (e *Entity) Value() string {
	if e.split == nil || e.split.byHash == nil || e.Rest() {
		return ""
	}
	return e.Collection.Discriminator.Values[e.index].Text
}
