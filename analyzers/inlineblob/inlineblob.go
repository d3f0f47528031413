// Package inlineblob reports files stored inside documents: bytes and base64
// under the name of an image, a document or a recording.
package inlineblob

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports files inside documents.
var Rule = check.Rule{Name: "inline-blob", Run: run, Ask: ask}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		if f.WritesItself() || p.Program.Retired(f) {
			continue
		}
		b := blobOf(p, f)
		if b == nil {
			continue
		}
		profile, _ := p.Limits(f.Document)
		limit := ""
		if profile.DocumentBytes > 0 {
			limit = fmt.Sprintf(", of which %s allows %s a document", profile.Title, quantity.Bytes(profile.DocumentBytes))
		}
		p.Report(check.Finding{
			Field: f, Severity: b.severity, Confidence: b.confidence, Evidence: b.evidence,
			Message: fmt.Sprintf("%s keeps %s inside every %s, as %s%s", f.Path, b.what, f.Document.Name, b.form, limit),
			Advice: fmt.Sprintf("Write the content to object storage and keep its address, size and media type in %s: then a change of any other field no longer carries it.",
				f.OwnerName()),
			// Code still writes the content to the document until it is changed, so no
			// edit of the type helps.
			Fix: check.Plan("move %s to object storage and keep its address, size and media type", f.Path),
		})
	}
}

// A blob is what a field says about its file.
type blob struct {
	what, form string
	severity   finding.Severity
	confidence float64
	evidence   []finding.Evidence
}

// media are words for files. Small ones (icons, thumbnails) are fine in a
// document.
var media = rulebook.Words("inline-blob", "media")

// general are words for anything, much of which is small or not a file.
var general = rulebook.Words("inline-blob", "general")

// forms are words for how a file is encoded.
var forms = rulebook.Words("inline-blob", "forms")

// sealed are words for opaque values that belong in the document.
var sealed = rulebook.Words("inline-blob", "sealed")

var textForm = lazyregexp.New(`(?i)_?(base_?64|b64|data_?ur[il])(_?(string|str|data|content))?$`)

var commentForm = lazyregexp.New(`(?i)\bbase64\b|\bdata ur[il]`)

var limitTag = lazyregexp.New(`\b(max|lte|len|lt)=\d`)

func blobOf(p *check.Pass, f *docmodel.Field) *blob {
	if p.Words().Has(lexicon.BlobExempt, f.GoName()) || p.Words().Has(lexicon.BlobExempt, f.Name) || limitTag.MatchString(f.RawTag) {
		return nil
	}
	name, b := f.GoName(), &blob{severity: finding.Warning}
	_, fixed := docmodel.Pointed(f.Elem).Underlying().(*types.Array)
	encoded := false
	switch {
	case f.Kind == docmodel.Bytes && !fixed:
		b.form = "bytes"
	case f.Kind == docmodel.String && textForm.MatchString(name):
		name, b.form, encoded = textForm.ReplaceAllString(name, ""), "base64", true
	case f.Kind == docmodel.String && commentForm.MatchString(f.Comment()):
		b.form = "base64"
	default:
		return nil
	}
	tokens := words(name)
	isSealed := func(word string) bool { return slices.Contains(sealed(), word) }
	if slices.ContainsFunc(slices.Concat(tokens, words(f.OwnerName())), isSealed) || p.Words().Has(lexicon.BlobExempt, name) {
		return nil
	}
	stem := tokens
	for len(stem) > 1 && slices.Contains(forms(), stem[len(stem)-1]) {
		stem = stem[:len(stem)-1]
	}
	last := ""
	if len(stem) > 0 {
		last = stem[len(stem)-1]
	}
	isMedia, isGeneral := slices.Contains(media(), last), !encoded && slices.Contains(general(), tokens[len(tokens)-1])
	switch {
	case isMedia && f.Lists+f.Maps == 0 && lexicon.Tokens(name)[len(stem)-1] != last:
		return nil // one value for several files lists them
	case isMedia, isGeneral && slices.ContainsFunc(f.Siblings(), isFileName):
		b.what, b.confidence = "a file", 0.8
	case b.form == "bytes" && isGeneral, encoded:
		b.what, b.severity, b.confidence = "what may be a file", finding.Info, 0.4
	default:
		return nil
	}
	if f.Lists+f.Maps > 0 {
		b.what = strings.Replace(b.what, "a file", "files", 1)
	}
	if onlyFile(p, f) {
		b.severity, b.confidence = finding.Info, 0.4 // a document with only the file is read for the file
	}
	b.evidence = []finding.Evidence{check.TypeOf(f), {Name: "name", Value: f.GoName()}}
	return b
}

func words(name string) []string {
	tokens := lexicon.Tokens(name)
	for i := range tokens {
		tokens[i] = lexicon.Singular(tokens[i])
	}
	return tokens
}

// about are words for properties of a file.
var about = rulebook.Words("inline-blob", "about")

func isFileName(f *docmodel.Field) bool { return lexicon.Fold(f.GoName()) == "filename" }

// onlyFile reports whether a document holds nothing besides the file.
func onlyFile(p *check.Pass, f *docmodel.Field) bool {
	if f.Parent != nil {
		return false
	}
	others := 0
	for _, sibling := range f.Document.Fields {
		tokens := words(sibling.GoName())
		switch {
		case sibling == f, sibling.Kind == docmodel.Time, sibling.Kind == docmodel.ObjectID, sibling.Name == "_id":
		case sibling.Has(p.Words(), lexicon.Metadata), sibling.Has(p.Words(), lexicon.System), sibling.Has(p.Words(), lexicon.BlobExempt):
		case len(tokens) > 0 && (slices.Contains(about(), tokens[len(tokens)-1]) || tokens[len(tokens)-1] == "id"):
		default:
			others++
		}
	}
	return others == 0
}
