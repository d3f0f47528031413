package scan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSyntaxErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src     string
		offset  int
		message string
	}{
		{"", 0, "expected a value, found the end of the text"},
		{" \n", 2, "expected a value, found the end of the text"},
		{`{"a":1} x`, 8, "expected nothing after the document, found 'x'"},
		{`{"a":tru}`, 5, "expected a value, found 'tru'"},
		{`{"a":[1,2`, 9, "the text ends inside the array opened at offset 5"},
		{`{"a":{`, 6, "the text ends inside the object opened at offset 5"},
		{`{"a`, 3, "the text ends inside the string opened at offset 1"},
		{`{"a":"b\`, 8, "the text ends inside the string opened at offset 5"},
		{`{"a" 1}`, 5, "expected ':' after a member's name, found '1'"},
		{`{"a":1 "b":2}`, 7, `expected ',' or '}' after a member, found '"'`},
		{`[1 2]`, 3, "expected ',' or ']' after an element, found '2'"},
		{`[1,]`, 3, "expected an element after ',', found ']'"},
		{`{"a":1,}`, 7, "expected a member's name in double quotes after ',', found '}'"},
		{`{a:1}`, 1, "expected a member's name in double quotes or '}', found 'a'"},
		{`[NaN]`, 1, "expected a value, found 'NaN'"},
		{`['x']`, 1, `expected a value, found "'"`},
		{`[01]`, 1, "expected a number without leading zeros"},
		{`[1.]`, 3, "expected a digit after the decimal point, found ']'"},
		{`[1e]`, 3, "expected a digit in the exponent, found ']'"},
		{`[-x]`, 2, "expected a digit after '-', found 'x'"},
		{`["\q"]`, 2, `expected one of "\/bfnrtu after a backslash, found 'q'`},
		{`["\u12g4"]`, 2, `expected four hexadecimal digits after \u`},
		{"[\"a\nb\"]", 3, "expected no control character in a string, found the control character 0x0A"},
		{"[\"a\xff\"]", 3, "expected UTF-8 in a string, found the byte 0xFF, which is not UTF-8"},
		{"[\"\xed\xa0\x80\"]", 2, "expected UTF-8 in a string, found the byte 0xED, which is not UTF-8"},
		{"\ufeff{}", 0, "expected a value, found a byte order mark"},
		{"[\u200b]", 1, "expected a value, found U+200B"},
		{"[averyverylongwordindeed_yes]", 1, "expected a value, found 'averyverylongwordind…'"},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			t.Parallel()
			var p Parser
			doc, err := p.Parse([]byte(test.src))
			assert.Nil(t, doc)
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.Equal(t, test.offset, syntax.Offset)
			assert.Equal(t, test.message, syntax.Message)
		})
	}
}

func TestParseNext(t *testing.T) {
	t.Parallel()
	src := []byte(" {\"a\":1}\n[2] 3 x")
	var p Parser
	var got []string
	at := 0
	for range 3 {
		doc, end, err := p.ParseNext(src, at)
		require.NoError(t, err)
		got = append(got, string(doc.Raw(0)))
		at = end
	}
	assert.Equal(t, []string{`{"a":1}`, "[2]", "3"}, got)
	_, end, err := p.ParseNext(src, at)
	assert.EqualError(t, err, "offset 15: expected a value, found 'x'")
	assert.Equal(t, 15, end)
}

func TestStrings(t *testing.T) {
	t.Parallel()
	// Strings of every length around the word size, with a special character at
	// every place.
	var p Parser
	for length := range 20 {
		for at := range length {
			for _, special := range []string{`\n`, `\"`, `\\`, "é", "\u007f", " ", "~"} {
				body := strings.Repeat("x", at) + special + strings.Repeat("y", length-at)
				doc, err := p.Parse([]byte(`["` + body + `",""]`))
				require.NoError(t, err, body)
				assert.Equal(t, body, string(doc.Text(1)))
				assert.Equal(t, special[0] == '\\', doc.Tokens[1].Flags&Escaped != 0)
			}
			for _, bad := range []string{"\x00", "\x1f", "\xff", "\xc3", `\x`} {
				body := strings.Repeat("x", at) + bad + strings.Repeat("y", length-at)
				_, err := p.Parse([]byte(`["` + body + `"]`))
				var syntax *SyntaxError
				require.ErrorAs(t, err, &syntax, body)
				assert.Equal(t, 2+at, syntax.Offset, body)
			}
		}
	}
}

func TestTape(t *testing.T) {
	t.Parallel()
	var p Parser
	doc, err := p.Parse([]byte(` {"a":[1,{"b":2.5}],"\u0061":"x\ty","c":[]}`))
	require.NoError(t, err)
	assert.Equal(t, []Token{
		{1, 43, 11, 3, Object, 0},
		{2, 5, 3, 4, String, Key},
		{6, 19, 7, 2, Array, 0},
		{7, 8, 7, 8, Number, 0},
		{9, 18, 7, 1, Object, 0},
		{10, 13, 11, 12, String, Key},
		{14, 17, 14, 17, Number, Float},
		{20, 28, 21, 27, String, Key | Escaped},
		{29, 35, 30, 34, String, Escaped},
		{36, 39, 37, 38, String, Key},
		{40, 42, 11, 0, Array, 0},
	}, doc.Tokens)
	v, ok := doc.Get(0, "a")
	assert.True(t, ok, "the last of two equal names counts")
	assert.Equal(t, "x\ty", doc.String(v))
	_, ok = doc.Get(0, "z")
	assert.False(t, ok)
	assert.Equal(t, 3, doc.Len(0))
	assert.Empty(t, doc.Text(0))
	assert.Empty(t, doc.Text(10), "an empty list")
	checkTape(t, doc)
}

func TestDepth(t *testing.T) {
	t.Parallel()
	nest := func(levels int) []byte {
		return []byte(strings.Repeat(`{"a":[`, levels/2) + strings.Repeat("]}", levels/2))
	}
	var p Parser
	doc, err := p.Parse(nest(DefaultMaxDepth))
	require.NoError(t, err)
	assert.Equal(t, len(doc.Tokens), doc.Next(0))
	_, err = p.Parse(nest(DefaultMaxDepth + 2))
	assert.ErrorContains(t, err, "arrays and objects nest deeper than 1000000 levels")

	p.MaxDepth = 4
	_, err = p.Parse(nest(4))
	require.NoError(t, err)
	_, err = p.Parse(nest(6))
	assert.EqualError(t, err, "offset 12: arrays and objects nest deeper than 4 levels")
}

func TestWarmParserDoesNotAllocate(t *testing.T) {
	text := []byte(`{"_id":{"$oid":"507f1f77bcf86cd799439011"},"at":{"$date":"2020-01-02T03:04:05Z"},
		"tags":["a","b\n","é"],"n":{"$numberDecimal":"1.10"},"b":{"$binary":{"base64":"QQ==","subType":"00"}},"x":[[1,-2.5],{}]}`)
	item := []byte(`{"Item":{"a":{"S":"x"},"b":{"L":[{"N":"1"},{"M":{"c":{"SS":["a"]}}}]}}}`)
	document := []byte(`{"name":"projects/p/databases/d/documents/c/i","fields":{"a":{"mapValue":{"fields":{"b":{"integerValue":"1"}}}}}}`)
	for _, test := range []struct {
		parser Parser
		text   []byte
	}{{Parser{}, text}, {Parser{Dialect: DynamoDB}, item}, {Parser{Dialect: Firestore}, document}} {
		allocs := testing.AllocsPerRun(100, func() {
			if _, err := test.parser.Parse(test.text); err != nil {
				t.Fatal(err)
			}
		})
		assert.Zero(t, allocs)
	}
}

func TestParseDoesNotAllocate(t *testing.T) {
	var p Parser
	text := sample("")
	_, err := p.Parse(text)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := p.Parse(text); err != nil {
			t.Fatal(err)
		}
	}))
}
