// Package rulebook holds one page per rule and reads them. A page says what a
// rule reports and why, shows documents that break it and documents that keep
// it, and declares its severity and thresholds. Terminal help, the SARIF
// catalogue, the configuration schema and the documentation are all made from
// these pages.
//
// A page is Markdown below YAML front matter; schema.json describes the front
// matter and [Headings] the body. The fenced blocks under "Bad" and "Good" are
// executable. Their info string is a language followed by attributes:
//
//	```json collection=posts
//	```json collection=posts name=growing db=cosmosdb
//
// collection names the collection the documents belong to. Blocks that share a
// name (or have none) are one database and are checked together; another name
// starts another example. Other attributes belong to the test that runs them.
package rulebook

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/shapevet/shapevet/internal/finding"
)

var headings = [...]string{"What it reports", "Why", "Bad", "Good", "Fix", "When to ignore"}

// Headings returns the second-level headings of every page, in order.
func Headings() []string { return slices.Clone(headings[:]) }

// Values of [Page.Applies].
const (
	ToDocuments = "documents"
	ToGo        = "go"
)

// A Page is the page of one rule.
type Page struct {
	Name       string           // kebab-case, the name used everywhere
	Since      string           // the first version that has the rule
	Severity   finding.Severity // unless the rule or the configuration says otherwise
	Summary    string           // the first sentence of the page as plain text
	Confidence string           // what makes the rule more or less sure
	Applies    []string         // ToDocuments, ToGo
	Fix        string           // safe, unsafe, plan or none
	Databases  []string         // where the rule runs
	Thresholds map[string]Threshold
	Sources    []string // title and address
	Body       string   // Markdown below the front matter
}

// A Threshold is a number that the configuration can change.
type Threshold struct {
	Default     float64 `yaml:"default"`
	Unit        string  `yaml:"unit"`
	Description string  `yaml:"description"`
}

// ThresholdNames returns the names of the page's thresholds, sorted.
func (p Page) ThresholdNames() []string {
	return slices.Sorted(maps.Keys(p.Thresholds))
}

// Section returns the Markdown below a second-level heading, "" if there is
// no such heading.
func (p Page) Section(heading string) string {
	text, _ := sectionAt(p.Body, heading)
	return text
}

// Bad returns the blocks that the rule must report.
func (p Page) Bad() []Block { return p.blocks("Bad") }

// Good returns the blocks that must pass without a finding.
func (p Page) Good() []Block { return p.blocks("Good") }

func (p Page) blocks(heading string) []Block {
	text, line := sectionAt(p.Body, heading)
	return parseBlocks(text, line)
}

//go:embed *.md
var files embed.FS

var load = sync.OnceValues(func() ([]Page, error) { return Load(files) })

// All returns the pages sorted by name.
func All() []Page {
	pages, _ := load() // a page that does not parse fails this package's tests
	return slices.Clone(pages)
}

// Find returns the page of a rule.
func Find(name string) (Page, bool) {
	pages, _ := load()
	i, ok := slices.BinarySearchFunc(pages, name, func(p Page, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return Page{}, false
	}
	return pages[i], true
}

// Names returns the names of all rules, sorted. Every command needs them, few
// need the pages.
func Names() []string { return slices.Clone(names()) }

var names = sync.OnceValue(func() []string {
	names, _ := fs.Glob(files, "*.md") // the only error is a pattern that is none
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".md") // see Load
	}
	slices.Sort(names)
	return names
})

// Load reads the pages at the top of a file system and returns those that
// parse, sorted by name, with an error that lists those that do not.
func Load(from fs.FS) ([]Page, error) {
	names, err := fs.Glob(from, "*.md")
	if err != nil {
		return nil, fmt.Errorf("list pages: %w", err)
	}
	var pages []Page
	var bad []error
	for _, name := range names {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			bad = append(bad, fmt.Errorf("read page: %w", err))
			continue
		}
		page, err := Parse(string(text))
		if err == nil && page.Name != strings.TrimSuffix(path.Base(name), ".md") {
			err = fmt.Errorf("the page is about %q: the file must be called %s.md", page.Name, page.Name)
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", name, err))
			continue
		}
		pages = append(pages, page)
	}
	slices.SortFunc(pages, func(a, b Page) int { return strings.Compare(a.Name, b.Name) })
	return pages, errors.Join(bad...)
}

// frontMatter is the YAML at the top of a page.
type frontMatter struct {
	Name       string               `yaml:"name"`
	Since      string               `yaml:"since"`
	Severity   string               `yaml:"severity"`
	Confidence string               `yaml:"confidence"`
	Applies    []string             `yaml:"applies"`
	Fix        string               `yaml:"fix"`
	Databases  []string             `yaml:"databases"`
	Sources    []string             `yaml:"sources"`
	Thresholds map[string]Threshold `yaml:"thresholds"`
}

// Parse reads one page.
func Parse(text string) (Page, error) {
	head, body, err := split(text)
	if err != nil {
		return Page{}, err
	}
	front, ok := plainFront(head)
	if !ok {
		if front, err = yamlFront(head); err != nil {
			return Page{}, fmt.Errorf("front matter: %w", err)
		}
	}
	severity, err := finding.ParseSeverity(front.Severity)
	if err != nil {
		return Page{}, fmt.Errorf("front matter: %w", err)
	}
	page := Page{
		Name:       front.Name,
		Since:      front.Since,
		Severity:   severity,
		Confidence: strings.TrimSpace(front.Confidence),
		Applies:    front.Applies,
		Fix:        front.Fix,
		Databases:  front.Databases,
		Sources:    front.Sources,
		Thresholds: front.Thresholds,
		Body:       body,
	}
	page.Summary = firstSentence(page.Section(headings[0]))
	return page, nil
}

func yamlFront(head string) (front frontMatter, err error) {
	err = yaml.UnmarshalWithOptions([]byte(head), &front, yaml.Strict())
	return front, err
}

// fence is the line before and behind the front matter.
const fence = "---\n"

// split separates front matter from body.
func split(text string) (head, body string, err error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, fence)
	if !ok {
		return "", "", errors.New("a page starts with front matter between two lines of ---")
	}
	head, body, ok = strings.Cut(rest, "\n"+fence)
	if !ok {
		return "", "", errors.New("the front matter has no closing ---")
	}
	return head + "\n", strings.TrimLeft(body, "\n"), nil
}
