package rules_test

import "testing"

func TestUnversionedDrift(t *testing.T) {
	t.Parallel()
	const rest = `"city":"Ulm","street":"s","phone":"1","lang":"de"`
	old := func(extra string) []string {
		return times(10, 40, `{"id":"p%[1]d","createdAt":"2024-01-01T08:%[1]d:00Z",`+rest+extra+`,"name":"n%[1]d"}`)
	}
	recent := func(extra string) []string {
		return times(10, 40, `{"id":"q%[1]d","createdAt":"2025-01-01T08:%[1]d:00Z",`+rest+extra+`,"firstName":"n%[1]d","lastName":"m"}`)
	}
	mixed := times(10, 40, `{"id":"r%[1]d","createdAt":"2024-01-01T08:%[1]d:30Z",`+rest+`,"firstName":"n%[1]d","lastName":"m"}`)
	runShapeCases(t, "unversioned-drift", []shapeCase{
		{"the shape changed", database{"a": concat(old(""), recent(""))}, []string{"warning a.jsonl:41 firstName"}, "by createdAt, 40 documents have name and the later 40 have firstName and lastName"},
		{"in any order", database{"a": concat(recent(""), old(""))}, []string{"warning a.jsonl:1 firstName"}, ""},
		{"a version says so", database{"a": concat(old(`,"schemaVersion":1`), recent(`,"schemaVersion":2`))}, nil, ""},
		{"alternatives at all times", database{"a": concat(old(""), mixed)}, nil, ""},
		{"a field explains it", database{"a": concat(old(`,"source":"web"`), recent(`,"source":"app"`))}, nil, ""},
		{"no clock", database{"a": concat(
			times(10, 40, `{"id":"p%[1]d",`+rest+`,"name":"n%[1]d"}`), times(10, 40, `{"id":"q%[1]d",`+rest+`,"firstName":"n%[1]d","lastName":"m"}`))}, nil, ""},
		{"ids that tell the time", database{"a": concat(
			times(10, 40, `{"_id":{"$oid":"65a0000000000000000000%[1]d"},`+rest+`,"name":"n%[1]d"}`),
			times(10, 40, `{"_id":{"$oid":"67a0000000000000000000%[1]d"},`+rest+`,"firstName":"n%[1]d","lastName":"m"}`))}, []string{"warning a.jsonl:41 firstName"}, "by _id, 40"},
		{"little in common but no overlap in time", database{"a": concat(
			times(10, 40, `{"id":"p%[1]d","cart":"c%[1]d","date":"2020-01-01T08:%[1]d:00Z"}`),
			times(10, 40, `{"id":"q%[1]d","cart":"c%[1]d","town":"u","card":"4","total":%[1]d,"lane":"s","delivery":"2020-02-01T08:%[1]d:00Z"}`))},
			[]string{"warning a.jsonl:41 town"}, "40 documents have date and the later 40"},
		{"kinds imported one after the other", database{"a": concat(
			times(10, 40, `{"_id":{"$oid":"65a0000000000000000000%[1]d"},"account":"c%[1]d","limit":%[1]d,"products":["x"]}`),
			times(10, 40, `{"_id":{"$oid":"67a0000000000000000000%[1]d"},"user":"c%[1]d","street":"s","phone":"%[1]d"}`))}, nil, ""},
		{"one kind of spelling is another rule's", database{"a": concat(old(`,"zipCode":"1"`), times(10, 40, `{"id":"q%[1]d","createdAt":"2025-01-01T08:%[1]d:00Z",`+rest+`,"zip_code":"1","name":"n%[1]d"}`))}, nil, ""},
	})
}
