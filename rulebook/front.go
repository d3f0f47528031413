package rulebook

import (
	"strconv"
	"strings"
)

// The pages are read whenever the program starts, and a YAML library takes
// longer for that than checking a small document does. What the front matter of
// the pages uses of YAML is little, and read here; ok is false for anything
// else.

// plainFront reads front matter that uses nothing of YAML but plain and
// double-quoted scalars on one line, flow sequences of plain words, folded
// blocks (>-), block sequences, and thresholds as nested mappings.
func plainFront(head string) (front frontMatter, ok bool) {
	lines := strings.Split(strings.TrimSuffix(head, "\n"), "\n")
	seen := map[string]bool{}
	for len(lines) > 0 {
		key, value, ok := plainMember(lines[0], 0)
		if !ok || seen[key] {
			return front, false
		}
		seen[key] = true
		n := 1
		for n < len(lines) && strings.HasPrefix(lines[n], " ") {
			n++
		}
		block := lines[1:n]
		lines = lines[n:]
		if !front.set(key, value, block) {
			return front, false
		}
	}
	return front, true
}

// set sets one member of the front matter.
func (f *frontMatter) set(key, value string, block []string) (ok bool) {
	switch key {
	case "thresholds":
		f.Thresholds, ok = plainThresholds(block)
		return ok && value == ""
	case "sources":
		f.Sources, ok = plainSequence(block)
		return ok && value == ""
	case "confidence":
		if value == ">-" {
			f.Confidence, ok = folded(block)
			return ok
		}
	}
	if len(block) > 0 {
		return false
	}
	switch key {
	case "name":
		f.Name, ok = plainScalar(value)
	case "since":
		f.Since, ok = plainScalar(value)
	case "severity":
		f.Severity, ok = plainScalar(value)
	case "confidence":
		f.Confidence, ok = plainScalar(value)
	case "fix":
		f.Fix, ok = plainScalar(value)
	case "applies":
		f.Applies, ok = plainFlow(value)
	case "databases":
		f.Databases, ok = plainFlow(value)
	}
	return ok
}

// plainMember cuts "key: value" that is indented by some spaces.
func plainMember(line string, indent int) (key, value string, ok bool) {
	rest, ok := strings.CutPrefix(line, strings.Repeat(" ", indent))
	if !ok {
		return "", "", false
	}
	key, value, ok = strings.Cut(rest, ":")
	if !ok || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || key[0] == '-' {
		return "", "", false
	}
	if value == "" {
		return key, "", true
	}
	value, ok = strings.CutPrefix(value, " ")
	return key, value, ok && value != "" && value == strings.TrimSpace(value)
}

// plainScalar reads a scalar that stands on one line and is text: what YAML
// would take for a number, a truth value or nothing is left to it.
func plainScalar(value string) (string, bool) {
	if quoted, ok := strings.CutPrefix(value, `"`); ok {
		text, ok := strings.CutSuffix(quoted, `"`)
		return text, ok && !strings.ContainsAny(text, "\"\\")
	}
	if !startsText(value) || strings.Contains(value, ": ") || strings.HasSuffix(value, ":") || strings.Contains(value, " #") ||
		strings.ContainsAny(value, "\t\r") {
		return "", false
	}
	switch strings.ToLower(value) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", ".nan", ".inf", "nan", "inf":
		return "", false
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return "", false
	}
	return value, true
}

func startsText(value string) bool {
	if value == "" {
		return false
	}
	c := value[0]
	return c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// plainFlow reads [a, b].
func plainFlow(value string) (items []string, ok bool) {
	value, opened := strings.CutPrefix(value, "[")
	value, closed := strings.CutSuffix(value, "]")
	if !opened || !closed {
		return nil, false
	}
	for item := range strings.SplitSeq(value, ",") {
		item = strings.TrimSpace(item)
		if item == "" || strings.Trim(item, "abcdefghijklmnopqrstuvwxyz") != "" {
			return nil, false
		}
		text, ok := plainScalar(item)
		if !ok {
			return nil, false
		}
		items = append(items, text)
	}
	return items, true
}

func plainSequence(block []string) (items []string, ok bool) {
	for _, line := range block {
		value, ok := strings.CutPrefix(line, "  - ")
		if !ok {
			return nil, false
		}
		item, ok := plainScalar(value)
		if !ok {
			return nil, false
		}
		items = append(items, item)
	}
	return items, len(items) > 0
}

// folded reads the lines of a folded block.
func folded(block []string) (string, bool) {
	var texts []string
	for _, line := range block {
		text, ok := strings.CutPrefix(line, "  ")
		if !ok || text == "" || text != strings.TrimSpace(text) {
			return "", false
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " "), len(texts) > 0
}

func plainThresholds(block []string) (map[string]Threshold, bool) {
	thresholds := map[string]Threshold{}
	for len(block) > 0 {
		name, value, ok := plainMember(block[0], 2)
		if !ok || value != "" {
			return nil, false
		}
		if _, twice := thresholds[name]; twice {
			return nil, false
		}
		block = block[1:]
		var t Threshold
		seen := map[string]bool{}
		for len(block) > 0 && strings.HasPrefix(block[0], "    ") {
			key, value, ok := plainMember(block[0], 4)
			if !ok || seen[key] || !t.set(key, value) {
				return nil, false
			}
			seen[key], block = true, block[1:]
		}
		thresholds[name] = t
	}
	return thresholds, len(thresholds) > 0
}

func (t *Threshold) set(key, value string) (ok bool) {
	switch key {
	case "default":
		if strings.Trim(value, "0123456789.") != "" || len(value) > 1 && value[0] == '0' && value[1] != '.' {
			return false // octal, or what is no number
		}
		var err error
		t.Default, err = strconv.ParseFloat(value, 64)
		ok = err == nil
	case "unit":
		t.Unit, ok = plainScalar(value)
	case "description":
		t.Description, ok = plainScalar(value)
	}
	return ok
}
