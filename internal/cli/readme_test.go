package cli

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
)

var updateDocs = flag.Bool("update-docs", false, "write the generated parts of README.md and docs")

// TestReadme checks that the generated parts of the README are current: the
// output of the example.
func TestReadme(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	want := replaceExamples(t, string(text))
	if *updateDocs {
		require.NoError(t, os.WriteFile("README.md", []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "out of date: go test ./internal/cli -run TestReadme -update-docs")
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

// ruleIndex is the page that links to the pages of the rules.
func ruleIndex(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Rules

Each page says what the rule reports and why, shows a bad and a good example (the tests run both), the fix, when to ignore the rule, its thresholds
and its sources. "shapevet explain RULE" prints it.

`)
	for _, topic := range topics {
		fmt.Fprintf(&b, "- [%s](#%s): %s\n", topic.name, strings.NewReplacer(" ", "-", ",", "").Replace(strings.ToLower(topic.name)), topic.about)
	}
	for _, topic := range topics {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| rule | severity | checks | fix | what it reports |\n| --- | --- | --- | --- | --- |\n", topic.name, topic.about)
		for _, p := range topic.pages() {
			fmt.Fprintf(&b, "| [`%s`](../rulebook/%s/README.md) | %s | %s | %s | %s |\n", p.Name, p.Name, p.Severity, strings.Join(p.Applies, ", "), p.Fix, strings.ReplaceAll(p.Summary, "|", `\|`))
		}
	}
	return b.String()
}

// TestRuleIndex checks that docs/rules.md matches the rulebook.
func TestRuleIndex(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	file, want := filepath.Join("docs", "rules.md"), ruleIndex(t)
	if *updateDocs {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(text), "out of date: go test ./internal/cli -run TestRuleIndex -update-docs")
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
