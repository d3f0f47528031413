package numericidentifier_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestNumericIdentifier(t *testing.T) {
	t.Parallel()
	zips := make([]string, 0, 31)
	for i := range 30 {
		zips = append(zips, fmt.Sprintf(`{"id":"c%d","zip":980%02d}`, i, i))
	}
	zips = append(zips, `{"id":"x","zip":2134}`)
	ruletest.Expect(t, "numeric-identifier", []ruletest.Expectation{
		{Name: "zip", Documents: []string{`{"id":"a","address":{"zip":98012}}`}, Want: []string{"info address.zip 1:28"}, Message: `items.address.zip is an identifier stored as a number (98012)`},
		{Name: "zip in a list", Documents: []string{`{"id":"a","addresses":[{"zipCode":98012},{"zipCode":98013}]}`}, Want: []string{"info addresses[].zipCode 1:35"}},
		{Name: "lost zeros", Documents: zips, Want: []string{"warning zip 31:17"}, Message: `items.zip is stored as a number and loses leading zeros: 2134 has 4 digits, most have 5 (1 of 31 values)`},
		{Name: "phones in a list", Documents: ruletest.Numbered(3, `{"id":"a%d","phones":[566422186%[1]d,566422100%[1]d]}`), Want: []string{"info phones[] 1:22"}, Message: `items.phones[] is an identifier stored as a number (5664221861 and 5 more)`},
		{Name: "numbers in a list", Documents: ruletest.Numbered(3, `{"id":"a%d","scores":[566422186%[1]d]}`)},
		{Name: "phone", Documents: ruletest.Numbered(3, `{"id":"a%d","phoneNumber":566422186%d}`), Want: []string{"info phoneNumber 1:26"}},
		{Name: `items.cardNumber is an identifier stored as a number (9999888877776666); some have more digits than a double can hold`, Documents: []string{`{"id":"a","cardNumber":9999888877776666}`}, Want: []string{"warning cardNumber 1:24"}, Message: `items.cardNumber is an identifier stored as a number (9999888877776666); some have more digits than a double can hold`},
		{Name: "extension of a phone", Documents: []string{`{"id":"a","contact":{"phone":"+1 555","extension":5555}}`}, Want: []string{"info contact.extension 1:51"}},
		{Name: "extension that names the phone", Documents: []string{`{"id":"a","contact":{"phoneExtension":5555}}`}, Want: []string{"info contact.phoneExtension 1:39"}},
		{Name: "extension of a file", Documents: []string{`{"id":"a","file":{"name":"x","extension":5555}}`}},
		{Name: "an id that a double rounded", Documents: []string{`{"id":"a","ownerId":1.150367245457071e+18}`, `{"id":"b","ownerId":{"$numberDouble":"1.1e+18"}}`}, Want: []string{"warning ownerId 1:21"},
			Message: `items.ownerId is an identifier stored as a number (1150367245457071000 and 1 more); some have more digits than a double can hold`},
		{Name: "ids that doubles hold, and exact ones", Documents: []string{`{"id":"a","ownerId":115036.0,"pathId":1150367245457071001}`}},
		{Name: "large doubles that are no ids", Documents: []string{`{"id":"a","meters":1.150367245457071e+18}`, `{"id":"b","meters":1.1e+18}`}},
		{Name: "doubles with a fraction", Documents: []string{`{"id":"a","phone":{"$numberDouble":"5000.5"}}`, `{"id":"b","phone":{"$numberDouble":"9870001234.0"}}`}},
		{Name: "doubles below zero", Documents: []string{`{"id":"a","card":{"$numberDouble":"-5000.0"}}`, `{"id":"b","card":{"$numberDouble":"5000.0"}}`}},
		{Name: "decimals", Documents: []string{`{"id":"a","card":{"$numberDecimal":"5000"}}`}},
		{Name: "strings are right", Documents: []string{`{"id":"a","zip":"98012","phone":"5551234"}`}},
		{Name: "counts", Documents: []string{`{"id":"a","mobile":3,"card":12,"fax":1}`}},
		{Name: "fractions", Documents: []string{`{"id":"a","mobile":1234.5}`}},
		{Name: "below zero", Documents: []string{`{"id":"a","card":-5000}`}},
		{Name: "house numbers and years", Documents: []string{`{"id":"a","houseNumber":12345,"year":2026}`}},
		{Name: "both types are for mixed-types", Documents: []string{`{"id":"a","zip":98012}`, `{"id":"b","zip":"98012-1"}`}},
		{Name: "wrapped", Documents: []string{`{"id":"a","zip":{"$numberInt":"98012"}}`}, Want: []string{"info zip 1:17"}},
	})
}

// TestDoubles checks that whole numbers that are stored as doubles, as the shell of
// MongoDB does, become texts of digits.
func TestDoubles(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "numeric-identifier", ruletest.Database{"people": {`{"_id":"a","phone":{"$numberDouble":"8.74512369E+09"}}`, `{"_id":"bcd","phone":{"$numberDouble":"9870001234.0"}}`}}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, finding.Info, found[0].Severity) // both have ten digits
	assert.Contains(t, string(found[0].Fixes[0].After[0].Document), `"8745123690"`)
}
