package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/rulebook"
)

var updateDocs = flag.Bool("update-docs", false, "write the generated parts of README.md and docs")

// TestReadme keeps the generated parts of the README true: the output of the
// example and the table of rules.
func TestReadme(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	want := replaceExamples(t, string(text))
	want = replacePart(t, want, "rules", ruleTable())
	if *updateDocs {
		require.NoError(t, os.WriteFile("README.md", []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "out of date: go test ./cmd/shapevet -run 'TestReadme|TestRulePages' -update-docs")
}

var example = regexp.MustCompile("(?s)<!-- example: (.*?) -->\n```\n.*?```\n<!-- end -->")

func replaceExamples(t *testing.T, text string) string {
	t.Helper()
	return example.ReplaceAllStringFunc(text, func(match string) string {
		command := example.FindStringSubmatch(match)[1]
		var stdout, stderr bytes.Buffer
		run(append(strings.Fields(command), "--color", "never"), strings.NewReader(""), &stdout, &stderr)
		require.Empty(t, stderr.String())
		return fmt.Sprintf("<!-- example: %s -->\n```\n$ shapevet %s\n%s```\n<!-- end -->", command, command, stdout.String())
	})
}

// replacePart replaces what stands between the markers of a generated part.
func replacePart(t *testing.T, text, name, part string) string {
	t.Helper()
	before, rest, found := strings.Cut(text, "<!-- "+name+" -->\n")
	require.True(t, found, "no part %q", name)
	_, after, found := strings.Cut(rest, "<!-- end -->")
	require.True(t, found)
	return before + "<!-- " + name + " -->\n" + part + "<!-- end -->" + after
}

func ruleTable() string {
	var b strings.Builder
	b.WriteString("| rule | severity | fix | what it reports |\n| --- | --- | --- | --- |\n")
	for _, p := range rulebook.All() {
		fmt.Fprintf(&b, "| [`%s`](docs/rules/%s.md) | %s | %s | %s |\n", p.Name, p.Name, p.Severity, p.Fix, strings.ReplaceAll(p.Summary, "|", `\|`))
	}
	return b.String()
}

// TestRulePages keeps docs/rules the same as the rulebook.
func TestRulePages(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	dir := filepath.Join("docs", "rules")
	want := map[string]string{}
	for _, p := range rulebook.All() {
		want[p.Name+".md"] = rulePage(p)
	}
	if *updateDocs {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.MkdirAll(dir, 0o755))
		for name, text := range want {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		return
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, len(want), "out of date: go test ./cmd/shapevet -run 'TestReadme|TestRulePages' -update-docs")
	for name, text := range want {
		written, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, text, string(written), "%s is out of date: -update-docs", name)
	}
}

func rulePage(p rulebook.Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nSeverity %s, since %s, for %s. Fix: %s. Databases: %s.\n\n%s\n", p.Name, p.Severity, p.Since,
		strings.Join(p.Applies, " and "), p.Fix, strings.Join(p.Databases, ", "), strings.TrimSpace(p.Body))
	fmt.Fprintf(&b, "\n## How sure\n\n%s\n", strings.TrimSpace(p.Confidence))
	if len(p.Thresholds) > 0 {
		b.WriteString("\n## Thresholds\n\n| name | default | unit | meaning |\n| --- | ---: | --- | --- |\n")
		for _, name := range p.ThresholdNames() {
			x := p.Thresholds[name]
			fmt.Fprintf(&b, "| `%s` | %v | %s | %s |\n", name, x.Default, x.Unit, x.Description)
		}
	}
	if len(p.Sources) > 0 {
		b.WriteString("\n## Sources\n\n")
		for _, source := range p.Sources {
			fmt.Fprintf(&b, "- %s\n", source)
		}
	}
	return b.String()
}

// TestGuide checks that the configuration snippets of the guide are valid.
func TestGuide(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "guide.md"))
	require.NoError(t, err)
	snippets := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, snippets)
	for _, snippet := range snippets {
		yaml := snippet[1]
		if !strings.Contains(yaml, "version:") {
			yaml = "version: 1\n" + yaml
		}
		_, err := config.Parse("guide.yaml", []byte(yaml))
		require.NoError(t, err, "%s", yaml)
	}
}
