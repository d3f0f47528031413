// Package catalog reads what a database itself says about a collection: its
// options and indexes, which mongodump writes beside the documents. For rules,
// this is evidence that documents cannot give.
package catalog

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// A Collection is what the database says about a collection.
type Collection struct {
	Name    string
	File    string // the metadata file
	Capped  bool   // the oldest documents make room for new ones
	Indexes []Index

	// Validator is the $jsonSchema that validates the documents. It is nil if
	// there is none.
	Validator json.RawMessage
}

// An Index is an index of a collection.
type Index struct {
	Name   string
	Fields []string // paths with dots, in order
	Unique bool     // over all documents, so not for a partial index
	TTL    bool     // documents expire by the date in the only field

	// IgnoresCase says that the index treats "A" and "a" as equal: its collation
	// has strength 1 or 2.
	IgnoresCase bool
}

// Index returns the first index on just the field at path for which holds is
// true.
func (c *Collection) Index(path string, holds func(Index) bool) (Index, bool) {
	if c == nil {
		return Index{}, false
	}
	for _, index := range c.Indexes {
		if len(index.Fields) == 1 && index.Fields[0] == path && holds(index) {
			return index, true
		}
	}
	return Index{}, false
}

// UniquePaths returns the fields with a unique index of their own.
func (c *Collection) UniquePaths() []string {
	var paths []string
	for _, index := range c.Indexes {
		if index.Unique && len(index.Fields) == 1 {
			paths = append(paths, index.Fields[0])
		}
	}
	return paths
}

// Expires reports whether documents expire through the index.
func Expires(i Index) bool { return i.TTL }

// UniqueInAnyCase reports whether values that differ only in case cannot be in
// two documents.
func UniqueInAnyCase(i Index) bool { return i.Unique && i.IgnoresCase }

// metadata is a metadata file of mongodump.
type metadata struct {
	Options struct {
		Capped    bool
		Collation *collation
		Validator struct {
			JSONSchema json.RawMessage `json:"$jsonSchema"`
		}
	}
	Indexes []struct {
		Name                    string
		Key                     json.RawMessage
		Unique                  bool
		ExpireAfterSeconds      json.RawMessage
		Collation               *collation
		PartialFilterExpression json.RawMessage
	}
}

type collation struct{ Strength number }

// A number may have an Extended JSON wrapper.
type number float64

func (n *number) UnmarshalJSON(text []byte) error {
	digits := string(text)
	var wrapped map[string]string
	if json.Unmarshal(text, &wrapped) == nil {
		for _, digits = range wrapped {
			break
		}
	}
	value, err := strconv.ParseFloat(digits, 64)
	*n = number(value)
	return err
}

// Parse reads mongodump's metadata for the collection name.
func Parse(name, file string, text []byte) (*Collection, error) {
	var m metadata
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("metadata of %s: %w", name, err)
	}
	c := &Collection{Name: name, File: file, Capped: m.Options.Capped, Validator: plain(m.Options.Validator.JSONSchema)}
	for _, i := range m.Indexes {
		fields, err := keysInOrder(i.Key)
		if err != nil {
			return nil, fmt.Errorf("metadata of %s, index %q: %w", name, i.Name, err)
		}
		used := i.Collation
		if used == nil {
			used = m.Options.Collation
		}
		c.Indexes = append(c.Indexes, Index{
			Name: i.Name, Fields: fields,
			Unique:      i.Unique && i.PartialFilterExpression == nil || len(fields) == 1 && fields[0] == "_id",
			TTL:         i.ExpireAfterSeconds != nil && len(fields) == 1,
			IgnoresCase: used != nil && used.Strength >= 1 && used.Strength <= 2,
		})
	}
	return c, nil
}

// plain removes the Extended JSON wrappers from numbers, because a schema does
// not know them.
func plain(text json.RawMessage) json.RawMessage {
	return json.RawMessage(wrapped.ReplaceAllString(string(text), "$1"))
}

var wrapped = lazyregexp.New(`\{\s*"\$number(?:Int|Long|Double)"\s*:\s*"(-?[0-9][0-9.eE+-]*)"\s*\}`)

// keysInOrder returns the names in an object in document order.
func keysInOrder(object json.RawMessage) ([]string, error) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var keys []string
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var direction json.RawMessage
		if err := d.Decode(&direction); err != nil {
			return nil, err
		}
		keys = append(keys, fmt.Sprint(name))
	}
	return keys, nil
}
