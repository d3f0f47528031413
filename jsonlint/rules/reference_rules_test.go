package rules_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func TestReferenceTypeMismatch(t *testing.T) {
	t.Parallel()
	texts := times(1, 9, `{"id":"%d","symbol":"S%[1]d"}`)
	numbers := times(1, 9, `{"id":%d,"symbol":"S%[1]d"}`)
	runShapeCases(t, "reference-type-mismatch", []shapeCase{
		{
			"numbers for strings",
			database{"stocks": texts, "persons": times(1, 9, `{"id":"p%d","holdings":[{"stockId":%[1]d}]}`)},
			[]string{"error persons.jsonl:1 holdings[].stockId"}, "stocks.id is a string",
		},
		{
			"strings for numbers",
			database{"stocks": numbers, "persons": times(1, 9, `{"id":"p%d","stockId":"%[1]d"}`)},
			[]string{"error persons.jsonl:1 stockId"}, `"1" and 1`,
		},
		{
			"one person and two stocks",
			database{"stocks": texts[:2], "persons": {`{"id":"1","holdings":[{"amount":100,"stockId":1},{"amount":50,"stockId":2}]}`}},
			[]string{"error persons.jsonl:1 holdings[].stockId"}, `1 and "1"`,
		},
		{
			"a list named after its target",
			database{"books": texts, "publishers": {`{"id":"p","name":"P","books":[1,2,3]}`}},
			[]string{"error publishers.jsonl:1 books[]"}, "",
		},
		{
			"digits for ObjectIds",
			database{
				"users": times(1, 9, `{"_id":{"$oid":"5a9427648b0beebeb695000%d"}}`),
				"posts": times(1, 9, `{"_id":"p%d","userId":"5a9427648b0beebeb695000%[1]d"}`),
			},
			[]string{"error posts.jsonl:1 userId"}, "is an ObjectId",
		},

		{"one type", database{"stocks": texts, "persons": times(1, 9, `{"id":"p%d","stockId":"%[1]d"}`)}, nil, ""},
		{"two spellings of a number", database{
			"accounts": times(1, 9, `{"_id":{"$numberInt":"%d"}}`), "users": times(1, 9, `{"_id":"u%d","accountId":%[1]d}`),
		}, nil, ""},
		{"a path", database{"stocks": numbers, "persons": times(1, 9, `{"id":"p%d","stock":{"url":"/api/stocks/%[1]d/"}}`)}, nil, ""},
		{"mixed types", database{"stocks": texts, "persons": concat(
			times(1, 5, `{"id":"p%d","stockId":"%[1]d"}`), times(6, 4, `{"id":"p%d","stockId":%[1]d}`))}, nil, ""},
		{"numbered elements", database{"comments": times(1, 9, `{"id":"%d","text":"t"}`), "posts": times(1, 9,
			`{"id":"p%d","comments":[{"id":1,"text":"a","by":"x"},{"id":2,"text":"b","by":"y"}]}`)}, nil, ""},
		{"another collection's numbers", database{"stocks": texts, "persons": times(1, 9, `{"id":"p%d","age":%[1]d}`)}, nil, ""},
		{"a quantity", database{"stocks": texts, "products": times(1, 9, `{"id":"p%d","stock":%[1]d}`)}, nil, ""},
	})
}

// TestReferenceTypeMismatchFix: references get the type and the spelling of
// the id.
func TestReferenceTypeMismatchFix(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ target, source, want string }{
		"strings":          {`{"id":"%d"}`, `{"_id":"p%d","stockId":%[1]d,"n":1}`, `{"_id":"p1","stockId":"1","n":1}`},
		"numbers":          {`{"id":%d}`, `{"_id":"p%d","stockId":"%[1]d"}`, `{"_id":"p1","stockId":1}`},
		"wrapped numbers":  {`{"id":{"$numberInt":"%d"}}`, `{"_id":"p%d","stockId":"%[1]d"}`, `{"_id":"p1","stockId":{"$numberInt":"1"}}`},
		"ObjectIds":        {`{"_id":{"$oid":"5a9427648b0beebeb695000%d"}}`, `{"_id":"p%d","stockId":"5a9427648b0beebeb695000%[1]d"}`, `{"_id":"p1","stockId":{"$oid":"5a9427648b0beebeb6950001"}}`},
		"lists":            {`{"id":"%d"}`, `{"_id":"p%d","stocks":[%[1]d,2]}`, `{"_id":"p1","stocks":["1","2"]}`},
		"null stays empty": {`{"id":"%d"}`, `{"_id":"p%d","stockIds":[%[1]d,null]}`, `{"_id":"p1","stockIds":["1",null]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := findingsOf(t, "reference-type-mismatch", database{"stocks": times(1, 9, tc.target), "persons": times(1, 9, tc.source)}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			assert.Equal(t, finding.Plan, found[0].Fixes[0].Safety)
			assert.Equal(t, tc.want, string(found[0].Fixes[0].After[0].Document))
		})
	}
}

func TestDanglingReference(t *testing.T) {
	t.Parallel()
	stocks := times(1, 25, `{"id":"s%d","symbol":"S%[1]d"}`)
	persons := func(format string, values ...string) []string {
		out := times(1, 25, `{"id":"p%d","stockId":"s%[1]d"}`)
		for i, v := range values {
			out = append(out, fmt.Sprintf(format, i, v))
		}
		return out
	}
	plain := `{"id":"q%d","stockId":%s}`
	runShapeCases(t, "dangling-reference", []shapeCase{
		{
			"a complete target",
			database{"stocks": stocks, "persons": persons(plain, `"s97"`, `"s1"`, `"s98"`, `"s97"`)},
			[]string{"error persons.jsonl:26 stockId"},
			`3 of 29 references in stockId lead to no document of stocks: "s97" (2 times), "s98"`,
		},
		{
			"an example", database{"stocks": stocks[:2], "persons": persons("")[:3]},
			[]string{"info persons.jsonl:3 stockId"}, `1 of 3 references in stockId leads to no document of stocks: "s3"`,
		},
		{
			"a target read in part", database{"stocks": stocks[:17], "persons": persons("")},
			[]string{"info persons.jsonl:18 stockId"}, "",
		},
		{
			"in a list", database{"stocks": stocks, "persons": times(1, 25, `{"id":"p%d","stocks":["s%[1]d","s1"]}`), "funds": {`{"id":"f","stocks":["s1","s2","s3","s99"]}`}},
			[]string{"info funds.jsonl:1 stocks[]"}, "",
		},
		{
			"by misspelt names",
			database{
				"airlines":  times(1, 40, `{"_id":"x%d","name":"Airline %[1]d"}`),
				"alliances": {`{"_id":"a","airlines":["Airline 1","Airline 2","Airline 3","Airline 4","Airlin 5","Airline 6"]}`},
			},
			[]string{"info alliances.jsonl:1 airlines[]"}, `"Airlin 5"`,
		},

		{
			"three of four in a small example",
			database{"books": {`{"id":"b1","name":"N"}`, `{"id":"b2","name":"M"}`}, "authors": {
				`{"id":"a1","name":"A","books":["b1","b2","b3"]}`, `{"id":"a2","name":"B","books":["b1"]}`}},
			[]string{"info authors.jsonl:1 books[]"}, `"b3"`,
		},

		{"all found", database{"stocks": stocks, "persons": persons("")}, nil, ""},
		{"one of two", database{
			"users": times(0, 8, `{"_id":"CUS0000%d","name":"U"}`), "posts": {`{"_id":"p1","user_id":"CUS00001"}`, `{"_id":"p2","user_id":"GUEST_1"}`},
		}, nil, ""},
		{"words for a missing value", database{"stocks": stocks, "persons": persons(plain, `"unknown"`, `"N/A"`, `"none"`)}, nil, ""},
		{"found in another type", database{"stocks": times(1, 25, `{"id":%d}`), "persons": times(1, 25, `{"id":"p%d","stockId":"%[1]d"}`)}, nil, ""},
		{"a target that was cut", database{"stocks": stocks[:4], "persons": persons("")}, nil, ""},
		{"no reference", database{"stocks": stocks, "persons": persons(plain, `""`, `null`, `"000000000000000000000000"`, `"00000000-0000-0000-0000-000000000000"`, `"#stock"`)}, nil, ""},
		{"ids of another system", database{"sessions": stocks, "events": times(1, 40, `{"id":"e%d","traceId":"s%[1]d"}`)}, nil, ""},
		{"documents of another kind", database{"stocks": stocks, "funds": times(1, 9, `{"id":"fund-%d"}`), "persons": persons(plain, `"fund-1"`)}, nil, ""},
		{"paths to another collection", database{
			"stocks": times(1, 25, `{"url":"/api/stocks/s%d","name":"n%[1]d"}`), "persons": concat(
				times(1, 25, `{"id":"p%d","stock":{"url":"/api/stocks/s%[1]d"}}`), times(1, 4, `{"id":"q%d","stock":{"url":"/api/funds/f%[1]d"}}`)),
		}, nil, ""},
		{"its own id", database{"items": concat(
			times(1, 20, `{"id":"b%d","bookId":"b%[1]d","type":"book","name":"n","pages":3}`),
			times(1, 20, `{"id":"r%d","bookId":"b%[1]d","type":"review","content":"c","stars":3}`))}, nil, ""},
	})
}

func TestDanglingReferenceToCompleteCollection(t *testing.T) {
	t.Parallel()
	db := database{"stocks": times(1, 3, `{"id":"s%d"}`), "persons": times(1, 9, `{"id":"p%d","stockId":"s%[1]d"}`)}
	o := jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"stocks": {Complete: true}}}
	found := findingsOf(t, "dangling-reference", db, o)
	require.Len(t, found, 1)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.InDelta(t, 0.95, found[0].Confidence, 1e-9)
	assert.Contains(t, found[0].Message, "6 of 9")
	require.Len(t, found[0].Fixes, 1)
	assert.JSONEq(t, `{"id":"s4"}`, string(found[0].Fixes[0].After[1].Document))
}

// TestDanglingReferenceOfMany: with more values than a sample keeps, none is
// missed.
func TestDanglingReferenceOfMany(t *testing.T) {
	t.Parallel()
	persons := times(0, 400, `{"id":"p%d","stocks":["s%[1]d","s1","s2"]}`)
	persons[399] = `{"id":"p399","stocks":["s399","s1000"]}`
	found := findingsOf(t, "dangling-reference", database{"stocks": times(0, 400, `{"id":"s%d"}`), "persons": persons}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, 400, found[0].Location.Line)
	assert.Contains(t, found[0].Message, `1 of 1,199 references in stocks[] leads to no document of stocks: "s1000"`)
}

func TestMissingReference(t *testing.T) {
	t.Parallel()
	publishers := times(1, 3, `{"id":"press%d"}`)
	books := func(n int, without ...string) []string {
		return concat(times(1, n, `{"id":"b%d","name":"Book %[1]d","publisherId":"press1"}`), without)
	}
	runShapeCases(t, "missing-reference", []shapeCase{
		{
			"one of four", database{"publishers": publishers, "books": books(3, `{"id":"b9","name":"Book 9"}`)},
			[]string{"warning books.jsonl:4 publisherId"}, `publisherId is missing in 1 of 4 documents of books (id "b9")`,
		},
		{
			"one of many", database{"publishers": publishers, "books": books(40, `{"id":"b99","name":"Book 99"}`)},
			[]string{"warning books.jsonl:41 publisherId"}, "",
		},
		{
			"in a list", database{"publishers": publishers, "shelves": concat(
				times(1, 30, `{"id":"s%d","books":[{"title":"a","publisherId":"press1"},{"title":"b","publisherId":"press2"}]}`),
				[]string{`{"id":"s99","books":[{"title":"a","publisherId":"press1"},{"title":"c"}]}`})},
			[]string{"warning shelves.jsonl:31 books[].publisherId"}, "1 of 62 objects",
		},
		{
			"in a reference object", database{"publishers": publishers, "books": concat(
				times(1, 30, `{"id":"b%d","publisher":{"id":"press1"}}`), []string{`{"id":"b99"}`})},
			[]string{"warning books.jsonl:31 publisher"}, "",
		},

		{"everywhere", database{"publishers": publishers, "books": books(9)}, nil, ""},
		{"null says so", database{"publishers": publishers, "books": books(9, `{"id":"b99","name":"B","publisherId":null}`)}, nil, ""},
		{"half of them", database{"publishers": publishers, "books": books(4, times(5, 4, `{"id":"b%d","name":"B"}`)...)}, nil, ""},
		{"three documents", database{"publishers": publishers, "books": books(2, `{"id":"b9","name":"B"}`)}, nil, ""},
		{"refers to nothing known", database{"books": books(9, `{"id":"b99","name":"B"}`)}, nil, ""},
		{"optional by its name", database{"managers": publishers, "clerks": concat(
			times(1, 9, `{"id":"c%d","managerId":"press1"}`), []string{`{"id":"c99"}`})}, nil, ""},
		{"a root has no parent", database{"nodes": concat(times(2, 30, `{"id":"n%d","parentNodeId":"n1"}`), []string{`{"id":"n1"}`})}, nil, ""},
		{"part of an optional group", database{"publishers": publishers, "books": concat(
			times(1, 9, `{"id":"b%d","name":"B","publisherId":"press1","publishedOn":"x"}`), []string{`{"id":"b99","name":"B"}`})}, nil, ""},
		{"another one in turn", database{"publishers": publishers, "authors": times(1, 3, `{"id":"a%d"}`), "books": concat(
			times(1, 9, `{"id":"b%d","name":"B","publisherId":"press1"}`), []string{`{"id":"b99","name":"B","authorId":"a1"}`})}, nil, ""},
		{"another kind", database{"publishers": publishers, "all": concat(
			times(1, 30, `{"id":"b%d","type":"book","pages":3,"isbn":"i","publisherId":"press1"}`),
			times(1, 9, `{"id":"r%d","type":"review","stars":3,"text":"t"}`))}, nil, ""},
	})
}

func TestMissingReferenceFix(t *testing.T) {
	t.Parallel()
	books := concat(times(1, 3, `{"id":"b%d","name":"Book","publisherId":"press1"}`), []string{`{"id":"b9","name":"Book 9"}`})
	for name, tc := range map[string]struct{ publisher, want string }{
		"the other side names it": {`{"id":"press1","books":["b1","b2","b3","b9"]}`, `{"id":"b9","publisherId":"press1","name":"Book 9"}`},
		"nobody knows":            {`{"id":"press1","name":"P"}`, `{"id":"b9","publisherId":null,"name":"Book 9"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := findingsOf(t, "missing-reference", database{"publishers": {tc.publisher}, "books": books}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			assert.Equal(t, tc.want, string(found[0].Fixes[0].After[0].Document))
		})
	}
	partition := jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"books": {PartitionKey: "/publisherId"}}}
	both := database{"publishers": {`{"id":"press1","name":"P"}`}, "books": books}
	require.Empty(t, findingsOf(t, "missing-reference", both, partition))
	found := findingsOf(t, "partition-key", both, partition)
	require.Len(t, found, 1, "one cause, one finding")
	assert.Equal(t, finding.Error, found[0].Severity)
}

func TestDuplicateReference(t *testing.T) {
	t.Parallel()
	authors := times(1, 9, `{"id":"a%d"}`)
	books := func(n int, last string) []string {
		return concat(times(1, n, `{"id":"b%d","authorIds":["a1","a2","a3"]}`), []string{last})
	}
	runShapeCases(t, "duplicate-reference", []shapeCase{
		{
			"an id twice", database{"authors": authors, "books": books(30, `{"id":"b99","authorIds":["a1","a2","a1"]}`)},
			[]string{"warning books.jsonl:31 authorIds"}, `1 reference to authors twice, in 1 of 31 lists: "a1"`,
		},
		{"by its name alone", database{"books": books(30, `{"id":"b99","authorIds":["a1","a2","a1"]}`)}, []string{"warning books.jsonl:31 authorIds"}, ""},
		{
			"reference objects", database{"authors": authors, "books": concat(
				times(1, 30, `{"id":"b%d","authors":[{"id":"a1","name":"x"},{"id":"a2","name":"y"}]}`),
				[]string{`{"id":"b99","authors":[{"id":"a1","name":"x"},{"name":"x","id":"a1"}]}`})},
			[]string{"warning books.jsonl:31 authors"}, "",
		},

		{"none", database{"authors": authors, "books": books(30, `{"id":"b99","authorIds":["a1"]}`)}, nil, ""},
		{"elements that differ", database{"authors": authors, "books": concat(
			times(1, 30, `{"id":"b%d","authors":[{"id":"a1","part":1},{"id":"a2","part":2}]}`),
			[]string{`{"id":"b99","authors":[{"id":"a1","part":1},{"id":"a1","part":2}]}`})}, nil, ""},
		{"a sequence", database{"songs": authors, "playlists": concat(
			times(1, 30, `{"id":"b%d","songIds":["a1","a2"]}`), []string{`{"id":"b99","songIds":["a1","a2","a1"]}`})}, nil, ""},
		{"often", database{"authors": authors, "books": times(1, 30, `{"id":"b%d","authorIds":["a1","a2","a1"]}`)}, nil, ""},
		{"no references", database{"books": concat(
			times(1, 30, `{"id":"b%d","words":["x","y"]}`), []string{`{"id":"b99","words":["x","y","x"]}`})}, nil, ""},
	})
}

func TestDuplicateReferenceEdits(t *testing.T) {
	t.Parallel()
	last := `{"id":"b99","authorIds":[ "a1", "a2" , "a1", "a1" ]}`
	db := database{"authors": times(1, 9, `{"id":"a%d"}`), "books": concat(times(1, 30, `{"id":"b%d","authorIds":["a1","a2"]}`), []string{last})}
	found := findingsOf(t, "duplicate-reference", db, jsonlint.Options{})
	require.Len(t, found, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Unsafe, fix.Safety)
	assert.Equal(t, `{"id":"b99","authorIds":["a1","a2"]}`, string(fix.After[0].Document))
	text := ""
	for _, d := range db["books"] {
		text += d + "\n"
	}
	for i := len(fix.Edits) - 1; i >= 0; i-- {
		e := fix.Edits[i]
		text = text[:e.Start] + e.NewText + text[e.End:]
	}
	assert.Len(t, fix.Edits, 2)
	assert.Contains(t, text, `{"id":"b99","authorIds":[ "a1", "a2" ]}`)
	assert.True(t, json.Valid([]byte(text[len(text)-len(`{"id":"b99","authorIds":[ "a1", "a2" ]}`)-1:])))
}

func TestOverNormalized(t *testing.T) {
	t.Parallel()
	customers := times(1, 30, `{"id":"c%d","name":"Customer %[1]d"}`)
	addresses := times(1, 30, `{"id":"x%d","customerId":"c%[1]d","street":"s","city":"t"}`)
	runShapeCases(t, "over-normalized", []shapeCase{
		{
			"one each", database{"customers": customers, "customerSettings": times(1, 30, `{"id":"x%d","customerId":"c%[1]d","theme":"dark"}`)},
			[]string{"warning customerSettings.jsonl:1 "}, "never more than one for each",
		},
		{
			"a handful", database{"customers": customers, "addresses": concat(addresses, times(1, 9, `{"id":"y%d","customerId":"c%[1]d","street":"s","city":"t"}`))},
			[]string{"info addresses.jsonl:1 "}, "at most 2 for each",
		},

		{
			"the lines of a record",
			database{"products": times(1, 9, `{"id":"p%d"}`), "orders": times(1, 30, `{"id":"o%d","total":9}`), "order_items": concat(
				times(1, 30, `{"id":"x%d","order_id":"o%[1]d","product_id":"p1","unit_price":3,"quantity":1}`),
				times(1, 30, `{"id":"y%d","order_id":"o%[1]d","product_id":"p2","unit_price":4,"quantity":1}`),
				times(1, 9, `{"id":"z%d","order_id":"o1","product_id":"p%[1]d","unit_price":5,"quantity":1}`))},
			[]string{"info order_items.jsonl:1 "}, "at most 11 for each",
		},

		{"what happens to a record", database{"orders": times(1, 30, `{"id":"o%d","total":9}`),
			"order_events": times(1, 30, `{"id":"x%d","order_id":"o%[1]d","state":"new"}`)}, nil, ""},
		{"things that keep coming", database{"customers": customers, "orders": times(1, 30, `{"id":"x%d","customerId":"c%[1]d","total":3}`)}, nil, ""},
		{"not named as parts", database{"customers": customers, "dogs": times(1, 30, `{"id":"x%d","customerId":"c%[1]d","race":"r"}`)}, nil, ""},
		{"secrets", database{"customers": customers, "customerLogins": times(1, 30, `{"id":"x%d","customerId":"c%[1]d","passwordHash":"r"}`)}, nil, ""},
		{"their own clock", database{"customers": customers, "customerProfiles": times(1, 30, `{"id":"x%d","customerId":"c%[1]d","balance":3}`)}, nil, ""},
		{"others refer to them", database{"customers": customers, "addresses": addresses,
			"parcels": times(1, 30, `{"id":"z%d","addressId":"x%[1]d","weight":3}`)}, nil, ""},
		{"links", database{"customers": customers, "cities": times(1, 9, `{"id":"t%d"}`),
			"customerHomes": times(1, 30, `{"id":"x%d","customerId":"c%[1]d","cityId":"t1","since":"2020"}`)}, nil, ""},
		{"few parents", database{"customers": customers, "addresses": addresses[:9]}, nil, ""},
		{"many children", database{"customers": customers, "addresses": concat(addresses, times(1, 9, `{"id":"y%d","customerId":"c1","city":"t"}`))}, nil, ""},
	})
	found := findingsOf(t, "over-normalized", database{
		"customers": customers, "addresses": concat(addresses, times(1, 9, `{"id":"y%d","customerId":"c%[1]d","street":"s","city":"t"}`)),
	}, jsonlint.Options{})
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, `{"id":"c1","name":"Customer 1","addresses":[{"id":"x1","street":"s","city":"t"},{"id":"y1","street":"s","city":"t"}]}`,
		string(found[0].Fixes[0].After[0].Document))
}

func TestInconsistentManyToMany(t *testing.T) {
	t.Parallel()
	// Each author has written three books; one half of one pair is missing.
	authors := times(0, 30, `{"id":"a%d","books":["b%[1]d"]}`)
	books := times(0, 30, `{"id":"b%d","authors":["a%[1]d"]}`)
	broken := concat(books[:29], []string{`{"id":"b29","authors":[]}`})
	countries := func(one string) []string {
		var out []string
		for i := range 30 {
			out = append(out, fmt.Sprintf(`{"_id":"x%d","code":"C%02dX","borders":["C%02dX","C%02dX"]}`, i, i, (i+1)%30, (i+29)%30))
		}
		out[29] = `{"_id":"x29","code":"C29X","borders":[` + one + `]}`
		return out
	}
	runShapeCases(t, "inconsistent-many-to-many", []shapeCase{
		{
			"lists on both sides", database{"authors": authors, "books": broken},
			[]string{"error authors.jsonl:30 books[]"}, `disagree on 1 of 30 pairs: "a29" has "b29" in books[], but "b29" has no "a29" in authors[]`,
		},
		{
			"objects on one side", database{"authors": authors, "books": concat(times(0, 29, `{"id":"b%d","authors":[{"id":"a%[1]d","name":"n"}]}`), []string{`{"id":"b29","authors":[]}`})},
			[]string{"error authors.jsonl:30 books[]"}, "",
		},
		{
			"a list against a single reference",
			database{
				"categories": {`{"id":"c1","items":["i0","i1","i2","i3","i4","i5","i6","i7"]}`, `{"id":"c2","items":["i8"]}`},
				"items":      concat(times(0, 8, `{"id":"i%d","categoryId":"c1"}`), times(8, 2, `{"id":"i%d","categoryId":"c2"}`)),
			},
			[]string{"error items.jsonl:10 categoryId"}, `"i9" has "c2" in categoryId, but "c2" has no "i9" in items[]`,
		},
		{
			"lists that overlap against a single reference",
			database{
				"categories": {`{"id":"c1","items":["i0","i1","i2","i3","i4","i5","i6","i7","i8","i9","j1","j2"]}`, `{"id":"c2","items":["i0","i1","i8"]}`},
				"items":      concat(times(0, 8, `{"id":"i%d","categoryId":"c1"}`), times(8, 2, `{"id":"i%d","categoryId":"c2"}`)),
			},
			[]string{"error items.jsonl:10 categoryId"}, "1 of 10 pairs",
		},
		{"a symmetric field", database{"countries": countries(`"C28X"`)}, []string{"error countries.jsonl:1 borders[]"}, `mutual but for 1 of 59 pairs: "C00X" has "C29X"`},

		{"agreement", database{"authors": authors, "books": books}, nil, ""},
		{"a symmetric field that is", database{"countries": countries(`"C28X","C00X"`)}, nil, ""},
		{"a directed field", database{"users": times(0, 30, `{"id":"u%d","follows":["u1","u2","u3","u4"]}`)}, nil, ""},
		{"documents that are not there", database{"authors": authors, "books": books[:20]}, nil, ""},
		{"two relations", database{"authors": authors, "books": times(0, 30, `{"id":"b%d","authors":["a1%[1]d","a3","a4"]}`)}, nil, ""},
		{"another relation beside it", database{"authors": authors, "books": times(0, 30, `{"id":"b%d","authors":["a%[1]d"],"editorAuthorIds":["a%[1]d","a7"]}`)}, nil, ""},
		{"a selection", database{
			"authors": times(0, 30, `{"id":"a%d","topBooks":["b%[1]d"]}`), "books": concat(times(0, 30, `{"id":"b%d","authors":["a%[1]d","a1"]}`)),
		}, nil, ""},
	})
}

func TestInconsistentManyToManyFix(t *testing.T) {
	t.Parallel()
	authors := times(0, 30, `{"id":%d,"books":["b%[1]d"]}`)
	for name, tc := range map[string]struct{ book, broken, want string }{
		"a sorted list": {`{"id":"b%d","authors":[%[1]d]}`, `{"id":"b29","authors":[31]}`, `{"id":"b29","authors":[29,31]}`},
		"no list":       {`{"id":"b%d","authors":[%[1]d]}`, `{"id":"b29"}`, `{"id":"b29","authors":[29]}`},
		"objects":       {`{"id":"b%d","authors":[{"id":%[1]d}]}`, `{"id":"b29","authors":[]}`, `{"id":"b29","authors":[{"id":29}]}`},
		"one reference": {`{"id":"b%d","authorId":%[1]d}`, `{"id":"b29","authorId":null}`, `{"id":"b29","authorId":29}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := database{"authors": authors, "books": concat(times(0, 29, tc.book), []string{tc.broken})}
			found := findingsOf(t, "inconsistent-many-to-many", db, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			assert.Equal(t, tc.want, string(found[0].Fixes[0].After[0].Document))
		})
	}
}
