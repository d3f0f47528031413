package lexicon

import "strings"

// Style is how a name joins its words.
type Style uint8

const (
	StyleOther  Style = iota // mixed, or with other characters
	StyleFlat                // one word in lower case, which suits camel, snake and kebab
	StyleCamel               // firstName
	StylePascal              // FirstName
	StyleSnake               // first_name
	StyleKebab               // first-name
)

// StyleOf returns the style of a name. Leading underscores ("_id") are a
// separate convention and do not count.
func StyleOf(name string) Style {
	name = strings.TrimLeft(name, "_")
	if name == "" {
		return StyleOther
	}
	var upper, lower, snake, kebab bool
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			lower = true
		case 'A' <= c && c <= 'Z':
			upper = true
		case c == '_' && i < len(name)-1:
			snake = true
		case c == '-' && i > 0 && i < len(name)-1:
			kebab = true
		default:
			return StyleOther
		}
	}
	switch {
	case snake && kebab, (snake || kebab) && upper:
		return StyleOther
	case snake:
		return StyleSnake
	case kebab:
		return StyleKebab
	case !upper:
		return StyleFlat
	case 'A' <= name[0] && name[0] <= 'Z':
		return StylePascal
	case !lower:
		return StyleOther
	}
	return StyleCamel
}

// Join joins lower-case words in a style. Flat and other styles join in camel
// case, the most common one in documents.
func (s Style) Join(words ...string) string {
	var b strings.Builder
	for i, w := range words {
		if w == "" {
			continue
		}
		switch {
		case s == StyleSnake && i > 0:
			b.WriteByte('_')
			b.WriteString(w)
		case s == StyleKebab && i > 0:
			b.WriteByte('-')
			b.WriteString(w)
		case s == StyleSnake || s == StyleKebab || i == 0 && s != StylePascal:
			b.WriteString(w)
		default:
			b.WriteString(strings.ToUpper(w[:1]))
			b.WriteString(w[1:])
		}
	}
	return b.String()
}
