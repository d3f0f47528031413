package jsonlint_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// TestRespelled checks that findings do not depend on how the text of documents
// is written: indented, with escapes, with names in another order.
func TestRespelled(t *testing.T) {
	t.Parallel()
	sets := map[string]map[string][]string{}
	for name, text := range flawed() {
		var docs []string
		for line := range bytes.Lines([]byte(text)) {
			if json.Valid(line) && bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
				docs = append(docs, string(line))
			}
		}
		sets[name] = map[string][]string{"docs": docs}
	}
	sets["shop"] = shop(rand.New(rand.NewPCG(1, 2)))
	sets["links"] = map[string][]string{}
	for i := range 24 {
		sets["links"]["users"] = append(sets["links"]["users"], fmt.Sprintf(`{"_id":{"$oid":"64ff82%018x"},"name":"n%d"}`, i, i))
		sets["links"]["courses"] = append(sets["links"]["courses"], fmt.Sprintf(`{"_id":{"$oid":"650b95%018x"},"title":"Übung %d"}`, i, i))
		sets["links"]["enrolments"] = append(sets["links"]["enrolments"], fmt.Sprintf(
			`{"_id":{"$oid":"6753a7%018x"},"user":{"$oid":"64ff82%018x"},"course":{"$oid":"650b95%018x"},"since":{"$date":"2026-01-%02dT10:00:00Z"}}`, i, i, i*7%24, 1+i))
	}
	sets["tables"] = map[string][]string{}
	for i := range 30 {
		lost := func(every int) string {
			if i%every == 0 {
				return "NULL"
			}
			return fmt.Sprintf("v%d", i)
		}
		sets["tables"]["customers"] = append(sets["tables"]["customers"], fmt.Sprintf(
			`{"_id":%d,"fax":%q,"region":%q,"phone":%q,"last seen":"x%d","first seen":"y%d","how often":%d,"rules":{"a":{"$b":1,"$c":1},"$d":%d,"$b":1,"$c":1}}`,
			i, lost(5), lost(2), lost(3), i, i, i, i))
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := spelt(t, set, func(text []byte) []byte { return text })
			assert.Equal(t, plain, spelt(t, set, func(text []byte) []byte {
				var out bytes.Buffer
				require.NoError(t, json.Indent(&out, text, "\t", "        "))
				return out.Bytes()
			}), "indented")
			rng := rand.New(rand.NewPCG(3, 4))
			assert.Equal(t, plain, spelt(t, set, func(text []byte) []byte { return shuffled(t, text, rng) }), "names in another order, escapes")
		})
	}
}

// spelt returns the findings without their places.
func spelt(t *testing.T, set map[string][]string, respell func([]byte) []byte) []string {
	t.Helper()
	dir := t.TempDir()
	for name, docs := range set {
		var out bytes.Buffer
		for _, d := range docs {
			out.Write(respell(bytes.TrimSpace([]byte(d))))
			out.WriteByte('\n')
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), out.Bytes(), 0o600))
	}
	report, err := jsonlint.Check(context.Background(), []string{dir}, jsonlint.Options{Jobs: 2, Strict: true})
	require.NoError(t, err)
	found := make([]string, 0, len(report.Findings))
	for _, f := range report.Findings {
		found = append(found, fmt.Sprintf("%s %v %v %s %s", f.Rule, f.Severity, f.Confidence, f.Subject.Collection, f.Subject.Path))
	}
	slices.Sort(found)
	return found
}

// shuffled reorders the members of every object and adds escapes to texts.
// Numbers stay the same.
func shuffled(t *testing.T, text []byte, rng *rand.Rand) []byte {
	t.Helper()
	trimmed := bytes.TrimSpace(text)
	switch trimmed[0] {
	case '{':
		type member struct {
			name  string
			value json.RawMessage
			order float64
		}
		var members []member
		dec := json.NewDecoder(bytes.NewReader(trimmed))
		_, err := dec.Token()
		require.NoError(t, err)
		for dec.More() {
			name, err := dec.Token()
			require.NoError(t, err)
			m := member{name: name.(string), order: rng.Float64()}
			require.NoError(t, dec.Decode(&m.value))
			members = append(members, m)
		}
		if len(members) > 1 && members[0].name[:min(1, len(members[0].name))] != "$" {
			slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.order, b.order) })
		}
		var out bytes.Buffer
		out.WriteByte('{')
		for i, m := range members {
			if i > 0 {
				out.WriteString(" , ")
			}
			name, err := json.Marshal(m.name)
			require.NoError(t, err)
			fmt.Fprintf(&out, "%s :%s", name, shuffled(t, m.value, rng))
		}
		out.WriteByte('}')
		return out.Bytes()
	case '[':
		var elements []json.RawMessage
		require.NoError(t, json.Unmarshal(trimmed, &elements))
		var out bytes.Buffer
		out.WriteByte('[')
		for i, e := range elements {
			if i > 0 {
				out.WriteByte(',')
			}
			out.Write(shuffled(t, e, rng))
		}
		out.WriteByte(']')
		return out.Bytes()
	case '"':
		var s string
		require.NoError(t, json.Unmarshal(trimmed, &s))
		return fmt.Appendf(nil, "%+q", s)
	}
	return trimmed
}
