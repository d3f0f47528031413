package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
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
