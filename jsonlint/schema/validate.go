package schema

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A Validator validates documents against the schemas of their collections.
type Validator struct {
	set         *Set
	collections map[string]*compiled
	seen        Seen
}

// Validator compiles the schemas. A schema that cannot be compiled becomes a
// problem of the set and validates nothing.
func (s *Set) Validator() *Validator {
	v := &Validator{set: s, collections: map[string]*compiled{}, seen: newSeen()}
	s.schemas = slices.DeleteFunc(s.schemas, func(c *schema) bool {
		compiled, err := s.compile(c)
		if err != nil {
			s.fail(err, Source{Collection: c.collection})
			return true
		}
		v.collections[c.collection] = compiled
		return false
	})
	return v
}

// Has reports whether a collection has a schema.
func (v *Validator) Has(collection string) bool { return v.collections[collection] != nil }

// An Observer validates the documents that one worker reads.
type Observer struct {
	validator *Validator
	Seen
}

// Observer returns an observer that has seen nothing.
func (v *Validator) Observer() *Observer { return &Observer{validator: v, Seen: newSeen()} }

// Seen is what an observer has seen. It holds no outside pointers, so that it
// can be written to a file and added to another process's validator.
type Seen struct {
	documents  map[string]int64 // by collection
	violations map[key]*violation
	failed     map[string]string // collections whose schema cannot be followed, with the reason
}

func newSeen() Seen {
	return Seen{documents: map[string]int64{}, violations: map[key]*violation{}, failed: map[string]string{}}
}

// A key identifies a finding: a place in the schema of a collection.
type key struct{ collection, root, pointer string }

// A violation holds the documents that violate one place in a schema.
type violation struct {
	fault
	documents int64
	last      int64 // the last document, to count each once
	examples  []example
}

type example struct {
	at   profile.Pos
	path string
	text string
}

// mostExamples is how many places are kept per violation.
const mostExamples = 4

// See validates a document.
func (o *Observer) See(collection string, d *profile.Document) {
	c := o.validator.collections[collection]
	if c == nil {
		return
	}
	o.documents[collection]++
	err := c.validator.Validate(c.instance(d.Document))
	if err == nil {
		return
	}
	invalid := (*jsonschema.ValidationError)(nil)
	if !errors.As(err, &invalid) {
		o.failed[collection] = strings.TrimPrefix(err.Error(), "jsonschema: ")
		return
	}
	for _, l := range c.leaves(d.Document, invalid, nil) {
		o.note(collection, c, l, d)
	}
}

// Validate reports whether a document matches the schema of its collection.
func (v *Validator) Validate(collection string, d *scan.Document) error {
	if c := v.collections[collection]; c != nil {
		return c.validator.Validate(c.instance(d))
	}
	return nil
}

func (c *compiled) instance(d *scan.Document) any {
	if c.mongodb {
		return stored(d, 0, 0)
	}
	return value(d, 0, c.written, 0)
}

func (o *Observer) note(collection string, c *compiled, l leaf, d *profile.Document) {
	k := key{collection, l.root, l.pointer}
	v := o.violations[k]
	if v == nil {
		v = &violation{fault: l.fault}
		o.violations[k] = v
	}
	if v.last != o.documents[collection] {
		v.last = o.documents[collection]
		v.documents++
	}
	v.add(example{place(d, l), l.path, l.example(d.Document)})
}

func (v *violation) add(e example) {
	i, _ := slices.BinarySearchFunc(v.examples, e, compareExamples)
	if i < mostExamples {
		v.examples = slices.Insert(v.examples, i, e)
		v.examples = v.examples[:min(len(v.examples), mostExamples)]
	}
}

func compareExamples(a, b example) int {
	return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path), cmp.Compare(a.text, b.text))
}

// place returns where a violation is: at a forbidden name, the name of a
// container, or the scalar itself.
func place(d *profile.Document, l leaf) profile.Pos {
	switch others := l.others(d.Document); {
	case len(others) > 0:
		return d.At(others[0])
	case d.Tokens[l.at].Kind < scan.Object:
		return d.At(l.at)
	case l.key >= 0:
		return d.At(l.key)
	}
	at := d.At(l.at)
	at.Len = 1
	return at
}

// Add adds what an observer of this validator has seen.
func (v *Validator) Add(o Seen) {
	for collection, n := range o.documents {
		v.seen.documents[collection] += n
	}
	for collection, message := range o.failed {
		v.seen.failed[collection] = message
	}
	for k, theirs := range o.violations {
		mine := v.seen.violations[k]
		if mine == nil {
			v.seen.violations[k] = theirs
			continue
		}
		mine.documents += theirs.documents
		for _, e := range theirs.examples {
			mine.add(e)
		}
	}
}

// A Violation is a place in a schema that documents of the collection violate.
type Violation struct {
	Collection string
	Path       string // in the documents
	Keyword    string
	Name       string // of a missing required property
	Documents  int64  // number of documents that violate it
	Of         int64  // number of documents validated
	Message    string
	At         []profile.Pos // the first places in documents
	Location   finding.Location
}

// Violations returns the violations, ordered by place in the schemas.
func (v *Validator) Violations() []Violation {
	var out []Violation
	for k, seen := range v.seen.violations {
		first := seen.examples[0]
		o := Violation{
			Collection: k.collection, Path: first.path, Keyword: seen.keyword, Name: seen.name, Documents: seen.documents,
			Of: v.seen.documents[k.collection], Location: seen.location,
		}
		at, _ := v.collections[k.collection].keyword(seen.root + "#" + seen.pointer)
		o.Message = seen.message(at, o.Documents, o.Of)
		for _, e := range seen.examples {
			o.At = append(o.At, e.at)
		}
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b Violation) int {
		return cmp.Or(
			cmp.Compare(a.Collection, b.Collection), a.Location.Compare(b.Location),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Keyword, b.Keyword),
		)
	})
	return out
}

// Failed lists the schemas that failed while validating documents.
func (v *Validator) Failed() []finding.Problem {
	var out []finding.Problem
	for _, collection := range sortedNames(v.seen.failed) {
		out = append(out, finding.Problem{
			Message:  "the schema cannot be followed: " + v.seen.failed[collection],
			Location: v.collections[collection].root.Location(),
		})
	}
	return out
}

// A fault is a requirement of a schema that is not met.
type fault struct {
	root     string // URL of the schema file
	pointer  string // to the keyword in it
	keyword  string
	name     string // of a missing required property
	location finding.Location
	several  bool // more than one alternative fits
}

// A leaf is one fault in one document.
type leaf struct {
	fault
	schema  *Node  // schema that holds the keyword
	path    string // of the value in the document
	at, key int    // tokens of the value and of its name, or -1
}

// leaves splits an error of the library into leaves. For alternatives it keeps
// only the one that matches the document's kind.
func (c *compiled) leaves(d *scan.Document, e *jsonschema.ValidationError, out []leaf) []leaf {
	at, keyword := c.keyword(e.AbsoluteKeywordLocation)
	if (keyword == "anyOf" || keyword == "oneOf") && len(e.Causes) > 0 {
		if branch := c.meant(at, keyword, e); branch != nil {
			return c.leaves(d, branch, out)
		}
	} else if len(e.Causes) > 0 && keyword != "minContains" {
		for _, cause := range e.Causes {
			out = c.leaves(d, cause, out)
		}
		return out
	}
	root, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	l := leaf{fault: fault{root: root, pointer: pointer, keyword: keyword}, schema: at}
	l.at, l.key = find(d, pointerSteps(e.InstanceLocation))
	l.path = pathOf(e).String()
	if at != nil {
		l.location = at.Location()
		if keyword != "" {
			l.location = at.KeyLocation(keyword)
		}
	}
	switch {
	case keyword == "oneOf" && len(e.Causes) == 0:
		l.several, l.pointer = true, joinPointer(pointer, "several")
		return append(out, l)
	case keyword != "required":
		return append(out, l)
	}
	for i, name := range at.Get("required").Texts() {
		if _, has := d.Get(l.at, name); has {
			continue
		}
		missing := l
		missing.name, missing.pointer = name, joinPointer(pointer, strconv.Itoa(i))
		missing.path = append(pathOf(e), profile.Step{Kind: profile.Field, Name: name}).String()
		if list := at.Get("required"); i < len(list.elements) {
			missing.location = list.elements[i].Location()
		}
		out = append(out, missing)
	}
	return out
}

// keyword finds the schema and the keyword in it that a location leads to or
// through. The keyword is "" for a schema that allows nothing.
func (c *compiled) keyword(location string) (at *Node, keyword string) {
	name, pointer, _ := strings.Cut(location, "#")
	root := c.roots[name]
	if root == nil {
		return nil, ""
	}
	steps := pointerSteps(pointer)
	if c.mongodb {
		for i := range steps {
			steps[i] = strings.TrimPrefix(steps[i], hidden)
		}
	}
	return keywordAt(root, steps)
}

// keywordAt follows a pointer from schema to schema, up to the keyword after
// the last one. It returns "" if the pointer leads to a schema.
func keywordAt(at *Node, steps []string) (*Node, string) {
	for len(steps) > 0 {
		keyword, value := steps[0], at.Get(steps[0])
		var next *Node
		switch {
		case value == nil, keyword == "dependentRequired":
		case len(steps) > 1 && value.IsObject() && slices.Contains(inMembers, keyword),
			len(steps) > 1 && value.kind() == scan.Array && slices.Contains(inList, keyword):
			next, steps = value.step(steps[1]), steps[1:]
		case slices.Contains(inMember, keyword) && len(steps) > 1, value.IsObject() && len(steps) > 1:
			next = value
		}
		if next == nil || !isSchema(next) {
			return at, keyword
		}
		at, steps = next, steps[1:]
	}
	return at, ""
}

// meant returns the cause from the only alternative that the value can be.
// Alternatives of another type, or with another value of the discriminator, are
// out. It returns nil if several remain.
func (c *compiled) meant(at *Node, keyword string, e *jsonschema.ValidationError) *jsonschema.ValidationError {
	var discriminators []string
	if at != nil {
		if found := c.Discriminator(at.Get(keyword).elements); found != nil {
			discriminators = append(discriminators, e.InstanceLocation+"/"+found.pointer())
		}
	}
	var left *jsonschema.ValidationError
	for _, cause := range e.Causes {
		if c.excluded(cause, e.InstanceLocation, discriminators) {
			continue
		}
		if left != nil {
			return nil
		}
		left = cause
	}
	return left
}

func (c *compiled) excluded(e *jsonschema.ValidationError, instance string, discriminators []string) bool {
	if len(e.Causes) > 0 {
		return slices.ContainsFunc(e.Causes, func(cause *jsonschema.ValidationError) bool { return c.excluded(cause, instance, discriminators) })
	}
	_, keyword := c.keyword(e.AbsoluteKeywordLocation)
	switch keyword {
	case "type", "bsonType":
		return e.InstanceLocation == instance
	case "const", "enum", "not":
		return e.InstanceLocation == instance || slices.Contains(discriminators, e.InstanceLocation)
	case "required":
		return e.InstanceLocation == instance && len(discriminators) > 0 && strings.Contains(e.Message, "'"+lastStep(discriminators[0])+"'")
	}
	return false
}

func lastStep(pointer string) string {
	steps := pointerSteps(pointer)
	if len(steps) == 0 {
		return ""
	}
	return steps[len(steps)-1]
}

// pathOf returns the path of the value that an error is about. If one schema
// covers all other names, the name is a map key.
func pathOf(e *jsonschema.ValidationError) profile.Path {
	var path profile.Path
	names := pointerSteps(e.InstanceLocation)
	next := func(kind profile.StepKind) {
		if len(names) == 0 {
			return
		}
		step := profile.Step{Kind: kind}
		if kind == profile.Field {
			step.Name = names[0]
		}
		path, names = append(path, step), names[1:]
	}
	steps := pointerSteps(e.KeywordLocation)
	for i := 0; i < len(steps); i++ {
		switch steps[i] {
		case "properties":
			next(profile.Field)
			i++
		case "patternProperties":
			next(profile.MapValues)
			i++
		case "additionalProperties", "unevaluatedProperties":
			if i < len(steps)-1 || len(names) > 0 {
				next(profile.MapValues)
			}
		case "items", "prefixItems":
			next(profile.Element)
			if i+1 < len(steps) && isIndex(steps[i+1]) {
				i++
			}
		case "contains", "additionalItems", "unevaluatedItems":
			next(profile.Element)
		case "$defs", "definitions", "dependencies", "dependentSchemas", "allOf", "anyOf", "oneOf":
			i++
		}
	}
	return path
}

func isIndex(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}
