package codecs_test

import (
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"math/rand/v2"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/stretchr/testify/require"
	bson1 "go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
	"go.mongodb.org/mongo-driver/v2/bson"
	"golang.org/x/tools/go/packages"

	"github.com/shapevet/shapevet/integration/codecs/shapes"
)

// A pair is one type, as the program has it and as the compiler sees it.
type pair struct {
	real reflect.Type
	seen types.Type
}

// defined are the types with names; those of a codec are used with it only.
var defined = map[string][]reflect.Type{
	"": {
		reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[url.URL](), reflect.TypeFor[json.Number](), reflect.TypeFor[json.RawMessage](),
		reflect.TypeFor[shapes.Level](), reflect.TypeFor[shapes.Count](), reflect.TypeFor[shapes.Small](), reflect.TypeFor[shapes.Ratio](), reflect.TypeFor[shapes.Flag](),
		reflect.TypeFor[shapes.Blob](), reflect.TypeFor[shapes.Stamp](), reflect.TypeFor[shapes.Key](), reflect.TypeFor[shapes.Levels](), reflect.TypeFor[shapes.Lookup](),
		reflect.TypeFor[shapes.Base](), reflect.TypeFor[shapes.Outer](), reflect.TypeFor[shapes.Nested](), reflect.TypeFor[shapes.Rest](),
		reflect.TypeFor[shapes.Reader](), reflect.TypeFor[shapes.Text](), reflect.TypeFor[shapes.Shout](), reflect.TypeFor[shapes.Named](),
	},
	"bson v2": {
		reflect.TypeFor[bson.ObjectID](), reflect.TypeFor[bson.ObjectID](), reflect.TypeFor[bson.DateTime](), reflect.TypeFor[bson.Decimal128](), reflect.TypeFor[bson.Binary](),
		reflect.TypeFor[bson.D](), reflect.TypeFor[bson.M](), reflect.TypeFor[bson.A](), reflect.TypeFor[bson.Raw](), reflect.TypeFor[bson.RawValue](), reflect.TypeFor[bson.Timestamp](),
		reflect.TypeFor[bson.Regex](),
	},
	"bson v1": {
		reflect.TypeFor[primitive.ObjectID](), reflect.TypeFor[primitive.ObjectID](), reflect.TypeFor[primitive.DateTime](), reflect.TypeFor[primitive.Decimal128](),
		reflect.TypeFor[primitive.Binary](), reflect.TypeFor[primitive.D](), reflect.TypeFor[primitive.M](), reflect.TypeFor[primitive.A](), reflect.TypeFor[bson1.Raw](),
		reflect.TypeFor[bson1.RawValue](),
	},
	"attributevalue": {reflect.TypeFor[attributevalue.Number](), reflect.TypeFor[attributevalue.UnixTime]()},
}

var basics = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](),
	reflect.TypeFor[int32](), reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[float64](), reflect.TypeFor[[]byte](), reflect.TypeFor[any](),
}

// A world knows the compiler's side of types.
type world map[string]*types.Package

func loadWorld(t *testing.T) world {
	t.Helper()
	paths := map[string]bool{}
	for _, of := range defined {
		for _, d := range of {
			paths[d.PkgPath()] = true
		}
	}
	var patterns []string
	for path := range paths {
		patterns = append(patterns, path)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps, Context: t.Context()}, patterns...)
	require.NoError(t, err)
	w := world{}
	for _, p := range loaded {
		require.Empty(t, p.Errors, p.PkgPath)
		w[p.PkgPath] = p.Types
	}
	return w
}

// of is the compiler's side of a type.
func (w world) of(t reflect.Type) types.Type {
	if t.PkgPath() != "" {
		return w[t.PkgPath()].Scope().Lookup(t.Name()).Type()
	}
	if t.Name() != "" {
		return types.Universe.Lookup(t.Name()).Type()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(w.of(t.Elem()))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == "" {
			return types.NewSlice(types.Typ[types.Byte])
		}
		return types.NewSlice(w.of(t.Elem()))
	case reflect.Array:
		return types.NewArray(w.of(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(w.of(t.Key()), w.of(t.Elem()))
	case reflect.Interface:
		return types.Universe.Lookup("any").Type()
	case reflect.Struct:
		var fields []*types.Var
		var tags []string
		pkg := types.NewPackage("example.com/generated", "generated")
		for i := range t.NumField() {
			f := t.Field(i)
			fields = append(fields, types.NewField(token.NoPos, pkg, f.Name, w.of(f.Type), f.Anonymous))
			tags = append(tags, string(f.Tag))
		}
		return types.NewStruct(fields, tags)
	}
	panic("no such type: " + t.String())
}

// A maker makes types and documents for a codec.
type maker struct {
	*rand.Rand
	codec *codec
}

func (m *maker) typ(depth int) reflect.Type {
	k := m.IntN(10)
	switch {
	case k < 4 || depth == 0:
		return pick(m.Rand, basics)
	case k < 6:
		if own := defined[m.codec.name]; len(own) > 0 && m.IntN(2) == 0 {
			return pick(m.Rand, own)
		}
		return pick(m.Rand, defined[""])
	case k == 6:
		return reflect.PointerTo(m.typ(depth - 1))
	case k == 7:
		if m.IntN(4) == 0 {
			return reflect.ArrayOf(m.IntN(4), m.typ(depth-1))
		}
		return reflect.SliceOf(m.typ(depth - 1))
	case k == 8:
		key := reflect.TypeFor[string]()
		if m.IntN(5) == 0 {
			key = pick(m.Rand, []reflect.Type{reflect.TypeFor[shapes.Level](), reflect.TypeFor[int](), reflect.TypeFor[shapes.Shout]()})
		}
		return reflect.MapOf(key, m.typ(depth-1))
	}
	return m.structure(depth - 1)
}

// structure makes a struct with some fields, tagged or not.
func (m *maker) structure(depth int) reflect.Type {
	var fields []reflect.StructField
	for _, name := range []string{"A", "Name", "FirstName", "Total", "X"} {
		if m.IntN(5) < 2 {
			continue
		}
		f := reflect.StructField{Name: name, Type: m.typ(depth)}
		switch m.IntN(6) {
		case 0: // no tag
		case 1:
			f.Tag = m.tag(strings.ToLower(name) + ",omitempty")
		case 2:
			f.Tag = m.tag(name + "," + pick(m.Rand, m.codec.options))
		case 3:
			f.Tag = m.tag(pick(m.Rand, []string{",omitempty", "-", "-,", "first_name" + name, "a"}))
		default:
			f.Tag = m.tag(strings.ToLower(name))
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

func (m *maker) tag(text string) reflect.StructTag {
	return reflect.StructTag(fmt.Sprintf("%s:%q", m.codec.key, text))
}
