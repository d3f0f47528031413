package mixedtypes

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/dates"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// casts are the values of rarer types with their conversions.
type casts struct {
	finder *places.Finder
	title  string
}

// A cast converts a value to another type. ok is false if that would lose
// something.
type cast func(d *profile.Document, i int) (text string, ok bool)

// findCasts looks for values that can be converted to the type of the others.
// It returns nil if there is no such type.
func (m *mixed) findCasts(p *check.Pass) *casts {
	if len(m.classes) != 2 {
		return nil
	}
	from, title, convert := m.cast()
	if convert == nil {
		return nil
	}
	const converted, left = 0, 1
	f := places.Find(p, m.entity, m.path, 2, plans.EditsKept, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
		if d.Class(i).TypeClass() != from {
			return
		}
		if text, ok := convert(d, i); ok {
			hit(converted, d.At(i), text)
		} else {
			hit(left, d.At(i), "")
		}
	})
	return &casts{finder: f, title: title}
}

// cast chooses the conversion: numbers among texts become texts, texts of
// digits among numbers become numbers, and values among lists become lists.
func (m *mixed) cast() (from profile.Class, title string, convert cast) {
	major, minor := m.classes[0].Class, m.classes[1].Class
	wrap := func(d *profile.Document, i int) (string, bool) {
		if d.Class(i) == profile.Object && d.Tokens[i].B == 0 {
			return "[]", true // programs whose maps are lists write an empty one as an object
		}
		return "[" + string(d.Raw(i)) + "]", true
	}
	switch {
	case major == profile.Array && m.node.Array.Len.Max > 0:
		return minor, "write a list with one element", wrap
	case minor == profile.Array && m.node.Array.Len.Max > 0:
		return major, "write a list with one element", wrap
	case major == profile.String && minor == profile.Int:
		return minor, "write the numbers as text", func(d *profile.Document, i int) (string, bool) {
			return `"` + string(d.Text(i)) + `"`, true
		}
	case major == profile.Int && minor == profile.String:
		return minor, "write the texts that are numbers as numbers", func(d *profile.Document, i int) (string, bool) {
			text := d.Text(i)
			f := profile.FormOf(text)
			return string(text), f == profile.FormInteger && len(text) < 16 || f == profile.FormDecimal && decimalNumber(text)
		}
	}
	return 0, "", nil
}

// decimalNumber reports whether a text like 1.5 is also a JSON number, unlike
// .5, 1. or 01.5.
func decimalNumber(text []byte) bool {
	if text[0] == '-' {
		text = text[1:]
	}
	return len(text) > 2 && len(text) < 16 && text[0] >= '0' && text[0] <= '9' && text[len(text)-1] != '.' && (text[0] != '0' || text[1] == '.')
}

// fix shows one document before and after, and edits all values if they are
// few.
func (c *casts) fix(p *check.Pass, m *mixed) ([]finding.Fix, []check.RawEdit) {
	if c == nil || c.finder.Sorts[0].Count == 0 {
		return nil, nil
	}
	values := &c.finder.Sorts[0]
	title := fmt.Sprintf("%s (%s)", c.title, wording.Count(values.Count, "value"))
	if left := c.finder.Sorts[1].Count; left > 0 {
		title += fmt.Sprintf("; %s cannot be converted and need a look", wording.Count(left, "other"))
	}
	return plans.Rewritten(p, m.entity.Collection.Name, title, values, func(document *reshape.Value) bool { return document.Replace(m.path, m.converted) })
}

// converted returns the converted value, or nil if it stays.
func (m *mixed) converted(v *reshape.Value) *reshape.Value {
	parsed, err := dates.ParseValue(v.AppendJSON(nil))
	if err != nil {
		return nil
	}
	from, _, convert := m.cast()
	if parsed.Class(0).TypeClass() != from {
		return nil
	}
	text, ok := convert(parsed, 0)
	if !ok {
		return nil
	}
	w, err := reshape.Raw([]byte(text))
	if err != nil {
		return nil
	}
	return w
}
