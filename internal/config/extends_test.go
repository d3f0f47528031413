package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/config"
)

// files writes a directory of configuration files.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func TestExtends(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"team.yaml": "version: 1\ndb: mongodb\nfailOn: error\nrules:\n  join-document: off\n  unbounded-array: {severity: error, thresholds: {max-elements: 5}}\n" +
			"ignore:\n  - {rule: sparse-field, reason: the team's}\n",
		"strict.yaml":  "version: 1\nextends: team.yaml\nfailOn: info\n",
		"p/.conf.yaml": "version: 1\nextends: [../strict.yaml]\ndb: cosmosdb\nrules:\n  unbounded-array: {thresholds: {max-elements: 7}}\nignore:\n  - {rule: missing-id, reason: ours}\n",
	})
	c, err := config.Load(filepath.Join(dir, "p", ".conf.yaml"))
	require.NoError(t, err)
	assert.Equal(t, "cosmosdb", c.DB, "the nearest wins")
	assert.Equal(t, "info", c.FailOn)
	assert.Equal(t, config.Off, c.Rules["join-document"].Severity)
	assert.Equal(t, config.Rule{Severity: "error", Thresholds: map[string]float64{"max-elements": 7}}, c.Rules["unbounded-array"], "mappings are merged")
	assert.Equal(t, []config.Ignore{{Rule: "sparse-field", Reason: "the team's"}, {Rule: "missing-id", Reason: "ours", Line: 7}}, c.Ignore, "ignores add up")
	assert.Equal(t, []string{filepath.Join(dir, "strict.yaml"), filepath.Join(dir, "team.yaml")}, c.Extended)
}

func TestExtendsRefuses(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"a.yaml":    "version: 1\nextends: b.yaml\n",
		"b.yaml":    "version: 1\nextends: a.yaml\n",
		"docs.yaml": "version: 1\ndocs: [x]\n",
		"bad.yaml":  "version: 1\nfail_on: error\n",
	})
	for text, want := range map[string]string{
		"extends: none.yaml": "no such file",
		"extends: a.yaml":    "this is a circle",
		"extends: docs.yaml": "docs is in it, which belongs in the file that extends it",
		"extends: bad.yaml":  `unknown key "fail_on": did you mean "failOn"?`,
		"extends: [1]":       "extends",
		"extends: ''":        "extends must not be empty",
	} {
		path := filepath.Join(dir, "c.yaml")
		require.NoError(t, os.WriteFile(path, []byte("version: 1\n"+text+"\n"), 0o600))
		_, err := config.Load(path)
		assert.ErrorContains(t, err, want, text)
		assert.ErrorContains(t, err, "c.yaml:2:", text)
	}
}

// TestExtendsStaysInTheProject uses a configuration that came with a repository
// and extends a file outside it.
func TestExtendsStaysInTheProject(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"outside.yaml": "version: 1\n", "repo/.git/HEAD": "", "repo/" + config.FileName: "version: 1\nextends: ../outside.yaml\n",
	})
	path := filepath.Join(dir, "repo", config.FileName)
	_, err := config.LoadFound(path)
	assert.ErrorContains(t, err, "leads out of the project")
	_, err = config.Load(path)
	assert.NoError(t, err, "named by the user")
}
