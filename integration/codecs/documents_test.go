package codecs_test

import (
	"reflect"
	"strings"
	"time"

	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.mongodb.org/mongo-driver/bson/primitive"
	"go.mongodb.org/mongo-driver/v2/bson"
)

type item = map[string]ddb.AttributeValue

// document makes a document for a struct: most values are of the type that
// their field has.
func (m *maker) document(t reflect.Type) object {
	o := m.members(t, 3)
	if len(o) == 0 {
		o = append(o, member{"other", "text"})
	}
	return o
}

func (m *maker) members(t reflect.Type, depth int) object {
	o, taken := object{}, map[string]bool{}
	put := func(name string, value any) {
		if !taken[name] {
			taken[name] = true
			o = append(o, member{name, value})
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get(m.codec.key), ",")
		if f.Anonymous && f.Type.Kind() == reflect.Struct && m.IntN(4) > 0 {
			for _, inner := range m.members(f.Type, depth) {
				put(inner.name, inner.value)
			}
			continue
		}
		if name == "" {
			name = f.Name
			if m.codec.key == "bson" {
				name = strings.ToLower(name)
			}
		}
		switch m.IntN(12) {
		case 0:
			name = strings.ToUpper(name)
		case 1:
			name = strings.ToLower(name)
		case 2, 3:
			continue
		}
		put(name, m.likely(f.Type, depth))
	}
	if m.IntN(4) == 0 {
		put("other", m.value(1))
	}
	return o
}

func (m *maker) likely(t reflect.Type, depth int) any {
	if m.IntN(12) == 0 || depth == 0 {
		return m.value(depth)
	}
	return m.fitting(t, depth)
}

// fitting makes a value that a type usually holds.
func (m *maker) fitting(t reflect.Type, depth int) any {
	switch t {
	case reflect.TypeFor[time.Time]():
		switch m.codec.key {
		case "bson":
			return bson.NewDateTimeFromTime(time.Unix(1_700_000_000, 0))
		case "firestore":
			return time.Unix(1_700_000_000, 0).UTC()
		}
		return "2024-01-02T03:04:05Z"
	case reflect.TypeFor[bson.ObjectID](), reflect.TypeFor[primitive.ObjectID]():
		return bson.ObjectID{1}
	case reflect.TypeFor[[]byte]():
		if m.codec.key == "firestore" {
			return []byte("abc")
		}
		return "YWJj"
	}
	switch t.Kind() {
	case reflect.Bool:
		return m.IntN(2) == 0
	case reflect.String:
		return pick(m.Rand, texts)
	case reflect.Int8, reflect.Uint8:
		return int64(m.IntN(100))
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(m.IntN(1000))
	case reflect.Float32, reflect.Float64:
		return pick(m.Rand, []any{int64(3), 1.5, 0.25})
	case reflect.Pointer:
		if m.IntN(4) == 0 {
			return nil
		}
		return m.fitting(t.Elem(), depth)
	case reflect.Slice, reflect.Array:
		return m.list(depth, func(depth int) any { return m.likely(t.Elem(), depth) })
	case reflect.Map:
		o := object{}
		for _, key := range []string{"a", "b", "7"}[:m.IntN(3)] {
			o = append(o, member{key, m.likely(t.Elem(), depth-1)})
		}
		return o
	case reflect.Struct:
		return m.members(t, depth-1)
	}
	return m.value(depth)
}
