package source

import (
	"bytes"
	"io"
	"math"
	"sort"

	"github.com/zeebo/xxh3"
)

// A mark says which line a place in a file is on. Marks are made during the
// first reading, so that a place can be located later without reading all that
// precedes it.
type mark struct {
	offset    int64 // in the decoded file
	line      int   // from 1
	lineStart int64 // offset of the first byte of that line
	raw       int64 // offset in the dump, if the text comes from BSON
}

// markEvery is the approximate number of bytes between two marks.
const markEvery = 4 << 20

// A marker counts the lines of a file that is read from the beginning.
type marker struct {
	every int64 // least number of bytes between two marks
	now   mark
	last  int64 // offset of the last mark
	marks []mark
	hash  *xxh3.Hasher // nil to compute no hash
}

func newMarker(hash bool) *marker {
	m := &marker{every: markEvery, now: mark{line: 1}}
	if hash {
		m.hash = xxh3.New()
	}
	return m
}

// finish stores the results in a file, whose last bytes are text.
func (m *marker) finish(f *File, text []byte) {
	f.marks = m.marks
	if m.hash != nil {
		_, _ = m.hash.Write(text) // writing to a hash cannot fail
		f.hash, f.hashed = m.hash.Sum64(), true
	}
}

// pass counts the lines of the next text.
func (m *marker) pass(text []byte) {
	if m.hash != nil {
		_, _ = m.hash.Write(text)
	}
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		m.now.line += n
		m.now.lineStart = m.now.offset + int64(bytes.LastIndexByte(text, '\n')) + 1
	}
	m.now.offset += int64(len(text))
	if m.now.offset-m.last >= m.every {
		m.last = m.now.offset
		m.marks = append(m.marks, m.now)
	}
}

// before returns the last mark at or before an offset, or the beginning of the
// file.
func before(marks []mark, offset int64) mark {
	if i := sort.Search(len(marks), func(i int) bool { return marks[i].offset > offset }); i > 0 {
		return marks[i-1]
	}
	return mark{line: 1}
}

// from returns a reader of the decoded bytes from a mark on, or nil if the
// stream must be read from its beginning.
func (s *stream) from(m mark) io.Reader {
	switch {
	case s.plain >= 0:
		return io.NewSectionReader(s.file, s.plain+m.offset, math.MaxInt64-s.plain-m.offset)
	case s.bson != nil && s.compression == "":
		return newBSONLines(io.NewSectionReader(s.file, m.raw, math.MaxInt64-m.raw), s.bson.limit, bsonSeekSize)
	}
	return nil
}
