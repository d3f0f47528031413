package jsonlint_test

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// TestOneAmongMany: of more documents than ids are sampled, the one reference
// that leads nowhere and the one id that two documents have are found, and none
// is where there is none. The ids are UUIDs, links that end in one, or integers.
func TestOneAmongMany(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("writes and reads 280,000 documents a case")
	}
	const n, repeated, gone = 140_000, 77_777, 33_333
	uuid := func(i int) string {
		h := fnv.New128a()
		_ = binary.Write(h, binary.LittleEndian, int64(i))
		s := h.Sum(nil)
		return fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:])
	}
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
				write := func(name string, document func(i int) string) {
					file, err := os.Create(filepath.Join(dir, name))
					require.NoError(t, err)
					out := bufio.NewWriter(file)
					for i := range n {
						fmt.Fprintln(out, document(i))
					}
					require.NoError(t, out.Flush())
					require.NoError(t, file.Close())
				}
				write("customers.jsonl", func(i int) string {
					id := i
					if planted && i == repeated+1 {
						id = repeated // and nobody refers to the one whose id this was
					}
					return fmt.Sprintf(`{"id":%s,"name":"Customer %d","city":"City %d"}`, of.id(id), i, i%89)
				})
				write("orders.jsonl", func(i int) string {
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
				for _, jobs := range []int{1, 3} {
					findings := checkFiles(t, jsonlint.Options{Jobs: jobs}, filepath.Join(dir, "customers.jsonl"), filepath.Join(dir, "orders.jsonl"))
					places := map[string][]int{}
					for _, f := range findings {
						if f.Rule == "dangling-reference" || f.Rule == "duplicate-id" {
							assert.Equal(t, finding.Error, f.Severity, f.Message)
							places[f.Rule] = append(places[f.Rule], f.Location.Line)
						}
					}
					want := map[string][]int{}
					if planted {
						want = map[string][]int{"dangling-reference": {gone + 1}, "duplicate-id": {repeated + 2}}
					}
					assert.Equal(t, want, places)
				}
			})
		}
	}
}

// TestNoRoomForIDs: where ids cannot be kept, the rules that compare them say so
// instead of saying that all is well.
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
}
