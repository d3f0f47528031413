package profile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A recogniser finds layouts in the tape, independently of the parser.
type recogniser struct{ known map[string]*scan.Layout }

// records returns the records of the document; skip omits objects.
func (r *recogniser) records(d *scan.Document, skip func() bool) (out []scan.Record) {
	if r.known == nil {
		r.known = map[string]*scan.Layout{}
	}
	var object func(i int)
	var arrays func(i int)
	elements := func(i int) {
		for _, v := range d.Elements(i) {
			if d.Tokens[v].Kind == scan.Object {
				object(v)
			} else {
				arrays(v)
			}
		}
	}
	arrays = func(i int) {
		if d.Tokens[i].Kind == scan.Array {
			elements(i)
		}
		for _, v := range d.Members(i) {
			arrays(v)
		}
	}
	object = func(i int) {
		if skip() {
			return
		}
		var b strings.Builder
		structure(&b, d, i)
		l := r.known[b.String()]
		if l == nil {
			l = &scan.Layout{ID: uint32(len(r.known))}
			r.known[b.String()] = l
		}
		out = append(out, scan.Record{Layout: l, Token: uint32(i)})
		arrays(i)
	}
	if d.Tokens[0].Kind == scan.Object {
		object(0)
	}
	return out
}

func structure(b *strings.Builder, d *scan.Document, i int) {
	t := &d.Tokens[i]
	kind := t.Kind
	if kind == scan.True {
		kind = scan.False
	}
	fmt.Fprintf(b, "%d,%d", kind, t.Flags&scan.Wrapped)
	if kind == scan.Object {
		b.WriteByte('{')
		for k, v := range d.Members(i) {
			b.Write(d.Raw(k))
			structure(b, d, v)
		}
		b.WriteByte('}')
	}
}

// buildWith adds the documents with records, each of which is omitted with some
// probability.
func buildWith(t require.TestingT, docs []placed, leaveOut func() bool) *Collection {
	c := NewCollection("c")
	var p scan.Parser
	var b Builder
	var r recogniser
	for _, d := range docs {
		doc, err := p.Parse(d.text)
		require.NoError(t, err)
		doc.Records = r.records(doc, leaveOut)
		b.Add(c, doc, 0, d.base)
	}
	c.Settle()
	return c
}

func plain(t require.TestingT, docs []placed) *Collection {
	c := NewCollection("c")
	var p scan.Parser
	var b Builder
	for _, d := range docs {
		doc, err := p.Parse(d.text)
		require.NoError(t, err)
		doc.Records = nil
		b.Add(c, doc, 0, d.base)
	}
	return c
}

func never() bool { return false }

// TestPlans adds documents with few layouts, in any order, with and without
// records. The profiles must be the same.
func TestPlans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SampledFrom([]int{2, 3, 8}).Draw(t, "names")
		kinds := rapid.SliceOfN(value(names), 1, 4).Draw(t, "kinds")
		var docs []any
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for range rapid.IntRange(1, 60).Draw(t, "docs") {
			docs = append(docs, vary(r, kinds[r.IntN(len(kinds))]))
		}
		placed := place(docs)
		if rapid.Bool().Draw(t, "shuffled") {
			r.Shuffle(len(placed), func(i, j int) { placed[i], placed[j] = placed[j], placed[i] })
		}
		left := rapid.SampledFrom([]float64{0, 0.1, 0.5}).Draw(t, "left out")
		sameDump(t, dump(plain(t, placed)), dump(buildWith(t, placed, func() bool { return r.Float64() < left })))
	})
}

// vary changes some of the scalars and some of the lengths of arrays.
func vary(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, m := range v {
			out[k] = vary(r, m)
		}
		return out
	case []any:
		var out []any
		for _, e := range v {
			for range []int{0, 1, 1, 1, 2}[r.IntN(5)] {
				out = append(out, vary(r, e))
			}
		}
		if out == nil {
			return []any{}
		}
		return out
	case string:
		if r.IntN(4) == 0 {
			return []string{"", "a", "1", "/api/x/12/", fmt.Sprint("/api/x/", r.IntN(300)), "urn:uuid:5", "2026-01-02", "é\"\\"}[r.IntN(8)]
		}
	case int:
		switch r.IntN(8) {
		case 0:
			return r.IntN(3000)
		case 1:
			return float64(r.IntN(5)) / 4
		case 2:
			return r.Uint64()
		}
	case bool:
		return r.IntN(2) == 0
	}
	return v
}

// TestPlansMeetNewValues gives a plan values that no earlier object had.
func TestPlansMeetNewValues(t *testing.T) {
	t.Parallel()
	for _, last := range []string{`{"a":[],"n":1}`, `{"a":[1,2,3],"n":1.5}`, `{"a":[{"b":[1]}],"n":12345678901234567890}`, `{"a":[0,0],"n":-7000000}`} {
		var docs []placed
		for i, text := range []string{`{"a":[0],"n":1}`, `{"a":[0],"n":1}`, `{"a":[0],"n":1}`, last, last, `{"a":[0],"n":1}`} {
			docs = append(docs, placed{[]byte(text), int64(100 * i)})
		}
		for range 2 {
			sameDump(t, dump(plain(t, docs)), dump(buildWith(t, docs, never)))
			docs = docs[1:]
		}
	}
}

// TestPlansOfExtendedJSON uses plans with wrapped values.
func TestPlansOfExtendedJSON(t *testing.T) {
	t.Parallel()
	var docs []*scan.Document
	for i := range 200 {
		var p scan.Parser
		d, err := p.Parse(fmt.Appendf(nil, `{"_id":{"$oid":"%024x"},"n":{"$numberLong":"%d"},"price":{"$numberDecimal":"%d.50"},"d":{"$numberDouble":"%d.0"},`+
			`"f":%d.%d,"at":{"$date":"2026-01-%02dT00:00:00Z"},"u":{"$undefined":true}}`, i/3, i%4*(1<<60), i%3, i%2, i%5, i%3, 1+i%9))
		require.NoError(t, err)
		docs = append(docs, d)
	}
	profiled := func(records bool) string {
		c := NewCollection("c")
		var b Builder
		var r recogniser
		for i, d := range docs {
			d.Records = nil
			if records {
				d.Records = r.records(d, never)
			}
			b.Add(c, d, 0, int64(1000*i))
		}
		c.Settle()
		return dump(c)
	}
	sameDump(t, profiled(false), profiled(true))
}

// TestPlansOfMaps has plans when names are dropped.
func TestPlansOfMaps(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var docs []any
	for i := range 4000 {
		m, scores := map[string]any{}, map[string]any{}
		for j := range 3 {
			name := fmt.Sprint("user-", r.IntN(2+i))
			m[name] = map[string]any{"points": r.IntN(20), fmt.Sprint("x", r.IntN(2+i)): []any{map[string]any{"a": j, "b": "c"}}}
		}
		scores[fmt.Sprint(r.IntN(1+i/2))] = 1
		doc := map[string]any{"id": i, "name": fmt.Sprint("n", r.IntN(50_000)), "state": []string{"on", "off"}[r.IntN(2)], "lines": []any{
			map[string]any{"sku": "A", "n": r.IntN(3)}, map[string]any{"sku": "B", "scores": scores, "of": map[string]any{"x": i % 5}},
		}}
		if i%3 == 0 {
			doc["users"] = m
		}
		docs = append(docs, doc)
	}
	placed := place(docs)
	want := plain(t, placed)
	require.True(t, want.Root.Object.Field("users").Object.Sampled())
	require.True(t, want.Root.Object.Field("lines").Array.Elem.Object.Field("scores").Object.Sampled())
	sameDump(t, dump(want), dump(buildWith(t, placed, never)))
}

// TestPlansOfRealData adds real documents, in order and shuffled.
func TestPlansOfRealData(t *testing.T) {
	t.Parallel()
	eachCollection(t, func(t *testing.T, documents []placed) {
		sameDump(t, dump(plain(t, documents)), dump(buildWith(t, documents, never)))
		r := rand.New(rand.NewPCG(5, uint64(len(documents))))
		r.Shuffle(len(documents), func(i, j int) { documents[i], documents[j] = documents[j], documents[i] })
		sameDump(t, dump(plain(t, documents)), dump(buildWith(t, documents, never)))
	})
}

// TestPlansDoNotAllocate adds documents that contain nothing new, with layouts.
func TestPlansDoNotAllocate(t *testing.T) {
	placed := orders(500)
	docs := parsed(t, placed)
	var r recogniser
	for _, d := range docs {
		d.Records = r.records(d, never)
	}
	c := NewCollection("orders")
	var b Builder
	file := uint32(0)
	add := func() {
		for i, d := range docs {
			b.Add(c, d, file, placed[i].base)
		}
		file++
	}
	add()
	add()
	assert.NotZero(t, b.steps)
	assert.Zero(t, testing.AllocsPerRun(10, add))
}
