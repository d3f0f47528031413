package analyzers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// TestLoadChecksOnce checks that every package is type-checked once at most:
// those that patterns match, from source; of what they import there are types,
// which the compiler wrote, and no syntax that something could be checked from.
func TestLoadChecksOnce(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range map[string]string{
		"go.mod":          "module example.com/app\n\ngo 1.21\n",
		"model/model.go":  "package model\n\nimport \"net/url\"\n\ntype Post struct{ Link url.URL }\n",
		"store/store.go":  "package store\n\nimport \"example.com/app/model\"\n\nvar Last model.Post\n",
		"store/a_test.go": "package store\n\nimport \"testing\"\n\nfunc TestA(*testing.T) {}\n",
		"other/other.go":  "package other\n\nimport \"example.com/app/model\"\n\nvar First model.Post\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	reached := func(pattern string) map[string]*packages.Package {
		l, err := load(t.Context(), []string{dir + pattern}, nil)
		require.NoError(t, err)
		require.Empty(t, l.problems)
		all := map[string]*packages.Package{}
		packages.Visit(l.loaded, func(p *packages.Package) bool {
			assert.NotContains(t, all, p.PkgPath, "loaded twice")
			all[p.PkgPath] = p
			if !strings.HasPrefix(p.PkgPath, "example.com/") {
				assert.Empty(t, p.Syntax, p.PkgPath)
			}
			return true
		}, nil)
		return all
	}

	all := reached("/...")
	for _, name := range []string{"model", "store", "other"} {
		p := all["example.com/app/"+name]
		require.NotNil(t, p)
		assert.Len(t, p.Syntax, 1, "%s without its tests", name)
	}
	post := all["example.com/app/model"].Types.Scope().Lookup("Post")
	for name, variable := range map[string]string{"store": "Last", "other": "First"} {
		at := all["example.com/app/"+name].Types.Scope().Lookup(variable)
		assert.Same(t, post.Type(), at.Type(), "%s has the type that was checked from source", name)
	}

	all = reached("/store")
	model := all["example.com/app/model"]
	if model != nil { // of what is only imported the loader tells what it needs
		assert.Empty(t, model.Syntax)
	}
	last := all["example.com/app/store"].Types.Scope().Lookup("Last")
	assert.Equal(t, "example.com/app/model.Post", last.Type().String(), "the types of what is imported are there")
	imported := all["example.com/app/store"].Types.Imports()
	require.Len(t, imported, 1)
	assert.True(t, imported[0].Complete())
	assert.Equal(t, "net/url", imported[0].Imports()[0].Path(), "also of what that imports")
}

// TestPatternsOfManyModules takes a pattern for all below a directory that is in
// no module for the modules below it.
func TestPatternsOfManyModules(t *testing.T) {
	t.Parallel()
	module := "module example.com/m\n\ngo 1.21\n"
	apart := writeFiles(t, map[string]string{
		"server/go.mod": module, "server/tools/go.mod": module, "worker/go.mod": module,
		"vendor/a/go.mod": module, "web/node_modules/b/go.mod": module, "web/.cache/c/go.mod": module,
	})
	together := writeFiles(t, map[string]string{
		"go.work": "go 1.21\n\nuse (\n\t./server\n\t./lib/store\n)\n", "server/go.mod": module, "lib/store/go.mod": module, "tools/go.mod": module,
	})
	at := func(dir string, names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	tests := map[string]struct {
		here     string
		patterns []string
		want     []patternGroup
	}{
		"modules beside each other": {apart, []string{"./..."}, []patternGroup{
			{at(apart, "server"), []string{"./..."}}, {at(apart, "server", "tools"), []string{"./..."}}, {at(apart, "worker"), []string{"./..."}},
		}},
		"below a directory": {apart, []string{"./server/..."}, []patternGroup{{at(apart, "server"), []string{"./..."}}}},
		"one directory":     {apart, []string{"./worker"}, []patternGroup{{at(apart, "worker"), []string{"."}}}},
		"in a module":       {at(apart, "server"), []string{"./..."}, []patternGroup{{"", []string{"./..."}}}},
		"work space":        {together, []string{"./..."}, []patternGroup{{"", []string{"./lib/store/...", "./server/..."}}}},
		"part of it":        {together, []string{"./lib/..."}, []patternGroup{{"", []string{"./lib/store/..."}}}},
		"seen from outside": {apart, []string{together + "/..."}, []patternGroup{{together, []string{"./lib/store/...", "./server/..."}}}},
		"no module at all":  {at(apart, "web"), []string{"./..."}, []patternGroup{{"", []string{"./..."}}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			groups, err := byModule(test.here, test.patterns)
			require.NoError(t, err)
			assert.Equal(t, test.want, groups)
		})
	}
}

// TestFirstError says what to do about an import that cannot be read.
func TestFirstError(t *testing.T) {
	t.Parallel()
	p := &packages.Package{Errors: []packages.Error{
		{Msg: "# example.com/app"}, {Pos: "a.go:3:8", Msg: `could not import example.com/lib (invalid package name: "")`},
	}}
	assert.Equal(t, `a.go:3:8: could not import example.com/lib (it cannot be read: "go mod download" says why)`, firstError(p))
}

// TestStaleModFile loads a module whose go.mod file lacks what a dependency needs, from an
// updated copy. The flag -mod=readonly says what the go command does anyway.
func TestStaleModFile(t *testing.T) {
	t.Parallel()
	app := "module example.com/app\n\ngo 1.21\n\nrequire example.com/a v1.0.0\n\nreplace example.com/a => ./a\n\nreplace example.com/b => ./b\n"
	dir := writeFiles(t, map[string]string{
		"go.mod": app, "app.go": "package app\n\nimport _ \"example.com/a\"\n",
		"a/go.mod": "module example.com/a\n\ngo 1.21\n\nrequire example.com/b v1.0.0\n", "a/a.go": "package a\n\nimport _ \"example.com/b\"\n",
		"b/go.mod": "module example.com/b\n\ngo 1.21\n", "b/b.go": "package b\n",
	})
	for _, flags := range [][]string{nil, {"-mod=readonly"}} {
		l := &loaded{around: map[string]bool{}}
		matched, err := l.loadGroup(&packages.Config{Context: t.Context(), Mode: loadMode, Dir: dir, BuildFlags: flags}, dir, []string{"."})
		require.NoError(t, err, "%q", flags)
		assert.Len(t, matched, 1, "%q", flags)
		assert.Len(t, l.warnings, 1, "%q", flags)
	}
	l := &loaded{around: map[string]bool{}}
	_, err := l.loadGroup(&packages.Config{Context: t.Context(), Mode: loadMode, Dir: dir, BuildFlags: []string{"-mod=vendor"}}, dir, []string{"."})
	require.Error(t, err, "the user chose what to read")
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	assert.Equal(t, app, string(text), "the file stays as it is")
}
