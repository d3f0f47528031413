// Package baseline remembers findings that a project has accepted, so that only
// new ones are reported. It identifies a finding by its rule and subject (a
// path in a collection, a field of a Go type), never by a line, so that an edit
// above a finding does not make it new.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
)

// version of the file format.
const version = 1

// An Entry is a known finding. Count is how many findings share its
// fingerprint. Also has the fingerprints of findings on documents that it, a
// finding on code, covers. So the mistake stays known if only code or only
// documents are checked.
type Entry struct {
	Rule        string   `json:"rule"`
	Collection  string   `json:"collection,omitempty"`
	Path        string   `json:"path,omitempty"`
	Symbol      string   `json:"symbol,omitempty"`
	Fingerprint string   `json:"fingerprint"`
	Also        []string `json:"also,omitempty"`
	Count       int      `json:"count"`
}

func (e Entry) String() string {
	subject := e.Symbol
	if subject == "" {
		subject = strings.TrimSuffix(e.Collection+":"+e.Path, ":")
	}
	return e.Rule + " " + subject
}

type key struct{ rule, fingerprint string }

// A Baseline is a set of known findings. The zero value knows none.
type Baseline struct {
	entries map[key]Entry
}

// Of returns a baseline with the given findings.
func Of(findings []finding.Finding) *Baseline {
	b := &Baseline{entries: map[key]Entry{}}
	for _, f := range findings {
		at := keyOf(f)
		entry := b.entries[at]
		if entry.Count == 0 {
			entry = Entry{
				Rule: f.Rule, Collection: f.Subject.Collection, Path: f.Subject.Path, Symbol: f.Subject.Symbol,
				Fingerprint: f.Fingerprint,
			}
		}
		for _, twin := range f.Also {
			entry.Also = union(entry.Also, []string{twin.Fingerprint})
		}
		entry.Count++
		b.entries[at] = entry
	}
	return b
}

func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func keyOf(f finding.Finding) key { return key{f.Rule, f.Fingerprint} }

// file is the file format: one entry per line, sorted, for easy merges and
// reviews.
type file struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

// Parse reads the output of [Baseline.Write]. Errors include line and column.
func Parse(text []byte) (*Baseline, error) {
	var f file
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return nil, located(text, decoder.InputOffset(), err)
	}
	if f.Version != version {
		return nil, fmt.Errorf("1:1: version %d of the baseline format is not known", f.Version)
	}
	b := &Baseline{entries: map[key]Entry{}}
	for _, entry := range f.Findings {
		if entry.Rule == "" || entry.Fingerprint == "" || entry.Count < 1 {
			return nil, fmt.Errorf("1:1: an entry of the baseline needs a rule, a fingerprint and a count above 0: %s", entry)
		}
		at := key{entry.Rule, entry.Fingerprint}
		entry.Count += b.entries[at].Count // after a merge of two branches an entry may occur twice
		entry.Also = union(entry.Also, b.entries[at].Also)
		b.entries[at] = entry
	}
	return b, nil
}

func located(text []byte, offset int64, err error) error {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = syntax.Offset - 1 // Offset counts the wrong byte too
	}
	before := text[:min(int(offset), len(text))]
	return fmt.Errorf("%d:%d: no baseline: %w", 1+bytes.Count(before, []byte{'\n'}), len(before)-bytes.LastIndexByte(before, '\n'), err)
}

// Write writes the baseline. The same baseline gives the same bytes.
func (b *Baseline) Write(w io.Writer) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"version\": %d,\n  \"findings\": [", version)
	for i, entry := range b.Entries() {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(entry); err != nil {
			return fmt.Errorf("write the baseline: %w", err)
		}
		out.Write(bytes.TrimSpace(line.Bytes()))
	}
	if len(b.entries) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	_, err := w.Write(out.Bytes())
	return err
}

// Entries returns the known findings, sorted by rule and fingerprint.
func (b *Baseline) Entries() []Entry {
	entries := make([]Entry, 0, len(b.entries))
	for _, entry := range b.entries {
		entries = append(entries, entry)
	}
	slices.SortFunc(entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Fingerprint, y.Fingerprint))
	})
	return entries
}

// Fresh returns the findings that are not known, in order. Of findings with the
// same fingerprint, the first Count are known. A finding that covers others is
// known if one of them is, and a finding that an entry covers is known too.
func (b *Baseline) Fresh(findings []finding.Finding) []finding.Finding {
	told := b.told()
	left := map[key]int{}
	fresh := findings[:0:0]
	for _, f := range findings {
		at := keyOf(f)
		if left[at] < b.entries[at].Count {
			left[at]++
			continue
		}
		if !told[f.Fingerprint] && !slices.ContainsFunc(f.Also, func(twin finding.Twin) bool {
			return told[twin.Fingerprint] || b.entries[key{twin.Rule, twin.Fingerprint}].Count > 0
		}) {
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// told returns the fingerprints of findings that entries cover.
func (b *Baseline) told() map[string]bool {
	told := map[string]bool{}
	for _, entry := range b.entries {
		for _, print := range entry.Also {
			told[print] = true
		}
	}
	return told
}

// Prune lowers the counts to what was found and returns what it removed. It
// keeps entries of rules for which checked returns false, because those did not
// run.
func (b *Baseline) Prune(findings []finding.Finding, checked func(rule string) bool) []Entry {
	found := Of(findings)
	told := found.told()
	there := maps.Clone(told)
	for at := range found.entries {
		there[at.fingerprint] = true
	}
	var removed []Entry
	for _, entry := range b.Entries() {
		at := key{entry.Rule, entry.Fingerprint}
		gone := entry.Count - found.entries[at].Count
		if gone <= 0 || !checked(entry.Rule) || told[entry.Fingerprint] ||
			slices.ContainsFunc(entry.Also, func(print string) bool { return there[print] }) {
			continue
		}
		entry.Count -= gone
		if entry.Count == 0 {
			delete(b.entries, at)
		} else {
			b.entries[at] = entry
		}
		entry.Count = gone
		removed = append(removed, entry)
	}
	return removed
}
