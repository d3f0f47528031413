package scan

import "bytes"

// A Dialect is a way to write documents as JSON that states each value's type.
// A [Parser] with a dialect puts plain values on the tape: kind and payload are
// those of the value, Start and End those of its wrapper. Every offset still
// points into the text. A value that does not follow the dialect is read as
// plain JSON.
type Dialect uint8

const (
	// Plain is JSON and MongoDB Extended JSON.
	Plain Dialect = iota

	// DynamoDB is DynamoDB JSON, {"S":"text"}, {"N":"12"}, {"M":{…}}, bare or
	// under "Item" as in an export to S3, or under "PutRequest" and "Item" as in
	// a request to write a batch. Sets become arrays.
	DynamoDB

	// Firestore is a document of Firestore's REST interface,
	// {"name":"projects/…/documents/posts/p1","fields":{…}}, bare or under
	// "document" as in a query's answer. Only the members of "fields" go on the
	// tape. The name is in [Document.Ident]; the times of creation and update are
	// dropped. A reference becomes a String whose payload is the last segment of
	// its path, so that it equals the Ident of the document it refers to.
	Firestore
)

// maxVendorDepth bounds the recursion over typed values. DynamoDB allows 32
// levels and Firestore 20, so deeper values come from neither.
const maxVendorDepth = 64

// DetectDialect returns the dialect that the document's content is written in.
// Every value must fit: an ordinary document with a field "S" is Plain.
func DetectDialect(doc *Document) Dialect {
	if len(doc.Tokens) == 0 || doc.Len(0) == 0 {
		return Plain
	}
	if len(doc.Records) > 0 {
		layout := doc.Records[0].Layout
		if layout.plainness == unknown {
			layout.plainness = doc.plainness()
		}
		if layout.plainness == plain {
			return Plain
		}
	}
	if fields, name := doc.firestoreFields(); name >= 0 &&
		(fields < 0 || doc.typedMembers(fields, (*Document).firestoreValue, 0)) {
		return Firestore
	}
	if item := doc.dynamoItem(); doc.Len(item) > 0 && doc.typedMembers(item, (*Document).dynamoValue, 0) {
		return DynamoDB
	}
	return Plain
}

// plainness is what names and kinds say about a document's dialect. They are
// the same in all documents of its layout.
type plainness uint8

const (
	unknown plainness = iota
	plain
	perhapsTyped
)

func (d *Document) plainness() plainness {
	if _, ok := d.Get(0, "document"); ok {
		return perhapsTyped
	}
	named, wrapped := true, true // as in a Firestore document; as in DynamoDB
	for k, v := range d.Members(0) {
		named = named && firestoreMember(d.Text(k))
		wrapped = wrapped && d.Tokens[v].Kind == Object
	}
	if named || wrapped {
		return perhapsTyped
	}
	return plain
}

// typed is the content of a wrapper. For a container, inner is the index of the
// array or object with its typed elements or members, or -1 if it is empty and
// left out.
type typed struct {
	kind  Kind
	inner int
	// elements is the kind of elements that are bare strings (DynamoDB's sets),
	// otherwise Invalid.
	elements Kind
	// plain reports that a container's members are not typed themselves.
	plain bool
}

// A wrapReader returns what the object at i wraps.
type wrapReader func(d *Document, i int) (typed, bool)

// typedMembers reports whether all members of the object at i, or the elements of the
// array, are wrappers, at every level.
func (d *Document) typedMembers(i int, read wrapReader, depth int) bool {
	for _, v := range d.Members(i) {
		if !d.allTyped(v, read, depth) {
			return false
		}
	}
	for _, v := range d.Elements(i) {
		if !d.allTyped(v, read, depth) {
			return false
		}
	}
	return true
}

func (d *Document) allTyped(i int, read wrapReader, depth int) bool {
	w, ok := read(d, i)
	if !ok || depth > maxVendorDepth {
		return false
	}
	return w.kind < Object || w.inner < 0 || w.plain || w.elements != Invalid || d.typedMembers(w.inner, read, depth+1)
}

// only returns the name and value of the only member of the object at i. ok is
// false if there are several or the name has escapes.
func (d *Document) only(i int) (name string, value int, ok bool) {
	t := &d.Tokens[i]
	if t.Kind != Object || t.B != 1 || d.Tokens[i+1].Flags&Escaped != 0 {
		return "", 0, false
	}
	return wrapperName(d.Text(i + 1)), i + 2, true
}

// wrapperName returns the text as a constant, to avoid an allocation, or "" if
// it does not name a wrapper.
func wrapperName(text []byte) string {
	for _, name := range wrapperNames {
		if string(text) == name {
			return name
		}
	}
	return ""
}

var wrapperNames = [...]string{
	"S", "N", "BOOL", "M", "L", "NULL", "SS", "NS", "B", "BS",
	"stringValue", "integerValue", "doubleValue", "booleanValue", "mapValue", "arrayValue",
	"nullValue", "timestampValue", "referenceValue", "geoPointValue", "bytesValue",
}

// dynamoItem returns the index of the object with the attributes.
func (d *Document) dynamoItem() int {
	item := d.soleObject(0, "Item")
	if put := d.soleObject(0, "PutRequest"); put > 0 {
		item = d.soleObject(put, "Item")
	}
	if _, wrapped := d.dynamoValue(item); wrapped {
		return 0
	}
	return item
}

// soleObject returns the index of the object that is all that the object at i
// holds, under a name, or 0.
func (d *Document) soleObject(i int, name string) int {
	if t := &d.Tokens[i]; t.Kind == Object && t.B == 1 && string(d.Text(i+1)) == name && d.Tokens[i+2].Kind == Object {
		return i + 2
	}
	return 0
}

func (d *Document) dynamoValue(i int) (typed, bool) {
	name, v, ok := d.only(i)
	if !ok {
		return typed{}, false
	}
	t := &d.Tokens[v]
	bare := t.Flags&Wrapped == 0
	switch name {
	case "S":
		return typed{kind: String}, t.Kind == String && bare
	case "N":
		return typed{kind: Number}, isDynamoNumber(d, v)
	case "BOOL":
		return typed{kind: t.Kind}, t.Kind == True || t.Kind == False
	case "NULL":
		return typed{kind: Null}, t.Kind == True
	case "B":
		return typed{kind: Binary}, t.Kind == String && bare
	case "M":
		return typed{kind: Object, inner: v}, t.Kind == Object
	case "L":
		return typed{kind: Array, inner: v}, t.Kind == Array
	case "SS":
		return typed{kind: Array, inner: v, elements: String}, d.allStrings(v)
	case "BS":
		return typed{kind: Array, inner: v, elements: Binary}, d.allStrings(v)
	case "NS":
		ok := d.allStrings(v)
		for _, e := range d.Elements(v) {
			ok = ok && isDynamoNumber(d, e)
		}
		return typed{kind: Array, inner: v, elements: Number}, ok
	}
	return typed{}, false
}

func isDynamoNumber(d *Document, i int) bool {
	t := &d.Tokens[i]
	if t.Kind != String || t.Flags&Wrapped != 0 {
		return false
	}
	finite, ok := isDecimal(d.Text(i))
	return ok && finite
}

func (d *Document) allStrings(i int) bool {
	if d.Tokens[i].Kind != Array {
		return false
	}
	for _, v := range d.Elements(i) {
		if t := &d.Tokens[v]; t.Kind != String || t.Flags&Wrapped != 0 {
			return false
		}
	}
	return true
}

// firestoreFields returns the indexes of a Firestore document's fields and of its
// name, or of the id that a program kept of the name. The fields are -1 if the document has none, because Firestore then
// omits them. Both are -1 if this is not a Firestore document.
func (d *Document) firestoreFields() (fields, name int) {
	root := 0
	if v, ok := d.Get(root, "document"); ok && d.Tokens[v].Kind == Object {
		if _, hasTime := d.Get(root, "readTime"); hasTime || d.Len(root) == 1 {
			root = v
		}
	}
	for k := range d.Members(root) {
		if !firestoreMember(d.Text(k)) {
			return -1, -1
		}
	}
	fields, filled := d.Get(root, "fields")
	if filled && d.Tokens[fields].Kind != Object {
		return -1, -1
	}
	name, ok := d.Get(root, "name")
	if id, cut := d.Get(root, "id"); cut && !ok && filled && d.Len(fields) > 0 && d.Tokens[id].Kind == String {
		return fields, id
	}
	_, created := d.Get(root, "createTime")
	if !ok || d.Tokens[name].Kind != String || !filled && !created ||
		!bytes.HasPrefix(d.Text(name), []byte("projects/")) || !bytes.Contains(d.Text(name), []byte("/documents/")) {
		return -1, -1
	}
	return fields, name
}

func firestoreMember(name []byte) bool {
	switch string(name) {
	case "name", "id", "fields", "createTime", "updateTime":
		return true
	}
	return false
}

func (d *Document) firestoreValue(i int) (typed, bool) {
	name, v, ok := d.only(i)
	if !ok {
		return typed{}, false
	}
	t := &d.Tokens[v]
	str := t.Kind == String && t.Flags&Wrapped == 0
	switch name {
	case "stringValue":
		return typed{kind: String}, str
	case "integerValue":
		return typed{kind: Number}, (str || t.Kind == Number) && isInteger(d.Text(v))
	case "doubleValue":
		if t.Kind >= Object {
			return typed{}, false
		}
		_, ok := isDecimal(d.Text(v))
		return typed{kind: Number}, ok && (str || t.Kind == Number)
	case "booleanValue":
		return typed{kind: t.Kind}, t.Kind == True || t.Kind == False
	case "timestampValue":
		return typed{kind: Date}, str && isISODate(d.Text(v))
	case "referenceValue":
		return typed{kind: String}, str
	case "bytesValue":
		return typed{kind: Binary}, str
	case "nullValue":
		return typed{kind: Null}, t.Kind == Null || str && string(d.Text(v)) == "NULL_VALUE"
	case "geoPointValue":
		return typed{kind: Object, inner: v, plain: true}, t.Kind == Object
	case "mapValue", "arrayValue":
		kind, member := Object, "fields"
		if name == "arrayValue" {
			kind, member = Array, "values"
		}
		inner, has := d.Get(v, member)
		if !has {
			return typed{kind: kind, inner: -1}, t.Kind == Object && t.B == 0
		}
		return typed{kind: kind, inner: inner}, t.B == 1 && d.Tokens[inner].Kind == kind
	}
	return typed{}, false
}

// normalize removes the dialect's wrappers from the tape in place. Writing
// never overtakes reading, because removing wrappers only shortens the tape.
func (d *Document) normalize(dialect Dialect) {
	n := normalizer{d: d}
	root := 0
	switch dialect {
	case DynamoDB:
		n.read = (*Document).dynamoValue
		root = d.dynamoItem()
	case Firestore:
		n.read = (*Document).firestoreValue
		fields, name := d.firestoreFields()
		if name < 0 {
			return
		}
		d.Ident = d.Tokens[name]
		d.Ident.A = d.lastSegment(name)
		if root = fields; fields < 0 {
			d.Tokens = d.Tokens[:1]
			d.Tokens[0].A, d.Tokens[0].B = 1, 0
			return
		}
	}
	if d.Tokens[root].Kind != Object {
		return
	}
	whole := d.Tokens[0]
	n.members(root, 0)
	d.Tokens[0].Start, d.Tokens[0].End = whole.Start, whole.End
	d.Tokens = d.Tokens[:n.w]
}

// lastSegment returns the offset after the last slash of the string at i.
func (d *Document) lastSegment(i int) uint32 {
	return d.Tokens[i].A + uint32(bytes.LastIndexByte(d.Text(i), '/')+1)
}

type normalizer struct {
	d    *Document
	read wrapReader
	w    int // index of the next token to write
}

func (n *normalizer) put(t Token) {
	n.d.Tokens[n.w] = t
	n.w++
}

// members writes the object at r, its members unwrapped.
func (n *normalizer) members(r, depth int) {
	at, t := n.w, n.d.Tokens[r]
	n.put(t)
	for k, end := r+1, int(t.A); k < end; {
		next := n.d.Next(k + 1)
		n.put(n.d.Tokens[k])
		n.value(k+1, depth)
		k = next
	}
	n.d.Tokens[at].A = uint32(n.w)
}

// elements writes the array at r, its elements unwrapped.
func (n *normalizer) elements(r, depth int) {
	at, t := n.w, n.d.Tokens[r]
	n.put(t)
	for v, end := r+1, int(t.A); v < end; {
		next := n.d.Next(v)
		n.value(v, depth)
		v = next
	}
	n.d.Tokens[at].A = uint32(n.w)
}

// verbatim writes the value at r unchanged.
func (n *normalizer) verbatim(r int) {
	shift := uint32(r - n.w)
	for end := n.d.Next(r); r < end; r++ {
		t := n.d.Tokens[r]
		if t.Kind >= Object {
			t.A -= shift
		}
		n.put(t)
	}
}

func (n *normalizer) value(r, depth int) {
	w, ok := n.read(n.d, r)
	if !ok || depth > maxVendorDepth {
		n.verbatim(r)
		return
	}
	outer, at := n.d.Tokens[r], n.w
	if w.kind < Object {
		n.put(n.scalar(w.kind, outer, r+2, wrapperName(n.d.Text(r+1))))
		return
	}
	switch {
	case w.inner < 0:
		n.put(Token{Kind: w.kind, A: uint32(at + 1)})
	case w.plain:
		n.verbatim(w.inner)
	case w.elements != Invalid:
		n.set(w)
	case w.kind == Object:
		n.members(w.inner, depth+1)
	default:
		n.elements(w.inner, depth+1)
	}
	t := &n.d.Tokens[at]
	t.Start, t.End, t.Flags = outer.Start, outer.End, t.Flags|Wrapped
}

// scalar returns the token for the scalar whose payload is at v.
func (n *normalizer) scalar(kind Kind, outer Token, v int, name string) Token {
	t := n.d.Tokens[v]
	if name == "referenceValue" {
		t.A = n.d.lastSegment(v)
	}
	t.Start, t.End, t.Kind = outer.Start, outer.End, kind
	return n.d.asKind(t)
}

// set writes the array of strings at w.inner, giving the elements their own
// kind.
func (n *normalizer) set(w typed) {
	r, at := w.inner, n.w
	end := int(n.d.Tokens[r].A)
	n.put(n.d.Tokens[r])
	for r++; r < end; r++ {
		t := n.d.Tokens[r]
		t.Kind = w.elements
		n.put(n.d.asKind(t))
	}
	n.d.Tokens[at].A = uint32(n.w)
}

// asKind returns a string token as another kind, with its flags set.
func (d *Document) asKind(t Token) Token {
	t.Flags = t.Flags&Escaped | Wrapped
	if t.Kind == Number && !isInteger(d.Src[t.A:t.B]) {
		t.Flags |= Float
	}
	return t
}
