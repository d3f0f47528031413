package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Keywords that hold schemas, in all drafts.
var (
	inMember = []string{
		"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
		"unevaluatedItems", "unevaluatedProperties",
	}
	inList    = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	inMembers = []string{"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)

// A sub is a subschema.
type sub struct {
	keyword string
	name    string // of the member, or the index, if there are several
	node    *Node
}

// subschemas lists the direct subschemas of a schema, as written.
func subschemas(n *Node) []sub {
	var out []sub
	for _, m := range n.members {
		switch {
		case m.value.kind() == scan.Array && slices.Contains(inList, m.name):
			for i, e := range m.value.elements {
				out = append(out, sub{m.name, strconv.Itoa(i), e})
			}
		case m.value.IsObject() && slices.Contains(inMembers, m.name):
			for _, child := range m.value.members {
				if isSchema(child.value) {
					out = append(out, sub{m.name, child.name, child.value})
				}
			}
		case slices.Contains(inMember, m.name) && isSchema(m.value):
			out = append(out, sub{m.name, "", m.value})
		}
	}
	return out
}

func isSchema(n *Node) bool {
	return n.kind() == scan.Object || n.kind() == scan.True || n.kind() == scan.False
}

// joinPointer extends a pointer, which leads from a schema file's root to a
// value like a URL fragment without escapes.
func joinPointer(pointer string, steps ...string) string {
	for _, step := range steps {
		pointer += "/" + strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1")
	}
	return pointer
}
