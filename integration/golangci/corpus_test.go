package golangci

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A corpus is a workspace that go vet, golangci-lint and shapevet check can all
// load.
type corpus struct {
	dir      string
	packages []string // import paths, sorted
}

// fixtures arranges the fixtures of the rules as a workspace: a module for each
// rule and for each host of libraries, which have stand-ins.
func fixtures(t *testing.T) corpus {
	t.Helper()
	source := os.DirFS(filepath.Join(repository(t), "analyzers", "testdata", "src"))
	c := corpus{dir: t.TempDir()}
	require.NoError(t, os.CopyFS(c.dir, source))
	entries, err := fs.ReadDir(source, ".")
	require.NoError(t, err)
	work := "go 1.26\nuse .\n"
	for _, entry := range entries {
		name := entry.Name()
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, name, "go.mod"), fmt.Appendf(nil, "module %s\n\ngo 1.26\n", name), 0o600))
		work += "use ./" + name + "\n"
		if strings.Contains(name, ".") {
			continue // a host of libraries
		}
		files, err := fs.Glob(source, name+"/*/*.go")
		require.NoError(t, err)
		deeper, err := fs.Glob(source, name+"/*/*/*.go")
		require.NoError(t, err)
		for _, file := range append(files, deeper...) {
			c.packages = append(c.packages, path.Dir(file))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "go.work"), []byte(work), 0o600))
	// analysistest knows modules only if the folder itself is one.
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "go.mod"), []byte("module fixtures\n\ngo 1.26\n"), 0o600))
	slices.Sort(c.packages)
	c.packages = slices.Compact(c.packages)
	require.NotEmpty(t, c.packages)
	c.configure(t)
	return c
}

// elsewhere is a module in which types are stored by other packages than the
// ones that declare them.
func elsewhere(t *testing.T) corpus {
	t.Helper()
	c := corpus{dir: t.TempDir(), packages: []string{"example.com/shop/orders", "example.com/shop/posts", "example.com/shop/store"}}
	require.NoError(t, os.CopyFS(c.dir, os.DirFS(filepath.Join("testdata", "shop"))))
	require.NoError(t, os.Rename(filepath.Join(c.dir, "go.mod.txt"), filepath.Join(c.dir, "go.mod")))
	stands := filepath.Join(repository(t), "analyzers", "testdata", "src", "go.mongodb.org", "mongo-driver", "v2")
	require.NoError(t, os.CopyFS(filepath.Join(c.dir, "sdk"), os.DirFS(stands)))
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "sdk", "go.mod"), []byte("module go.mongodb.org/mongo-driver/v2\n\ngo 1.26\n"), 0o600))
	c.configure(t)
	return c
}

// configure writes a configuration of golangci-lint that leaves out nothing.
func (c corpus) configure(t *testing.T) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, ".golangci.yml"), []byte(`version: "2"
linters:
  default: none
  enable: [shapevet]
  settings:
    custom:
      shapevet:
        type: module
        description: find modelling mistakes in code that stores documents
issues:
  max-issues-per-linter: 0
  max-same-issues: 0
  uniq-by-line: false
`), 0o600))
}
