package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMalformed requires a diagnostic that says what is wrong with a value that
// was meant as Extended JSON.
func TestMalformed(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, message, at string }{
		{`{"$oid":42}`, `$oid must be 24 hexadecimal digits in quotes, not 42`, `42`},
		{`{"$oid":"507f"}`, `$oid must be 24 hexadecimal digits in quotes, not "507f"`, `"507f"`},
		{`{"$oid":"507f1f77bcf86cd79943901g"}`, `$oid must be 24 hexadecimal digits in quotes, not "507f1f77bcf86cd79943901g"`, `"507f1f77bcf86cd79943901g"`},
		{`{"$oid":{"$oid":"507f1f77bcf86cd799439011"}}`, `$oid must be 24 hexadecimal digits in quotes, not an object`, `{"$oid":"507f1f77bcf86cd799439011"}`},
		{`{"$oid":"507f1f77bcf86cd799439011","x":1}`, `"x" is beside $oid, which must be alone in its object`, `"x"`},
		{`{"x":1,"$oid":"507f1f77bcf86cd799439011"}`, `"x" is beside $oid, which must be alone in its object`, `"x"`},
		{`{"x":[{}],"$oid":"507f1f77bcf86cd799439011"}`, `"x" is beside $oid, which must be alone in its object`, `"x"`},
		{`{"$oid":"507f1f77bcf86cd799439011","x":1,"y":2}`, `"x" is beside $oid, which must be alone in its object`, `"x"`},
		{`{"$numberInt":"twelve"}`, `$numberInt must be an integer of 32 bits in quotes, not "twelve"`, `"twelve"`},
		{`{"$numberInt":"2147483648"}`, `$numberInt must be an integer of 32 bits in quotes, not "2147483648"`, `"2147483648"`},
		{`{"$numberLong":"9223372036854775808"}`, `$numberLong must be an integer of 64 bits in quotes, not "9223372036854775808"`, `"9223372036854775808"`},
		{`{"$numberDouble":1.5}`, `$numberDouble must be a number in quotes, not 1.5`, `1.5`},
		{`{"$numberDecimal":"1.2.3"}`, `$numberDecimal must be a number of up to 34 digits in quotes, not "1.2.3"`, `"1.2.3"`},
		{`{"$numberDecimal":"1e9999"}`, `$numberDecimal must be a number of up to 34 digits in quotes, not "1e9999"`, `"1e9999"`},
		{`{"$date":"yesterday"}`, `$date must be a date, not "yesterday"`, `"yesterday"`},
		{`{"$date":"2020-13-01T00:00:00Z"}`, `$date must be a date, not "2020-13-01T00:00:00Z"`, `"2020-13-01T00:00:00Z"`},
		{`{"$date":"2020-12-32"}`, `$date must be a date, not "2020-12-32"`, `"2020-12-32"`},
		{`{"$date":"2020-12-31T25:00"}`, `$date must be a date, not "2020-12-31T25:00"`, `"2020-12-31T25:00"`},
		{`{"$date":null}`, `$date must be a date, not null`, `null`},
		{`{"$date":{"$numberLong":"x"}}`, `$numberLong must be an integer of 64 bits in quotes, not "x"`, `"x"`},
		{`{"$binary":{"base64":"Q?==","subType":"00"}}`, `$binary must be base64 with a subtype, not an object`, `{"base64":"Q?==","subType":"00"}`},
		{`{"$binary":{"base64":"QQ==","subType":"xx"}}`, `$binary must be base64 with a subtype, not an object`, `{"base64":"QQ==","subType":"xx"}`},
		{`{"$binary":"QQ=","$type":7}`, `$binary and $type are not a valid value together`, `{"$binary":"QQ=","$type":7}`},
		{`{"$uuid":"73ffd264-44b3"}`, `$uuid must be a UUID, not "73ffd264-44b3"`, `"73ffd264-44b3"`},
		{`{"$timestamp":{"i":2}}`, `$timestamp must be the whole numbers t and i, not an object`, `{"i":2}`},
		{`{"$timestamp":{"t":-1,"i":2}}`, `$timestamp must be the whole numbers t and i, not an object`, `{"t":-1,"i":2}`},
		{`{"$minKey":2}`, `$minKey must be 1, not 2`, `2`},
		{`{"$undefined":false}`, `$undefined must be true, not false`, `false`},
		{`{"$code":[]}`, `$code must be a string, not an array`, `[]`},
		{`{"$dbPointer":{"$ref":"b"}}`, `$dbPointer must be $ref and $id, not an object`, `{"$ref":"b"}`},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			t.Parallel()
			wrong := func(found []Diagnostic, src string) {
				require.Len(t, found, 1)
				assert.Equal(t, CodeExtended, found[0].Code)
				assert.Equal(t, test.message, found[0].Message)
				assert.Equal(t, test.at, src[found[0].Start:found[0].End])
			}
			var p Parser
			for n := range 8 { // so that the structure repeats
				src := fmt.Sprintf(`{"n":%d,"a":%s,"ok":{"$oid":"507f1f77bcf86cd799439011"}}`, n, test.src)
				doc, err := p.Parse([]byte(src))
				require.NoError(t, err)
				wrong(doc.Malformed, src)
				checkTape(t, doc)
			}
			lists := strings.Repeat(`{"ok":1},`, 8)
			src := `{"list":[` + lists + lists + `{"ok":` + test.src + `},` + lists + `{"ok":1}]}`
			for range 4 {
				doc, err := p.Parse([]byte(src))
				require.NoError(t, err)
				wrong(doc.Malformed, src)
			}

			src = `{"a":` + test.src + `,}`
			docs, diagnostics := Recover([]byte(src))
			require.Len(t, docs, 1)
			require.Len(t, diagnostics, 2)
			wrong(diagnostics[:1], src)

			src = "text\n" + `{"a":` + test.src + `}`
			_, diagnostics = Recover([]byte(src))
			require.Len(t, diagnostics, 2)
			wrong(diagnostics[1:], src)
		})
	}
}

// TestNotMeantAsExtendedJSON requires silence where names with a dollar sign
// belong to something else.
func TestNotMeantAsExtendedJSON(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`{"$gt":5}`, `{"$in":[1]}`, `{"$set":{"a":1}}`, `{"$regex":"a"}`, `{"$regex":1,"$options":2}`, `{"$type":"string"}`, `{"$type":2,"$exists":true}`,
		`{"$ref":"#/definitions/a"}`, `{"$id":"x","$schema":"y"}`, `{"$ref":"users","$id":{"$oid":"507f1f77bcf86cd799439011"}}`,
		`{"$ref":"users","$id":1,"$db":"x"}`, `{"$scope":1}`, `{"$base64":1}`, `{"$options":1}`,
		`{"$binary":"QQ=="}`, `{"$binary":{"base64":"Q\/8=","subType":"00"}}`, `{"$binary":{"base64":"QQ","subType":"0"}}`,
		`{"$date":1}`, `{"$date":-1}`, `{"$date":"2014-02-01T00:00:00.000-0500"}`, `{"$date":"2012-12-19 06:01:17.171Z"}`, `{"$date":"2020-01-02"}`,
		`{"$date":{"$numberLong":"-62135596800000"}}`, `{"$date":"2020\u002d01-02"}`,
		`{"$oid":"\u0035\u00307f1f77bcf86cd799439011"}`, `{"\u0024oid":1}`,
		`{"$dbPointer":{"$ref":"b","$id":{"$oid":"507f1f77bcf86cd799439011"}}}`,
		`{"$code":"US","$name":"x"}`, `{"$timestamp":1,"$event":"x","y":2}`, `{"$":1}`, `{"":1}`, `{"$oids":1}`,
		`{"$numberDecimal":"-.5E-3"}`, `{"$numberDecimal":"0E+99999"}`, `{"$numberDecimal":"1000000000000000000000000000000000000000"}`,
	} {
		var p Parser
		doc, err := p.Parse([]byte(`{"a":` + src + `}`))
		require.NoError(t, err, src)
		assert.Empty(t, doc.Malformed, src)
	}
	var p Parser
	doc, err := p.Parse([]byte(`{"$code":42}`))
	require.NoError(t, err)
	assert.Empty(t, doc.Malformed, "a document is no value")
}

// TestMalformedByDamage requires a single diagnostic for a superfluous quote.
func TestMalformedByDamage(t *testing.T) {
	t.Parallel()
	_, diagnostics := Recover([]byte(`{"_id":{"$oid":"59a47286cfa9a3a73e51e740"oops"},"a":1}`))
	require.Len(t, diagnostics, 1)
	assert.Equal(t, CodeUnescapedQuote, diagnostics[0].Code)
}

// TestMalformedIsBounded checks that diagnostics of millions of values are not
// kept.
func TestMalformedIsBounded(t *testing.T) {
	t.Parallel()
	var p Parser
	doc, err := p.Parse([]byte(`{"a":[` + strings.Repeat(`{"$oid":42},`, 100) + `1]}`))
	require.NoError(t, err)
	require.Len(t, doc.Malformed, maxPerDocument+1)
	assert.Equal(t, "and 80 more", doc.Malformed[maxPerDocument].Message)
}
