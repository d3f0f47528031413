package lsp

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/fixes"
)

// codeActions returns what can be done about the findings in a range.
func (s *server) codeActions(params codeActionParams) (any, error) {
	actions := []codeAction{}
	d := s.open(params.TextDocument.URI)
	if d == nil || d.unit == nil || d.unit.result == nil {
		return actions, nil
	}
	only := params.Context.Only
	if wants(only, kindQuickFix) {
		for _, f := range s.at(d, d.text.offset(params.Range.Start), d.text.offset(params.Range.End)) {
			about := []diagnostic{s.diagnostic(d.unit.result, f.Finding, d.text.rangeOf(f.start, f.end))}
			actions = append(actions, s.quickFixes(d, f, about)...)
			if filepath.Ext(d.path) == ".go" {
				actions = append(actions, s.ignore(d, f, about))
			}
		}
	}
	if len(only) > 0 && wants(only, kindFixAll) { // requested explicitly, on saving for example
		if all, ok := s.fixAll(d); ok {
			actions = append(actions, all)
		}
	}
	return actions, nil
}

// wants reports whether a client that requests some kinds of action gets this
// kind. Kinds are dotted paths; an empty list means all kinds.
func wants(only []string, kind string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool { return o == kind || o == "" || strings.HasPrefix(kind, o+".") })
}

func (s *server) quickFixes(d *document, f placed, about []diagnostic) []codeAction {
	var actions []codeAction
	for _, fix := range f.Fixes {
		if len(fix.Edits) == 0 || fix.Safety == finding.Plan {
			continue
		}
		one := f.Finding
		one.Fixes = []finding.Fix{fix}
		edit, ok := s.edit(d.unit.result, []finding.Finding{one}, fix.Safety)
		if !ok {
			continue
		}
		action := codeAction{
			Title: fix.Title, Kind: kindQuickFix, Diagnostics: about, IsPreferred: fix.Safety == finding.Safe, Edit: edit,
		}
		if fix.Safety != finding.Safe {
			action.Title += " (unsafe: changes stored data or what the program writes)"
		}
		actions = append(actions, action)
	}
	return actions
}

// fixAll applies the safe fixes of all findings in a file.
func (s *server) fixAll(d *document) (codeAction, bool) {
	at := d.unit.result.files[d.path]
	if at == nil {
		return codeAction{}, false
	}
	var found []finding.Finding
	for _, f := range at.findings {
		found = append(found, f.Finding)
	}
	edit, ok := s.edit(d.unit.result, found, finding.Safe)
	return codeAction{Title: "apply the safe fixes of shapevet", Kind: kindFixAll, Edit: edit}, ok
}

// ignoreReason is a placeholder for the reason.
const ignoreReason = "say here why this is accepted"

// ignore returns an action that accepts a finding in Go code with a directive
// above its line.
func (s *server) ignore(d *document, f placed, about []diagnostic) codeAction {
	start := d.text.lines[d.text.position(f.start).Line]
	line := d.text.content[start:]
	indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	end := "\n"
	if n := bytes.IndexByte(line, '\n'); n > 0 && line[n-1] == '\r' {
		end = "\r\n"
	}
	text := fmt.Sprintf("%s//shapevet:ignore %s %s%s", indent, f.Rule, ignoreReason, end)
	return codeAction{
		Title: "ignore " + f.Rule + " here, with a reason", Kind: kindQuickFix, Diagnostics: about,
		Edit: s.workspaceEdit(map[string][]textEdit{d.path: {{Range: d.text.rangeOf(start, start), NewText: text}}}),
	}
}

// edit turns the fixes of findings into an edit of the current files. It drops
// fixes for places that have changed since; ok is false if none is left.
func (s *server) edit(r *result, found []finding.Finding, safety finding.Safety) (edit workspaceEdit, ok bool) {
	now := map[string]*text{}
	var movable []finding.Finding
	for _, f := range found {
		if f.Fixes = s.moved(r, f.Fixes, safety, now); len(f.Fixes) > 0 {
			movable = append(movable, f)
		}
	}
	read := func(path string) ([]byte, error) { return now[path].content, nil }
	fixed, err := fixes.Apply(movable, read, safety)
	if err != nil {
		return edit, false
	}
	edits := map[string][]textEdit{}
	for path, content := range fixed.Files {
		if !bytes.Equal(content, now[path].content) {
			edits[path] = differences(now[path], content, movable, path)
		}
	}
	return s.workspaceEdit(edits), len(edits) > 0
}

// moved returns the fixes of one safety, adapted to absolute paths and to the
// current texts, which it adds to now.
func (s *server) moved(r *result, original []finding.Fix, safety finding.Safety, now map[string]*text) []finding.Fix {
	var out []finding.Fix
	for _, fix := range original {
		if fix.Safety != safety || len(fix.Edits) == 0 {
			continue
		}
		fix.Edits = slices.Clone(fix.Edits)
		whole := true
		for k := range fix.Edits {
			whole = s.moveEdit(r, &fix.Edits[k], now) && whole
		}
		if whole {
			out = append(out, fix)
		}
	}
	return out
}

// moveEdit adapts an edit to the current text of its file. It returns false if
// the text to replace has changed.
func (s *server) moveEdit(r *result, edit *finding.Edit, now map[string]*text) bool {
	edit.File = absolute(edit.File)
	checked := r.text(edit.File)
	current := now[edit.File]
	if d := s.documents[edit.File]; d != nil {
		current = d.text
	} else if current == nil {
		current, _ = readText(edit.File)
	}
	if checked == nil || current == nil {
		return false
	}
	now[edit.File] = current
	mark := r.marks[edit.File]
	start, end, ok := moveOf(checked, current).span(int(edit.Start)-mark, int(edit.End)-mark)
	edit.Start, edit.End = int64(start), int64(end)
	return ok && 0 <= start && start <= end && end <= len(current.content)
}

// differences returns the edits that turn a text into content: those of the
// fixes if that is the result, or a single one if formatting changed more.
func differences(before *text, content []byte, found []finding.Finding, path string) []textEdit {
	var edits []finding.Edit
	for _, f := range found {
		for _, fix := range f.Fixes {
			for _, edit := range fix.Edits {
				if edit.File == path && !slices.Contains(edits, edit) {
					edits = append(edits, edit)
				}
			}
		}
	}
	if made, err := fixes.Edited(before.content, edits); err == nil && len(found) == 1 && bytes.Equal(made, content) {
		out := make([]textEdit, 0, len(edits))
		for _, edit := range edits {
			out = append(out, textEdit{Range: before.rangeOf(int(edit.Start), int(edit.End)), NewText: edit.NewText})
		}
		return out
	}
	moved := moveOf(before, newText(content))
	start, end := before.wholeCharacters(moved.changed())
	return []textEdit{{Range: before.rangeOf(start, end), NewText: string(content[start : end+moved.by])}}
}

// workspaceEdit adds the versions that the edits are for, if the client checks
// them.
func (s *server) workspaceEdit(edits map[string][]textEdit) workspaceEdit {
	var out workspaceEdit
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		if s.client.Capabilities.Workspace.WorkspaceEdit.DocumentChanges {
			id := versionedID{URI: s.uri(path)}
			if d := s.documents[path]; d != nil {
				version := d.version
				id.Version = &version
			}
			out.DocumentChanges = append(out.DocumentChanges, documentEdit{TextDocument: id, Edits: edits[path]})
			continue
		}
		if out.Changes == nil {
			out.Changes = map[string][]textEdit{}
		}
		out.Changes[s.uri(path)] = edits[path]
	}
	return out
}
