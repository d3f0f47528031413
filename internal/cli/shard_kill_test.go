package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestShardsSurviveBeingKilled kills shards at random points and runs them
// again. The report must be that of one process, with only states left.
func TestShardsSurviveBeingKilled(t *testing.T) {
	t.Parallel()
	dir, spool := t.TempDir(), t.TempDir()
	states := filepath.Join(dir, "states")
	check := func(arguments ...string) *exec.Cmd {
		arguments = append([]string{"check", "--no-progress", "--exit-zero", "--temp-dir", spool, "--docs", "../../testdata/accuracy/fhir"}, arguments...)
		return exec.Command("shapevet", arguments...)
	}
	report := func(name string, arguments ...string) string {
		path := filepath.Join(dir, name)
		out, err := check(append(arguments, "--output", "json="+path)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	shard := func(i int) *exec.Cmd { return check("--shard", fmt.Sprintf("%d/2", i), "--state", states) }
	begin := time.Now()
	one := report("one.json")
	took := time.Since(begin)
	killed := 0
	for range 5 {
		for i := 1; i <= 2; i++ {
			run := shard(i)
			require.NoError(t, run.Start())
			timer := time.AfterFunc(time.Duration(rand.Int64N(int64(took))), func() { _ = run.Process.Kill() })
			if run.Wait() != nil {
				killed++
			}
			timer.Stop()
		}
	}
	require.Positive(t, killed)
	for range 3 {
		for i := 1; i <= 2; i++ {
			out, err := shard(i).CombinedOutput()
			require.NoError(t, err, "%s", out)
		}
	}
	assert.Equal(t, one, report("merged.json", "--merge", "--state", states))
	left, err := filepath.Glob(filepath.Join(states, "*.part"))
	require.NoError(t, err)
	assert.Empty(t, left)
	spooled, err := os.ReadDir(spool)
	require.NoError(t, err)
	assert.Empty(t, spooled)
}
