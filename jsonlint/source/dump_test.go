package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/source/dumptest"
)

// numbered returns n documents.
func numbered(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"_id":%d,"name":"n%d"}`+"\n", from+i, from+i)
	}
	return b.String()
}

func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// readAll returns the documents of the inputs by collection, and the set.
func readAll(t *testing.T, o Options, inputs ...string) (map[string]string, *Set) {
	t.Helper()
	set, err := Open(context.Background(), inputs, o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, set.Close()) })
	texts := map[string]string{}
	require.NoError(t, set.Read(context.Background(), nil, 1, func(_ int, b *Batch) error {
		for _, s := range b.Spans {
			texts[b.File.Collection] += string(b.Data[s.Start:s.End]) + "\n"
		}
		return nil
	}))
	return texts, set
}

func store(t *testing.T, name string, data []byte) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, data, 0o644))
	return name
}

func TestDumpsHoldTheSameDocuments(t *testing.T) {
	t.Parallel()
	posts, users := numbered(1, 300), numbered(1000, 7)
	archive := dumptest.Archive(50,
		dumptest.Collection{Database: "shop", Name: "posts", Lines: posts},
		dumptest.Collection{Database: "shop", Name: "users", Lines: users, Metadata: `{"indexes":[]}`},
		dumptest.Collection{Database: "admin", Name: "system.version", Lines: numbered(1, 1)},
		dumptest.Collection{Database: "shop", Name: "system.buckets.prices", Lines: numbered(1, 1)},
	)
	dir := t.TempDir()
	store(t, filepath.Join(dir, "dump", "shop", "system.buckets.prices.bson"), dumptest.Documents(numbered(1, 1)))
	store(t, filepath.Join(dir, "dump", "shop", "system.buckets.prices.metadata.json"), []byte(`{"collectionName":"system.buckets.prices"}`))
	store(t, filepath.Join(dir, "dump", "shop", "posts.bson"), dumptest.Documents(posts))
	store(t, filepath.Join(dir, "dump", "shop", "posts.metadata.json"), []byte(`{"indexes":[],"collectionName":"posts"}`))
	store(t, filepath.Join(dir, "dump", "shop", "users.bson.gz"), packed(t, dumptest.Documents(users)))
	store(t, filepath.Join(dir, "dump", "shop", "users.metadata.json.gz"), packed(t, []byte(`{"collectionName":"users"}`)))
	store(t, filepath.Join(dir, "dump", "shop", "prelude.json"), []byte(`{"ServerVersion":"7"}`))
	store(t, filepath.Join(dir, "dump", "admin", "system.version.bson"), dumptest.Documents(numbered(1, 1)))
	store(t, filepath.Join(dir, "dump", "admin", "system.version.metadata.json"), []byte(`{}`))
	want := map[string]string{"posts": posts, "users": users}

	tests := map[string]struct {
		input string
		stdin []byte
	}{
		"directory":                    {input: filepath.Join(dir, "dump")},
		"archive":                      {input: store(t, filepath.Join(dir, "shop.archive"), archive)},
		"compressed archive":           {input: store(t, filepath.Join(dir, "shop.gz"), packed(t, archive))},
		"archive on standard input":    {input: "-", stdin: archive},
		"and a compressed one":         {input: "-", stdin: packed(t, archive)},
		"archive with an unusual name": {input: store(t, filepath.Join(dir, "backup"), archive)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, set := readAll(t, Options{Stdin: bytes.NewReader(test.stdin)}, test.input)
			assert.Equal(t, want, got)
			assert.Empty(t, set.Problems())
			assert.Empty(t, set.Damage())
			left := set.LeftOut().Unread
			require.Len(t, left, 1)
			assert.Contains(t, left[0], "system.buckets.prices")
		})
	}
}

func TestDumpOnStandardInput(t *testing.T) {
	t.Parallel()
	posts := numbered(1, 3)
	got, set := readAll(t, Options{Stdin: bytes.NewReader(dumptest.Documents(posts)), StdinFilename: "posts.bson"}, "-")
	assert.Equal(t, map[string]string{"posts": posts}, got)
	assert.Empty(t, set.Problems())
}

func TestDumpsOfTwoDatabasesKeepThemApart(t *testing.T) {
	t.Parallel()
	archive := dumptest.Archive(1,
		dumptest.Collection{Database: "shop", Name: "users", Lines: numbered(1, 2)},
		dumptest.Collection{Database: "blog", Name: "users", Lines: numbered(5, 2)})
	got, _ := readAll(t, Options{}, store(t, filepath.Join(t.TempDir(), "all.archive"), archive))
	assert.Equal(t, map[string]string{"shop.users": numbered(1, 2), "blog.users": numbered(5, 2)}, got)
}

func TestLocateInDump(t *testing.T) {
	t.Parallel()
	name := store(t, filepath.Join(t.TempDir(), "users.bson"), dumptest.Documents(numbered(1, 3)))
	set, err := Open(context.Background(), []string{name}, Options{})
	require.NoError(t, err)
	at := int64(len(numbered(1, 1)))
	places, err := set.Locate(context.Background(), []Range{{set.Files[0], at, at + 1}})
	require.NoError(t, err)
	assert.Equal(t, 2, places[0].Line, "the second document")
	assert.Equal(t, `{"_id":2,"name":"n2"}`, places[0].Snippet)
	text, err := set.Bytes(context.Background(), set.Files[0], at, at+int64(len(places[0].Snippet)))
	require.NoError(t, err)
	assert.Equal(t, places[0].Snippet, string(text))
	require.NoError(t, set.Close())
}

// TestArchiveCutAnywhere cuts an archive at each byte. What remains must be the
// beginning of the whole, and unless nothing is missing, the reader must report
// it.
func TestArchiveCutAnywhere(t *testing.T) {
	t.Parallel()
	collections := []dumptest.Collection{
		{Database: "shop", Name: "posts", Lines: numbered(1, 5)},
		{Database: "shop", Name: "users", Lines: numbered(7, 3)},
	}
	archive := dumptest.Archive(2, collections...)
	name := filepath.Join(t.TempDir(), "shop.archive")
	for n := range archive {
		store(t, name, archive[:n])
		got, set := readAll(t, Options{}, name)
		for _, c := range collections {
			assert.True(t, strings.HasPrefix(c.Lines, got[c.Name]), "cut at %d: %s", n, got[c.Name])
		}
		if n > 0 {
			assert.NotEmpty(t, set.Problems(), "cut at %d", n)
		}
	}
}

func TestDumpCutAnywhere(t *testing.T) {
	t.Parallel()
	dump := dumptest.Documents(numbered(1, 3))
	size := len(dump) / 3
	name := filepath.Join(t.TempDir(), "users.bson")
	for n := range dump {
		store(t, name, dump[:n])
		got, set := readAll(t, Options{}, name)
		assert.Equal(t, numbered(1, n/size), got["users"], "cut at %d", n)
		if n%size != 0 {
			problems := set.Problems()
			require.Len(t, problems, 1, "cut at %d", n)
			assert.Contains(t, problems[0].Message, fmt.Sprintf("damaged at byte %d", n/size*size))
			assert.Equal(t, n/size+1, problems[0].Location.Line, "cut at %d", n)
		}
	}
}

// TestDamageInADumpCostsOneDocument breaks a value in a document whose length
// is right.
func TestDamageInADumpCostsOneDocument(t *testing.T) {
	t.Parallel()
	first, second, third := dumptest.Document(`{"_id":1}`), dumptest.Document(`{"_id":2,"a":{"b":true}}`), dumptest.Document(`{"_id":3}`)
	second[len(second)-3] = 7 // neither true nor false
	name := store(t, filepath.Join(t.TempDir(), "users.bson"), bytes.Join([][]byte{first, second, third}, nil))
	got, set := readAll(t, Options{}, name)
	assert.Equal(t, "{\"_id\":1}\n{\"_id\":3}\n", got["users"])
	assert.Empty(t, set.Problems())
	damage := set.Damage()
	require.Len(t, damage, 1)
	assert.Contains(t, damage[0].Message, `field "a.b": a boolean is 7`)
	places, err := set.Locate(context.Background(), []Range{{damage[0].File, damage[0].Offset, damage[0].Offset + 1}})
	require.NoError(t, err)
	assert.Equal(t, 2, places[0].Line)
}

func TestArchiveChecksum(t *testing.T) {
	t.Parallel()
	archive := dumptest.Archive(10, dumptest.Collection{Database: "shop", Name: "posts", Lines: numbered(1, 5)})
	at := bytes.Index(archive, []byte("n3"))
	archive[at] = 'm'
	_, set := readAll(t, Options{}, store(t, filepath.Join(t.TempDir(), "shop.archive"), archive))
	require.Len(t, set.Problems(), 1)
	assert.Contains(t, set.Problems()[0].Message, "the checksum of shop.posts does not match its documents")
}

func TestTextIsNoBSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"a":1}`, "[\n1]", "  {}", "{\x00\"\x00a\x00\"\x00:\x001\x00}\x00", "\xff\xfe{\x00}\x00", "\x00{\x00}",
		"\n\n\n\n{}", "", "{}", "[]",
	} {
		assert.False(t, isBSON([]byte(text), "a.json"), "%q", text)
	}
	assert.True(t, isBSON(dumptest.Document(`{"a":1}`), "a"))
	assert.True(t, isBSON(dumptest.Document(`{}`), "a"))
	assert.True(t, isBSON(dumptest.Document(fmt.Sprintf(`{"a":%q}`, strings.Repeat("x", 123-5-8))), "a"), "the length is an opening bracket")
}

func TestLocateNamesTheDocumentOfADump(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3<<20) // the line does not fit the window
	text := `{"_id":{"$oid":"6801ee3b0000000000000001"},"a":1}` + "\n" +
		`{"_id":"b","long":"` + long + `","end":1}` + "\n" +
		`{"name":"no id"}` + "\n"
	set, err := Open(t.Context(), []string{store(t, filepath.Join(t.TempDir(), "users.bson"), dumptest.Documents(text))}, Options{})
	require.NoError(t, err)
	at := func(part string) Range {
		i := int64(strings.Index(text, part))
		return Range{set.Files[0], i, i + 1}
	}
	places, err := set.Locate(t.Context(), []Range{at(`"a"`), at(`"end"`), at(`"no id"`)})
	require.NoError(t, err)
	assert.Equal(t, `ObjectId("6801ee3b0000000000000001")`, places[0].Document)
	assert.Equal(t, `"b"`, places[1].Document)
	assert.Equal(t, 2, places[1].Line)
	assert.Empty(t, places[2].Document)
	require.NoError(t, set.Close())
}
