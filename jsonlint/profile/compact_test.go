package profile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

func TestCompactLen(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`, `{"a":1}`, `{"a":"x y","b":[1,{"c":null},[]],"d":{}}`, `{"_id":{"$oid":"64ff82000000000000000001"},"n":[[1],[2,"  "]]}`,
	} {
		var indented bytes.Buffer
		require.NoError(t, json.Indent(&indented, []byte(text), "", "   "))
		for _, written := range []string{text, indented.String()} {
			var p scan.Parser
			d, err := p.Parse([]byte(written))
			require.NoError(t, err)
			assert.EqualValues(t, len(text), CompactLen(d), written)
		}
	}
}

// TestCompactLenOfMended measures documents that were read from damaged text.
func TestCompactLenOfMended(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/jsontestsuite/test_parsing/*.json")
	require.NoError(t, err)
	measured := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		documents, _ := scan.Recover(text)
		for i := range documents {
			n := CompactLen(&documents[i].Doc)
			assert.True(t, n >= 0 && n <= int64(len(text)), "%s: %d", file, n)
			measured++
		}
	}
	require.NotZero(t, measured)
}
