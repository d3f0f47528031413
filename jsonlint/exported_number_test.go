package jsonlint_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// TestNumbersOfExtendedJSONAreText checks that a number that no double can hold
// is reported in an export, which is text, but not for MongoDB itself.
func TestNumbersOfExtendedJSONAreText(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "items.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"channel":622507712906788877}`), 0o600))
	for db, want := range map[string][]finding.Severity{"": {finding.Warning}, "mongodb": nil} {
		report, err := jsonlint.Check(t.Context(), []string{file}, jsonlint.Options{DB: db})
		require.NoError(t, err)
		var found []finding.Severity
		for _, f := range report.Findings {
			if f.Rule == "numeric-precision" {
				found = append(found, f.Severity)
			}
		}
		assert.Equal(t, want, found, db)
	}
}
