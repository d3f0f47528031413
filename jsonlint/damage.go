package jsonlint

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// codeDamagedBSON is the kind of an input-error in a document of a BSON dump.
const codeDamagedBSON = "damaged-bson"

// codeOverwritten is the kind of an input-error in a file that holds a collection
// twice.
const codeOverwritten = "overwritten-collection"

// codePage marks an answer that holds only some of the documents it counts. It is no
// damage.
const codePage = "page"

// damaged is a place in the input that is not valid JSON.
type damaged struct {
	scan.Diagnostic
	file *source.File
	at   profile.Pos
	base int64 // offset in the file from which the diagnostic counts
	end  int64 // where that text ends
}

func position(f *source.File, base, length int64, d scan.Diagnostic) profile.Pos {
	return profile.Pos{
		File: f.ID, Off: base + int64(d.Start), Len: uint32(max(1, d.End-d.Start)), Doc: base, DocLen: uint32(max(1, length)),
	}
}

// guessed reports whether the parser had to guess what a document says: where a
// string or a container ends, or what a value was.
func guessed(d scan.Diagnostic) bool {
	switch d.Code {
	case scan.CodeMissingQuote, scan.CodeUnescapedQuote, scan.CodeMissingValue, scan.CodeMissingOpener, scan.CodeMissingCloser, scan.CodeUnbalanced, scan.CodeDoubledEscape:
		return true
	}
	return false
}

// partial returns the collections of which documents could not be read, or are on pages
// that are not there.
func (e *engine) partial(db *model.Database) map[string]bool {
	partial := map[string]bool{}
	for _, d := range e.damage {
		for _, c := range db.Collections {
			if d.Code == codePage && c.Profile.Root.Count < int64(d.More) && slices.Contains(e.holds[d.at.File], c.Name) {
				partial[c.Name] = true
			}
		}
		if guessed(d.Diagnostic) || d.Code == scan.CodeCutOff || d.Code == scan.CodeUnreadable {
			partial[d.file.Collection] = true
		}
	}
	return partial
}

// inputErrors turns the damage into findings. A file that ends inside a
// document becomes a problem instead, because nobody knows what is missing.
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
	documents := false // some file has documents
	for _, names := range e.holds {
		documents = documents || len(names) > 0
	}
	var out []check.Raw
	var cut []damaged
	nth := map[string]int{}       // findings by file and code
	habits := map[string]*habit{} // by file and habit
	usual := map[string]*habit{}  // by file: the habit with the most places
	lists := map[uint32]int{}     // the finding of a file without documents, beside files with documents
	others := map[uint32]bool{}   // files with other damage
	for _, d := range e.damage {
		if d.Code == codePage {
			continue
		}
		if d.Code == scan.CodeCutOff && d.end == e.ends[d.at.File] && !d.file.Prose {
			cut = append(cut, d)
			continue
		}
		habitually := d.file.Path + ":" + habitual(d.Diagnostic)
		if h := usual[d.file.Path]; d.Code == scan.CodeMore && h != nil {
			h.count(&out[h.finding], int64(d.More)) // of the same habit as before
			continue
		}
		if h := habits[habitually]; h != nil {
			h.add(&out[h.finding], d)
			if u := usual[d.file.Path]; u == nil || h.more > u.more {
				usual[d.file.Path] = h
			}
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
		if habitual(d.Diagnostic) != "" {
			habits[habitually] = &habit{finding: len(out), message: d.Message}
		}
		if d.Code == scan.CodeLoneValue && len(e.holds[d.at.File]) == 0 && documents {
			lists[d.at.File] = len(out)
		}
		others[d.at.File] = others[d.at.File] || d.Code != scan.CodeLoneValue
		out = append(out, r)
	}
	for file, i := range lists { // undamaged lists of texts or numbers are probably not part of the database
		if !others[file] {
			out[i].Severity, out[i].Confidence = finding.Info, 0.4
		}
	}
	return out, cut
}

// mend adds an edit that repairs the damage to a finding.
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

// A habit is a deviation from JSON that a file repeats throughout. One finding
// reports it.
type habit struct {
	finding int // index of the finding
	message string
	more    int64 // places after this one
}

// habitual returns the habit that the damage belongs to, or "" if it is a slip.
// Quotes, names and comments in shell syntax are one habit, as is the same text
// around each document.
func habitual(d scan.Diagnostic) string {
	switch d.Code {
	case scan.CodeMongoShell, scan.CodeComment, scan.CodeSingleQuotes, scan.CodeUnquotedName:
		return scan.CodeMongoShell
	case codeOverwritten, scan.CodeNotADocument, scan.CodeLoneValue, scan.CodeExtended, scan.CodeInvalidUTF8, scan.CodeControl, scan.CodeUnescapedQuote, scan.CodeTrailingComma, scan.CodeDocumentComma, scan.CodeElementComma:
		return d.Code
	case scan.CodeText:
		return d.Code + ":" + d.Message
	}
	return ""
}

// habitPlaces bounds the places of a habit that are shown beside the first.
const habitPlaces = 3

// count counts n more places of the habit.
func (h *habit) count(r *check.Raw, n int64) {
	h.more += n
	r.Message = fmt.Sprintf("%s; %s in the file", h.message, quantity.Of(h.more, "more such place"))
}

// add counts one more place of the habit and shows it.
func (h *habit) add(r *check.Raw, d damaged) {
	h.count(r, 1)
	if len(r.Related) < habitPlaces {
		r.Related = append(r.Related, check.RawRelated{Message: d.Message, At: d.at})
	}
	d.mend(r)
}

// cutOff turns files that end inside a document into problems.
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
