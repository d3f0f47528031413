package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCompressedFilesAreUnpackedOnce: after the first reading, places and
// documents come from the copy of the text, and so do further readings.
func TestCompressedFilesAreUnpackedOnce(t *testing.T) {
	t.Parallel()
	line := `{"id":1,"text":"` + strings.Repeat("x", 100) + "\"}\n"
	text := strings.Repeat(line, 3<<20/len(line))
	for name, encoded := range map[string]string{"whole.jsonl.gz": gzipped(t, text), "cut.jsonl.gz": gzipped(t, text)[:5000]} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(write(t, map[string]string{name: encoded}), name)
			temporary := t.TempDir()
			s := open(t, Options{TempDir: temporary}, path)
			first := read(t, s, 2)
			problems := s.Problems()
			require.NotNil(t, s.Files[0].text)
			left, err := os.ReadDir(temporary)
			require.NoError(t, err)
			assert.Empty(t, left, "nothing is left however the run ends")

			require.NoError(t, os.WriteFile(path, nil, 0o600)) // it must not be opened again
			var total int64
			s.SetProgress(func(_, of int64) { total = of })
			assert.Equal(t, first, read(t, s, 2))
			assert.Equal(t, problems, s.Problems(), "where it ends is known too")
			assert.Equal(t, s.Files[0].text.size, total, "progress counts what there is to read")
			data, err := s.Bytes(t.Context(), s.Files[0], int64(100*len(line)), int64(101*len(line)))
			require.NoError(t, err)
			assert.Equal(t, line, string(data))
			_, ok, err := s.Start(s.Files[0])
			require.NoError(t, err)
			assert.False(t, ok, "offsets are not those of the file")
		})
	}
}
