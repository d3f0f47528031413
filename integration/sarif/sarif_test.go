// Package sarif checks the SARIF that shapevet writes against the schema of
// SARIF 2.1.0 as OASIS published it. The terms of the schema do not allow a copy
// in this repository, so the test downloads a Go module that contains it.
package sarif

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/require"
)

// schema returns the text of the schema, which the module holds in a constant.
func schema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go"))
	require.NoError(t, err)
	_, text, found := strings.Cut(string(source), "`")
	require.True(t, found)
	return text[:strings.LastIndexByte(text, '`')]
}

func TestSARIF(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "shapevet")
	build := exec.Command("go", "build", "-o", binary, "./cmd/shapevet")
	build.Dir = filepath.Join("..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("sarif.json", strings.NewReader(schema(t))))
	compiled, err := compiler.Compile("sarif.json")
	require.NoError(t, err)

	for _, input := range []string{"testdata/article", "testdata/accuracy/cosmicworks/v1", "testdata/accuracy/pokeapi", "testdata/accuracy/bcd"} {
		check := exec.Command(binary, "check", "--output", "sarif", "--exit-zero", "--strict", "--max-findings", "0", input)
		check.Dir = filepath.Join("..", "..")
		text, err := check.Output()
		require.NoError(t, err)
		report, err := sarif.FromBytes(text)
		require.NoError(t, err)
		require.NotEmpty(t, report.Runs[0].Results, input)
		var value any
		err = json.Unmarshal(text, &value)
		require.NoError(t, err)
		require.NoError(t, compiled.Validate(value), input)
	}
}
