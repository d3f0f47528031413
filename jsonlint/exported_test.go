package jsonlint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// TestExtendedJSONComesFromMongoDB checks that an ObjectId as _id shows which
// database documents come from, and so which limits apply.
func TestExtendedJSONComesFromMongoDB(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 300<<10)
	large := func(id string) string {
		return `{"_id":` + id + `,"a":"` + text + `","b":"` + text + `","c":"` + text + `","d":"` + text + `"}`
	}
	for name, c := range map[string]struct{ document, db, options string }{
		"an ObjectId":                {large(`{"$oid":"5f1d7a3e9b1c4a0012ab34c1"}`), "mongodb", ""},
		"one of three":               {large(`"a"`) + "\n" + large(`"b"`) + "\n" + large(`{"$oid":"5f1d7a3e9b1c4a0012ab34c1"}`), "generic", ""},
		"its digits":                 {large(`"5f1d7a3e9b1c4a0012ab34c1"`), "generic", ""},
		"an ObjectId, for Cosmos DB": {large(`{"$oid":"5f1d7a3e9b1c4a0012ab34c1"}`), "cosmosdb", "cosmosdb"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "items.json")
			require.NoError(t, os.WriteFile(file, []byte(c.document), 0o600))
			report, err := jsonlint.Check(t.Context(), []string{file}, jsonlint.Options{DB: c.options})
			require.NoError(t, err)
			assert.Equal(t, c.db, report.DB)
			var oversized []string
			for _, f := range report.Findings {
				if f.Rule == "oversized-document" {
					oversized = append(oversized, f.Severity.String())
				}
			}
			if c.db == "mongodb" {
				assert.NotContains(t, oversized, "warning", "MongoDB stores 16 MB")
			} else {
				assert.Contains(t, oversized, "warning")
			}
		})
	}
}
