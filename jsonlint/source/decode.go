package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/shapevet/shapevet/internal/quantity"
)

// maxWindow is the largest zstd window accepted, the same as in the zstd
// program.
const maxWindow = 128 << 20

// A stream is an open file, decompressed and decoded to UTF-8.
type stream struct {
	io.Reader
	file        io.ReaderAt
	compression string     // gzip, zstd or ""
	plain       int64      // offset in the file of the first byte read, or -1 if the bytes read are not those of the file
	archive     bool       // the file is a mongodump archive
	bson        *bsonLines // writes the text of a dump; nil for a text file
	closers     []func() error
}

func (s *stream) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

// sniffSize is how much of a file is examined to distinguish text from BSON.
const sniffSize = 512

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	utf8BOM   = []byte{0xef, 0xbb, 0xbf}
)

// openStream opens a file. consumed, if not nil, is called with the number of
// bytes read from disk.
func openStream(f *File, consumed func(n int)) (*stream, error) {
	if f.text != nil {
		return f.text.stream(consumed), nil
	}
	file, err := openRaw(f)
	if err != nil {
		return nil, err
	}
	s := &stream{file: file, closers: []func() error{file.Close}}
	var raw io.Reader = file
	if consumed != nil {
		raw = countingReader{file, consumed}
	}
	if f.segments != nil && f.bson {
		s.readBSON(raw)
		return s, nil
	}
	if err := s.decode(raw, f.Path); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// A rawFile is the bytes of a file, not decoded.
type rawFile interface {
	io.ReadCloser
	io.ReaderAt
}

type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// A spoolFile has several concurrent readers and is closed with the set.
type spoolFile struct{ *io.SectionReader }

func (spoolFile) Close() error { return nil }

// whole returns a reader of a whole temporary file.
func whole(spool *os.File) *io.SectionReader { return io.NewSectionReader(spool, 0, math.MaxInt64) }

func openRaw(f *File) (rawFile, error) {
	switch {
	case f.unsaved != nil:
		return memoryFile{bytes.NewReader(f.unsaved)}, nil
	case f.kept != nil:
		return f.within(memoryFile{bytes.NewReader(f.kept)}), nil
	case f.spool != nil:
		return f.within(spoolFile{io.NewSectionReader(f.spool, 0, f.spool.Size())}), nil
	case f.object != nil:
		return f.within(f.object.open()), nil
	}
	file, err := os.Open(f.open)
	if err != nil {
		return nil, err
	}
	return f.within(file), nil
}

// within returns the file's part of an archive.
func (f *File) within(archive rawFile) rawFile {
	if f.segments == nil {
		return archive
	}
	return &segmentReader{rawFile: archive, segments: f.segments}
}

// readBSON makes the stream return the text of BSON documents.
func (s *stream) readBSON(raw io.Reader) {
	s.plain = -1
	s.bson = newBSONLines(raw, maxBSON, bsonReadSize)
	s.Reader = s.bson
}

// decode determines the file's encoding from its first bytes.
func (s *stream) decode(raw io.Reader, name string) error {
	buffered := bufio.NewReaderSize(raw, 4096)
	magic, err := peek(buffered, sniffSize)
	if err != nil {
		return err
	}
	var decompressed io.Reader
	switch {
	case bytes.HasPrefix(magic, gzipMagic):
		s.compression = "gzip"
		r, err := gzip.NewReader(buffered)
		if err != nil {
			decompressed = failingReader{err}
			break
		}
		ahead := newReadAhead(r)
		s.closers = append(s.closers, ahead.Close)
		decompressed = ahead
	case bytes.HasPrefix(magic, zstdMagic):
		s.compression = "zstd"
		// The decoder keeps twice the window. With less it would move the whole
		// window for each megabyte, which takes five times as long.
		r, err := zstd.NewReader(buffered, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(false))
		if err != nil {
			return fmt.Errorf("zstd: %w", err)
		}
		s.closers = append(s.closers, func() error { r.Close(); return nil })
		decompressed = r
	}
	if decompressed != nil {
		s.plain = -1
		buffered = bufio.NewReaderSize(decompressed, 4096)
		if magic, err = peek(buffered, sniffSize); err != nil {
			s.Reader = failingReader{err}
			return nil
		}
	}
	s.Reader = buffered
	switch {
	case bytes.HasPrefix(magic, archiveMagic):
		s.archive = true
		return nil
	case isBSON(magic, name):
		s.readBSON(buffered)
		return nil
	}
	if bytes.HasPrefix(magic, utf8BOM) {
		if s.plain >= 0 {
			s.plain = int64(len(utf8BOM))
		}
		_, err = buffered.Discard(len(utf8BOM))
		return err
	}
	if order, ok := utf16Order(magic); ok {
		s.plain = -1
		decoder := unicode.UTF16(order, unicode.UseBOM).NewDecoder()
		s.Reader = transform.NewReader(buffered, decoder)
	}
	return nil
}

// peek returns up to n bytes, fewer at the end of the stream.
func peek(r *bufio.Reader, n int) ([]byte, error) {
	b, err := r.Peek(n)
	if err == io.EOF {
		err = nil
	}
	return b, err
}

// utf16Order recognises UTF-16 by its byte order mark, or else by the zero byte
// next to the bracket that JSON documents start with (RFC 4627 section 3).
func utf16Order(magic []byte) (order unicode.Endianness, ok bool) {
	if len(magic) < 2 {
		return order, false
	}
	a, b := magic[0], magic[1]
	utf32 := len(magic) >= 4 && magic[2] == 0 && magic[3] == 0
	opens := func(c byte) bool { return c == '{' || c == '[' }
	switch {
	case utf32:
		return order, false
	case a == 0xff && b == 0xfe, opens(a) && b == 0:
		return unicode.LittleEndian, true
	case a == 0xfe && b == 0xff, a == 0 && opens(b):
		return unicode.BigEndian, true
	}
	return order, false
}

// isCompressed reports whether a file is compressed. An unreadable file is not.
func isCompressed(f *File) bool {
	file, err := openRaw(f)
	if err != nil {
		return false
	}
	var magic [4]byte
	n, _ := io.ReadFull(file, magic[:])
	return file.Close() == nil && (bytes.HasPrefix(magic[:n], gzipMagic) || bytes.Equal(magic[:n], zstdMagic))
}

// cutOff describes the error that ended a stream early.
func cutOff(compression string, err error) (message, hint string) {
	hint = "copy or export the file again; the documents before this place were checked"
	if damage := (*dumpError)(nil); errors.As(err, &damage) {
		return damage.Error(), "dump it again; the documents before this place were checked"
	}
	if compression == "" {
		return fmt.Sprintf("cannot be read further: %v", err), hint
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return compression + " data is cut off", hint
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		return compression + " data is damaged: the checksum does not match", hint
	case errors.Is(err, gzip.ErrHeader):
		return compression + " data is followed by something else", hint
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return "zstd data needs a window of more than " + quantity.Bytes(maxWindow), "compress it again without --long"
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		return compression + " data is damaged", hint
	}
	return fmt.Sprintf("%s data is damaged: %v", compression, err), hint
}

// fill reads until buf is full or r fails. Unlike [io.ReadFull] it returns the
// error unchanged, so that callers can distinguish the end from a cut.
func fill(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

type countingReader struct {
	io.Reader
	consumed func(n int)
}

func (r countingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.consumed(n)
	return n, err
}

// A readAhead reads from another reader in its own goroutine, so that
// decompression and framing run in parallel.
type readAhead struct {
	full    chan block
	free    chan []byte
	stop    chan struct{}
	running sync.WaitGroup
	current block
	rest    []byte
}

type block struct {
	data []byte
	err  error
}

const (
	readAheadSize   = 256 << 10
	readAheadBlocks = 3
)

func newReadAhead(r io.Reader) *readAhead {
	a := &readAhead{
		full: make(chan block, readAheadBlocks),
		free: make(chan []byte, readAheadBlocks),
		stop: make(chan struct{}),
	}
	a.running.Go(func() { a.run(r) })
	return a
}

func (a *readAhead) run(r io.Reader) {
	made := 0
	for {
		var buf []byte
		select {
		case buf = <-a.free:
		default:
			if made < readAheadBlocks {
				// One small buffer is enough for small files.
				made++
				buf = make([]byte, min(readAheadSize, 32<<10<<(2*(made-1))))
				break
			}
			select {
			case buf = <-a.free:
			case <-a.stop:
				return
			}
		}
		n, err := fill(r, buf)
		select {
		case a.full <- block{buf[:n], err}:
		case <-a.stop:
			return
		}
		if err != nil {
			return
		}
	}
}

func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.current.err != nil {
			return 0, a.current.err
		}
		if a.current.data != nil {
			a.free <- a.current.data[:cap(a.current.data)]
		}
		a.current = <-a.full
		a.rest = a.current.data
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close stops reading ahead and waits until the goroutine has left the reader.
func (a *readAhead) Close() error {
	close(a.stop)
	a.running.Wait()
	return nil
}
