package unversioneddrift_test

import (
	"fmt"
	"testing"

	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestUnversionedDrift(t *testing.T) {
	t.Parallel()
	const rest = `"city":"Ulm","street":"s","phone":"1","lang":"de"`
	old := func(extra string) []string {
		return ruletest.Times(10, 40, `{"id":"p%[1]d","createdAt":"2024-01-01T08:%[1]d:00Z",`+rest+extra+`,"name":"n%[1]d"}`)
	}
	recent := func(extra string) []string {
		return ruletest.Times(10, 40, `{"id":"q%[1]d","createdAt":"2025-01-01T08:%[1]d:00Z",`+rest+extra+`,"firstName":"n%[1]d","lastName":"m"}`)
	}
	mixed := ruletest.Times(10, 40, `{"id":"r%[1]d","createdAt":"2024-01-01T08:%[1]d:30Z",`+rest+`,"firstName":"n%[1]d","lastName":"m"}`)
	later := func(term int) []string {
		return ruletest.Times(10, 16, fmt.Sprintf(`{"id":"t%[1]d-%%[1]d","createdAt":"2025-01-01T%[1]d:%%[1]d:00Z",%[2]s,`+
			`"termId":"0b6f2c1e-7a41-4a53-9d55-3f0e2b1a44%[1]d","title":"n%%[1]d"}`, term, rest))
	}
	ruletest.Run(t, "unversioned-drift", []ruletest.ShapeCase{
		{Name: "the shape changed", DB: ruletest.Database{"a": ruletest.Concat(old(""), recent(""))}, Want: []string{"warning a.jsonl:41 firstName"}, Says: `documents changed their shape over time without a version: by createdAt, the first 40 documents have name, the later 40 have firstName and lastName`},
		{Name: "in any order", DB: ruletest.Database{"a": ruletest.Concat(recent(""), old(""))}, Want: []string{"warning a.jsonl:1 firstName"}},
		{Name: "a version says so", DB: ruletest.Database{"a": ruletest.Concat(old(`,"schemaVersion":1`), recent(`,"schemaVersion":2`))}},
		{Name: "alternatives at all times", DB: ruletest.Database{"a": ruletest.Concat(old(""), mixed)}},
		{Name: "a field explains it", DB: ruletest.Database{"a": ruletest.Concat(old(`,"source":"web"`), recent(`,"source":"app"`))}},
		{Name: "a reference explains nothing", DB: ruletest.Database{
			"terms": ruletest.Times(10, 16, `{"id":"0b6f2c1e-7a41-4a53-9d55-3f0e2b1a44%[1]d","room":"r"}`),
			"a":     ruletest.Concat(old(`,"termId":"0b6f2c1e-7a41-4a53-9d55-3f0e2b1a4410"`), later(11), later(12), later(13), later(14), later(15))},
			Want: []string{"warning a.jsonl:41 title"}},
		{Name: "beside alternatives that a field explains", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 40, `{"id":"p%[1]d","createdAt":"2024-01-01T08:%[1]d:00Z",`+rest+`,"source":"web","browser":"b%[1]d","name":"n%[1]d"}`),
			ruletest.Times(10, 40, `{"id":"q%[1]d","createdAt":"2024-01-01T08:%[1]d:00Z",`+rest+`,"source":"app","device":"d%[1]d","name":"n%[1]d"}`),
			ruletest.Times(10, 40, `{"id":"r%[1]d","createdAt":"2025-01-01T08:%[1]d:00Z",`+rest+`,"source":"web","browser":"b%[1]d","title":"n%[1]d"}`))},
			Want: []string{"warning a.jsonl:81 title"}},
		{Name: "one of two things to refer to", DB: ruletest.Database{
			"classes": ruletest.Times(10, 40, `{"id":"class%[1]d","room":"r"}`), "sessions": ruletest.Times(10, 40, `{"id":"session%[1]d","day":"d"}`),
			"a": ruletest.Concat(ruletest.Times(10, 40, `{"id":"p%[1]d","createdAt":"2024-01-01T08:%[1]d:00Z",`+rest+`,"classId":"class%[1]d"}`),
				ruletest.Times(10, 40, `{"id":"q%[1]d","createdAt":"2025-01-01T08:%[1]d:00Z",`+rest+`,"sessionId":"session%[1]d"}`))}},
		{Name: "kinds that one run wrote one after the other", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 40, `{"id":"p%[1]d","createdAt":"2024-01-01T08:00:%[1]dZ",`+rest+`,"name":"n%[1]d"}`),
			ruletest.Times(10, 40, `{"id":"q%[1]d","createdAt":"2024-01-01T08:50:%[1]dZ",`+rest+`,"firstName":"n%[1]d","lastName":"m"}`))}},
		{Name: "no clock", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 40, `{"id":"p%[1]d",`+rest+`,"name":"n%[1]d"}`), ruletest.Times(10, 40, `{"id":"q%[1]d",`+rest+`,"firstName":"n%[1]d","lastName":"m"}`))}},
		{Name: "ids that tell the time", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 40, `{"_id":{"$oid":"65a0000000000000000000%[1]d"},`+rest+`,"name":"n%[1]d"}`),
			ruletest.Times(10, 40, `{"_id":{"$oid":"67a0000000000000000000%[1]d"},`+rest+`,"firstName":"n%[1]d","lastName":"m"}`))}, Want: []string{"warning a.jsonl:41 firstName"}, Says: `documents changed their shape over time without a version: by _id, the first 40 documents have name, the later 40 have firstName and lastName`},
		{Name: "little in common but no overlap in time", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 40, `{"id":"p%[1]d","cart":"c%[1]d","date":"2020-01-01T08:%[1]d:00Z"}`),
			ruletest.Times(10, 40, `{"id":"q%[1]d","cart":"c%[1]d","town":"u","card":"4","total":%[1]d,"lane":"s","delivery":"2020-02-01T08:%[1]d:00Z"}`))},
			Want: []string{"warning a.jsonl:41 town"}, Says: `documents changed their shape over time without a version: by date and delivery, the first 40 documents have date, the later 40 have town, card and total`},
		{Name: "kinds imported one after the other", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(10, 40, `{"_id":{"$oid":"65a0000000000000000000%[1]d"},"account":"c%[1]d","limit":%[1]d,"products":["x"]}`),
			ruletest.Times(10, 40, `{"_id":{"$oid":"67a0000000000000000000%[1]d"},"user":"c%[1]d","street":"s","phone":"%[1]d"}`))}},
		{Name: "one kind of spelling is another rule's", DB: ruletest.Database{"a": ruletest.Concat(old(`,"zipCode":"1"`), ruletest.Times(10, 40, `{"id":"q%[1]d","createdAt":"2025-01-01T08:%[1]d:00Z",`+rest+`,"zip_code":"1","name":"n%[1]d"}`))}},
	})
}
