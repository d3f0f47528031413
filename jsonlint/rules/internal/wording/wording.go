// Package wording formats numbers, names and values for messages.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// FirstFew returns as many names as a message has room for.
func FirstFew(names []string) []string { return names[:min(3, len(names))] }

// Article adds the indefinite article to a noun.
func Article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) && !strings.HasPrefix(noun, "use") && !strings.HasPrefix(noun, "uni") {
		return "an " + noun
	}
	return "a " + noun
}

// QuoteAll quotes each text.
func QuoteAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = fmt.Sprintf("%q", t)
	}
	return out
}

// JoinNames joins names for a sentence: a, b and c.
func JoinNames(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// Quotable is how much of a value a message quotes, in bytes.
const Quotable = 60

// Shorten cuts a text without splitting a character, and joins its lines.
func Shorten(text string, bytes int) string {
	if strings.ContainsAny(text, "\n\t\r") {
		text = strings.Join(strings.Fields(text), " ")
	}
	if len(text) <= bytes {
		return text
	}
	cut := 0
	for i := range text {
		if i > bytes-len("…") {
			break
		}
		cut = i
	}
	return text[:cut] + "…"
}

// ShortenTwo shortens two values so that a reader sees where they differ, even after a
// long beginning that they have in common.
func ShortenTwo(a, b string) (short, other string) {
	if short, other = Shorten(a, Quotable), Shorten(b, Quotable); short != other || len(a) <= Quotable {
		return short, other
	}
	const before = 12 // bytes before the difference
	start := 0
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			break
		}
		start = i
	}
	for start = max(0, start-before); !utf8.RuneStart(a[start]); {
		start++
	}
	return Shorten("…"+a[start:], Quotable), Shorten("…"+b[start:], Quotable)
}

// LastName returns the name of the last field on a path, for a message.
func LastName(path profile.Path) string { return Label(path, "the value") }

// QuoteNames quotes the first few names.
func QuoteNames(names []string) string {
	const few = 4
	quoted := make([]string, 0, few)
	for _, name := range names[:min(few, len(names))] {
		quoted = append(quoted, fmt.Sprintf("%q", Shorten(name, Quotable)))
	}
	text := strings.Join(quoted, ", ")
	if len(names) > few {
		text += ", …"
	}
	return text
}

// QuoteAs returns a canonical value as it would be written in a document, for a
// value of the class.
func QuoteAs(text string, class profile.Class) string {
	switch class {
	case profile.String:
		return strconv.Quote(text)
	case profile.ObjectID:
		return "ObjectId(" + strconv.Quote(text) + ")"
	}
	return text
}

// IsAre returns a number with its verb: 1 is, 1,204 are.
func IsAre(n int64) string {
	if n == 1 {
		return "1 is"
	}
	return quantity.Grouped(n) + " are"
}

// Round3 rounds to three digits, for evidence.
func Round3(x float64) float64 { return float64(int64(x*1000+0.5)) / 1000 }

// Decimal returns a mean or a factor as text: 1,204, 9.5, 3.
func Decimal(x float64) string {
	if x >= 10 {
		return quantity.Grouped(int64(x + 0.5))
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

// Label returns the name of the last field on a path, or noun if there is none.
func Label(path profile.Path, noun string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Kind == profile.Field {
			return path[i].Name
		}
	}
	return noun
}

// Count returns a number with its noun: 1 document, 1,204 distinct keys.
func Count(n int64, noun string) string {
	if n != 1 {
		last := strings.LastIndexByte(noun, ' ') + 1
		noun = noun[:last] + lexicon.Plural(noun[last:])
	}
	return quantity.Grouped(n) + " " + noun
}
