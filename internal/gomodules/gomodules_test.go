package gomodules_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/gomodules"
)

// tree makes a directory with these files, and returns what leads to a place
// in it.
func tree(t *testing.T, files map[string]string) func(names ...string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(top, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return func(names ...string) string { return filepath.Join(append([]string{top}, names...)...) }
}

func TestAbove(t *testing.T) {
	t.Parallel()
	at := tree(t, map[string]string{"go.mod": "", "a/go.mod/no.txt": "", "a/b/x.go": "", "c/go.mod": "", "c/d/x.go": ""})
	assert.Equal(t, at(), gomodules.Above(at()))
	assert.Equal(t, at(), gomodules.Above(at("a", "b")), "a directory is no file")
	assert.Equal(t, at("c"), gomodules.Above(at("c", "d")), "the nearest")
	assert.Empty(t, gomodules.Above(filepath.Dir(at())))
}

func TestWorkSpace(t *testing.T) {
	at := tree(t, map[string]string{
		"go.work": "go 1.21\n\nuse (\n\t./app\n\t./lib/store\n\t./gone\n)\n", "app/go.mod": "", "lib/store/go.mod": "", "tools/go.mod": "",
		"broken/go.work": "use use", "broken/app/go.mod": "",
	})
	t.Setenv("GOWORK", "")
	used := []string{at("app"), at("lib", "store")}
	around := func(dir string) []string {
		modules, err := gomodules.Around(dir)
		require.NoError(t, err)
		return modules
	}
	assert.Equal(t, used, around(at("tools")))
	assert.Equal(t, at(), gomodules.Root(at("tools")))
	assert.Equal(t, used, gomodules.Below(at()), "the go command refuses to load the others")
	assert.Empty(t, around(at("broken", "app")))

	t.Setenv("GOWORK", at("go.work"))
	assert.Equal(t, used, around(filepath.Dir(at())))
	t.Setenv("GOWORK", at("no.work"))
	_, err := gomodules.Around(at("app"))
	require.ErrorIs(t, err, os.ErrNotExist)

	t.Setenv("GOWORK", "off")
	assert.Equal(t, []string{at("tools")}, around(at("tools")))
	assert.Equal(t, at("tools"), gomodules.Root(at("tools")))
	assert.Len(t, gomodules.Below(at()), 4)
}

func TestBelow(t *testing.T) {
	t.Parallel()
	at := tree(t, map[string]string{
		"server/go.mod": "", "server/tools/go.mod": "", "worker/go.mod": "",
		"vendor/a/go.mod": "", "web/node_modules/b/go.mod": "", "web/.cache/c/go.mod": "", "_old/go.mod": "", "testdata/go.mod": "",
	})
	assert.Equal(t, []string{at("server"), at("server", "tools"), at("worker")}, gomodules.Below(at()))
	assert.Empty(t, gomodules.Below(at("web")))
	assert.Equal(t, []string{at("worker")}, gomodules.Below(at("worker")))
}
