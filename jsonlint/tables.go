package jsonlint

import (
	"strings"

	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// phpMyAdmin exports a database as a list: a header, the database, and each table with
// its rows. The rows are documents.
//
//	[{"type":"header","version":"5.2.1","comment":"Export to JSON plugin for PHPMyAdmin"},
//	{"type":"database","name":"shop"},
//	{"type":"table","name":"users","database":"shop","data":[{"id":"1","name":"Ann"}]}]

// showTable shows the rows of such a table, which is document n of a batch. It reports
// whether the document belongs to such an export.
func (s *workspace) showTable(worker int, b *source.Batch, n int, d *scan.Document, p *pass) bool {
	base := b.Base + int64(b.Spans[n].Start)
	text := func(name string) string {
		if i, ok := d.Get(0, name); ok && d.Tokens[i].Kind == scan.String {
			return d.String(i)
		}
		return ""
	}
	switch rows, ok := d.Get(0, "data"); {
	case text("type") == "header" && strings.HasSuffix(text("comment"), "PHPMyAdmin"):
		s.exported = b.File
		return true
	case text("type") == "database" && s.exported == b.File:
		return true
	case text("type") == "table" && text("database") != "" && ok && d.Len(0) == 4 && allObjects(d, rows):
		tables := databaseFile{d: d, yield: func(name string, part *scan.Document) bool {
			s.showPart(worker, b, base, part, name, p)
			return true
		}}
		return tables.all(text("name"), rows)
	}
	return false
}
