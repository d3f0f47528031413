package jsonlint

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// kindDocuments are documents of several kinds. kindAt returns the kind of
// document i.
func kindDocuments(n int, kindAt func(i int) int, extra func(i, kind int) string) []string {
	var lines []string
	for i := range n {
		kind := kindAt(i)
		body := [...]string{
			`"title":"t","pages":%d`, `"stars":%d,"content":"c","reviewer":"r"`, `"email":"e%d@example.com","firstName":"f","last_name":"l","lastName":1`,
		}[kind]
		lines = append(lines, fmt.Sprintf(`{"id":"x%d",%s,`+body+`,"value":%s,"parent":"x%d"}`, i, extra(i, kind), i, []string{"1", `"1"`}[i%7/6], (i*7)%(n+9)))
	}
	return lines
}

// TestKindsSorted checks that the findings do not depend on when, or whether,
// the documents are sorted into kinds during the first reading.
func TestKindsSorted(t *testing.T) {
	t.Parallel()
	const n = 900
	byType := func(_, kind int) string { return fmt.Sprintf(`"type":"k%d"`, kind) }
	mixed := func(i int) int { return i * 5 % 3 }
	tests := map[string][]string{
		"a field":   kindDocuments(n, mixed, byType),
		"one later": kindDocuments(n, func(i int) int { return i * 3 / n }, byType),
		"another field": kindDocuments(n, mixed, func(i, kind int) string {
			// state distinguishes the kinds at first, type throughout.
			return fmt.Sprintf(`"type":"k%d","state":"s%d"`, kind, []int{kind, i % 5}[min(1, i/300)])
		}),
		"too many values": kindDocuments(n, mixed, func(i, kind int) string {
			return fmt.Sprintf(`"type":"k%d"`, []int{kind, i}[min(1, i/300)])
		}),
		"lost": kindDocuments(n, mixed, func(i, kind int) string {
			return fmt.Sprintf(`"type":"k%d"`, []int{kind, i % 4}[min(1, i/300)])
		}),
		"no field":               kindDocuments(n, mixed, func(int, int) string { return `"a":1` }),
		"no field, a kind later": kindDocuments(n, func(i int) int { return min(i*4/n, 1) + min(i%2, i*2/n) }, func(int, int) string { return `"a":1` }),
		"no field, many shapes": kindDocuments(n, mixed, func(i, _ int) string {
			return fmt.Sprintf(`"a":%d,"b%d":1`, i%3, (i/300)*(i%80))
		}),
		"one kind": kindDocuments(n, func(int) int { return 0 }, byType),
	}
	for name, lines := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for i := range 9 {
				part := strings.Join(lines[i*n/9:(i+1)*n/9], "\n") + "\n"
				require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.jsonl", i)), []byte(part), 0o600))
			}
			run := func(asked int64, jobs int) string {
				o := source.Options{Collections: []source.CollectionRule{{Name: "things", Glob: "**"}}}
				set, err := source.Open(context.Background(), []string{dir}, o)
				require.NoError(t, err)
				generic, ok := limits.For("generic")
				require.True(t, ok)
				e := &engine{set: set, jobs: jobs, lexicon: lexicon.Default(), kindsAsked: asked}
				report, err := e.check(context.Background(), generic, Options{Strict: true})
				require.NoError(t, err)
				require.NoError(t, set.Close())
				require.Empty(t, report.Problems)
				require.NotEmpty(t, report.Findings)
				text, err := json.MarshalIndent(report, "", " ")
				require.NoError(t, err)
				return string(text)
			}
			never := run(math.MaxInt64, 1)
			for _, asked := range []int64{1, 20, 150, 600} {
				for _, jobs := range []int{1, 3} {
					assert.Equal(t, never, run(asked, jobs), "looked for kinds after %d documents, %d workers", asked, jobs)
				}
			}
		})
	}
}

func TestExtentsCover(t *testing.T) {
	t.Parallel()
	x := extents{{file: 2, start: 10, end: 20}, {file: 1, start: 0, end: 5}, {file: 2, start: 20, end: 25}}
	x.sort()
	for _, c := range []struct {
		file   uint32
		offset int64
		want   bool
	}{{0, 3, false}, {1, 0, true}, {1, 4, true}, {1, 5, false}, {2, 0, false}, {2, 10, true}, {2, 24, true}, {2, 25, false}, {3, 0, false}} {
		assert.Equal(t, c.want, x.cover(c.file, c.offset), "%d in file %d", c.offset, c.file)
	}
}
