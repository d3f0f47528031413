package jsonlint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// TestReadAgain checks which collections are read a second time: those for
// which the first reading was not enough.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	documents := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintln(&b, strings.ReplaceAll(strings.ReplaceAll(format, "#", fmt.Sprintf("%06d", i)), "%", fmt.Sprintf("%06d", i/3)))
		}
		return b.String()
	}
	customers := documents(300, `{"id":"c4f1#a","city":"Oslo #","age":4#,"since":"2020-01-02"}`)
	orders := `{"id":"0d93#b","customerId":"c4f1%a","total":7#,"state":"paid"}`
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"nothing to say", map[string]string{"customers": customers}, nil},
		{"every reference leads somewhere", map[string]string{"customers": customers, "orders": documents(900, orders)}, nil},
		{
			"one leads nowhere",
			map[string]string{"customers": customers, "orders": documents(900, orders) + strings.ReplaceAll(documents(1, orders), "c4f1", "dead")},
			[]string{"orders"},
		},
		{"an id occurs twice", map[string]string{"customers": customers + documents(1, `{"id":"c4f1#a","city":"Bergen","age":4,"since":"2020-01-02"}`)}, []string{"customers"}},
		{"a type is mixed", map[string]string{"customers": customers + documents(20, `{"id":"c4f2#a","city":"Oslo #","age":"4#","since":"2020-01-02"}`)}, []string{"customers"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range c.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600))
			}
			ctx := context.Background()
			files, err := source.Open(ctx, []string{dir}, source.Options{})
			require.NoError(t, err)
			defer func() { assert.NoError(t, files.Close()) }()
			e := &engine{set: files, jobs: 1, lexicon: lexicon.Default(), kindsAsked: kindsAsked}
			collections, err := e.profile(ctx)
			require.NoError(t, err)
			db, err := model.Infer(ctx, collections, model.Settings{Lexicon: e.lexicon}, func(s []*model.Splitter) error { return e.split(ctx, s) })
			require.NoError(t, err)
			var got []string
			for _, w := range e.benchRun(t, db, "").Watched() {
				got = append(got, w.Name)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestTheSameAgain: a document with the same text as the one before it is not
// parsed again, but still shown at its own place.
func TestTheSameAgain(t *testing.T) {
	t.Parallel()
	const twice = `{"id":1,"tags":["a"]}`
	texts := []string{
		twice, twice, twice, `{"id":2}`, twice, twice, `{"_id":"_design/a"}`, `{"_id":"_design/a"}`, `{"id":"5"}`, `{"_id":{"$oid":"a"},"n":1}`,
		`{"_id":{"$oid":"a"},"n":1}`, `{"name":{"S":"x"}}`, `{"name":{"S":"x"}}`, `{"a":[1,]}`, `{"a":[1,]}`, twice, `{}`, `{}`, `{ }`, `{  }`, `{	}`, `{}`, `{ "id":3}`, `{}`,
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(texts, "\n")), 0o600))
	var shown []string
	err := Visit(t.Context(), []string{path}, Options{}, func(_ string, d *profile.Document) {
		shown = append(shown, fmt.Sprintf("%d %s %d", d.Base, d.Src, d.Len(0)))
	})
	require.NoError(t, err)
	var want []string
	offset := 0
	for _, text := range texts {
		if !strings.Contains(text, "_design") {
			want = append(want, fmt.Sprintf("%d %s %d", offset, text, strings.Count(text, `":`)-strings.Count(text, `{"$`)-strings.Count(text, `{"S`)))
		}
		offset += len(text) + 1
	}
	assert.Equal(t, want, shown)
	_, report, err := Profile(t.Context(), []string{path}, Options{})
	require.NoError(t, err)
	lines := map[int]string{}
	for _, f := range report.Findings {
		lines[f.Location.Line] = f.Rule
		for _, same := range f.Related {
			lines[same.Location.Line] = f.Rule
		}
	}
	assert.Equal(t, map[int]string{10: "input-error", 11: "input-error", 14: "input-error", 15: "input-error"}, lines, "each damaged document is told of")
}
