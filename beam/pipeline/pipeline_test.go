package pipeline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/beam/pipeline"
	"github.com/shapevet/shapevet/internal/cli"
	"github.com/shapevet/shapevet/internal/config"
)

func TestMain(m *testing.M) {
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

// run has prism, the runner of Beam in this process, do a job. Jobs do not run
// at the same time: each may be the first, which starts prism for all.
func run(t *testing.T, j pipeline.Job) (code int, err error) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	j.Build(s)
	result, err := beam.Run(t.Context(), "prism", p)
	if err != nil {
		return 0, err
	}
	return pipeline.ExitCode(result), nil
}

// found is the configuration of this project.
func found(t *testing.T) string {
	t.Helper()
	path, err := config.Find(".")
	require.NoError(t, err)
	return path
}

// TestPipelineFindsWhatOneProcessFinds compares reports byte for byte. There are
// sets with collections of several kinds among them, and without: the second round
// is for these alone. Seventeen shards are more than are merged at once.
func TestPipelineFindsWhatOneProcessFinds(t *testing.T) {
	damaged := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(damaged, "cut.json"), []byte(`[{"_id":1},{"_id":`), 0o600))
	for dir, shards := range map[string]int{
		"../../testdata/accuracy/fhir": 3, "../../testdata/accuracy/dummyjson": 17, "../../testdata/accuracy/pokeapi": 2, "../../testdata/accuracy/osv": 5, damaged: 2,
	} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			arguments := []string{"--strict", "--min-confidence", "0", "--max-findings", "0", "--output", "json", "--docs", dir}
			var want, said bytes.Buffer
			code := cli.Runner(nil, nil)(t.Context(), append([]string{"check", "--no-progress"}, arguments...), &want, &said)
			require.NotZero(t, want.Len(), said.String())
			report := filepath.Join(t.TempDir(), "report.json")
			got, err := run(t, pipeline.Job{Check: arguments, Shards: shards, States: t.TempDir(), Report: report, Config: found(t)})
			require.NoError(t, err)
			assert.Equal(t, code, got)
			text, err := os.ReadFile(report)
			require.NoError(t, err)
			assert.Equal(t, want.String(), string(text))
		})
	}
}

// TestPipelineSaysWhatIsWrong: a worker's error is that of the command.
func TestPipelineSaysWhatIsWrong(t *testing.T) {
	for want, j := range map[string]pipeline.Job{
		"unknown flag: --strikt":               {Check: []string{"--strikt"}, Shards: 2, Config: found(t)},
		"name one that all have with --config": {Check: []string{"--docs", "."}, Shards: 2, Config: "/elsewhere/shapevet.yaml"},
	} {
		_, err := run(t, j)
		assert.ErrorContains(t, err, want)
	}
}
