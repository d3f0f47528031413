// Package source reads inputs (files, directories, globs, standard input) and
// cuts them into documents with their positions, whatever the layout,
// compression and encoding. It finds where documents begin and end; package
// scan reads them.
//
// Cleanly framed documents become plain spans. Damaged bytes become suspect
// spans, so that nothing is lost. What cannot be read at all becomes a problem
// of the [Set].
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

// DefaultMaxDocument is the largest document read by default, in bytes. The
// largest document that any database stores is 20 MB.
const DefaultMaxDocument = 128 << 20

// Options configures [Open].
type Options struct {
	Collections   []CollectionRule // the first match wins
	StdinFilename string           // name of standard input; default "<stdin>"
	Stdin         io.Reader        // read for the input "-"
	MaxDocument   int64            // largest document in bytes; 0 is [DefaultMaxDocument]
	MaxTotal      int64            // largest total size of all files in bytes; 0 is no limit
	Shallow       bool             // do not descend into directories
	Hash          bool             // hash files as they are read; see [File.Hash]

	// Files in directories that match Skip are left out. Files that match Include
	// are read even if their names, .gitignore or Defaults would exclude them.
	// Defaults leaves out files that hold no documents; see [NoDocument]. Skip and
	// Include are globs.
	Skip, Include []string
	Defaults      bool

	TempDir string // directory for temporary files; "" is the system's

	// InPlace reads objects from their store each time instead of fetching them
	// once, for callers that read little of them.
	InPlace bool

	// Openers sample the databases that inputs name by URL, and Stores read
	// objects.
	Openers remote.Openers
	Stores  remote.Stores
	Remote  remote.Options

	// Exclude are the absolute paths of files that hold no documents.
	Exclude []string

	// Unsaved is text to read instead of files, by absolute path: what an editor
	// shows but has not saved.
	Unsaved map[string][]byte
}

// A TooLargeError says that the files exceed [Options.MaxTotal] bytes.
type TooLargeError struct{ Limit int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the documents are larger than %s together", quantity.Bytes(e.Limit))
}

// A CollectionRule puts the documents of files that match Glob into the
// collection Name. The glob may use ** and {a,b}. It is matched against the
// path with slashes and against the path's last element.
type CollectionRule struct{ Name, Glob string }

// A File is one input file.
type File struct {
	ID         uint32 // its index in the sorted set
	Path       string // as reported: relative to the working directory if below it, with slashes
	Collection string
	Own        string // collection if the file holds several documents in a directory of single ones
	Wrapped    bool   // the document is the value of the only member, as in the other files of the directory
	Compressed bool
	Stdin      bool
	Prose      bool  // Markdown with documents in its code blocks
	Size       int64 // bytes on disk

	// Metadata is what mongodump recorded about the collection: its options and
	// indexes as Extended JSON. It is nil if there is none.
	Metadata []byte

	// Remote is what is known about a collection sampled from a live database. It
	// is nil for files.
	Remote *Remote

	open    string            // what to open
	unsaved []byte            // read instead if not nil
	spool   *io.SectionReader // a temporary copy, read instead if not nil
	object  *placedObject     // object of a store, read instead if not nil
	beside  *File             // metadata file of a mongodump object; may be nil
	given   string            // path as the user wrote it
	dir     string            // directory that was walked to find it, or ""
	root    string            // where that walk began
	named   bool              // its collection has its name from a dump or the user
	inside  bool              // in a directory that is its collection or a part of it

	// For a collection in a mongodump dump.
	database, collection string
	bson                 bool
	segments             []segment // where its documents are in an archive or spool; nil if it has its own file

	single  int      // see countSingle; -1 if not counted
	members []string // of the only document, as far as they are known
	inner   []string // of the object in the only member
	kept    []byte   // content of a small file, read instead if not nil
	text    *textCopy

	damageKnown bool   // its damage was recorded when it was first read to the end
	marks       []mark // made when it was first read to the end; none if offsets do not match the file's
	hash        uint64
	hashed      bool
}

// A Set is a sorted set of input files. Its methods are safe for concurrent
// use, except Close.
type Set struct {
	Files []*File

	maxDocument int
	hash        bool // hash files as they are read
	headSize    int  // see headSize
	chunkSize   int
	chunks      sync.Pool // buffers of chunkSize
	heads       sync.Pool // and of headSize
	spans       sync.Pool

	spools  []*os.File
	remotes []remoteSample
	stores  []remote.Store // of objects that are read in place
	tempDir string
	left    LeftOut
	copied  atomic.Int64 // bytes of text kept; see textCopy
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

// A Batch is a run of documents from one file. Its memory is reused after visit
// returns.
type Batch struct {
	File  *File
	Base  int64 // offset of Data[0] in the decoded file
	Data  []byte
	Spans []Span // in order, not overlapping

	// Labels are the names that the captions above a Markdown file's code blocks
	// give the documents of the spans. It is nil for other files.
	Labels []string
}

// Label returns the name that the text gives a span's documents, or "".
func (b *Batch) Label(span int) string {
	if b.Labels == nil {
		return ""
	}
	return b.Labels[span]
}

// A Span is the range, in the data of a batch, of one document or of a badly
// framed region that needs recovery. It holds no pointers because small
// documents make many spans.
type Span struct {
	Start, End int
	Suspect    bool
	Row        bool // it is a row of a table, an array of values in the place of a document
}

// Hash returns the hash (XXH3) of a file's text as first read, without the byte
// order mark. ok is false if the file was not read to its end or was decoded,
// or if [Options.Hash] is not set.
func (f *File) Hash() (hash uint64, ok bool) { return f.hash, f.hashed }

// Open finds the files that inputs name. A missing file is a problem of the
// set. The error is for invalid options, a standard input that cannot be
// copied, a cancelled context, and a [TooLargeError].
//
// The caller must close the set.
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

// LeftOut returns what directories hold besides the files of the set.
func (s *Set) LeftOut() LeftOut { return s.left }

// Close removes copies of inputs that can be read only once.
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

// NewSpool makes a temporary file that is removed with the set.
func (s *Set) NewSpool() (*os.File, error) {
	spool, err := os.CreateTemp(s.tempDir, "shapevet-*")
	if err != nil {
		return nil, err
	}
	// If an open file can be removed, nothing is left of it however the run ends.
	// On Windows it cannot, so it stays until the set is closed.
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

// SetProgress makes Read call report with the number of bytes read from disk so
// far and in total. Calls do not overlap.
func (s *Set) SetProgress(report func(done, total int64)) { s.progress = report }

// Problems returns what could not be opened, read or recognised, or is cut off,
// sorted by position.
func (s *Set) Problems() []finding.Problem {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	problems := slices.Clone(s.problems)
	slices.SortFunc(problems, finding.CompareProblems)
	return problems
}

// Damage returns the unreadable documents met so far, sorted by position.
func (s *Set) Damage() []Damage {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	damage := slices.Clone(s.damage)
	slices.SortFunc(damage, func(a, b Damage) int {
		return cmp.Or(cmp.Compare(a.File.ID, b.File.ID), cmp.Compare(a.Offset, b.Offset))
	})
	return damage
}

// Add adds what another reading of the same files has recorded.
func (s *Set) Add(problems []finding.Problem, damage []Damage) {
	for _, p := range slices.SortedFunc(slices.Values(problems), finding.CompareProblems) { // report the first problem of a file
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

// problem records a problem once, however often it occurs.
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
