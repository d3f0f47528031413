package source

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/source/bsontext"
)

// archiveMagic begins the files that mongodump --archive writes. They hold a
// header, the metadata of all collections, then interleaved blocks, each with
// documents of one collection.
//
// Source: https://github.com/mongodb/mongo-tools/tree/master/common/archive
var archiveMagic = []byte{0x6d, 0xe2, 0x99, 0x81}

// archiveEnd ends a block of an archive.
var archiveEnd = []byte{0xff, 0xff, 0xff, 0xff}

// A segment is a run of BSON documents of one collection in an archive.
type segment struct {
	start, length int64
	before        int64 // total length of the segments before it
}

// maxSegments bounds the memory of an archive's index. mongodump writes blocks
// of up to 16 MB.
const maxSegments = 4 << 20

// A namespace is a collection in an archive.
type namespace struct {
	database, collection string
	metadata             []byte
	segments             []segment
	crc                  uint64
	ended                bool // its EOF block has been read
}

func (n *namespace) name() string { return n.database + "." + n.collection }

// An archiveIndex says where each collection's documents are in an archive.
type archiveIndex struct {
	namespaces map[string]*namespace
	segments   int
}

// An archiveReader reads an archive once, from beginning to end.
type archiveReader struct {
	ctx   context.Context
	src   *bufio.Reader
	at    int64
	doc   []byte // the last document read, valid until the next
	spare []byte
	table *crc64.Table
	archiveIndex
}

// indexArchive reads a whole archive. If the archive is damaged, the index
// covers the documents before the damage, and the error is a [*dumpError].
func indexArchive(ctx context.Context, src io.Reader) (archiveIndex, error) {
	r := archiveReader{
		ctx: ctx, src: bufio.NewReaderSize(src, bsonReadSize), table: crc64.MakeTable(crc64.ECMA),
		archiveIndex: archiveIndex{namespaces: map[string]*namespace{}},
	}
	err := r.read()
	return r.archiveIndex, err
}

func (r *archiveReader) read() error {
	if _, err := r.src.Discard(len(archiveMagic)); err != nil {
		return bsonCut(err, 0)
	}
	r.at = int64(len(archiveMagic))
	for first := true; ; first = false { // the header, then the metadata
		ended, err := r.next()
		if err != nil {
			return r.inside(err)
		}
		if ended {
			break
		}
		if !first {
			r.declare()
		}
	}
	for {
		if err := r.block(); err == io.EOF {
			return r.unfinished()
		} else if err != nil {
			return err
		}
	}
}

// inside returns the error for an archive that ends where it must not.
func (r *archiveReader) inside(err error) error {
	if err == io.EOF {
		return &dumpError{r.at, "the archive is cut off"}
	}
	return err
}

// next reads a document, or the end of a block.
func (r *archiveReader) next() (ended bool, err error) {
	if err := r.ctx.Err(); err != nil {
		return false, err
	}
	if head, _ := r.src.Peek(4); bytes.Equal(head, archiveEnd) {
		r.at += 4
		_, err = r.src.Discard(4)
		return true, err
	}
	r.doc, err = readBSON(r.src, &r.spare, r.at, maxBSON)
	if err == nil {
		r.at += int64(len(r.doc))
	}
	return false, err
}

// A header is the document that describes a collection or begins a block.
type header struct {
	Database   string          `json:"db"`
	Collection string          `json:"collection"`
	Metadata   string          `json:"metadata"`
	EOF        bool            `json:"EOF"`
	CRC        json.RawMessage `json:"CRC"`
}

// readHeader decodes the last document read.
func (r *archiveReader) readHeader() (header, bool) {
	text, err := bsontext.Append(nil, r.doc)
	var h header
	return h, err == nil && json.Unmarshal(text, &h) == nil
}

// declare records a collection and its metadata.
func (r *archiveReader) declare() {
	if h, ok := r.readHeader(); ok {
		r.namespace(h).metadata = []byte(h.Metadata)
	}
}

func (r *archiveReader) namespace(h header) *namespace {
	n := &namespace{database: h.Database, collection: h.Collection}
	if known, ok := r.namespaces[n.name()]; ok {
		return known
	}
	r.namespaces[n.name()] = n
	return n
}

// block reads a block. The error is [io.EOF] at the end of the archive.
func (r *archiveReader) block() error {
	start := r.at
	ended, err := r.next()
	if err != nil {
		return err
	}
	h, ok := r.readHeader()
	if ended || !ok || h.Collection == "" {
		return &dumpError{start, "a block of the archive does not say which collection it belongs to"}
	}
	n := r.namespace(h)
	if r.segments++; r.segments > maxSegments {
		return &dumpError{start, fmt.Sprintf("the archive has more than %d blocks", maxSegments)}
	}
	from := r.at
	for {
		if ended, err = r.next(); err != nil {
			// The documents of a block that is cut off still count.
			n.add(from, r.at)
			return r.inside(err)
		}
		if ended {
			break
		}
		n.crc = crc64.Update(n.crc, r.table, r.doc)
	}
	n.add(from, r.at-int64(len(archiveEnd)))
	if h.EOF {
		n.ended = true
		if want := fmt.Sprint(int64(n.crc)); string(h.CRC) != want {
			return &dumpError{start, "the checksum of " + n.name() + " does not match its documents"}
		}
	}
	return nil
}

func (n *namespace) add(start, end int64) {
	if end > start {
		before := int64(0)
		if last := len(n.segments) - 1; last >= 0 {
			before = n.segments[last].before + n.segments[last].length
		}
		n.segments = append(n.segments, segment{start, end - start, before})
	}
}

// unfinished looks for collections that the archive began but did not end.
func (r *archiveReader) unfinished() error {
	for _, name := range slices.Sorted(maps.Keys(r.namespaces)) {
		if n := r.namespaces[name]; !n.ended && n.hasDocuments() {
			return &dumpError{r.at, "the archive is cut off: the end of " + name + " is missing"}
		}
	}
	return nil
}

// hasDocuments reports whether the namespace is a collection rather than a
// view, which has only metadata.
func (n *namespace) hasDocuments() bool {
	var meta struct{ Type string }
	return len(n.segments) > 0 || json.Unmarshal(n.metadata, &meta) != nil || meta.Type != "view"
}

// A segmentReader reads the segments of an archive as if they were one file.
type segmentReader struct {
	rawFile
	segments []segment
	at       int64 // where Read continues
}

func (r *segmentReader) Read(p []byte) (int, error) {
	n, err := r.ReadAt(p, r.at)
	r.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadAt reads at an offset in the joined segments.
func (r *segmentReader) ReadAt(p []byte, offset int64) (n int, err error) {
	i := sort.Search(len(r.segments), func(i int) bool { return r.segments[i].before+r.segments[i].length > offset })
	for ; n < len(p); i++ {
		if i == len(r.segments) {
			return n, io.EOF
		}
		s := r.segments[i]
		skip := offset + int64(n) - s.before
		m, err := r.rawFile.ReadAt(p[n:n+int(min(int64(len(p)-n), s.length-skip))], s.start+skip)
		n += m
		if int64(m) < s.length-skip && n < len(p) {
			return n, err
		}
	}
	return n, nil
}

// membersOf returns a file for each collection in an archive, or nil if the
// file is not an archive.
func (s *Set) membersOf(ctx context.Context, file *File) ([]*File, error) {
	stream, err := openStream(file, nil)
	if err != nil {
		return nil, nil //nolint:nilerr // it says so when it is read
	}
	if file.bson = stream.bson != nil; !stream.archive {
		return nil, stream.Close()
	}
	var src io.Reader = stream
	if stream.plain < 0 {
		// The blocks of a collection are read from many places, so a compressed
		// archive is unpacked first.
		spool, err := s.NewSpool()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("unpack %s: %w", file.Path, err), stream.Close())
		}
		src, file.spool = io.TeeReader(stream, spool), whole(spool)
	}
	index, err := indexArchive(ctx, src)
	if err = errors.Join(err, stream.Close()); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		message, hint := cutOff(stream.compression, err)
		s.problem(finding.Problem{Message: message, Hint: hint, Location: finding.Location{File: file.Path}})
	}
	for _, name := range slices.Sorted(maps.Keys(index.namespaces)) {
		s.leaveBuckets(file.Path+"#"+name, index.namespaces[name].collection)
	}
	members := members(file, index)
	if len(members) == 0 && err == nil {
		s.problem(finding.Problem{
			Message: "the archive holds no user documents", Hint: "dump the database with mongodump --archive --db NAME",
			Location: finding.Location{File: file.Path},
		})
	}
	return members, nil
}

// members makes a file of each collection that holds users' documents.
func members(archive *File, index archiveIndex) []*File {
	members := []*File{}
	for _, name := range slices.Sorted(maps.Keys(index.namespaces)) {
		n := index.namespaces[name]
		if !ofUsers(n.database, n.collection) || !n.hasDocuments() {
			continue
		}
		member := &File{
			Path: archive.Path + "#" + name, given: archive.given, open: archive.open, unsaved: archive.unsaved, spool: archive.spool, object: archive.object,
			Metadata: n.metadata, database: n.database, collection: n.collection, Stdin: archive.Stdin,
			bson: true, segments: append([]segment{}, n.segments...), // not nil
		}
		for _, part := range n.segments {
			member.Size += part.length
		}
		members = append(members, member)
	}
	return members
}

// leaveBuckets reports a time series collection as not read. Its documents hold
// many measurements each, in the server's own format.
func (s *Set) leaveBuckets(path, collection string) {
	if strings.HasPrefix(collection, "system.buckets.") {
		s.left.Unread = append(s.left.Unread, path)
	}
}

// ofUsers reports whether a collection holds users' documents rather than the
// server's own.
//
// Source: https://www.mongodb.com/docs/manual/reference/system-collections/
func ofUsers(database, collection string) bool {
	switch database {
	case "admin", "config", "local":
		return false
	}
	return !strings.HasPrefix(collection, "system.") && !(database == "" && collection == "oplog")
}

// qualify adds the database to the names of dumped collections if the set has
// more than one database.
func (s *Set) qualify() {
	databases := map[string]bool{}
	for _, f := range s.Files {
		if f.database != "" {
			databases[f.database] = true
		}
	}
	for _, f := range s.Files {
		if f.collection != "" && f.database != "" && len(databases) > 1 {
			f.collection = f.database + "." + f.collection
		}
	}
}
