package rulebook

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlainFrontIsYAML checks that the pages are read as a YAML library reads
// them, and that none needs it.
func TestPlainFrontIsYAML(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(files, "*.md")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		require.NoError(t, err)
		head, _, err := split(string(text))
		require.NoError(t, err)
		want, err := yamlFront(head)
		require.NoError(t, err, name)
		got, ok := plainFront(head)
		assert.True(t, ok, "%s uses something of YAML that is read slowly", name)
		assert.Equal(t, want, got, name)
	}
}

// TestThresholdsAreThoseOfThePages checks the quick way to them.
func TestThresholdsAreThoseOfThePages(t *testing.T) {
	t.Parallel()
	pages, err := Load(files)
	require.NoError(t, err)
	var names []string
	for _, page := range pages {
		head, ok := readHead(files, page.Name+".md")
		assert.True(t, ok, "%s: the front matter is long", page.Name)
		thresholds, ok := thresholdsIn(head)
		assert.True(t, ok, page.Name)
		assert.Equal(t, page.Thresholds, thresholds, page.Name)
		assert.Equal(t, page.Thresholds, Thresholds(page.Name), page.Name)
		names = append(names, page.Name)
	}
	assert.Equal(t, names, Names())
	assert.Empty(t, Thresholds("no-rule"))
}

// TestReadHead checks pages that have no front matter, or a long one.
func TestReadHead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 5000)
	for text, want := range map[string]string{
		"---\nname: a\n---\nBody\n---\n": "name: a\n",
		"---\r\nname: a\r\n---\r\nBody":  "",
		"name: a\n---\n":                 "",
		"---\nname: a\n":                 "",
		"":                               "",
		"---\n" + long + "\n---\n":       "",
		"---\nname: a\n---\n" + long:     "name: a\n",
	} {
		head, ok := readHead(fstest.MapFS{"a.md": {Data: []byte(text)}}, "a.md")
		assert.Equal(t, want != "", ok, "%.30q", text)
		if ok {
			assert.Equal(t, want, head)
		}
	}
}

// TestThresholdsIn checks what is left to a YAML library.
func TestThresholdsIn(t *testing.T) {
	t.Parallel()
	for head, ok := range map[string]bool{
		"name: a\nthresholds:\n  a:\n    default: 1\nfix: none\n": true,
		"thresholds:\n  a:\n    default: 1\n":                     true,
		"name: a\n":                                               true,
		"thresholds: {a: {default: 1}}\n":                         false,
		"\"thresholds\":\n  a:\n    default: 1\n":                 false,
		"thresholds:\n  a: {default: 1}\n":                        false,
		"thresholds:\nname: a\n":                                  false,
	} {
		thresholds, plain := thresholdsIn(head)
		assert.Equal(t, ok, plain, head)
		if ok {
			want, err := yamlFront(head)
			require.NoError(t, err)
			assert.Equal(t, want.Thresholds, thresholds, head)
		}
	}
}

// TestPlainFrontLeaves checks that whatever the quick reader accepts is what
// YAML says, and that it leaves the rest.
func TestPlainFrontLeaves(t *testing.T) {
	t.Parallel()
	const page = "name: a\nseverity: warning\n"
	for _, c := range []struct {
		line  string
		plain bool
	}{
		{"fix: plan", true}, {"fix: \"plan\"", true}, {"applies: [go]", true}, {"applies: [documents, go]", true},
		{"confidence: >-\n  one\n  two", true}, {"sources:\n  - one\n  - \"two: 2\"", true},
		{"thresholds:\n  a-b:\n    default: 0.5\n    unit: bytes\n  c:\n    default: 12", true},
		{"fix: 'plan'", false}, {"fix: a: b", false}, {"fix: plan # why", false}, {"fix: \"a\\n\"", false}, {"fix:", false}, {"fix: |\n  plan", false},
		{"fix: plan\nfix: none", false}, {"other: x", false}, {"applies: []", false}, {"applies: [go, ]", false}, {"applies: go", false},
		{"applies:\n  - go", false}, {"applies: [no]", false}, {"since: 1.0", false}, {"since: 0.1.0", true}, {"fix: true", false}, {"fix: &a plan", false},
		{"confidence: >-\n  one\n\n  two", false}, {"confidence: >-\n  one\n   two", false}, {"sources:\n- one", false}, {"sources: one", false},
		{"thresholds:\n  a:\n    default: 010", false}, {"thresholds:\n  a:\n    default: 1e3", false}, {"thresholds:\n  a: {default: 1}", false},
		{"thresholds:\n  a:\n    default: 1\n  a:\n    default: 2", false}, {"thresholds:\n  a:\n    default: 1\n    default: 2", false},
		{"thresholds:\n  a:\n    other: 1", false}, {"thresholds:", false},
	} {
		head := page + c.line + "\n"
		front, ok := plainFront(head)
		assert.Equal(t, c.plain, ok, "%q", c.line)
		if ok {
			want, err := yamlFront(head)
			require.NoError(t, err, "%q", c.line)
			assert.Equal(t, want, front, "%q", c.line)
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
