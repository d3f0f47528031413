package analyzers_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/check"
)

// TestRules runs each rule on its packages under testdata/src and compares
// what it reports, and where there are golden files what its fixes make of the
// code. What struct-drift reports depends on documents: its folder has the test.
func TestRules(t *testing.T) {
	t.Parallel()
	testdata, err := filepath.Abs("testdata")
	require.NoError(t, err)
	for _, rule := range analyzers.Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			if rule.Name == "struct-drift" {
				return
			}
			name := rule.AnalyzerName()
			run := analysistest.Run
			if goldens(t, filepath.Join(testdata, "src", name)) {
				run = analysistest.RunWithSuggestedFixes
			}
			for _, result := range run(t, testdata, check.Suite(check.Options{}, rule)[0], name+"/...") {
				require.Empty(t, result.Action.Package.TypeErrors, "a fixture that compilers refuse")
			}
		})
	}
}

// goldens reports whether there are golden files below a folder.
func goldens(t *testing.T, dir string) (found bool) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		found = found || filepath.Ext(path) == ".golden"
		return err
	}))
	return found
}
