// Package copies finds the places where a document holds a copy of something
// that has documents of its own.
package copies

import (
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// A Copy is an embedded struct, with what is known about its source.
type Copy struct {
	Field      *docmodel.Field
	ID         *docmodel.Field    // identifies the copied thing
	Source     *docmodel.Document // documents that it is a copy of; nil if unknown
	Whole      bool               // the struct has the type of the source itself
	Shared     []string           // copied fields of the source, if the copy is not whole
	Historical string             // the word that marks the copy as a record of the past, or ""
}

// All returns the embedded structs with an identity below the documents of a
// package, without envelopes and parts. Code has to make a copy: a field that it
// leaves out of the documents it stores holds none. A cache is made anew before its
// copies matter.
func All(p *check.Pass) []Copy {
	var found []Copy
	for _, f := range p.Fields() {
		if f.Kind != docmodel.Object || f.Recurses || len(f.Fields) == 0 || Envelope(f) {
			continue
		}
		if p.Program.Joined(f.Dotted) && len(f.Updates) == 0 {
			continue // read by a $lookup, not stored
		}
		if p.Program.Retired(f) || p.Program.Unset(f) || cached(f.Document) {
			continue
		}
		c := Copy{Field: f}
		name := ""
		if f.Struct != nil {
			name = f.Struct.Obj().Name()
		}
		c.ID = docmodel.ID(f.Fields, name)
		c.find(p)
		if f.Lists+f.Maps == 0 && c.Source != nil && Belongs(c.Source, f.Document) {
			continue // such as the last message of a chat: no other document has a copy of it
		}
		c.Historical = historical(p.Words(), f)
		found = append(found, c)
	}
	return found
}

// Belongs reports whether each of some documents refers to the one document of another
// type that it is a part of.
func Belongs(part, whole *docmodel.Document) bool {
	return slices.ContainsFunc(part.Fields, func(f *docmodel.Field) bool {
		stem := refs.Stem(f)
		return stem != "" && f.Scalar() && refs.Names(stem, whole.Name)
	})
}

// Envelope reports whether a field is the subject of its document rather than a
// copy of something else: FooDocument.Foo, PostUpdate.Current.
func Envelope(f *docmodel.Field) bool {
	if f.Struct == nil {
		return false
	}
	name := f.Struct.Obj().Name()
	for _, owner := range []string{f.Document.Name, f.OwnerName()} {
		if len(owner) > len(name) && begins(lexicon.Tokens(owner), lexicon.Tokens(name)) {
			return true
		}
	}
	return f.Maps == 0 && f.Lists == 0 && slices.Contains([]string{"current", "next", "previous", "prev", "draft", "spec"}, strings.ToLower(f.GoName()))
}

// begins reports whether the words of a name begin with those of another, in the
// singular or the plural: a Friendship is not the document of a Friend.
func begins(name, with []string) bool {
	return len(name) >= len(with) && slices.EqualFunc(name[:len(with)], with, func(a, b string) bool {
		return lexicon.Singular(a) == lexicon.Singular(b)
	})
}

// find finds the documents that the struct is a copy of.
func (c *Copy) find(p *check.Pass) {
	f := c.Field
	if d := p.Program.Document(f.Struct); d != nil && d != f.Document && d.Confidence >= 0.6 && !d.View && (d.Written || d.Confidence >= 0.8) {
		c.Source, c.Whole = d, true
		return
	}
	if f.Struct == nil {
		return
	}
	for _, key := range f.Fields {
		// A copy without its own id has the id of the copied thing, named after it.
		if c.ID != nil && key != c.ID || c.ID == nil && !(key.Scalar() && key.Kind.IsID() && refs.Stem(key) != "") {
			continue
		}
		if d, shared := c.source(p, key); d != nil {
			c.ID, c.Source, c.Shared = key, d, shared
			return
		}
	}
}

// source returns the document from which the fields next to a key are copied.
func (c *Copy) source(p *check.Pass, key *docmodel.Field) (*docmodel.Document, []string) {
	f := c.Field
	stem := refs.Stem(key)
	if stem == "" {
		stem = f.Struct.Obj().Name()
	}
	for _, d := range p.Program.Documents() {
		if d == f.Document || d.View || d.Confidence < 0.6 || d.PkgPath != f.Struct.Obj().Pkg().Path() {
			continue
		}
		if !refs.Names(stem, d.Name) && !about(f.Struct, d) {
			continue
		}
		if shared := c.shared(p.Words(), d, key); len(shared) >= 2 && len(shared)*5 >= (len(f.Fields)-1)*2 {
			return d, shared
		}
	}
	return nil, nil
}

// about reports whether a type is named after the documents that it may copy,
// like ProductUser after Product.
func about(named *types.Named, d *docmodel.Document) bool {
	name := lexicon.Tokens(named.Obj().Name())
	return len(name) > 0 && strings.EqualFold(lexicon.Singular(name[0]), d.Name)
}

// shared lists the fields that the copy and the source have in common, except
// those that every document has for itself: times of change, references to
// other documents, the kind of document that it is.
func (c *Copy) shared(words *lexicon.Lexicon, source *docmodel.Document, key *docmodel.Field) []string {
	own := map[string]docmodel.Kind{}
	for _, f := range source.Fields {
		own[lexicon.Fold(f.GoName())] = f.Kind
		own[lexicon.Fold(f.Name)] = f.Kind
	}
	var names []string
	for _, f := range c.Field.Fields {
		kind, ok := own[lexicon.Fold(f.GoName())]
		if !ok {
			kind, ok = own[lexicon.Fold(f.Name)]
		}
		if ok && kind == f.Kind && f != key && !f.Has(words, lexicon.Metadata) && !f.Has(words, lexicon.Discriminator) && refs.Stem(f) == "" {
			names = append(names, f.GoName())
		}
	}
	return names
}

// historical returns the word that marks a copy as frozen, in the name of the
// field, of the document, or of anything between them.
func historical(words *lexicon.Lexicon, f *docmodel.Field) string {
	if f.Directive("snapshot") != nil {
		return "//shapevet:snapshot"
	}
	for up := f; up != nil; up = up.Parent {
		if words.Has(lexicon.SnapshotField, up.GoName()) {
			return up.GoName()
		}
		if words.Has(lexicon.HistoricalParent, up.OwnerName()) {
			return up.OwnerName()
		}
		if up != f && words.Has(lexicon.HistoricalParent, up.GoName()) {
			return up.GoName()
		}
	}
	if words.Has(lexicon.HistoricalParent, strings.TrimSuffix(refs.Noun(f.Document.Name), "Data")) {
		return f.Document.Name
	}
	return ""
}

// Volatile returns the fields of a copy whose values change often. Prices over
// a period (open, high, low, close) count as one.
func Volatile(words *lexicon.Lexicon, f *docmodel.Field) (fields []*docmodel.Field, count int) {
	var names []string
	for _, inner := range f.Fields {
		if !inner.Scalar() || inner.Kind != docmodel.Number && inner.Kind != docmodel.Time && inner.Kind != docmodel.Bool && !enum(inner) {
			continue
		}
		if words.CountVolatile([]string{inner.GoName()}) > 0 || words.CountVolatile([]string{inner.Name}) > 0 || period(inner.GoName()) {
			fields, names = append(fields, inner), append(names, inner.GoName())
		}
	}
	return fields, words.CountVolatile(names)
}

func period(name string) bool {
	return slices.Contains([]string{"open", "high", "low", "close"}, strings.ToLower(name))
}

// enum reports whether a field has a defined string type.
func enum(f *docmodel.Field) bool {
	_, ok := types.Unalias(f.Elem).(*types.Named)
	return ok && f.Kind == docmodel.String
}

// AllSlow reports whether only the identity and values that rarely change are
// copied.
func (c *Copy) AllSlow(words *lexicon.Lexicon) bool {
	return len(c.Field.Fields) > 1 && !slices.ContainsFunc(c.Field.Fields, func(f *docmodel.Field) bool { return f != c.ID && !f.Has(words, lexicon.Slow) })
}
