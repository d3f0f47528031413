// Package rulebook is the one home of what a rule is: a folder for each rule,
// with its page. A page says what a rule reports and why, shows documents that
// break it and documents that keep it, and holds as data what code on both
// sides reads: severities, thresholds, weights and words. Terminal help, the SARIF
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
)

// Values of [Page.Applies].
const (
	ToDocuments = "documents"
	ToGo        = "go"
)

// A Page is the page of one rule.
type Page struct {
	Front
	Summary string // the first sentence of the page as plain text
	Body    string // Markdown below the front matter
}

// ThresholdNames returns the names of the page's thresholds, sorted.
func (p *Front) ThresholdNames() []string {
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

// Good returns the blocks that must pass without a
func (p Page) Good() []Block { return p.blocks("Good") }

func (p Page) blocks(heading string) []Block {
	text, line := sectionAt(p.Body, heading)
	return parseBlocks(text, line)
}

//go:embed */README.md
var files embed.FS

// pageFile is the name of a page in the folder of its rule.
const pageFile = "README.md"

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

// FrontOf returns the front matter of a rule's page. A check needs that of all
// rules and nothing else of the pages.
func FrontOf(rule string) (*Front, bool) {
	if known, ok := fronts.Load(rule); ok {
		return known.(*Front), true
	}
	text, err := files.ReadFile(path.Join(rule, pageFile))
	if err != nil {
		return nil, false
	}
	head, _, err := split(string(text))
	if err != nil {
		return nil, false
	}
	front, err := parseFront(head)
	if err != nil {
		return nil, false
	}
	known, _ := fronts.LoadOrStore(rule, &front)
	return known.(*Front), true
}

var fronts sync.Map // *Front by rule

// Names returns the names of all rules, sorted. Every command needs them, few
// need the pages.
func Names() []string { return slices.Clone(names()) }

var names = sync.OnceValue(func() []string {
	names, _ := fs.Glob(files, "*/"+pageFile) // the only error is a pattern that is none
	for i, name := range names {
		names[i] = path.Dir(name) // see Load
	}
	slices.Sort(names)
	return names
})

// Load reads the pages of a file system, one in each folder, and returns those
// that parse, sorted by name, with an error that lists those that do not.
func Load(from fs.FS) ([]Page, error) {
	names, err := fs.Glob(from, "*/"+pageFile)
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
		if err == nil && page.Name != path.Dir(name) {
			err = fmt.Errorf("the page is about %q: its folder must have that name", page.Name)
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

// Parse reads one page.
func Parse(text string) (Page, error) {
	head, body, err := split(text)
	if err != nil {
		return Page{}, err
	}
	front, err := parseFront(head)
	if err == nil && front.Severity == 0 {
		err = errors.New("no severity")
	}
	if err != nil {
		return Page{}, fmt.Errorf("front matter: %w", err)
	}
	page := Page{Front: front, Body: body}
	page.Summary = firstSentence(page.Section("What it reports"))
	return page, nil
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
