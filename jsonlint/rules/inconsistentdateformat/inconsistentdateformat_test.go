package inconsistentdateformat_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestInconsistentDateFormat(t *testing.T) {
	t.Parallel()
	zoned := ruletest.Times(10, 9, `{"id":"%[1]d","at":"2026-01-%[1]dT10:00:00Z"}`)
	ruletest.Run(t, "inconsistent-date-format", []ruletest.ShapeCase{
		{Name: "one way", DB: ruletest.Database{"a": zoned}},
		{Name: "RFC 1123", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"Mon, 02 Feb 2026 16:20:00 GMT"}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: "9 × a time with zone"},
		{Name: "days of one digit and of two", DB: ruletest.Database{"a": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"%d","on":"Mon, %[1]d Jun 2020"}`, i+1)
		})}},
		{Name: "without zone", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"2026-01-31T10:00:00"}`})}, Want: []string{"warning a.jsonl:10 at"}},
		{Name: "a space before the time", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"2026-01-31 10:00:00+01:00"}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: `1 × a time with zone after a space ("2026-01-31 10:00:00+01:00")`},
		{Name: "a day", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"2026-01-31"}`})}, Want: []string{"warning a.jsonl:10 at"}},
		{Name: "local", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"31.01.2026"}`})}, Want: []string{"warning a.jsonl:10 at"}},
		{Name: "names of people tell no kinds apart", DB: ruletest.Database{"a": {
			`{"id":"1","name":"Ann","type":"guest","at":{"$date":"2026-01-31T10:00:00Z"}}`, `{"id":"2","name":"Bob","type":"guest","at":{"$date":"2026-01-31T11:00:00Z"}}`,
			`{"id":"3","name":"Ann","type":"guest","at":{"$date":"2026-01-31T12:00:00Z"}}`, `{"id":"4","name":"Bob","type":"guest","at":{"$date":"2026-01-31T13:00:00Z"}}`,
			`{"id":"5","name":"Cid","type":"host","hash":"x","seen":"y","rank":1,"fee":2,"skill":"a","free":true,"score":3,"part":"b","at":"2026-01-31T10:00:00"}`,
			`{"id":"6","name":"Dora","type":"guest","hash":"z","seen":"y","age":3,"city":"c","at":"2026-01-31T11:00:00"}`,
			`{"id":"7","name":"Cid","type":"host","hash":"v","seen":"y","rank":1,"fee":2,"skill":"b","free":true,"score":3,"part":"b","at":"2026-01-31T12:00:00"}`,
			`{"id":"8","name":"Emil","type":"host","hash":"w","seen":"y","rank":1,"fee":2,"skill":"c","free":true,"score":3,"part":"b","at":"2026-01-31T13:00:00"}`,
		}}, Want: []string{"warning a.jsonl:6 at"}},
		{Name: "native", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":{"$date":"2026-01-31T10:00:00Z"}}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: `a.at holds dates in 2 formats: 9 × a time with zone ("2026-01-10T10:00:00Z") and 1 × a date of the database`},
		{Name: "native in one kind, a text in the other", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 20, `{"id":"a%[1]d","type":"beer","abv":1,"style":"x","at":"2026-01-31T10:00:%[1]dZ"}`),
			ruletest.Times(10, 20, `{"id":"b%[1]d","type":"brewery","city":"x","phone":"y","at":{"$date":"2026-01-31T10:00:%[1]dZ"}}`))},
			Want: []string{"warning a.jsonl:21 at"}, Says: `20 × a time with zone`},
		{Name: "a day in one kind, a time in the other", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 20, `{"id":"a%[1]d","type":"beer","abv":1,"style":"x","at":"2026-01-%[1]d"}`),
			ruletest.Times(10, 20, `{"id":"b%[1]d","type":"brewery","city":"x","phone":"y","at":"2026-01-31T10:00:%[1]dZ"}`))}},
		{Name: "two ways in one kind", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 20, `{"id":"a%[1]d","type":"beer","abv":1,"style":"x","at":"2026-01-31T10:00:%[1]dZ"}`),
			[]string{`{"id":"c","type":"beer","abv":1,"style":"x","at":{"$date":"2026-01-31T10:00:00Z"}}`},
			ruletest.Times(10, 20, `{"id":"b%[1]d","type":"brewery","city":"x","phone":"y","at":{"$date":"2026-01-31T10:00:%[1]dZ"}}`))},
			Want: []string{"warning a.jsonl:21 at"}, Says: `1 × a date of the database`},
		{Name: "seconds beside texts", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":1769853600}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: "seconds since 1970"},
		{Name: "seconds and milliseconds", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","createdAt":17698536%[1]d}`), []string{`{"id":"1","createdAt":1769853600000}`})}, Want: []string{"warning a.jsonl:10 createdAt"}, Says: "milliseconds"},
		{Name: "seconds and milliseconds of days", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","startDay":17698536%[1]d}`), []string{`{"id":"1","startDay":1769853600000}`})}, Want: []string{"warning a.jsonl:10 startDay"}},
		{Name: "large numbers that are no times", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","views":17698536%[1]d}`), []string{`{"id":"1","views":1769853600000}`})}},
		{Name: "null and placeholders", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":null}`, `{"id":"2","at":""}`})}},
		{Name: "texts that are no dates", DB: ruletest.Database{"a": ruletest.Concat(zoned, ruletest.Times(30, 9, `{"id":"%[1]d","at":"soon %[1]d"}`), []string{`{"id":"1","at":"2026-01-31"}`})}},
		{Name: "times of day among days", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(0, 60, `{"id":"d%d","on":"2026-01-1%[1]d"}`)[:10], ruletest.Times(10, 50, `{"id":"d%d","on":"2026-01-%[1]d"}`)[:18], ruletest.Times(10, 18, `{"id":"e%d","on":"2026-02-%[1]d"}`), []string{`{"id":"x","on":"16:15"}`, `{"id":"y","on":"09:30"}`})},
			Want: []string{"warning a.jsonl:47 on"}, Says: "46 × a day (\"2026-01-10\") and 2 × a time of day without a date (\"16:15\")"},
		{Name: "as many times of day as days", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"d%d","on":"2026-01-%[1]d"}`), ruletest.Times(10, 9, `{"id":"e%d","on":"%[1]d:30"}`))}},
		{Name: "one text that is no date", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"next week"}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: "1 × a text that is not a date"},
		{Name: "a text in place of a date", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"Invalid Date"}`})}},
		{Name: "one text that is no date, among dates of two formats", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"2026-01-31"}`, `{"id":"2","at":"today"}`})},
			Want: []string{"warning a.jsonl:11 at"}, Says: "9 × a time with zone (\"2026-01-10T10:00:00Z\"), 1 × a day (\"2026-01-31\") and 1 × a text that is not a date"},
		{Name: "one text among dates of the database", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","at":{"$date":"2026-01-%[1]dT10:00:00Z"}}`), []string{`{"id":"1","at":"today"}`})}},
		{Name: "on two clocks", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","from":"%[1]d:30"}`), []string{`{"id":"1","from":"9:30 PM"}`, `{"id":"2","from":"N/A"}`, `{"id":"3","from":""}`, `{"id":"4","from":[]}`})},
			Want: []string{"warning a.jsonl:10 from"}, Says: `a.from holds times on two clocks: 9 like "10:30" and 1 like "9:30 PM"`},
		{Name: "mostly on a clock of twelve hours", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 2, `{"id":"%[1]d","from":"%[1]d:30 p. m."}`), []string{`{"id":"1","from":"14:55"}`})},
			Want: []string{"warning a.jsonl:3 from"}, Says: `2 like "10:30 p. m." and 1 like "14:55"`},
		{Name: "with and without seconds", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","from":"%[1]d:30:00","day":"2026-01-%[1]d 21:30:00"}`), []string{`{"id":"1","from":"09:30","day":"2026-01-02 21:30"}`})},
			Want: []string{"warning a.jsonl:10 from", "warning a.jsonl:10 day"}, Says: `with and without seconds: 9 like`},
		{Name: "lengths with and without hours", DB: ruletest.Database{"a": ruletest.Times(10, 9, `{"id":"%[1]d","length":"%[1]d:30","run":"1:%[1]d:00","film":"2:%[1]d:17"}`), "b": {`{"id":"1","length":"4:13"}`, `{"id":"2","length":"1:04:00"}`, `{"id":"3","length":"1:04:13"}`}}},
		{Name: "months and days", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","due":"5/20%[1]d"}`), []string{`{"id":"1","due":"5/17/2017"}`, `{"id":"2","due":""}`})},
			Want: []string{"warning a.jsonl:10 due"}, Says: `a.due holds dates in 2 formats: 9 × a month ("5/2010") and 1 × a local date ("5/17/2017")`},
		{Name: "parts of a whole beside a date", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","due":"5/%[1]d"}`), []string{`{"id":"1","due":"5/17/2017"}`})}},
		{Name: "on one clock", DB: ruletest.Database{"a": ruletest.Times(10, 3, `{"id":"%[1]d","from":"%[1]d:30","to":"1:%[1]d AM"}`)}},
		{Name: "times among other texts", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","from":"%[1]d:30"}`), []string{`{"id":"1","from":"9:30 PM"}`, `{"id":"2","from":"in the morning"}`})}},
		{Name: "one text among few", DB: ruletest.Database{"a": ruletest.Concat(zoned[:3], []string{`{"id":"1","at":"next week"}`})}},
		{Name: "in words", DB: ruletest.Database{"a": ruletest.Concat(zoned, []string{`{"id":"1","at":"October 03, 2021"}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: "a date in words"},
		{Name: "with a time of half a day", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","at":"3 de octubre de 20%[1]d"}`), []string{`{"id":"1","at":"03-10-2021, 14:05 p. m."}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: "9 × a date in words"},
		{Name: "the month first", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(13, 9, `{"id":"%[1]d","at":"%[1]d/1/2026"}`), []string{`{"id":"1","at":"1/31/2026"}`, `{"id":"2","at":"1/2/2026"}`})}, Want: []string{"warning a.jsonl:10 at"}, Says: "9 × d/m/y and 1 × m/d/y"},
		{Name: "a number and a sign among dates", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(13, 17, `{"id":"%[1]d","at":"%[1]d.1.2026"}`), ruletest.Times(30, 30, `{"id":"%[1]d","at":"15.1.2026"}`), []string{`{"id":"1","at":"15–20 m"}`, `{"id":"2","at":"18–30 m"}`})}},
		{Name: "days below twelve", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(13, 9, `{"id":"%[1]d","at":"%[1]d/1/2026"}`), []string{`{"id":"2","at":"1/2/2026"}`})}},
	})
}

func TestInconsistentDateFormatFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "inconsistent-date-format", ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","at":"2026-01-%[1]dT10:00:00Z"}`),
		[]string{`{"id":"1","at":"Mon, 02 Feb 2026 16:20:00 GMT"}`})}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, `{"id":"1","at":"2026-02-02T16:20:00Z"}`, string(found[0].Fixes[0].After[0].Document))
	local := ruletest.FindingsOf(t, "inconsistent-date-format", ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","at":"2026-01-%[1]dT10:00:00Z"}`),
		[]string{`{"id":"1","at":"1/2/2026"}`})}, jsonlint.Options{})
	require.Len(t, local, 1)
	assert.Empty(t, local[0].Fixes, "day and month cannot be told apart")
}

// TestRelatedNamesTheDate: a reader takes a date in brackets for the one that is
// there.
func TestRelatedNamesTheDate(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 9, `{"id":"%[1]d","at":"2025-03-%[1]d"}`), []string{`{"id":"1","at":"19.03.2025"}`})}
	found := ruletest.FindingsOf(t, "inconsistent-date-format", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, `the first day ("2025-03-10")`, found[0].Related[0].Message)
}
