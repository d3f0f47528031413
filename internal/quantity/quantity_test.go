package quantity_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/quantity"
)

func TestBytes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 1023: "1,023 bytes", 1024: "1 KB", 1536: "1.5 KB", 68_096: "66.5 KB", 400 << 10: "400 KB",
		1<<20 - 1: "1 MB", 2 << 20: "2 MB", 16 << 20: "16 MB", 3_110_123: "3 MB", 5 << 29: "2.5 GB", 1 << 50: "1024 TB",
	} {
		assert.Equal(t, want, quantity.Bytes(n), n)
	}
}

func TestParseBytes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, "4096": 4096, "12B": 12, "512MB": 512 << 20, "1.5 gb": 3 << 29, "2GiB": 2 << 30, " 1k ": 1 << 10, "3T": 3 << 40} {
		n, err := quantity.ParseBytes(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "MB", "-1MB", "5KMB", "12 apples", "1e99TB", "NaN"} {
		_, err := quantity.ParseBytes(text)
		require.Error(t, err, text)
	}
}

func TestPercent(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{
		0: "0%", 0.0004: "under 0.1%", 0.004: "0.4%", 0.0994: "9.9%", 0.12: "12%", 0.5: "50%", 0.994: "99%", 0.996: "99.6%", 0.9999: "over 99.9%", 1: "100%",
	} {
		assert.Equal(t, want, quantity.Percent(share), share)
	}
}

// TestSizesAreWrittenByBytes: the program has one way to write a size.
func TestSizesAreWrittenByBytes(t *testing.T) {
	t.Parallel()
	other := regexp.MustCompile(`[KMGT]iB\b|%[dsv.0-9a-z]* ?[kKMGT]B\b`)
	files := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "benchmarks" || entry.Name() == "integration" || entry.Name() == ".git"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".md") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		files++
		assert.NotRegexp(t, other, string(text), path)
		return err
	}))
	assert.Greater(t, files, 100)
}
