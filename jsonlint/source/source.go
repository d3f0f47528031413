// Package source reads inputs (files, directories, globs, standard input) and
// cuts them into documents with their positions, whatever the layout,
// compression and encoding. It finds where documents begin and end and leaves
// reading them to package scan.
//
// Documents that stand cleanly between others are plain spans; where the
// framing is damaged the bytes in question are handed on as suspect spans, so
// that nothing is lost. What cannot be read at all is a problem of the [Set].
package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// DefaultMaxDocument is the largest document that is read, in bytes. The
// largest a document database stores is 20 MB.
const DefaultMaxDocument = 128 << 20

// Options of [Open].
type Options struct {
	Collections   []CollectionRule // the first match wins
	StdinFilename string           // names standard input; default "<stdin>"
	Stdin         io.Reader        // what the input "-" reads
	MaxDocument   int64            // bytes one document may have; 0 is [DefaultMaxDocument]
	MaxTotal      int64            // bytes all files may have together; 0 for any number
	Shallow       bool             // leave out the directories in a directory
	Hash          bool             // have files hashed as they are read, see [File.Hash]

	// Of the files in directories, those that Skip matches are left out. Those
	// that Include matches are read although something else would leave them
	// out: their names, .gitignore, or Defaults, which leaves out what holds no
	// documents, see [NoDocument]. Both are globs.
	Skip, Include []string
	Defaults      bool

	TempDir string // where temporary files go; "" is that of the system

	// InPlace has objects read where they are, each time that they are read,
	// instead of fetched once: for who reads little of them.
	InPlace bool

	// Openers sample the databases that inputs name by a URL, and Stores read
	// the objects.
	Openers remote.Openers
	Stores  remote.Stores
	Remote  remote.Options

	// Exclude are the absolute paths of files that hold no documents.
	Exclude []string

	// Unsaved is text that is read instead of that of files, by their absolute
	// paths: what an editor shows and has not written yet.
	Unsaved map[string][]byte
}

// A TooLargeError says that the files have more than [Options.MaxTotal] bytes.
type TooLargeError struct{ Limit int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the documents are larger than %s together", quantity.Bytes(e.Limit))
}

// A CollectionRule puts the documents of the files that match Glob into the
// collection Name. The glob knows ** and {a,b}; it is matched against the path
// with slashes and against its last element.
type CollectionRule struct{ Name, Glob string }

// A File is one input file.
type File struct {
	ID         uint32 // its place in the sorted order of the set
	Path       string // as reported: relative to the working directory if below it, with slashes
	Collection string
	Own        string // the collection of several documents in the file, where a directory holds one in each
	Compressed bool
	Stdin      bool
	Prose      bool  // Markdown: documents are in its code blocks
	Size       int64 // bytes on disk

	// Metadata is what mongodump wrote down of the collection: its options and
	// indexes as Extended JSON. nil if there is none.
	Metadata []byte

	// Remote is what is known of a collection sampled from a live database; nil
	// for files.
	Remote *Remote

	open    string            // what to open
	unsaved []byte            // read instead if not nil
	spool   *io.SectionReader // a temporary copy, read instead if not nil
	object  *placedObject     // of a store, read instead if not nil
	beside  *File             // of an object that mongodump wrote: the one with its metadata; nil if there is none
	given   string            // path as the user wrote it
	dir     string            // that was walked to find it, "" if none was

	// Of a collection in a dump of mongodump.
	database, collection string
	bson                 bool
	segments             []segment // where its documents are in an archive or spool; nil if it is a file of its own

	single int    // see countSingle; -1 if it was not counted
	kept   []byte // all of a small file, read instead if not nil
	text   *textCopy

	damageKnown bool   // its damage was noted when it was first read to the end
	marks       []mark // made when it was first read to the end; none where offsets are not those of the file
	hash        uint64
	hashed      bool
}

// A Set is a sorted set of input files. Its methods may be called from several
// goroutines, except Close.
type Set struct {
	Files []*File

	maxDocument int
	hash        bool // files are hashed
	headSize    int  // see headSize
	chunkSize   int
	chunks      sync.Pool // buffers of chunkSize
	heads       sync.Pool // and of headSize
	spans       sync.Pool

	spools  []*os.File
	remotes []remoteSample
	stores  []remote.Store // of objects that are read where they are
	tempDir string
	left    LeftOut
	copied  atomic.Int64 // bytes of text kept, see textCopy
	copies  atomic.Int64
	kept    int64 // bytes of small files kept
	opened  opened

	mutex    sync.Mutex
	problems []finding.Problem
	damage   []Damage
	known    map[problemKey]bool
	progress func(done, total int64)
}

type problemKey struct{ path, message string }

// A Batch is a run of documents of one file. Its memory is used again after
// visit returns.
type Batch struct {
	File  *File
	Base  int64 // offset of Data[0] in the decoded file
	Data  []byte
	Spans []Span // in order, not overlapping

	// Labels are what the captions above the blocks of a Markdown file name the
	// documents of the spans; nil elsewhere.
	Labels []string
}

// Label returns what the text says that the documents of a span are; "" if it
// says nothing.
func (b *Batch) Label(span int) string {
	if b.Labels == nil {
		return ""
	}
	return b.Labels[span]
}

// A Span is the range of one document in the data of a batch, or of a region
// that is not cleanly framed and needs recovery. Small documents have many for
// little text, so that it holds no pointers.
type Span struct {
	Start, End int
	Suspect    bool
}

// Hash returns the hash (XXH3) of the text of a file as it was first read, byte
// order mark left out. ok is false if it was not read to its end, was decoded,
// or [Options.Hash] was not set.
func (f *File) Hash() (hash uint64, ok bool) { return f.hash, f.hashed }

// Open finds the files that inputs name. What cannot be found is a problem of
// the set; the error is for options that make no sense, a standard input that
// cannot be kept, a cancelled context, and a [TooLargeError].
//
// The set has to be closed.
func Open(ctx context.Context, inputs []string, o Options) (*Set, error) {
	if err := checkRules(o.Collections); err != nil {
		return nil, err
	}
	s := &Set{
		maxDocument: DefaultMaxDocument,
		hash:        o.Hash,
		tempDir:     o.TempDir,
		headSize:    headSize,
		chunkSize:   chunkSize,
		known:       map[problemKey]bool{},
	}
	if o.MaxDocument > 0 {
		s.maxDocument = int(o.MaxDocument)
	}
	f := finder{ctx: ctx, set: s, options: o, seen: map[string]bool{}, walked: map[string][]*File{}}
	for _, path := range o.Exclude {
		f.seen[path] = true
	}
	for _, input := range inputs {
		if err := f.find(input); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if err := s.openDumps(&f); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	slices.SortStableFunc(s.Files, comparePaths)
	for i, file := range s.Files {
		file.ID = uint32(i)
	}
	if err := s.nameCollections(ctx, o.Collections, f.walked); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// LeftOut returns what directories hold beside the files of the set.
func (s *Set) LeftOut() LeftOut { return s.left }

// Close removes what was kept of inputs that can be read only once.
func (s *Set) Close() error {
	var errs []error
	for _, r := range s.remotes {
		errs = append(errs, r.database.Close())
	}
	s.remotes = nil
	for _, store := range s.stores {
		errs = append(errs, store.Close())
	}
	s.stores = nil
	for _, spool := range s.spools {
		errs = append(errs, dropSpool(spool))
	}
	s.spools = nil
	return errors.Join(append(errs, s.opened.close())...)
}

// NewSpool makes a temporary file that is gone with the set.
func (s *Set) NewSpool() (*os.File, error) {
	spool, err := os.CreateTemp(s.tempDir, "shapevet-*")
	if err != nil {
		return nil, err
	}
	// Where an open file can be removed, nothing is left of it however the run
	// ends. Elsewhere, on Windows, it stays until the set is closed.
	_ = os.Remove(spool.Name())
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.spools = append(s.spools, spool)
	return spool, nil
}

// dropSpool closes a temporary file and removes it.
func dropSpool(spool *os.File) error {
	err := spool.Close()
	if removed := os.Remove(spool.Name()); !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}

// SetProgress has report called with the bytes read from disk so far, and with
// how many there are, while Read runs. Calls do not overlap.
func (s *Set) SetProgress(report func(done, total int64)) { s.progress = report }

// Problems returns what could not be opened, read or recognised, or is cut
// off, sorted by place.
func (s *Set) Problems() []finding.Problem {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	problems := slices.Clone(s.problems)
	slices.SortFunc(problems, finding.CompareProblems)
	return problems
}

// Damage returns the documents that could not be read, of what was read so
// far, sorted by place.
func (s *Set) Damage() []Damage {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	damage := slices.Clone(s.damage)
	slices.SortFunc(damage, func(a, b Damage) int {
		return cmp.Or(cmp.Compare(a.File.ID, b.File.ID), cmp.Compare(a.Offset, b.Offset))
	})
	return damage
}

// Add adds what another reading of the same files has noted.
func (s *Set) Add(problems []finding.Problem, damage []Damage) {
	for _, p := range slices.SortedFunc(slices.Values(problems), finding.CompareProblems) { // the first of a file is told
		s.problem(p)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, d := range damage {
		if !slices.Contains(s.damage, d) {
			s.damage = append(s.damage, d)
		}
	}
}

// problem records a problem once, however often it is met.
func (s *Set) problem(p finding.Problem) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	key := problemKey{p.Location.File, p.Message}
	if !s.known[key] {
		s.known[key] = true
		s.problems = append(s.problems, p)
	}
}

// problemAt records a problem at an offset of the decoded file.
func (s *Set) problemAt(ctx context.Context, f *File, offset int64, message, hint string) {
	location := finding.Location{File: f.Path}
	if found, err := s.Locate(ctx, []Range{{File: f, Start: offset, End: offset}}); err == nil {
		location = found[0]
	}
	s.problem(finding.Problem{Message: message, Hint: hint, Location: location})
}
