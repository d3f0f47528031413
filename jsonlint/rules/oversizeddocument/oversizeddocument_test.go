package oversizeddocument_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
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
		{"generic", 300_000, finding.Info, `1 document of 195 KB or more, the largest 293 KB`},
		{"generic", 1_200_000, finding.Warning, "more than Amazon DynamoDB and Cloud Firestore store"},
		{"cosmosdb", 1_200_000, finding.Warning, "57% of the 2 MB that Azure Cosmos DB"},
		{"cosmosdb", 2_000_000, finding.Error, "95% of the"},
		{"cosmosdb", 2_200_000, finding.Error, `1 document of up to 2.1 MB, more than the 2 MB that Azure Cosmos DB for NoSQL stores`},
		{"mongodb", 1_200_000, finding.Info, ""},
		{"mongodb", 2_200_000, finding.Warning, ""},
		{"dynamodb", 390_000, finding.Error, ""},
		{"firestore", 600_000, finding.Warning, ""},
		{"couchbase", 600_000, 0, ""},
	} {
		t.Run(fmt.Sprint(test.db, test.bytes), func(t *testing.T) {
			t.Parallel()
			db := ruletest.Database{"docs": {letters("a", 20_000), letters("b", test.bytes), letters("c", 30_000)}}
			found := ruletest.FindingsOf(t, "oversized-document", db, jsonlint.Options{DB: test.db, Strict: test.severity == finding.Info})
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

// One large document far from the limit is a hint; if most are, each reading pays.
func TestUsuallyLarge(t *testing.T) {
	t.Parallel()
	for _, usual := range []int{20_000, 300_000} {
		db := ruletest.Database{"docs": {letters("a", usual), letters("b", 300_000), letters("c", usual)}}
		found := ruletest.FindingsOf(t, "oversized-document", db, jsonlint.Options{})
		assert.Equal(t, usual == 300_000, len(found) == 1)
	}
}

func TestOversizedDocumentNamesTheHeavyPart(t *testing.T) {
	t.Parallel()
	big := fmt.Sprintf(`{"id":"1","body":{"intro":"x","chapters":[%s]},"notes":"x"}`, ruletest.Joined(30, func(i int) string {
		return fmt.Sprintf(`{"n":%d,"text":"%s"}`, i, strings.Repeat("word ", 2000))
	}))
	found := ruletest.FindingsOf(t, "oversized-document", ruletest.Database{"books": {big}}, jsonlint.Options{Strict: true})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, `Move body.chapters (over 99.9%) into documents with the id of this one: that is most of it.`)
}

func TestOversizedDocumentBesideABlob(t *testing.T) {
	t.Parallel()
	with := func(bytes int) ruletest.Database {
		return ruletest.Database{"docs": {`{"id":"a","name":"x"}`, fmt.Sprintf(`{"id":"b","name":"x","photo":"/9j/%s"}`, strings.Repeat("QUJD", bytes/4))}}
	}
	assert.Empty(t, ruletest.FindingsOf(t, "oversized-document", with(300_000), jsonlint.Options{}), "inline-blob says it")
	assert.Len(t, ruletest.FindingsOf(t, "oversized-document", with(1_200_000), jsonlint.Options{}), 1, "a database refuses it")
}

// What a growing array makes large is the array's finding.
func TestOversizedDocumentBesideAGrowingArray(t *testing.T) {
	t.Parallel()
	comments := func(n int) string {
		return ruletest.Joined(n, func(i int) string {
			return fmt.Sprintf(`{"_id":"c%d","userId":"u%d","at":"2026-01-31T10:%02d:00Z","text":"%s"}`, i, i, i%60, strings.Repeat("word ", 60))
		})
	}
	var posts []string
	for i, n := range []int{0, 1, 2, 3, 2, 1, 4, 0, 2, 700} {
		posts = append(posts, fmt.Sprintf(`{"id":"p%d","title":"t","comments":[%s]}`, i, comments(n)))
	}
	assert.Len(t, ruletest.FindingsOf(t, "unbounded-array", ruletest.Database{"posts": posts}, jsonlint.Options{}), 1)
	assert.Empty(t, ruletest.FindingsOf(t, "oversized-document", ruletest.Database{"posts": posts}, jsonlint.Options{}))
}

func TestOversizedDocumentMeasuresAlike(t *testing.T) {
	t.Parallel()
	// Digits in a file take more than the number stored.
	document := `{"id":"a","n":{` + ruletest.Joined(30_000, func(i int) string { return fmt.Sprintf(`"n%d":1234567890.123456789`, i) }) + `}}`
	found := ruletest.FindingsOf(t, "oversized-document", ruletest.Database{"docs": {document}}, jsonlint.Options{DB: "dynamodb"})
	require.Len(t, found, 1)
	evidence := map[string]any{}
	for _, e := range found[0].Evidence {
		evidence[e.Name] = e.Value
	}
	assert.LessOrEqual(t, evidence["bytes.p50"], evidence["bytes.max"])
}
