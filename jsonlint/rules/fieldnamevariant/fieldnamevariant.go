// Package fieldnamevariant reports fields that are one field under two names:
// equal but for case and separators, or a rare misspelling of a common name.
package fieldnamevariant

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/namevariant"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is field-name-variant on documents.
var Rule = check.Rule{Name: "field-name-variant", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			for _, v := range namevariant.Find(n, p.Threshold("rare-share"), p.Threshold("common-share")) {
				if name := v.Rare.Step.Name; strings.TrimSpace(name) == name { // the rule awkward-field-name says it of others
					v.Entity, v.Holder = e, n
					watch(v, p)
				}
			}
			return true
		})
	}
}}

func watch(v *namevariant.Variant, p *check.Pass) {
	rare, common := v.Rare.Step.Name, v.Common.Step.Name
	renamed := string(reshape.String(common).AppendJSON(nil))
	const rareName, commonName, different, same, contrary = 0, 1, 2, 3, 4
	f := places.Find(p, v.Entity, v.Holder.Path(), 5, plans.EditsKept, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
		r, hasRare := places.MemberName(d, i, rare)
		c, hasCommon := places.MemberName(d, i, common)
		if hasRare {
			hit(rareName, d.At(r), renamed)
		}
		if hasCommon {
			hit(commonName, d.At(c), "")
		}
		switch {
		case !hasRare || !hasCommon:
		case d.Hash(r+1) != d.Hash(c+1):
			hit(different, d.At(r), "")
			if tells(d, r+1) && tells(d, c+1) {
				hit(contrary, d.At(r), "")
			}
		case tells(d, r+1):
			hit(same, d.At(r), "")
		}
	})
	p.After(func() {
		if v.Style || v.Both == 0 || f.Sorts[different].Count == 0 && f.Sorts[same].Count > 0 {
			report(v, p, &f.Sorts[rareName], &f.Sorts[commonName], f.Sorts[same].Count < max(1, f.Sorts[contrary].Count))
		}
	})
}

// tells reports whether the value at i, if two fields have it, shows that they
// belong together. Any two fields may both be empty.
func tells(d *profile.Document, i int) bool {
	switch d.Tokens[i].Kind {
	case scan.Null, scan.True, scan.False:
		return false
	case scan.Object, scan.Array:
		return d.Len(i) > 0
	}
	text := string(d.Text(i))
	return text != "" && text != "0"
}

// few is the number of objects from which a name that occurs in a single one is
// informative.
const few = 10

func report(v *namevariant.Variant, p *check.Pass, rare, common *places.Found, contrary bool) {
	path := v.Rare.Path()
	a, b := v.Rare.Step.Name, v.Common.Step.Name
	r := check.Raw{At: rare.First(), Related: []check.RawRelated{{Message: fmt.Sprintf("the first %q", b), At: common.First()}}}
	r.Severity, r.Confidence = finding.Warning, 0.9
	r.Message = fmt.Sprintf("%q in %s and %q in %s are two spellings of one field", a, wording.Count(rare.Count, "object"), b, quantity.Grouped(common.Count))
	r.Advice = fmt.Sprintf("Rename %s to %s: a query, an index or a schema for one name misses objects with the other, and systems that ignore case read both into one column.", a, b)
	switch {
	case v.Both > 0 && !v.Style:
		r.Confidence = 0.7
		r.Message = fmt.Sprintf("%q looks like a misspelling: it occurs together with %q in %s, with the same value", a, b, wording.Count(v.Both, "object"))
		r.Advice = fmt.Sprintf("Remove %s where %s has the same value, and correct the code that writes it: readers know only one of the names.", a, b)
	case v.Both > 0 && !strings.EqualFold(a, b):
		// Decoders treat another separator as another name, and read both.
		r.Message = fmt.Sprintf("%q and %q occur together in %s: two spellings of one field, whose values may disagree", a, b, wording.Count(v.Both, "object"))
		r.Advice = fmt.Sprintf("Keep %s and move values that only %s holds into it: code that knows one name never updates the other.", b, a)
	case v.Both > 0:
		r.Severity = finding.Error
		r.Message = fmt.Sprintf("%q and %q occur together in %s: decoders that ignore case keep only one", a, b, wording.Count(v.Both, "object"))
		r.Advice = fmt.Sprintf("Keep %s and move values that only %s holds into it: encoding/json reads the last of the two, a column store that ignores case the first.", b, a)
	case !v.Style:
		r.Confidence = 0.7
		r.Message = fmt.Sprintf("%q in %s looks like a misspelling of %q, which the other %s have", a, wording.Count(rare.Count, "object"), b, quantity.Grouped(common.Count))
	}
	objects := v.Holder.Types[profile.Object]
	switch {
	case !v.Style && v.Both == 1 && objects == 1: // any two fields may have the same value once
		r.Confidence = 0.4
	case v.Both == objects && contrary && (strings.EqualFold(a, b) || !slices.Equal(lexicon.Tokens(a), lexicon.Tokens(b))): // two fields that always contradict each other, of other words
		r.Confidence = 0.4
	case common.Count == 1 && (objects >= few || areWords(v.Holder.Object.Fields())): // the names are data
		r.Confidence = 0.4
	}
	r.Evidence = []finding.Evidence{
		{Name: "objects", Value: objects}, {Name: "objects.rare", Value: rare.Count},
		{Name: "objects.common", Value: common.Count}, {Name: "objects.both", Value: v.Both},
	}
	if v.Both == 0 {
		r.Fixes, r.Edits = fix(v, p, rare)
	}
	p.Report(v.Entity, path, r)
}

// areWords reports whether each of the names occurs in a single object, and one has several
// words, as what a text is divided into has: "Milk/Cheese".
func areWords(fields []*profile.Node) bool {
	return slices.ContainsFunc(fields, func(f *profile.Node) bool { return strings.ContainsAny(f.Step.Name, " /") }) &&
		!slices.ContainsFunc(fields, func(f *profile.Node) bool { return f.Count > 1 })
}

func fix(v *namevariant.Variant, p *check.Pass, rare *places.Found) ([]finding.Fix, []check.RawEdit) {
	a, b := v.Rare.Step.Name, v.Common.Step.Name
	title := fmt.Sprintf("rename %s to %s (%s)", a, b, wording.Count(rare.Count, "object"))
	return plans.Rewritten(p, v.Entity.Collection.Name, title, rare, func(document *reshape.Value) bool {
		changed := false
		for _, holder := range document.Select(v.Holder.Path()) {
			changed = holder.Rename(a, b) || changed
		}
		return changed
	})
}
