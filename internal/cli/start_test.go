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

// TestStartIsLean checks that the program's start creates nothing that only
// some commands need, and that a small document is checked before the first
// garbage collection. Either would cost more than the check.
func TestStartIsLean(t *testing.T) {
	t.Parallel()
	const initBytes = 8 << 10 // per package; a regular expression takes about five kilobytes
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
