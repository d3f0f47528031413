package jsonlint_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/jsonlint/source/dumptest"
)

// TestDumpsHaveTheSameFindings checks one database as JSON Lines, as a dump
// directory and as archives. Except for places, the findings must be the same.
func TestDumpsHaveTheSameFindings(t *testing.T) {
	t.Parallel()
	from := filepath.Join("..", "testdata", "accuracy", "cosmicworks", "v1")
	files, err := filepath.Glob(filepath.Join(from, "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	dir := t.TempDir()
	dump := filepath.Join(dir, "dump")
	require.NoError(t, os.Mkdir(dump, 0o755))
	var collections []dumptest.Collection
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		collections = append(collections, dumptest.Collection{Database: "works", Name: name, Lines: string(text)})
		require.NoError(t, os.WriteFile(filepath.Join(dump, name+".bson"), dumptest.Documents(string(text)), 0o644))
	}
	archive := dumptest.Archive(20, collections...)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(archive)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "works.archive"), archive, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "works.archive.gz"), packed.Bytes(), 0o644))

	report, err := jsonlint.Check(t.Context(), []string{dump}, jsonlint.Options{})
	require.NoError(t, err)
	assert.Equal(t, "mongodb", report.DB, "nothing else writes BSON")
	for _, f := range report.Findings {
		assert.NotEmpty(t, f.Location.File)
	}

	said := func(input string, stdin []byte, jobs int) []string {
		o := jsonlint.Options{DB: "mongodb", Jobs: jobs, Strict: true, Source: source.Options{Stdin: bytes.NewReader(stdin)}}
		report, err := jsonlint.Check(t.Context(), []string{input}, o)
		require.NoError(t, err)
		assert.Empty(t, report.Problems)
		var list []string
		for _, f := range report.Findings {
			list = append(list, f.Fingerprint+": "+f.Message)
		}
		return list
	}
	want := said(from, nil, 1)
	require.NotEmpty(t, want)
	for _, jobs := range []int{1, 8} {
		assert.ElementsMatch(t, want, said(dump, nil, jobs))
		assert.ElementsMatch(t, want, said(filepath.Join(dir, "works.archive"), nil, jobs))
		assert.ElementsMatch(t, want, said(filepath.Join(dir, "works.archive.gz"), nil, jobs))
		assert.ElementsMatch(t, want, said("-", archive, jobs))
	}
}

// TestIndexesAreEvidence checks the same documents with and without the
// database's own metadata.
func TestIndexesAreEvidence(t *testing.T) {
	t.Parallel()
	var people, log strings.Builder
	for i := range 30 {
		fmt.Fprintf(&people, `{"_id":%d,"email":"ada%d@example.com"}`+"\n", i, i)
		fmt.Fprintf(&log, `{"_id":%d,"entries":[%s{"at":1}]}`+"\n", i, strings.Repeat(`{"at":1},`, i*i*2))
	}
	people.WriteString(`{"_id":99,"email":"Ada7@Example.com"}` + "\n")
	rulesOf := func(people, log dumptest.Collection) (names []string) {
		file := filepath.Join(t.TempDir(), "all.archive")
		require.NoError(t, os.WriteFile(file, dumptest.Archive(10, people, log), 0o600))
		report, err := jsonlint.Check(t.Context(), []string{file}, jsonlint.Options{})
		require.NoError(t, err)
		assert.Empty(t, report.Problems)
		for _, f := range report.Findings {
			names = append(names, f.Rule+" "+f.Subject.Collection)
		}
		return names
	}
	persons := dumptest.Collection{Database: "x", Name: "people", Lines: people.String()}
	entries := dumptest.Collection{Database: "x", Name: "log", Lines: log.String()}
	silent := rulesOf(persons, entries)
	assert.Contains(t, silent, "case-variant-values people")
	assert.Contains(t, silent, "unbounded-array log")

	persons.Metadata = `{"indexes":[{"key":{"email":1},"name":"e","unique":true,"collation":{"locale":"en","strength":2}}]}`
	entries.Metadata = `{"options":{"capped":true}}`
	told := rulesOf(persons, entries)
	assert.NotContains(t, told, "case-variant-values people")
	assert.NotContains(t, told, "unbounded-array log")

	entries.Metadata = `{"options":{"validator":{"$jsonSchema":{"properties":{"entries":{"bsonType":"array","maxItems":{"$numberInt":"900"}}}}}}}`
	assert.Contains(t, rulesOf(persons, entries), "unbounded-array log", "more than the validator allows")
}

// TestAUniqueIndexMakesAKey: call signs are not named like identifiers, and two
// fields may share words. An index shows that they are keys.
func TestAUniqueIndexMakesAKey(t *testing.T) {
	t.Parallel()
	var pilots, flights strings.Builder
	for i := range 60 {
		fmt.Fprintf(&pilots, `{"_id": "p%d", "callsign": "%c%c%d", "town": "Oslo"}`+"\n", i, 'A'+i%26, 'A'+i*7%26, 100+i)
	}
	for i := range 200 {
		n := i % 61 // the last one belongs to nobody
		fmt.Fprintf(&flights, `{"_id": "f%d", "by": "%c%c%d", "hours": %d}`+"\n", i, 'A'+n%26, 'A'+n*7%26, 100+n, i%9)
	}
	const index = `{"key": {"callsign": 1}, "name": "c", "unique": true}`
	confidence := func(indexes string) float64 {
		path := filepath.Join(t.TempDir(), "a.archive")
		archive := dumptest.Archive(50,
			dumptest.Collection{Database: "air", Name: "pilots", Lines: pilots.String(), Metadata: `{"indexes": [` + indexes + `]}`},
			dumptest.Collection{Database: "air", Name: "flights", Lines: flights.String()})
		require.NoError(t, os.WriteFile(path, archive, 0o644))
		report, err := jsonlint.Check(t.Context(), []string{path}, jsonlint.Options{Strict: true})
		require.NoError(t, err)
		for _, f := range report.Findings {
			if f.Rule == "dangling-reference" {
				return f.Confidence
			}
		}
		return 0
	}
	without, with := confidence(""), confidence(index)
	assert.Less(t, without, with)
	assert.Greater(t, with, 0.5)
}
