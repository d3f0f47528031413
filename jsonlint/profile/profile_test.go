package profile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// dump writes everything in a profile.
func dump(c *Collection) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s docs=%d bytes=%d %v %v %v paths=%.0f\n", c.Name, c.Docs, c.Bytes, c.Sizes, c.Depths, c.Deepest, c.Paths())
	c.Root.Walk(func(n *Node) bool {
		fmt.Fprintf(&b, "%q count=%d docs=%d types=%v bytes=%d max=%d@%v dup=%d@%v", n.Path().String(), n.Count, n.Docs, n.Types, n.Bytes, n.Max, n.MaxAt, n.Duplicated, n.DuplicatedAt)
		for cl := Null; cl < NumClasses; cl++ {
			fmt.Fprintf(&b, " %v", n.First(cl))
		}
		if s := n.Scalars; s != nil {
			fmt.Fprintf(&b, "\n  values %v tails %v prefixes %v ints=%d %d..%d fractions=%d decimals=%d imprecise=%d@%v blobs=%d up to %d@%v forms", s.Values.Values(), s.Tails().Values(),
				s.Prefixes().Values(), s.Ints, s.MinInt, s.MaxInt, s.Fractions, s.Decimals, s.Imprecise, s.ImpreciseAt, s.Blobs, s.BlobMax, s.BlobAt)
			for f := Form(0); f < NumForms; f++ {
				k, at := s.FormCount(f)
				fmt.Fprintf(&b, " %d@%v", k, at)
			}
		}
		if a := n.Array; a != nil {
			fmt.Fprintf(&b, "\n  array %v longest@%v elided=%d@%v", a.Len, a.LongestAt, a.Elided, a.ElidedAt)
		}
		if o := n.Object; o != nil {
			fmt.Fprintf(&b, "\n  object %v shift=%d rest=%v", o.Keys, o.shift, o.Rest != nil)
			if o.Shapes != nil {
				for _, s := range o.Shapes.All() {
					fmt.Fprintf(&b, "\n  shape %x count=%d first=%v fields", s.hash, s.Count, s.First)
					names := []string{}
					for _, f := range s.Fields {
						names = append(names, f.Step.Name)
					}
					slices.Sort(names)
					fmt.Fprintf(&b, "%v", names)
					for _, f := range o.Shapes.Tabulated() {
						fmt.Fprintf(&b, " %s=%v", f.Path(), s.Values(f))
					}
				}
			}
		}
		b.WriteByte('\n')
		return true
	})
	return b.String()
}

// sameDump shows only the first line that differs.
func sameDump(t require.TestingT, want, got string) {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			at := 0
			for at < min(len(a[i]), len(b[i])) && a[i][at] == b[i][at] {
				at++
			}
			from := max(0, at-200)
			require.Equal(t, a[i][from:min(len(a[i]), at+200)], b[i][from:min(len(b[i]), at+200)], "line %d", i)
		}
	}
	require.Len(t, b, len(a))
}

// value draws JSON values with few names and values, so that they collide.
func value(names int) *rapid.Generator[any] {
	var gen func(depth int) *rapid.Generator[any]
	gen = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			kinds := 7
			if depth <= 0 {
				kinds = 5
			}
			switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
			case 0:
				return nil
			case 1:
				return rapid.IntRange(0, 300).Draw(t, "int")
			case 2:
				return rapid.SampledFrom([]string{"", "a", "1", "/api/x/12/", "urn:uuid:5", "2026-01-02", "N/A", "0123", "é\"\\"}).Draw(t, "text")
			case 3:
				return rapid.Bool().Draw(t, "bool")
			case 4:
				return json.Number(rapid.SampledFrom([]string{"1.0", "9007199254740993", "1e400", "-0", "12345678901234567890"}).Draw(t, "number"))
			case 5:
				return rapid.SliceOfN(gen(depth-1), 0, 5).Draw(t, "array")
			}
			o := map[string]any{}
			for range rapid.IntRange(0, 6).Draw(t, "members") {
				o[fmt.Sprintf("k%d", rapid.IntRange(0, names-1).Draw(t, "name"))] = gen(depth-1).Draw(t, "value")
			}
			return o
		})
	}
	return rapid.Custom(func(t *rapid.T) any {
		o := map[string]any{"id": rapid.IntRange(0, 1000).Draw(t, "id")}
		for range rapid.IntRange(0, 6).Draw(t, "members") {
			o[fmt.Sprintf("k%d", rapid.IntRange(0, names-1).Draw(t, "name"))] = gen(3).Draw(t, "value")
		}
		return o
	})
}

type placed struct {
	text []byte
	base int64
}

func place(docs []any) []placed {
	var out []placed
	base := int64(0)
	for _, d := range docs {
		text, err := json.Marshal(d)
		if err != nil {
			panic(err)
		}
		out = append(out, placed{text, base})
		base += int64(len(text)) + 1
	}
	return out
}

func build(t require.TestingT, docs []placed) *Collection {
	c := NewCollection("c")
	var p scan.Parser
	var b Builder
	for _, d := range docs {
		doc, err := p.Parse(d.text)
		require.NoError(t, err)
		b.Add(c, doc, 0, d.base)
	}
	c.Settle()
	return c
}

// TestMonoid splits documents between workers in any way and order. The merged
// profile must be that of a single worker.
func TestMonoid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SampledFrom([]int{3, 8, 3000}).Draw(t, "names")
		docs := place(rapid.SliceOfN(value(names), 1, 30).Draw(t, "docs"))
		want := dump(build(t, docs))
		parts := make([][]placed, rapid.IntRange(1, 4).Draw(t, "parts"))
		for _, d := range docs {
			i := rapid.IntRange(0, len(parts)-1).Draw(t, "part")
			parts[i] = append(parts[i], d)
		}
		merged := NewCollection("c")
		for _, part := range parts {
			if rapid.Bool().Draw(t, "reverse") {
				slices.Reverse(part)
			}
			merged.Merge(build(t, part))
		}
		sameDump(t, want, dump(merged))
	})
}

// TestMonoidOfMaps does the same with so many names and values that they are
// sampled.
func TestMonoidOfMaps(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var docs []any
	for i := range 3000 {
		m := map[string]any{}
		for range 5 {
			m[fmt.Sprintf("user-%d", r.IntN(100_000))] = map[string]any{"points": r.IntN(1000), fmt.Sprint("x", r.IntN(3000)): r.IntN(10_000)}
		}
		docs = append(docs, map[string]any{"id": i, "name": fmt.Sprint("n", r.IntN(50_000)), "scores": m})
	}
	placed := place(docs)
	want := build(t, placed)
	require.True(t, want.Root.Object.Field("scores").Object.Sampled())
	for _, workers := range []int{2, 7} {
		merged := NewCollection("c")
		for w := range workers {
			var part []int
			for i := w; i < len(placed); i += workers {
				part = append(part, i)
			}
			r.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
			c := NewCollection("c")
			var p scan.Parser
			var b Builder
			for _, i := range part {
				doc, err := p.Parse(placed[i].text)
				require.NoError(t, err)
				b.Add(c, doc, 0, placed[i].base)
			}
			merged.Merge(c)
		}
		sameDump(t, dump(want), dump(merged))
	}
}

func TestSampleErrors(t *testing.T) {
	t.Parallel()
	for _, n := range []int{10, 256, 5_000, 300_000} {
		s := newSample(256)
		for i := range n {
			for range 1 + i%3 {
				text := fmt.Append(nil, "value ", i)
				s.add(HashText(text), String, text)
			}
		}
		if n <= 256 {
			assert.True(t, s.Exact())
			assert.InDelta(t, n, s.Distinct(), 0)
		}
		assert.InEpsilon(t, n, s.Distinct(), 0.35)
		assert.LessOrEqual(t, len(s.texts), textsKept)
		for _, v := range s.Values() {
			var i int
			if v.HasText {
				_, err := fmt.Sscanf(v.Text, "value %d", &i)
				require.NoError(t, err)
				assert.Equal(t, int64(1+i%3), v.Count)
			}
		}
	}
}

func TestInclusionJoinsSamples(t *testing.T) {
	t.Parallel()
	ids, refs := newSample(1024), newSample(128)
	for i := range 50_000 {
		text := fmt.Append(nil, i)
		ids.add(HashText(text), Int, text)
		if i%5 == 0 {
			refs.add(HashText(text), String, text)
		}
	}
	for i := range 2_500 {
		text := fmt.Append(nil, "gone-", i)
		refs.add(HashText(text), String, text)
	}
	tested, found, same := refs.Inclusion(&ids)
	assert.Greater(t, tested, 50)
	assert.InDelta(t, 0.8, float64(found)/float64(tested), 0.12)
	assert.Zero(t, same, "a number is no string")
}

func TestHistogramLess(t *testing.T) {
	t.Parallel()
	var h, want Histogram
	for _, v := range []int64{1, 5, 5, 200, 256, 257, 900} {
		h.Add(v)
		want.Add(v - 1)
	}
	less := h.Less(1)
	assert.Equal(t, want.Count, less.Count)
	assert.Equal(t, []int64{want.Min, want.Max, want.AtMax, want.Quantile(0.5)}, []int64{less.Min, less.Max, less.AtMax, less.Quantile(0.5)})
}

func TestHistogram(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 1, 200).Draw(t, "values")
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		var all, a, b Histogram
		for i, v := range values {
			all.Add(v)
			if i < cut {
				a.Add(v)
			} else {
				b.Add(v)
			}
		}
		a.Merge(&b)
		require.Equal(t, all.Count, a.Count)
		slices.Sort(values)
		for _, q := range []float64{0, 0.5, 0.95, 1} {
			exact := values[min(len(values)-1, max(0, int(q*float64(len(values))+0.9999999)-1))]
			require.InEpsilon(t, float64(exact)+1, float64(a.Quantile(q))+1, 0.01)
			require.Equal(t, all.Quantile(q), a.Quantile(q))
		}
		require.Equal(t, values[len(values)-1], a.Max)
		require.Equal(t, values[0], a.Min)
	})
}

func TestForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Form{
		"": FormEmpty, "N/A": FormPlaceholder, "n/a": FormPlaceholder, "-": FormPlaceholder, "12": FormInteger, "-7": FormInteger,
		"0123": FormLeadingZero, "0": FormInteger, "1.5": FormDecimal, "true": FormBool, "5ca4bbcea2dd94ee58162a68": FormHex24,
		"0df078f33aa74a2e9696e0520c1a828a": FormHex, "3b49dd18-1d56-478e-8ab1-fb38e31ce7e2": FormUUID, "2026-01-31": FormDate,
		"2026-01-31T10:00:00Z": FormDateTimeZone, "2026-01-31T10:00:00+01:00": FormDateTimeZone, "2026-01-31T10:00:00": FormDateTime,
		"2026-01-31 10:00:00": FormDateTime, "2026-01-31 10:00:00.5+00:00": FormSpacedTime, "2026-01-31 10:00:00 +0100": FormSpacedTime, "2026-01-31 10:00 - 12:00": FormDateTime,
		"1/31/2026": FormSlashDate, "31.01.2026": FormSlashDate,
		"Sat, 31 Jan 2026 10:00:00 GMT": FormRFC1123, "a@b.example": FormEmail, "https://a.example/b": FormURL, "urn:uuid:1": FormURL,
		"/api/v2/move/1/": FormPath, "/set-1:-tea/7": FormPath, "a:b/7": FormToken, "Patient/12": FormPath, "#referral": FormFragment, "MSFT": FormUpper, "user12": FormPrefixNumber,
		"ORDER#1": FormPrefixNumber, "user::7": FormPrefixNumber, "hello": FormWord, "hello-world": FormToken, "two words": FormText,
		"deadbeef": FormWord, "1.2.3": FormToken,
		"btL3sABEPxsohyv2r": FormRandom, "KbXuqLzNKumaDsvHR": FormRandom, "-O_ldrK7_VDOzDRF_pkE": FormRandom, "CimEFqnUI9WNuMCrdhbBk71uMni1": FormRandom,
		"01ARZ3NDEKTSV4RRFFQ69G5FAV": FormRandom, "cjld2cjxh0000qzrmn831i7rn": FormRandom, "cdchgsQcdRwQvFnff": FormWord,
		"getUserNameFromDatabase": FormWord, "GetUserNameByEmail": FormWord, "covid-19-in-2020-top-10": FormToken, "Samsung-Galaxy-S21-Ultra-5G-128GB": FormToken,
		"UPPER_CASE_2024_NAME": FormToken, "v1+20260131T100000Z": FormToken, "b7f2": FormToken,
	} {
		assert.Equal(t, want.String(), FormOf([]byte(text)).String(), "%q", text)
	}
}

func TestDeepDocuments(t *testing.T) {
	t.Parallel()
	const levels = 100_000
	text := []byte(`{"a":` + strings.Repeat(`{"a":[`, levels/2) + "1" + strings.Repeat("]}", levels/2) + "}")
	c := build(t, []placed{{text, 0}})
	assert.Equal(t, int64(levels+1), c.Depths.Max)
}

func TestDuplicatedNames(t *testing.T) {
	t.Parallel()
	c := build(t, []placed{{[]byte(`{"a":1,"b":{"c":1,"c":2},"a":"x"}`), 100}})
	a := c.Root.Object.Field("a")
	assert.Equal(t, int64(1), a.Duplicated)
	assert.Equal(t, Pos{File: 0, Len: 3, Off: 125, Doc: 100, DocLen: 33}, a.DuplicatedAt)
	assert.Equal(t, int64(1), c.Root.Object.Field("b").Object.Field("c").Duplicated)
}

// TestFieldsAfterChanges: the order of fields is that of all objects, whenever it is
// asked for.
func TestFieldsAfterChanges(t *testing.T) {
	t.Parallel()
	names := func(c *Collection) (out []string) {
		for _, f := range c.Root.Object.Fields() {
			out = append(out, f.Step.Name)
		}
		return out
	}
	later := build(t, []placed{{[]byte(`{"a":1,"b":{"x":1},"c":2}`), 100}})
	require.Equal(t, []string{"a", "b", "c"}, names(later))

	later.Merge(build(t, []placed{{[]byte(`{"c":1,"b":{"x":1},"a":2}`), 0}}))
	assert.Equal(t, []string{"c", "b", "a"}, names(later))

	later.Root.Fold(later.Root.Object.Field("b"))
	assert.Equal(t, []string{"b"}, names(later))
}
