package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// whole is a collection with all its kinds taken together, for rules that
// look at what its kinds share, such as the ids.
func whole(c *model.Collection) *model.Entity {
	return &model.Entity{Collection: c, Profile: c.Profile}
}

// tokenOf reads the document at a position again and finds the name or value
// that stands there; it is not ok if that cannot be read any more.
func (p *Pass) tokenOf(at profile.Pos) (d *profile.Document, i int, ok bool) {
	if !at.Known() {
		return nil, 0, false
	}
	d, err := p.Document(at)
	if err != nil {
		return nil, 0, false
	}
	i, ok = slices.BinarySearchFunc(d.Tokens, at.Off, func(t scan.Token, off int64) int {
		return cmp.Compare(d.Base+int64(t.Start), off)
	})
	return d, i, ok
}

// nameOf returns where the name of the value at a position stands; the
// position itself if the value has none.
func (p *Pass) nameOf(at profile.Pos) profile.Pos {
	d, i, ok := p.tokenOf(at)
	if !ok || i == 0 || d.Tokens[i].Flags&scan.Key != 0 || d.Tokens[i-1].Flags&scan.Key == 0 {
		return at
	}
	return d.At(i - 1)
}

// quotable is how much of a value a message quotes, in bytes.
const quotable = 60

// quote returns what stands at a position as it is written, for a message.
func (p *Pass) quote(at profile.Pos) string {
	d, i, ok := p.tokenOf(at)
	if !ok {
		return "?"
	}
	return quoteToken(d, i)
}

// quoteToken quotes a value, or the value of a name.
func quoteToken(d *profile.Document, i int) string {
	if d.Tokens[i].Flags&scan.Key != 0 {
		i++
	}
	return shorten(string(d.Raw(i)), quotable)
}

// shorten cuts a text at a character, not in one, and joins its lines.
func shorten(text string, bytes int) string {
	if strings.ContainsAny(text, "\n\t\r") {
		text = strings.Join(strings.Fields(text), " ")
	}
	if len(text) <= bytes {
		return text
	}
	cut := 0
	for i := range text {
		if i > bytes-len("…") {
			break
		}
		cut = i
	}
	return text[:cut] + "…"
}

// places keeps the earliest few of many positions, and how many there were.
// It is the same in whatever order they come.
type places struct {
	at []profile.Pos
	n  int64
}

// placesShown is how many positions are kept: the finding's own and some more.
const placesShown = 4

func (s *places) add(at profile.Pos) {
	s.n++
	s.insert(at)
}

func (s *places) insert(at profile.Pos) {
	if len(s.at) == placesShown && at.Compare(s.at[placesShown-1]) >= 0 {
		return
	}
	i, _ := slices.BinarySearchFunc(s.at, at, profile.Pos.Compare)
	s.at = slices.Insert(s.at, i, at)
	s.at = s.at[:min(len(s.at), placesShown)]
}

func (s *places) merge(o *places) {
	s.n += o.n
	for _, at := range o.at {
		s.insert(at)
	}
}

// first returns the earliest position, an unknown one if there is none.
func (s *places) first() (at profile.Pos) {
	if len(s.at) > 0 {
		return s.at[0]
	}
	return at
}

// others are related places: the positions after the first, with what stands
// there as the message.
func (s *places) others(p *Pass) []RawRelated {
	var related []RawRelated
	for _, at := range s.at[min(1, len(s.at)):] {
		related = append(related, RawRelated{At: at, Message: p.quote(at)})
	}
	return related
}

// alsoAt are the positions after the first, all with one message.
func (s *places) alsoAt(message string) []RawRelated {
	var related []RawRelated
	for _, at := range s.at[min(1, len(s.at)):] {
		related = append(related, RawRelated{At: at, Message: message})
	}
	return related
}

// exampleLimit bounds the documents that a fix shows, in bytes.
const exampleLimit = 4 << 10

// A smallestDocument keeps the position of the smallest document seen; of equals the
// earlier.
type smallestDocument struct{ at profile.Pos }

func (s *smallestDocument) add(at profile.Pos) {
	switch {
	case !at.Known():
	case !s.at.Known(), at.DocLen < s.at.DocLen, at.DocLen == s.at.DocLen && at.Compare(s.at) < 0:
		s.at = at
	}
}

// lastName is the name of the field that a path leads to, for a message.
func lastName(path profile.Path) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Kind == profile.Field {
			return path[i].Name
		}
	}
	return "the value"
}

// quoteNames quotes the first few names.
func quoteNames(names []string) string {
	const few = 4
	quoted := make([]string, 0, few)
	for _, name := range names[:min(few, len(names))] {
		quoted = append(quoted, fmt.Sprintf("%q", shorten(name, quotable)))
	}
	text := strings.Join(quoted, ", ")
	if len(names) > few {
		text += ", …"
	}
	return text
}
