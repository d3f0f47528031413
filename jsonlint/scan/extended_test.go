package scan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExtendedJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src   string
		kind  Kind
		text  string
		flags Flags
	}{
		{`{"$oid":"507f1f77bcf86cd799439011"}`, ObjectID, "507f1f77bcf86cd799439011", 0},
		{`{"$numberInt":"-12"}`, Number, "-12", 0},
		{`{"$numberLong":"12"}`, Number, "12", 0},
		{`{"$numberDouble":"1.5"}`, Number, "1.5", Float},
		{`{"$numberDouble":"NaN"}`, Number, "NaN", Float},
		{`{"$numberDouble":"-Infinity"}`, Number, "-Infinity", Float},
		{`{"$numberDecimal":"1.10"}`, Decimal, "1.10", Float},
		{`{"$numberDecimal":"1E+3"}`, Decimal, "1E+3", Float},
		{`{"$date":"2020-01-02T03:04:05.678Z"}`, Date, "2020-01-02T03:04:05.678Z", 0},
		{`{"$date":{"$numberLong":"-1"}}`, Date, "-1", 0},
		{`{"$date":1577934245678}`, Date, "1577934245678", 0},
		{`{"$binary":{"base64":"QQ==","subType":"00"}}`, Binary, "QQ==", 0},
		{`{"$binary":{"subType":"00","base64":"QQ=="}}`, Binary, "QQ==", 0},
		{`{"$binary":"QQ==","$type":"00"}`, Binary, "QQ==", 0},
		{`{"$type":"00","$binary":"QQ=="}`, Binary, "QQ==", 0},
		{`{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}`, Binary, "00112233-4455-6677-8899-aabbccddeeff", 0},
		{`{"$timestamp":{"t":1,"i":2}}`, Timestamp, `{"t":1,"i":2}`, 0},
		{`{"$regularExpression":{"pattern":"a\\d","options":"i"}}`, Special, `a\\d`, Escaped},
		{`{"$regex":"a","$options":""}`, Special, "a", 0},
		{`{"$minKey":1}`, Special, "1", 0},
		{`{"$maxKey":1}`, Special, "1", 0},
		{`{"$undefined":true}`, Null, "true", 0},
		{`{"$symbol":"a\n"}`, String, `a\n`, Escaped},
		{`{"$code":"f()"}`, String, "f()", 0},
		{`{"$code":"f()","$scope":{"x":1}}`, String, "f()", 0},
		{" { \"$oid\" : \"507f1f77bcf86cd799439011\" } ", ObjectID, "507f1f77bcf86cd799439011", 0},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			t.Parallel()
			var p Parser
			doc, err := p.Parse([]byte(`{"a":` + test.src + `,"b":[` + test.src + `]}`))
			require.NoError(t, err)
			require.Len(t, doc.Tokens, 6)
			for _, i := range []int{2, 5} {
				assert.Equal(t, test.kind, doc.Tokens[i].Kind)
				assert.Equal(t, test.text, string(doc.Text(i)))
				assert.Equal(t, test.flags|Wrapped, doc.Tokens[i].Flags)
				assert.Equal(t, byte('{'), doc.Raw(i)[0])
				assert.Equal(t, 1, doc.Len(4))
			}
			checkTape(t, doc)
		})
	}
}

// An object that only looks like a wrapper stays an object.
func TestNotExtendedJSON(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`{"$oid":"507f"}`,
		`{"$oid":"507f1f77bcf86cd79943901g"}`,
		`{"$oid":507}`,
		`{"$oid":{"$oid":"507f1f77bcf86cd799439011"}}`,
		`{"$oid":"507f1f77bcf86cd799439011","x":1}`,
		`{"$numberInt":12}`,
		`{"$numberInt":"1.5"}`,
		`{"$numberLong":""}`,
		`{"$numberDouble":"x"}`,
		`{"$numberDecimal":"."}`,
		`{"$date":"yesterday"}`,
		`{"$date":1.5}`,
		`{"$date":null}`,
		`{"$binary":"QQ=="}`,
		`{"$binary":{"base64":"QQ=="}}`,
		`{"$binary":"QQ==","$kind":"00"}`,
		`{"$uuid":"00112233445566778899aabbccddeeff"}`,
		`{"$timestamp":{"t":"1","i":2}}`,
		`{"$timestamp":1}`,
		`{"$regex":"a"}`,
		`{"$minKey":2}`,
		`{"$undefined":false}`,
		`{"$symbol":1}`,
		`{"$ref":"users","$id":{"$oid":"507f1f77bcf86cd799439011"}}`,
		`{"$ref":"users","$id":1,"$db":"x"}`,
		`{"$set":{"a":1}}`,
		`{"$":1}`,
		`{"\u0024oid":"507f1f77bcf86cd799439011"}`,
		`{"oid":"507f1f77bcf86cd799439011"}`,
		`{"":"507f1f77bcf86cd799439011"}`,
	} {
		var p Parser
		doc, err := p.Parse([]byte(src))
		require.NoError(t, err, src)
		assert.Equal(t, Object, doc.Tokens[0].Kind, src)
		assert.Positive(t, doc.Len(0), src)
		checkTape(t, doc)
	}
}
