package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// secretDocument has "sesame" in every kind of value of a document and in every
// place where a name is data.
func secretDocument(i int) map[string]any {
	secret := fmt.Sprintf("sesame%d", i)
	word := "sesame" + strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(i)) // like a nickname
	return map[string]any{
		"_id": secret, "name": secret, "type": []string{"sesame-user", "sesame-admin"}[i%2], "email": secret + "@example.com",
		"url": "https://example.com/" + secret, "path": "/home/" + secret, "note": "a text with " + secret + " inside",
		"blob": strings.Repeat("QUJD", 8<<10) + secret, "at": map[string]any{"$date": "2026-01-31T10:00:00Z"}, "none": nil,
		"tags": []any{secret, []any{secret}}, "friends": []any{map[string]any{"name": secret}, map[string]any{word: 1}},
		"scores": map[string]any{word: 1, word + "b": 2}, "byEmail": map[string]any{secret + "@example.com": true},
		"grades": map[string]any{word: map[string]any{"grade": secret}, word + "c": map[string]any{"grade": secret}},
		"mixed":  map[string]any{word: 1, word + "d": "x"}, "deep": []any{map[string]any{"by": map[string]any{word: map[string]any{word: 1}}}},
		"parentId": fmt.Sprintf("sesame%d", i/2),
	}
}

// TestProfileTellsNoSecrets looks for data in everything that profile writes.
func TestProfileTellsNoSecrets(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 19, 20, 200} {
		dir := t.TempDir()
		var text bytes.Buffer
		for i := range n {
			line, err := json.Marshal(secretDocument(i))
			require.NoError(t, err)
			text.Write(append(line, '\n'))
		}
		documents, file, merged := filepath.Join(dir, "people.jsonl"), filepath.Join(dir, "e.shapevet.json"), filepath.Join(dir, "m.shapevet.json")
		require.NoError(t, os.WriteFile(documents, text.Bytes(), 0o600))
		commands := [][]string{
			{"profile", documents, "--no-progress", "-o", file},
			{"profile", documents, "--no-progress"},
			{"profile", "merge", file, file, "-o", merged},
			{"profile", "merge", file, file},
			{"profile", "show", file},
			{"profile", "show", "--color", "always", merged},
			{"profile", "show", "--format", "markdown", file},
			{"profile", "show", "--format", "json", merged},
			{"profile", "--schema", "json", file},
			{"profile", "--schema", "mongodb", merged},
		}
		if n >= evidence.FewObjects { // a schema of fewer documents includes all their names
			commands = append(commands, []string{"profile", "--schema", "json", "--values", "none", documents})
		}
		for _, arguments := range commands {
			var stdout, stderr bytes.Buffer
			require.Equal(t, exitOK, run(arguments, strings.NewReader(""), &stdout, &stderr), "%v: %s", arguments, stderr.String())
			assert.NotContains(t, stdout.String(), "sesame", "%d documents, %v", n, arguments)
			assert.NotContains(t, stderr.String(), "sesame", "%d documents, %v", n, arguments)
		}
		for _, path := range []string{file, merged} {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.NotContains(t, string(text), "sesame", "%d documents, %s", n, path)
			assert.Contains(t, string(text), `"path":"email"`)
		}
	}
}
