package jsonlint

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// engine reads the documents of a set, once for each step of a run.
type engine struct {
	set     *source.Set
	jobs    int
	lexicon *lexicon.Lexicon
	damage  []damaged
	ends    map[uint32]int64     // where the last document of a file ends
	holds   map[uint32][]string  // the collections of which a file has documents
	named   map[uint32][]namedAt // the documents of a file that have their ids from the names before them, in order
	starts  map[uint32]textStart

	validating []*schema.Observer // one for each worker; nil without schemas

	kindsAsked int64               // documents after which a worker looks for kinds
	sorted     map[string]*sorting // the kinds of collections, until they are split

	part *parted // nil if all documents are read
}

// codeDamagedBSON is the kind of an input-error on a document of a dump.
const codeDamagedBSON = "damaged-bson"

// textStart is the offset in a file at which its decoded text starts; not ok if
// decoded offsets say nothing about the file's own.
type textStart struct {
	offset int64
	ok     bool
}

// damaged is a place that is not JSON.
type damaged struct {
	scan.Diagnostic
	file *source.File
	at   profile.Pos
	base int64 // offset of the text that the diagnostic counts from
	end  int64 // where that text ends
}

// workspace is what a worker reads with.
type workspace struct {
	reader   reader
	document profile.Document

	// shown is the text of the document shown last, nil if another one that is
	// written alike cannot be shown as it.
	shown []byte
}

// show has a document visited unless it is one of the database itself; base is
// the offset of its text in the file.
func (s *workspace) show(worker int, b *source.Batch, base int64, d *scan.Document, label string, p *pass) (shown bool) {
	s.document.Load(d, b.File.ID, base)
	name := cmp.Or(label, b.File.Collection)
	if reserved(name, &s.document) {
		return false
	}
	p.visit(worker, name, &s.document)
	return true
}

// showParts shows the documents in the one that is all of a file, if it holds a
// database or a page of one.
func (s *workspace) showParts(worker int, b *source.Batch, base int64, d *scan.Document, p *pass) bool {
	parts, ok := documentsIn(d)
	if !ok {
		return false
	}
	for name, part := range parts {
		name = cmp.Or(name, b.File.Own)
		if scan.DetectDialect(part) == scan.Plain {
			s.show(worker, b, base, part, name, p)
		} else if typed, err := s.reader.typed(part); err == nil {
			s.show(worker, b, base+int64(part.Tokens[0].Start), typed, name, p)
		}
	}
	return true
}

// A pass reads documents once. Its functions are called concurrently, with the
// number of one of the e.jobs workers.
type pass struct {
	files []source.Head // nil for all

	// begin is told of each batch before its documents are visited; it may be
	// nil.
	begin func(worker int, b *source.Batch)

	// wants says whether what stands at an offset is read; nil for everything.
	wants func(f *source.File, offset int64) bool

	visit func(worker int, collection string, d *profile.Document)

	// report, if not nil, gets what is wrong with documents that are not valid
	// JSON; they are recovered.
	report func(worker int, d damaged)
}

// each does one pass.
func (e *engine) each(ctx context.Context, p pass) error {
	states := make([]workspace, e.jobs)
	files := p.files
	if e.part != nil {
		files = e.part.owned(e.set, files)
	}
	return e.set.Read(ctx, files, e.jobs, func(worker int, b *source.Batch) error {
		s := &states[worker]
		if p.begin != nil {
			p.begin(worker, b)
		}
		s.shown = nil // its memory is used again
		for i, span := range b.Spans {
			base := b.Base + int64(span.Start)
			if p.wants != nil && !p.wants(b.File, base) || e.part != nil && !e.part.owns(b.File, base) {
				continue
			}
			if text := b.Data[span.Start:span.End]; s.shown != nil && b.Labels == nil && (bytes.Equal(text, s.shown) || hollow(text) && hollow(s.shown)) {
				s.document.Src, s.document.Base = text, base
				s.document.Tokens[0].End = uint32(len(text))
				s.shown = text
				p.visit(worker, b.File.Collection, &s.document)
				continue
			}
			s.shown = nil
			if err := s.read(worker, b, i, &p); err != nil {
				return err
			}
		}
		return nil
	})
}

// read shows what stands in a span of a batch.
func (s *workspace) read(worker int, b *source.Batch, n int, p *pass) error {
	span := b.Spans[n]
	text := b.Data[span.Start:span.End]
	base := b.Base + int64(span.Start)
	if !span.Suspect {
		d, err := s.reader.parse(text)
		if err == nil && d.Tokens[0].Kind == scan.Object {
			if p.report != nil && !b.File.Dumped() {
				for _, m := range d.Malformed {
					p.report(worker, damaged{m, b.File, position(b.File, base, int64(len(text)), m), base, base + int64(len(text))})
				}
			}
			if !wholeFile(b) || !s.showParts(worker, b, base, d, p) {
				if s.show(worker, b, base, d, b.Label(n), p) && len(d.Malformed) == 0 {
					s.shown = text
				}
			}
			return nil
		}
		if syntax := (*scan.SyntaxError)(nil); err != nil && !errors.As(err, &syntax) {
			return err
		}
	}
	recovered, diagnostics := scan.Recover(text)
	if !span.Suspect && slices.ContainsFunc(diagnostics, guessed) {
		recovered = nil // its siblings are cleanly framed: judge by them, not by a guess
	}
	for i := range recovered {
		s.show(worker, b, base, &recovered[i].Doc, cmp.Or(recovered[i].Label, b.Label(n)), p)
	}
	if p.report != nil {
		for _, d := range diagnostics {
			p.report(worker, damaged{d, b.File, position(b.File, base, int64(len(text)), d), base, base + int64(len(text))})
		}
	}
	return nil
}

// guessed reports whether what a document says had to be guessed: where a
// string or a container ends, or what a value was.
func guessed(d scan.Diagnostic) bool {
	switch d.Code {
	case scan.CodeMissingQuote, scan.CodeUnescapedQuote, scan.CodeMissingValue, scan.CodeMissingOpener, scan.CodeMissingCloser, scan.CodeUnbalanced:
		return true
	}
	return false
}

// A reader parses documents in the dialect that each is written in.
type reader struct{ plain, vendor scan.Parser }

func (r *reader) parse(text []byte) (*scan.Document, error) {
	d, err := r.plain.Parse(text)
	if err != nil {
		return nil, err
	}
	if dialect := scan.DetectDialect(d); dialect != scan.Plain {
		r.vendor.Dialect = dialect
		return r.vendor.Parse(text)
	}
	return d, nil
}

// hollow reports whether a text is an object without members.
func hollow(text []byte) bool {
	return len(text) >= 2 && text[0] == '{' && text[len(text)-1] == '}' && len(bytes.TrimLeft(text[1:len(text)-1], " \t\r\n")) == 0
}

// typed parses a part of a document again in its dialect.
func (r *reader) typed(part *scan.Document) (*scan.Document, error) {
	r.vendor.Dialect = scan.DetectDialect(part)
	return r.vendor.Parse(part.Raw(0))
}

func position(f *source.File, base, length int64, d scan.Diagnostic) profile.Pos {
	return profile.Pos{
		File: f.ID, Off: base + int64(d.Start), Len: uint32(max(1, d.End-d.Start)), Doc: base, DocLen: uint32(max(1, length)),
	}
}

// A fileHeld is what a worker found in a file.
type fileHeld struct {
	end   int64    // of the last document
	names []string // of the collections
	named []namedAt
}

func (h *fileHeld) add(collection string, d *profile.Document) {
	if n := len(h.names); n == 0 || h.names[n-1] != collection && !slices.Contains(h.names, collection) {
		h.names = append(h.names, collection)
	}
	h.end = max(h.end, d.Base+int64(d.Tokens[0].End))
	if at, ok := nameBefore(d); ok {
		h.named = append(h.named, at)
	}
}

func (e *engine) remember(file uint32, h *fileHeld) {
	e.ends[file] = max(e.ends[file], h.end)
	e.holds[file] = append(e.holds[file], h.names...)
	if len(h.named) > 0 { // all of them: such a file is read by one worker
		slices.SortFunc(h.named, func(a, b namedAt) int { return cmp.Compare(a.doc, b.doc) })
		e.named[file] = h.named
	}
}

// profile reads everything once. The profiles come in the order of their
// names.
func (e *engine) profile(ctx context.Context) ([]*profile.Collection, error) {
	if e.part != nil {
		return e.profileParts(ctx)
	}
	return e.profileAll(ctx)
}

func (e *engine) profileAll(ctx context.Context) ([]*profile.Collection, error) {
	type worker struct {
		builder profile.Builder
		sorters map[string]*sorter
		files   map[uint32]*fileHeld
		batch   extent
		damage  []damaged

		// Of the last document.
		name string
		sort *sorter
		file *fileHeld
	}
	workers := make([]worker, e.jobs)
	for i := range workers {
		workers[i].sorters, workers[i].files = map[string]*sorter{}, map[uint32]*fileHeld{}
	}
	var guesses sync.Map // by name of the collection
	err := e.each(ctx, pass{
		begin: func(w int, b *source.Batch) {
			s := &workers[w]
			s.batch = extent{b.File.ID, b.Base, b.Base + int64(len(b.Data))}
			if s.file = s.files[b.File.ID]; s.file == nil {
				s.file = &fileHeld{}
				s.files[b.File.ID] = s.file
			}
			s.sort = nil
		},
		visit: func(w int, name string, d *profile.Document) {
			s := &workers[w]
			if s.sort == nil || s.name != name {
				s.name, s.sort = name, s.sorters[name]
				if s.sort == nil {
					g, _ := guesses.LoadOrStore(name, &guess{})
					s.sort = newSorter(name, g.(*guess), e.kindsAsked)
					s.sorters[name] = s.sort
				}
			}
			s.sort.add(&s.builder, d, s.batch, e.lexicon)
			if e.validating != nil {
				e.validating[w].See(name, d)
			}
			s.file.add(name, d)
		},
		report: func(w int, d damaged) { workers[w].damage = append(workers[w].damage, d) },
	})
	if err != nil {
		return nil, err
	}
	sorters := map[string][]*sorter{}
	e.ends, e.holds, e.named = map[uint32]int64{}, map[uint32][]string{}, map[uint32][]namedAt{}
	for _, w := range workers {
		e.damage = append(e.damage, w.damage...)
		for file, held := range w.files {
			e.remember(file, held)
		}
		for name, s := range w.sorters {
			sorters[name] = append(sorters[name], s)
		}
	}
	e.sorted = map[string]*sorting{}
	out := make([]*profile.Collection, 0, len(sorters))
	for _, name := range slices.Sorted(maps.Keys(sorters)) {
		whole, parts := together(sorters[name], e.jobs)
		e.sorted[name] = parts
		out = append(out, whole)
	}
	return out, nil
}

// filesOf returns the files that hold documents of the collections.
func (e *engine) filesOf(wanted func(collection string) bool) []source.Head {
	files := []source.Head{}
	for _, f := range e.set.Files {
		if slices.ContainsFunc(e.holds[f.ID], wanted) {
			files = append(files, source.Head{File: f, End: source.WholeFile})
		}
	}
	return files
}

// visit shows the documents to the probes of the rules.
func (e *engine) visit(ctx context.Context, db *model.Database, run *check.Run) error {
	watched := map[string]*model.Collection{}
	for _, c := range run.Watched() {
		watched[c.Name] = c
	}
	if len(watched) == 0 {
		return nil
	}
	type worker struct {
		*check.Visitor
		name    string            // of the last document's collection
		watched *model.Collection // nil if no probe watches it
	}
	workers := make([]worker, e.jobs)
	for i := range workers {
		workers[i].Visitor = run.NewVisitor()
	}
	files := e.filesOf(func(name string) bool { return watched[name] != nil })
	err := e.each(ctx, pass{files: files, visit: func(w int, name string, d *profile.Document) {
		v := &workers[w]
		if v.name != name || v.watched == nil {
			v.name, v.watched = name, watched[name]
		}
		if v.watched != nil {
			v.Visit(v.watched, d)
		}
	}})
	if err != nil {
		return err
	}
	for _, v := range workers {
		run.Collect(v.Visitor)
	}
	return nil
}

// fetcher returns a function that reads the document at a position again.
func (e *engine) fetcher(ctx context.Context) func(profile.Pos) (*profile.Document, error) {
	var r reader
	var last profile.Document // rules ask for the same document one after the other
	var held profile.Pos
	return func(at profile.Pos) (*profile.Document, error) {
		if last.Document != nil && held.File == at.File && held.Doc == at.Doc && held.DocLen == at.DocLen {
			return &last, nil
		}
		if last.Document != nil {
			last.Src = nil // so that two texts are never held
		}
		file := e.set.Files[at.File]
		start, named := e.nameOf(at)
		text, err := e.set.Bytes(ctx, file, start, at.Doc+int64(at.DocLen))
		if err != nil {
			return nil, fmt.Errorf("reading a document of %s again: %w", file.Path, err)
		}
		if named {
			if d, ok := r.underName(text); ok {
				last, held = profile.Document{Document: d, File: at.File, Base: start - 1}, at
				return &last, nil
			}
			start, text = at.Doc, text[at.Doc-start:]
		}
		d, err := r.parse(text)
		if err != nil {
			recovered, _ := scan.Recover(text)
			if len(recovered) == 0 {
				return nil, fmt.Errorf("reading a document of %s again: %w", file.Path, err)
			}
			d = &recovered[0].Doc
		}
		last, held = profile.Document{Document: d, File: at.File, Base: start}, at
		return &last, nil
	}
}

// inputErrors turns the damage into findings; a file that ends inside a
// document is a problem, since nobody knows what is missing.
func (e *engine) inputErrors() ([]check.Raw, []damaged) {
	for _, d := range e.set.Damage() {
		e.damage = append(e.damage, damaged{
			Diagnostic: scan.Diagnostic{Code: codeDamagedBSON, Message: d.Message, Hint: "dump it again; if it is still damaged, replace the document"},
			file:       d.File, at: profile.Pos{File: d.File.ID, Off: d.Offset, Len: 1, Doc: d.Offset, DocLen: 1}, base: d.Offset, end: d.Offset,
		})
	}
	slices.SortFunc(e.damage, func(a, b damaged) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	for _, d := range e.damage {
		e.ends[d.at.File] = max(e.ends[d.at.File], d.end)
	}
	var out []check.Raw
	var cut []damaged
	nth := map[string]int{}       // findings by file and code
	habits := map[string]*habit{} // by file and habit
	for _, d := range e.damage {
		if d.Code == scan.CodeCutOff && d.end == e.ends[d.at.File] && !d.file.Prose {
			cut = append(cut, d)
			continue
		}
		habitually := d.file.Path + ":" + habitual(d.Diagnostic)
		if h := habits[habitually]; h != nil {
			h.add(&out[h.finding], d)
			continue
		}
		severity := finding.Error
		if d.file.Prose {
			severity = finding.Info
		}
		print := fmt.Sprintf("input-error:%s:%s", d.file.Path, d.Code)
		nth[print]++
		r := check.Raw{
			Finding: finding.Finding{
				Rule: finding.InputError, Severity: severity, Confidence: 0.95, Message: d.Message, Advice: d.Hint,
				Subject:     finding.Subject{Kind: finding.KindDocument, Collection: d.file.Collection},
				Evidence:    []finding.Evidence{{Name: "kind", Value: d.Code}},
				Fingerprint: fmt.Sprintf("%s:%d", print, nth[print]),
			},
			At: d.at,
		}
		d.mend(&r)
		if habitual(d.Diagnostic) != "" && d.Code != scan.CodeMore {
			habits[habitually] = &habit{finding: len(out), message: d.Message}
		}
		out = append(out, r)
	}
	return out, cut
}

// mend adds the edit that mends the damage to a finding.
func (d damaged) mend(r *check.Raw) {
	if d.Edit == nil {
		return
	}
	if len(r.Fixes) == 0 {
		r.Fixes = []finding.Fix{{Title: cmp.Or(d.Hint, "mend the text"), Safety: finding.Safe}}
	}
	if !d.Safe {
		r.Fixes[0].Safety = finding.Unsafe
	}
	r.Edits = append(r.Edits, check.RawEdit{
		At: profile.Pos{
			File: d.at.File, Off: d.base + int64(d.Edit.Start), Len: uint32(d.Edit.End - d.Edit.Start), Doc: d.at.Doc, DocLen: d.at.DocLen,
		},
		NewText: d.Edit.Text,
	})
}

// A habit is how a file is written throughout: one finding says so.
type habit struct {
	finding int // its index
	message string
	more    int64 // places after it
}

// habitual returns the habit that damage is part of, "" if it is a slip: what is
// written in the syntax of a shell has its quotes, names and comments too, and the
// same text around each document.
func habitual(d scan.Diagnostic) string {
	switch d.Code {
	case scan.CodeMongoShell, scan.CodeComment, scan.CodeSingleQuotes, scan.CodeUnquotedName, scan.CodeMore:
		return scan.CodeMongoShell
	case scan.CodeNotADocument, scan.CodeExtended, scan.CodeInvalidUTF8:
		return d.Code
	case scan.CodeText:
		return d.Code + ":" + d.Message
	}
	return ""
}

// habitPlaces bounds the places with a habit that are shown beside the first.
const habitPlaces = 3

// add counts one more place with the habit.
func (h *habit) add(r *check.Raw, d damaged) {
	h.more++
	r.Message = fmt.Sprintf("%s; %s in the file", h.message, quantity.Of(h.more, "more such place"))
	if len(r.Related) < habitPlaces {
		r.Related = append(r.Related, check.RawRelated{Message: d.Message, At: d.at})
	}
	d.mend(r)
}

// cutOff turns the files that end inside a document into problems.
func (e *engine) cutOff(ctx context.Context, cut []damaged) ([]finding.Problem, error) {
	ranges := make([]source.Range, len(cut))
	for i, d := range cut {
		ranges[i] = source.Range{File: d.file, Start: d.at.Off, End: d.at.Off + int64(d.at.Len)}
	}
	locations, err := e.set.Locate(ctx, ranges)
	if err != nil {
		return nil, err
	}
	problems := make([]finding.Problem, len(cut))
	for i, d := range cut {
		problems[i] = finding.Problem{
			Message:  "the file is cut off: " + d.Message,
			Hint:     "copy or export the file again; the documents before this place were checked",
			Location: locations[i],
		}
	}
	return problems, nil
}

// place turns byte positions into lines and columns.
func (e *engine) place(ctx context.Context, raw []check.Raw) ([]finding.Finding, error) {
	var ranges []source.Range
	want := func(p profile.Pos) {
		if p.Known() {
			ranges = append(ranges, source.Range{File: e.set.Files[p.File], Start: p.Off, End: p.Off + int64(p.Len)})
		}
	}
	for _, r := range raw {
		want(r.At)
		for _, rel := range r.Related {
			want(rel.At)
		}
	}
	locations, err := e.set.Locate(ctx, ranges)
	if err != nil {
		return nil, err
	}
	next := func(p profile.Pos) (l finding.Location) {
		if p.Known() {
			l, locations = locations[0], locations[1:]
		}
		return l
	}
	out := make([]finding.Finding, 0, len(raw))
	for _, r := range raw {
		f := r.Finding
		f.Location = next(r.At)
		if err := e.edits(&f, r.Edits); err != nil {
			return nil, err
		}
		f.Related = make([]finding.Related, 0, len(r.Related))
		for _, rel := range r.Related {
			f.Related = append(f.Related, finding.Related{Message: rel.Message, Location: next(rel.At)})
		}
		f.Related = append(f.Related, r.Outside...)
		out = append(out, f)
	}
	return out, nil
}

// edits adds the edits to the finding's first fix. A file whose bytes are not
// those that were read, a compressed one say, cannot be edited: the fix
// becomes a plan.
func (e *engine) edits(f *finding.Finding, raw []check.RawEdit) error {
	for i := range f.Fixes {
		if f.Fixes[i].Edits == nil {
			f.Fixes[i].Edits = []finding.Edit{}
		}
	}
	for _, r := range raw {
		file := e.set.Files[r.At.File]
		text, err := e.start(file)
		if err != nil {
			return err
		}
		if !text.ok {
			f.Fixes[0].Safety, f.Fixes[0].Edits, f.Fixes[0].Uneditable = finding.Plan, []finding.Edit{}, file.Path
			return nil
		}
		f.Fixes[0].Edits = append(f.Fixes[0].Edits, finding.Edit{
			File: file.Path, Start: text.offset + r.At.Off, End: text.offset + r.At.Off + int64(r.At.Len), NewText: r.NewText,
		})
	}
	return nil
}

func (e *engine) start(f *source.File) (textStart, error) {
	if s, known := e.starts[f.ID]; known {
		return s, nil
	}
	offset, ok, err := e.set.Start(f)
	if err != nil {
		return textStart{}, err
	}
	if e.starts == nil {
		e.starts = map[uint32]textStart{}
	}
	e.starts[f.ID] = textStart{offset, ok}
	return e.starts[f.ID], nil
}
