package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestGoCommand runs the scripts of testdata/drivers: the real go command with
// a real build of the program as its vet tool and fix tool.
func TestGoCommand(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the scripts run a build of their own, which the race detector does not see")
	}
	tool := filepath.Join(t.TempDir(), "shapevet")
	out, err := exec.Command("go", "build", "-o", tool, "../../cmd/shapevet").CombinedOutput()
	require.NoError(t, err, "%s", out)
	environment, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	require.NoError(t, err)
	caches := strings.Split(strings.TrimSpace(string(environment)), "\n")
	stands, err := filepath.Abs("../../analyzers/testdata/src/go.mongodb.org/mongo-driver/v2")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/drivers",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SHAPEVET", tool)
			e.Setenv("GOCACHE", caches[0])
			e.Setenv("GOMODCACHE", caches[1])
			e.Setenv("GOFLAGS", "")
			e.Setenv("GOWORK", "")
			sdk := filepath.Join(e.WorkDir, "sdk")
			if err := os.CopyFS(sdk, os.DirFS(stands)); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(sdk, "go.mod"), []byte("module go.mongodb.org/mongo-driver/v2\n\ngo 1.26\n"), 0o600)
		},
	})
}
