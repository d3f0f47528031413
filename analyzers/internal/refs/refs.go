// Package refs finds what a field refers to: the id of another document.
package refs

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Stem returns the name of what a field refers to, "" if it is not a reference.
// The name of a list may be the plural of that, and the name of an ObjectID may
// be that alone.
func Stem(f *docmodel.Field) string {
	if d := f.Directive("ref"); d != nil && len(d.Words) > 0 {
		return d.Words[0]
	}
	for _, name := range []string{f.GoName(), f.Name} {
		if stem, _, ok := lexicon.ReferenceStem(trimList(name)); ok && !isKeyWord(lexicon.Tokens(name)) {
			return stem
		}
	}
	if name := lexicon.Fold(f.GoName()); f.Kind == docmodel.ObjectID && f.Name != "_id" && !strings.HasSuffix(name, "id") {
		return noun(f)
	}
	return ""
}

// isKeyWord reports whether a name ends in a word that marks a reference in
// documents but usually means something else in code: key, code.
func isKeyWord(tokens []string) bool {
	return slices.Contains([]string{"key", "keys", "code", "codes"}, tokens[len(tokens)-1])
}

// trimList removes List from the end of the name of a list of ids.
func trimList(name string) string {
	for _, suffix := range []string{"List", "_list", "Array", "Slice"} {
		if rest, ok := strings.CutSuffix(name, suffix); ok && rest != "" {
			return rest
		}
	}
	return name
}

// Plural returns the stem of a list that is named after its elements: devices,
// deviceList.
func Plural(f *docmodel.Field) string {
	if stem := Stem(f); stem != "" {
		return stem
	}
	return noun(f)
}

// noun returns the name of a field in the singular.
func noun(f *docmodel.Field) string {
	tokens := lexicon.Tokens(trimList(f.GoName()))
	if len(tokens) == 0 {
		return ""
	}
	tokens[len(tokens)-1] = lexicon.Singular(tokens[len(tokens)-1])
	return strings.Join(tokens, " ")
}

// named is the question which document a stem names, seen from a package.
type named struct{ stem, from string }

// Target returns the document that a stem names, seen from a package: one in
// the same package, or else one in a neighbouring package, or else one in a package that
// it imports. It returns nil if there is none or more than one.
func Target(p *docmodel.Program, stem string, from *docmodel.Document) *docmodel.Document {
	question := named{stem, from.PkgPath}
	return docmodel.Remember(p, question, func() *docmodel.Document { return question.answer(p) })
}

func (n named) answer(p *docmodel.Program) *docmodel.Document {
	for _, near := range []func(a, b string) bool{func(a, b string) bool { return a == b }, Beside, p.Imported} {
		var found *docmodel.Document
		best := lexicon.NoMatch
		for _, d := range p.Documents() {
			if d.View || d.Confidence < 0.5 || !near(d.PkgPath, n.from) {
				continue
			}
			switch m := max(match(n.stem, d.Name), match(n.stem, strings.TrimPrefix(d.Name, prefix(p, d.PkgPath)))); {
			case m > best:
				found, best = d, m
			case m == best:
				found = nil
			}
		}
		if best != lexicon.NoMatch {
			return found
		}
	}
	return nil
}

// prefix returns the word with which most documents of a package begin, or "": Shop for
// ShopClient, ShopInvoice and ShopReturn. References leave it out. Two may be parts of one
// thing, as OrderItem and OrderLog are.
func prefix(p *docmodel.Program, pkg string) string {
	type question struct{ pkg string }
	return docmodel.Remember(p, question{pkg}, func() string {
		words, all := map[string]int{}, 0
		for _, d := range p.Documents() {
			if d.PkgPath == pkg {
				words[d.Name[:len(lexicon.Tokens(d.Name)[0])]]++
				all++
			}
		}
		for word, n := range words {
			if n > 2 && 2*n > all {
				return word
			}
		}
		return ""
	})
}

// To returns the fields of all documents that refer to a document.
func To(p *docmodel.Program, target *docmodel.Document) []*docmodel.Field {
	type question struct{}
	return docmodel.Remember(p, question{}, func() map[*docmodel.Document][]*docmodel.Field {
		found := map[*docmodel.Document][]*docmodel.Field{}
		for _, d := range p.Documents() {
			docmodel.All(d.Fields, func(f *docmodel.Field) {
				if stem := Stem(f); stem != "" {
					if to := Target(p, stem, d); to != nil {
						found[to] = append(found[to], f)
					}
				}
			})
		}
		return found
	})[target]
}

// Beside reports whether two packages have the same parent or one is the parent
// of the other.
func Beside(a, b string) bool {
	return a != b && (path.Dir(a) == path.Dir(b) || path.Dir(a) == b || a == path.Dir(b))
}

// match says how certain it is that a stem names a type, with or without the words that
// mark a stored type (Model, Document, V2, Entity): a MenuItemDocument is a menu item.
func match(stem, typeName string) lexicon.Match {
	for _, name := range unmarked(typeName) {
		if m := lexicon.MatchStem(stem, name); m == lexicon.SameName || m == lexicon.SameNoun && roleOnly(stem, name) {
			return m
		}
	}
	return lexicon.NoMatch
}

// roleOnly reports whether the stem is the type's name after a role: owner user
// for User. A type with more words than the stem is something else.
func roleOnly(stem, typeName string) bool {
	return len(lexicon.Tokens(stem)) > len(lexicon.Tokens(typeName))
}

// unmarked returns the name of a type, and what is left of it without one more of the words
// that mark a stored type.
func unmarked(name string) []string {
	tokens := lexicon.Tokens(name)
	names := []string{strings.Join(tokens, " ")}
	for len(tokens) > 1 && slices.Contains(endings, tokens[len(tokens)-1]) {
		tokens = tokens[:len(tokens)-1]
		names = append(names, strings.Join(tokens, " "))
	}
	if len(tokens) > 1 && slices.Contains(beginnings, tokens[0]) {
		names = append(names, strings.Join(tokens[1:], " "))
	}
	return names
}

// Words that mark the type under which a thing is stored.
var (
	endings    = []string{"model", "document", "doc", "entity", "record", "item", "table", "db", "v", "1", "2", "3", "4", "5"}
	beginnings = []string{"db", "mongo", "firestore", "dynamo", "stored"}
)

// Names reports whether a stem names a type.
func Names(stem, typeName string) bool { return match(stem, typeName) != lexicon.NoMatch }

// Noun returns the name of a stored type without the words that mark it as
// stored, as part of a Go name: Post for PostModel.
func Noun(typeName string) string {
	names := unmarked(typeName)
	tokens := strings.Fields(names[len(names)-1])
	if len(tokens) < len(lexicon.Tokens(typeName)) {
		return lexicon.StylePascal.Join(tokens...)
	}
	r, size := utf8.DecodeRuneInString(typeName)
	return string(unicode.ToUpper(r)) + typeName[size:]
}

// Own returns a field that the type of a document declares itself, or nil if
// all are promoted.
func Own(d *docmodel.Document) *docmodel.Field {
	i := slices.IndexFunc(d.Fields, func(f *docmodel.Field) bool {
		return !f.Promoted && f.Owner != nil && docmodel.TypeKey(f.Owner) == d.Key
	})
	if i < 0 {
		return nil
	}
	return d.Fields[i]
}

// An returns a name with its article.
func An(name string) string {
	if name != "" && strings.ContainsRune("AEIOUaeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
