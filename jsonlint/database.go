package jsonlint

import (
	"bytes"
	"iter"
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// A file may hold a whole database as one object. The names are collections.
// The values are arrays of documents, as json-server and many seed scripts
// write them, or objects with one member per document, named by its id, as
// Firestore and the Realtime Database export them. No database stores such a
// document: it has no id and no fields of its own.

// databaseCollections bounds the members of a database file that are not empty.
// An object with more members is used as a map.
const databaseCollections = 50

// wholeFile reports whether a batch is a whole file that holds one document.
func wholeFile(b *source.Batch) bool {
	return len(b.Spans) == 1 && b.Base == 0 && !b.File.Compressed && !b.File.Prose && int64(len(b.Data))+3 >= b.File.Size
}

// tables returns the object below the document that holds the tables of an
// export. At least two of its members are lists of several objects, and
// everything beside it on the way down describes the export. Each object on the
// way may be the only element of a list.
func tables(d *scan.Document) (root int, ok bool) {
	for inner := 0; ; root = inner {
		inner = 0
		lists := 0
		for k, v := range d.Members(root) {
			if v = counted(d, v); d.Tokens[v].Kind == scan.Array && d.Len(v) == 1 {
				v++
			}
			switch kind := d.Tokens[v].Kind; {
			case kind == scan.Array && d.Len(v) > 1 && allObjects(d, v):
				lists++
			case kind == scan.Object && flat(d, v):
			case kind == scan.Object && inner == 0:
				inner = v
			case kind == scan.Object, kind < scan.Object && !envelopeNames[lexicon.Fold(d.String(k))] && !about(d, k, v):
				return root, root > 0 && lists > 1 && isDatabase(d, root)
			}
		}
		if inner == 0 || lists > 0 {
			return root, root > 0 && lists > 1 && isDatabase(d, root)
		}
	}
}

// flat reports whether an object or a list holds no objects.
func flat(d *scan.Document, i int) bool {
	for _, v := range elements(d, i) {
		if kind := d.Tokens[v].Kind; kind == scan.Object || kind == scan.Array && !flat(d, v) {
			return false
		}
	}
	return true
}

// collectionsBelow returns the object in which an export of Firestore keeps the
// collections below the database or the document at i. Either no field can have its
// name, as __collections__: names with two underscores on both sides are reserved
// (https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields).
// Or all documents are named by ids that Firestore makes.
func collectionsBelow(d *scan.Document, i int) (root int, ok bool) {
	for k, v := range d.Members(i) {
		name := d.Text(k)
		if reserved := bytes.HasPrefix(name, underscores) && bytes.HasSuffix(name[2:], underscores); areCollections(d, v) && (reserved || namedByFirestore(d, v)) {
			return v, true
		}
	}
	return 0, false
}

// namedByFirestore reports whether all documents in the collections at i have ids of
// twenty letters and digits, as Firestore makes them.
func namedByFirestore(d *scan.Document, i int) bool {
	documents := 0
	for _, v := range d.Members(i) {
		for k := range d.Members(v) {
			if name := d.Text(k); len(name) != 20 || !alphanumeric(name) {
				return false
			}
			documents++
		}
	}
	return documents > 0
}

func alphanumeric(name []byte) bool {
	return !bytes.ContainsFunc(name, func(r rune) bool { return (r < '0' || '9' < r) && (r < 'A' || 'Z' < r) && (r < 'a' || 'z' < r) })
}

var underscores = []byte("__")

// areCollections reports whether the value at i is an object whose members are
// objects of named documents.
func areCollections(d *scan.Document, i int) bool {
	if d.Tokens[i].Kind != scan.Object {
		return false
	}
	for _, v := range d.Members(i) {
		if d.Tokens[v].Kind != scan.Object || !allObjects(d, v) {
			return false
		}
	}
	return true
}

// withoutCollections removes the collections below a document from it.
func withoutCollections(d *scan.Document) {
	v, ok := collectionsBelow(d, 0)
	if !ok {
		return
	}
	k, n := v-1, d.Next(v)-v+1
	d.Tokens = slices.Delete(d.Tokens, k, k+n)
	for i := range d.Tokens {
		if t := &d.Tokens[i]; t.Kind >= scan.Object && int(t.A) > k {
			t.A -= uint32(n)
		}
	}
	d.Tokens[0].B--
}

// isDatabase reports whether the document is a database file: every member is
// an array or an object of objects, and different members hold objects of
// different kinds. If the members' objects are alike, the object is a map (a
// finding, not a file format), unless the objects are stored under ids. Where
// most members hold documents with ids, the rest may describe the export or be
// settings.
func isDatabase(d *scan.Document, root int) bool {
	if d.Len(root) == 0 || likeIDs(d, root) { // list2 may be a collection's name, if the others do not look like ids
		return false
	}
	sure, filled, other := 0, 0, false
	var lists []map[string]int
	for k, v := range d.Members(root) {
		v = counted(d, v)
		if d.Tokens[v].Kind < scan.Object || d.Len(v) > 0 {
			filled++
		}
		switch {
		case filled > databaseCollections:
			return false
		case identity(d.String(k)) && d.Tokens[v].Kind < scan.Object:
			return false
		case counts(d, root, v), describesExport(d, v), d.Tokens[v].Kind < scan.Object && ofExport(d, k):
		case !allObjects(d, v):
			other = true
		case d.Tokens[v].Kind == scan.Object && d.Len(v) > 0 && underIDs(d, v):
			sure++
		case d.Tokens[v].Kind == scan.Array && d.Len(v) > 0:
			if names, _ := namesIn(d, v); max(names["id"], names[idName]) == d.Len(v) { // every document has an id
				lists = append(lists, names)
			}
		}
	}
	if other || sure > 1 && 2*sure > d.Len(root) { // the rest are single documents, such as settings
		return sure > 1 && 2*sure > d.Len(root) || len(lists) >= keyedDocuments && 2*len(lists) > d.Len(root) && !allAlike(lists)
	}
	return holdKinds(d, root)
}

// holdKinds reports whether the members of the object at root hold documents of
// different kinds, or documents stored under ids.
func holdKinds(d *scan.Document, root int) bool {
	var shapes []map[string]int
	byKey, byID, most := false, true, 0
	for _, v := range d.Members(root) {
		if v = counted(d, v); d.Tokens[v].Kind < scan.Object || d.Len(v) == 0 || describesExport(d, v) {
			continue
		}
		names, common := namesIn(d, v)
		shapes = append(shapes, names)
		if d.Tokens[v].Kind == scan.Object {
			byKey, byID = true, byID && (namesItself(d, v) || underIDs(d, v))
			if usualNames(names, d.Len(v)) > 1 || likeIDs(d, v) { // "Area": {"text": …} is part of a document
				most = max(most, common)
			}
			if 2*common < d.Len(v) {
				return false // sections of settings
			}
		}
	}
	switch {
	case len(shapes) == 0:
		return false
	case byKey && byID:
		return true
	case byKey && most < keyedDocuments:
		return false
	}
	return byKey && d.Len(root) == 1 || !allAlike(shapes)
}

// row returns the document in a row of a view, as CouchDB answers it with
// include_docs, or else the element itself.
func row(d *scan.Document, element int) int {
	doc, others := element, 0
	for k, v := range d.Members(element) {
		switch name := d.String(k); {
		case name == "doc" && d.Tokens[v].Kind == scan.Object:
			doc = v
		case name == "id" || name == "key" || name == "value":
			others++
		default:
			return element
		}
	}
	if others < 3 {
		return element
	}
	return doc
}

// documentsIn yields the documents in a file that is one object, each with its
// collection; "" stands for the collection that the file is named after. ok is
// false if the object is itself a document. A part is valid until the next one
// is yielded. lost are the names of collections that occur again later in the file.
// Their documents are not yielded.
func documentsIn(d *scan.Document, file *source.File) (parts iter.Seq2[string, *scan.Document], lost []int, ok bool) {
	var walk func(f *databaseFile) bool
	collections, nested := collectionsBelow(d, 0)
	list, page := envelope(d, 0)
	name, its, named := called(d)
	inner, below := tables(d)
	root := 0
	if !isDatabase(d, root) {
		root = content(d)
	}
	if !page && root > 0 && listNames[lexicon.Fold(d.String(root-1))] {
		list, page = envelope(d, root)
	}
	if !page {
		list, page = ownList(d, file.Own)
	}
	switch {
	case d.Dialect != scan.Plain: // only a document is written so
		return nil, nil, false
	case nested && d.Len(0) == 1:
		walk = func(f *databaseFile) bool { return f.members(collections) }
	case named:
		walk = func(f *databaseFile) bool { return f.all(name, its) }
	case below:
		walk = func(f *databaseFile) bool { return f.members(inner) }
	case page:
		walk = func(f *databaseFile) bool {
			name := d.String(list)
			if listNames[lexicon.Fold(name)] {
				name = ""
			}
			return f.all(name, list+1)
		}
	case allObjects(d, 0) && (namesItself(d, 0) || underIDs(d, 0) && areRecords(d, 0)):
		walk = func(f *databaseFile) bool { return f.all("", 0) }
	case isDatabase(d, root):
		lost = overwritten(d, root)
		walk = func(f *databaseFile) bool { return f.members(root) }
	case file.Wrapped && d.Len(0) == 1 && d.Tokens[2].Kind == scan.Object:
		walk = func(f *databaseFile) bool { return f.show(file.Collection, 1, 2) }
	default:
		return nil, nil, false
	}
	return func(yield func(string, *scan.Document) bool) {
		walk(&databaseFile{d: d, yield: yield, lost: lost})
	}, lost, true
}

// overwritten returns the names of collections in the object at root that occur again
// later. Readers of JSON keep only the last one.
func overwritten(d *scan.Document, root int) (names []int) {
	last := map[string]int{}
	for k, v := range d.Members(root) {
		if name := d.String(k); d.Len(v) > 0 && allObjects(d, v) {
			if before, again := last[name]; again {
				names = append(names, before)
			}
			last[name] = k
		}
	}
	return names
}

// A databaseFile yields the documents in a file. Its methods report whether to
// continue.
type databaseFile struct {
	d     *scan.Document
	yield func(collection string, part *scan.Document) bool
	lost  []int // names of members to leave out
	part  scan.Document
	text  []byte // the text of d, followed by the name of the id
}

// show yields the document at element; key is the index of its name, or 0.
func (f *databaseFile) show(name string, key, element int) bool {
	f.d.Sub(row(f.d, element), &f.part)
	withoutCollections(&f.part)
	if _, ok := f.part.Get(0, idName); key > 0 && !ok {
		if f.text == nil {
			f.text = append(slices.Clip(f.d.Src), idName...)
		}
		f.part.Src = f.text
		identify(&f.part, f.d.Tokens[key])
	}
	return f.yield(name, &f.part)
}

// all yields the documents in the array or object at i, and those in the
// collections below them.
func (f *databaseFile) all(name string, i int) bool {
	for key, element := range elements(f.d, i) {
		if !f.show(name, key, element) {
			return false
		}
		if below, ok := collectionsBelow(f.d, element); ok && !f.members(below) {
			return false
		}
	}
	return true
}

// members yields the documents in the members of the object at root. A member
// that holds no documents is itself a document.
func (f *databaseFile) members(root int) bool {
	for k, v := range f.d.Members(root) {
		switch name, docs := f.d.String(k), counted(f.d, v); {
		case slices.Contains(f.lost, k), describesExport(f.d, docs):
		case allObjects(f.d, docs):
			if !f.all(name, docs) {
				return false
			}
		case f.d.Tokens[v].Kind == scan.Object && !f.show(name, 0, v):
			return false
		}
	}
	return true
}
