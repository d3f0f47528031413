package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// letters makes a document of about so many bytes, in parts too short to be
// blobs.
func letters(id string, bytes int) string {
	const each = 10_000
	var parts []string
	for i := range bytes / each {
		parts = append(parts, fmt.Sprintf(`"p%d":"%s"`, i, strings.Repeat("wort ", each/5)))
	}
	return fmt.Sprintf(`{"id":"%s","name":"a name","pages":{%s}}`, id, strings.Join(parts, ","))
}

func TestOversizedDocument(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		db       string
		bytes    int
		severity finding.Severity // 0: none
		says     string
	}{
		{"generic", 150_000, 0, ""},
		{"generic", 300_000, finding.Info, "1 document of 200.0 KB and more"},
		{"generic", 1_200_000, finding.Warning, "more than Amazon DynamoDB and Cloud Firestore store"},
		{"cosmosdb", 1_200_000, finding.Warning, "57 % of the 2.1 MB that Azure Cosmos DB"},
		{"cosmosdb", 2_000_000, finding.Error, "95 % of the"},
		{"cosmosdb", 2_200_000, finding.Error, "refuses a larger one"},
		{"mongodb", 1_200_000, finding.Info, ""},
		{"mongodb", 2_200_000, finding.Warning, ""},
		{"dynamodb", 390_000, finding.Error, ""},
		{"firestore", 600_000, finding.Warning, ""},
		{"couchbase", 600_000, 0, ""},
	} {
		t.Run(fmt.Sprint(test.db, test.bytes), func(t *testing.T) {
			t.Parallel()
			db := database{"docs": {letters("a", 20_000), letters("b", test.bytes), letters("c", 30_000)}}
			found := findingsOf(t, "oversized-document", db, jsonlint.Options{DB: test.db})
			if test.severity == 0 {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, test.severity, found[0].Severity)
			assert.Equal(t, 2, found[0].Location.Line)
			assert.Contains(t, found[0].Message, test.says)
			assert.Empty(t, found[0].Subject.Path)
		})
	}
}

func TestOversizedDocumentNamesTheHeavyPart(t *testing.T) {
	t.Parallel()
	big := fmt.Sprintf(`{"id":"1","body":{"intro":"x","chapters":[%s]},"notes":"x"}`, joined(30, func(i int) string {
		return fmt.Sprintf(`{"n":%d,"text":"%s"}`, i, strings.Repeat("word ", 2000))
	}))
	found := findingsOf(t, "oversized-document", database{"books": {big}}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "Most of it is body.chapters (100 %)")
}

func TestOversizedDocumentBesideABlob(t *testing.T) {
	t.Parallel()
	with := func(bytes int) database {
		return database{"docs": {`{"id":"a","name":"x"}`, fmt.Sprintf(`{"id":"b","name":"x","photo":"/9j/%s"}`, strings.Repeat("QUJD", bytes/4))}}
	}
	assert.Empty(t, findingsOf(t, "oversized-document", with(300_000), jsonlint.Options{}), "inline-blob says it")
	assert.Len(t, findingsOf(t, "oversized-document", with(1_200_000), jsonlint.Options{}), 1, "a database refuses it")
}

func TestOversizedDocumentMeasuresAlike(t *testing.T) {
	t.Parallel()
	// Digits in a file take more than the number stored.
	document := `{"id":"a","n":[` + joined(30_000, func(int) string { return "1234567890.123456789" }) + `]}`
	found := findingsOf(t, "oversized-document", database{"docs": {document}}, jsonlint.Options{DB: "dynamodb"})
	require.Len(t, found, 1)
	evidence := map[string]any{}
	for _, e := range found[0].Evidence {
		evidence[e.Name] = e.Value
	}
	assert.LessOrEqual(t, evidence["bytes.p50"], evidence["bytes.max"])
}
