// Package model infers what the profiles of a database mean: which kinds of
// document a collection holds and what distinguishes them, which objects are
// used as maps, which fields identify documents, and which refer to what. Rules
// use this model and do not infer it again.
package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Database is everything read in one run. References are resolved across its
// collections.
type Database struct {
	Collections []*Collection // by name
	References  []*Reference  // by source

	nouns    map[string][]*Collection // by [lexicon.MatchKeys]
	from, to map[*Entity][]*Reference
	at       map[*profile.Node]*Reference
}

// A Collection holds documents of one or several kinds.
type Collection struct {
	Name    string
	Profile *profile.Collection

	// Kinds are the clusters of document shapes, largest first.
	Kinds []*Cluster

	// Discriminator distinguishes the kinds. It is nil if nothing does or there is
	// only one kind.
	Discriminator *Discriminator

	// Entities are the kinds, each with its own profile: one per value of the
	// discriminator, or per cluster without one. A collection of one kind has one
	// entity.
	Entities []*Entity
}

// An Entity is the documents of one kind.
type Entity struct {
	Collection *Collection
	Kind       string // value of the discriminator, or a name for the cluster; "" if the collection has one kind
	Profile    *profile.Collection
	Maps       []*Map
	Keys       []*Key // fields that identify a document, best first

	split *Splitter // nil if the collection has one kind
	index int
}

// Root returns the node of the documents themselves.
func (e *Entity) Root() *profile.Node { return e.Profile.Root }

// N returns the number of documents.
func (e *Entity) N() int64 { return e.Profile.Docs }

// Alike reports whether the documents of two kinds have half of their names in
// common, or, if they are maps, their values.
func (e *Entity) Alike(o *Entity) bool { return alikeObjects(e.Root(), o.Root()) }

// Repeats reports whether a collection holds documents of another one again, as
// a backup does: most of its ids are ids there, and most of its fields have most
// of their values there.
func (e *Entity) Repeats(o *Entity) bool {
	if e.ID() == nil || o.ID() == nil || !within(e.ID().Node, o.ID().Node) || !e.Alike(o) {
		return false
	}
	scalars, same := 0, 0
	for _, f := range e.Root().Object.Fields() {
		if g := o.Root().Object.Field(f.Step.Name); f.Scalars != nil && g != nil && g.Scalars != nil {
			scalars++
			if within(f, g) {
				same++
			}
		}
	}
	return 2*same > scalars
}

// within reports whether most values of a field are values of another one.
func within(f, in *profile.Node) bool {
	tested, _, same := f.Scalars.Values.Inclusion(&in.Scalars.Values)
	return 2*same > tested
}

func alikeObjects(a, b *profile.Node) bool {
	mine, theirs := a.Object, b.Object
	if mine == nil || theirs == nil {
		return false
	}
	if mine.Rest != nil || theirs.Rest != nil {
		return mine.Rest != nil && theirs.Rest != nil && alikeObjects(mine.Rest, theirs.Rest)
	}
	common, all := 0, len(theirs.Fields())
	for _, f := range mine.Fields() {
		if theirs.Field(f.Step.Name) != nil {
			common++
		} else {
			all++
		}
	}
	return 2*common >= all
}

// Label returns the name of the entity for people: posts, or posts (type
// "review").
func (e *Entity) Label() string {
	if e.Kind == "" {
		return e.Collection.Name
	}
	return e.Collection.Name + " (" + e.Kind + ")"
}

// Name returns the word for one such document: the kind, or the collection.
func (e *Entity) Name() string { return cmp.Or(e.Kind, e.Collection.Name) }

// Entities returns the entities of all collections in order.
func (db *Database) Entities() []*Entity {
	var out []*Entity
	for _, c := range db.Collections {
		out = append(out, c.Entities...)
	}
	return out
}

// Named returns the collections that a stem may name as [lexicon.SameNoun] or better,
// with or without the name of their database.
func (db *Database) Named(stem string) []*Collection {
	var out []*Collection
	for _, key := range lexicon.MatchKeys(stem) {
		out = append(out, db.nouns[key]...)
	}
	slices.SortFunc(out, func(a, b *Collection) int { return cmp.Compare(a.Name, b.Name) })
	return slices.Compact(out)
}

// setNouns indexes the collections by their names: to compare each with the name of
// each field takes long if they are many.
func (db *Database) setNouns() {
	db.nouns = map[string][]*Collection{}
	for _, c := range db.Collections {
		for _, name := range []string{c.Name, c.Name[strings.LastIndexByte(c.Name, '.')+1:]} {
			for _, key := range lexicon.MatchKeys(name) {
				db.nouns[key] = append(db.nouns[key], c)
			}
		}
	}
}

// ReferencesFrom returns the references that documents of e hold.
func (db *Database) ReferencesFrom(e *Entity) []*Reference { return db.from[e] }

// ReferencesTo returns the references that point at documents of e.
func (db *Database) ReferencesTo(e *Entity) []*Reference { return db.to[e] }

// ReferenceAt returns the reference in the field at a node, or nil.
func (db *Database) ReferenceAt(n *profile.Node) *Reference { return db.at[n] }

// setReferences indexes references, because rules look them up at every field.
func (db *Database) setReferences(references []*Reference) {
	db.References = references
	db.from, db.to, db.at = map[*Entity][]*Reference{}, map[*Entity][]*Reference{}, map[*profile.Node]*Reference{}
	for _, r := range references {
		db.from[r.From] = append(db.from[r.From], r)
		db.to[r.To] = append(db.to[r.To], r)
		if db.at[r.Node] == nil {
			db.at[r.Node] = r
		}
	}
}

// Declared is a reference stated by the user: the field at Path in documents of
// From holds ids of To.
type Declared struct {
	From string // collection
	Path string // as in reports
	To   string // collection
	Key  string // field of To; the default is its id
}

// Settings configures the inference.
type Settings struct {
	Lexicon  *lexicon.Lexicon
	Declared []Declared
	IDs      map[string]string // key field by collection, where it cannot be inferred

	// Unique has, by collection, the paths whose values the database keeps unique.
	Unique map[string][]string

	Jobs int // workers; 0 means one
}

// Infer builds the model of a database. For collections with several kinds it
// calls split, which profiles their documents again, each kind separately.
func Infer(ctx context.Context, collections []*profile.Collection, s Settings, split func([]*Splitter) error) (*Database, error) {
	db := &Database{}
	var splitters []*Splitter
	for _, p := range collections {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.Compact()
		c := &Collection{Name: p.Name, Profile: p}
		c.inferKinds(s.Lexicon)
		db.Collections = append(db.Collections, c)
		if sp := c.splitter(); sp != nil {
			for range sp.Names {
				sp.Parts = append(sp.Parts, profile.NewCollection(c.Name))
			}
			splitters = append(splitters, sp)
		}
	}
	slices.SortFunc(db.Collections, func(a, b *Collection) int { return cmp.Compare(a.Name, b.Name) })
	db.setNouns()
	if len(splitters) > 0 {
		if err := split(splitters); err != nil {
			return nil, err
		}
	}
	for _, sp := range splitters {
		sp.entities()
	}
	for _, c := range db.Collections {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(c.Entities) == 0 {
			c.Entities = []*Entity{{Collection: c, Profile: c.Profile}}
		}
		for _, e := range c.Entities {
			e.Profile.Compact()
			e.Maps = foldMaps(e.Profile.Root, s.Lexicon)
		}
		foldElsewhere(c)
		for _, e := range c.Entities {
			e.Keys = e.findKeys(s.IDs[c.Name], s.Unique[c.Name], s.Lexicon)
		}
	}
	db.foldNamedByIDs()
	return db, db.inferReferences(ctx, s)
}
