package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

// A change is a value that a fix removes or adds.
type change struct {
	sign  string // "-" or "+"
	path  string
	value node
}

// text returns a change on one line, after the name of its collection.
func (c change) text(collection string, width int) string {
	text := collection + c.sign + " "
	if c.path != "" {
		text += term.Clean(c.path) + ": "
	}
	return text + middle(c.value.text(maxElements), max(12, width-term.Width(text)))
}

// folded returns the lines of a fix that differ between before and after,
// prefixed by collections if there are several. It counts documents that change
// in the same way. It returns nil if nothing differs.
func folded(f *finding.Finding, fix finding.Fix, width int) []string {
	before, after := inPlace(fix.Before), slices.Clone(fix.After)
	if before == nil && fix.Before != nil {
		before = []finding.DocumentInPlace{{Collection: homeOf(f, after), Document: fix.Before}}
	}
	var order []string
	for _, place := range slices.Concat(before, after) {
		if !slices.Contains(order, place.Collection) {
			order = append(order, place.Collection)
		}
	}
	var lines []string
	longest := 0
	for _, name := range order {
		longest = max(longest, term.Width(term.Clean(name)))
	}
	for _, name := range order {
		label := ""
		if len(order) > 1 {
			label = term.Pad(term.Clean(name), longest) + "  "
		}
		lines = append(lines, foldedIn(documentsOf(before, name), documentsOf(after, name), label, width)...)
	}
	return lines
}

// homeOf returns the collection of a finding's document.
func homeOf(f *finding.Finding, after []finding.DocumentInPlace) string {
	if f.Subject.Collection == "" && len(after) > 0 {
		return after[0].Collection
	}
	return f.Subject.Collection
}

func documentsOf(places []finding.DocumentInPlace, collection string) []node {
	var documents []node
	for _, place := range places {
		if place.Collection == collection {
			if n, ok := readNode(place.Document); ok {
				documents = append(documents, n)
			}
		}
	}
	return documents
}

// foldedIn compares the documents of one collection in pairs. It shows the
// first that changes and the first that is new.
func foldedIn(before, after []node, label string, width int) []string {
	var lines []string
	shown, alike := 0, 0
	for i := range min(len(before), len(after)) {
		changes := compare(before[i], after[i], "")
		if changes == nil {
			continue
		}
		if shown++; shown > 1 {
			alike++
			continue
		}
		for _, c := range changes {
			lines = append(lines, c.text(label, width))
		}
	}
	rest, sign := before[min(len(before), len(after)):], "-"
	if len(rest) == 0 {
		rest, sign = after[len(before):], "+"
	}
	if len(rest) > 0 {
		lines = append(lines, change{sign: sign, value: rest[0]}.text(label, width))
		alike += len(rest) - 1
	}
	if alike > 0 {
		lines = append(lines, fmt.Sprintf("%s… and %s alike", label, quantity.Of(int64(alike), "more document")))
	}
	return lines
}

// compare lists the differences between two values by path.
func compare(a, b node, path string) []change {
	switch {
	case a.flat() == b.flat():
		return nil
	case a.open == '{' && b.open == '{':
		return compareMembers(a, b, path)
	case a.open == '[' && b.open == '[' && len(a.children) == len(b.children):
		var changes []change
		for i := range a.children {
			changes = append(changes, compare(a.children[i], b.children[i], fmt.Sprintf("%s[%d]", path, i))...)
		}
		return changes
	}
	return []change{{"-", path, a}, {"+", path, b}}
}

func compareMembers(a, b node, path string) []change {
	under := func(key string) string {
		if path == "" {
			return nameOf(key)
		}
		return path + "." + nameOf(key)
	}
	var changes []change
	for i, key := range a.keys {
		if j := slices.Index(b.keys, key); j >= 0 {
			changes = append(changes, compare(a.children[i], b.children[j], under(key))...)
		} else {
			changes = append(changes, change{"-", under(key), a.children[i]})
		}
	}
	for j, key := range b.keys {
		if !slices.Contains(a.keys, key) {
			changes = append(changes, change{"+", under(key), b.children[j]})
		}
	}
	return changes
}

// nameOf returns the name in a printed key, without quotes if it is plain.
func nameOf(key string) string {
	name := strings.TrimSuffix(key, ": ")
	if plain := strings.Trim(name, `"`); plain != "" && !strings.ContainsAny(plain, " .\\\"[]{}:") {
		return plain
	}
	return name
}

func readNode(raw json.RawMessage) (node, bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	n, err := parseNode(decoder)
	return n, err == nil
}

// middle cuts the middle out of a text wider than width.
func middle(text string, width int) string {
	if term.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	tail := min(width/3, len(runes))
	end := string(runes[len(runes)-tail:])
	return term.Truncate(text, width-term.Width(end)) + end
}
