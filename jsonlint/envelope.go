package jsonlint

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A file may hold one page of an API's answer: an array of objects, and beside
// it only fields that describe the page.

// envelopeNames are the field names that paging puts beside the list.
var envelopeNames = map[string]bool{
	"total": true, "count": true, "page": true, "pages": true, "pagesize": true, "perpage": true, "limit": true, "offset": true,
	"skip": true, "next": true, "previous": true, "prev": true, "hasmore": true, "hasnext": true, "cursor": true, "nextcursor": true,
	"nextpagetoken": true, "pagetoken": true, "scannedcount": true, "totalrows": true, "updateseq": true, "consumedcapacity": true, "lastevaluatedkey": true, "totalcount": true,
	"totalpages": true, "totalresults": true, "totalhits": true, "numfound": true, "start": true, "size": true, "took": true,
	"success": true, "status": true, "columns": true, "continuationtoken": true, "rid": true, "links": true,
}

// answerNames are the fields in which answers and exports state their status
// and version. Documents have such fields too, so these count only beside
// documents with ids.
var answerNames = map[string]bool{"code": true, "statuscode": true, "message": true, "msg": true, "error": true, "ok": true, "version": true}

// about reports whether a value beside a list describes the answer or the
// export.
func about(d *scan.Document, k, v int) bool {
	switch {
	case d.Tokens[v].Kind >= scan.Object:
		return false
	case answerNames[lexicon.Fold(d.String(k))], profile.FormOf(d.Text(v)).IsDate():
		return true
	}
	return ofExport(d, k)
}

// ofExport reports whether the name at k is that of a field such as exportDate.
func ofExport(d *scan.Document, k int) bool {
	if lower := bytes.ToLower(d.Text(k)); !bytes.Contains(lower, []byte("export")) && !bytes.Contains(lower, []byte("backup")) {
		return false // most names need not be split
	}
	words := lexicon.Tokens(d.String(k))
	return len(words) > 1 && (strings.HasPrefix(words[0], "export") || words[0] == "backup")
}

// describesExport reports whether the object at i says of what and when the file is an
// export: {"exportedAt": …, "projectId": …}.
func describesExport(d *scan.Document, i int) bool {
	if d.Tokens[i].Kind != scan.Object || !flat(d, i) {
		return false
	}
	for k := range d.Members(i) {
		if ofExport(d, k) {
			return true
		}
	}
	return false
}

// listNames are envelope field names that mean just "the documents" and do not
// name the collection.
var listNames = map[string]bool{
	"data": true, "items": true, "results": true, "result": true, "documents": true, "docs": true, "records": true, "rows": true,
	"value": true, "values": true, "list": true, "entries": true, "content": true, "hits": true, "objects": true, "response": true,
	"dados": true, "datos": true, "donnees": true, "daten": true, "dati": true,
}

// envelope returns the index of the name of the list that the object at root
// wraps.
func envelope(d *scan.Document, root int) (list int, ok bool) {
	said := false
	for k, v := range d.Members(root) {
		switch {
		case d.Tokens[v].Kind == scan.Array && allObjects(d, v) && (d.Len(v) > 0 || listNames[lexicon.Fold(d.String(k))]):
			if ok {
				return 0, false
			}
			list, ok = k, true
		case envelopeNames[lexicon.Fold(d.String(k))], counts(d, root, v), countsWithin(d, root, v):
		case about(d, k, v):
			said = true
		default:
			return 0, false
		}
	}
	return list, ok && (!said || haveIDs(d, list+1))
}

// ofMore returns the number of documents of which a page says that it has only some:
// {"total": 56, "count": 50, "regions": […]}. It returns 0 if it says no such thing.
func ofMore(d *scan.Document) int {
	list, page := envelope(d, 0)
	if !page {
		return 0
	}
	for k, v := range d.Members(0) {
		name := lexicon.Fold(d.String(k))
		if strings.HasPrefix(name, "total") && name != "totalpages" && d.Tokens[v].Kind == scan.Number {
			if n, err := strconv.Atoi(string(d.Raw(v))); err == nil && n > d.Len(list+1) {
				return n
			}
		}
	}
	return 0
}

// haveIDs reports whether every object in the list at i has an id.
func haveIDs(d *scan.Document, i int) bool {
	for _, element := range d.Elements(i) {
		_, plain := d.Get(element, "id")
		if _, ok := d.Get(element, idName); !ok && !plain {
			return false
		}
	}
	return true
}

// ownList returns the index of the name of the list, or the object of named
// objects, that has the same name as the file. The values beside it describe
// the file, and so do a list of words and an object such as its schema.
func ownList(d *scan.Document, file string) (list int, ok bool) {
	for k, v := range d.Members(0) {
		name := d.String(k)
		switch {
		case !ok && d.Len(v) > 0 && lexicon.Fold(name) == lexicon.Fold(file) && (d.Tokens[v].Kind == scan.Array && allObjects(d, v) || d.Len(v) >= keyedDocuments && areRecords(d, v)):
			list, ok = k, true
		case allObjects(d, v) || identity(name):
			return 0, false
		}
	}
	return list, ok
}

// counted returns the index of the list in the object at i that wraps the documents of
// a collection and says how many they are, or i if it is no such object.
func counted(d *scan.Document, i int) int {
	if d.Tokens[i].Kind != scan.Object {
		return i
	}
	list, ok := envelope(d, i)
	if !ok || !listNames[lexicon.Fold(d.String(list))] {
		return i
	}
	for _, v := range d.Members(i) {
		if d.Len(list+1) == 0 || counts(d, i, v) {
			return list + 1
		}
	}
	return i
}

// counts reports whether the value at i is a number that counts the objects in
// a list beside it in the object at root: their number, their largest id, or
// the next id.
func counts(d *scan.Document, root, i int) bool {
	number := func(i int) int {
		if d.Tokens[i].Kind != scan.Number {
			return 0
		}
		n, _ := strconv.Atoi(string(d.Raw(i)))
		return n
	}
	n := number(i)
	if n == 0 {
		return false
	}
	for _, list := range d.Members(root) {
		if d.Tokens[list].Kind != scan.Array || d.Len(list) == 0 || !allObjects(d, list) {
			continue
		}
		last := 0
		for _, element := range d.Elements(list) {
			if id, ok := d.Get(element, "id"); ok {
				last = max(last, number(id))
			}
		}
		if n == d.Len(list) || last > 0 && (n == last || n == last+1) {
			return true
		}
	}
	return false
}

// countsWithin reports whether the value at i is an object about the list
// beside it: it has a member with an envelope name that counts the list's
// objects.
func countsWithin(d *scan.Document, root, i int) bool {
	if d.Tokens[i].Kind != scan.Object {
		return false
	}
	for k, v := range d.Members(i) {
		if slices.ContainsFunc(lexicon.Tokens(d.String(k)), func(t string) bool { return envelopeNames[t] }) && counts(d, root, v) {
			return true
		}
	}
	return false
}

// content returns the object that holds the collections: the only object in the
// document if it is called so or everything else describes the export, otherwise
// the document itself.
func content(d *scan.Document) int {
	inner, called, others := 0, "", false
	for k, v := range d.Members(0) {
		switch kind := d.Tokens[v].Kind; {
		case describesExport(d, v):
		case kind == scan.Object && inner == 0:
			inner, called = v, lexicon.Fold(d.String(k))
		case kind >= scan.Object:
			return 0
		case !envelopeNames[lexicon.Fold(d.String(k))] && !about(d, k, v):
			others = true
		}
	}
	if others && called != "tables" && called != "collections" {
		return 0
	}
	return inner
}
