package analyzers

import (
	"bytes"
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/internal/finding"
)

var update = flag.Bool("update", false, "write the golden files of fixes in testdata/src")

// fixtures lists the packages of testdata/src that belong to a rule.
func fixtures(t *testing.T, s *stage, rule check.Rule) []string {
	t.Helper()
	root := filepath.Join(s.dir, "src")
	var found []string
	for _, pattern := range []string{"*.go", "*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, rule.AnalyzerName(), pattern))
		require.NoError(t, err)
		for _, file := range files {
			path, err := filepath.Rel(root, filepath.Dir(file))
			require.NoError(t, err)
			if path = filepath.ToSlash(path); !slices.Contains(found, path) {
				found = append(found, path)
			}
		}
	}
	return found
}

// TestGolden compares what fixes make of the fixtures of their rule with
// golden files: .golden after safe fixes, which analysistest reads too, and
// .unsafe.golden after unsafe ones. -update writes them.
func TestGolden(t *testing.T) {
	t.Parallel()
	s := testdataStage(t)
	of := map[string][]string{}
	var all []string
	for _, rule := range Rules() {
		of[rule.Name] = fixtures(t, s, rule)
		all = append(all, of[rule.Name]...)
	}
	scene := s.load(t, all...)
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			require.NotEmpty(t, of[rule.Name], "no fixtures")
			var found []finding.Finding
			for _, path := range of[rule.Name] {
				found = append(found, scene.only(func(other string) bool { return other == path }).check(false, rule)...)
			}
			for suffix, safety := range map[string]finding.Safety{".golden": finding.Safe, ".unsafe.golden": finding.Unsafe} {
				edited := s.fixed(t, found, safety).Files
				for _, path := range of[rule.Name] {
					files, err := filepath.Glob(filepath.Join(s.dir, "src", filepath.FromSlash(path), "*.go"))
					require.NoError(t, err)
					for _, file := range files {
						golden(t, file+suffix, edited[file])
					}
				}
			}
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if got == nil {
			_ = os.Remove(name) // it need not be there
			return
		}
		require.NoError(t, os.WriteFile(name, got, 0o644))
	}
	want, err := os.ReadFile(name)
	if err != nil {
		assert.Empty(t, string(got), "%s is missing: -update", name)
		return
	}
	assert.Equal(t, string(want), string(got), "%s differs: -update", name)
}

// TestFixesCompile applies the fixes of all rules to the fixtures, or to the
// module that SHAPEVET_FIX_DIR names; SHAPEVET_FIX_PATTERNS are its packages.
// Nothing is written. See [repaired].
func TestFixesCompile(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv("SHAPEVET_FIX_DIR"); dir != "" {
		patterns := strings.Fields(os.Getenv("SHAPEVET_FIX_PATTERNS"))
		if len(patterns) == 0 {
			patterns = []string{"./..."}
		}
		repaired(t, &stage{dir: dir, env: os.Environ(), overlay: map[string][]byte{}}, patterns)
		return
	}
	if testing.Short() {
		t.Skip("loads all fixtures six times")
	}
	s := testdataStage(t)
	var paths []string
	for _, rule := range Rules() {
		paths = append(paths, fixtures(t, s, rule)...)
	}
	repaired(t, s, paths)
}

// repaired applies all safe fixes, also of guesses, and requires that packages
// compile as well as before, with their tests, that gofmt has nothing to say about files it had
// nothing to say about, and that what is reported by default has no more safe
// fixes. Then it does the same with unsafe ones.
func repaired(t *testing.T, s *stage, patterns []string) {
	t.Helper()
	scene := s.load(t, patterns...)
	before := s.problems(t, patterns...)
	for _, safeties := range [][]finding.Safety{{finding.Safe}, {finding.Safe, finding.Unsafe}} {
		found := scene.check(true)
		edited := s.fix(t, found, safeties...)
		t.Logf("%d packages, %d findings, %d %v fixes in %d files, %d conflicts",
			len(scene.packages), len(found), edited.Applied, safeties, len(edited.Files), edited.Conflicts)
		for file, text := range edited.Files {
			formatted, err := format.Source(text)
			require.NoError(t, err, file)
			if original, err := os.ReadFile(file); err == nil && isFormatted(original) {
				assert.Equal(t, string(formatted), string(text), "%s is not formatted", file)
			}
		}
		scene = s.load(t, patterns...)
		for path, problems := range s.problems(t, patterns...) {
			for _, problem := range problems {
				assert.Contains(t, before[path], problem, "%s does not compile after %v fixes", path, safeties)
			}
		}
		again := s.fixed(t, scene.check(false), safeties...)
		if edited.Conflicts == 0 {
			for file, text := range again.Files {
				assert.Fail(t, "a second run changes more", "%s after %v fixes:\n%s", file, safeties, numbered(string(text)))
			}
		}
	}
}

func isFormatted(text []byte) bool {
	formatted, err := format.Source(text)
	return err == nil && bytes.Equal(formatted, text)
}

// TestCheckTwice: nothing of a program stays in the packages it was made of.
func TestCheckTwice(t *testing.T) {
	t.Parallel()
	s := testdataStage(t)
	scene := s.load(t, fixtures(t, s, check.Rule{Name: "unbounded-array"})...)
	first := scene.check(true)
	require.NotEmpty(t, first)
	assert.Equal(t, first, scene.check(true))
}
