package guided

import (
	"cmp"
	"slices"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/united"
	"github.com/shapevet/shapevet/internal/finding"
)

// stored returns where documents of this run hold the subject of a finding. A
// struct used in several types has one field in code and a place in the
// documents of each.
func (e *Evidence) stored(p *docmodel.Program, f *check.Finding) []finding.Place {
	var places []finding.Place
	add := func(d *docmodel.Document, path string) {
		if place, ok := e.Place(p, d); ok {
			place.Path = path
			places = append(places, place)
		}
	}
	if f.Field == nil {
		add(f.Document, "")
		return places
	}
	for _, field := range p.Occurrences(f.Field.Var) {
		if !field.WritesItself() {
			add(field.Document, field.Path)
		}
	}
	slices.SortFunc(places, func(a, b finding.Place) int {
		return cmp.Or(cmp.Compare(a.Collection, b.Collection), cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Path, b.Path))
	})
	return slices.Compact(places)
}

// Place returns where documents of this run hold the values of a type.
func (e *Evidence) Place(p *docmodel.Program, d *docmodel.Document) (place finding.Place, ok bool) {
	if e.options.Seen == nil {
		return finding.Place{}, false
	}
	b := e.bind(p, d)
	if b.Collection == "" || e.options.Seen.Collection(b.Collection) == nil {
		return finding.Place{}, false
	}
	return finding.Place{Collection: b.Collection, Entity: b.kind.Entity}, true
}

// shown reports whether the rule for documents found the mistake in documents
// of this run. It knows more than an evidence file.
func (e *Evidence) shown(rule check.Rule, f *check.Finding) bool {
	return slices.ContainsFunc(e.options.Found, func(d finding.Finding) bool {
		return d.Confidence >= finding.Probable && united.Shown(rule, f.Stored, &d)
	})
}
