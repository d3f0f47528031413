package ruletest

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// oddValues are values that hardly any document has, and that a rule may take for
// others: numbers without a place among numbers, the first and last dates, containers
// where texts are expected.
var oddValues = []string{
	`{"$numberDouble":"NaN"}`, `{"$numberDouble":"-Infinity"}`, `{"$numberDecimal":"NaN"}`, `{"$numberDecimal":"1E+6144"}`, `1e308`, `1e-320`, `-0.0`,
	`9223372036854775807`, `-9223372036854775808`, `18446744073709551616`, `{"$date":{"$numberLong":"9223372036854775807"}}`,
	`{"$date":{"$numberLong":"-9223372036854775808"}}`, `{"$date":"0000-01-01T00:00:00Z"}`, `""`, `" "`, `"\u0000"`, `"\ud83d"`, `"NaN"`, `"1e999"`, `"-"`,
	`null`, `true`, `[]`, `{}`, `[[]]`, `[null]`, `{"":null}`, `{"$oid":"000000000000000000000000"}`, `{"$binary":{"base64":"","subType":"04"}}`,
	`{"$timestamp":{"t":0,"i":0}}`, `{"$minKey":1}`, `{"$undefined":true}`, `{"$regularExpression":{"pattern":"","options":""}}`, `{"$ref":"","$id":null}`,
}

// oddRuns is how often a database gets odd values.
const oddRuns = 4

// survives checks a database with odd values in some of its fields. No rule may fail,
// or keep the check busy for ever.
func survives(t *testing.T, db Database) {
	t.Helper()
	h := fnv.New64()
	_, _ = io.WriteString(h, t.Name())
	r := rand.New(rand.NewPCG(h.Sum64(), 7))
	for range oddRuns {
		w := twister{Rand: r, share: []float64{0.05, 0.2, 1}[r.IntN(3)], twisted: map[string]bool{}}
		for range 1 + r.IntN(3) {
			w.values = append(w.values, oddValues[r.IntN(len(oddValues))])
		}
		report, err := jsonlint.Check(t.Context(), []string{w.database(t, db)}, jsonlint.Options{Strict: true})
		require.NoError(t, err)
		for _, p := range report.Problems {
			assert.NotContains(t, p.Message, "internal error", "%v", w.values)
		}
	}
}

// A twister replaces scalars of documents by odd values.
type twister struct {
	*rand.Rand
	values  []string
	share   float64         // of the values of a field that are replaced
	twisted map[string]bool // whether values of a field are, by path
}

// database writes a database with odd values into a directory.
func (w *twister) database(t *testing.T, db Database) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, collection := range slices.Sorted(maps.Keys(db)) {
		var out bytes.Buffer
		for _, text := range db[collection] {
			start, d := out.Len(), json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			if w.write(&out, d, collection) != nil { // it is not JSON, which other tests are about
				out.Truncate(start)
				out.WriteString(text)
			}
			out.WriteByte('\n')
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, collection+".jsonl"), out.Bytes(), 0o600))
	}
	return dir
}

// write appends a value with odd ones in it.
func (w *twister) write(out *bytes.Buffer, d *json.Decoder, path string) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, container := token.(json.Delim)
	if !container {
		return w.scalar(out, token, path)
	}
	out.WriteByte(byte(open))
	for n := 0; d.More(); n++ {
		if n > 0 {
			out.WriteByte(',')
		}
		below := path + "[]"
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			text, err := json.Marshal(name)
			if err != nil {
				return err
			}
			below = path + "." + name.(string)
			out.Write(append(text, ':'))
		}
		if err := w.write(out, d, below); err != nil {
			return err
		}
	}
	end, err := d.Token()
	if err != nil {
		return err
	}
	out.WriteByte(byte(end.(json.Delim)))
	return nil
}

func (w *twister) scalar(out *bytes.Buffer, token json.Token, path string) error {
	if _, known := w.twisted[path]; !known {
		w.twisted[path] = w.IntN(2) > 0 && !strings.Contains(path, "$")
	}
	if w.twisted[path] && w.Float64() < w.share {
		out.WriteString(w.values[w.IntN(len(w.values))])
		return nil
	}
	text, err := json.Marshal(token)
	out.Write(text)
	return err
}
