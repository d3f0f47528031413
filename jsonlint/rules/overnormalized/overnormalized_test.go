package overnormalized_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestOverNormalized(t *testing.T) {
	t.Parallel()
	customers := ruletest.Times(1, 30, `{"id":"c%d","name":"Customer %[1]d"}`)
	addresses := ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","street":"s","city":"t"}`)
	notes := ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","title":"What customer %[1]d likes"}`)
	ruletest.Run(t, "over-normalized", []ruletest.ShapeCase{
		{
			Name: "one each", DB: ruletest.Database{"customers": customers, "customerSettings": ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","theme":"dark"}`)},
			Want: []string{"warning customerSettings.jsonl:1 "}, Says: "never more than one for each",
		},
		{
			Name: "a handful", DB: ruletest.Database{"customers": customers, "addresses": ruletest.Concat(addresses, ruletest.Times(1, 9, `{"id":"y%d","customerId":"c%[1]d","street":"s","city":"t"}`))},
			Want: []string{"info addresses.jsonl:1 "}, Says: "at most 2 for each",
		},

		{
			Name: "the lines of a record",
			DB: ruletest.Database{"products": ruletest.Times(1, 9, `{"id":"p%d"}`), "orders": ruletest.Times(1, 30, `{"id":"o%d","total":9}`), "order_items": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"x%d","order_id":"o%[1]d","product_id":"p1","unit_price":3,"quantity":1}`),
				ruletest.Times(1, 30, `{"id":"y%d","order_id":"o%[1]d","product_id":"p2","unit_price":4,"quantity":1}`),
				ruletest.Times(1, 9, `{"id":"z%d","order_id":"o1","product_id":"p%[1]d","unit_price":5,"quantity":1}`))},
			Want: []string{"info order_items.jsonl:1 "}, Says: "at most 11 for each",
		},
		{
			Name: "others repeat an attribute", DB: ruletest.Database{"customers": customers, "customerNotes": notes,
				"reports": ruletest.Times(1, 30, `{"id":"z%d","heading":"What customer %[1]d likes","pages":3}`)},
			Want: []string{"warning customerNotes.jsonl:1 "},
		},

		{Name: "others refer to an attribute", DB: ruletest.Database{"customers": customers, "customerNotes": notes,
			"reports": ruletest.Times(1, 30, `{"id":"z%d","customerNote":"What customer %[1]d likes","pages":3}`)}},
		{Name: "what happens to a record", DB: ruletest.Database{"orders": ruletest.Times(1, 30, `{"id":"o%d","total":9}`),
			"order_events": ruletest.Times(1, 30, `{"id":"x%d","order_id":"o%[1]d","state":"new"}`)}},
		{Name: "things that keep coming", DB: ruletest.Database{"customers": customers, "orders": ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","total":3}`)}},
		{Name: "not named as parts", DB: ruletest.Database{"customers": customers, "dogs": ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","race":"r"}`)}},
		{Name: "secrets", DB: ruletest.Database{"customers": customers, "customerLogins": ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","passwordHash":"r"}`)}},
		{Name: "their own clock", DB: ruletest.Database{"customers": customers, "customerProfiles": ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","balance":3}`)}},
		{Name: "others refer to them", DB: ruletest.Database{"customers": customers, "addresses": addresses,
			"parcels": ruletest.Times(1, 30, `{"id":"z%d","addressId":"x%[1]d","weight":3}`)}},
		{Name: "links", DB: ruletest.Database{"customers": customers, "cities": ruletest.Times(1, 9, `{"id":"t%d"}`),
			"customerHomes": ruletest.Times(1, 30, `{"id":"x%d","customerId":"c%[1]d","cityId":"t1","since":"2020"}`)}},
		{Name: "few parents", DB: ruletest.Database{"customers": customers, "addresses": addresses[:9]}},
		{Name: "many children", DB: ruletest.Database{"customers": customers, "addresses": ruletest.Concat(addresses, ruletest.Times(1, 9, `{"id":"y%d","customerId":"c1","city":"t"}`))}},
	})
	found := ruletest.FindingsOf(t, "over-normalized", ruletest.Database{
		"customers": customers, "addresses": ruletest.Concat(addresses, ruletest.Times(1, 9, `{"id":"y%d","customerId":"c%[1]d","street":"s","city":"t"}`)),
	}, jsonlint.Options{})
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, `{"id":"c1","name":"Customer 1","addresses":[{"id":"x1","street":"s","city":"t"},{"id":"y1","street":"s","city":"t"}]}`,
		string(found[0].Fixes[0].After[0].Document))
}
