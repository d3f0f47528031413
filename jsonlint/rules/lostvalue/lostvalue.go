// Package lostvalue reports texts that a program wrote where it had no value.
package lostvalue

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports the texts that languages write for a missing value: undefined,
// NaN, [object Object], <nil>.
var Rule = check.Rule{Name: "lost-value", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		var fields []field
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Types[profile.String] > 0 && (mayHold(n.Scalars) || blank(n.Scalars)) && !namesTypes(n.Scalars) || uncomputed(n) {
				fields = append(fields, field{n, places.Find(p, e, n.Path(), len(lost), plans.EditsKept, look)})
			}
			return true
		})
		p.After(func() {
			for k, l := range lost {
				var sure []field // one habit of the program that wrote the documents, reported once
				for _, f := range fields {
					switch {
					case f.found.Sorts[k].Count == 0, l.sort == lostPart && !blank(f.node.Scalars), l.sort == lostNumber && !uncomputed(f.node):
					case l.sort == lostNone && !wordless(f.node) && !alone(f.node.Scalars, l.text), l.sort == lostWord && (enumerates(p, f.node) || namesWord(f.node, l.text)):
						report(p, e, k, []field{f}, 0.4)
					default:
						sure = append(sure, f)
						explained.Lost(p)[f.node] += f.found.Sorts[k].Count
					}
				}
				if len(sure) > 0 {
					slices.SortFunc(sure, func(a, b field) int {
						return cmp.Or(cmp.Compare(b.found.Sorts[k].Count, a.found.Sorts[k].Count), cmp.Compare(a.node.Path().String(), b.node.Path().String()))
					})
					report(p, e, k, sure, 0.95)
				}
			}
		})
	}
}}

// A lostText is a text that stands for a missing value.
type lostText struct {
	text string
	by   string // the language that writes it
	sort lostSort
}

type lostSort uint8

const (
	lostSure    lostSort = iota
	lostWord             // it may also be one of the words of an enumeration
	lostNone             // people also write it, in fields with words
	lostNumber           // a double of BSON
	lostCode             // the program that should have computed the value
	lostTwice            // two parts of a text, of a name or a date
	lostPart             // a part of a text, of which the rest is the same in other values
	lostChar             // a character of a text
	lostGarbled          // characters that say what they were
)

var lost = []lostText{
	{"undefined", "JavaScript", lostWord},
	{"null", "String(null)", lostWord},
	{"NULL", "an export of a table", lostWord},
	{"None", "Python's str", lostNone},
	{"nan", "Python's str of a missing number", lostNone},
	{notANumber, "a number that could not be computed", lostSure},
	{notANumber, "a number that could not be computed", lostNumber},
	{"#REF!", "a spreadsheet, for a cell that is gone", lostSure},
	{"#N/A", "a spreadsheet, for a value that it did not find", lostSure},
	{"#VALUE!", "a spreadsheet, for a value of the wrong kind", lostSure},
	{"#DIV/0!", "a spreadsheet, for a division by zero", lostSure},
	{"#NAME?", "a spreadsheet, for a formula that it does not know", lostSure},
	{"[object Object]", "JavaScript, in place of an object", lostSure},
	{"System.Collections.Hashtable", "PowerShell, in place of an object", lostSure},
	{"Invalid Date", "JavaScript, in place of a date", lostSure},
	{"Invalid date", "Moment.js, in place of a date", lostSure},
	{"<nil>", "Go's fmt", lostSure},
	{"%!s(<nil>)", "Go's fmt", lostSure},
	{"%!d(<nil>)", "Go's fmt", lostSure},
	{"datetime.now()", "Python in quotes", lostCode},
	{"datetime.utcnow()", "Python in quotes", lostCode},
	{"datetime.datetime.now()", "Python in quotes", lostCode},
	{"uuid.uuid4()", "Python in quotes", lostCode},
	{"Date.now()", "JavaScript in quotes", lostCode},
	{"new Date()", "JavaScript in quotes", lostCode},
	{"new Date().toISOString()", "JavaScript in quotes", lostCode},
	{"uuidv4()", "JavaScript in quotes", lostCode},
	{"time.Now()", "Go in quotes", lostCode},
	{undefined, "JavaScript, in place of two names", lostTwice},
	{"null", "two names put together", lostTwice},
	{"NaN", "the parts of a date", lostTwice},
	{undefined, "a template in JavaScript", lostPart},
	{unreadable, "a text read with the wrong encoding, or cut within a character", lostChar},
	{"Ã", "UTF-8 read as Latin-1", lostGarbled},
}

// unreadable is what decoders write for bytes that are no character.
const unreadable = string(utf8.RuneError)

// garbled reports whether a text has two characters for the two bytes of one: Ã© for é. A
// word in capitals may end with the first, before a space or a mark: «AMANHÃ», MAÇÃ·LARANJA.
func garbled(text []byte) bool {
	_, after, ok := bytes.Cut(text, []byte("Ã"))
	next, _ := utf8.DecodeRune(after)
	return ok && next > '\u00A0' && next <= '¿' && next != '»' && next != '·'
}

// twice finds two or more words for missing values that are a whole text, but for numbers: NaN/NaN/2026.
var twice = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(undefined|null|NaN)[^\pL\pN]+(undefined|null|NaN)([^\pL\pN]+(undefined|null|NaN|\pN+))*[^\pL\pN]*$`)
})

// firstOfTwo returns the first of the words that twice finds, or "". Hardly any text
// begins like one, so few are searched.
func firstOfTwo(text []byte) string {
	if len(text) == 0 || !strings.ContainsRune("unN", rune(text[0])) {
		return ""
	}
	words := twice().FindSubmatch(text)
	if words == nil {
		return ""
	}
	return string(words[1])
}

const (
	undefined  = "undefined"
	notANumber = "NaN"
)

// about returns the text around an undefined in the place of something else: in an address,
// in brackets or after a colon. In a sentence it may be a word.
func about(text string) (before, after string, ok bool) {
	before, after, ok = strings.Cut(text, undefined)
	stop, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " "))
	next, _ := utf8.DecodeRuneInString(after)
	return before, after, ok && strings.ContainsRune("/:=(@", stop) && !unicode.IsLetter(next)
}

// blank reports whether two values differ only in that one has undefined where the other
// has something else: /user/undefined and /user/17.
func blank(s *profile.Scalars) bool {
	texts := slices.Collect(s.Values.Texts())
	return slices.ContainsFunc(texts, func(v profile.SampledValue) bool {
		before, after, ok := about(v.Text)
		return ok && slices.ContainsFunc(texts, func(w profile.SampledValue) bool {
			return len(w.Text) > len(before)+len(after) && w.Text != v.Text && strings.HasPrefix(w.Text, before) && strings.HasSuffix(w.Text, after)
		})
	})
}

// typeNames are words for fields that name types, of which null is one.
var typeNames = rulebook.Words("lost-value", "types")

// mayHold reports whether one of the texts is among the values, according to
// the sample or to their form.
func mayHold(s *profile.Scalars) bool {
	for v := range s.Values.Texts() {
		if firstOfTwo([]byte(v.Text)) != "" || strings.Contains(v.Text, unreadable) || garbled([]byte(v.Text)) {
			return true
		}
	}
	for _, l := range lost {
		count, classes, known := s.Values.Lookup(profile.HashText([]byte(l.text)))
		if count > 0 && classes.Has(profile.String) {
			return true
		}
		if n, _ := s.FormCount(profile.FormOf([]byte(l.text))); !known && n > 0 {
			return true
		}
	}
	return false
}

// uncomputed reports whether some but not all numbers of a field are NaN. If it has texts too,
// mixed-types says so.
func uncomputed(n *profile.Node) bool {
	if n.Types[profile.Double] == 0 || n.Types[profile.String] > 0 {
		return false
	}
	count, _, _ := n.Scalars.Values.Lookup(profile.HashText([]byte(notANumber)))
	return 0 < count && count < n.Present()
}

func namesTypes(s *profile.Scalars) bool {
	return slices.ContainsFunc(typeNames(), func(name string) bool {
		count, _, _ := s.Values.Lookup(profile.HashText([]byte(name)))
		return count > 0
	})
}

// firstWith has the index of the first entry with each text.
var firstWith = func() map[string]int {
	all := map[string]int{}
	for k, l := range slices.Backward(lost) {
		all[l.text] = k
	}
	return all
}()

func look(d *profile.Document, i int, hit func(sort int, at profile.Pos, text string)) {
	found := func(sort lostSort) {
		hit(slices.IndexFunc(lost, func(l lostText) bool { return l.sort == sort }), d.At(i), "")
	}
	if d.Tokens[i].Kind == scan.Number && string(d.Text(i)) == notANumber && len(d.Raw(i)) > len(notANumber) { // without a wrapper it is an input-error
		found(lostNumber)
	}
	if d.Class(i) != profile.String {
		return // the text of an object is unknown
	}
	text, first, part := d.Text(i), firstOfTwo(d.Text(i)), false
	k, whole := firstWith[string(text)]
	if bytes.Contains(text, []byte(undefined)) { // a long text is not copied to be searched
		_, _, part = about(string(text))
	}
	switch {
	case whole:
		hit(k, d.At(i), "")
	case first != "":
		hit(slices.IndexFunc(lost, func(l lostText) bool { return l.sort == lostTwice && l.text == first }), d.At(i), "")
	case part:
		found(lostPart)
	case bytes.Contains(text, []byte(unreadable)):
		found(lostChar)
	case garbled(text):
		found(lostGarbled)
	}
}

// others counts the values of a field that are not lost. all says whether each has one
// of some forms.
func others(s *profile.Scalars, among func(profile.Form) bool) (n int, all bool) {
	all = true
	for v := range s.Values.Texts() {
		if !slices.ContainsFunc(lost, func(l lostText) bool { return l.text == v.Text }) {
			n, all = n+1, all && among(profile.FormOf([]byte(v.Text)))
		}
	}
	return n, all
}

// enumerates reports whether the other values of a field are few words, or the tags of
// something, so that "undefined" may be intended as one of them.
func enumerates(p *check.Pass, f *profile.Node) bool {
	n, words := others(f.Scalars, func(f profile.Form) bool {
		return f == profile.FormWord || f == profile.FormToken || f == profile.FormUpper || f == profile.FormPlaceholder
	})
	tags := f.Step.Kind == profile.Element && f.Present() > 2*f.Parent.Types[profile.Array] && !wordless(f)
	return (n > 0 || p.Lexicon.Has(lexicon.Discriminator, f.Step.Name)) && (words && float64(n) <= p.Threshold("enumeration-values") || tags)
}

// namesWord reports whether the field or an object around it is about the word: the
// nullPointMode of a chart may be "null".
func namesWord(f *profile.Node, text string) bool {
	return slices.ContainsFunc(f.Path(), func(s profile.Step) bool {
		return s.Kind == profile.Field && slices.Contains(lexicon.Tokens(s.Name), strings.ToLower(text))
	})
}

// wordless reports whether the other values are ids, numbers, dates or addresses.
// Nobody writes None among such values.
func wordless(n *profile.Node) bool {
	texts, ids := others(n.Scalars, func(f profile.Form) bool {
		return f == profile.FormEmail || f == profile.FormURL || f.IDLike() && f != profile.FormUpper || f.IsDate()
	})
	return ids && (texts > 0 || n.Present() > n.Types[profile.String])
}

// alone reports whether "nan" is the only one of several texts that does not begin with a capital.
func alone(s *profile.Scalars, text string) bool {
	texts := slices.Collect(s.Values.Texts())
	return text == "nan" && len(texts) > 2 && !slices.ContainsFunc(texts, func(v profile.SampledValue) bool {
		return v.Text != text && strings.IndexFunc(v.Text, unicode.IsUpper) != 0
	})
}

// A field may contain such texts, at the places found.
type field struct {
	node  *profile.Node
	found *places.Finder
}

// report reports a text in one or more fields.
func report(p *check.Pass, e *model.Entity, k int, fields []field, confidence float64) {
	n, s := fields[0].node, &fields[0].found.Sorts[k]
	path, is, what, place, more := n.Path(), "is", "text", "a missing value", ""
	advice := fmt.Sprintf("Find the code that writes it (%s), store null or leave the field out, and correct these documents: queries for a missing %s do not find them.",
		lost[k].by, wording.LastName(path))
	switch lost[k].sort {
	case lostNumber:
		what = "number"
	case lostCode:
		place = "what the code computes"
	case lostTwice:
		is, place = "contains", "two missing values"
	case lostPart:
		is, place = "contains", "what other values have there"
	case lostChar:
		is, place = "contains", "characters that it could not read"
		advice = fmt.Sprintf("Find the code that writes it (%s), and take these values from their source again: nothing here says what the characters were.", lost[k].by)
	case lostGarbled:
		is, place = "contains", "another character"
		advice = fmt.Sprintf("Find the code that reads or writes it (%s), and encode these values as Latin-1 and decode them as UTF-8: queries for the text as people write it do not find them.", lost[k].by)
	}
	if len(fields) > 1 {
		more = "; the same in " + wording.Count(int64(len(fields)-1), "more field")
	}
	r := check.Raw{At: s.First(), Cause: lost[k].by, Sure: true, Finding: finding.Finding{
		Confidence: confidence, Severity: finding.Warning,
		Message: fmt.Sprintf("%s %s the %s %q in %s of %s: a program wrote it in place of %s%s",
			path, is, what, lost[k].text, quantity.Grouped(s.Count), wording.Count(n.Present(), "value"), place, more),
		Advice:      advice,
		Evidence:    []finding.Evidence{{Name: "values", Value: n.Present()}, {Name: "values.lost", Value: s.Count}, {Name: "text", Value: lost[k].text}},
		Fingerprint: fmt.Sprintf("lost-value:%s:%s:%s", e.Collection.Name, path, lost[k].text),
	}}
	for _, place := range s.Places[1:min(len(s.Places), places.Shown)] {
		r.Related = append(r.Related, check.RawRelated{Message: "also here", At: place.At})
	}
	var edits []check.RawEdit // write null in place of the texts
	values, complete := int64(0), true
	for i, f := range fields {
		s := &f.found.Sorts[k]
		if i > 0 {
			r.Related = append(r.Related, check.RawRelated{Message: f.node.Path().String() + " in " + wording.Count(s.Count, "value"), At: s.First()})
		}
		for _, place := range s.Places {
			edits = append(edits, check.RawEdit{At: place.At, NewText: "null"})
		}
		values, complete = values+s.Count, complete && s.Count == int64(len(s.Places))
	}
	if lost[k].sort < lostTwice {
		plans.Mend(p, e, &r, fmt.Sprintf("write null (%s)", wording.Count(values, "value")), s.First(), edits, complete)
	}
	p.Report(e, path, r)
}
