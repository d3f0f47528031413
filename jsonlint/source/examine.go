package source

import (
	"bytes"
	"encoding/json"
	"io"
)

const (
	// smallFile is the largest file, in bytes, that is read as soon as it is
	// found, so that it is opened only once.
	smallFile = 64 << 10

	// keptFiles bounds the bytes of small files kept.
	keptFiles = 32 << 20
)

// keep reads a small file right away.
func (s *Set) keep(f *File) {
	if f.unsaved != nil || f.spool != nil && f.dir == "" || f.Size > smallFile {
		return
	}
	file, err := openRaw(f)
	if err != nil {
		return // the error is reported when the file is read
	}
	defer file.Close()
	data := make([]byte, f.Size)
	if n, err := io.ReadFull(file, data); err == nil && int64(n) == f.Size {
		f.kept = data
	}
}

// release drops a file that there is no room to keep. It is opened again when
// read.
func (s *Set) release(f *File) {
	if s.kept+int64(len(f.kept)) > keptFiles {
		f.kept = nil
	}
	s.kept += int64(len(f.kept))
}

// isSchema reports whether a file is one object that names its schema, as JSON
// Schemas and tool settings do and documents do not, or its OpenAPI version.
func isSchema(f *File) bool {
	text := bytes.TrimPrefix(f.kept, utf8BOM)
	if firstByte(text) != '{' {
		return false
	}
	start, _ := trimmed(text)
	l := lexer{data: text[start:], pos: 1}
	name := string(l.token())
	if !l.expect(":") {
		return false
	}
	url := l.token()
	if name == `"openapi"` || name == `"swagger"` {
		return len(url) > 1 && url[0] == '"' && '0' <= url[1] && url[1] <= '9'
	}
	if name != `"$schema"` {
		return false
	}
	return bytes.HasPrefix(url, []byte(`"http://`)) || bytes.HasPrefix(url, []byte(`"https://`)) || bytes.HasPrefix(url, []byte(`"./`))
}

// isValue reports whether a small file is a single number, string or boolean,
// such as a counter. It was not meant as a document.
func isValue(f *File) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(f.kept, utf8BOM))
	return !f.Prose && len(text) > 0 && text[0] != '{' && text[0] != '[' && string(text) != "null" && json.Valid(text)
}

// isCommented reports whether a small file is JSON with comments, which people
// write for tools: the file, or the object in it, begins with a comment. A
// comment such as /* 1 */ before a document does not count, because some shells
// number documents that way.
func isCommented(f *File) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(f.kept, utf8BOM))
	inside, object := bytes.CutPrefix(text, []byte("{"))
	inside = bytes.TrimSpace(inside)
	return !f.Prose && (bytes.HasPrefix(text, []byte("//")) || object && (bytes.HasPrefix(inside, []byte("//")) || bytes.HasPrefix(inside, []byte("/*"))))
}
