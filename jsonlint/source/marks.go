package source

import (
	"bytes"
	"io"
	"math"
	"sort"
)

// A mark says which line a place of a file is on. Marks are made while a file
// is first read, so that to locate a place later is not to read all that comes
// before it.
type mark struct {
	offset    int64 // in the decoded file
	line      int   // from 1
	lineStart int64 // offset of the first byte of that line
}

// markEvery is about how many bytes there are between two marks.
const markEvery = 4 << 20

// A marker counts the lines of a file that is read from its beginning.
type marker struct {
	every int64 // bytes between two marks, at least
	now   mark
	last  int64 // offset of the last mark
	marks []mark
}

func newMarker() *marker { return &marker{every: markEvery, now: mark{line: 1}} }

// pass counts the lines of what comes next.
func (m *marker) pass(text []byte) {
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

// before returns the last mark at or before an offset, the beginning of the
// file if there is none.
func before(marks []mark, offset int64) mark {
	if i := sort.Search(len(marks), func(i int) bool { return marks[i].offset > offset }); i > 0 {
		return marks[i-1]
	}
	return mark{line: 1}
}

// from returns a reader of the decoded bytes from an offset on; nil if the
// stream has to be read from its beginning.
func (s *stream) from(offset int64) io.Reader {
	if s.plain < 0 {
		return nil
	}
	return io.NewSectionReader(s.file, s.plain+offset, math.MaxInt64-s.plain-offset)
}
