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

// patience is how long a check may take for the next one to run while somebody
// types. If it takes longer, files are checked on saving.
const patience = time.Second

// A unit is a set of files that are checked together.
type unit struct {
	key    string
	kind   unitKind
	dir    string   // of the module, the documents or the configuration
	inputs []string // of a database

	timer  *time.Timer
	cancel context.CancelFunc // cancels the running check
	done   chan struct{}      // closed when that has ended
	reload bool               // something other than typed text has changed
	took   time.Duration      // duration of the last check of typed text
	result *result

	published map[string]bool // files with diagnostics
}

// fast reports whether the unit is checked during typing.
func (u *unit) fast() bool { return u.took <= patience }

// stop cancels the running check and the scheduled one.
func (u *unit) stop() {
	if u.timer != nil {
		u.timer.Stop()
	}
	if u.cancel != nil {
		u.cancel()
	}
}

// concerns reports whether a file may belong to the unit or determine its
// extent.
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

// unitOf returns the unit of a file, or nil if it is not checked.
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

// describe returns a new unit for a file. Go files are checked with their
// module; documents with those that the configuration names, or else with those
// in their folder.
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

// named reports whether inputs (files, directories and globs) include a file.
func named(inputs []string, path string) bool {
	return slices.ContainsFunc(inputs, func(input string) bool {
		return input == path || within(input, path) || doublestar.MatchUnvalidated(filepath.ToSlash(input), filepath.ToSlash(path))
	})
}

// schedule schedules a check of a unit in place of a running or scheduled one.
// reload says that something other than typed text changed.
func (s *server) schedule(u *unit, delay time.Duration, reload bool) {
	u.stop()
	u.reload = u.reload || reload
	u.timer = time.AfterFunc(delay, func() { s.start(u) })
}

// start checks the current state of a unit.
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

// run checks a unit and shows the findings, unless it is cancelled.
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
		u.took = took // loading packages takes longer, but does not happen during typing
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

// An outcome is the result of a check.
type outcome struct {
	configuration string // the configuration file, or ""
	report        *finding.Report
	note          string   // for the open documents: why not everything was checked
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
	inputs = slices.Concat(inputs, s.openIn(u)) // open documents need not be on disk
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

// openIn lists the open documents of a unit.
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

// ran reports once why a unit could not be checked, and withdraws that when it
// could. Problems of a configuration are shown in its file.
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

// within reports whether a path is below a directory.
func within(dir, path string) bool {
	relative, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(relative)
}

// joined returns the absolute form of a path relative to a directory.
func joined(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
