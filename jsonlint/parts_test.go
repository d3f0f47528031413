package jsonlint_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/datasets"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// TestFindingsOfParts checks on real documents what [TestDeterminism] checks on
// those of a shop: the findings, except for their places, depend neither on the
// number of workers nor on how a collection is cut into files.
func TestFindingsOfParts(t *testing.T) {
	t.Parallel()
	for _, set := range datasets.All(t, accuracyData) {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			collections := set.Read(t)
			if len(collections) == 0 {
				return // a directory of files that are not documents
			}
			whole, parts := t.TempDir(), t.TempDir()
			offsets := map[string]int{}
			var rules []source.CollectionRule
			for i, name := range slices.Sorted(maps.Keys(collections)) {
				file := fmt.Sprintf("c%03d", i)
				rules = append(rules, source.CollectionRule{Name: name, Glob: file + "*"})
				lines := collections[name]
				datasets.Write(t, whole, map[string][]string{file: lines}, func(int, int) bool { return true })
				n := max(1, min(10, len(lines)/2)) // a document alone in its file has an id: the file's name
				for p := range n {
					from, to := p*len(lines)/n, (p+1)*len(lines)/n
					part := fmt.Sprintf("%s-%d", file, p)
					offsets[part+".jsonl"] = from
					datasets.Write(t, parts, map[string][]string{part: lines[from:to]}, func(int, int) bool { return true })
				}
			}
			want := foundIn(t, whole, 1, rules, offsets)
			require.Equal(t, want, foundIn(t, whole, 2, rules, offsets), "2 workers")
			require.Equal(t, want, foundIn(t, whole, 8, rules, offsets), "8 workers")
			require.NoError(t, os.RemoveAll(whole))
			require.Equal(t, want, foundIn(t, parts, 2, rules, offsets), "ten files")
		})
	}
}

// foundIn lists the findings in a directory, one per line, with places in parts
// of files converted to places in the whole.
func foundIn(t *testing.T, dir string, jobs int, rules []source.CollectionRule, offsets map[string]int) string {
	t.Helper()
	report, err := jsonlint.Check(context.Background(), []string{dir}, jsonlint.Options{
		Jobs: jobs, Strict: true, Source: source.Options{Collections: rules},
	})
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	var text strings.Builder
	for i := range report.Findings {
		f := &report.Findings[i]
		relocate(&f.Location, offsets)
		for j := range f.Related {
			relocate(&f.Related[j].Location, offsets)
		}
		for j := range f.Fixes { // edits name the file
			for k := range f.Fixes[j].Edits {
				edit := &f.Fixes[j].Edits[k]
				edit.File, edit.Start, edit.End = strings.FieldsFunc(filepath.Base(edit.File), func(r rune) bool { return r == '-' || r == '.' })[0], 0, 0
			}
		}
	}
	finding.Sort(report.Findings)
	for _, f := range report.Findings {
		line, err := json.Marshal(f)
		require.NoError(t, err)
		text.Write(line)
		text.WriteByte('\n')
	}
	return text.String()
}
