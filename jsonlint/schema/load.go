// Package schema reads schemas that people have written for collections, as
// JSON Schema or MongoDB validators. It validates documents, extracts what the
// schemas declare, and checks the schemas for modelling mistakes.
package schema

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/suggest"
)

// A Source says where the schema of a collection is.
type Source struct {
	Collection string
	Path       string // of the file, perhaps with a JSON pointer as in schemas.json#/$defs/posts
}

// split returns the path of the file and the pointer after it.
func (s Source) split() (path, pointer string) {
	if at := strings.LastIndex(s.Path, "#/"); at >= 0 {
		return s.Path[:at], s.Path[at+1:]
	}
	return strings.TrimSuffix(s.Path, "#"), ""
}

// A Set holds the schemas of a database.
type Set struct {
	sources  []Source  // by collection
	schemas  []*schema // by collection
	problems []finding.Problem
	files    *files
}

// A schema is the schema of one collection.
type schema struct {
	collection string
	root       *Node
	mongodb    bool
	refs       map[*Node]*Node // schemas with a $ref, to its target
	written    bool            // it describes Extended JSON as written
}

// Load reads schemas. Mistakes in them become problems of the set, with their
// places in the files, and those schemas are left out.
func Load(sources []Source) *Set {
	s := &Set{files: &files{byPath: map[string]*document{}, byID: map[string]*Node{}}}
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b Source) int { return strings.Compare(a.Collection, b.Collection) })
	s.sources = sources
	roots := make([]*Node, len(sources))
	for i, from := range sources { // open all first, because they may refer to each other by id
		root, err := s.files.open(from)
		if err != nil {
			s.fail(err, from)
			continue
		}
		roots[i] = root
	}
	for i, from := range sources {
		if roots[i] == nil {
			continue
		}
		if found, ok := s.read(from, roots[i]); ok {
			s.schemas = append(s.schemas, found)
		}
	}
	return s
}

// Problems returns what is wrong with the schemas, sorted by place.
func (s *Set) Problems() []finding.Problem {
	problems := slices.Clone(s.problems)
	slices.SortFunc(problems, finding.CompareProblems)
	return slices.Compact(problems)
}

// Collections returns the names of the collections with a usable schema.
func (s *Set) Collections() []string {
	var names []string
	for _, c := range s.schemas {
		names = append(names, c.collection)
	}
	return names
}

// Fprint writes what must be the same in two processes that check with the same
// schemas.
func (s *Set) Fprint(w io.Writer) {
	for _, from := range s.sources {
		fmt.Fprintf(w, "%q %q\n", from.Collection, from.Path)
	}
	for _, path := range slices.Sorted(maps.Keys(s.files.byPath)) {
		w.Write(s.files.byPath[path].tape.Src) //nolint:errcheck // it is a hash
	}
}

// Files returns the absolute paths of all files with schemas, sorted.
func (s *Set) Files() []string { return sortedNames(s.In()) }

// In returns, by absolute path, the collections whose schemas are at least
// partly in a file.
func (s *Set) In() map[string][]string {
	out := map[string][]string{}
	if s == nil {
		return out
	}
	add := func(path, collection string) {
		if !slices.Contains(out[path], collection) {
			out[path] = append(out[path], collection)
		}
	}
	for _, from := range s.sources {
		path, _ := from.split()
		if absolute, err := filepath.Abs(path); err == nil {
			add(absolute, from.Collection)
		}
	}
	for _, c := range s.schemas {
		for path, d := range s.files.byPath {
			if c.uses(d) {
				add(path, c.collection)
			}
		}
	}
	return out
}

// uses reports whether a schema, or anything it refers to, is in a file.
func (c *schema) uses(d *document) bool {
	if c.root.doc == d {
		return true
	}
	for _, meant := range c.refs {
		if meant.doc == d {
			return true
		}
	}
	return false
}

func (s *Set) fail(err error, from Source) {
	if at := (*fileError)(nil); errors.As(err, &at) {
		s.problems = append(s.problems, at.problem)
		return
	}
	path, _ := from.split()
	s.problems = append(s.problems, finding.Problem{
		Message: fmt.Sprintf("the schema of %s cannot be read: %s", from.Collection, err), Hint: "see schemas: in the configuration",
		Location: finding.Location{File: filepath.ToSlash(path)},
	})
}

// read finds the schema in a file and what it refers to.
func (s *Set) read(from Source, root *Node) (*schema, bool) {
	c := &schema{collection: from.Collection, root: root, refs: map[*Node]*Node{}}
	if validator := jsonSchemaIn(root); validator != nil {
		c.root, c.mongodb = validator, true
	}
	problem := func(at finding.Location, message, hint string) {
		s.problems = append(s.problems, finding.Problem{Message: message, Hint: hint, Location: at})
	}
	before := len(s.problems)
	if !isSchema(c.root) {
		problem(c.root.Location(), "a schema is an object", "")
		return nil, false
	}
	if evidence, ok := root.Get("format").text(); ok && evidence == "shapevet evidence" {
		problem(root.Location(), "this is an evidence file and no schema", "\"shapevet profile --schema json\" makes a schema of it")
		return nil, false
	}
	if dialect := c.root.doc.root.member("$schema"); dialect != nil && !c.mongodb {
		if name, ok := dialect.value.text(); !ok || !strings.Contains(name, "json-schema.org/") && s.files.byURL(name) == nil {
			problem(dialect.value.Location(), "the dialect of the schema is unknown", "use https://json-schema.org/draft/2020-12/schema, or an older draft")
			return nil, false
		}
	}
	r := &resolver{files: s.files, schema: c, problem: problem, seen: map[*Node]bool{}}
	r.walk(c.root, c.root.doc.id)
	return c, len(s.problems) == before
}

// jsonSchemaIn returns the value of $jsonSchema in a validator, a collMod or
// create command, or an answer of listCollections. It returns nil if there is
// none.
func jsonSchemaIn(root *Node) *Node {
	for _, path := range []string{"/$jsonSchema", "/validator/$jsonSchema", "/options/validator/$jsonSchema"} {
		if found := root.at(path); found != nil {
			return found
		}
	}
	return nil
}

// files holds the schema files that were read.
type files struct {
	byPath map[string]*document // by absolute path
	byID   map[string]*Node     // schemas by absolute $id
}

// open reads the file of a source and follows the pointer after its path.
func (f *files) open(from Source) (*Node, error) {
	path, pointer := from.split()
	d, err := f.document(path, path)
	if err != nil {
		return nil, err
	}
	unescaped, err := url.PathUnescape(pointer)
	if err != nil {
		unescaped = pointer
	}
	root := d.root.at(unescaped)
	if root == nil {
		problem := finding.Problem{
			Message: fmt.Sprintf("there is no %s in the schema file", pointer), Location: finding.Location{File: d.shown, Line: 1, Column: 1},
		}
		if at := strings.LastIndexByte(unescaped, '/'); at >= 0 {
			if parent := d.root.at(unescaped[:at]); parent != nil {
				problem.Hint = suggest.DidYouMean(unescape.Replace(unescaped[at+1:]), parent.names())
			}
		}
		return nil, &fileError{problem}
	}
	return root, nil
}

func (f *files) document(path, shown string) (*document, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	if d := f.byPath[absolute]; d != nil {
		return d, nil
	}
	d, err := readDocument(absolute, filepath.ToSlash(shown))
	if err != nil {
		return nil, err
	}
	f.byPath[absolute] = d
	d.id, _ = baseOf(d.root, fileURL(absolute))
	f.register(d.root, fileURL(absolute))
	return d, nil
}

// register records the schemas in a document that have an id. Ids are relative
// to base.
func (f *files) register(n *Node, base string) {
	if !n.IsObject() {
		return
	}
	if id, ok := baseOf(n, base); ok && id != base {
		base = id
		if f.byID[base] == nil {
			f.byID[base] = n
		}
	}
	for _, s := range subschemas(n) {
		f.register(s.node, base)
	}
}

// baseOf returns what references in a schema are relative to: its absolute id,
// or the base of the enclosing schema. ok is false if the id is not a URL.
func baseOf(n *Node, base string) (string, bool) {
	id := idOf(n)
	if id == "" || strings.HasPrefix(id, "#") { // an anchor in draft 7
		return base, true
	}
	parsed, err := url.Parse(id)
	if err != nil {
		return base, false
	}
	parsed.Fragment, parsed.RawFragment = "", ""
	whole := resolve(base, parsed)
	text := whole.String()
	again, err := url.Parse(text)
	if err != nil || again.ResolveReference(&url.URL{}).String() != text || whole.Opaque == "" && whole.Host == "" && whole.Scheme != "file" {
		return base, false
	}
	return text, true
}

// respelled returns the usual spelling of an absolute URL, under which the
// library looks up its parts; with another spelling, it loops until it is out
// of memory. respelled is empty if the URL is relative or already spelled that
// way.
func respelled(text string) string {
	parsed, err := url.Parse(text)
	if err != nil || !parsed.IsAbs() {
		return ""
	}
	if usual := parsed.ResolveReference(&url.URL{Fragment: parsed.Fragment, RawFragment: parsed.RawFragment}).String(); usual != strings.TrimSuffix(text, "#") {
		return usual
	}
	return ""
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a Windows drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// idOf returns the id that a schema gives itself.
func idOf(n *Node) string {
	if !n.IsObject() {
		return ""
	}
	if id, ok := n.Get("$id").text(); ok {
		return id
	}
	if dialect, ok := n.Get("$schema").text(); ok && strings.Contains(dialect, "draft-04") {
		id, _ := n.Get("id").text()
		return id
	}
	return ""
}

func resolve(base string, ref *url.URL) *url.URL {
	if parsed, err := url.Parse(base); err == nil {
		return parsed.ResolveReference(ref)
	}
	return ref
}
