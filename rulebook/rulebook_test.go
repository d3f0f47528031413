package rulebook

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPages checks the format of every page that is there.
func TestPages(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.Compile("schema.json")
	require.NoError(t, err)
	paths, err := filepath.Glob("*/" + pageFile)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			page, err := Parse(string(text))
			require.NoError(t, err)
			assert.Equal(t, filepath.Dir(path), page.Name)

			head, body, err := split(string(text))
			require.NoError(t, err)
			assert.NoError(t, schema.Validate(asJSON(t, head)), "front matter")

			headings := []string{"What it reports", "Why", "Bad", "Good", "Fix", "When to ignore"}
			var found []string
			for _, line := range mark(body) {
				if title, ok := headingOf(line); ok {
					found = append(found, title)
				}
			}
			assert.Equal(t, headings, found)
			for _, heading := range headings {
				assert.NotEmpty(t, strings.TrimSpace(page.Section(heading)), "section %q", heading)
			}
			assert.NotRegexp(t, regexp.MustCompile(`(?m)^# `), body, "the title is the name of the rule")

			assert.NotEmpty(t, page.Bad(), "a Bad block")
			assert.NotEmpty(t, page.Good(), "a Good block")
			for _, block := range append(page.Bad(), page.Good()...) {
				assert.Contains(t, []string{"json", "go"}, block.Language, "language of the block at line %d", block.Line)
				assert.NotEmpty(t, strings.TrimSpace(block.Text), "block at line %d", block.Line)
				if block.Language == "json" {
					assert.NotEmpty(t, block.Collection, "collection= of the block at line %d", block.Line)
				}
			}
			assert.NotEmpty(t, page.Summary)
			assert.LessOrEqual(t, len(page.Summary), 90, "the first sentence is the summary: %s", page.Summary)
		})
	}
}

// asJSON converts YAML to what encoding/json would make of the same data.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	converted, err := yaml.YAMLToJSON([]byte(text))
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(converted))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	return value
}

func TestAllIsSortedAndComplete(t *testing.T) {
	t.Parallel()
	_, err := load()
	require.NoError(t, err)
	paths, err := filepath.Glob("*/" + pageFile)
	require.NoError(t, err)
	assert.Len(t, All(), len(paths))
	assert.IsIncreasing(t, Names())
}

func TestFind(t *testing.T) {
	t.Parallel()
	page, ok := Find("unbounded-array")
	require.True(t, ok)
	assert.Equal(t, Warning, page.Severity)
	assert.Equal(t, "A list in a document that grows without bound.", page.Summary)
	assert.InDelta(t, 250, page.Thresholds["max-elements"].Default, 0)
	assert.Equal(t, "elements", page.Thresholds["max-elements"].Unit)
	assert.IsIncreasing(t, page.ThresholdNames())
	_, ok = Find("no-such-rule")
	assert.False(t, ok)
}

func TestPagesAreCopies(t *testing.T) {
	t.Parallel()
	All()[0].Name = "changed"
	assert.NotEqual(t, "changed", All()[0].Name)
}

const wellFormed = `---
name: some-rule
severity: info
---

## What it reports

Uses of ` + "`e.g.`" + ` a thing, e.g. this
one. More text.

## Bad

` + "````json collection=posts name=first complete\n```\n## no heading\n````\n\ntext\n\n```go\nvar x int\n```" + `

## Good
`

func TestParse(t *testing.T) {
	t.Parallel()
	page, err := Parse(wellFormed)
	require.NoError(t, err)
	assert.Equal(t, "Uses of e.g. a thing, e.g. this one.", page.Summary)
	require.Equal(t, []Block{
		{
			Language: "json", Collection: "posts", Name: "first", Text: "```\n## no heading\n", Line: 9,
			Attributes: map[string]string{"collection": "posts", "name": "first", "complete": ""},
		},
		{Language: "go", Text: "var x int\n", Line: 16, Attributes: map[string]string{}},
	}, page.Bad())
	assert.Empty(t, page.Good())
	assert.Empty(t, page.Section("Fix"))
}

func TestParseRejects(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no front matter":        "## What it reports\n",
		"front matter open":      "---\nname: x\n",
		"unknown key":            "---\nname: x\nseverity: info\nserverity: info\n---\n",
		"unknown severity":       "---\nname: x\nseverity: fatal\n---\n",
		"not YAML":               "---\nname: [x\n---\n",
		"threshold not a number": "---\nname: x\nseverity: info\nthresholds:\n  a: {default: many}\n---\n",
	} {
		_, err := Parse(text)
		assert.Error(t, err, name)
	}
}

func TestLoadReportsEveryBadPage(t *testing.T) {
	t.Parallel()
	pages, err := Load(fstest.MapFS{
		"some-rule/README.md": {Data: []byte(wellFormed)},
		"misnamed/README.md":  {Data: []byte(wellFormed)},
		"broken/README.md":    {Data: []byte("nothing")},
	})
	require.Len(t, pages, 1)
	assert.ErrorContains(t, err, "broken/README.md: ")
	assert.ErrorContains(t, err, "misnamed/README.md: the page is about \"some-rule\"")
}

// TestSummaries are sentences that stand alone in a table.
func TestSummaries(t *testing.T) {
	t.Parallel()
	for _, page := range All() {
		assert.Regexp(t, `[.?!]$`, page.Summary, page.Name)
		assert.LessOrEqual(t, len(page.Summary), 90, page.Name)
		assert.NotContains(t, page.Summary, ":", page.Name)
	}
}
