package infer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// An object is a JSON object that keeps its members in the order they were
// added.
type object struct{ members []member }

type member struct {
	name  string
	value any
}

func (o *object) set(name string, value any) { o.members = append(o.members, member{name, value}) }

// get returns the object in a member, or nil.
func (o *object) get(name string) *object {
	for _, m := range o.members {
		if m.name == name {
			found, _ := m.value.(*object)
			return found
		}
	}
	return nil
}

// replace sets a member, which may already exist.
func (o *object) replace(name string, value any) {
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value = value
			return
		}
	}
	o.set(name, value)
}

func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o.members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(m.name))
		b.WriteByte(':')
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// print writes a value as indented JSON with a final line break.
func print(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	return b.Bytes(), nil
}

func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return `""` // marshalling a string cannot fail
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
