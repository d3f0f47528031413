// Package guided compares findings on Go code with documents, which confirm or
// withdraw them. It finds the evidence files for a package, assigns types to
// collections, and weighs findings.
package guided

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/gomodules"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// Options of [New].
type Options struct {
	Files     []string                    // evidence files; if empty, those called Name are used
	Name      string                      // of the file that is used by default, in the directory of a package or above it in its module
	Seen      *evidence.File              // what documents of this run show; collections in files take precedence
	Found     []finding.Finding           // in documents of this run; findings on code that agree with them are not withdrawn
	Documents int64                       // number of documents that can withdraw a finding
	Declared  map[string]*schema.Declared // what schemas say about collections
	MaxAge    int                         // days after which evidence is old; 0 means never
	Now       time.Time
}

// Evidence compares the analyzers' findings with documents. It is safe for
// concurrent use.
type Evidence struct {
	options Options
	named   *source // made of Options.Files; nil if there are none

	mutex    sync.Mutex
	found    map[string]*source // by directory of a package
	loaded   map[string]*source // by path of the file
	bindings map[*docmodel.Document]*Binding
}

// A source is one evidence file, or several merged.
type source struct {
	path   string // of the first file, for messages
	file   *evidence.File
	wholes map[string]*evidence.Kind // by collection
	err    error
	stale  string
}

// New reads the named files.
func New(o Options) (*Evidence, error) {
	e := &Evidence{options: o, found: map[string]*source{}, loaded: map[string]*source{}, bindings: map[*docmodel.Document]*Binding{}}
	if len(o.Files) == 0 {
		return e, nil
	}
	var files []*evidence.File
	var problems []error
	for _, path := range o.Files {
		f, err := evidence.Load(path)
		files, problems = append(files, f), append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	merged := files[0]
	if len(files) > 1 {
		var err error
		if merged, err = evidence.Merge(files...); err != nil {
			return nil, err
		}
	}
	e.named = e.source(o.Files[0], merged, nil)
	return e, nil
}

func (e *Evidence) source(path string, f *evidence.File, err error) *source {
	s := &source{path: filepath.ToSlash(path), err: err, wholes: map[string]*evidence.Kind{}}
	if f == nil {
		f = &evidence.File{}
	}
	together := *f
	if e.options.Seen != nil {
		together.Collections = slices.Clone(f.Collections)
		for _, c := range e.options.Seen.Collections {
			if known := f.Collection(c.Name); known != nil {
				known.Sight(c)
			} else {
				together.Collections = append(together.Collections, c)
			}
		}
		if together.Until == "" {
			together.From, together.Until = e.options.Seen.From, e.options.Seen.Until
		}
	}
	s.file = &together
	for _, c := range together.Collections {
		s.wholes[c.Name] = c.Whole()
	}
	if e.options.MaxAge > 0 && f.Until != "" {
		s.stale = f.Stale(e.options.Now, e.options.MaxAge)
	}
	return s
}

// Load reads the default evidence file for a directory, so that an unreadable
// file is reported before anything is checked.
func (e *Evidence) Load(dir string) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.in(dir).err
}

// in returns the source for packages in a directory.
func (e *Evidence) in(dir string) *source {
	if e.named != nil {
		return e.named
	}
	if s := e.found[dir]; s != nil {
		return s
	}
	path := nearest(dir, e.options.Name)
	s := e.loaded[path]
	if s == nil {
		var f *evidence.File
		var err error
		if path != "" {
			f, err = evidence.Load(path)
		}
		s = e.source(path, f, err)
		e.loaded[path] = s
	}
	e.found[dir] = s
	return s
}

// nearest returns the file in a directory or above it in the module, "" if
// there is none. Outside modules only the directory itself counts.
func nearest(dir, name string) string {
	absolute, err := filepath.Abs(dir)
	if err != nil || name == "" {
		return ""
	}
	root := cmp.Or(gomodules.Above(absolute), absolute)
	for at := absolute; ; at = filepath.Dir(at) {
		if path := filepath.Join(at, name); isFile(path) {
			return path
		}
		if at == root {
			return ""
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Problems returns an error for each default file that cannot be read, sorted
// by path.
func (e *Evidence) Problems() []error {
	var out []error
	for _, s := range e.sources() {
		if s.err != nil && !errors.Is(s.err, fs.ErrNotExist) {
			out = append(out, s.err)
		}
	}
	return out
}

// Warnings returns a warning for each file that was used although it is old.
func (e *Evidence) Warnings() []string {
	var out []string
	for _, s := range e.sources() {
		if s.stale != "" {
			out = append(out, fmt.Sprintf("%s: %s", s.path, s.stale))
		}
	}
	return out
}

func (e *Evidence) sources() []*source {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.named != nil {
		return []*source{e.named}
	}
	var out []*source
	for _, path := range slices.Sorted(maps.Keys(e.loaded)) {
		out = append(out, e.loaded[path])
	}
	return out
}
