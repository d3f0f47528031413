package goconfig_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
)

// TestSchemas: paths are relative to the configuration file, and a result is no
// older than the files.
func TestSchemas(t *testing.T) {
	t.Setenv("GOWORK", "off")
	root := tree(t, map[string]string{
		"go.mod": "module m\n", ".shapevet.yaml": "version: 1\nschemas:\n  posts: schemas/all.json#/$defs/posts\n  gone: gone.json\n",
		"schemas/all.json": `{"$defs": {"posts": {"$ref": "tags.json"}}}`, "schemas/tags.json": `{"type": "object"}`,
	})
	c, err := config.Load(filepath.Join(root, ".shapevet.yaml"))
	require.NoError(t, err)
	set := goconfig.Schemas(c)
	assert.Equal(t, []string{"posts"}, set.Collections())
	assert.Equal(t, []string{filepath.Join(root, "gone.json"), filepath.Join(root, "schemas", "all.json"), filepath.Join(root, "schemas", "tags.json")}, set.Files())
	assert.Len(t, set.Problems(), 1)
	assert.Nil(t, goconfig.Schemas(config.Default()))

	before := ""
	for _, text := range []string{`{"type": "object"}`, `{"type": "array"}`, `{`} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "schemas", "tags.json"), []byte(text), 0o600))
		var now bytes.Buffer
		require.NoError(t, goconfig.Fingerprint(&now, root))
		assert.NotEqual(t, before, now.String())
		before = now.String()
	}
}
