package rulebook

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Front is the front matter of a page: what of a rule is data. Code on both
// sides reads it from here and repeats none of it.
type Front struct {
	Name       string              // kebab-case, the name used everywhere
	Since      string              // the first version that has the rule
	Topic      string              // the key of its topic
	Severity   Severity            // unless a condition of Severities holds or the configuration says otherwise
	Severities map[Severity]string // the other severities of the rule's findings, and when they have them
	Confidence string              // what makes the rule more or less sure
	Applies    []string            // ToDocuments, ToGo
	Fix        string              // safe, unsafe, plan or none
	Picture    string              // "join": a report draws a collection with such a finding as a join of two others
	Databases  []string            // where the rule runs
	Sources    []string            // title and address
	Thresholds map[string]Threshold
	Weights    map[string]Weight
	Words      map[string]WordList
}

// A Threshold is a number that the configuration can change.
type Threshold struct {
	Default     float64
	Unit        string
	Readers     []string // who reads it: ToDocuments, ToGo
	Description string
}

// A Weight is how much a piece of evidence for a rule counts, in log-odds: 0.7
// doubles the odds that a finding is right, -0.7 halves them.
type Weight struct {
	Value       float64
	Description string
}

// A WordList is words that only this rule knows. The lists of several rules
// are in package lexicon.
type WordList struct {
	Description string
	Words       []string
}

// parseFront reads front matter. What it knows of YAML is what the pages use:
// nested mappings, sequences of scalars ([a, b] or a line each), and scalars
// that are plain, in double quotes or folded (>-). The pages are read whenever
// the program starts, and reading them with a YAML library takes longer than
// checking a small document does.
func parseFront(head string) (front Front, err error) {
	r := frontReader{lines: strings.Split(strings.TrimSuffix(head, "\n"), "\n")}
	top, err := r.mapping(0)
	if err != nil {
		return front, err
	}
	for _, m := range top {
		if err := front.set(m); err != nil {
			return front, fmt.Errorf("%s: %w", m.key, err)
		}
	}
	return front, nil
}

func (f *Front) set(m member) (err error) {
	switch m.key {
	case "name":
		f.Name, err = m.scalar()
	case "since":
		f.Since, err = m.scalar()
	case "topic":
		f.Topic, err = m.scalar()
	case "severity":
		f.Severity, err = m.severity()
	case "severities":
		f.Severities = map[Severity]string{}
		err = m.each(func(m member) error {
			severity, err := ParseSeverity(m.key)
			if err == nil {
				f.Severities[severity], err = m.scalar()
			}
			return err
		})
	case "confidence":
		f.Confidence, err = m.scalar()
	case "fix":
		f.Fix, err = m.scalar()
	case "picture":
		f.Picture, err = m.scalar()
	case "applies":
		f.Applies, err = m.sequence()
	case "databases":
		f.Databases, err = m.sequence()
	case "sources":
		f.Sources, err = m.sequence()
	case "thresholds":
		f.Thresholds, err = mapOf(m, (*Threshold).set)
	case "weights":
		f.Weights, err = mapOf(m, (*Weight).set)
	case "words":
		f.Words, err = mapOf(m, (*WordList).set)
	default:
		err = errors.New("unknown key")
	}
	return err
}

func (t *Threshold) set(m member) (err error) {
	switch m.key {
	case "default":
		t.Default, err = m.number()
	case "unit":
		t.Unit, err = m.scalar()
	case "readers":
		t.Readers, err = m.sequence()
	case "description":
		t.Description, err = m.scalar()
	default:
		err = errors.New("unknown key")
	}
	return err
}

func (w *Weight) set(m member) (err error) {
	switch m.key {
	case "value":
		w.Value, err = m.number()
	case "description":
		w.Description, err = m.scalar()
	default:
		err = errors.New("unknown key")
	}
	return err
}

func (l *WordList) set(m member) error {
	text, err := m.scalar()
	switch m.key {
	case "description":
		l.Description = text
	case "words":
		l.Words = strings.Fields(text)
	default:
		err = errors.New("unknown key")
	}
	return err
}

// mapOf reads a mapping whose values are mappings.
func mapOf[T any](m member, set func(*T, member) error) (map[string]T, error) {
	found := map[string]T{}
	return found, m.each(func(m member) error {
		var value T
		err := m.each(func(m member) error { return set(&value, m) })
		found[m.key] = value
		return err
	})
}

// A member is a key and its value, which is one of three things.
type member struct {
	key     string
	text    string // a scalar
	items   []string
	members []member
}

func (m member) scalar() (string, error) {
	if m.text == "" {
		return "", errors.New("want text")
	}
	return m.text, nil
}

func (m member) number() (float64, error) {
	value, err := strconv.ParseFloat(m.text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", m.text)
	}
	return value, nil
}

func (m member) severity() (Severity, error) { return ParseSeverity(m.text) }

func (m member) sequence() ([]string, error) {
	if m.items == nil {
		return nil, errors.New("want a list")
	}
	return m.items, nil
}

func (m member) each(visit func(member) error) error {
	if m.members == nil {
		return errors.New("want names with values")
	}
	for _, inner := range m.members {
		if err := visit(inner); err != nil {
			return fmt.Errorf("%s: %w", inner.key, err)
		}
	}
	return nil
}

// frontReader reads front matter line by line.
type frontReader struct {
	lines []string
	at    int
}

func (r *frontReader) failed(what string) error {
	return fmt.Errorf("line %d: %s: %q", r.at+1, what, r.lines[r.at])
}

// next returns the text of the line if it is indented by so much.
func (r *frontReader) next(indent int) (text string, ok bool) {
	if r.at == len(r.lines) {
		return "", false
	}
	text, ok = strings.CutPrefix(r.lines[r.at], strings.Repeat(" ", indent))
	return text, ok && text != "" && text[0] != ' '
}

const keyLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

func (r *frontReader) mapping(indent int) (members []member, err error) {
	for r.at < len(r.lines) {
		line, ok := r.next(indent)
		if !ok {
			if indent > 0 && !strings.HasPrefix(r.lines[r.at], strings.Repeat(" ", indent)) {
				break
			}
			return nil, r.failed("wrong indentation")
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || key == "" || strings.Trim(key, keyLetters) != "" {
			return nil, r.failed("no key")
		}
		m := member{key: key}
		if slices.ContainsFunc(members, func(other member) bool { return other.key == key }) {
			return nil, r.failed("a key that was there before")
		}
		if err := r.value(&m, value, indent+2); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}

// value reads what follows a colon.
func (r *frontReader) value(m *member, value string, indent int) (err error) {
	value = strings.TrimPrefix(value, " ")
	switch {
	case value == ">-":
		r.at++
		var texts []string
		for text, ok := r.next(indent); ok; text, ok = r.next(indent) {
			texts = append(texts, text)
			r.at++
		}
		m.text = strings.Join(texts, " ")
		return nil
	case value != "":
		if inside, ok := strings.CutPrefix(value, "["); ok {
			inside, ok = strings.CutSuffix(inside, "]")
			m.items = strings.Split(inside, ", ")
			if !ok || slices.ContainsFunc(m.items, func(item string) bool { return strings.Trim(item, keyLetters) != "" || item == "" }) {
				return r.failed("no list of plain words")
			}
		} else if m.text, ok = unquoted(value); !ok {
			return r.failed("no plain text")
		}
		r.at++
		return nil
	}
	r.at++
	for text, ok := r.next(indent); ok && strings.HasPrefix(text, "- "); text, ok = r.next(indent) {
		if text, ok = unquoted(text[2:]); !ok {
			return r.failed("no plain text")
		}
		m.items = append(m.items, text)
		r.at++
	}
	if m.items == nil {
		m.members, err = r.mapping(indent)
	}
	return err
}

// unquoted returns the text of a scalar; ok is false if YAML would read it in
// another way.
func unquoted(value string) (text string, ok bool) {
	if inside, quoted := strings.CutPrefix(value, `"`); quoted {
		text, ok = strings.CutSuffix(inside, `"`)
		return text, ok && !strings.ContainsAny(text, "\"\\")
	}
	plain := strings.TrimSpace(value) == value && !strings.ContainsAny(value[:1], "!&*'|>%@`{[,#?") && !strings.HasPrefix(value, "- ") &&
		!strings.Contains(value, ": ") && !strings.HasSuffix(value, ":") && !strings.Contains(value, " #")
	return value, plain
}

// Words returns a function that returns a list of words of a rule's page, in
// their order there. The page is read when it is first called: most runs need
// the words of few rules.
func Words(rule, list string) func() []string {
	return sync.OnceValue(func() []string {
		front, ok := FrontOf(rule)
		if !ok || front.Words[list].Words == nil {
			panic("the page of " + rule + " has no words " + list)
		}
		return front.Words[list].Words
	})
}

// WordSet is [Words] to look words up in.
func WordSet(rule, list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, word := range Words(rule, list)() {
			set[word] = true
		}
		return set
	})
}
