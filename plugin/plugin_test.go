package plugin_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/shapevet/shapevet/plugin"
)

func testdata(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "analyzers", "testdata"))
	require.NoError(t, err)
	return path
}

// linter builds the analyzers the way golangci-lint does.
func linter(t *testing.T, settings any) []*analysis.Analyzer {
	t.Helper()
	construct, err := register.GetPlugin(plugin.Name)
	require.NoError(t, err)
	made, err := construct(settings)
	require.NoError(t, err)
	assert.Equal(t, register.LoadModeTypesInfo, made.GetLoadMode())
	built, err := made.BuildAnalyzers()
	require.NoError(t, err)
	require.NoError(t, analysis.Validate(built))
	return built
}

// quiet takes what analysistest says about expectations, which are not those
// of this test.
type quiet struct{}

func (quiet) Errorf(string, ...any) {}

func diagnostics(t *testing.T, settings any, patterns ...string) []analysis.Diagnostic {
	t.Helper()
	var found []analysis.Diagnostic
	for _, result := range analysistest.Run(quiet{}, testdata(t), linter(t, settings)[0], patterns...) {
		require.NoError(t, result.Err)
		found = append(found, result.Diagnostics...)
	}
	return found
}

func TestDiagnostics(t *testing.T) {
	t.Parallel()
	found := diagnostics(t, nil, "unboundedarray/mongo")
	require.NotEmpty(t, found)
	assert.Regexp(t, `; \$push adds to it: each request handled by \S+ at mongo.go:\d+.* \(unbounded-array\)$`, found[0].Message)
	found = append(found, diagnostics(t, nil, "unknowntagoption/mongo")...)
	fixed := 0
	for _, d := range found {
		assert.Empty(t, d.Related, "golangci-lint would make issues of them")
		assert.LessOrEqual(t, len(d.SuggestedFixes), 1, "golangci-lint applies all")
		assert.Regexp(t, `^\S.* \([a-z-]+\)$`, d.Message)
		assert.Contains(t, d.Message, "("+d.Category+")")
		fixed += len(d.SuggestedFixes)
	}
	assert.Positive(t, fixed)
}

func TestSettings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shapes.yaml")
	require.NoError(t, os.WriteFile(file, []byte("version: 1\nrules:\n  unbounded-array: off\n"), 0o600))
	for name, settings := range map[string]any{
		"a rule switched off":  map[string]any{"rules": map[string]any{"unbounded-array": "off"}},
		"a bar, in lower case": map[string]any{"minconfidence": 1.0},
		"a file":               map[string]any{"config": file},
	} {
		for _, d := range diagnostics(t, settings, "unboundedarray/mongo") {
			assert.NotEqual(t, "unbounded-array", d.Category, name)
		}
	}
}

func TestSettingsAreStrict(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		settings any
		want     string
	}{
		{map[string]any{"rulez": 1}, `unknown key "rulez": did you mean "rules"?`},
		{map[string]any{"confg": "x"}, `unknown key "confg": did you mean "config"?`},
		{map[string]any{"failOn": "error"}, `unknown key "failOn"`},
		{map[string]any{"rules": map[string]any{"unbound-array": "off"}}, `did you mean "unbounded-array"?`},
		{map[string]any{"select": []any{"unbounded-arrays"}}, `did you mean "unbounded-array"?`},
		{map[string]any{"db": "mongo"}, `did you mean "mongodb"?`},
		{map[string]any{"config": 1}, "config must be the path"},
		{map[string]any{"config": "x.yaml", "db": "mongodb"}, "the other keys belong there"},
		{map[string]any{"config": "nowhere.yaml"}, "nowhere.yaml"},
		{[]any{"unbounded-array"}, "want a mapping"},
		{map[string]any{"minConfidence": 2}, "minConfidence"},
	} {
		_, err := plugin.New(test.settings)
		assert.ErrorContains(t, err, test.want)
	}
}

// TestState shows that results found under one configuration are not used
// under another: the names of the analyzers differ.
func TestState(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shapes.yaml")
	names := map[string]bool{}
	for _, text := range []string{"version: 1\n", "version: 1\ndb: mongodb\n", "version: 1\n"} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		names[linter(t, map[string]any{"config": file})[1].Name] = true
	}
	assert.Len(t, names, 2)
}
