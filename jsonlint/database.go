package jsonlint

import (
	"iter"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// A file may hold a whole database as one object: the names are those of
// collections, the values arrays of their documents, as json-server and many
// seed scripts write it. No database stores such a document: it has no id and
// nothing of its own.

// databaseCollections bounds the members of a database file: an object with
// more of them is used as a map.
const databaseCollections = 50

// wholeFile reports whether a batch is all of a file and holds one document.
func wholeFile(b *source.Batch) bool {
	return len(b.Spans) == 1 && b.Base == 0 && !b.File.Compressed && !b.File.Prose && int64(len(b.Data))+3 >= b.File.Size
}

// isDatabase reports whether the document is a database file: every member is
// an array of objects, and the objects of different members are of different
// kinds. Members whose objects are alike are a map, which is a finding and not
// a format.
func isDatabase(d *scan.Document) bool {
	if d.Len(0) == 0 || d.Len(0) > databaseCollections {
		return false
	}
	var shapes []map[string]bool
	filled := 0
	for k, v := range d.Members(0) {
		if d.Tokens[v].Kind != scan.Array || profile.FormOf(d.Text(k)).IDLike() {
			return false
		}
		names := map[string]bool{}
		for _, element := range d.Elements(v) {
			if d.Tokens[element].Kind != scan.Object {
				return false
			}
			for name := range d.Members(element) {
				names[d.String(name)] = true
			}
		}
		if d.Len(v) > 0 {
			filled++
			shapes = append(shapes, names)
		}
	}
	if filled == 0 {
		return false
	}
	for i, a := range shapes {
		for _, b := range shapes[:i] {
			if !alike(a, b) {
				return true
			}
		}
	}
	return len(shapes) == 1 && d.Len(0) == 1
}

// alike reports whether two sets of names have more than half in common.
func alike(a, b map[string]bool) bool {
	common := 0
	for name := range a {
		if b[name] {
			common++
		}
	}
	return 2*common > len(a)+len(b)-common
}

// documentsIn yields the documents of a database file with their collections.
// A document is valid until the next.
func documentsIn(d *scan.Document) iter.Seq2[string, *scan.Document] {
	return func(yield func(string, *scan.Document) bool) {
		var part scan.Document
		for k, v := range d.Members(0) {
			name := d.String(k)
			for _, element := range d.Elements(v) {
				d.Sub(element, &part)
				if !yield(name, &part) {
					return
				}
			}
		}
	}
}
