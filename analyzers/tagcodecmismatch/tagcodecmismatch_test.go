package tagcodecmismatch_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/shapevet/shapevet/analyzers/tagcodecmismatch"
)

func Test(t *testing.T) {
	t.Parallel()
	testdata, err := filepath.Abs(filepath.Join("..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	analysistest.RunWithSuggestedFixes(t, testdata, tagcodecmismatch.Analyzer, "tagcodecmismatch/...")
}
