package reshape

import (
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Extract says how to take an embedded entity out of the documents that copy
// it.
type Extract struct {
	Path profile.Path // of the embedded object; may pass through arrays
	ID   string       // member of the embedded object that identifies it
	Keep func(name string) bool

	RefName  string // of the reference left behind; "" chooses one, see [RefName]
	EntityID string // another name for the entity's id, added if the entity lacks it; may be ""
}

// ExtractEntity takes embedded entities out of a document. It replaces an
// embedded object by its id, under a new name, and the members to keep for
// display: stock{symbol,name,open} becomes stockId and stockName. An array
// element stays an object with its id and these members. The entities are
// returned unchanged, in document order, one per place; see [Distinct].
// Embedded objects without an id stay. ExtractEntity does not change doc. It
// fails if there is nothing to take out.
func ExtractEntity(doc *Value, x Extract) (newDoc *Value, entities []*Value, err error) {
	if len(x.Path) == 0 {
		return nil, nil, fmt.Errorf("extract: the document itself is no embedded object")
	}
	newDoc = doc.Clone()
	last := x.Path[len(x.Path)-1]
	for _, at := range newDoc.Select(x.Path[:len(x.Path)-1]) {
		switch last.Kind {
		case profile.Field:
			if embedded := at.Get(last.Name); x.identified(embedded) {
				entities = append(entities, x.entity(embedded))
				x.flatten(at, last.Name, embedded)
			}
		case profile.Element, profile.MapValues:
			for _, embedded := range at.Select(profile.Path{last}) {
				if x.identified(embedded) {
					entities = append(entities, x.entity(embedded))
					x.reduce(embedded)
				}
			}
		}
	}
	if len(entities) == 0 {
		return nil, nil, fmt.Errorf("extract %q: no object with %q there", x.Path, x.ID)
	}
	return newDoc, entities, nil
}

func (x Extract) identified(v *Value) bool {
	if !isObject(v) {
		return false
	}
	id := v.Get(x.ID)
	return id != nil && id.kind != scan.Null && id.kind < scan.Object
}

func (x Extract) keeps(name string) bool { return x.Keep != nil && x.Keep(name) }

func (x Extract) entity(embedded *Value) *Value {
	entity := embedded.Clone()
	if x.EntityID != "" && !entity.Has(x.EntityID) {
		entity.SetFirst(x.EntityID, entity.Get(x.ID).Clone())
	}
	return entity
}

// flatten replaces the embedded member of an object by the reference and the
// kept members, in place.
func (x Extract) flatten(object *Value, name string, embedded *Value) {
	ref := x.RefName
	if ref == "" {
		ref = RefName(object, name)
	}
	var put []Member
	put = append(put, Member{ref, embedded.Get(x.ID)})
	for _, m := range embedded.members {
		if m.Name != x.ID && x.keeps(m.Name) {
			put = append(put, Member{fieldName(object, name, m.Name), m.Value})
		}
	}
	after := name
	for _, m := range put {
		if have := object.Get(m.Name); have != nil && m.Name != name && have.Equal(m.Value) {
			continue // the object already has the same value
		}
		free := m.Name
		for object.Has(free) { // the embedded member still occupies its name
			free = fieldName(object, "embedded", free)
		}
		object.InsertAfter(after, free, m.Value.Clone())
		after = free
	}
	object.Remove(name)
}

// reduce keeps only the id and the kept members of an embedded object.
func (x Extract) reduce(embedded *Value) {
	for _, name := range embedded.Keys() {
		if name != x.ID && !x.keeps(name) {
			embedded.Remove(name)
		}
	}
}

// Distinct returns one entity per id, in order of first appearance, and the
// differing versions of these entities. It chooses the greatest version by
// newer, or without newer the version that most copies agree on; among equals,
// the first.
func Distinct(entities []*Value, id string, newer func(a, b *Value) int) (distinct, conflicts []*Value) {
	type version struct {
		value  *Value
		copies int
	}
	var order []string
	versions := map[string][]version{}
next:
	for _, e := range entities {
		value := e.Get(id)
		if value == nil {
			continue
		}
		key := string(value.AppendJSON(nil))
		if _, ok := versions[key]; !ok {
			order = append(order, key)
		}
		for i := range versions[key] {
			if versions[key][i].value.Equal(e) {
				versions[key][i].copies++
				continue next
			}
		}
		versions[key] = append(versions[key], version{e, 1})
	}
	for _, key := range order {
		best := 0
		for i, v := range versions[key] {
			chosen := versions[key][best]
			if newer != nil && newer(v.value, chosen.value) > 0 || newer == nil && v.copies > chosen.copies {
				best = i
			}
		}
		for i, v := range versions[key] {
			if i == best {
				distinct = append(distinct, v.value)
			} else {
				conflicts = append(conflicts, v.value)
			}
		}
	}
	return distinct, conflicts
}
