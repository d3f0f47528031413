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

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// engine reads the documents of a set, once per step of a run.
type engine struct {
	set     *source.Set
	own     map[string]bool // collections named after files
	jobs    int
	lexicon *lexicon.Lexicon
	damage  []damaged
	ends    map[uint32]int64     // where the last document of a file ends
	holds   map[uint32][]string  // collections with documents in a file
	named   map[uint32][]namedAt // documents of a file whose ids are the names before them, in order
	starts  map[uint32]textStart

	validating []*schema.Observer // one for each worker; nil without schemas
	validated  []schema.Seen      // what they have seen

	kindsAsked int64               // documents after which a worker first looks for kinds
	sorted     map[string]*sorting // the kinds of each collection, until they are split

	part *parted // nil if all documents are read
}

// ownNames returns the names that the files of a set give their collections.
func ownNames(set *source.Set) map[string]bool {
	own := make(map[string]bool, len(set.Files))
	for _, f := range set.Files {
		own[f.Own] = true
	}
	return own
}

// A workspace is what one worker needs to read documents.
type workspace struct {
	reader   reader
	document profile.Document
	own      map[string]bool // collections named after files
	exported *source.File    // begins as an export of phpMyAdmin does

	// shown is the text of the document shown last, or nil if a document with the
	// same text cannot be shown from that parse.
	shown []byte
}

// show visits a document unless it belongs to the database itself. base is the
// offset of its text in the file.
func (s *workspace) show(worker int, b *source.Batch, base int64, d *scan.Document, label string, p *pass) (shown bool) {
	s.document.Load(d, b.File.ID, base)
	name := cmp.Or(label, b.File.Collection)
	if reserved(name, &s.document) {
		return false
	}
	p.visit(worker, name, &s.document)
	return true
}

// showParts shows the documents inside a document that is a whole file, if it
// holds a database or a page of one.
func (s *workspace) showParts(worker int, b *source.Batch, base int64, d *scan.Document, p *pass) bool {
	parts, lost, ok := documentsIn(d, b.File)
	if !ok {
		return false
	}
	for _, k := range lost {
		if name := d.Tokens[k]; p.report != nil {
			said := scan.Diagnostic{
				Code: codeOverwritten, Start: int(name.Start), End: int(name.End),
				Message: fmt.Sprintf("the collection %q occurs again later in this file: readers keep only the last one and lose the %s here", d.String(k), quantity.Of(int64(d.Len(k+1)), "document")),
				Hint:    "put all documents of the collection into one list",
			}
			p.report(worker, damaged{said, b.File, position(b.File, base, int64(len(d.Src)), said), base, base + int64(len(d.Src))})
		}
	}
	if total := ofMore(d); total > 0 && p.report != nil {
		said := scan.Diagnostic{Code: codePage, More: total}
		p.report(worker, damaged{said, b.File, position(b.File, base, int64(len(d.Src)), said), base, base})
	}
	for name, part := range parts {
		s.showPart(worker, b, base, part, name, p)
	}
	return true
}

// showPart visits a document of a collection inside another document.
func (s *workspace) showPart(worker int, b *source.Batch, base int64, part *scan.Document, name string, p *pass) {
	if name != b.File.Own && name != b.File.Collection && s.own[name] {
		name = b.File.Collection + "." + name // it is not the collection of the file with this name
	}
	name = cmp.Or(name, b.File.Own)
	if scan.DetectDialect(part) == scan.Plain {
		s.show(worker, b, base, part, name, p)
	} else if typed, err := s.reader.typed(part); err == nil {
		s.show(worker, b, base+int64(part.Tokens[0].Start), typed, name, p)
	}
}

// A pass reads documents once. Its functions are called concurrently, with the
// number of one of the e.jobs workers.
type pass struct {
	files []source.Head // nil for all

	// begin is called with each batch before its documents are visited. It may be
	// nil.
	begin func(worker int, b *source.Batch)

	// wants reports whether to read what stands at an offset; nil reads
	// everything.
	wants func(f *source.File, offset int64) bool

	visit func(worker int, collection string, d *profile.Document)

	// report, if not nil, receives the damage in documents that are not valid
	// JSON. Such documents are recovered.
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
		s.own = e.own
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

// read shows the documents in a span of a batch.
func (s *workspace) read(worker int, b *source.Batch, n int, p *pass) error {
	span := b.Spans[n]
	text := b.Data[span.Start:span.End]
	base := b.Base + int64(span.Start)
	if span.Row {
		if p.report != nil {
			d := scan.Diagnostic{Code: scan.CodeLoneValue, End: len(text), Message: "the elements are rows of values, not documents", Hint: "write each row as an object, with a name for each value"}
			p.report(worker, damaged{d, b.File, position(b.File, base, int64(len(text)), d), base, base + int64(len(text))})
		}
		return nil
	}
	if !span.Suspect {
		d, err := s.reader.parse(text)
		if err == nil && d.Tokens[0].Kind == scan.Object {
			if namedByAction(b, n) {
				d.Ident = d.Tokens[0]
			}
			if p.report != nil && !b.File.Dumped() {
				for _, m := range d.Malformed {
					p.report(worker, damaged{m, b.File, position(b.File, base, int64(len(text)), m), base, base + int64(len(text))})
				}
			}
			if !s.showTable(worker, b, n, d, p) && (!wholeFile(b) || !s.showParts(worker, b, base, d, p)) {
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
		recovered = nil // its siblings are cleanly framed: trust them, not a guess
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

// A reader parses documents, each in the dialect it is written in.
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
	return len(text) >= 2 && text[0] == '{' && text[1] != '"' && text[len(text)-1] == '}' && len(bytes.TrimLeft(text[1:len(text)-1], " \t\r\n")) == 0
}

// typed parses part of a document again in its dialect.
func (r *reader) typed(part *scan.Document) (*scan.Document, error) {
	r.vendor.Dialect = scan.DetectDialect(part)
	return r.vendor.Parse(part.Raw(0))
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

// profile reads everything once. It returns the profiles in order of their
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
					s.sort = &sorter{guess: g.(*guess), next: e.kindsAsked, mixed: profile.NewCollection(name)}
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
	for _, o := range e.validating {
		e.validated = append(e.validated, o.Seen)
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

// filesOf returns the files that hold documents of the wanted collections.
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
	var last profile.Document // rules ask for the same document several times in a row
	var held profile.Pos
	return func(at profile.Pos) (*profile.Document, error) {
		if last.Document != nil && held.File == at.File && held.Doc == at.Doc && held.DocLen == at.DocLen {
			return &last, nil
		}
		if last.Document != nil {
			last.Src = nil      // never hold two texts
			last.Document = nil // its tokens are overwritten even if the next read fails
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

// store names the store that holds a document: the directory of its file. It is "" for
// collections that a user named, and for files of one name that are one document each.
func (e *engine) store(at profile.Pos) string {
	f := e.set.Files[at.File]
	if at.Doc == 0 && int64(at.DocLen) == e.ends[at.File] && f.Collection == f.Own {
		return ""
	}
	return f.Store()
}
