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

// How long to wait for more before checking.
const (
	afterOpening     = 10 * time.Millisecond
	afterTyping      = 150 * time.Millisecond
	afterOtherChange = 250 * time.Millisecond
)

// A document is a file that is open in the editor.
type document struct {
	path    string
	uri     string // as the client writes it
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

// open is the document of a URI, nil if it is not open.
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
		return // what a check finds moves with the text, and the next save checks again
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
		s.schedule(d.unit, afterOpening, true) // what was not saved is gone
	}
}

// abandoned reports whether no file of a unit is open.
func (s *server) abandoned(u *unit) bool {
	for _, d := range s.documents {
		if d.unit == u {
			return false
		}
	}
	return true
}

// drop forgets a unit and takes its findings from the screen.
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
		case s.documents[path] != nil: // its text is known better
		default:
			for _, key := range slices.Sorted(maps.Keys(s.units)) {
				if u := s.units[key]; u.concerns(path) {
					s.schedule(u, afterOtherChange, true)
				}
			}
		}
	}
}

// reconfigure sorts the open documents anew and checks all of them.
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

// unsaved is the text of those documents of a unit that are not on disk as
// they are open, and the text of all that are open.
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

// onDisk reports whether a file holds a text.
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
