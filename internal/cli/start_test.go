package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStartIsLean checks that nothing of our own is made when the program
// starts that not every command needs, and that a small document is checked
// before garbage is collected: both cost more than checking it.
func TestStartIsLean(t *testing.T) {
	t.Parallel()
	const initBytes = 8 << 10 // of a package; a regular expression has some five kilobytes
	document := filepath.Join(t.TempDir(), "one.json")
	require.NoError(t, os.WriteFile(document, []byte(`{"_id": 1, "name": "Ann", "tags": ["a", "b"]}`), 0o600))
	command := exec.Command("shapevet", "check", document)
	command.Env = append(os.Environ(), "GODEBUG=inittrace=1,gctrace=1", "GOGC=", "GOMEMLIMIT=")
	var trace strings.Builder
	command.Stderr = &trace
	require.NoError(t, command.Run())

	inits := regexp.MustCompile(`(?m)^init (github\.com/shapevet/shapevet/\S+) .* (\d+) bytes`).FindAllStringSubmatch(trace.String(), -1)
	require.NotEmpty(t, inits, trace.String())
	for _, match := range inits {
		size, err := strconv.Atoi(match[2])
		require.NoError(t, err)
		assert.Less(t, size, initBytes, "%s makes something at its start", match[1])
	}
	assert.NotContains(t, trace.String(), "gc 1 ")
}
