package jsonlint_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// corrections are the rules whose fix replaces a wrong value.
var corrections = map[string]bool{
	"aggregate-drift": true, "stale-copy": true, "case-variant-values": true, "inconsistent-date-format": true,
	"inconsistent-discriminator": true, "mixed-types": true,
}

// TestPlansLoseNothing checks that every value of the document before a plan is
// in the documents after it.
func TestPlansLoseNothing(t *testing.T) {
	t.Parallel()
	var databases [][]string
	require.NoError(t, filepath.WalkDir(accuracyData, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		files, err := filepath.Glob(filepath.Join(path, "*.jsonl"))
		if len(files) > 0 && path != accuracyData {
			databases = append(databases, files)
		}
		return err
	}))
	for _, block := range article {
		databases = append(databases, []string{filepath.Join("..", "testdata", "article", block.file)})
	}
	dir := t.TempDir()
	var made []string
	for name, text := range flawed() {
		file := filepath.Join(dir, name+".jsonl")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		made = append(made, file)
	}
	databases = append(databases, made)

	plans := 0
	for _, files := range databases {
		for _, f := range checkFiles(t, jsonlint.Options{Strict: true, Jobs: 2}, files...) {
			for _, fix := range f.Fixes {
				if fix.Before == nil || len(fix.After) == 0 || corrections[f.Rule] {
					continue
				}
				plans++
				assertKept(t, f, fix)
			}
		}
	}
	assert.Greater(t, plans, 10)
}

func assertKept(t *testing.T, f finding.Finding, fix finding.Fix) {
	t.Helper()
	kept := map[string]bool{}
	for _, d := range fix.After {
		addLeaves(t, d.Document, func(_, leaf string) { kept[leaf] = true })
	}
	before := []json.RawMessage{fix.Before}
	var several []finding.DocumentInPlace
	if json.Unmarshal(fix.Before, &several) == nil {
		before = before[:0]
		for _, d := range several {
			before = append(before, d.Document)
		}
	}
	for _, document := range before {
		addLeaves(t, document, func(name, leaf string) {
			if f.Rule == "join-document" && name == "id" && strings.ContainsAny(leaf, ".:|_-") && !kept[leaf] {
				return // the id of a removed link, made of the two ids
			}
			assert.True(t, kept[leaf], "%s at %s: %q loses %s of %s", f.Rule, f.Subject.Path, fix.Title, leaf, document)
		})
	}
}

// addLeaves calls see for every scalar except null, with the name of its
// member.
func addLeaves(t *testing.T, text []byte, see func(name, leaf string)) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var v any
	require.NoError(t, decoder.Decode(&v))
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(k, x)
			}
		case []any:
			for _, x := range v {
				walk(name, x)
			}
		case nil:
		default:
			see(name, fmt.Sprint(v))
		}
	}
	walk("", v)
}
