package rulebook

import (
	"io/fs"
	"testing"

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
