package numericprecision_test

import (
	"testing"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestNumericPrecision(t *testing.T) {
	t.Parallel()
	ruletest.Expect(t, "numeric-precision", []ruletest.Expectation{
		{Name: "an integer that changes", Documents: []string{`{"id":"a","ref":1}`, `{"id":"b","ref":9007199254740993}`}, Want: []string{"warning ref 2:17"},
			Message: `items.ref is 9007199254740993, but readers that use doubles get 9007199254740992`},
		{Name: "a negative one", Documents: []string{`{"id":"a","n":-9007199254740993}`}, Want: []string{"warning n 1:15"}},
		{Name: "2^53 itself", Documents: []string{`{"id":"a","n":9007199254740992}`}},
		{Name: "beyond, but exact", Documents: []string{`{"id":"a","wei":1000000000000000000}`}, Want: []string{"warning wei 1:17"}, Message: "beyond 2^53"},
		{Name: "in a map and a list", Documents: []string{`{"id":"a","list":[{"n":1},{"n":12345678901234567891}]}`}, Want: []string{"warning list[].n 1:32"}},
		{Name: "one name at two paths", Documents: []string{`{"id":"a","status":{"n":12345678901234567891},"media":[{"n":12345678901234567891},{"n":12345678901234567892}]}`},
			Want: []string{"warning media[].n 1:61"}, Message: "2 numbers in all; the same in 1 more path"},
		{Name: "overflow", Documents: []string{`{"id":"a","n":1e400}`}, Want: []string{"error n 1:15"}},
		{Name: "many digits", Documents: []string{`{"id":"a","n":0.1234567890123456789}`}, Want: []string{"info n 1:15"}, Message: "19 digits"},
		{Name: "17 digits", Documents: []string{`{"id":"a","n":-73.985135599999996}`}},
		{Name: "wrapped", Documents: []string{`{"id":"a","n":{"$numberLong":"9007199254740993"},"m":{"$numberDecimal":"0.1234567890123456789"}}`}},
		{Name: "an error in cosmosdb", Documents: []string{`{"id":"a","n":9007199254740993}`}, Options: jsonlint.Options{DB: "cosmosdb"}, Want: []string{"error n 1:15"}},
		{Name: "exact in mongodb", Documents: []string{`{"id":"a","n":9007199254740993}`}, Options: jsonlint.Options{DB: "mongodb"}},
		{Name: "a card number is for numeric-identifier", Documents: []string{`{"id":"a","cardNumber":9999888877776666}`}},
	})
}
