package structdrift

import (
	"cmp"
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/decode"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

const (
	sureDecode = 0.95
	sureBound  = 0.95
)

// mismatches reports stored values that cannot be decoded, once per path.
func (c *comparison) mismatches() {
	reported := map[*docmodel.Field]bool{}
	for i := 0; i < len(c.result.Mismatches); {
		end := i + 1
		for end < len(c.result.Mismatches) && c.result.Mismatches[end].Path == c.result.Mismatches[i].Path {
			end++
		}
		group := c.result.Mismatches[i:end]
		i = end
		f := c.field(group[0].Chain)
		if f == nil || reported[f] {
			continue
		}
		reported[f] = true
		c.mismatch(f, group)
	}
}

func (c *comparison) mismatch(f *docmodel.Field, group []decode.Mismatch) {
	first := group[0]
	var what []string
	var evidence []finding.Evidence
	var sightings []check.Sighting
	count, atLeast := int64(0), false
	for _, m := range group {
		what = append(what, noun(m, f))
		evidence = append(evidence, finding.Evidence{Name: m.Class.String(), Value: m.Count})
		if m.Count == m.Node.Types[m.Class] { // otherwise the first value may be one that can be decoded
			sightings = append(sightings, check.Sighting{Message: article(m.Class) + " stands here", At: m.Node.First(m.Class)})
		}
		count += m.Count
		atLeast = atLeast || m.Some
	}
	n, into := first.Node, c.spell(first.Type)
	how := share(count, n.Values, n.Docs, c.seen.Kind.Documents)
	if atLeast {
		how = "at least " + how
	}
	if f.Tag.Has("string") {
		into += " with the option string"
	}
	c.report(check.Finding{
		Field: f, Path: first.Path, Severity: finding.Error, Confidence: sureDecode,
		Message: fmt.Sprintf("%s is %s in %s, which %s cannot decode into %s",
			first.Path, strings.Join(what, " or "), how, c.document.Codec.Library(), into),
		Advice:    fmt.Sprintf("Convert what is stored, or give %s a type that reads both.", f.GoName()),
		Sightings: sightings,
		Evidence:  append(evidence, finding.Evidence{Name: "values", Value: n.Values}, finding.Evidence{Name: "type", Value: c.spell(first.Type)}),
	})
}

// noun describes values that cannot be decoded.
func noun(m decode.Mismatch, f *docmodel.Field) string {
	switch m.Class {
	case profile.Int:
		if overflows(m) && !f.Tag.Has("string") {
			return "a number out of range"
		}
	case profile.Double:
		if m.Node.Decimals > 0 {
			return "a decimal"
		}
		if _, integer := m.Type.Underlying().(*types.Basic); integer {
			return "a number with a fraction"
		}
	case profile.Array:
		if a, ok := m.Type.Underlying().(*types.Array); ok {
			return fmt.Sprintf("a list of more than %s", quantity.Of(a.Len(), "element"))
		}
	}
	return article(m.Class)
}

// article returns a class with its article.
func article(class profile.Class) string {
	special := map[profile.Class]string{
		profile.Int: "an int", profile.Array: "an array", profile.ObjectID: "an ObjectId", profile.Object: "an object", profile.Binary: "binary data",
	}
	return cmp.Or(special[class], "a "+class.String())
}

// overflows reports whether integers are read into an integer type.
func overflows(m decode.Mismatch) bool {
	b, ok := docmodel.Pointed(m.Type).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// bounds reports lists longer than their directive allows.
func (c *comparison) bounds() {
	docmodel.All(c.document.Fields, func(f *docmodel.Field) {
		directive := f.Directive("bounded")
		if directive == nil {
			return
		}
		most, err := strconv.ParseInt(directive.Arguments["max"], 10, 64)
		n := c.seen.Kind.Root.At(f.Path)
		if err != nil || n == nil {
			return
		}
		h, what := &n.Lengths, "list"
		if f.Map() {
			h, what = &n.Keys, "map"
		}
		if h.Count == 0 || h.Max <= most {
			return
		}
		longer := beyond(h, most)
		c.report(check.Finding{
			Field: f, Severity: finding.Error, Confidence: sureBound,
			Message: fmt.Sprintf("%s is declared to hold at most %s, but %s of %s hold more, up to %s",
				f.Path, quantity.Of(most, "element"), quantity.Grouped(longer), quantity.Of(h.Count, what), quantity.Grouped(h.Max)),
			Sightings: []check.Sighting{{Message: "the longest", At: n.Longest()}},
			Advice:    "Raise the bound, or find out what stores more.",
			Evidence: []finding.Evidence{
				{Name: "declared max", Value: most}, {Name: "length.max", Value: h.Max}, {Name: "length.p95", Value: h.Quantile(0.95)}, {Name: "longer", Value: longer},
			},
		})
	})
}

// beyond returns how many numbers exceed a bound according to a histogram, at
// least one.
func beyond(h *profile.Histogram, most int64) (n int64) {
	s := h.State()
	for i, low := range s.Lows {
		if low > most {
			n += s.Counts[i]
		}
	}
	return max(n, h.AtMax)
}
