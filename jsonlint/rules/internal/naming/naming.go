// Package naming provides the words for documents, lists and elements, and
// makes names for fixes in the existing style.
package naming

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// ListName returns the name of the field that holds the values at n: that of
// the nearest field above.
func ListName(n *profile.Node) string {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if n.Step.Kind == profile.Field {
			return n.Step.Name
		}
	}
	return ""
}

// Positional reports whether n is the element of an array in an array whose position says
// what it is: some elements are lists and others are not, or every inner array holds
// as many values of each type.
func Positional(n *profile.Node) bool {
	if n.Step.Kind != profile.Element || n.Parent.Step.Kind != profile.Element {
		return false
	}
	if n.Types[profile.Array] > 0 && n.Types[profile.Array] < n.Present() {
		return true
	}
	rows, classes := n.Parent.Types[profile.Array], n.TypeClasses()
	return rows > 1 && len(classes) > 1 && n.Parent.Array.Len.Min == n.Parent.Array.Len.Max &&
		!slices.ContainsFunc(classes, func(c profile.ClassCount) bool { return c.Count%rows != 0 })
}

// NounWords returns the words for one document of a collection, or one element
// of a list: blog, post for "blog-posts". Only the last two words count,
// because file names say much more.
func NounWords(name string) []string {
	var words []string
	for _, t := range lexicon.Tokens(name) {
		if len(t) > 1 && strings.IndexFunc(t, func(r rune) bool { return '0' <= r && r <= '9' }) < 0 {
			words = append(words, t)
		}
	}
	if len(words) == 0 {
		return []string{"document"}
	}
	words = words[max(0, len(words)-2):]
	words[len(words)-1] = lexicon.Singular(words[len(words)-1])
	return words
}

// EntityName returns the name that says what a document of e is: the
// discriminator's value, or the collection.
func EntityName(e *model.Entity) string {
	if _, value, ok := strings.Cut(e.Kind, " "); ok && e.Collection.Discriminator != nil {
		if word, err := strconv.Unquote(value); err == nil && word != "" {
			return word
		}
	}
	return e.Collection.Name
}

// Noun returns the word for one document of e.
func Noun(e *model.Entity) string { return strings.Join(NounWords(EntityName(e)), " ") }

// StyleOf returns the naming style of most fields of the objects at n. It never
// returns the kebab style, which needs quoting in every query language.
func StyleOf(n *profile.Node) lexicon.Style {
	counts := map[lexicon.Style]int{}
	if n != nil && n.Object != nil {
		for _, f := range n.Object.Fields() {
			counts[lexicon.StyleOf(f.Step.Name)]++
		}
	}
	best := lexicon.StyleCamel
	for _, style := range []lexicon.Style{lexicon.StyleSnake, lexicon.StylePascal} {
		if counts[style] > counts[best] {
			best = style
		}
	}
	return best
}

// BackReference returns the name of the field in which a child stores the id of
// its parent, a document of e: postId, post_id.
func BackReference(e *model.Entity, children *profile.Node) string {
	style := StyleOf(e.Root())
	if children != nil && children.Object != nil && len(children.Object.Fields()) > 2 {
		style = StyleOf(children)
	}
	return style.Join(append(NounWords(EntityName(e)), "id")...)
}

// ChildCollection returns a collection name for the elements of a list in
// documents of e: postComments for comments of posts.
func ChildCollection(e *model.Entity, list string) string {
	parent, child := NounWords(EntityName(e)), lexicon.Tokens(list)
	if len(child) == 0 {
		child = []string{"elements"}
	}
	child[len(child)-1] = lexicon.Plural(child[len(child)-1])
	style := lexicon.StyleOf(e.Collection.Name)
	if style == lexicon.StyleFlat || style == lexicon.StyleOther {
		style = lexicon.StyleCamel
	}
	if len(child) >= len(parent) && strings.Join(child[:len(parent)], " ") == strings.Join(parent, " ") {
		return style.Join(child...)
	}
	return style.Join(append(parent, child...)...)
}

// Head returns the last word of a name, in lower case.
func Head(name string) string {
	tokens := lexicon.Tokens(name)
	if len(tokens) == 0 {
		return ""
	}
	return lexicon.Singular(tokens[len(tokens)-1])
}

func SingularWords(name string) string {
	words := lexicon.Tokens(name)
	if len(words) == 0 {
		return "element"
	}
	words[len(words)-1] = lexicon.Singular(words[len(words)-1])
	return strings.Join(words, " ")
}

func ChildTarget(list string) string {
	if stem, _, ok := lexicon.ReferenceStem(list); ok {
		words := strings.Fields(stem)
		words[len(words)-1] = lexicon.Plural(words[len(words)-1])
		return strings.Join(words, " ")
	}
	return list
}

// Repeats reports whether a copied field has the name of a field of its original, with
// or without a word for the thing before it: name, customerName and customer are the name
// of a customer.
func Repeats(copied, original string, things ...string) bool {
	copied, original = lexicon.Fold(copied), lexicon.Fold(original)
	return copied == original || slices.ContainsFunc(things, func(thing string) bool {
		after, ok := strings.CutPrefix(copied, lexicon.Fold(thing))
		return ok && (after == original || after == "" && original == "name")
	})
}
