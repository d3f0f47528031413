package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
)

// A Range is a range of bytes of a decoded file.
type Range struct {
	File       *File
	Start, End int64
}

const (
	// snippetSize is the longest piece of a line shown, in bytes. The piece of a
	// longer line begins snippetBefore bytes before the place.
	snippetSize   = 160
	snippetBefore = 60

	// margin is how much to keep on both sides of a place while locating it.
	margin = 512
)

// Locate returns the lines and columns of ranges, with the text of the line in
// which each starts. It reads each file once. Offsets beyond the end of a file
// stand for its end.
func (s *Set) Locate(ctx context.Context, ranges []Range) ([]finding.Location, error) {
	locations := make([]finding.Location, len(ranges))
	places := make([]place, 0, 2*len(ranges))
	for i, r := range ranges {
		locations[i].File = r.File.Path
		places = append(places,
			place{r.File, r.Start, i, false},
			place{r.File, max(r.Start, r.End), i, true})
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file.ID, b.file.ID), cmp.Compare(a.offset, b.offset))
	})
	for len(places) > 0 {
		file := places[0].file
		n := slices.IndexFunc(places, func(p place) bool { return p.file != file })
		if n < 0 {
			n = len(places)
		}
		if err := s.locate(ctx, file, places[:n], locations); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Path, err)
		}
		places = places[n:]
	}
	return locations, nil
}

// A place is one end of a range.
type place struct {
	file   *File
	offset int64
	index  int // of its range
	end    bool
}

// locate finds the places of one file, which must be sorted.
func (s *Set) locate(ctx context.Context, f *File, places []place, locations []finding.Location) (err error) {
	stream, err := openStream(f, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stream.Close()) }()
	buf := s.newBuffer(max(s.chunkSize, 4*margin))
	defer s.freeBuffer(buf)
	w := window{line: 1, dump: stream.bson != nil}
	var text io.Reader = stream
	for len(places) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		kept := 0
		if near := before(f.marks, places[0].offset-2*margin); near.offset > w.end() {
			w = window{dump: w.dump, base: near.offset, line: near.line, lineStart: near.lineStart, counted: near.offset}
			text = stream.from(near)
		} else {
			kept = w.slide(buf)
		}
		n, readErr := fill(text, buf[kept:])
		w.data, w.last = buf[:kept+n], readErr != nil
		for len(places) > 0 && w.covers(places[0].offset) {
			p := places[0]
			places = places[1:]
			w.place(p, &locations[p.index])
		}
	}
	return nil
}

// A window is the part of a file being scanned line by line.
type window struct {
	data []byte
	base int64 // offset of data[0]
	last bool  // the file ends with data

	line      int   // the line at counted, from 1
	lineStart int64 // offset of its first byte
	counted   int64 // offset up to which lines are counted

	dump bool   // lines are documents of a dump
	head string // beginning of the line, if it is before the window
}

func (w *window) end() int64 { return w.base + int64(len(w.data)) }

// covers reports whether the window covers an offset and the margin after it.
func (w *window) covers(offset int64) bool { return w.last || offset+margin <= w.end() }

// slide makes room in buf for what follows. Two margins stay, because the
// places not yet reached are in the last margin or beyond.
func (w *window) slide(buf []byte) (kept int) {
	keep := w.data[max(0, len(w.data)-2*margin):]
	w.advance(w.end() - int64(len(keep)))
	if w.dump {
		w.head = w.lineHead()
	}
	w.base = w.end() - int64(len(keep))
	return copy(buf, keep)
}

// lineHead returns the beginning of the line, up to its first field.
func (w *window) lineHead() string {
	if w.lineStart < w.base {
		return w.head
	}
	start := int(w.lineStart - w.base)
	return string(w.data[start:min(len(w.data), start+snippetSize)])
}

// advance counts lines up to offset.
func (w *window) advance(offset int64) {
	if offset <= w.counted {
		return
	}
	text := w.data[w.counted-w.base : offset-w.base]
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		w.line += n
		w.lineStart = w.counted + int64(bytes.LastIndexByte(text, '\n')) + 1
	}
	w.counted = offset
}

func (w *window) place(p place, l *finding.Location) {
	offset := min(max(p.offset, 0), w.end())
	w.advance(offset)
	column := int(offset-w.lineStart) + 1
	if p.end {
		l.EndLine, l.EndColumn = w.line, column
		return
	}
	l.Line, l.Column = w.line, column
	if w.dump {
		l.Document = shellID(w.lineHead())
	}
	at := int(offset - w.base)
	start := int(max(w.lineStart-w.base, 0))
	limit := min(len(w.data), at+margin)
	end, whole := limit, limit == len(w.data) && w.last
	if n := bytes.IndexByte(w.data[at:limit], '\n'); n >= 0 {
		end, whole = at+n, true
	}
	if whole && end > start && w.data[end-1] == '\r' {
		end--
	}
	from, to := start, end
	if end-start > snippetSize {
		from = max(start, at-snippetBefore)
		to = min(end, from+snippetSize)
		from = max(start, to-snippetSize)
		for from < to && from > start && !utf8.RuneStart(w.data[from]) {
			from++
		}
		for to > from && to < end && !utf8.RuneStart(w.data[to]) {
			to--
		}
	}
	l.Snippet = string(w.data[from:max(from, to)])
	l.SnippetColumn = int(w.base+int64(from)-w.lineStart) + 1
}

// opened is the file read last. It stays open because thousands of its
// documents may be read again in a row.
type opened struct {
	mutex  sync.Mutex
	file   *File
	stream *stream
}

func (o *opened) open(f *File) (err error) {
	if o.file == f {
		return nil
	}
	if err := o.close(); err != nil {
		return err
	}
	if o.stream, err = openStream(f, nil); err == nil {
		o.file = f
	}
	return err
}

func (o *opened) close() error {
	if o.file == nil {
		return nil
	}
	o.file = nil
	return o.stream.Close()
}

// Bytes returns a range of the decoded file. For plain UTF-8 it reads only the
// range, for a dump it starts at a mark, and for other files it also reads
// everything before the range.
func (s *Set) Bytes(ctx context.Context, f *File, start, end int64) (data []byte, err error) {
	if start < 0 || end < start {
		return nil, fmt.Errorf("%s: not a range: %d to %d", f.Path, start, end)
	}
	o := &s.opened
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if err := o.open(f); err != nil {
		return nil, err
	}
	data = make([]byte, end-start)
	if stream := o.stream; stream.plain >= 0 {
		if _, err = stream.file.ReadAt(data, stream.plain+start); err == io.EOF && len(data) == 0 {
			err = nil
		}
	} else {
		r := contextReader{ctx, stream}
		near := before(f.marks, start)
		if near.offset > 0 {
			r.r = stream.from(near)
		}
		if _, err = io.CopyN(io.Discard, r, start-near.offset); err == nil {
			_, err = io.ReadFull(r, data)
		}
		err = errors.Join(err, o.close()) // it cannot seek back
	}
	if err != nil {
		return nil, fmt.Errorf("%s: bytes %d to %d: %w", f.Path, start, end, err)
	}
	return data, nil
}

// Start returns the offset in the file at which the decoded text starts. ok is
// false if decoded offsets do not match the file's own: it is compressed, in
// UTF-16, or a copy of standard input.
func (s *Set) Start(f *File) (start int64, ok bool, err error) {
	if f.spool != nil || f.object != nil || f.text != nil {
		return 0, false, nil
	}
	stream, err := openStream(f, nil)
	if err != nil {
		return 0, false, fmt.Errorf("%s: %w", f.Path, err)
	}
	return max(0, stream.plain), stream.plain >= 0, stream.Close()
}
