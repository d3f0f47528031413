package source

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"path"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/source/bsontext"
)

// A refusal says why a file holds no documents and what to do about it.
type refusal struct{ message, hint string }

// magics are the first bytes of files that are often mistaken for documents.
var magics = []struct{ prefix, name, hint string }{
	{"version https://git-lfs.github.com/spec/", "git-lfs pointer: the file itself was not downloaded", "run: git lfs pull"},
	{"PK\x03\x04", "zip archive", "unpack it first"},
	{"\x89PNG\r\n\x1a\n", "PNG image", ""},
	{"\xff\xd8\xff", "JPEG image", ""},
	{"GIF8", "GIF image", ""},
	{"%PDF-", "PDF document", ""},
	{"\xfd7zXZ\x00", "xz archive", "unpack it first: xz -d"},
	{"BZh", "bzip2 archive", "unpack it first: bzip2 -d"},
	{"7z\xbc\xaf\x27\x1c", "7z archive", "unpack it first"},
	{"\x04\x22\x4d\x18", "lz4 archive", "unpack it first: lz4 -d"},
	{"\x1f\x8b", "gzip archive inside a compressed file", "unpack it once: gzip -d"},
	{"\x28\xb5\x2f\xfd", "zstd archive inside a compressed file", "unpack it once: zstd -d"},
	{"\x7fELF", "program", ""},
	{"SQLite format 3\x00", "SQLite database", "export its documents as JSON Lines"},
	{"PAR1", "Parquet file", "export it as JSON Lines"},
	{"Obj\x01", "Avro file", "export it as JSON Lines: avro-tools tojson"},
	{"\xff\xfe\x00\x00", "UTF-32 text", "save it as UTF-8"},
	{"\x00\x00\xfe\xff", "UTF-32 text", "save it as UTF-8"},
}

// sniff recognises from the first bytes of a decoded file that it cannot hold
// documents. It returns nil if it may. whole says that head is the whole file.
func sniff(head []byte, name string, whole bool) *refusal {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return &refusal{"holds no documents: it is a " + m.name, m.hint}
		}
	}
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return &refusal{"holds no documents: it is a tar archive", "unpack it first: tar -xf"}
	}
	first := firstByte(head)
	if bytes.IndexByte(head, 0) >= 0 && first != '{' && first != '[' {
		return &refusal{"holds no documents: it is a binary file", hintFormats}
	}
	if first == '<' {
		return &refusal{"holds no documents: it is XML or HTML", hintFormats}
	}
	// A cell of a table may hold an object.
	if format := foreign(name); format != "" && first != 0 && first != '{' && first != '[' {
		return refuseText(name)
	}
	return nil
}

const hintFormats = "use JSON, JSON Lines, an array of documents, BSON or Markdown, plain or as .gz or .zst"

// refuseText describes a text without documents.
func refuseText(name string) *refusal {
	what := cmp.Or(foreign(name), "text without JSON in it")
	return &refusal{"holds no documents in any known format: it is " + what, hintFormats}
}

// foreign returns the format other than JSON that the name of a file implies,
// or "".
func foreign(name string) string {
	switch strings.ToLower(path.Ext(stem(name))) {
	case ".csv", ".tsv":
		return "a table of separated values"
	case ".yaml", ".yml":
		return "YAML"
	}
	return ""
}

// isBSON reports whether a file begins with a BSON document: a length, then the
// type and name of a field. For short lengths that are also JSON in UTF-16, the
// name of the file decides.
func isBSON(head []byte, name string) bool {
	named := isDump(name)
	if len(head) < bsontext.MinDocument {
		return named && firstByte(head) < ' ' && len(head) > 0 // cut off
	}
	size := int64(int32(binary.LittleEndian.Uint32(head)))
	if named {
		// A text file with such a name begins with a bracket, a space or a byte order
		// mark. Read as a length, that exceeds every document.
		return size <= maxBSON
	}
	if size < bsontext.MinDocument || size > maxBSON {
		return false
	}
	if _, wide := utf16Order(head); wide {
		return false
	}
	switch kind := head[4]; {
	case kind == 0:
		return size == bsontext.MinDocument
	case kind > 0x13 && kind != 0x7f && kind != 0xff:
		return false
	}
	return bytes.IndexByte(head[5:], 0) > 0 && (size > int64(len(head)) || head[size-1] == 0)
}

// firstByte returns the first byte that is not white space, or 0.
func firstByte(data []byte) byte {
	for _, c := range data {
		if !isSpace(c) {
			return c
		}
	}
	return 0
}
