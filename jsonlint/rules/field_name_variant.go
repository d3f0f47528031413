package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
)

// fieldNameVariant reports fields that are one field under two names: equal
// but for case and separators, or a rare misspelling of a common name.
var fieldNameVariant = Rule{Name: "field-name-variant", Run: func(p *Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			for _, v := range nameVariants(n, p.Threshold("rare-share"), p.Threshold("common-share")) {
				v.entity, v.holder = e, n
				v.watch(p)
			}
			return true
		})
	}
}}

const (
	variantFields = 200 // names above which an object is rather a map
	variantLength = 3   // letters from which case means nothing: e and E may be two fields
	typoOne       = 5   // letters from which one wrong letter is a misspelling
	typoTwo       = 9   // ... and two
	typoChance    = 0.05

	// For rules that leave names to this one.
	usualRare   = 0.02
	usualCommon = 0.8
)

// A nameVariant is a rarer name and the name that it stands for.
type nameVariant struct {
	entity   *model.Entity
	holder   *profile.Node
	rare     *profile.Node
	common   *profile.Node
	style    bool  // the two differ in case and separators only
	together int64 // objects that have both
}

// nameVariants returns the variants among the members of the objects at n.
func nameVariants(n *profile.Node, rareShare, commonShare float64) []*nameVariant {
	if n.Object == nil || n.Object.Sampled() || n.Object.Rest != nil || n.Object.Shapes == nil || !n.Object.Shapes.Exact() {
		return nil
	}
	fields := n.Object.Fields()
	if len(fields) > variantFields {
		return nil
	}
	var out []*nameVariant
	byFold := map[string][]*profile.Node{}
	for _, f := range fields {
		if fold := lexicon.Fold(f.Step.Name); len(fold) >= variantLength && !marked(f.Step.Name) {
			byFold[fold] = append(byFold[fold], f)
		}
	}
	for _, fold := range sortedKeys(byFold) {
		group := byFold[fold]
		slices.SortStableFunc(group, func(a, b *profile.Node) int { return cmp.Compare(b.Count, a.Count) })
		for _, f := range group[1:] {
			out = append(out, &nameVariant{rare: f, common: group[0], style: true, together: together(n, f, group[0])})
		}
	}
	for _, f := range fields {
		if v := misspelling(n, f, fields, rareShare, commonShare); v != nil && !slices.ContainsFunc(out, func(o *nameVariant) bool { return o.rare == f }) {
			out = append(out, v)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// marked are names that a mark sets apart on purpose: _id beside id, @type
// beside type.
func marked(name string) bool {
	return name != "" && strings.ContainsRune("_$@#:-", rune(name[0])) || strings.ContainsAny(name, ":/")
}

// together counts the objects that have both members, null or not being the
// same here as in shapes.
func together(n, a, b *profile.Node) (both int64) {
	for _, s := range n.Object.Shapes.All() {
		if slices.Contains(s.Fields, a) && slices.Contains(s.Fields, b) {
			both += s.Count
		}
	}
	return both
}

// misspelling returns the common name that a rare one is a letter or two away
// from, if objects have one or the other and that is no accident.
func misspelling(n, rare *profile.Node, fields []*profile.Node, rareShare, commonShare float64) *nameVariant {
	objects := float64(n.Types[profile.Object])
	if float64(rare.Present()) > rareShare*objects || len(rare.Step.Name) < typoOne || marked(rare.Step.Name) || rare.Present() == 0 {
		return nil
	}
	for _, common := range fields {
		share := float64(common.Present()) / objects
		if common == rare || share < commonShare || marked(common.Step.Name) ||
			math.Pow(1-share, float64(rare.Present())) > typoChance || !sameType(rare, common) {
			continue
		}
		a, b := strings.ToLower(rare.Step.Name), strings.ToLower(common.Step.Name)
		distance := 1
		if min(len(a), len(b)) >= typoTwo {
			distance = 2
		}
		if letters(a) != letters(b) && lexicon.Damerau(a, b, distance) <= distance && !counterparts(a, b) && together(n, rare, common) == 0 {
			return &nameVariant{rare: rare, common: common}
		}
	}
	return nil
}

// letters drops digits: line1 and line2 are no misspellings of each other.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, name)
}

// sameType reports whether the values have the same most frequent type.
func sameType(a, b *profile.Node) bool {
	ta, tb := a.TypeClasses(), b.TypeClasses()
	return len(ta) > 0 && len(tb) > 0 && ta[0].Class == tb[0].Class
}

// opposites are words a letter or two apart that mean different things.
var opposites = [][2]string{
	{"min", "max"}, {"in", "out"}, {"on", "off"}, {"to", "from"}, {"up", "down"}, {"low", "high"}, {"start", "end"}, {"old", "new"},
	{"row", "col"}, {"lat", "lon"}, {"lat", "lng"}, {"pre", "post"}, {"src", "dst"}, {"first", "last"}, {"sub", "sup"}, {"male", "female"},
}

// counterparts reports whether two names differ in a pair of opposites, or in
// one whole word of up to two letters (x and y).
func counterparts(a, b string) bool {
	wa, wb := lexicon.Tokens(a), lexicon.Tokens(b)
	for _, o := range opposites {
		for i := range 2 {
			x, y := o[i], o[1-i]
			if strings.Contains(a, x) && strings.Contains(b, y) && strings.Replace(a, x, y, 1) == b {
				return true
			}
		}
	}
	if len(wa) != len(wb) {
		return false
	}
	for i := range wa {
		if wa[i] != wb[i] && (len(wa[i]) <= 2 || len(wb[i]) <= 2) {
			return true
		}
	}
	return false
}

func (v *nameVariant) watch(p *Pass) {
	rare, common := v.rare.Step.Name, v.common.Step.Name
	const rareName, commonName = 0, 1
	f := findPlaces(p, v.entity, v.holder.Path(), 2, editsKept, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
		if k, ok := memberName(d, i, rare); ok {
			hit(rareName, d.At(k), "")
		}
		if k, ok := memberName(d, i, common); ok {
			hit(commonName, d.At(k), "")
		}
	})
	p.After(func() { v.report(p, &f.sorts[0], &f.sorts[1]) })
}

func (v *nameVariant) report(p *Pass, rare, common *found) {
	path := v.rare.Path()
	a, b := v.rare.Step.Name, v.common.Step.Name
	r := Raw{At: rare.first(), Related: []RawRelated{{Message: fmt.Sprintf("the first %q", b), At: common.first()}}}
	r.Severity, r.Confidence = finding.Warning, 0.9
	r.Message = fmt.Sprintf("%q in %s and %q in %s are one field in two spellings", a, count(rare.count, "object"), b, quantity.Grouped(common.count))
	r.Advice = fmt.Sprintf("Rename %s to %s: a query, an index or a schema for one name misses the objects with the other, and systems that ignore case read both into one column.", a, b)
	switch {
	case v.together > 0 && !strings.EqualFold(a, b):
		// Another separator is another name to every decoder: both arrive.
		r.Message = fmt.Sprintf("%q and %q stand together in %s: one field in two spellings, whose values may disagree", a, b, count(v.together, "object"))
		r.Advice = fmt.Sprintf("Keep %s and move what only %s holds into it: writers that know one name leave the other as it was, and readers believe the one they know.", b, a)
	case v.together > 0:
		r.Severity = finding.Error
		r.Message = fmt.Sprintf("%q and %q stand together in %s: decoders that ignore case keep one of the two", a, b, count(v.together, "object"))
		r.Advice = fmt.Sprintf("Keep %s and move what only %s holds into it; encoding/json keeps whichever comes last, a case-insensitive column store the first.", b, a)
	case !v.style:
		r.Confidence = 0.7
		r.Message = fmt.Sprintf("%q in %s looks like a misspelling of %q, which the other %s have", a, count(rare.count, "object"), b, quantity.Grouped(common.count))
	}
	r.Evidence = []finding.Evidence{
		{Name: "objects", Value: v.holder.Types[profile.Object]}, {Name: "objects.rare", Value: rare.count},
		{Name: "objects.common", Value: common.count}, {Name: "objects.both", Value: v.together},
	}
	if v.together == 0 {
		r.Fixes, r.Edits = v.fix(p, rare)
	}
	p.Report(v.entity, path, r)
}

func (v *nameVariant) fix(p *Pass, rare *found) ([]finding.Fix, []RawEdit) {
	a, b := v.rare.Step.Name, v.common.Step.Name
	fix := finding.Fix{Title: fmt.Sprintf("rename %s to %s (%s)", a, b, count(rare.count, "object")), Safety: finding.Plan}
	smallest := profile.Pos{}
	for _, place := range rare.places {
		smallest = smallerDocument(smallest, place.at)
	}
	if d, err := p.Document(smallest); err == nil {
		if before, _ := shown(reshape.From(d.Document, 0), int(smallest.DocLen), 3); before != nil {
			after := before.Clone()
			changed := false
			for _, holder := range after.Select(v.holder.Path()) {
				changed = holder.Rename(a, b) || changed
			}
			if changed {
				fix.Before = before.AppendJSON(nil)
				fix.After = []finding.DocumentInPlace{{Collection: v.entity.Collection.Name, Document: after.AppendJSON(nil)}}
			}
		}
	}
	var edits []RawEdit
	if rare.count <= editsKept {
		fix.Safety = finding.Unsafe // code may still read the old name
		name := string(reshape.String(b).AppendJSON(nil))
		for _, place := range rare.places {
			edits = append(edits, RawEdit{At: place.at, NewText: name})
		}
	}
	if fix.Before == nil && edits == nil {
		return nil, nil
	}
	return []finding.Fix{fix}, edits
}
