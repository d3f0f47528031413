package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

// phrases put evidence into words. %n is the value as a number, %b as bytes, %p
// as a share, %v as text; |s is an s unless the number is one. A name without a
// phrase is shown before its value if it consists of words; otherwise only the machine
// formats show it.
var phrases = [...]struct{ name, text string }{
	{"documents", "%n document|s"},
	{"documents.with", "%n have it"},
	{"documents.without", "%n document|s without it"},
	{"documents.withoutId", "%n document|s without an id"},
	{"documents.stale", "%n document|s out of date"},
	{"documents.compared", "%n document|s compared"},
	{"documents.incomplete", "%n incomplete document|s"},
	{"documents.violating", "%n document|s break the schema"},
	{"documents.changed", "%n document|s changed it"},
	{"documents.foreign", "%n document|s of another collection"},
	{"objects", "%n object|s"},
	{"elements", "%n element|s"},
	{"values", "%n value|s"},
	{"values.distinct", "%n different value|s"},
	{"values.topShare", "the most frequent value is in %p"},
	{"values.found", "%n are ids there"},
	{"lists", "%n list|s"},
	{"lists.repeating", "%n list|s with repeats"},
	{"arrays.repeating", "%n array|s repeat a name"},
	{"arrays.inner", "%n inner array|s"},
	{"names", "%n name|s"},
	{"paths", "%n path|s"},
	{"parents.affected", "%n parent|s concerned"},
	{"limit.share", "%p of what the database stores"},
	{"length.max", "longest %n element|s"},
	{"length.p50", "median %n"},
	{"length.p95", "95% hold at most %n"},
	{"length.inner.max", "longest inner list %n element|s"},
	{"ownership", "%p of the ids occur in one list only"},
	{"growth.perDay", "%n more a day"},
	{"target", "refers to %v"},
	{"target.type", "the other side is of type %v"},
	{"bytes", "%b"},
	{"bytes.max", "largest %b"},
	{"bytes.p50", "median %b"},
	{"bytes.mean", "%b on average"},
	{"bytes.share", "%p of the document"},
	{"bytes.shareOfLarge", "%p of large documents"},
	{"bytes.element", "%b an element"},
	{"levels.max", "up to %n level|s"},
	{"levels.p50", "median %n"},
	{"keys.distinct", "%n different key|s"},
	{"keys.perObject.p50", "median %n in one object"},
	{"keys.perObject.max", "at most %n"},
	{"size.max", "largest %b"},
	{"size.p50", "median %b"},
	{"references", "%n reference|s"},
	{"dangling", "%n lead nowhere"},
	{"dangling.distinct", "%n missing document|s"},
	{"pairs", "%n pair|s"},
	{"pairs.both", "%n pair|s on both sides"},
	{"pairs.missing", "%n half pair|s"},
	{"pairs.unique", "%p of the pairs occur once"},
	{"pairs.overlapping", "%n overlapping pair|s"},
	{"payload", "%n field|s besides the ids"},
	{"copies", "%n copies"},
	{"stale", "%n out of date"},
	{"stale.share", "%p out of date"},
	{"things", "%n original|s"},
	{"identity", "told apart by %v"},
	{"fanOut.mean", "each in %n document|s on average"},
	{"fanOut.max", "at most %n"},
	{"rewrite.bytes", "one change rewrites %b"},
	{"changes", "%n change|s seen"},
	{"changes.perDay", "%n change|s a day"},
	{"missing", "%v missing"},
	{"extra", "%v besides"},
	{"presence", "%p have it"},
	{"ids.repeated", "%n repeated id|s"},
	{"documents.repeated", "%n stored more than once"},
	{"exact", "%n document|s match exactly"},
	{"exact.share", "%p of those that are not 0 match"},
	{"wrong", "%n do not"},
	{"formula", "%v"},
	{"original", "copied from %v"},
	{"fields", "%n field|s"},
	{"fields.copied", "%n copied"},
	{"parents", "%n parent|s"},
	{"parents.withOne", "%p of the parents have any"},
	{"perParent.max", "at most %n for one parent"},
	{"perParent.p95", "95% have at most %n"},
	{"buckets", "%n bucket|s"},
	{"buckets.overfull", "%n overfull"},
	{"buckets.unsorted", "%n unsorted"},
	{"buckets.miscounted", "%n miscounted"},
	{"kinds", "%n kind|s of document"},
	{"kinds.count", "kinds of %v documents"},
	{"explained", "explains %p of the differences in shape"},
	{"spellings", "%n spelling|s"},
	{"newest.missing", "newest missing %v"},
	{"newest.listed", "newest listed %v"},
	{"integers.beyond2^53", "%n integer|s beyond 2^53"},
	{"integers.changed", "%n changed by a double"},
	{"characters", "%n character|s"},
	{"alternatives", "%n alternative|s"},
	{"capacity", "made for %n"},
	{"cases", "%n case|s"},
	{"namesakes", "%n other collection|s with these ids"},
	{"collections known", "%n collection|s known"},
	{"copied", "copied from %v"},
	{"count", "counts %n"},
	{"form", "%v"},
	{"groups", "%n value|s in several spellings"},
	{"index", "by the index %v"},
	{"length", "holds %n"},
	{"matched", "%p match"},
	{"order", "in the order of %v"},
	{"overflow", "%n too large for a double"},
	{"parent", "buckets of %v"},
	{"problem", "%v"},
	{"repeated", "%n repeated element|s"},
	{"text", "the text %v"},
	{"type", "of type %v"},
	{"volatile", "%v may change"},
	{"observed documents", "%n document|s seen"},
	{"stored", "stored: %v"},
}

// prefixes are phrases for names that end in a part of the data, which %k
// stands for.
var prefixes = [...]struct{ prefix, phrase string }{
	{"type.", "%n %k|s"},
	{"types.", "%n %k|s"},
	{"bytes.share.", "%k %p"},
	{"encodings.", "%n as %k"},
	{"names.", "%n in %k"},
}

// seen returns the evidence in words.
func seen(evidence []finding.Evidence) []string {
	var out []string
	for _, e := range evidence {
		if text := inWords(e); text != "" {
			out = append(out, text)
		}
	}
	if text := reached(evidence); text != "" {
		out = slices.Insert(out, min(1, len(out)), text)
	}
	return out
}

func inWords(e finding.Evidence) string {
	key := ""
	phrase, known := "", false
	if i := slices.IndexFunc(phrases[:], func(p struct{ name, text string }) bool { return p.name == e.Name }); i >= 0 {
		phrase, known = phrases[i].text, true
	}
	for _, p := range prefixes {
		if end, ok := strings.CutPrefix(e.Name, p.prefix); ok && !known {
			key, phrase, known = end, p.phrase, true
		}
	}
	switch {
	case !known && e.Value == true:
		return plainName(e.Name)
	case !known:
		if name := plainName(e.Name); name != "" {
			return name + ": " + valueText(e.Value, false)
		}
		return ""
	}
	return fill(phrase, key, e.Value)
}

// fill puts a value into a phrase. It returns "" if the phrase needs a number
// and the value is not one.
func fill(phrase, key string, value any) string {
	n, numeric := number(value)
	if !numeric && !strings.Contains(phrase, "%v") {
		return ""
	}
	plural := "s"
	if n == 1 {
		plural = ""
	}
	return strings.NewReplacer(
		"%n", valueText(value, false), "%b", valueText(value, true), "%p", quantity.Percent(n),
		"%v", valueText(value, false), "%k", term.Clean(key), "|s", plural,
	).Replace(phrase)
}

// plainName returns a name that consists of words, or "" for one made for
// programs.
func plainName(name string) string {
	if strings.ContainsAny(name, ".$") || camel.MatchString(name) || slices.Contains(internal[:], name) {
		return ""
	}
	return term.Clean(name)
}

// camel matches a camel-case name, which is made for programs.
var camel = lazyregexp.New(`\p{Ll}\p{Lu}`)

// internal are the weights of rules, which mean nothing to a reader.
var internal = [...]string{"score", "points", "lambda", "disagree", "separation", "candidates", "kind", "name", "overlap", "share", "families"}

// reached says when a growing list reaches the limit of the database in use, or
// of the first one.
func reached(evidence []finding.Evidence) string {
	type reach struct {
		db     limits.Profile
		length float64
	}
	var all []reach
	for _, e := range evidence {
		if name, ok := strings.CutPrefix(e.Name, atLimit); ok {
			if db, ok := limits.For(name); ok {
				length, _ := number(e.Value)
				all = append(all, reach{db, length})
			}
		}
	}
	if all == nil {
		return ""
	}
	first := slices.MinFunc(all, func(a, b reach) int { return cmp.Compare(a.length, b.length) })
	return first.db.Title + "'s " + quantity.Bytes(first.db.DocumentBytes) + " are reached at " + quantity.Grouped(int64(first.length))
}
