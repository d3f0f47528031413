// Package volatileembed reports copies of data that changes often.
//
// Each change of the original means rewriting every document that holds a
// copy. The rule asks whether the embedded struct has an identity, whether it
// is the same thing as documents stored elsewhere, and whether its values
// change. Orders, events and other records of what was are not reported: their
// copies are meant to be frozen.
package volatileembed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports embedded copies of data that changes often.
var Rule = docmodel.Rule{Name: "volatile-embed", Run: run, Ask: ask}

const maxDepth = 8 // objects and lists around the copy

func run(p *docmodel.Pass) {
	threshold, high := p.Threshold("go-score"), p.Threshold("go-high-score")
	for _, c := range copies.All(p) {
		if c.ID == nil || c.Field.Depth > maxDepth || p.Program.Retired(c.Field) {
			continue
		}
		s := Weigh(p, c)
		if s.Points < threshold {
			continue
		}
		f := c.Field
		p.Report(docmodel.Finding{
			Field: f, Confidence: s.Confidence(threshold, high), Message: message(c), Evidence: s.Evidence, Related: s.Related, Fix: plan(c),
			Advice: fmt.Sprintf("Keep %s in %s, in exactly the type of the original's id, with what hardly changes, such as a name. Read the rest from the original.",
				c.ID.Name, f.Document.Name),
		})
	}
}

// Weigh adds up the evidence that a copy is of data that changes.
func Weigh(p *docmodel.Pass, c copies.Copy) *docmodel.Score {
	s, words, f := &docmodel.Score{}, p.Words(), c.Field
	switch {
	case c.Source != nil:
		s.Add(3, "copy of", c.Source.Name)
		s.At(c.Source.Pos, "%s has documents of its own", c.Source.Name)
	case c.ID != nil:
		s.Add(1, "identity", c.ID.GoName())
	}
	var medium *docmodel.Field
	volatile, count := copies.Volatile(words, f)
	if count > 0 {
		names := make([]string, len(volatile))
		for i, v := range volatile {
			names[i] = v.Name
		}
		s.Add(min(2*float64(count), 4), "changes often", strings.Join(names, ", "))
	} else if medium = mediumField(words, f); medium != nil {
		s.Add(1, "changes now and then", medium.Name)
	}
	changes(s, volatile)
	if c.Source != nil || count > 0 || medium != nil { // code that rewrites what hardly changes does well
		fanOut(s, c)
	}
	clock(s, f)
	if f.Struct != nil && !f.Struct.Obj().Exported() && c.Source == nil {
		s.Add(-2, "private part of its document", f.Struct.Obj().Name())
	}
	if c.AllSlow(words) {
		s.Add(-4, "hardly changes", true)
	}
	if c.Historical != "" {
		s.Add(-5, "a record of what was", c.Historical)
	}
	return s
}

func mediumField(words *lexicon.Lexicon, f *docmodel.Field) *docmodel.Field {
	for _, inner := range f.Fields {
		if inner.Scalar() && inner.Has(words, lexicon.VolatileMedium) {
			return inner
		}
	}
	return nil
}

var refreshes = lazyregexp.New(`^(?i)(update|refresh|sync|tick|on[A-Z]|poll|recalc)`)

// changes looks for code that changes a volatile value.
func changes(s *docmodel.Score, volatile []*docmodel.Field) {
	for _, v := range volatile {
		for _, w := range v.Writes {
			if w.Fresh || w.Kind == docmodel.Appends {
				continue
			}
			s.Add(2, "is changed", v.GoName()+" in "+w.Func)
			s.At(w.Pos, "here %s changes", v.GoName())
			if w.Loop || refreshes.MatchString(w.Func) {
				s.Add(1, "is changed again and again", w.Func)
			}
			return
		}
	}
}

// fanOut looks for code that already rewrites the copies.
func fanOut(s *docmodel.Score, c copies.Copy) {
	f := c.Field
	for _, inner := range f.Fields {
		for _, u := range inner.Updated("$set", "$inc") {
			if !u.Many {
				continue
			}
			for _, filter := range u.Filters {
				if c.ID != nil && strings.HasSuffix(filter, c.ID.Dotted) {
					s.Add(4, "copies are rewritten", u.Op+" "+u.Path)
					s.At(u.Pos, "this update already rewrites every copy")
					return
				}
			}
		}
	}
}

// clock compares whether the copy and the document around it have times of
// change of their own.
func clock(s *docmodel.Score, f *docmodel.Field) {
	if updated(f.Fields) != nil && updated(f.Document.Fields) != nil {
		s.Add(1, "changes by its own clock", updated(f.Fields).GoName())
	}
}

func updated(fields []*docmodel.Field) *docmodel.Field {
	for _, f := range fields {
		if slices.Contains(copyTimesWords(), lexicon.Fold(f.GoName())) {
			return f
		}
	}
	return nil
}

func message(c copies.Copy) string {
	f := c.Field
	if c.Source != nil {
		return fmt.Sprintf("%s copies %s into %s: each change of one %s must reach every copy", f.Path, c.Source.Name, f.Document.Name, c.Source.Name)
	}
	return fmt.Sprintf("%s keeps values that change often in %s: if the same %s is in several documents, each change rewrites all of them",
		f.Path, f.Document.Name, c.ID.GoName())
}

var copyTimesWords = rulebook.Words("volatile-embed", "copy-times")
