// Package reshape builds the documents that a suggested fix would leave behind.
// It represents JSON as a tree that keeps the order of members and the spelling
// of numbers and Extended JSON wrappers. It provides the plans that several
// rules share: splitting off an array, taking out an embedded entity, turning
// join documents into arrays of ids. No plan loses a value.
package reshape

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A Value is a JSON value. Objects and arrays change in place. A value must not
// be in two trees; see [Value.Clone].
type Value struct {
	kind     scan.Kind
	raw      string // a scalar as written; empty for plain strings
	text     string // the payload of a scalar: a string's characters, a number's digits, an ObjectId's hex digits
	members  []Member
	elements []*Value
}

// A Member is one name and value of an object.
type Member struct {
	Name  string
	Value *Value
}

// From copies the value at token i of a document. If a name occurs twice in an
// object, the last value counts, as in encoding/json. A value that only a
// recovering reader accepts and JSON cannot express becomes a string.
func From(d *scan.Document, i int) *Value {
	t := &d.Tokens[i]
	switch t.Kind {
	case scan.Object:
		v := &Value{kind: scan.Object, members: make([]Member, 0, t.B)}
		for name, value := range d.Members(i) {
			v.members = append(v.members, Member{d.String(name), From(d, value)})
		}
		v.members = lastOfEach(v.members)
		return v
	case scan.Array:
		v := &Value{kind: scan.Array, elements: make([]*Value, 0, t.B)}
		for _, element := range d.Elements(i) {
			v.elements = append(v.elements, From(d, element))
		}
		return v
	case scan.String:
		if t.Flags&scan.Wrapped == 0 {
			return String(d.String(i))
		}
	}
	raw := d.Raw(i)
	switch text := string(raw); {
	case t.Kind == scan.Number && (text == "NaN" || text == "Infinity" || text == "-Infinity"):
		// Shells and drivers print these without the wrapper that Extended JSON has
		// for them.
		return &Value{kind: scan.Number, text: text, raw: `{"$numberDouble":"` + text + `"}`}
	case t.Kind == scan.Invalid || !json.Valid(raw):
		return String(d.String(i))
	default:
		return &Value{kind: t.Kind, raw: text, text: d.String(i)}
	}
}

// Excerpt is [From] with at most the given number of elements per array and the
// given size in bytes. It returns nil if these are too small for any excerpt.
func Excerpt(d *scan.Document, i, elements, bytes int) *Value {
	v, _ := excerpt(d, i, elements, bytes)
	return v
}

// excerpt also returns how many bytes are left. Names and punctuation count.
// The caller cuts long texts when it shows them.
func excerpt(d *scan.Document, i, elements, left int) (*Value, int) {
	const leastMember, leastElement = len(`"":1,`), len(`1,`)
	v := &Value{kind: d.Tokens[i].Kind}
	switch v.kind {
	case scan.Object:
		if left -= leastMember * d.Len(i); left < 0 {
			return nil, left
		}
		for name, value := range d.Members(i) {
			var member *Value
			if member, left = excerpt(d, value, elements, left); member == nil {
				return nil, left
			}
			v.members = append(v.members, Member{d.String(name), member})
		}
		v.members = lastOfEach(v.members)
		return v, left
	case scan.Array:
		if left -= leastElement * min(elements, d.Len(i)); left < 0 {
			return nil, left
		}
		for n, element := range d.Elements(i) {
			if n == elements {
				break
			}
			var value *Value
			if value, left = excerpt(d, element, elements, left); value == nil {
				return nil, left
			}
			v.elements = append(v.elements, value)
		}
		return v, left
	}
	return From(d, i), left
}

// lastOfEach keeps one member per name, with the last value.
func lastOfEach(members []Member) []Member {
	at := make(map[string]int, len(members))
	kept := members[:0]
	for _, m := range members {
		if i, ok := at[m.Name]; ok {
			kept[i].Value = m.Value
			continue
		}
		at[m.Name] = len(kept)
		kept = append(kept, m)
	}
	return kept
}

// Raw returns the value of a JSON text. It fails if the text is not JSON.
func Raw(text []byte) (*Value, error) {
	var parser scan.Parser
	d, err := parser.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	return From(d, 0), nil
}

// String returns a string.
func String(text string) *Value { return &Value{kind: scan.String, text: text} }

// Int returns an integer.
func Int(n int64) *Value {
	digits := strconv.FormatInt(n, 10)
	return &Value{kind: scan.Number, raw: digits, text: digits}
}

// Object returns an object with the members in order. If a name is given twice,
// the last value counts.
func Object(members ...Member) *Value {
	return &Value{kind: scan.Object, members: lastOfEach(slices.Clone(members))}
}

// Array returns an array of the elements.
func Array(elements ...*Value) *Value { return &Value{kind: scan.Array, elements: elements} }

// Kind returns the kind of the value.
func (v *Value) Kind() scan.Kind { return v.kind }

// Text returns the payload of a scalar: the characters of a string, the digits
// of a number, the hex digits of an ObjectId. It is "" for a container.
func (v *Value) Text() string { return v.text }

// Len returns the number of members or elements.
func (v *Value) Len() int { return len(v.members) + len(v.elements) }

// Members returns the members of an object in order.
func (v *Value) Members() []Member { return slices.Clone(v.members) }

// Elements returns the elements of an array.
func (v *Value) Elements() []*Value { return slices.Clone(v.elements) }

// Keys returns the names of an object's members in order.
func (v *Value) Keys() []string {
	keys := make([]string, 0, len(v.members))
	for _, m := range v.members {
		keys = append(keys, m.Name)
	}
	return keys
}

// index returns the index of the named member, or -1.
func (v *Value) index(name string) int {
	return slices.IndexFunc(v.members, func(m Member) bool { return m.Name == name })
}

// Has reports whether an object has the named member.
func (v *Value) Has(name string) bool { return v.index(name) >= 0 }

// Get returns the value of the named member, or nil.
func (v *Value) Get(name string) *Value {
	if i := v.index(name); i >= 0 {
		return v.members[i].Value
	}
	return nil
}

// Set replaces the value of the named member in place, or appends the member.
func (v *Value) Set(name string, value *Value) {
	if i := v.index(name); i >= 0 {
		v.members[i].Value = value
		return
	}
	v.members = append(v.members, Member{name, value})
}

// SetFirst sets the named member and moves it to the front.
func (v *Value) SetFirst(name string, value *Value) {
	v.Remove(name)
	v.members = slices.Insert(v.members, 0, Member{name, value})
}

// InsertAfter sets the named member after another one, or first if that is
// missing.
func (v *Value) InsertAfter(after, name string, value *Value) {
	if name == after {
		v.Set(name, value)
		return
	}
	v.Remove(name)
	v.members = slices.Insert(v.members, v.index(after)+1, Member{name, value})
}

// AddAfterID adds a member after the first id member that the object has, or
// first if it has none. If the object already has a member with that name, it
// changes nothing and returns false.
func (v *Value) AddAfterID(idKeys []string, name string, value *Value) bool {
	if v.kind != scan.Object || v.Has(name) {
		return false
	}
	for _, key := range idKeys {
		if v.Has(key) {
			v.InsertAfter(key, name, value)
			return true
		}
	}
	v.SetFirst(name, value)
	return true
}

// Remove removes the named member and reports whether it existed.
func (v *Value) Remove(name string) bool {
	i := v.index(name)
	if i >= 0 {
		v.members = slices.Delete(v.members, i, i+1)
	}
	return i >= 0
}

// Rename renames a member in place. If there is no such member, or the new name
// is taken, which would lose a value, it changes nothing and returns false.
func (v *Value) Rename(from, to string) bool {
	i := v.index(from)
	if i < 0 || from != to && v.Has(to) {
		return false
	}
	v.members[i].Name = to
	return true
}

// Append appends elements to an array.
func (v *Value) Append(elements ...*Value) { v.elements = append(v.elements, elements...) }

// Clone returns a copy that shares nothing with v.
func (v *Value) Clone() *Value {
	c := *v
	c.members, c.elements = nil, nil
	for _, m := range v.members {
		c.members = append(c.members, Member{m.Name, m.Value.Clone()})
	}
	for _, e := range v.elements {
		c.elements = append(c.elements, e.Clone())
	}
	return &c
}

// Equal reports whether two values are the same, with members in any order.
// Numbers are compared exactly, by their digits as written: 1 equals
// {"$numberInt":"1"}, but not 1.0.
func (v *Value) Equal(w *Value) bool {
	if v.kind != w.kind || v.text != w.text || len(v.members) != len(w.members) || len(v.elements) != len(w.elements) {
		return false
	}
	switch v.kind {
	case scan.Object:
		a, b := sortedMembers(v), sortedMembers(w)
		for i := range a {
			if a[i].Name != b[i].Name || !a[i].Value.Equal(b[i].Value) {
				return false
			}
		}
	case scan.Array:
		for i := range v.elements {
			if !v.elements[i].Equal(w.elements[i]) {
				return false
			}
		}
	case scan.Binary, scan.Special, scan.Timestamp: // their payload is only part of the value
		return v.raw == w.raw
	}
	return true
}
