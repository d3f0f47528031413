package jsonlint_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// shop makes the documents of a small shop with many mistakes: lists that grow,
// copies that drifted, references that dangle or have the wrong type, wrong
// counts, kinds that nothing distinguishes.
func shop(r *rand.Rand) map[string][]string {
	db := map[string][]string{}
	put := func(collection string, document map[string]any) {
		text, err := json.Marshal(document)
		if err != nil {
			panic(err)
		}
		db[collection] = append(db[collection], string(text))
	}
	for i := range 60 {
		put("products", map[string]any{
			"id": fmt.Sprint("p", i), "name": fmt.Sprint("Product ", i), "price": 10 + i, "stockLevel": r.IntN(900),
			"zip": 1000 + i, "tags": []string{"a", "b"}[:r.IntN(3)],
		})
	}
	for i := range 400 {
		var lines, events []any
		for range 1 + r.IntN(5) {
			p := r.IntN(60)
			price := 10 + p
			if r.IntN(9) == 0 {
				price += r.IntN(7)
			}
			lines = append(lines, map[string]any{
				"product":  map[string]any{"id": fmt.Sprint("p", p), "name": fmt.Sprint("Product ", p), "price": price, "stockLevel": r.IntN(900)},
				"quantity": 1 + r.IntN(9),
			})
		}
		for e := range r.IntN(3 + i/2) {
			events = append(events, map[string]any{"id": e, "at": fmt.Sprintf("2026-01-%02dT10:00:00Z", 1+e%28), "what": "view"})
		}
		cart := map[string]any{
			"id": fmt.Sprint("c", i), "createdAt": fmt.Sprintf("2025-%02d-%02dT00:00:00Z", 1+i%12, 1+i%28), "items": lines, "events": events,
			"itemCount": len(lines), "userId": r.IntN(80), "scores": map[string]any{fmt.Sprint("user-", r.IntN(9999)): 1, fmt.Sprint("user-", r.IntN(9999)): 2},
		}
		if i%97 == 0 {
			cart["itemCount"] = len(lines) + 1
		}
		if i%50 == 0 {
			cart["note"] = i
		} else if i%3 == 0 {
			cart["note"] = "text"
		}
		put("carts", cart)
	}
	for i := range 70 {
		put("users", map[string]any{"id": fmt.Sprint(i), "email": fmt.Sprintf("U%d@example.com", i), "firstName": "A", "lastName": fmt.Sprint("B", i)})
	}
	for i := range 120 {
		put("follows", map[string]any{"userId": fmt.Sprint(i % 70), "productId": fmt.Sprint("p", i%60)})
		if i%2 == 0 {
			put("mixed", map[string]any{"id": fmt.Sprint("m", i), "title": "x", "pages": i})
		} else {
			put("mixed", map[string]any{"id": fmt.Sprint("m", i), "stars": i % 5, "content": "y", "reviewer": "z"})
		}
	}
	return db
}

// TestDeterminism checks that the same documents give the same findings with
// any number of workers, compressed or not, in one file or in ten.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	db := shop(rand.New(rand.NewPCG(7, 11)))
	whole := t.TempDir()
	zipped := t.TempDir()
	parts := t.TempDir()
	offsets := map[string]int{}
	for name, lines := range db {
		text := strings.Join(lines, "\n") + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(whole, name+".jsonl"), []byte(text), 0o600))
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		require.NoError(t, os.WriteFile(filepath.Join(zipped, name+".jsonl.gz"), b.Bytes(), 0o600))
		for i := range 10 {
			from, to := i*len(lines)/10, (i+1)*len(lines)/10
			part := fmt.Sprintf("%s-%02d.jsonl", name, i)
			offsets[part] = from
			require.NoError(t, os.WriteFile(filepath.Join(parts, part), []byte(strings.Join(lines[from:to], "\n")+"\n"), 0o600))
		}
	}
	run := func(dir string, jobs int) string {
		o := jsonlint.Options{Jobs: jobs, Strict: true}
		for name := range db {
			o.Source.Collections = append(o.Source.Collections, source.CollectionRule{Name: name, Glob: name + "*"})
		}
		report, err := jsonlint.Check(context.Background(), []string{dir}, o)
		require.NoError(t, err)
		require.Empty(t, report.Problems)
		for i := range report.Findings {
			f := &report.Findings[i]
			relocate(&f.Location, offsets)
			for j := range f.Related {
				relocate(&f.Related[j].Location, offsets)
			}
			for j := range f.Fixes { // edits name the file, and a compressed one cannot be edited
				if len(f.Fixes[j].Edits) > 0 {
					f.Fixes[j].Safety, f.Fixes[j].Edits = finding.Plan, []finding.Edit{}
				}
			}
		}
		finding.Sort(report.Findings)
		text, err := json.MarshalIndent(report.Findings, "", " ")
		require.NoError(t, err)
		return string(text)
	}
	want := run(whole, 1)
	require.Greater(t, strings.Count(want, `"rule"`), 5)
	for name, dir := range map[string]string{"whole": whole, "gzip": zipped, "ten parts": parts} {
		for _, jobs := range []int{1, 3, 8} {
			got := run(dir, jobs)
			if got != want {
				a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
				for i := range min(len(a), len(b)) {
					require.Equal(t, a[i], b[i], "%s, %d jobs, line %d", name, jobs, i)
				}
				require.Len(t, b, len(a), "%s, %d jobs", name, jobs)
			}
		}
	}
}

// relocate converts a place in a part of a file to a place in the whole file.
func relocate(l *finding.Location, offsets map[string]int) {
	name := filepath.Base(l.File)
	if from, ok := offsets[name]; ok {
		l.Line, l.EndLine = l.Line+from, l.EndLine+from
		name = name[:strings.LastIndexByte(name, '-')] + ".jsonl"
	}
	l.File = strings.TrimSuffix(name, ".gz")
}
