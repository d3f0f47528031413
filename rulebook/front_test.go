package rulebook

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asYAML is front matter as a YAML library reads it.
func asYAML(t *testing.T, head string) Front {
	t.Helper()
	var f struct {
		Name, Since, Topic, Severity, Confidence, Fix, Picture string
		Severities                                             map[string]string
		Applies, Databases, Sources                            []string
		Thresholds                                             map[string]Threshold
		Weights                                                map[string]Weight
		Words                                                  map[string]struct{ Description, Words string }
	}
	require.NoError(t, yaml.UnmarshalWithOptions([]byte(head), &f, yaml.Strict()))
	front := Front{
		Name: f.Name, Since: f.Since, Topic: f.Topic, Confidence: f.Confidence, Applies: f.Applies, Fix: f.Fix, Picture: f.Picture,
		Databases: f.Databases, Sources: f.Sources, Thresholds: f.Thresholds, Weights: f.Weights,
	}
	var err error
	if f.Severity != "" {
		front.Severity, err = ParseSeverity(f.Severity)
		require.NoError(t, err)
	}
	for name, condition := range f.Severities {
		severity, err := ParseSeverity(name)
		require.NoError(t, err)
		if front.Severities == nil {
			front.Severities = map[Severity]string{}
		}
		front.Severities[severity] = condition
	}
	for name, list := range f.Words {
		if front.Words == nil {
			front.Words = map[string]WordList{}
		}
		front.Words[name] = WordList{list.Description, strings.Fields(list.Words)}
	}
	return front
}

// TestFrontIsYAML checks that the pages are read as a YAML library reads them.
func TestFrontIsYAML(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(files, "*/"+pageFile)
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		require.NoError(t, err)
		head, _, err := split(string(text))
		require.NoError(t, err)
		got, err := parseFront(head)
		require.NoError(t, err, name)
		assert.Equal(t, asYAML(t, head), got, name)
	}
}

// TestParseFront checks that whatever is read is what YAML says, and that the
// rest is an error.
func TestParseFront(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		plain bool
	}{
		{"fix: plan", true}, {"fix: \"plan\"", true}, {"applies: [go]", true}, {"applies: [documents, go]", true}, {"applies:\n  - go", true},
		{"confidence: >-\n  one\n  two", true}, {"sources:\n  - one\n  - \"two: 2\"", true}, {"since: 0.1.0", true},
		{"thresholds:\n  a-b:\n    default: 0.5\n    unit: bytes\n    readers: [go]\n  c:\n    default: 12", true},
		{"severities:\n  info: where it is small", true},
		{"weights:\n  own-id:\n    value: -1.2\n    description: the list holds ids of its own", true},
		{"words:\n  edges:\n    description: names of edges\n    words: >-\n      follow like\n      vote", true},
		{"fix: 'plan'", false}, {"fix: a: b", false}, {"fix: plan # why", false}, {"fix: \"a\\n\"", false}, {"fix:", false}, {"fix: |\n  plan", false},
		{"fix: plan\nfix: none", false}, {"other: x", false}, {"applies: []", false}, {"applies: [go, ]", false}, {"applies: go", false},
		{"fix: &a plan", false}, {"confidence: >-\n  one\n\n  two", false}, {"confidence: >-\n  one\n   two", false}, {"sources: one", false},
		{"thresholds:\n  a: {default: 1}", false}, {"thresholds:\n  a:\n    default: many", false}, {"thresholds:\n  a:\n    other: 1", false},
		{"thresholds:\n  a:\n    default: 1\n  a:\n    default: 2", false}, {"thresholds:\n  a:\n    default: 1\n    default: 2", false},
		{"thresholds:", false}, {"severities:\n  fatal: never", false}, {"weights:\n  a:\n    value: much", false}, {"words:\n  a: b", false},
	} {
		head := c.text + "\n"
		front, err := parseFront(head)
		if c.plain {
			require.NoError(t, err, "%q", c.text)
			assert.Equal(t, asYAML(t, head), front, "%q", c.text)
		} else {
			assert.Error(t, err, "%q", c.text)
		}
	}
}

func TestFrontOf(t *testing.T) {
	t.Parallel()
	pages, err := Load(files)
	require.NoError(t, err)
	var names []string
	for _, page := range pages {
		front, ok := FrontOf(page.Name)
		require.True(t, ok, page.Name)
		assert.Equal(t, page.Front, *front, page.Name)
		names = append(names, page.Name)
	}
	assert.Equal(t, names, Names())
	_, ok := FrontOf("no-rule")
	assert.False(t, ok)
}

func BenchmarkFront(b *testing.B) {
	text, err := files.ReadFile("unbounded-array/" + pageFile)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		head, _, _ := split(string(text))
		if _, err := parseFront(head); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		pages, err := Load(files)
		if err != nil || len(pages) == 0 {
			b.Fatal("no pages", err)
		}
	}
}
