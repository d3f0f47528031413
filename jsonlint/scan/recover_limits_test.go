package scan

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRecoverJSON5(t *testing.T) {
	t.Parallel()
	src := "// settings\n[{a: 'x', \"b\": .5, c: [+1, NaN,], /* two */},]"
	docs, diagnostics := Recoverer{JSON5: true}.Recover([]byte(src))
	assert.Empty(t, diagnostics)
	assert.Equal(t, `{a:"x" b:.5 c:[1 NaN]}`, renderAll(docs))
	_, diagnostics = Recover([]byte(src))
	assert.Len(t, diagnostics, 11)
}

func TestRecoverDialect(t *testing.T) {
	t.Parallel()
	docs, diagnostics := Recoverer{Dialect: DynamoDB}.Recover([]byte(`{"Item":{"a":{"S":"x"},"n":{"N":"1"},}}` + "\n" + `{"Item":{"a":{"L":[]}}}`))
	assert.Equal(t, "trailing-comma@36-37", codes(diagnostics))
	assert.Equal(t, `{a:"x" n:1} {a:[]}`, renderAll(docs))
}

func TestRecoverKeepsOffsets(t *testing.T) {
	t.Parallel()
	src := []byte("Post:\n{\"a\": [1 {\"$numberInt\":\"12\"}]}")
	docs, _ := Recover(src)
	require.Len(t, docs, 1)
	d := &docs[0].Doc
	assert.Equal(t, "post", docs[0].Label)
	assert.Equal(t, `{"a": [1 {"$numberInt":"12"}]}`, string(d.Raw(0)))
	assert.Equal(t, `{"$numberInt":"12"}`, string(d.Raw(4)))
	assert.Equal(t, "12", string(d.Text(4)))
	assert.Equal(t, Number, d.Tokens[4].Kind)
}

func TestDiagnosticsNameWhatWasOpened(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src    string
		opened int
	}{
		{`{"a":{"b":1,`, 5},
		{`{"a":[1,`, 5},
		{`{"a":"x`, 5},
		{`{"a":1, /* x`, 8},
		{`[{"a":1},`, 0},
		{`{"a":[1}`, 5},
		{`{"a":"x, "b":1}`, 5},
		{`{"a":1]}`, -1},
	}
	for _, test := range tests {
		_, diagnostics := Recover([]byte(test.src))
		require.Len(t, diagnostics, 1, test.src)
		assert.Equal(t, test.opened, diagnostics[0].Opened, test.src)
	}
}

func TestDiagnosticsAreLimited(t *testing.T) {
	t.Parallel()
	document := `{"a":[` + strings.Repeat("+1,", 30) + "2]}"
	_, diagnostics := Recover([]byte(document + "\n" + document))
	require.Len(t, diagnostics, 2*(maxPerDocument+1))
	more := diagnostics[maxPerDocument]
	assert.Equal(t, CodeMore, more.Code)
	assert.Equal(t, len(document), more.Start)
	assert.Equal(t, "and 10 more", more.Message)

	_, diagnostics = Recover([]byte(strings.Repeat("1\n", 500)))
	require.Len(t, diagnostics, maxBetween+1)
	assert.Equal(t, "and 300 more", diagnostics[maxBetween].Message)
}

// A document in shell syntax has one diagnostic for that, even if many unquoted
// names precede the first value that shows it.
func TestShellSyntaxReplacesStyle(t *testing.T) {
	t.Parallel()
	_, diagnostics := Recover([]byte("{" + strings.Repeat("a: 'x', ", 50) + `id: ObjectId("507f1f77bcf86cd799439011"), b: +1}`))
	require.Len(t, diagnostics, 2)
	assert.Equal(t, CodeMongoShell, diagnostics[0].Code)
	assert.Contains(t, diagnostics[0].Message, "mongo shell syntax")
	assert.Equal(t, CodeNumber, diagnostics[1].Code)
}

func TestMessagesStayPrintableAndShort(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		strings.Repeat("x", 1<<16),
		`{"a": ` + strings.Repeat("y", 1<<16) + "}",
		`{"` + strings.Repeat("é", 1<<16) + ": 1}",
		"{\"a\": \x1b[31m\xff}",
		"\x1b[31m\xff\u202e",
	} {
		_, diagnostics := Recover([]byte(src))
		assert.NotEmpty(t, diagnostics)
		checkDiagnostics(t, []byte(src), diagnostics)
	}
}

func TestRecoverDeep(t *testing.T) {
	t.Parallel()
	const levels = 200_000
	deep := `{"a":` + strings.Repeat("[", levels) + "1," + strings.Repeat("]", levels) + "}"
	docs, diagnostics := Recover([]byte(deep))
	assert.Len(t, docs, 1)
	assert.Len(t, diagnostics, 1)

	docs, diagnostics = Recoverer{MaxDepth: 100}.Recover([]byte(deep + "\n{\"b\":1}"))
	assert.Equal(t, `{b:1}`, renderAll(docs))
	assert.Equal(t, "too-deep@104-105 unreadable@0-400008", codes(diagnostics[1:])+" "+codes(diagnostics[:1]))

	docs, diagnostics = Recoverer{MaxDepth: 100}.Recover([]byte(strings.Repeat("[", levels)))
	assert.Empty(t, docs)
	assert.Equal(t, CodeTooDeep, diagnostics[1].Code)
}

// Each of these texts is damaged from end to end. A quadratic algorithm would
// take minutes on them.
func TestRecoverIsLinear(t *testing.T) {
	t.Parallel()
	const size = 1 << 19
	for _, unit := range []string{
		"[", "{", `{"a":`, `{"":1`, `"`, "'", "{a", "{{\n", "\\\"a\n", `["a,`, `{"a:"a:`, `a"b"c`, "[/a,", "[Date(],", "}", "]}", ",",
		"...", "\x00", "\xff", "/*", "# a\n", "Post documents:\n", `{"a":"b"c"d`, "{'a':'it's", "{“a", "1,", "{}[", "\"a\n", `{"a":{"b":1]`, " ", ":",
	} {
		for _, before := range []string{"", `{"a":["`} {
			text := []byte(before + strings.Repeat(unit, size/len(unit)))
			start := time.Now()
			_, diagnostics := Recover(text)
			assert.Less(t, time.Since(start), 30*time.Second, "%q", unit)
			assert.NotEmpty(t, diagnostics, "%q", unit)
		}
	}
}

// Adding or removing one byte does not make several documents of one, and what
// remains keeps its shape.
func TestOneByteOfDamage(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(string(sample("")), "\n", "")
	whole, diagnostics := Recover([]byte(text))
	require.Empty(t, diagnostics)
	require.Len(t, whole, 1)
	kept, broken := 0, 0
	for at := 0; at < len(text); at += 3 {
		for _, damage := range []string{"", "{", "}", "[", "]", `"`, ","} {
			src := []byte(text[:at] + damage + text[at:])
			if damage == "" {
				src = []byte(text[:at] + text[at+1:])
			}
			docs, diagnostics := Recover(src)
			checkDiagnostics(t, src, diagnostics)
			require.LessOrEqual(t, len(docs), 1, "%s", src)
			if len(diagnostics) > 0 {
				broken++
				kept += len(docs)
			}
			for i := range docs {
				checkTape(t, &docs[i].Doc)
			}
		}
	}
	assert.Greater(t, kept, broken/2)
}
