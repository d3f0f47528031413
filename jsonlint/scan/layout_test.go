package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sameAsFresh parses the text with a parser that has seen others and with a new
// one, and compares the results. It reports whether the layout was known.
func sameAsFresh(t *testing.T, p *Parser, text []byte) bool {
	t.Helper()
	fresh := Parser{MaxDepth: p.MaxDepth, Dialect: p.Dialect}
	want, wantErr := fresh.Parse(text)
	got, err := p.Parse(text)
	require.Equal(t, wantErr, err, "%q", text)
	if err != nil {
		return false
	}
	require.Equal(t, want.Ident, got.Ident)
	if len(want.Tokens) != len(got.Tokens) {
		require.Equal(t, want.Tokens, got.Tokens, "%.2000q", text)
	}
	for i := range want.Tokens {
		require.Equal(t, want.Tokens[i], got.Tokens[i], "token %d of %.2000q", i, text)
	}
	checkRecords(t, got)
	return len(got.Records) > 0
}

// checkRecords checks that records are at elements or the document.
func checkRecords(t *testing.T, d *Document) {
	t.Helper()
	elements := map[uint32]bool{0: true}
	for i := range d.Tokens {
		for _, e := range d.Elements(i) {
			elements[uint32(e)] = true
		}
	}
	for i, r := range d.Records {
		require.NotNil(t, r.Layout)
		require.Equal(t, Object, d.Tokens[r.Token].Kind)
		require.True(t, elements[r.Token])
		if i == 0 {
			require.Zero(t, r.Token)
		} else {
			require.Greater(t, r.Token, d.Records[i-1].Token)
		}
	}
}

// FuzzLayouts repeatedly reads two texts, and variations of them, with one
// parser. What the parser has learned must not affect the tape.
func FuzzLayouts(f *testing.F) {
	seeds := []string{
		`{"a":1,"b":{"c":[true,false,null],"d":{}},"e":"x","f":null}`,
		`{"a":-1.5e3,"b":{"c":[],"d":{}},"e":"y\n","f":null}`,
		`{"a":[{"b":1,"c":[{"d":"x"}]},{"b":2,"c":[]},[{"b":3}],"s",4],"z":true}`,
		`{"_id":{"$oid":"507f1f77bcf86cd799439011"},"n":{"$numberLong":"12"},"d":{"$date":{"$numberLong":"-5"}},"e":{"$date":"2020-01-02"}}`,
		`{"_id":{"$oid":"507f1f77bcf86cd79943901"},"n":{"$numberDouble":"1.5"},"d":{"$date":5},"t":{"$timestamp":{"t":1,"i":2}},"m":{"$minKey":1}}`,
		`{ "a" : "é", "a" : "ü" , "" : [ [ 1 , 2 ] , [ ] ] }`, `{"a":1}{"a":2}`, `{"a":"` + "\xff" + `"}`, `{"a":"` + "\x01" + `"}`, `{"a":01}`, `{"a":tru}`,
		`{"$oid":1}`, `{"":1}`, `{}`, `[{"a":1}]`, `{"a":[1,]}`, `{"a":[{"b":1}`, `{"a":{"$regex":"x","$options":"i"},"b":{"$binary":{"base64":"AA==","subType":"00"}}}`,
	}
	for i, s := range seeds {
		f.Add([]byte(s), []byte(seeds[(i+1)%len(seeds)]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		p := Parser{MaxDepth: 1000}
		around := func(text []byte) []byte { // with arrays around it, so that it is an element
			return append(append([]byte(`{"x":[`), text...), `,{"y":[0]}],"z":"a text of more than eight bytes"}`...)
		}
		for range 3 {
			for _, text := range [][]byte{a, b, a, b[:len(b)/2], around(a), around(b), around(append(append(a[:len(a):len(a)], ','), b...))} {
				sameAsFresh(t, &p, text)
				sameAsFresh(t, &p, text)
			}
		}
		// Several documents in one text.
		several := append(append(append(a[:len(a):len(a)], '\n'), b...), a...)
		for from := 0; ; {
			var fresh Parser
			want, wantEnd, wantErr := fresh.ParseNext(several, from)
			got, end, err := p.ParseNext(several, from)
			require.Equal(t, wantErr, err)
			require.Equal(t, wantEnd, end)
			if err != nil {
				return
			}
			require.Equal(t, want.Tokens, got.Tokens)
			from = end
		}
	})
}

// A writer writes documents whose structure repeats, with occasional
// differences.
type writer struct {
	*rand.Rand
	space string
}

func (w *writer) value(depth int) string {
	switch k := w.IntN(16); {
	case k < 4:
		return []string{`"x"`, `"a longer text, in which there is é"`, `"with \"escapes\" \u00e9"`, `""`, `"507f1f77bcf86cd799439011"`}[w.IntN(5)]
	case k < 6:
		return []string{`0`, `-12`, `3.25`, `1e9`, `123456789012`}[w.IntN(5)]
	case k < 7:
		return []string{`true`, `false`, `null`}[w.IntN(3)]
	case k < 9:
		return []string{
			`{"$oid":"507f1f77bcf86cd799439011"}`, `{"$oid":"507f1f77bcf86cd79943901"}`, `{"$numberLong":"12"}`, `{"$date":{"$numberLong":"-5"}}`,
			`{"$date":"2020-01-02T03:04:05Z"}`, `{"$numberDouble":"NaN"}`, `{"$numberDecimal":"1.50"}`, `{"$timestamp":{"t":1,"i":2}}`, `{"$minKey":1}`, `{"$date":5}`,
		}[w.IntN(10)]
	case k < 11 && depth < 6:
		var elements []string
		for range w.IntN(4) {
			elements = append(elements, w.value(depth+1))
		}
		return "[" + strings.Join(elements, ","+w.space) + "]"
	case depth < 6:
		return w.object(depth + 1)
	}
	return `{}`
}

func (w *writer) object(depth int) string {
	var members []string
	for i := range w.IntN(5) {
		members = append(members, fmt.Sprintf(`"%s":%s%s`, []string{"a", "name", "a name that is rather long", `\u0061`, ""}[(i+w.IntN(2))%5], w.space, w.value(depth)))
	}
	return "{" + w.space + strings.Join(members, ","+w.space) + "}"
}

// vary mostly changes values in the text.
func (w *writer) vary(text string) string {
	b := []byte(text)
	for range 3 {
		if len(b) == 0 {
			break
		}
		switch i := w.IntN(len(b)); {
		case b[i] >= '0' && b[i] <= '9':
			b[i] = byte('0' + w.IntN(10))
		case b[i] >= 'a' && b[i] <= 'z' && w.IntN(8) == 0:
			b[i] = byte('a' + w.IntN(26))
		case b[i] == 'x':
			b = slices.Insert(b, i, []byte("yes ")[:w.IntN(5)]...)
		case w.IntN(60) == 0:
			b[i] = byte(w.IntN(256))
		case w.IntN(60) == 0:
			b = b[:i]
		case w.IntN(60) == 0:
			b = slices.Delete(b, i, min(i+1+w.IntN(3), len(b)))
		}
	}
	return string(b)
}

func TestLayoutsLeaveTheTapeAsItIs(t *testing.T) {
	t.Parallel()
	known := 0
	for seed := range uint64(150) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 1)), space: []string{"", " ", "\n  "}[seed%3]}
		var p Parser
		var kinds []string
		for range 4 {
			kinds = append(kinds, fmt.Sprintf(`{"_id":%d,"elements":[%s,%s,%s],"object":%s,"last":%s}`, w.IntN(100), w.object(2), w.object(2), w.value(2), w.object(1), w.value(1)))
		}
		for range 120 {
			text := kinds[w.IntN(len(kinds))]
			if w.IntN(3) > 0 {
				text = w.vary(text)
			}
			if sameAsFresh(t, &p, []byte(text)) {
				known++
			}
		}
	}
	assert.Greater(t, known, 10000)
}

func TestLayoutsOfElements(t *testing.T) {
	t.Parallel()
	var p Parser
	read := func(text string) []string {
		d, err := p.Parse([]byte(text))
		require.NoError(t, err)
		checkRecords(t, d)
		var out []string
		for _, r := range d.Records {
			out = append(out, fmt.Sprintf("%d %s", r.Layout.ID, d.Raw(int(r.Token))))
		}
		return out
	}
	for range 4 {
		read(`{"a":[{"b":1},{"c":"x"},[{"d":[]}]],"e":{"f":true}}`)
	}
	known := read(`{"a":[{"b":-2.5},{"c":"\n"},{"new":1},[{"d":[0]}],7],"e":{"f":false}}`)
	require.Len(t, known, 4)
	var ids, texts []string
	for _, k := range known {
		id, text, _ := strings.Cut(k, " ")
		ids, texts = append(ids, id), append(texts, text)
	}
	assert.Equal(t, []string{`{"b":-2.5}`, `{"c":"\n"}`, `{"d":[0]}`}, texts[1:])
	slices.Sort(ids)
	assert.Len(t, slices.Compact(ids), 4, "layouts of different structure are different")

	assert.Empty(t, read(`{"a":[{"b":1}],"e":{"f":null}}`), "another kind is another layout")
	assert.Empty(t, read(`{"a" :[{"b":1}],"e":{"f":true}}`), "and so are other spaces")
}

func TestLayoutsAreKeptOutOfPartsAndOtherDialects(t *testing.T) {
	t.Parallel()
	text := []byte(`{"Item":{"a":{"L":[{"M":{"b":{"S":"x"}}}]}}}`)
	typed, plain := Parser{Dialect: DynamoDB}, Parser{}
	for range 5 {
		assert.False(t, sameAsFresh(t, &typed, text))
		sameAsFresh(t, &plain, text)
	}
	d, err := plain.Parse(text)
	require.NoError(t, err)
	require.NotEmpty(t, d.Records)
	part := Document{Records: d.Records}
	d.Sub(2, &part)
	assert.Empty(t, part.Records)
	shallow := Parser{MaxDepth: 10}
	for range 5 {
		assert.False(t, sameAsFresh(t, &shallow, text))
	}
}

// Values that are read separately must survive when the tape grows meanwhile.
func TestLayoutsOnAGrowingTape(t *testing.T) {
	t.Parallel()
	for members := range 200 {
		var b strings.Builder
		for i := range members {
			fmt.Fprintf(&b, `"m%d":"text","t%d":{"$timestamp":{"t":1,"i":2}},"l%d":[[{"x":1}]],`, i, i, i)
		}
		text := `{` + b.String() + `"z":0}`
		var p Parser
		for range 3 {
			sameAsFresh(t, &p, []byte(text))
		}
		p.doc.Tokens, p.doc.Records = nil, nil
		assert.True(t, sameAsFresh(t, &p, []byte(text)))
	}
}

func TestLayoutsDoNotAllocate(t *testing.T) {
	var p Parser
	var texts [][]byte
	for i := range 50 {
		texts = append(texts, fmt.Appendf(nil, `{"_id":{"$oid":"%024x"},"n":%d,"name":"%s","list":[{"a":%d},{"b":["x","y"]}],"at":{"$date":"2020-01-02"},"t":{"$timestamp":{"t":%d,"i":1}}}`, i, i, strings.Repeat("n", i), i, i))
	}
	read := func() {
		for _, text := range texts {
			if _, err := p.Parse(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 50 {
		read()
	}
	assert.Zero(t, testing.AllocsPerRun(20, read))
	d, err := p.Parse(texts[0])
	require.NoError(t, err)
	assert.Len(t, d.Records, 3)
}

// However much documents differ, what is learned stays bounded.
func TestLayoutsAreBounded(t *testing.T) {
	t.Parallel()
	var p Parser
	for i := range 20000 {
		text := fmt.Appendf(nil, `{"a":[{"n%d":1,"%s":{"x":[1]}}],"f%d":{"g%d":"x"},"n%d":null}`, i%5000, strings.Repeat("name", i%300), i%77, i%7000, i)
		for range 2 {
			if _, err := p.Parse(text); err != nil {
				t.Fatal(err)
			}
			p.layouts.budget = maxBudget
			p.layouts.root.trust = trust{}
		}
	}
	assert.LessOrEqual(t, p.layouts.memory, maxMemory+maxLiteral*30)
	assert.LessOrEqual(t, p.layouts.count, uint32(maxLayouts))
}

func TestLayoutsOfFixtures(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("../../testdata/accuracy/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	var all Parser // one that reads everything
	known := map[string]int{}
	for _, dir := range dirs {
		var p Parser
		files, err := filepath.Glob(dir + "/*.jsonl")
		require.NoError(t, err)
		for _, file := range append(files, files...) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for doc := range bytes.Lines(text) {
				sameAsFresh(t, &all, doc)
				if sameAsFresh(t, &p, doc) {
					known[filepath.Base(file)]++
				}
			}
		}
	}
	assert.Greater(t, known["Observation.jsonl"], 100, "of 160")
}
