package analyzers

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Result is what [Check] found.
type Result struct {
	Report   *finding.Report
	Warnings []string // packages read only in part, directives without effect
	Partial  []string // import paths of these packages

	// Accepted are findings that a directive accepts. They are not in the report.
	Accepted []finding.Finding

	// Holders are the types and fields whose values are in documents of this run.
	Holders []finding.Holder
}

// Check reports the modelling mistakes in the packages that patterns match. It
// checks packages that do not load completely as far as possible, with a
// warning. Packages that cannot be read at all are problems of the report. An
// error means that nothing was checked.
func Check(ctx context.Context, patterns []string, options check.Options) (*Result, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	l, err := load(ctx, patterns, nil)
	if err != nil {
		return nil, err
	}
	return l.check(ctx, options)
}

// check reports the mistakes in the loaded packages.
func (l *loaded) check(ctx context.Context, options check.Options) (*Result, error) {
	r := &Result{Report: &finding.Report{}, Warnings: l.warnings, Partial: l.partial}
	for _, problem := range l.problems {
		r.Report.Problems = append(r.Report.Problems, finding.Problem{
			Message: problem.Error(), Hint: "\"go list\" has to know the packages; for documents, use --docs",
		})
	}
	checker := check.New(l.packages, options)
	rules := Rules()
	runs := make([]run, len(rules))
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))
	for i, rule := range rules {
		running.Go(func() error {
			if ctx.Err() == nil {
				runs[i].check(checker, l.matched, rule)
			}
			return ctx.Err()
		})
	}
	if err := running.Wait(); err != nil {
		return nil, err
	}
	w := newWriter(l.fset, l.unsaved)
	var sightings [][]check.Sighting
	for _, run := range runs {
		r.Report.Problems = append(r.Report.Problems, run.problems...)
		for _, f := range run.found {
			r.Report.Findings = append(r.Report.Findings, w.finding(f))
			sightings = append(sightings, f.Sightings)
		}
		for _, f := range run.accepted {
			r.Accepted = append(r.Accepted, w.finding(f))
		}
	}
	checker.Holders(func(place finding.Place, d *docmodel.Document, f *docmodel.Field) {
		h := finding.Holder{Place: place, Symbol: d.Key, Name: d.Name}
		pos, name := d.Pos, d.Name
		if f != nil {
			of := check.Finding{Document: d, Field: f}
			h.Symbol, h.Name = of.Symbol(), f.OwnerName()+"."+f.GoName()
			pos, name = f.Var.Pos(), f.Var.Name()
		}
		h.Location = w.location(pos, pos+token.Pos(len(name)))
		r.Holders = append(r.Holders, h)
	})
	for _, problem := range checker.DirectiveProblems() {
		at := w.location(problem.Pos, problem.Pos)
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s:%d:%d: %s", at.File, at.Line, at.Column, problem.Message))
	}
	if err := locate(r.Report.Findings, sightings, options.Locate); err != nil {
		return nil, err
	}
	for path, hash := range l.hashes {
		if r.Report.Hashes == nil {
			r.Report.Hashes = map[string]uint64{}
		}
		r.Report.Hashes[w.relative(path)] = hash
	}
	finding.Sort(r.Report.Findings)
	r.Report.Summary.Packages = len(l.matched)
	return r, nil
}

// A run is what one rule found.
type run struct {
	found, accepted []check.Finding
	problems        []finding.Problem
}

// check runs a rule, whose failure does not affect the others.
func (r *run) check(checker *check.Checker, packages []*docmodel.Package, rule check.Rule) {
	defer func() {
		if failure := recover(); failure != nil {
			r.problems = append(r.problems, finding.RuleFailed(rule.Name, failure))
		}
	}()
	checker.Run(packages, rule, func(f check.Finding) { r.found = append(r.found, f) }, func(f check.Finding) { r.accepted = append(r.accepted, f) })
}

// locate adds to findings the places in documents that show them.
func locate(findings []finding.Finding, sightings [][]check.Sighting, where func([]profile.Pos) ([]finding.Location, error)) error {
	if where == nil {
		return nil
	}
	var at []profile.Pos
	for _, of := range sightings {
		for _, s := range of {
			at = append(at, s.At)
		}
	}
	locations, err := where(at)
	if err != nil {
		return fmt.Errorf("find places in documents: %w", err)
	}
	for i, of := range sightings {
		var places []finding.Related
		for _, s := range of {
			if s.At.Known() {
				places = append(places, finding.InDocuments(s.Message, locations[0]))
			}
			locations = locations[1:]
		}
		findings[i].Related = append(places, findings[i].Related...) // before other places in code
	}
	return nil
}

// A writer converts findings on code to records of the report.
type writer struct {
	fset  *token.FileSet
	here  string
	files map[string][]byte
}

func newWriter(fset *token.FileSet, unsaved map[string][]byte) *writer {
	here, err := os.Getwd()
	if err != nil {
		here = "" // paths stay absolute
	}
	w := &writer{fset: fset, here: here, files: map[string][]byte{}}
	maps.Copy(w.files, unsaved)
	return w
}

func (w *writer) finding(f check.Finding) finding.Finding {
	found := finding.Finding{
		Rule: f.Rule, Severity: f.Severity, Confidence: math.Round(f.Confidence*100) / 100, Message: f.Message, Advice: f.Advice,
		Subject:  finding.Subject{Kind: finding.KindGo, Symbol: f.Symbol(), Collection: f.Collections(), Path: f.Place()},
		Location: w.location(f.At, f.End),
		Evidence: f.Evidence, Stored: f.Stored,
	}
	if f.Document != nil {
		found.Evidence = append(found.Evidence, check.Stored(f.Document))
	}
	for _, r := range f.Related {
		found.Related = append(found.Related, finding.Related{Message: r.Message, Location: w.location(r.Pos, r.Pos)})
	}
	if f.Fix != nil {
		found.Fixes = []finding.Fix{w.fix(f.Fix)}
	}
	found.Fingerprint = f.Rule + ":" + found.Subject.Symbol
	return found
}

func (w *writer) fix(f *check.Fix) finding.Fix {
	fix := finding.Fix{Title: f.Title, Safety: f.Safety}
	for _, edit := range f.Edits {
		start := w.fset.PositionFor(edit.Pos, false) // ignore line directives
		end := start
		if edit.End.IsValid() {
			end = w.fset.PositionFor(edit.End, false)
		}
		fix.Edits = append(fix.Edits, finding.Edit{
			File: w.relative(start.Filename), Start: int64(start.Offset), End: int64(end.Offset), NewText: string(edit.NewText),
		})
	}
	return fix
}

func (w *writer) location(pos, end token.Pos) finding.Location {
	if !pos.IsValid() {
		return finding.Location{}
	}
	start := w.fset.Position(pos)
	l := finding.Location{File: w.relative(start.Filename), Line: start.Line, Column: max(start.Column, 1), EndLine: start.Line, EndColumn: max(start.Column, 1)}
	if end.IsValid() && end > pos {
		stop := w.fset.Position(end)
		l.EndLine, l.EndColumn = stop.Line, stop.Column
	}
	l.Snippet, l.SnippetColumn = w.line(start.Filename, start.Line), 1
	return l
}

// relative returns a path with slashes, relative to the working directory if it
// is below that.
func (w *writer) relative(path string) string {
	if w.here != "" {
		if relative, err := filepath.Rel(w.here, path); err == nil && !strings.HasPrefix(relative, "..") {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}

func (w *writer) line(path string, number int) string {
	text, ok := w.files[path]
	if !ok {
		text, _ = os.ReadFile(path) // without a snippet if the file is gone
		w.files[path] = text
	}
	for range number - 1 {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return ""
		}
		text = text[i+1:]
	}
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(string(text), "\r")
}
