package jsonlint_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// TestOneAmongMany has more documents than sampled ids. It requires that the
// only dangling reference and the only duplicate id are found, and nothing
// else. The ids are UUIDs, links that end in one, or integers.
func TestOneAmongMany(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes and reads 280,000 documents a case")
	}
	const n, repeated, gone = 140_000, 77_777, 33_333
	forms := map[string]struct{ id, reference func(i int) string }{
		"uuid":    {func(i int) string { return `"` + uuid(i) + `"` }, func(i int) string { return `"` + uuid(i) + `"` }},
		"link":    {func(i int) string { return `"` + uuid(i) + `"` }, func(i int) string { return `"https://shop.example/customers/` + uuid(i) + `"` }},
		"integer": {func(i int) string { return fmt.Sprint(100 + 3*i) }, func(i int) string { return fmt.Sprint(100 + 3*i) }},
	}
	for form, of := range forms {
		for _, planted := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s planted=%v", form, planted), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				writeDocuments(t, dir, "customers.jsonl", n, func(i int) string {
					id := i
					if planted && i == repeated+1 {
						id = repeated // nobody refers to the document whose id this was
					}
					return fmt.Sprintf(`{"id":%s,"name":"Customer %d","city":"City %d"}`, of.id(id), i, i%89)
				})
				writeDocuments(t, dir, "orders.jsonl", n, func(i int) string {
					customer := (i * 31) % n
					if planted {
						switch {
						case i == gone:
							customer = n + 5
						case customer == repeated+1:
							customer = 1
						}
					}
					return fmt.Sprintf(`{"id":%q,"customerId":%s,"total":%d}`, "o-"+uuid(i+2*n), of.reference(customer), i%700)
				})
				want := map[string][]int{}
				if planted {
					want = map[string][]int{"dangling-reference": {gone + 1}, "duplicate-id": {repeated + 2}}
				}
				for _, jobs := range []int{1, 3} {
					findings := checkFiles(t, jsonlint.Options{Jobs: jobs}, filepath.Join(dir, "customers.jsonl"), filepath.Join(dir, "orders.jsonl"))
					assert.Equal(t, want, linesByRule(findings, "dangling-reference", "duplicate-id"))
					for _, f := range findings {
						if want[f.Rule] != nil {
							assert.Equal(t, finding.Error, f.Severity, f.Message)
						}
					}
				}
				if form == "link" { // tails too
					assert.Equal(t, want, linesByRule(shard(t, []string{dir}, jsonlint.Options{}, 2).Findings, "dangling-reference", "duplicate-id"))
				}
			})
		}
	}
}

// TestOnePairAmongMany has more documents than are sampled. It requires that
// the only pair that just one side knows and the two copies that differ from
// their originals are found, and nothing else. A missing author is not such a
// pair.
func TestOnePairAmongMany(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes and reads 280,000 documents a case")
	}
	const n, oneSided, drifted, gone = 140_000, 77_777, 33_333, 11_111
	for _, planted := range []bool{true, false} {
		t.Run(fmt.Sprintf("planted=%v", planted), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			name := func(i int) string { return fmt.Sprintf("Author %d %s", i, uuid(i)[:4]) }
			writeDocuments(t, dir, "authors.jsonl", n, func(i int) string {
				return fmt.Sprintf(`{"id":%q,"name":%q,"books":[%q]}`, uuid(i), name(i), uuid(n+i))
			})
			writeDocuments(t, dir, "books.jsonl", n, func(i int) string {
				authors := fmt.Sprintf(`{"id":%q,"name":%q}`, uuid(i), name(i))
				if planted {
					switch i {
					case oneSided:
						authors = ""
					case drifted, drifted + 1:
						authors = fmt.Sprintf(`{"id":%q,"name":"Author of old"}`, uuid(i))
					case gone:
						authors += fmt.Sprintf(`,{"id":%q,"name":"Nobody"}`, uuid(-1))
					}
				}
				return fmt.Sprintf(`{"id":%q,"title":"Book %d","authors":[%s]}`, uuid(n+i), i, authors)
			})
			want := map[string][]int{}
			if planted {
				want = map[string][]int{"inconsistent-many-to-many": {oneSided + 1}, "stale-copy": {drifted + 1}}
			}
			for _, jobs := range []int{1, 3} {
				findings := checkFiles(t, jsonlint.Options{Jobs: jobs}, filepath.Join(dir, "authors.jsonl"), filepath.Join(dir, "books.jsonl"))
				assert.Equal(t, want, linesByRule(findings, "inconsistent-many-to-many", "stale-copy"))
				for _, f := range findings {
					switch f.Rule {
					case "inconsistent-many-to-many":
						assert.Contains(t, f.Message, fmt.Sprintf("disagree in 1 of 140,000 pairs: %q has %q in books[]", uuid(oneSided), uuid(n+oneSided)))
					case "stale-copy":
						assert.Contains(t, f.Message, fmt.Sprintf(`in 2 of 139,999 copies: id %q has "Author of old" here, %q there`, uuid(drifted), name(drifted)))
					}
				}
			}
			assert.Equal(t, want, linesByRule(shard(t, []string{dir}, jsonlint.Options{}, 2).Findings, "inconsistent-many-to-many", "stale-copy"))
		})
	}
}

func uuid(i int) string {
	h := fnv.New128a()
	_ = binary.Write(h, binary.LittleEndian, int64(i))
	s := h.Sum(nil)
	return fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:])
}

func writeDocuments(t *testing.T, dir, name string, n int, document func(i int) string) {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, name))
	require.NoError(t, err)
	out := bufio.NewWriter(file)
	for i := range n {
		fmt.Fprintln(out, document(i))
	}
	require.NoError(t, out.Flush())
	require.NoError(t, file.Close())
}

// linesByRule returns the lines of the findings of some rules.
func linesByRule(findings []finding.Finding, rules ...string) map[string][]int {
	lines := map[string][]int{}
	for _, f := range findings {
		if slices.Contains(rules, f.Rule) {
			lines[f.Rule] = append(lines[f.Rule], f.Location.Line)
		}
	}
	return lines
}

// TestNoRoomForIDs: if ids cannot be kept, the rules that compare them report
// that instead of reporting nothing.
func TestNoRoomForIDs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes and reads 140,000 documents")
	}
	path := filepath.Join(t.TempDir(), "things.jsonl")
	var text strings.Builder
	for i := range 140_000 {
		fmt.Fprintf(&text, `{"id":"thing-%d-%d","size":%d}`+"\n", i, i*7919%1000, i%9)
	}
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	var o jsonlint.Options
	o.Source.TempDir = filepath.Join(t.TempDir(), "nowhere")
	report, err := jsonlint.Check(t.Context(), []string{path}, o)
	require.NoError(t, err)
	require.Len(t, report.Problems, 1)
	assert.Contains(t, report.Problems[0].Message, "duplicate-id was not checked: keep ids in a temporary file: ")
	assert.Contains(t, report.Problems[0].Hint, "TMPDIR")

	o.Memory = 1 << 30
	report, err = jsonlint.Check(t.Context(), []string{path}, o)
	require.NoError(t, err)
	assert.Empty(t, report.Problems, "memory has room for the ids")
}
