package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/gomodules"
	"github.com/shapevet/shapevet/jsonlint/source"
)

type unitKind int

const (
	moduleUnit   unitKind = iota // the packages of a Go module
	folderUnit                   // the documents in a folder
	databaseUnit                 // the documents that a configuration names
)

// patience is how long a check may have taken for the next one to run while
// somebody types. Beyond it files are checked when they are saved.
const patience = time.Second

// A unit is files that are checked together.
type unit struct {
	key    string
	kind   unitKind
	dir    string   // of the module, the documents or the configuration
	inputs []string // of a database

	timer  *time.Timer
	cancel context.CancelFunc // of the check that runs
	done   chan struct{}      // closed when it has ended
	reload bool               // something but what is typed has changed
	took   time.Duration      // by the last check of what was typed
	result *result

	published map[string]bool // files that show something
}

// fast reports whether the unit is checked while somebody types.
func (u *unit) fast() bool { return u.took <= patience }

// stop cancels what runs and what is about to.
func (u *unit) stop() {
	if u.timer != nil {
		u.timer.Stop()
	}
	if u.cancel != nil {
		u.cancel()
	}
}

// concerns reports whether a file may belong to the unit, or decides what it
// is.
func (u *unit) concerns(path string) bool {
	switch u.kind {
	case moduleUnit:
		switch filepath.Base(path) {
		case "go.mod", "go.sum", "go.work":
			return true
		}
		return filepath.Ext(path) == ".go" && within(u.dir, path)
	case folderUnit:
		return isDocument(path) && filepath.Dir(path) == u.dir
	default:
		return isDocument(path) && named(u.inputs, path)
	}
}

// unitOf is the unit that a file belongs to, nil if it is not checked.
func (s *server) unitOf(path string) *unit {
	u := describe(path)
	if u == nil {
		return nil
	}
	if known := s.units[u.key]; known != nil {
		known.inputs = u.inputs
		return known
	}
	u.reload = true
	s.units[u.key] = u
	return u
}

// describe says with what a file is checked. It is that of its module for Go
// files; documents are checked with those that the configuration names, or
// without such with those in their folder.
func describe(path string) *unit {
	dir := filepath.Dir(path)
	switch {
	case filepath.Ext(path) == ".go":
		if module := gomodules.Above(dir); module != "" {
			return &unit{key: "module " + module, kind: moduleUnit, dir: module}
		}
	case isDocument(path) && !source.NoDocument(path):
		if c, err := goconfig.Nearest(dir); err == nil && len(c.Docs) > 0 {
			home := filepath.Dir(c.Path)
			inputs := make([]string, 0, len(c.Docs))
			for _, input := range c.Docs {
				inputs = append(inputs, joined(home, input))
			}
			if !named(inputs, path) {
				return nil
			}
			return &unit{key: "database " + home, kind: databaseUnit, dir: home, inputs: inputs}
		}
		return &unit{key: "folder " + dir, kind: folderUnit, dir: dir}
	}
	return nil
}

// named reports whether inputs, files, directories and globs, name a file.
func named(inputs []string, path string) bool {
	return slices.ContainsFunc(inputs, func(input string) bool {
		return input == path || within(input, path) || doublestar.MatchUnvalidated(filepath.ToSlash(input), filepath.ToSlash(path))
	})
}

// schedule has a unit checked after a while, instead of what runs or was
// scheduled before. With reload it is not only what was typed that changed.
func (s *server) schedule(u *unit, delay time.Duration, reload bool) {
	u.stop()
	u.reload = u.reload || reload
	u.timer = time.AfterFunc(delay, func() { s.start(u) })
}

// start checks a unit as its documents now are.
func (s *server) start(u *unit) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.state != serving || s.units[u.key] != u || s.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	previous, done := u.done, make(chan struct{})
	u.cancel, u.done = cancel, done
	s.running.Go(func() {
		defer cancel()
		defer close(done)
		if previous != nil {
			<-previous
		}
		s.run(ctx, u)
	})
}

// run checks a unit and shows what was found, unless it is cancelled.
func (s *server) run(ctx context.Context, u *unit) {
	s.mutex.Lock()
	inputs, reload := u.inputs, u.reload
	unsaved, texts := s.unsaved(u)
	s.mutex.Unlock()
	began := time.Now()
	o, err := s.check(ctx, u, inputs, unsaved, reload)
	took := time.Since(began)
	var found *result
	if err == nil && ctx.Err() == nil {
		found = newResult(o.report, texts, u.dir, o.note)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if ctx.Err() != nil || s.units[u.key] != u {
		return
	}
	if !reload || u.kind != moduleUnit {
		u.took = took // loading packages takes longer, and nobody types for it
	}
	u.reload = false
	if !s.ran(u, o.configuration, err) {
		return
	}
	for _, note := range o.notes {
		s.log(messageWarning, note)
	}
	if more := o.report.Summary.Truncated; more > 0 {
		s.log(messageInfo, fmt.Sprintf("%s: %d more findings are not shown, see maxFindings of the configuration", u.key, more))
	}
	s.log(messageInfo, fmt.Sprintf("%s: %d findings in %d ms", u.key, len(o.report.Findings), took.Milliseconds()))
	s.publish(u, found)
}

// An outcome is what a check found.
type outcome struct {
	configuration string // the file it went by, "" for none
	report        *finding.Report
	note          string   // on the open documents: why not all was checked
	notes         []string // for the log
}

func (s *server) check(ctx context.Context, u *unit, inputs []string, unsaved map[string][]byte, reload bool) (o outcome, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("internal error, please report it: %v\n%s", failure, debug.Stack())
		}
	}()
	path, err := config.Find(u.dir)
	if err != nil {
		return o, err
	}
	o.configuration = path
	c := config.Default()
	if path != "" {
		if c, err = config.LoadFound(path); err != nil {
			return o, err
		}
	}
	if u.kind == moduleUnit {
		o.report, o.notes, err = s.checker.Code(ctx, c, u.dir, unsaved, reload)
		return o, err
	}
	if u.kind == folderUnit {
		inputs = []string{u.dir}
	}
	inputs = slices.Concat(inputs, s.openIn(u)) // which need not be on disk
	o.report, err = s.checker.Documents(ctx, c, inputs, u.kind == folderUnit, unsaved)
	tooLarge := (*source.TooLargeError)(nil)
	if !errors.As(err, &tooLarge) {
		return o, err
	}
	advice := fmt.Sprintf("%s, more than is checked while editing: run \"shapevet check\" for findings across them", tooLarge.Error())
	o.note = "checked without the documents beside it: " + advice
	o.report, err = s.checker.Documents(ctx, c, s.openIn(u), true, unsaved)
	if errors.As(err, &tooLarge) {
		o.note = "not checked: " + advice
		return outcome{configuration: path, report: &finding.Report{}, note: o.note}, nil
	}
	return o, err
}

// openIn lists the documents of a unit that are open.
func (s *server) openIn(u *unit) []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var paths []string
	for path, d := range s.documents {
		if d.unit == u {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// ran says why a unit could not be checked, once, and takes it back when it
// could. What is wrong with a configuration stands in the file.
func (s *server) ran(u *unit, configuration string, err error) bool {
	wrong := (*config.Error)(nil)
	inFile := errors.As(err, &wrong)
	for path := range s.broken {
		_, missing := os.Stat(path)
		if filepath.IsAbs(path) && (missing != nil || path == configuration && !inFile) {
			delete(s.broken, path)
			s.notify("textDocument/publishDiagnostics", publishParams{URI: s.uri(path), Diagnostics: []diagnostic{}})
		}
	}
	if err == nil {
		delete(s.broken, u.key)
		return true
	}
	about := u.key
	if inFile {
		about = configuration
	}
	if s.broken[about] != err.Error() {
		s.broken[about] = err.Error()
		s.show(messageError, "shapevet: nothing is checked: "+err.Error())
	}
	if inFile {
		s.notify("textDocument/publishDiagnostics", publishParams{URI: s.uri(configuration), Diagnostics: problemsIn(configuration, wrong.Problems)})
	}
	return false
}

// within reports whether a path lies below a directory.
func within(dir, path string) bool {
	relative, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(relative)
}

// joined is a path that is relative to a directory, or absolute.
func joined(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
