package reshape

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

func parse(t require.TestingT, text string) *Value {
	v, err := Raw([]byte(text))
	require.NoError(t, err, text)
	return v
}

func parseAll(t require.TestingT, texts ...string) []*Value {
	var values []*Value
	for _, text := range texts {
		values = append(values, parse(t, text))
	}
	return values
}

func text(v *Value) string { return string(v.AppendJSON(nil)) }

func texts(values []*Value) []string {
	written := make([]string, 0, len(values))
	for _, v := range values {
		written = append(written, text(v))
	}
	return written
}

// path reads the plain part of the notation of reports.
func path(dotted string) profile.Path {
	var p profile.Path
	for _, name := range strings.FieldsFunc(dotted, func(r rune) bool { return r == '.' }) {
		name, element := strings.CutSuffix(name, "[]")
		name, values := strings.CutSuffix(name, "{}")
		p = append(p, profile.Step{Name: name})
		if element {
			p = append(p, profile.Step{Kind: profile.Element})
		}
		if values {
			p = append(p, profile.Step{Kind: profile.MapValues})
		}
	}
	return p
}

// leaves counts scalars by value.
func leaves(values ...*Value) map[string]int {
	counts := map[string]int{}
	for _, v := range values {
		switch v.kind {
		case scan.Object:
			for _, m := range v.members {
				for leaf, n := range leaves(m.Value) {
					counts[leaf] += n
				}
			}
		case scan.Array:
			for leaf, n := range leaves(v.elements...) {
				counts[leaf] += n
			}
		default:
			counts[text(v)]++
		}
	}
	return counts
}

// requireNothingLost fails unless every scalar of before is in after, equally
// often.
func requireNothingLost(t require.TestingT, before, after map[string]int) {
	for _, leaf := range slices.Sorted(maps.Keys(before)) {
		require.GreaterOrEqual(t, after[leaf], before[leaf], leaf)
	}
}

// scalars, names and trees for the laws. Names are few, so that they clash.
var names = rapid.SampledFrom([]string{"id", "postId", "comments", "recentComments", "value", "stock", "stockId", "name", "bucket", "count", "a_b", "$", ""})

func scalar() *rapid.Generator[*Value] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 3), func(n int) *Value { return Int(int64(n)) }),
		rapid.Map(rapid.SampledFrom([]string{"0", "1", "a", "é\"\n", ""}), String),
		rapid.Map(rapid.SampledFrom([]string{`null`, `1.50`, `true`, `{"$oid":"64b7f3c2a1d2e3f405060708"}`, `{"$numberLong":"5"}`}),
			func(text string) *Value { v, _ := Raw([]byte(text)); return v }),
	)
}

func tree(depth int) *rapid.Generator[*Value] {
	if depth == 0 {
		return scalar()
	}
	return rapid.OneOf(scalar(), object(depth-1), rapid.Map(rapid.SliceOfN(tree(depth-1), 0, 4), func(e []*Value) *Value { return Array(e...) }))
}

func object(depth int) *rapid.Generator[*Value] {
	return rapid.Custom(func(t *rapid.T) *Value {
		v := Object()
		for _, name := range rapid.SliceOfN(names, 0, 4).Draw(t, "names") {
			v.Set(name, tree(depth).Draw(t, "value"))
		}
		return v
	})
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		` { "b" : 1.50 , "a" : [ 1e3 , -0 ] } `:       `{"b":1.50,"a":[1e3,-0]}`,
		`{"id":9007199254740993}`:                     `{"id":9007199254740993}`,
		`{"_id":{"$oid":"64b7f3c2a1d2e3f405060708"}}`: `{"_id":{"$oid":"64b7f3c2a1d2e3f405060708"}}`,
		`{"n":{"$numberLong":"5"}}`:                   `{"n":{"$numberLong":"5"}}`,
		`"caf\u00e9 \/ \ud83d\ude00 \u0001\n\"<"`:     `"café / 😀 \u0001\n\"<"`,
		`{"a\u0062":null}`:                            `{"ab":null}`,
		`{"a":1,"b":2,"a":3}`:                         `{"a":3,"b":2}`,
		`[[],{},""]`:                                  `[[],{},""]`,
	} {
		assert.Equal(t, want, text(parse(t, in)), in)
		viaMarshaler, err := json.Marshal(parse(t, in))
		require.NoError(t, err)
		assert.True(t, json.Valid(viaMarshaler))
	}
	_, err := Raw([]byte(`{"a":`))
	require.Error(t, err)
}

func TestFromRecovered(t *testing.T) {
	t.Parallel()
	src := []byte(`[NaN,012]`)
	d := &scan.Document{Src: src, Tokens: []scan.Token{
		{Start: 0, End: 9, A: 3, B: 2, Kind: scan.Array},
		{Start: 1, End: 4, A: 1, B: 4, Kind: scan.Number},
		{Start: 5, End: 8, A: 5, B: 8, Kind: scan.Number},
	}}
	assert.Equal(t, `[{"$numberDouble":"NaN"},"012"]`, text(From(d, 0)))
}

func TestEveryTreeIsValidJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := tree(3).Draw(t, "v")
		written := v.AppendJSON(nil)
		if !json.Valid(written) {
			t.Fatalf("invalid: %s", written)
		}
		if back := parse(t, string(written)); !back.Equal(v) || text(back) != string(written) {
			t.Fatalf("%s became %s", written, text(back))
		}
		if c := v.Clone(); !c.Equal(v) || text(c) != string(written) {
			t.Fatal("the clone differs")
		}
	})
}

func TestAnyStringIsValidJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		var back string
		require.NoError(t, json.Unmarshal(String(s).AppendJSON(nil), &back))
		require.Equal(t, string([]rune(s)), back, "%q", s)
	})
}

func TestObjectOperations(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"id":"1","a":1,"b":2}`)
	v.Set("a", Int(10))
	v.Set("c", String("new"))
	assert.Equal(t, `{"id":"1","a":10,"b":2,"c":"new"}`, text(v))
	v.SetFirst("b", Int(3))
	assert.Equal(t, []string{"b", "id", "a", "c"}, v.Keys())
	v.InsertAfter("id", "c", Int(4))
	v.InsertAfter("gone", "d", Int(5))
	v.InsertAfter("a", "a", Int(6))
	assert.Equal(t, `{"d":5,"b":3,"id":"1","c":4,"a":6}`, text(v))
	assert.True(t, v.Remove("d"))
	assert.False(t, v.Remove("d"))
	assert.True(t, v.Rename("c", "z"))
	assert.False(t, v.Rename("z", "a"), "a is taken")
	assert.False(t, v.Rename("gone", "y"))
	assert.True(t, v.Rename("z", "z"))
	assert.Equal(t, `{"b":3,"id":"1","z":4,"a":6}`, text(v))
	assert.Nil(t, v.Get("gone"))
	assert.Equal(t, 4, v.Len())
	assert.Equal(t, "1", v.Get("id").Text())
	assert.Equal(t, scan.String, v.Get("id").Kind())
	assert.Len(t, v.Members(), 4)
}

func TestAddAfterID(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"x":1,"_id":2,"y":3}`)
	assert.True(t, v.AddAfterID([]string{"id", "_id"}, "type", String("book")))
	assert.False(t, v.AddAfterID([]string{"id", "_id"}, "type", String("other")))
	assert.Equal(t, `{"x":1,"_id":2,"type":"book","y":3}`, text(v))
	v = parse(t, `{"x":1}`)
	assert.True(t, v.AddAfterID([]string{"id"}, "type", String("book")))
	assert.Equal(t, `{"type":"book","x":1}`, text(v))
	assert.False(t, Array().AddAfterID([]string{"id"}, "type", String("book")))
}

func TestArrayOperations(t *testing.T) {
	t.Parallel()
	v := parse(t, `[1,2,3]`)
	v.Append(Int(4))
	assert.Equal(t, `[1,2,3,4]`, text(v))
}

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`1`, `{"$numberInt":"1"}`, true},
		{`1`, `1.0`, false},
		{`1`, `"1"`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`{"$minKey":1}`, `{"$maxKey":1}`, false},
		{`"\u0061"`, `"a"`, true},
		{`{"a":{"b":[null]}}`, `{"a":{"b":[null]}}`, true},
		{`{"a":{"b":[null]}}`, `{"a":{"b":[false]}}`, false},
	} {
		assert.Equal(t, c.want, parse(t, c.a).Equal(parse(t, c.b)), "%s %s", c.a, c.b)
	}
}

func TestCloneSharesNothing(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"a":[{"b":1}]}`)
	c := v.Clone()
	c.Get("a").Elements()[0].Set("b", Int(2))
	c.Get("a").Append(Int(3))
	assert.Equal(t, `{"a":[{"b":1}]}`, text(v))
}

func TestCompare(t *testing.T) {
	t.Parallel()
	ordered := parseAll(t, `-1e400`, `-2`, `0.5`, `2`, `10`, `9007199254740992`, `9007199254740993`, `1e400`, `"10"`, `"2"`, `"b"`)
	for i := range ordered {
		for j := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			assert.Equal(t, want, Compare(ordered[i], ordered[j]), "%s %s", text(ordered[i]), text(ordered[j]))
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	v := parse(t, `{"a":[{"b":{"x":1,"y":2}},{"b":{"z":3}},7]}`)
	assert.Equal(t, []string{"1", "2", "3"}, texts(v.Select(path("a[].b{}"))))
	assert.Empty(t, v.Select(path("a.b")))
	assert.Equal(t, []*Value{v}, v.Select(nil))
}
