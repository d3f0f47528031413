package lsp

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
)

// A result is the outcome of a check, in terms of the files at that time.
type result struct {
	files map[string]*file // files with findings, by path
	texts map[string]*text // also files that findings refer to
	marks map[string]int   // bytes before the text that editors do not show, by path
}

// A file has the findings in a file.
type file struct {
	text     *text
	findings []placed
	notes    []diagnostic // about the whole file or about unreadable input
}

// placed is a finding with its range of bytes.
type placed struct {
	finding.Finding
	start, end int
}

// newResult locates everything in a report. texts are the texts of open files
// as checked.
func newResult(r *finding.Report, texts map[string]*text, dir, note string) *result {
	found := &result{files: map[string]*file{}, texts: maps.Clone(texts), marks: map[string]int{}}
	for _, f := range r.Findings {
		path := absolute(f.Location.File)
		if at := found.file(path); at != nil {
			start, end := found.texts[path].span(f.Location)
			at.findings = append(at.findings, placed{f, start, end})
		}
	}
	for _, f := range r.Findings { // everything else that findings refer to, before it changes
		for _, related := range f.Related {
			found.text(absolute(related.Location.File))
		}
		for _, fix := range f.Fixes {
			for _, edit := range fix.Edits {
				found.text(absolute(edit.File))
			}
		}
	}
	for _, p := range r.Problems {
		path := absolute(p.Location.File)
		if p.Location.File == "" || path == dir {
			continue
		}
		if at := found.file(path); at != nil {
			at.notes = append(at.notes, problem(at.text, p))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		if note != "" {
			at := found.file(path)
			at.notes = append(at.notes, diagnostic{Severity: severityInfo, Source: sourceName, Message: note})
		}
	}
	return found
}

// file returns the entry for a path, or nil if editors cannot show the file
// because it is gone or compressed.
func (r *result) file(path string) *file {
	if f := r.files[path]; f != nil {
		return f
	}
	t := r.text(path)
	if t == nil {
		return nil
	}
	f := &file{text: t}
	r.files[path] = f
	return f
}

// text returns the text of a file when it was checked. For a file that is not
// open, that is the current text, which an editor would show.
func (r *result) text(path string) *text {
	if t, ok := r.texts[path]; ok {
		return t
	}
	r.texts[path], r.marks[path] = readText(path)
	return r.texts[path]
}

// readText reads a file the way editors show it, without the byte order mark,
// whose length is mark. The text is nil if the file is gone or not UTF-8.
func readText(path string) (t *text, mark int) {
	content, err := os.ReadFile(path)
	if err != nil || !utf8.Valid(content) {
		return nil, 0
	}
	shown := bytes.TrimPrefix(content, byteOrderMark)
	return newText(shown), len(content) - len(shown)
}

// span returns the range of bytes of a location.
func (t *text) span(l finding.Location) (start, end int) {
	if l.Line < 1 {
		return 0, 0
	}
	start = t.at(l.Line, l.Column)
	if l.EndLine < l.Line || l.EndLine == l.Line && l.EndColumn <= l.Column {
		return start, start
	}
	return start, max(start, t.at(l.EndLine, l.EndColumn))
}

const sourceName = "shapevet"

var severities = map[finding.Severity]int{finding.Error: severityError, finding.Warning: severityWarning, finding.Info: severityInfo}

// problem returns the diagnostic for something that could not be checked.
func problem(t *text, p finding.Problem) diagnostic {
	message := p.Message
	if p.Hint != "" {
		message += ": " + p.Hint
	}
	return diagnostic{Range: t.rangeOf(t.span(p.Location)), Severity: severityError, Source: sourceName, Message: message}
}

// problemsIn returns the diagnostics for problems in a configuration file.
func problemsIn(path string, problems []finding.Problem) []diagnostic {
	content, err := os.ReadFile(path)
	if err != nil {
		content = nil // keep the problem without its place
	}
	t := newText(content)
	out := make([]diagnostic, 0, len(problems))
	for _, p := range problems {
		out = append(out, problem(t, p))
	}
	return out
}

// uri returns the URI of a file, in the client's spelling if it is open.
func (s *server) uri(path string) string {
	if d := s.documents[path]; d != nil {
		return d.uri
	}
	return uriOf(path)
}

// publish shows the findings in a unit and removes earlier ones. found is nil
// if the unit is no longer checked.
func (s *server) publish(u *unit, found *result) {
	stale := map[string]bool{}
	maps.Copy(stale, u.published)
	u.published, u.result = map[string]bool{}, found
	if found != nil {
		for _, path := range slices.Sorted(maps.Keys(found.files)) {
			delete(stale, path)
			u.published[path] = true
			s.notify("textDocument/publishDiagnostics", s.diagnosticsOf(found, path))
		}
		for path, d := range s.documents { // an empty list says that the file was checked
			if d.unit == u && found.files[path] == nil {
				stale[path] = true
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(stale)) {
		s.notify("textDocument/publishDiagnostics", publishParams{URI: s.uri(path), Version: s.versionOf(path), Diagnostics: []diagnostic{}})
	}
}

func (s *server) versionOf(path string) *int32 {
	d := s.documents[path]
	if d == nil || !s.client.Capabilities.TextDocument.PublishDiagnostics.VersionSupport {
		return nil
	}
	version := d.version
	return &version
}

// current returns the current text of a file, and how positions in a result map
// to it.
func (s *server) current(r *result, path string) (*text, move) {
	checked := r.text(path)
	if checked == nil {
		return nil, move{}
	}
	if d := s.documents[path]; d != nil {
		return d.text, moveOf(checked, d.text)
	}
	return checked, moveOf(checked, checked)
}

func (s *server) diagnosticsOf(r *result, path string) publishParams {
	at := r.files[path]
	params := publishParams{URI: s.uri(path), Version: s.versionOf(path), Diagnostics: slices.Clone(at.notes)}
	if params.Diagnostics == nil {
		params.Diagnostics = []diagnostic{}
	}
	now, moved := s.current(r, path)
	for _, f := range at.findings {
		if start, end, ok := moved.span(f.start, f.end); ok {
			params.Diagnostics = append(params.Diagnostics, s.diagnostic(r, f.Finding, now.rangeOf(start, end)))
		}
	}
	return params
}

func (s *server) diagnostic(r *result, f finding.Finding, at textRange) diagnostic {
	d := diagnostic{Range: at, Severity: severities[f.Severity], Code: f.Rule, Source: sourceName, Message: f.Message}
	client := s.client.Capabilities.TextDocument.PublishDiagnostics
	if client.CodeDescriptionSupport {
		d.CodeDescription = &codeDescription{Href: report.PageURL(f.Rule)}
	}
	if !client.RelatedInformation {
		return d
	}
	for _, related := range f.Related {
		path := absolute(related.Location.File)
		now, moved := s.current(r, path)
		if related.Location.File == "" || now == nil {
			continue
		}
		start, end := r.text(path).span(related.Location)
		if start, end, ok := moved.span(start, end); ok {
			d.RelatedInformation = append(d.RelatedInformation, relatedLocation{
				Location: location{URI: s.uri(path), Range: now.rangeOf(start, end)}, Message: related.Message,
			})
		}
	}
	return d
}

// at returns the findings that touch a range of the current file, with their
// positions.
func (s *server) at(d *document, start, end int) []placed {
	if d.unit == nil || d.unit.result == nil || d.unit.result.files[d.path] == nil {
		return nil
	}
	_, moved := s.current(d.unit.result, d.path)
	var found []placed
	for _, f := range d.unit.result.files[d.path].findings {
		var ok bool
		if f.start, f.end, ok = moved.span(f.start, f.end); ok && f.start <= end && start <= f.end {
			found = append(found, f)
		}
	}
	return found
}
