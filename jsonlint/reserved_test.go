package jsonlint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// Design documents, checkpoints and the actions of a bulk file are not
// products.
func TestReservedDocuments(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintf(&text, `{"name":"n%[1]d","price":%[1]d.5,"_id":"p%[1]d"}`+"\n", i)
	}
	for _, id := range []string{"_design/a", "_design/b", "_design/c", "_local/x", "_sync:seq"} {
		fmt.Fprintf(&text, `{"language":"javascript","views":{"x":{"map":"function"}},"_id":%q}`+"\n", id)
	}
	dir := t.TempDir()
	for _, action := range []string{`{"index":{}}`, `{"create":{"_index":"shop","_id":"p1"}}`} {
		text.WriteString(action + "\n")
	}
	text.WriteString(`{"name":"n30","price":1.5,"index":{"_id":"p1"},"_id":"p30"}` + "\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "products.jsonl"), []byte(text.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "system.indexes.jsonl"), []byte(`{"ns":"shop.products"}`+"\n"), 0o600))
	db, _, err := jsonlint.Profile(context.Background(), []string{dir}, jsonlint.Options{Jobs: 2})
	require.NoError(t, err)
	require.Len(t, db.Collections, 1)
	assert.EqualValues(t, 31, db.Collections[0].Profile.Docs)
	assert.Len(t, db.Collections[0].Entities, 1)
}

// An action and its document may be read apart.
func TestIDsOfActions(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&text, `{"create":{"_id":%d}}`+"\n"+`{"text":"the same text in each of the documents","share":0.%d}`+"\n", i, i%100)
	}
	path := filepath.Join(t.TempDir(), "notes.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	report, err := jsonlint.Check(context.Background(), []string{path}, jsonlint.Options{Jobs: 3})
	require.NoError(t, err)
	for _, f := range report.Findings {
		assert.NotEqual(t, "missing-id", f.Rule)
	}
}
