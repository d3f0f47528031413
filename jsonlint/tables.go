package jsonlint

import (
	"path"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// phpMyAdmin exports a database as a list: a header, the database, and each table with
// its rows. The rows are documents.
//
//	[{"type":"header","version":"5.2.1","comment":"Export to JSON plugin for PHPMyAdmin"},
//	{"type":"database","name":"shop"},
//	{"type":"table","name":"users","database":"shop","data":[{"id":"1","name":"Ann"}]}]
//
// Django writes each row of all tables as an object with its model. A row without a
// primary key is known by the values of its fields. Strapi writes the type.
//
//	[{"model":"shop.user","pk":1,"fields":{"name":"Ann"}}]
//	{"type":"api::user.user","id":1,"data":{"name":"Ann"}}

// Other programs write each collection with its name, in a list or in a file of its own.
//
//	[{"collection":"users","data":[{"id":"1","name":"Ann"}]}]
//	{"index_name":"users","documents":[{"id":"1","name":"Ann"}]}

// called returns the name of a collection and the index of its documents, if that, and how
// many they are, is all that the object says.
func called(d *scan.Document) (name string, list int, ok bool) {
	for k, v := range d.Members(0) {
		switch field := lexicon.Fold(d.String(k)); {
		case d.Tokens[v].Kind == scan.String && collectionNames[strings.TrimSuffix(field, "name")]:
			name = d.String(v)
		case list == 0 && (field == "data" || field == "documents") && d.Tokens[v].Kind == scan.Array && allObjects(d, v):
			list = v
		case !counts(d, 0, v):
			return "", 0, false
		}
	}
	return name, list, name != "" && list > 0
}

// collectionNames are what databases call a collection.
var collectionNames = map[string]bool{"collection": true, "table": true, "index": true}

// tableMembers is the number of members of such a table. Documents with more are looked
// at no further.
const tableMembers = 4

// showTable shows the rows of such a table, or such a row, which is document n of a
// batch. It reports whether the document belongs to such an export.
func (s *workspace) showTable(worker int, b *source.Batch, n int, d *scan.Document, p *pass) bool {
	if d.Len(0) > tableMembers {
		return false
	}
	text := func(name string) string {
		if i, ok := d.Get(0, name); ok && d.Tokens[i].Kind == scan.String {
			return d.String(i)
		}
		return ""
	}
	documents := databaseFile{d: d, yield: func(name string, part *scan.Document) bool {
		s.showPart(worker, b, b.Base+int64(b.Spans[n].Start), part, name, p)
		return true
	}}
	if name, list, ok := called(d); ok {
		return documents.all(name, list)
	}
	switch text("type") {
	case "header":
		if strings.HasSuffix(text("comment"), "PHPMyAdmin") {
			s.exported = b.File
			return true
		}
	case "database":
		return s.exported == b.File
	case "table":
		rows, ok := d.Get(0, "data")
		if !ok || text("database") == "" || d.Len(0) != tableMembers || !allObjects(d, rows) {
			return false
		}
		return documents.all(text("name"), rows)
	}
	// Fixtures are alternatives, even those of the same name in the directories of two apps.
	name, inner := "", "fields"
	if table := text("model"); strings.Count(table, ".") == 1 {
		name = strings.TrimLeft(path.Base(path.Dir(b.File.Path))+"."+b.File.Collection+"."+table, ".")
	} else if table := text("type"); strings.Contains(table, "::") {
		name, inner = table, "data"
	}
	if fields, ok := d.Get(0, inner); name == "" || !ok || d.Tokens[fields].Kind != scan.Object {
		return false
	}
	if _, keyed := d.Get(0, "pk"); !keyed && inner == "fields" {
		d.Ident = d.Tokens[0]
	}
	s.showPart(worker, b, b.Base+int64(b.Spans[n].Start), d, name, p)
	return true
}
