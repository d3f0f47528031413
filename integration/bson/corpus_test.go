// Package bson compares how this project and the MongoDB driver read BSON.
package bson

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/bson"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source/bsontext"
)

type corpus struct {
	Type  string `json:"bson_type"`
	Valid []struct {
		Description    string
		CanonicalBSON  string `json:"canonical_bson"`
		DegenerateBSON string `json:"degenerate_bson"`
		CanonicalText  string `json:"canonical_extjson"`
		RelaxedText    string `json:"relaxed_extjson"`
		DegenerateText string `json:"degenerate_extjson"`
	}
	DecodeErrors []struct{ Description, BSON string }
	ParseErrors  []struct{ Description, String string }
}

// corpora reads the BSON corpus, which the module of the driver holds.
func corpora(t testing.TB) map[string]corpus {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.mongodb.org/mongo-driver").Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "testdata", "bson-corpus", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	corpora := map[string]corpus{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var c corpus
		require.NoError(t, json.Unmarshal(data, &c), file)
		corpora[filepath.Base(file)] = c
	}
	return corpora
}

func unhex(t testing.TB, s string) []byte {
	data, err := hex.DecodeString(s)
	require.NoError(t, err)
	return data
}

// driverText is what the driver writes for a document.
func driverText(doc []byte) ([]byte, error) {
	return bson.MarshalExtJSON(bson.Raw(doc), false, false)
}

func TestCorpus(t *testing.T) {
	valid, refused := 0, 0
	for file, c := range corpora(t) {
		for _, v := range c.Valid {
			for _, text := range []string{v.CanonicalBSON, v.DegenerateBSON} {
				if text == "" {
					continue
				}
				doc := unhex(t, text)
				want, err := driverText(doc)
				require.NoError(t, err, "%s: %s", file, v.Description)
				got, err := bsontext.Append(nil, doc)
				if assert.NoError(t, err, "%s: %s", file, v.Description) {
					assert.Equal(t, string(want), string(got), "%s: %s", file, v.Description)
				}
				valid++
			}
		}
		for _, e := range c.DecodeErrors {
			got, err := bsontext.Append([]byte("before"), unhex(t, e.BSON))
			var damage *bsontext.DamageError
			assert.ErrorAs(t, err, &damage, "%s: %s", file, e.Description)
			assert.Equal(t, "before", string(got), "%s: %s", file, e.Description)
			refused++
		}
	}
	assert.Greater(t, valid, 700)
	assert.Greater(t, refused, 70)
}

// unreported are the texts that the corpus requires to be rejected but that are
// not reported, with the reason.
var unreported = map[string]string{
	"Bad $date (number, not string or hash)": "mongoexport wrote dates so before version 2 of Extended JSON, and mongoimport reads them",
	"Null byte in document key":              "JSON has such names, and whether they are stored in MongoDB is not known from the text",
	"Null byte in sub-document key":          "the same",
}

// TestCorpusText expects a finding for each text that is not Extended JSON
// according to the corpus, and none for the others.
func TestCorpusText(t *testing.T) {
	dir := t.TempDir()
	refusals := func(text string) (found []string) {
		file := filepath.Join(dir, "document.json")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		report, err := jsonlint.Check(t.Context(), []string{file}, jsonlint.Options{})
		require.NoError(t, err)
		require.Empty(t, report.Problems, text)
		for _, f := range report.Findings {
			if f.Rule == "input-error" {
				assert.Positive(t, f.Location.Line, text)
				assert.Positive(t, f.Location.Column, text)
				found = append(found, f.Message)
			}
		}
		return found
	}
	valid, refused := 0, 0
	for file, c := range corpora(t) {
		for _, v := range c.Valid {
			for _, text := range []string{v.CanonicalText, v.RelaxedText, v.DegenerateText} {
				if text != "" {
					assert.Empty(t, refusals(text), "%s: %s: %s", file, v.Description, text)
					valid++
				}
			}
		}
		for _, e := range c.ParseErrors {
			text := e.String
			if c.Type == "0x13" { // the text of a number
				quoted, err := json.Marshal(text)
				require.NoError(t, err)
				text = `{"d" : {"$numberDecimal" : ` + string(quoted) + `}}`
			}
			if _, ok := unreported[e.Description]; ok {
				assert.Empty(t, refusals(text), "%s: %s: %s", file, e.Description, text)
				continue
			}
			assert.Len(t, refusals(text), 1, "%s: %s: %s", file, e.Description, text)
			refused++
		}
	}
	assert.Greater(t, valid, 700)
	assert.Equal(t, 177, refused)
}

// FuzzAgainstDriver compares how both read the same bytes. The driver accepts some
// input that the specification forbids, so a rejection on our side is not an
// error.
func FuzzAgainstDriver(f *testing.F) {
	for _, c := range corpora(f) {
		for _, v := range c.Valid {
			f.Add(unhex(f, v.CanonicalBSON))
		}
		for _, e := range c.DecodeErrors {
			f.Add(unhex(f, e.BSON))
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		got, err := bsontext.Append(nil, doc)
		if err != nil {
			return
		}
		assert.True(t, json.Valid(got), "%q", got)
		assert.NotContains(t, string(got), "\n")
		want, err := driverText(doc)
		if err != nil {
			t.Fatalf("we read %s, the driver refuses it: %v", got, err)
		}
		// The driver writes the name in a DBPointer without escapes.
		if string(want) != string(got) && !strings.Contains(string(want), "$dbPointer") {
			t.Fatalf("driver: %s\nours:   %s", want, got)
		}
	})
}
