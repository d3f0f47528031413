package copies

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Weigh adds up the evidence that the copied data changes. The source is known.
func (c *Copy) Weigh(p *check.Pass) *check.Score {
	s, words, f := &check.Score{}, p.Words(), c.Field
	s.Add(3, "copy of", c.Source.Name)
	s.At(c.Source.Pos, "%s has documents of its own", c.Source.Name)
	if c.Whole && len(p.Program.Values(f)) > 0 && !p.Program.Copied(f) {
		s.Add(-5, "made for the document", f.GoName())
	}
	changed := p.Program.Changes(c.Source)
	volatile, count := Volatile(words, f)
	clock := updated(f.Fields)
	if count > 0 {
		names := make([]string, len(volatile))
		for i, v := range volatile {
			names[i] = v.Name
		}
		s.Add(min(2*float64(count), 4), "changes often", strings.Join(names, ", "))
	} else if i := slices.IndexFunc(f.Fields, func(inner *docmodel.Field) bool {
		return inner.Scalar() && inner != clock && inner.Has(words, lexicon.VolatileMedium)
	}); i >= 0 && changed {
		s.Add(1, "changes occasionally", f.Fields[i].Name)
	}
	changes(s, volatile)
	if clock != nil && updated(f.Document.Fields) != nil && changed {
		s.Add(1, "has its own time of change", clock.GoName())
	}
	if c.AllSlow(words) {
		s.Add(-4, "hardly changes", true)
	}
	if c.Historical != "" {
		s.Add(-5, "a record of the past", c.Historical)
	}
	return s
}

// refreshes reports whether a function is named as one that runs again and again.
func refreshes(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && slices.Contains(refreshWords(), tokens[0])
}

var refreshWords = rulebook.Words("volatile-embed", "refreshes")

// changes looks for code that changes a volatile value.
func changes(s *check.Score, volatile []*docmodel.Field) {
	for _, v := range volatile {
		for _, w := range v.Writes {
			if w.Fresh || w.Kind == docmodel.Appends {
				continue
			}
			s.Add(2, "is changed", v.GoName()+" in "+w.Func)
			s.At(w.Pos, "here %s changes", v.GoName())
			if w.Loop || refreshes(w.Func) {
				s.Add(1, "is changed repeatedly", w.Func)
			}
			return
		}
	}
}

// updated returns the time of change among fields, or nil.
func updated(fields []*docmodel.Field) *docmodel.Field {
	for _, f := range fields {
		if slices.Contains(copyTimesWords(), lexicon.Fold(f.GoName())) {
			return f
		}
	}
	return nil
}

var copyTimesWords = rulebook.Words("volatile-embed", "copy-times")

// cached reports whether documents are named as those of a cache.
func cached(d *docmodel.Document) bool {
	return slices.ContainsFunc(lexicon.Tokens(d.Name), func(token string) bool { return slices.Contains(cacheWords(), token) })
}

var cacheWords = rulebook.Words("volatile-embed", "caches")
