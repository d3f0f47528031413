package docmodel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
)

// Stores reports whether a name, in any spelling, is stored next to the field.
func (f *Field) Stores(name string) bool {
	return slices.ContainsFunc(f.Siblings(), func(sibling *Field) bool { return lexicon.Fold(sibling.Name) == lexicon.Fold(name) })
}

// NameLike joins words into a stored name for a new field, in the style of the
// names next to this one.
func (f *Field) NameLike(words ...string) string {
	counts := map[lexicon.Style]int{}
	best := lexicon.StyleCamel // the default if no name has several words
	for _, field := range f.Siblings() {
		style := lexicon.StyleOf(field.Name)
		if style != lexicon.StyleCamel && style != lexicon.StyleSnake && style != lexicon.StylePascal {
			continue
		}
		counts[style]++
		if counts[style] > counts[best] {
			best = style
		}
	}
	return best.Join(words...)
}

// Tags returns the struct tag for a new field beside this one, for all codecs
// in the struct's tags. The tag omits the field while it is empty.
func (f *Field) Tags(name string) string {
	codec, beside := f.Document.Codec, f.Siblings()
	keys := []string{}
	for _, key := range allTagKeys() {
		if key == codec.TagKey() || tagged(beside, key) {
			keys = append(keys, fmt.Sprintf("%s:%q", key, name+",omitempty"))
		}
	}
	return "`" + strings.Join(keys, " ") + "`"
}

func tagged(fields []*Field, key string) bool {
	return slices.ContainsFunc(fields, func(f *Field) bool {
		_, ok := LookupTag(f.RawTag, key)
		return ok
	})
}
