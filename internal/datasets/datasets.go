// Package datasets reads real documents for tests of laws that hold for any
// documents: the excerpts in testdata/accuracy, or instead all documents below
// the directory in SHAPEVET_CORPUS.
package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Variable names the environment variable with the directory of a corpus.
const Variable = "SHAPEVET_CORPUS"

// A Set is the files of one directory, which form one database.
type Set struct {
	Name  string // the directory's path below the corpus
	files []string
}

// All returns the data sets, sorted by name. fixtures is the path of
// testdata/accuracy.
func All(t testing.TB, fixtures string) []Set {
	t.Helper()
	root := os.Getenv(Variable)
	if root == "" {
		root = fixtures
	}
	var sets []Set
	require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		dir := filepath.Dir(file)
		if err != nil || !entry.Type().IsRegular() || dir == filepath.Clean(root) || !slices.Contains([]string{".json", ".jsonl", ".ndjson"}, filepath.Ext(file)) {
			return err
		}
		name, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		name = strings.ReplaceAll(filepath.ToSlash(name), "/", "-")
		i := slices.IndexFunc(sets, func(s Set) bool { return s.Name == name })
		if i < 0 {
			i = len(sets)
			sets = append(sets, Set{Name: name})
		}
		sets[i].files = append(sets[i].files, file)
		return nil
	}))
	require.Greater(t, len(sets), 5, root)
	return sets
}

// Read returns the documents of a set by collection, each on one line: the
// objects that are the values of a file or the elements of its arrays. It skips
// files that are not entirely JSON.
func (s Set) Read(t testing.TB) map[string][]string {
	t.Helper()
	collections := map[string][]string{}
	for _, file := range s.files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		documents, err := objects(text)
		if err != nil || len(documents) == 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		collections[name] = append(collections[name], documents...)
	}
	return collections
}

func objects(text []byte) (lines []string, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		if err := decoder.Decode(&value); errors.Is(err, io.EOF) {
			return lines, nil
		} else if err != nil {
			return nil, err
		}
		elements := []json.RawMessage{value}
		if value[0] == '[' {
			elements = nil
			if err := json.Unmarshal(value, &elements); err != nil {
				return nil, err
			}
		}
		for _, element := range elements {
			var line bytes.Buffer
			if err := json.Compact(&line, element); err != nil {
				return nil, err
			}
			if line.Len() > 0 && line.Bytes()[0] == '{' {
				lines = append(lines, line.String())
			}
		}
	}
}

// Write writes the wanted documents as JSON Lines, one file per collection that
// has any, and returns the number of files.
func Write(t testing.TB, dir string, collections map[string][]string, wanted func(i, n int) bool) (files int) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for name, documents := range collections {
		var text strings.Builder
		for i, document := range documents {
			if wanted(i, len(documents)) {
				text.WriteString(document + "\n")
			}
		}
		if text.Len() > 0 {
			files++
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text.String()), 0o600))
		}
	}
	return files
}
