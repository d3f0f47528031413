package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
)

// The orders of findings, and the properties that group them.
var (
	Orders    = []string{BySeverity, ByPlace, ByRule}
	Groupings = []string{ByRule, "file", "collection"}
)

// Names of orders.
const (
	BySeverity = "severity"
	ByPlace    = "place"
	ByRule     = "rule"
)

// arrange sorts findings, which are sorted by place, into another order.
func arrange(findings []finding.Finding, order string) []finding.Finding {
	sorted := slices.Clone(findings)
	grave := func(a, b finding.Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Confidence, a.Confidence))
	}
	switch order {
	case BySeverity:
		slices.SortStableFunc(sorted, grave)
	case ByRule:
		slices.SortStableFunc(sorted, func(a, b finding.Finding) int { return cmp.Or(cmp.Compare(a.Rule, b.Rule), grave(a, b)) })
	}
	return sorted
}

// A cause is findings that one repair would fix: they differ only in the field.
// The first stands for all.
type cause []finding.Finding

// causes joins findings of one cause at the position of the first.
func causes(findings []finding.Finding) []cause {
	type key struct{ rule, kind, where, advice string }
	var all []cause
	at := map[key]int{}
	for _, f := range findings {
		k := key{f.Rule, f.Subject.Kind, f.Subject.Collection, f.Advice}
		if f.Subject.Kind == finding.KindGo {
			k.where = packageOf(f.Subject.Symbol)
		}
		for _, name := range fieldNames(f.Subject) {
			k.advice = replaceWord(k.advice, name)
		}
		i, known := at[k]
		if !known || f.Advice == "" {
			i = len(all)
			at[k] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}

// packageOf returns the import path in a symbol, import/path.Type.Field.
func packageOf(symbol string) string {
	slash := strings.LastIndexByte(symbol, '/') + 1
	name, _, _ := strings.Cut(symbol[slash:], ".")
	return symbol[:slash] + name
}

// fieldNames are the names that a text may use for its field, longest first.
func fieldNames(s finding.Subject) []string {
	var names []string
	for _, path := range []string{s.Path, s.Symbol} {
		trimmed := strings.TrimRight(path, "[]{}")
		names = append(names, path, trimmed, trimmed[strings.LastIndexByte(trimmed, '.')+1:])
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// replaceWord replaces a word by a placeholder.
func replaceWord(text, word string) string {
	var b strings.Builder
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return b.String() + text[from:]
		}
		end := from + i + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:from+i])
		after, _ := utf8.DecodeRuneInString(text[end:])
		b.WriteString(text[from : from+i])
		if from = end; inWord(before) || inWord(after) {
			b.WriteString(word)
		} else {
			b.WriteByte(0)
		}
	}
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// A section is causes under a heading.
type section struct {
	heading string
	causes  []cause
	count   int // number of findings
}

// sections groups causes. Groups are in the order of their first cause.
func sections(all []cause, by string) []section {
	if by == "" {
		return []section{{causes: all}}
	}
	var groups []section
	for _, c := range all {
		f := c[0]
		name := ""
		switch by {
		case ByRule:
			name = f.Rule
		case "file":
			name = cmp.Or(f.Location.File, "(no file)")
		case "collection":
			name = cmp.Or(f.Subject.Collection, packageOf(f.Subject.Symbol), "(no collection)")
		}
		i := slices.IndexFunc(groups, func(s section) bool { return s.heading == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, section{heading: name})
		}
		groups[i].causes = append(groups[i].causes, c)
		groups[i].count += len(c)
	}
	return groups
}

// perRule keeps the first causes of each rule, or all for 0, and describes what
// it dropped.
func perRule(all []cause, most int) (kept []cause, dropped []string) {
	if most <= 0 {
		return all, nil
	}
	shown, left := map[string]int{}, map[string]int{}
	var rules []string
	for _, c := range all {
		rule := c[0].Rule
		if shown[rule]++; shown[rule] <= most {
			kept = append(kept, c)
			continue
		}
		if left[rule] == 0 {
			rules = append(rules, rule)
		}
		left[rule] += len(c)
	}
	for _, rule := range rules {
		dropped = append(dropped, fmt.Sprintf("%s more of %s: --max-per-rule 0 shows them", quantity.Grouped(int64(left[rule])), rule))
	}
	return kept, dropped
}

// runs splits a list wherever neighbours are not alike.
func runs[T any](list []T, alike func(a, b T) bool) [][]T {
	var all [][]T
	start := 0
	for i := range list {
		if i+1 == len(list) || !alike(list[i], list[i+1]) {
			all = append(all, list[start:i+1])
			start = i + 1
		}
	}
	return all
}
