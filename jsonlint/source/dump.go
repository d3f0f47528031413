package source

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/source/bsontext"
)

// Damage is an unreadable document in an otherwise readable file. Its text is
// an empty line, so that line n is still the n-th document.
type Damage struct {
	File    *File
	Offset  int64 // of the line in the decoded file
	Message string
}

// maxDamage is how many damaged documents of a file are reported individually.
const maxDamage = 100

// A damageTally records the damaged documents of a file during its first
// reading.
type damageTally struct {
	set  *Set
	file *File
	n    int
	last int64 // offset of the last damaged document
}

func (t *damageTally) add(offset int64, message string) {
	t.n++
	t.last = offset
	if t.n <= maxDamage {
		t.note(offset, message)
	}
}

// close is called after the file has been read.
func (t *damageTally) close() {
	if t.n > maxDamage {
		t.note(t.last, fmt.Sprintf("and %d more damaged documents, of which this is the last", t.n-maxDamage))
	}
	t.file.damageKnown = true
}

func (t *damageTally) note(offset int64, message string) {
	t.set.mutex.Lock()
	defer t.set.mutex.Unlock()
	t.set.damage = append(t.set.damage, Damage{t.file, offset, message})
}

// bsonLines reads consecutive BSON documents, as mongodump writes them, and
// returns their text: relaxed Extended JSON, one document per line.
type bsonLines struct {
	src   *bufio.Reader
	limit int // bytes of the largest document read
	size  int // bytes of text to write at a time

	raw   int64  // bytes of src read
	at    int64  // offset of the next line in the text
	spare []byte // for a document larger than src's buffer
	text  []byte
	rest  []byte // the part of text not yet returned
	err   error

	lines int    // number of lines written
	marks []mark // places to resume from, about dumpMarkEvery apart

	// damaged, if not nil, is called for documents whose content makes no sense.
	damaged func(offset int64, message string)
}

const (
	// bsonReadSize is the read size for a dump that is read to its end,
	// bsonSeekSize for looking up a place.
	bsonReadSize = 256 << 10
	bsonSeekSize = 16 << 10

	// dumpMarkEvery is the approximate number of bytes of text between two marks.
	// To find a place, the text from the mark before it has to be written again.
	dumpMarkEvery = 256 << 10
)

// newBSONLines returns a reader of the text of src, which it writes size bytes
// at a time.
func newBSONLines(src io.Reader, limit, size int) *bsonLines {
	return &bsonLines{src: bufio.NewReaderSize(src, size), limit: limit, size: size}
}

func (l *bsonLines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		l.next()
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// A dumpError ends the reading of a dump, because the next document cannot be
// found.
type dumpError struct {
	offset int64 // in the dump
	reason string
}

func (e *dumpError) Error() string {
	return fmt.Sprintf("BSON data is damaged at byte %d: %s", e.offset, e.reason)
}

// next writes the text of the next documents, about one read's worth.
func (l *bsonLines) next() {
	l.text = l.text[:0]
	if last := len(l.marks) - 1; last < 0 || l.at-l.marks[last].offset >= dumpMarkEvery {
		l.marks = append(l.marks, mark{offset: l.at, line: l.lines + 1, lineStart: l.at, raw: l.raw})
	}
	for l.err == nil && len(l.text) < l.size {
		doc, err := readBSON(l.src, &l.spare, l.raw, l.limit)
		if err != nil {
			l.err = err
			break
		}
		start := l.at + int64(len(l.text))
		text, err := bsontext.Append(l.text, doc)
		if err != nil && l.damaged != nil {
			l.damaged(start, fmt.Sprintf("this BSON document is damaged: %v", err))
		}
		l.text = append(text, '\n')
		l.lines++
		l.raw += int64(len(doc))
	}
	l.at += int64(len(l.text))
	l.rest = l.text
}

// readBSON reads the document at offset. It is valid until src is read again. A
// document larger than src's buffer goes into spare, which grows. The error is
// [io.EOF] if the dump ends before the document.
func readBSON(src *bufio.Reader, spare *[]byte, offset int64, limit int) (doc []byte, err error) {
	head, err := src.Peek(4)
	if err == io.EOF && len(head) == 0 {
		return nil, io.EOF
	}
	if err != nil {
		return nil, bsonCut(err, offset)
	}
	size := int(int32(binary.LittleEndian.Uint32(head)))
	switch {
	case size < bsontext.MinDocument:
		return nil, &dumpError{offset, fmt.Sprintf("a document of %d bytes cannot be", size)}
	case size > limit:
		return nil, &dumpError{offset, fmt.Sprintf("a document of %s is larger than %s", quantity.Bytes(int64(size)), quantity.Bytes(int64(limit)))}
	}
	if size <= src.Size() {
		if doc, err = src.Peek(size); err == nil {
			_, err = src.Discard(size)
		}
	} else {
		doc = (*spare)[:0]
		for len(doc) < size && err == nil { // grow as the bytes arrive, because the length may be wrong
			have := len(doc)
			doc = append(doc, make([]byte, min(size-have, 1<<20))...)
			_, err = io.ReadFull(src, doc[have:])
		}
		*spare = doc
	}
	if err != nil {
		return nil, bsonCut(err, offset)
	}
	if doc[size-1] != 0 {
		return nil, &dumpError{offset, fmt.Sprintf("a document of %d bytes does not end where it should", size)}
	}
	return doc, nil
}

// bsonCut returns the error for a dump that ends within the document at offset.
// It returns other errors unchanged.
func bsonCut(err error, offset int64) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &dumpError{offset, "the file is cut off inside of this document"}
	}
	return err
}

// maxBSON is the largest BSON document that is read. MongoDB stores up to 16
// MB, and slightly larger documents for internal use.
const maxBSON = 64 << 20

// openDumps makes a file of each collection in an archive, reads the metadata
// next to the files of a dump, and drops the server's own collections.
func (s *Set) openDumps(f *finder) error {
	var files []*File
	lists := map[string]int{} // files of several documents, by directory
	for _, file := range s.Files {
		s.keep(file)
		if file.dir != "" && f.options.Defaults && (isSchema(file) || isCommented(file) || isValue(file)) && !globs.List(f.options.Include).Match(file.Path, file.given) {
			s.left.Files++
			f.unwalk(file)
			continue
		}
		file.Compressed = isCompressed(file)     // before an archive is unpacked
		members, err := s.membersOf(f.ctx, file) // also determines whether it is BSON
		switch {
		case err != nil:
			return err
		case members != nil:
			files = append(files, members...)
		case isDump(file.Path):
			if file.describe(); ofUsers(file.database, file.collection) {
				files = append(files, file)
			} else {
				s.leaveBuckets(file.Path, file.collection)
			}
		default:
			files = append(files, file)
		}
		for _, member := range members {
			member.Compressed = file.Compressed
		}
		file.single = -1
		if file.dir != "" && fewLists(lists[file.dir], f.walked[file.dir]) {
			if file.single, err = s.countSingle(file); err != nil {
				file.single = -1 // it reports its error when read
			} else if file.isList() {
				lists[file.dir]++
			}
		}
		s.release(file)
	}
	s.Files = files
	s.describeRemotes()
	s.qualify()
	return nil
}

// Store returns the only database that the files can come from, or "" if it
// could be any. Only MongoDB writes BSON.
func (s *Set) Store() string {
	for _, r := range s.remotes {
		return r.sample.Store
	}
	if slices.ContainsFunc(s.Files, (*File).Dumped) {
		return "mongodb"
	}
	return ""
}

// Dumped reports whether the file is BSON, so that shapevet itself writes the
// text of its documents.
func (f *File) Dumped() bool { return f.bson }

// isDump reports whether a file's name shows that mongodump wrote it.
func isDump(name string) bool {
	return strings.EqualFold(path.Ext(stem(filepath.ToSlash(name))), ".bson")
}

// describe reads what a dump directory says about a .bson file: the directory
// is the database, and the metadata next to the file has the collection's name
// and indexes. A lone file has neither.
func (f *File) describe() {
	f.collection = path.Base(withoutFormat(f.Path))
	if name, err := url.PathUnescape(f.collection); err == nil {
		f.collection = name // mongodump escapes characters that file systems may not allow
	}
	if f.Metadata = f.readMetadata(); f.Metadata == nil {
		return
	}
	f.database = path.Base(path.Dir(stem(filepath.ToSlash(cmp.Or(f.open, f.Path)))))
	var names struct{ CollectionName string }
	if json.Unmarshal(f.Metadata, &names) == nil {
		f.collection = cmp.Or(names.CollectionName, f.collection)
	}
}

// metadataSuffixes are the suffixes of the metadata that mongodump writes next
// to a .bson file.
var metadataSuffixes = [...]string{".metadata.json", ".metadata.json.gz", ".metadata.json.zst"}

// readMetadata returns nil for a lone file and for standard input.
func (f *File) readMetadata() []byte {
	if f.beside != nil && (f.beside.spool != nil || f.beside.object != nil) {
		data, _ := textOf(f.beside) // metadata is optional evidence, so an error does not matter
		return data
	}
	for _, suffix := range metadataSuffixes {
		if f.open == "" {
			break
		}
		if data, err := readSmall(withoutFormat(f.open) + suffix); err == nil {
			return data
		}
	}
	return nil
}

// withoutFormat strips the suffixes of the format and of compression.
func withoutFormat(name string) string {
	name = stem(filepath.ToSlash(name))
	return name[:len(name)-len(path.Ext(name))]
}

// maxMetadata is the largest metadata file that is read.
const maxMetadata = 16 << 20

// readSmall reads a file that lies next to documents.
func readSmall(name string) (data []byte, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return textOf(&File{Path: name, open: name})
}

func textOf(f *File) (data []byte, err error) {
	stream, err := openStream(f, nil)
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(stream, maxMetadata))
	return data, errors.Join(err, stream.Close())
}

// hasMetadata reports whether mongodump's metadata lies next to a file, which may have been
// converted to JSON.
func hasMetadata(sorted []fs.DirEntry, name string) bool {
	_, found := slices.BinarySearchFunc(sorted, withoutFormat(name)+metadataSuffixes[0], func(e fs.DirEntry, wanted string) int {
		return strings.Compare(e.Name(), wanted)
	})
	return found
}

// besideDump reports whether a file in a dump directory holds mongodump's
// metadata rather than documents.
func besideDump(name string) bool {
	name = strings.ToLower(stem(name))
	return name == "prelude.json" || strings.HasSuffix(name, ".metadata.json")
}
