package reshape

import (
	"fmt"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Select returns the values at a path below v, in document order.
func (v *Value) Select(path profile.Path) []*Value {
	found := []*Value{v}
	for _, step := range path {
		var next []*Value
		for _, at := range found {
			switch step.Kind {
			case profile.Field:
				if value := at.Get(step.Name); value != nil {
					next = append(next, value)
				}
			case profile.Element:
				next = append(next, at.elements...)
			case profile.MapValues:
				for _, m := range at.members {
					next = append(next, m.Value)
				}
			}
		}
		found = next
	}
	return found
}

// Replace replaces each value at a path by the result of replace, unless that
// is nil. It reports whether any value changed.
func (v *Value) Replace(path profile.Path, replace func(*Value) *Value) (changed bool) {
	for _, old := range v.Select(path) {
		if value := replace(old); value != nil {
			*old, changed = *value, true
		}
	}
	return changed
}

// holder returns the path to the objects that hold the last member of a path,
// and the member's name.
func holder(path profile.Path) (profile.Path, string, error) {
	last := len(path) - 1
	if last < 0 || path[last].Kind != profile.Field {
		return nil, "", fmt.Errorf("path %q does not end in a name", path)
	}
	return path[:last], path[last].Name, nil
}

// fieldName joins names in the naming style of the object they go into: stock
// and id become stockId or stock_id.
func fieldName(object *Value, names ...string) string {
	var words []string
	for _, name := range names {
		words = append(words, lexicon.Tokens(name)...)
	}
	return styleOf(object).Join(words...)
}

// styleOf returns the naming style of most members of an object. It never
// returns the kebab style, which needs quoting in every query language.
func styleOf(object *Value) lexicon.Style {
	var counts [lexicon.StyleKebab + 1]int
	for _, m := range object.members {
		counts[lexicon.StyleOf(m.Name)]++
	}
	best := lexicon.StyleCamel
	for _, style := range []lexicon.Style{lexicon.StyleSnake, lexicon.StylePascal} {
		if counts[style] > counts[best] {
			best = style
		}
	}
	return best
}

// freeName returns the name if it is free in the object, otherwise the name
// with the prefix repeated until it is free.
func freeName(object *Value, prefix, name string) string {
	free := name
	for object.Has(free) {
		free = fieldName(object, prefix, free)
	}
	return free
}

// spread adds the members of from to object. A member whose name has another
// value there gets a prefix; a member with the same value is skipped.
func spread(object, from *Value, prefix string) {
	for _, m := range from.members {
		if have := object.Get(m.Name); have != nil && have.Equal(m.Value) {
			continue
		}
		object.Set(freeName(object, prefix, m.Name), m.Value.Clone())
	}
}

func isObject(v *Value) bool { return v != nil && v.kind == scan.Object }
func isArray(v *Value) bool  { return v != nil && v.kind == scan.Array }
