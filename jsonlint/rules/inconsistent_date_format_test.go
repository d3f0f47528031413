package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

func TestInconsistentDateFormat(t *testing.T) {
	t.Parallel()
	zoned := times(10, 9, `{"id":"%[1]d","at":"2026-01-%[1]dT10:00:00Z"}`)
	runShapeCases(t, "inconsistent-date-format", []shapeCase{
		{"one way", database{"a": zoned}, nil, ""},
		{"RFC 1123", database{"a": concat(zoned, []string{`{"id":"1","at":"Mon, 02 Feb 2026 16:20:00 GMT"}`})}, []string{"warning a.jsonl:10 at"}, "9 × a time with zone"},
		{"without zone", database{"a": concat(zoned, []string{`{"id":"1","at":"2026-01-31T10:00:00"}`})}, []string{"warning a.jsonl:10 at"}, ""},
		{"a day", database{"a": concat(zoned, []string{`{"id":"1","at":"2026-01-31"}`})}, []string{"warning a.jsonl:10 at"}, ""},
		{"local", database{"a": concat(zoned, []string{`{"id":"1","at":"31.01.2026"}`})}, []string{"warning a.jsonl:10 at"}, ""},
		{"native", database{"a": concat(zoned, []string{`{"id":"1","at":{"$date":"2026-01-31T10:00:00Z"}}`})}, []string{"warning a.jsonl:10 at"}, "native date"},
		{"seconds beside texts", database{"a": concat(zoned, []string{`{"id":"1","at":1769853600}`})}, []string{"warning a.jsonl:10 at"}, "seconds since 1970"},
		{"seconds and milliseconds", database{"a": concat(times(10, 9, `{"id":"%[1]d","createdAt":17698536%[1]d}`), []string{`{"id":"1","createdAt":1769853600000}`})}, []string{"warning a.jsonl:10 createdAt"}, "milliseconds"},
		{"large numbers that are no times", database{"a": concat(times(10, 9, `{"id":"%[1]d","views":17698536%[1]d}`), []string{`{"id":"1","views":1769853600000}`})}, nil, ""},
		{"null and placeholders", database{"a": concat(zoned, []string{`{"id":"1","at":null}`, `{"id":"2","at":""}`})}, nil, ""},
		{"texts that are no dates", database{"a": concat(zoned, times(30, 9, `{"id":"%[1]d","at":"soon %[1]d"}`), []string{`{"id":"1","at":"2026-01-31"}`})}, nil, ""},
	})
}

func TestInconsistentDateFormatFix(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "inconsistent-date-format", database{"a": concat(times(10, 9, `{"id":"%[1]d","at":"2026-01-%[1]dT10:00:00Z"}`),
		[]string{`{"id":"1","at":"Mon, 02 Feb 2026 16:20:00 GMT"}`})}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, `{"id":"1","at":"2026-02-02T16:20:00Z"}`, string(found[0].Fixes[0].After[0].Document))
	local := findingsOf(t, "inconsistent-date-format", database{"a": concat(times(10, 9, `{"id":"%[1]d","at":"2026-01-%[1]dT10:00:00Z"}`),
		[]string{`{"id":"1","at":"1/2/2026"}`})}, jsonlint.Options{})
	require.Len(t, local, 1)
	assert.Empty(t, local[0].Fixes, "day and month cannot be told apart")
}
