package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/config"
)

// put writes a file below dir.
func put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// TestFoundConfigurationIsNotTrusted: a configuration that lies beside somebody
// else's files neither writes nor reads outside of them.
func TestFoundConfigurationIsNotTrusted(t *testing.T) {
	root := t.TempDir()
	project := filepath.Join(root, "repository", "project")
	put(t, filepath.Join(project, "data", "a.json"), "{}")
	put(t, filepath.Join(root, "repository", "near.json"), "{}")
	put(t, filepath.Join(root, "victim.json"), "{}")
	require.NoError(t, os.Mkdir(filepath.Join(root, "repository", ".git"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(root, "victim.json"), filepath.Join(project, "link.json")))
	require.NoError(t, os.Symlink(root, filepath.Join(project, "away")))
	require.NoError(t, os.Symlink(filepath.Join(root, "none"), filepath.Join(project, "dangling")))
	require.NoError(t, os.Mkdir(filepath.Join(project, "deep"), 0o700))
	t.Chdir(filepath.Join(project, "deep"))
	path := filepath.Join(project, config.FileName)
	for _, test := range []struct{ text, want string }{
		{"output: [text, json=x.json]", ""},
		{"output: [json=../x.json]", ""},
		{"output: [json=../new/x.json]", ""},
		{"output: [text, json=../../../victim.json]", ":2:16: output[1] writes outside of the directory of this file: use --output json=../../../victim.json"},
		{"output: [json=../../near.json]", "writes outside"},
		{"output: [json=../link.json]", "writes outside"},
		{"output: [json=../away/new.json]", "writes outside"},
		{"output: [json=../dangling]", "writes outside"},
		{"output: [json=/dev/stdout]", "writes outside"},
		{"output: [text=../.git/config]", "writes outside"},
		{"output: [text=../.GIT/hooks/pre-commit]", "writes outside"},
		{"docs: [data, ../near.json, '**/*.json']", ""},
		{"docs: [../../victim.json]", "docs[0] leads out of the project of this file: use --docs ../../victim.json"},
		{"docs: ['../../**/*.json']", "leads out of the project"},
		{"docs: [link.json]", "leads out of the project"},
		{"docs: [/dev/zero]", "leads out of the project"},
		{"schemas: {a: data/a.json#/x}", ""},
		{"schemas: {a: ../../victim.json#/x}", ":2:14: schemas.a leads out of the project of this file: name this configuration with --config if you trust it"},
		{"evidence: [/dev/zero]", "leads out of the project"},
		{"baseline: known.json", ""},
		{"baseline: ../near.json", "baseline leads out of the directory of this file: use --baseline ../near.json"},
		{"baseline: .git/config", "leads out of the directory"},
	} {
		put(t, path, "version: 1\n"+test.text+"\n")
		_, err := config.LoadFound(path)
		if test.want == "" {
			assert.NoError(t, err, test.text)
		} else {
			assert.ErrorContains(t, err, test.want, test.text)
		}
		_, err = config.Load(path)
		if !strings.Contains(test.text, "/dev/zero") {
			assert.NoError(t, err, "a configuration that is named may: %s", test.text)
		}
	}
}

// TestConfigurationIsBounded: texts that would occupy the YAML library for
// minutes, or fill the memory, are refused at once. The worst text within the
// bounds is fast enough.
func TestConfigurationIsBounded(t *testing.T) {
	lines := func(line string, bytes int) string { return strings.Repeat(line+"\n", bytes/(len(line)+1)) }
	const most = 120_000 // bytes, a little less than a configuration may have
	for name, text := range map[string]string{
		"brackets":            strings.Repeat("[", 40_000),
		"mappings":            strings.Repeat("a: ", 300_000),
		"lists":               strings.Repeat("- ", 20_000),
		"tabs":                strings.Repeat("-\t", 20_000),
		"tags":                strings.Repeat("!a ", 20_000),
		"keys":                "version: 1\n" + numbered("k%05d: 1\n", most),
		"brackets on lines":   lines(strings.Repeat("[", 250), most),
		"bracket a line":      lines("[", most),
		"braces":              lines(strings.Repeat("{a: ", 120), most),
		"lists on lines":      lines("  "+strings.Repeat("- ", 248), most),
		"mappings on a line":  lines(strings.Repeat("? ", 248), most),
		"indentation":         staircase(most),
		"unknown rules":       "version: 1\nselect:\n" + numbered("  - rule-%05d\n", most),
		"flow":                "version: 1\nselect: [\n" + lines(strings.Repeat(`"a",`, 1000), most) + "]",
		"quotes":              lines(strings.Repeat(`"`, 4000), most),
		"comments":            lines("#", most),
		"anchors":             lines(strings.Repeat("&a ", 240), most),
		"documents":           lines("---", most),
		"literals":            "version: 1\nx: |\n" + lines("  x", most),
		"literals one by one": numbered("k%05d: |\n  x\n", most),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin := time.Now()
		_, err := config.Parse("c.yaml", []byte(text))
		runtime.ReadMemStats(&after)
		require.Error(t, err, name)
		assert.Less(t, time.Since(begin), 2*time.Minute, name) // 3 s, and ten times that with the race detector on a busy machine
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2<<30), name)
		assert.Less(t, len(err.Error()), 100_000, name)
		t.Logf("%-20s %8s %5d MB", name, time.Since(begin).Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
	}
}

func numbered(format string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// staircase nests mappings, one level deeper on each line.
func staircase(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}
