package lsp

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/shapevet/shapevet/internal/config"
)

// Delays before a check, to wait for further changes.
const (
	afterOpening     = 10 * time.Millisecond
	afterTyping      = 150 * time.Millisecond
	afterOtherChange = 250 * time.Millisecond
)

// A document is a file open in the editor.
type document struct {
	path    string
	uri     string // in the client's spelling
	version int32
	text    *text
	unit    *unit // nil for a file that is not checked
}

func (s *server) didOpen(params didOpenParams) {
	path, ok := pathOf(params.TextDocument.URI)
	if !ok {
		return
	}
	d := &document{
		path: path, uri: params.TextDocument.URI, version: params.TextDocument.Version, text: newText([]byte(params.TextDocument.Text)),
	}
	s.documents[path] = d
	if d.unit = s.unitOf(path); d.unit != nil {
		s.schedule(d.unit, afterOpening, !onDisk(path, d.text.content)) // it may be a new file
	}
}

// open returns the open document with a URI, or nil.
func (s *server) open(uri string) *document {
	path, ok := pathOf(uri)
	if !ok {
		return nil
	}
	return s.documents[path]
}

func (s *server) didChange(params didChangeParams) {
	d := s.open(params.TextDocument.URI)
	if d == nil {
		return
	}
	d.text = d.text.changed(params.ContentChanges)
	if params.TextDocument.Version != nil {
		d.version = *params.TextDocument.Version
	}
	if d.unit == nil || !d.unit.fast() {
		return // findings move with the text until the next save checks again
	}
	s.schedule(d.unit, afterTyping, false)
}

func (s *server) didSave(params documentParams) {
	path, ok := pathOf(params.TextDocument.URI)
	switch d := s.documents[path]; {
	case !ok:
	case filepath.Base(path) == config.FileName:
		s.reconfigure(afterOpening)
	case d != nil && d.unit != nil:
		s.schedule(d.unit, afterOpening, true)
	}
}

func (s *server) didClose(params documentParams) {
	d := s.open(params.TextDocument.URI)
	if d == nil {
		return
	}
	delete(s.documents, d.path)
	if d.unit == nil {
		return
	}
	if s.abandoned(d.unit) {
		s.drop(d.unit)
	} else if !onDisk(d.path, d.text.content) {
		s.schedule(d.unit, afterOpening, true) // unsaved text is gone
	}
}

// abandoned reports whether a unit has no open files.
func (s *server) abandoned(u *unit) bool {
	for _, d := range s.documents {
		if d.unit == u {
			return false
		}
	}
	return true
}

// drop removes a unit and its findings.
func (s *server) drop(u *unit) {
	u.stop()
	delete(s.units, u.key)
	s.publish(u, nil)
}

func (s *server) didChangeWatchedFiles(params watchedFilesParams) {
	for _, change := range params.Changes {
		path, ok := pathOf(change.URI)
		switch name := filepath.Base(path); {
		case !ok:
		case name == config.FileName:
			s.reconfigure(afterOtherChange)
		case s.documents[path] != nil: // the editor's text takes precedence
		default:
			for _, key := range slices.Sorted(maps.Keys(s.units)) {
				if u := s.units[key]; u.concerns(path) {
					s.schedule(u, afterOtherChange, true)
				}
			}
		}
	}
}

// reconfigure reassigns the open documents to units and checks all of them.
func (s *server) reconfigure(delay time.Duration) {
	for _, path := range slices.Sorted(maps.Keys(s.documents)) {
		s.documents[path].unit = s.unitOf(path)
	}
	for _, key := range slices.Sorted(maps.Keys(s.units)) {
		if u := s.units[key]; s.abandoned(u) {
			s.drop(u)
		} else {
			s.schedule(u, delay, true)
		}
	}
}

// unsaved returns the texts of a unit's open documents that differ from the
// disk, and the texts of all its open documents.
func (s *server) unsaved(u *unit) (unsaved map[string][]byte, texts map[string]*text) {
	unsaved, texts = map[string][]byte{}, map[string]*text{}
	for path, d := range s.documents {
		if d.unit != u {
			continue
		}
		texts[path] = d.text
		if !onDisk(path, d.text.content) {
			unsaved[path] = d.text.content
		}
	}
	return unsaved, texts
}

// onDisk reports whether a file on disk holds a text.
func onDisk(path string, content []byte) bool {
	saved, err := os.ReadFile(path)
	return err == nil && bytes.Equal(saved, content)
}

func isDocument(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json", ".jsonl", ".ndjson":
		return true
	}
	return false
}
