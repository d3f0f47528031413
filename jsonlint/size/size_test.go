package size

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

func size(t require.TestingT, db, text string) int64 {
	var parser scan.Parser
	doc, err := parser.Parse([]byte(text))
	require.NoError(t, err)
	return Of(db, doc, 0)
}

func TestSize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		db, text string
		want     int64
	}{
		{"generic", ` { "a" : [ 1 , 2.50 ] , "b" : null } `, int64(len(`{"a":[1,2.50],"b":null}`))},
		{"cosmosdb", `{"a":"\u00e9\/\n\u0001\ud83d\ude00\""}`, int64(len(`{"a":"é/\n\u0001😀\""}`))},
		{"couchbase", `{"id": {"$oid": "64b7f3c2a1d2e3f405060708"}}`, int64(len(`{"id":{"$oid":"64b7f3c2a1d2e3f405060708"}}`))},
		{"generic", `[]`, 2},
		{"generic", `[[],{}]`, 7},

		// bsonspec.org's own example: 0x16 bytes.
		{"mongodb", `{"hello": "world"}`, 22},
		// Its second one, {"BSON": ["awesome", 5.05, 1986]}: 0x31 bytes.
		{"mongodb", `{"BSON": ["awesome", 5.05, 1986]}`, 49},
		{"mongodb", `{}`, 5},
		{"mongodb", `{"a":1}`, 12},
		{"mongodb", `{"a":2147483647}`, 12},
		{"mongodb", `{"a":2147483648}`, 16},
		{"mongodb", `{"a":-2147483648}`, 12},
		{"mongodb", `{"a":1.0}`, 16},
		{"mongodb", `{"a":{"$numberInt":"1"}}`, 12},
		{"mongodb", `{"a":{"$numberLong":"1"}}`, 16},
		{"mongodb", `{"a":{"$numberDouble":"1"}}`, 16},
		{"mongodb", `{"a":{"$numberDecimal":"1.10"}}`, 24},
		{"mongodb", `{"a":true}`, 9},
		{"mongodb", `{"a":null}`, 8},
		{"mongodb", `{"_id":{"$oid":"64b7f3c2a1d2e3f405060708"}}`, 22},
		{"mongodb", `{"a":{"$date":"2024-01-01T00:00:00Z"}}`, 16},
		{"mongodb", `{"a":{"$binary":{"base64":"aGVsbG8=","subType":"00"}}}`, 8 + 5 + 5},
		{"mongodb", `{"a":{"$uuid":"123e4567-e89b-12d3-a456-426614174000"}}`, 8 + 5 + 16},
		{"mongodb", `{"a":{"$minKey":1}}`, 8},
		{"mongodb", `{"a":"\u00e9"}`, 8 + 4 + 2 + 1},
		{"mongodb", `{"a":[0,0,0,0,0,0,0,0,0,0,0]}`, 8 + 5 + 11*(2+4) + 10 + 2},

		// Name and value; for the list, 3 bytes and one per element.
		{"dynamodb", `{"pk":"a","n":12345,"ok":true}`, 2 + 1 + 1 + 1 + 3 + 2 + 1},
		{"dynamodb", `{"l":["ab",null]}`, 1 + 3 + 2 + 2 + 1},
		{"dynamodb", `{"m":{"k":"v"}}`, 1 + 3 + 1 + 1 + 1},
		{"dynamodb", `{"n":-1200}`, 1 + 1 + 1 + 1},
		{"dynamodb", `{"n":0.0010203}`, 1 + 1 + 3},
		{"dynamodb", `{"n":1e10}`, 1 + 1 + 1},
		{"dynamodb", `{"b":{"$binary":{"base64":"aGVsbG8=","subType":"00"}}}`, 1 + 5},
		{"dynamodb", `{}`, 0},

		// The fields in the example of Firestore's documentation: type and
		// description are strings, done a boolean, priority an integer.
		{"firestore", `{"type":"Personal","done":false,"priority":1,"description":"Learn Cloud Firestore"}`, 14 + 6 + 17 + 34 + 32 + 16},
		{"firestore", `{"a":[1,"x"],"m":{"k":null},"d":{"$date":"2024-01-01T00:00:00Z"}}`, 16 + 32 + 2 + 8 + 2 + 2 + 32 + 2 + 1 + 2 + 8},
	} {
		assert.Equal(t, c.want, size(t, c.db, c.text), "%s %s", c.db, c.text)
	}
}

func TestSizeOfPartsAddsUp(t *testing.T) {
	t.Parallel()
	var parser scan.Parser
	doc, err := parser.Parse([]byte(`{"post":"p1","comments":[{"id":1,"text":"nice"},{"id":2,"text":"caf\u00e9"}]}`))
	require.NoError(t, err)
	comments, ok := doc.Get(0, "comments")
	require.True(t, ok)
	sum := int64(len(`[,]`))
	for _, element := range doc.Elements(comments) {
		sum += Of("generic", doc, element)
	}
	assert.Equal(t, sum, Of("generic", doc, comments))
	assert.Equal(t, int64(len(`{"post":"p1","comments":}`))+sum, Of("generic", doc, 0))
}

func TestSizeAllocatesNothing(t *testing.T) {
	// Not parallel: the count is for the whole process.
	var parser scan.Parser
	doc, err := parser.Parse([]byte(`{"a":[1,-5,12345678901,"caf\u00e9",{"$numberLong":"5"}],"b":{"$uuid":"123e4567-e89b-12d3-a456-426614174000"},"c":null}`))
	require.NoError(t, err)
	for _, name := range limits.Names() {
		assert.Zero(t, testing.AllocsPerRun(20, func() { Of(name, doc, 0) }), name)
	}
}

// The length of JSON text must equal that of encoding/json's output for all
// strings.
func TestJSONSizeIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var escaped strings.Builder
		escaped.WriteString(`{"k":"`)
		for _, r := range text {
			quoted, err := json.Marshal(string(r))
			require.NoError(t, err)
			if r >= 0x80 && r < 0x10000 && rapid.Bool().Draw(t, "escape") {
				escaped.WriteString(`\u`)
				const hex = "0123456789abcdef"
				for shift := 12; shift >= 0; shift -= 4 {
					escaped.WriteByte(hex[r>>shift&15])
				}
				continue
			}
			escaped.Write(quoted[1 : len(quoted)-1])
		}
		escaped.WriteString(`"}`)

		var want strings.Builder
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		require.NoError(t, encoder.Encode(map[string]string{"k": text}))
		// encoding/json escapes the two line separators because of JavaScript, with
		// six bytes for three.
		separators := strings.Count(text, "\u2028") + strings.Count(text, "\u2029")
		plain := want.Len() - len("\n") - 3*separators
		if got := size(t, "generic", escaped.String()); got != int64(plain) {
			t.Fatalf("%s: got %d, want %d", escaped.String(), got, plain)
		}
	})
}

// If a database stores the text itself, its size is that of the text with all
// escapes resolved.
func TestTextSizeIsExact(t *testing.T) {
	t.Parallel()
	piece := rapid.OneOf(rapid.StringMatching(`[ -!#-\[\]-~é語]{0,20}`), rapid.SampledFrom([]string{
		`\n`, `\\`, `\"`, `\/`, `\u0007`, `\u0041`, `\u00e9`, `\u8A9E`, `\ud83d\ude00`, `\ud83d`, `\ud83d\u0041`, `\ude00`,
	}))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		want := size(t, "mongodb", `{"k":""}`) + int64(len(scan.AppendUnescaped(nil, []byte(text))))
		require.Equal(t, want, size(t, "mongodb", `{"k":"`+text+`"}`), text)
	})
}
