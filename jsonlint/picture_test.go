package jsonlint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// library writes books of authors. Every author has two books, and the last of
// every ten books lists 300 words.
func library(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var authors, books strings.Builder
	for i := range 20 {
		fmt.Fprintf(&authors, `{"id":"a%02d","name":"author %d"}`+"\n", i, i)
		for j := range 2 {
			words := `"x"`
			if i%10 == 9 {
				words += strings.Repeat(`,"x"`, 299)
			}
			subtitle := ""
			if j == 0 {
				subtitle = `"subtitle":"s",`
			}
			fmt.Fprintf(&books, `{"id":"b%02d%d",%s"authorId":"a%02d","print":{"pages":%d},"words":[%s]}`+"\n", i, j, subtitle, i, 100+i, words)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "authors.jsonl"), []byte(authors.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "books.jsonl"), []byte(books.String()), 0o600))
	return dir
}

func TestPicture(t *testing.T) {
	t.Parallel()
	dir := library(t)
	report, err := jsonlint.Check(context.Background(), []string{dir}, jsonlint.Options{Picture: true})
	require.NoError(t, err)
	p := report.Picture
	require.Len(t, p.Collections, 2)
	books := p.Collections[1]
	assert.Equal(t, "books", books.Name)
	assert.Equal(t, int64(40), books.Documents)
	assert.Empty(t, books.Kinds)

	fields := map[string]finding.PictureField{}
	var order []string
	for _, f := range books.Fields {
		fields[f.Path] = f
		order = append(order, f.Path)
	}
	assert.Equal(t, []string{"id", "subtitle", "authorId", "print", "print.pages", "words"}, order)
	assert.True(t, fields["id"].ID)
	assert.InDelta(t, 0.5, fields["subtitle"].Presence, 1e-9)
	assert.Equal(t, 1, fields["print.pages"].Depth)
	assert.Equal(t, []string{"number"}, fields["print.pages"].Types)

	words := fields["words"].Lengths
	require.NotNil(t, words)
	assert.Equal(t, int64(1), words.P50)
	assert.Equal(t, int64(300), words.Max)
	total, next := int64(0), words.Bins[0].From
	for _, b := range words.Bins {
		assert.Equal(t, next, b.From, "no gaps")
		total, next = total+b.Count, b.To+1
	}
	assert.Equal(t, int64(40), total)
	assert.Equal(t, finding.Bin{From: 1, To: 1, Count: 36}, words.Bins[0])

	require.Len(t, p.References, 1)
	r := p.References[0]
	assert.Equal(t, "books.authorId authors.id", r.From+"."+r.Path+" "+r.To+"."+r.Key)
	assert.Nil(t, r.PerDocument)
	require.NotNil(t, r.PerTarget)
	assert.Equal(t, int64(2), r.PerTarget.Max)
	assert.InDelta(t, 1, r.Resolved, 1e-9)

	parallel, err := jsonlint.Check(context.Background(), []string{dir}, jsonlint.Options{Jobs: 4, Picture: true})
	require.NoError(t, err)
	assert.Equal(t, p, parallel.Picture, "whatever the number of workers")
}
