package cli

import (
	"io"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/shapevet/shapevet/jsonlint"
)

func TestMain(m *testing.M) {
	if _, set := os.LookupEnv(cacheVariable); !set {
		_ = os.Setenv(cacheVariable, "off") // tests must not use the cache; the only possible error is an invalid name
	}
	testscript.Main(m, map[string]func(){"shapevet": func() { Main(nil, nil) }})
}

// TestScripts runs the command lines of testdata/script.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{Dir: "../../testdata/script"})
}

// run executes a command line and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return (&app{stdin: stdin, stdout: stdout, stderr: stderr, check: frugal(jsonlint.Check)}).untilSignal(args)
}
