// Package bson compares what the project makes of BSON with what the driver of
// MongoDB makes of it.
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

	"github.com/shapevet/shapevet/jsonlint/source/bsontext"
)

type corpus struct {
	Valid []struct {
		Description    string
		CanonicalBSON  string `json:"canonical_bson"`
		DegenerateBSON string `json:"degenerate_bson"`
	}
	DecodeErrors []struct{ Description, BSON string }
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

// FuzzAgainstDriver holds what both make of the same bytes side by side. The
// driver reads some things that the specification forbids, so that a refusal
// of ours proves nothing wrong.
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
