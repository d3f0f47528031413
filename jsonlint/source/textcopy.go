package source

import (
	"io"
	"os"
)

const (
	// copiedBytes bounds the text of compressed files that is kept.
	copiedBytes = 16 << 30

	// copiedFiles bounds the number of copies, because each is an open file.
	copiedFiles = 128
)

// A textCopy is the decoded text of a file that is compressed or not in UTF-8,
// kept from its first reading. Documents are read again to examine and to show
// them; without a copy, each time would decompress all that comes before. Small
// files, and files beyond the bounds, have no copy.
type textCopy struct {
	file        *os.File
	size        int64
	end         error // what ended the text: [io.EOF], or the error that cut it off
	compression string
}

// copyText begins a copy of the text, whose first bytes are head.
func (r *reader) copyText(head []byte) {
	s := r.set
	if r.stream.plain >= 0 || r.stream.bson != nil && r.stream.compression == "" || r.end != WholeFile || r.file.segments != nil {
		return
	}
	if s.copies.Add(1) > copiedFiles {
		return
	}
	file, err := s.NewSpool()
	if err != nil {
		return // without a copy, reading again takes longer
	}
	r.copy = &textCopy{file: file, compression: r.stream.compression}
	if r.marker == nil {
		r.marker = newMarker(false)
	}
	r.copyMore(head)
}

// copyMore copies the next text. If there is no room, it gives up the copy.
func (r *reader) copyMore(text []byte) {
	if r.copy == nil || len(text) == 0 {
		return
	}
	if r.set.copied.Add(int64(len(text))) <= copiedBytes {
		if _, err := r.copy.file.Write(text); err == nil {
			r.copy.size += int64(len(text))
			return
		}
	}
	r.set.copied.Add(-r.copy.size - int64(len(text)))
	_ = r.copy.file.Truncate(0) // the disk may be full; the file is removed with the set
	r.copy, r.marker = nil, nil
}

// copied is called after everything was read.
func (r *reader) copied(end error) {
	if r.copy != nil {
		r.copy.end = end
		r.file.text = r.copy
	}
}

// stream returns a stream of the copy in place of the file.
func (c *textCopy) stream(consumed func(n int)) *stream {
	text := io.NewSectionReader(c.file, 0, c.size)
	s := &stream{file: c.file, compression: c.compression}
	s.Reader = io.MultiReader(text, failingReader{c.end})
	if consumed != nil {
		s.Reader = countingReader{s.Reader, consumed}
	}
	return s
}
