// Package infer makes schemas that describe documents: JSON Schema or MongoDB
// validators.
//
// Evidence determines the collections and their kinds, which objects are maps
// and which names are data. Documents then add exact types, required fields and
// lengths of lists. A schema made from documents accepts each of them. A schema
// made from evidence alone allows every notation of a value, because evidence
// does not know the notation.
package infer

import (
	"maps"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// A Database is what is known about some collections.
type Database struct {
	collections []*collection // by name
	byName      map[string]*collection
}

// A collection holds documents of one or several kinds.
type collection struct {
	name  string
	path  profile.Path // of the field that distinguishes the kinds; nil if there is none
	kinds []*kind
	value map[string]int // kinds by the canonical text of that field
}

// A kind is the documents of one kind.
type kind struct {
	name      string // value of the discriminator
	rest      bool   // documents without a value, or with none of the others' values
	documents int64
	root      *shape
	constants map[string]bool // values of the discriminator, as written
}

// FromEvidence describes collections from evidence alone.
func FromEvidence(f *evidence.File) *Database {
	db := newDatabase(f, func(n *evidence.Node) *shape { return fromEvidence(n, 0) })
	for _, c := range db.collections {
		if slices.ContainsFunc(c.kinds, func(k *kind) bool { return k.root.extended() }) {
			for _, k := range c.kinds {
				k.root.wrapNumbers()
			}
		}
		for _, k := range c.kinds {
			k.constants = map[string]bool{}
			if at := k.root.at(c.path); !k.rest && at != nil {
				for _, text := range literals(k.name, at) {
					k.constants[text] = true
				}
			}
		}
	}
	return db
}

// ForDocuments prepares a database for the documents that the evidence was made
// from; see [Database.Observer]. The evidence must include the values of
// discriminators.
func ForDocuments(f *evidence.File) *Database {
	db := newDatabase(f, func(n *evidence.Node) *shape { return fromEvidence(n, 0).blank() })
	for _, c := range db.collections {
		for _, k := range c.kinds {
			k.documents, k.constants = 0, map[string]bool{}
		}
	}
	return db
}

// longText is the length from which a discriminator's text may be cut off.
const longText = 80

func newDatabase(f *evidence.File, shapeOf func(*evidence.Node) *shape) *Database {
	db := &Database{byName: map[string]*collection{}}
	for _, from := range f.Collections {
		c := &collection{name: from.Name}
		db.collections, db.byName[c.name] = append(db.collections, c), c
		if c.path = discriminator(from); c.path == nil {
			whole := from.Whole()
			c.kinds = []*kind{{documents: whole.Documents, root: shapeOf(whole.Root), rest: true}}
			continue
		}
		c.value = map[string]int{}
		for _, k := range from.Kinds {
			if k.Named {
				c.value[k.Value] = len(c.kinds)
			}
			c.kinds = append(c.kinds, &kind{name: k.Value, documents: k.Documents, root: shapeOf(k.Root), rest: !k.Named})
		}
		if !slices.ContainsFunc(from.Kinds, func(k *evidence.Kind) bool { return !k.Named }) {
			c.kinds = append(c.kinds, &kind{root: shapeOf(from.Whole().Root).blank(), rest: true}) // for documents of no kind
		}
	}
	return db
}

// discriminator returns the path of the field that distinguishes the kinds of a
// collection, or nil if the documents are described as one kind.
func discriminator(c *evidence.Collection) profile.Path {
	if c.Discriminator == "" || len(c.Kinds) < 2 {
		return nil
	}
	path, err := evidence.ParsePath(c.Discriminator)
	if err != nil || slices.ContainsFunc(path, func(s profile.Step) bool { return s.Kind != profile.Field }) {
		return nil
	}
	for _, k := range c.Kinds {
		if len(k.Value) >= longText || k.Named && k.Root.At(c.Discriminator) == nil {
			return nil
		}
	}
	return path
}

// An Observer collects facts from documents. Each worker has its own.
type Observer struct{ db *Database }

// Observer returns an observer that has seen nothing.
func (db *Database) Observer() *Observer {
	blank := &Database{byName: map[string]*collection{}}
	for _, c := range db.collections {
		copied := &collection{name: c.name, path: c.path, value: c.value}
		for _, k := range c.kinds {
			copied.kinds = append(copied.kinds, &kind{name: k.name, rest: k.rest, root: k.root.blank(), constants: map[string]bool{}})
		}
		blank.collections, blank.byName[c.name] = append(blank.collections, copied), copied
	}
	return &Observer{blank}
}

// See adds a document. It ignores collections without evidence.
func (o *Observer) See(collection string, d *profile.Document) {
	if c := o.db.byName[collection]; c != nil {
		k := c.kindOf(d)
		k.documents++
		k.root.see(d.Document, 0, 0)
	}
}

// kindOf returns the kind of a document and records the value that determines
// it.
func (c *collection) kindOf(d *profile.Document) *kind {
	if c.path == nil {
		return c.kinds[0]
	}
	if i, ok := d.First(0, c.path); ok && d.Tokens[i].Kind < scan.Object {
		if at, ok := c.value[string(d.Canonical(i))]; ok {
			c.kinds[at].constants[written(d.Document, i)] = true
			return c.kinds[at]
		}
	}
	return c.kinds[slices.IndexFunc(c.kinds, func(k *kind) bool { return k.rest })]
}

// written returns a scalar as a schema writes it: as in the document, but
// without another database's notation.
func written(d *scan.Document, i int) string {
	switch t := &d.Tokens[i]; {
	case t.Flags&scan.Wrapped == 0 || bson.WrapperOf(d, i) != bson.Unwrapped:
		return string(d.Raw(i))
	case t.Kind == scan.Number:
		return string(d.Text(i))
	}
	return quote(d.String(i))
}

// Add adds what an observer has seen.
func (db *Database) Add(o *Observer) {
	for i, c := range o.db.collections {
		for j, k := range c.kinds {
			mine := db.collections[i].kinds[j]
			mine.root.add(k.root)
			mine.documents += k.documents
			maps.Copy(mine.constants, k.constants)
		}
	}
}

// Documents returns the number of documents that are described.
func (db *Database) Documents() (n int64) {
	for _, c := range db.collections {
		n += c.documents()
	}
	return n
}

// documents returns the number of documents in a collection.
func (c *collection) documents() (n int64) {
	for _, k := range c.kinds {
		n += k.documents
	}
	return n
}
