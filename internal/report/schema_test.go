package report_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
)

// closed forbids fields that the schema lacks.
func closed(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			v[key] = closed(inner)
		}
		if _, ok := v["properties"]; ok {
			v["additionalProperties"] = false
		}
	case []any:
		for i, inner := range v {
			v[i] = closed(inner)
		}
	}
	return value
}

// TestJSONKeepsToItsSchema validates reports against the published schema,
// which must cover every field.
func TestJSONKeepsToItsSchema(t *testing.T) {
	t.Parallel()
	var parsed any
	require.NoError(t, json.Unmarshal(report.Schema(), &parsed))
	strict, err := json.Marshal(closed(parsed))
	require.NoError(t, err)
	const id = "https://github.com/shapevet/shapevet/schema/report.json"
	for _, text := range [][]byte{report.Schema(), strict} {
		compiler := jsonschema.NewCompiler()
		require.NoError(t, compiler.AddResource(id, bytes.NewReader(text)))
		schema, err := compiler.Compile(id)
		require.NoError(t, err)
		whole := fixture()
		whole.Unchecked = []finding.Unchecked{{What: "2 Go packages", Below: ".", Hint: "./..."}}
		whole.Findings[0].Also = []finding.Twin{{Rule: "r", Subject: finding.Subject{Kind: finding.KindDocument}}}
		for _, r := range []*finding.Report{whole, {}} {
			var value any
			require.NoError(t, json.Unmarshal([]byte(write(t, "json", r, report.Options{})), &value))
			assert.NoError(t, schema.Validate(value))
		}
		assert.Error(t, schema.Validate(map[string]any{"version": 1.0}))
	}
}
