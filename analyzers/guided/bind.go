package guided

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// A Binding says which documents belong to a Go type.
type Binding struct {
	Collection string
	Confidence float64 // 0 to 1
	Reason     string  // why there are no documents, if there are none
	File       string  // the evidence file; "" for documents of this run
	Until      string  // the last day on which documents were read
	Documents  int64

	collection *evidence.Collection
	root       *evidence.Node // of the documents of the type's kind, if known
	kind       *evidence.Kind
	stale      string
}

const (
	sameShape    = 0.6  // share of common fields from which a type belongs to a collection
	otherShape   = 0.2  // share below which it does not, whatever its name
	clearly      = 0.15 // lead of the best collection over the next
	commonFields = 3    // common fields, without ids, from which a shape means something

	sureDirective = 1.0
	sureName      = 0.95
	sureShape     = 0.9
)

// Bind finds the collection of a document type. The binding has no collection
// if none matches or several do.
func (e *Evidence) Bind(p *docmodel.Program, d *docmodel.Document) Binding { return *e.bind(p, d) }

func (e *Evidence) bind(p *docmodel.Program, d *docmodel.Document) *Binding {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if b := e.bindings[d]; b != nil {
		return b
	}
	pos := d.Pos
	if !pos.IsValid() {
		pos = d.Stored
	}
	dir := "."
	if pos.IsValid() {
		dir = filepath.Dir(p.File(pos))
	}
	b := e.in(dir).bind(d)
	e.bindings[d] = b
	return b
}

// An option is a collection that a type may belong to.
type option struct {
	collection *evidence.Collection
	kind       *evidence.Kind
	alike      float64
	common     int
}

func (s *source) bind(d *docmodel.Document) *Binding {
	none := func(format string, arguments ...any) *Binding {
		return &Binding{Reason: fmt.Sprintf(format, arguments...)}
	}
	switch {
	case d.View:
		return none("its values only come from queries")
	case len(s.file.Collections) == 0:
		return none("there is no evidence")
	}
	var named []option
	for _, c := range s.file.Collections {
		if slices.ContainsFunc(d.Collections, func(name string) bool { return sameCollection(name, c.Name) }) {
			named = append(named, s.option(d, c))
		}
	}
	switch {
	case len(named) == 1 && named[0].alike < otherShape && len(d.Fields) >= commonFields:
		return none("documents of %s have other fields", named[0].collection.Name)
	case len(named) == 1:
		if d.Confidence >= sureDirective {
			return s.binding(d, named[0], sureDirective, "a directive or the configuration names it")
		}
		return s.binding(d, named[0], sureName, "the code names it")
	case len(named) > 1:
		return s.clearest(d, named, "the code names several")
	}
	var all []option
	for _, c := range s.file.Collections {
		all = append(all, s.option(d, c))
	}
	if len(d.Collections) > 0 {
		return none("there are no documents of %s", strings.Join(d.Collections, ", "))
	}
	return s.clearest(d, all, "fields in common with several")
}

// clearest returns the collection whose documents have the fields of the type,
// if no other comes close.
func (s *source) clearest(d *docmodel.Document, options []option, several string) *Binding {
	slices.SortStableFunc(options, func(a, b option) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(a.collection.Name, b.collection.Name))
	})
	best := options[0]
	switch {
	case best.alike < sameShape || best.common < commonFields:
		return &Binding{Reason: "no documents have its fields"}
	case len(options) > 1 && options[1].alike > best.alike-clearly:
		return &Binding{Reason: fmt.Sprintf("%s: %s, %s", several, best.collection.Name, options[1].collection.Name)}
	}
	return s.binding(d, best, min(best.alike, sureShape), fmt.Sprintf("%.0f%% of the fields in common", 100*best.alike))
}

func (s *source) binding(d *docmodel.Document, o option, confidence float64, reason string) *Binding {
	b := &Binding{
		Collection: o.collection.Name, Confidence: confidence, Reason: reason, File: s.path, Until: s.file.Until, Documents: o.collection.Documents(),
		collection: o.collection, kind: o.kind, root: o.kind.Root, stale: s.stale,
	}
	return b
}

// sameCollection reports whether code and evidence mean the same collection.
// Code may put the database in front.
func sameCollection(code, data string) bool {
	if code == data {
		return true
	}
	if _, last, ok := strings.Cut(code, "."); ok && last == data {
		return true
	}
	return lexicon.Fold(code) == lexicon.Fold(data) || lexicon.Fold(lexicon.Singular(code)) == lexicon.Fold(lexicon.Singular(data))
}

// option compares a type with the documents of a collection, or with the kind
// of them that is clearly closest.
func (s *source) option(d *docmodel.Document, c *evidence.Collection) option {
	whole := s.wholes[c.Name]
	o := option{collection: c, kind: whole}
	o.alike, o.common = alike(d, whole.Root)
	if len(c.Kinds) < 2 {
		return o
	}
	second := 0.0
	for _, k := range c.Kinds {
		score, common := alike(d, k.Root)
		if score > o.alike {
			second, o.alike, o.common, o.kind = o.alike, score, common, k
		} else {
			second = max(second, score)
		}
	}
	if o.kind != whole && second > o.alike-clearly {
		o.kind = whole
	}
	return o
}

// alike returns the share of fields that a type and documents have in common.
// It weights fields of documents by how many documents have them.
func alike(d *docmodel.Document, root *evidence.Node) (share float64, common int) {
	names := map[string]bool{}
	for _, f := range d.Fields {
		names[f.Name] = true
	}
	both, all := 0.0, 0.0
	for _, name := range root.FieldNames() {
		presence := root.Presence(name)
		all += presence
		if names[name] {
			both += presence
			if presence > 0 && name != "_id" && name != "id" {
				common++
			}
		}
	}
	for name := range names {
		if root.Fields[name] == nil {
			all++
		}
	}
	if all == 0 {
		return 0, 0
	}
	return both / all, common
}
