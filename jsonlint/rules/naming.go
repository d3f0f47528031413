package rules

import (
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// listName is the name of the field that holds the values at n: that of the
// nearest field above it.
func listName(n *profile.Node) string {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if n.Step.Kind == profile.Field {
			return n.Step.Name
		}
	}
	return ""
}

// nounWords are the words for one document of e, or one element of a list: of
// the collection "blog-posts" blog, post. File names say much more than what
// a document is, so that only the last two words count.
func nounWords(name string) []string {
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

// entityName is the name that says what a document of e is: the value of its
// discriminator, or the collection.
func entityName(e *model.Entity) string {
	if _, value, ok := strings.Cut(e.Kind, " "); ok && e.Collection.Discriminator != nil {
		if word, err := strconv.Unquote(value); err == nil && word != "" {
			return word
		}
	}
	return e.Collection.Name
}

// noun is the word for one document of e.
func noun(e *model.Entity) string { return strings.Join(nounWords(entityName(e)), " ") }

// nameStyle is the style in which most fields of the objects at n are named.
// Kebab names need quoting in every query language, so that none are made.
func nameStyle(n *profile.Node) lexicon.Style {
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

// backReference is the name of the field in which a child carries the id of
// its parent, a document of e: postId, post_id.
func backReference(e *model.Entity, children *profile.Node) string {
	style := nameStyle(e.Root())
	if children != nil && children.Object != nil && len(children.Object.Fields()) > 2 {
		style = nameStyle(children)
	}
	return style.Join(append(nounWords(entityName(e)), "id")...)
}

// childCollection names the collection for the elements of a list of
// documents of e: comments of posts become postComments.
func childCollection(e *model.Entity, list string) string {
	parent, child := nounWords(entityName(e)), lexicon.Tokens(list)
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

// joinNames writes names as a sentence does: a, b and c.
func joinNames(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
