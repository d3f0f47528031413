package source

import (
	"bytes"
	"encoding/json"
	"io"
)

const (
	// smallFile is how large a file may be, in bytes, to be read at once when
	// it is found, so that it is opened only once.
	smallFile = 64 << 10

	// keptFiles bounds the bytes of small files that are kept.
	keptFiles = 32 << 20
)

// keep reads a small file at once.
func (s *Set) keep(f *File) {
	if f.unsaved != nil || f.spool != nil && f.dir == "" || f.Size > smallFile {
		return
	}
	file, err := openRaw(f)
	if err != nil {
		return // it says so when it is read
	}
	defer file.Close()
	data := make([]byte, f.Size)
	if n, err := io.ReadFull(file, data); err == nil && int64(n) == f.Size {
		f.kept = data
	}
}

// release lets go of a file that there is no room to keep. It is opened again
// when it is read.
func (s *Set) release(f *File) {
	if s.kept+int64(len(f.kept)) > keptFiles {
		f.kept = nil
	}
	s.kept += int64(len(f.kept))
}

// isSchema reports whether a file is one object that says which schema it keeps
// to, as JSON Schemas and the settings of tools do and documents do not, or
// which version of OpenAPI it is.
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

// isValue reports whether a small file is one number, text or truth value, as a
// counter is kept. Nothing in it was meant as a document.
func isValue(f *File) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(f.kept, utf8BOM))
	return !f.Prose && len(text) > 0 && text[0] != '{' && text[0] != '[' && string(text) != "null" && json.Valid(text)
}

// isCommented reports whether a small file is JSON with comments, which people
// write for tools: it begins with a comment, or its object does. A comment such
// as /* 1 */ before a document is none of that: some shells number documents so.
func isCommented(f *File) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(f.kept, utf8BOM))
	inside, object := bytes.CutPrefix(text, []byte("{"))
	inside = bytes.TrimSpace(inside)
	return !f.Prose && (bytes.HasPrefix(text, []byte("//")) || object && (bytes.HasPrefix(inside, []byte("//")) || bytes.HasPrefix(inside, []byte("/*"))))
}
