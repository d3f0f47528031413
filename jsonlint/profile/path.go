package profile

import "strings"

// Step is one step of a path.
type Step struct {
	Kind StepKind
	Name string // of a Field
}

type StepKind uint8

const (
	Field     StepKind = iota // a member with a fixed name
	Element                   // the elements of an array: []
	MapValues                 // the values of an object used as a map: {}
)

// Path leads from a document to values in it.
type Path []Step

var escapeName = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// String returns the path as reports write it: a.b[].c{}.d, or "" for the
// document. A name that contains one of . [ ] { } " is written ["a.b"].
func (p Path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.Kind == Element:
			b.WriteString("[]")
		case s.Kind == MapValues:
			b.WriteString("{}")
		case s.Name == "" || strings.ContainsAny(s.Name, ".[]{}\""):
			b.WriteString(`["`)
			b.WriteString(escapeName.Replace(s.Name))
			b.WriteString(`"]`)
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Name)
		}
	}
	return b.String()
}
