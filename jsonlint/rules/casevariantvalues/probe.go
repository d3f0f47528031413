package casevariantvalues

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// spelling is one way to write a value.
type spelling struct {
	text  string
	first profile.Pos
	count int64
	lower bool // it has no upper-case letter
}

// caseProbe collects the spellings of the values at a path, by the hash of
// their lower case without the space around it.
type caseProbe struct {
	at     profile.Trail
	words  bool // separators between words do not count
	values *sample.ByHash[[]spelling]
	total  int64
	lower  int64        // values without an upper-case letter
	upper  places.Found // the others
	folded []byte

	// Most values repeat, so they are counted here first.
	lately []spelling
	places map[string]int // in lately
}

// latelyKept bounds the values that are counted before they are compared.
const latelyKept = 1 << 10

func newCaseProbe(path profile.Path) *caseProbe {
	return &caseProbe{at: profile.NewTrail(path), values: sample.NewByHash[[]spelling](caseKept), places: map[string]int{}}
}

func (c *caseProbe) New() check.Probe {
	n := newCaseProbe(c.at.Path())
	n.words = c.words
	return n
}

func (c *caseProbe) Skips(d *profile.Document) bool { return c.at.Absent(d) }

func (c *caseProbe) Visit(d *profile.Document) {
	for i := range c.at.All(d) {
		if d.Class(i) != profile.String {
			continue
		}
		text := d.Text(i)
		if d.Tokens[i].Flags&scan.Escaped != 0 {
			text = []byte(d.String(i))
		}
		c.visit(text, d.At(i))
	}
}

func (c *caseProbe) visit(text []byte, at profile.Pos) {
	i, known := c.places[string(text)]
	if !known {
		if len(c.lately) == latelyKept {
			c.compare()
		}
		i = len(c.lately)
		c.folded = appendLower(c.folded[:0], text)
		c.lately = append(c.lately, spelling{text: string(text), first: at, lower: bytes.Equal(c.folded, text)})
		c.places[c.lately[i].text] = i
	}
	s := &c.lately[i]
	s.count++
	s.first = profile.Earlier(s.first, at)
	if !s.lower && !c.upper.Full(at, plans.EditsKept) {
		c.upper.Keep(plans.EditsKept, places.Place{At: at, Text: s.text})
	}
}

// compare puts the values that were counted lately among the others.
func (c *caseProbe) compare() {
	for _, s := range c.lately {
		c.total += s.count
		if s.lower {
			c.lower += s.count
		} else {
			c.upper.Count += s.count
		}
		c.folded = appendLower(c.folded[:0], []byte(s.text))
		if c.words {
			c.folded = unmarked(joined(c.folded))
		}
		c.values.Put(profile.HashText(bytes.TrimSpace(c.folded)), []spelling{s}, mergeSpellings)
	}
	c.lately = c.lately[:0]
	clear(c.places)
}

// appendLower appends the lower case of a text.
func appendLower(to, text []byte) []byte {
	for i, b := range text {
		if b >= utf8.RuneSelf {
			return append(to, bytes.ToLower(text[i:])...)
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}

// joined removes, in place, the white space around a text, the full stop at its end and
// the separators between its words, and replaces typographic marks: in-progress and in progress
// are one choice. It keeps separators between two numbers, unless these form one
// long number, and characters that may be a sign.
func joined(text []byte) []byte {
	for printed, typed := range typewritten {
		if i := bytes.Index(text, []byte(printed)); i >= 0 {
			text = append(text[:i], bytes.ReplaceAll(text[i:], []byte(printed), []byte(typed))...)
		}
	}
	text = bytes.TrimSpace(text)
	if words := bytes.TrimRight(text, "."); len(words) > 0 {
		text = words
	}
	long := isNumber(string(text), " -")
	out := text[:0]
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && (text[end] == ' ' || text[end] == '-' || text[end] == '_') {
			end++
		}
		inside := i > 0 && end > i && end < len(text)
		if !inside || !long && isDigit(text[end]) && (isDigit(text[i-1]) || bytes.IndexByte(text[i:end], '-') >= 0) {
			end = max(end, i+1)
			out = append(out, text[i:end]...)
		}
		i = end
	}
	return out
}

// longNumber is the number of digits that no two numbers share by accident.
const longNumber = 7

// isNumber reports whether a text is such a long number, for example a phone
// number, whose digits may be separated.
func isNumber(text, parts string) bool {
	return len(text) >= longNumber && strings.Trim(text, "0123456789"+parts) == ""
}

// whole reports whether a spelling is not a number with separated digits.
func (s spelling) whole() bool { return !isNumber(s.text, " -") || isNumber(s.text, "") }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// typewritten maps typographic marks to plain ones.
var typewritten = map[string]string{"’": "'", "‘": "'", "–": "-"}

func (c *caseProbe) Merge(other check.Probe) {
	o := other.(*caseProbe)
	o.compare()
	c.values.Merge(o.values, mergeSpellings)
	c.total += o.total
	c.lower += o.lower
	c.upper.Count += o.upper.Count
	c.upper.Keep(plans.EditsKept, o.upper.Places...)
}

// mergeSpellings adds two lists of spellings; the result is sorted by text.
func mergeSpellings(a, b []spelling) []spelling {
	out := slices.Clone(a)
	for _, s := range b {
		i, ok := slices.BinarySearchFunc(out, s.text, func(s spelling, text string) int { return bytes.Compare([]byte(s.text), []byte(text)) })
		if ok {
			out[i].count += s.count
			out[i].first = profile.Earlier(out[i].first, s.first)
		} else {
			out = slices.Insert(out, i, s)
		}
	}
	return out
}
