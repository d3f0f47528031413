package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/source/dumptest"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// A shelf is a store in memory. The text after <broken> is the error that
// interrupts reading an object or, at its beginning, prevents opening it.
type shelf map[string]string

func (s shelf) stores() remote.Stores {
	return remote.Stores{"s3": func(_ context.Context, u remote.URL) (remote.Store, error) {
		if bucket, _ := u.Object(); bucket != "b" {
			return nil, errors.New("no such bucket")
		}
		return s, nil
	}}
}

func (s shelf) List(_ context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if strings.HasPrefix(prefix, "private") {
			yield("", errors.New("may not be listed"))
			return
		}
		for _, key := range slices.Sorted(maps.Keys(s)) {
			if strings.HasPrefix(key, prefix) && !yield(key, nil) {
				return
			}
		}
	}
}

func (s shelf) Open(_ context.Context, key string, offset, length int64) (io.ReadCloser, int64, error) {
	text, ok := s[key]
	begun, failure, broken := strings.Cut(text, "<broken>")
	switch size := int64(len(text)); {
	case !ok:
		return nil, 0, errors.New("no such object")
	case broken && begun == "":
		return nil, 0, errors.New(failure)
	case broken:
		return io.NopCloser(io.MultiReader(strings.NewReader(begun[offset:]), iotest.ErrReader(errors.New(failure)))), size, nil
	case length < 0:
		return io.NopCloser(strings.NewReader(text[offset:])), size, nil
	default:
		return io.NopCloser(strings.NewReader(text[offset:min(size, offset+length)])), size, nil
	}
}

func (shelf) Close() error { return nil }

// TestObjectsAreLikeFiles reads the same names and texts from disk and from a
// store.
func TestObjectsAreLikeFiles(t *testing.T) {
	t.Parallel()
	posts := numbered(1, 300)
	one := func(i string) string { return `{"_id":"` + i + `"}` }
	files := shelf{
		"export/orders.jsonl":              posts,
		"export/customers.json.gz":         gzipped(t, numbered(1, 9)),
		"export/old/lines.ndjson.zst":      zstded(t, numbered(1, 20)),
		"export/empty.json":                "",
		"export/notes.md":                  "# Notes\n\n```json\n{\"_id\":1}\n```\n",
		"export/tables.csv":                "a,b",
		"export/package.json":              "{}",
		"export/some.schema.json":          "{}",
		"export/shape.json":                `{"$schema": "https://json-schema.org/draft/2020-12/schema"}`,
		"export/.hidden.json":              one("h"),
		"export/.cache/x.json":             one("h"),
		"export/node_modules/x/y.json":     one("n"),
		"export/locales/en.json":           one("l"),
		"export/people/a.json":             one("a"),
		"export/people/b.json":             one("b"),
		"export/people@home/c.json":        one("c"),
		"export/a [1].json":                one("1"),
		"dump/shop/posts.bson":             string(dumptest.Documents(posts)),
		"dump/shop/posts.metadata.json":    `{"indexes":[],"collectionName":"posts"}`,
		"dump/shop/users.bson.gz":          string(packed(t, dumptest.Documents(numbered(1, 7)))),
		"dump/shop/users.metadata.json.gz": string(packed(t, []byte(`{"collectionName":"people"}`))),
		"dump/shop/prelude.json":           `{"ServerVersion":"7"}`,
		"dump/shop/system.buckets.p.bson":  string(dumptest.Documents(numbered(1, 1))),
		"dump/blog/posts.bson":             string(dumptest.Documents(numbered(1, 2))),
		"dump/blog/posts.metadata.json":    `{"collectionName":"posts"}`,
		"backup.archive.gz":                string(packed(t, dumptest.Archive(50, dumptest.Collection{Database: "shop", Name: "posts", Lines: posts}, dumptest.Collection{Database: "shop", Name: "users", Lines: numbered(1, 7)}))),
		"backup":                           string(dumptest.Archive(50, dumptest.Collection{Database: "shop", Name: "carts", Lines: posts})),
	}
	dir := write(t, files)
	for name, test := range map[string]struct {
		input   string
		options Options
	}{
		"all":               {input: ""},
		"a prefix":          {input: "export/"},
		"a prefix below":    {input: "export/people/"},
		"defaults":          {input: "export/", options: Options{Defaults: true}},
		"excluded":          {input: "export/", options: Options{Defaults: true, Skip: []string{"**/old", "orders.jsonl"}}},
		"included":          {input: "", options: Options{Defaults: true, Include: []string{"**/.cache/*.json", "package.json"}}},
		"shallow":           {input: "export/", options: Options{Shallow: true}},
		"a dump":            {input: "dump/shop/"},
		"two":               {input: "dump/"},
		"one":               {input: "export/orders.jsonl"},
		"compressed":        {input: "export/customers.json.gz"},
		"one of a dump":     {input: "dump/shop/users.bson.gz"},
		"an archive":        {input: "backup.archive.gz"},
		"no extension":      {input: "backup"},
		"Markdown":          {input: "export/notes.md"},
		"with an @":         {input: "export/people@home/c.json"},
		"a glob":            {input: "export/*.json*", options: Options{Defaults: true}},
		"an open glob":      {input: "export/**", options: Options{Defaults: true}},
		"all directories":   {input: "**/*.json"},
		"alternatives":      {input: "export/{orders,customers}.*"},
		"quoted":            {input: `export/a \[1\].j*`},
		"a glob of a dump":  {input: "dump/*/posts.bson"},
		"a collection rule": {input: "export/", options: Options{Collections: []CollectionRule{{Name: "all", Glob: "**/people/*.json"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			type seen struct {
				Collection, Own, Metadata, Text string
				Size                            int64
				Compressed                      bool
			}
			look := func(root string, o Options) (map[string]seen, LeftOut) {
				set := open(t, o, root+test.input)
				assert.Empty(t, set.Problems())
				all := map[string]seen{}
				for _, f := range set.Files {
					all[strings.TrimPrefix(f.Path, root)] = seen{Collection: f.Collection, Own: f.Own, Metadata: string(f.Metadata), Size: f.Size, Compressed: f.Compressed}
				}
				require.NoError(t, set.Read(t.Context(), nil, 1, func(_ int, b *Batch) error {
					name := strings.TrimPrefix(b.File.Path, root)
					file := all[name]
					for _, s := range b.Spans {
						file.Text += string(b.Data[s.Start:s.End])
					}
					all[name] = file
					return nil
				}))
				left := set.LeftOut()
				for i, name := range left.Unread {
					left.Unread[i] = strings.TrimPrefix(name, root)
				}
				return all, left
			}
			wantFiles, wantLeft := look(filepath.ToSlash(dir)+"/", test.options)
			o := test.options
			o.Stores = files.stores()
			require.NotEmpty(t, wantFiles)
			for _, o.InPlace = range []bool{false, true} {
				gotFiles, gotLeft := look("s3://b/", o)
				assert.Equal(t, wantFiles, gotFiles)
				assert.Equal(t, wantLeft, gotLeft)
			}
		})
	}
	t.Run("places", func(t *testing.T) {
		t.Parallel()
		set := open(t, Options{Stores: files.stores()}, "s3://b/export/orders.jsonl", "s3://b/export/", "s3://b/dump/shop/posts.bson")
		names := map[string]bool{}
		for _, f := range set.Files {
			assert.False(t, names[f.Path], "%s: once", f.Path)
			names[f.Path] = true
			if strings.HasSuffix(f.Path, "orders.jsonl") {
				start := int64(len(numbered(1, 250)))
				places, err := set.Locate(t.Context(), []Range{{f, start, start + 1}})
				require.NoError(t, err)
				assert.Equal(t, "s3://b/export/orders.jsonl:251:1", fmt.Sprintf("%s:%d:%d", places[0].File, places[0].Line, places[0].Column))
			}
		}
		assert.True(t, names["s3://b/export/orders.jsonl"])
	})
}

// A counter counts the bytes read from a store's objects.
type counter struct {
	remote.Store
	bytes atomic.Int64
}

func (c *counter) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, int64, error) {
	from, size, err := c.Store.Open(ctx, key, offset, length)
	if length > 0 {
		c.bytes.Add(length)
	}
	return from, size, err
}

// TestObjectsInPlace: for an object read in place, little more is requested
// than needed, and an interruption is reported.
func TestObjectsInPlace(t *testing.T) {
	t.Parallel()
	text := numbered(1, 2_000_000)
	files := shelf{"large.jsonl": text, "broken.jsonl": numbered(1, 3) + "<broken>connection lost", "empty.json": ""}
	counted := &counter{Store: files}
	o := Options{InPlace: true, TempDir: filepath.Join(t.TempDir(), "missing"), Stores: remote.Stores{"s3": func(context.Context, remote.URL) (remote.Store, error) { return counted, nil }}}
	wanted := int64(len(text)) / 2
	set := open(t, o, "s3://b/large.jsonl")
	var first, last string
	head := Head{File: set.Files[0], End: WholeFile, Next: func(offset int64) int64 { return max(offset, wanted) }}
	require.NoError(t, set.Read(t.Context(), []Head{head}, 1, func(_ int, b *Batch) error {
		for _, s := range b.Spans {
			if last = string(b.Data[s.Start:s.End]); first == "" && b.Base+int64(s.Start) >= wanted {
				first = last
			}
		}
		return nil
	}))
	assert.Contains(t, text[wanted-100:wanted+100], first)
	assert.True(t, strings.HasSuffix(strings.TrimSpace(text), last))
	assert.Less(t, counted.bytes.Load(), wanted+4*largestWindow)

	set = open(t, o, "s3://b/broken.jsonl", "s3://b/empty.json", "s3://b/none.json")
	require.NoError(t, set.Read(t.Context(), nil, 1, func(int, *Batch) error { return nil }))
	var problems []string
	for _, p := range set.Problems() {
		problems = append(problems, p.Location.File+": "+p.Message)
	}
	assert.Equal(t, []string{"s3://b/broken.jsonl: cannot be read: connection lost", "s3://b/none.json: no such object"}, problems)
}

func TestObjectsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	files := shelf{
		"export/a.jsonl": numbered(1, 5), "export/broken.jsonl": numbered(1, 3) + "<broken>connection lost", "export/gone.jsonl": "<broken>no such object", "export/z.jsonl": numbered(9, 5),
		"images/a.png": "", "private/posts.bson": string(dumptest.Documents(numbered(1, 2))), "dirs/": "", "dirs/a/": "",
	}
	for _, test := range []struct {
		input     string
		documents string
		problems  []string
	}{
		{input: "s3://b/export/", documents: numbered(1, 5) + numbered(9, 5), problems: []string{
			"s3://b/export/broken.jsonl: the object cannot be read to its end: connection lost", "s3://b/export/gone.jsonl: no such object"}},
		{input: "s3://b/export/*.jsonl", documents: numbered(1, 5) + numbered(9, 5), problems: []string{
			"s3://b/export/broken.jsonl: the object cannot be read to its end: connection lost", "s3://b/export/gone.jsonl: no such object"}},
		{input: "s3://b/export", problems: []string{"s3://b/export: no such object"}},
		{input: "s3://b/none/", problems: []string{"s3://b/none/: there are no objects below this"}},
		{input: "s3://b/images/", problems: []string{"s3://b/images/: the objects below this hold no documents"}},
		{input: "s3://b/dirs/", problems: []string{"s3://b/dirs/: there are no objects below this"}},
		{input: "s3://b/export/*.bson", problems: []string{"s3://b/export/*.bson: no object matches this glob"}},
		{input: "s3://b/export/[.json", problems: []string{"s3://b/export/[.json: is not a valid glob"}},
		{input: "s3://other/export/", problems: []string{"s3://other/export/: no such bucket"}},
		{input: "s3://b/private/posts.bson", documents: numbered(1, 2)},
		{input: "s3://b/private*", problems: []string{"s3://b/private*: may not be listed"}},
	} {
		t.Run(test.input, func(t *testing.T) {
			t.Parallel()
			temporary := t.TempDir()
			got, set := readAll(t, Options{Stores: files.stores(), TempDir: temporary}, test.input)
			assert.Equal(t, test.documents, strings.Join(slices.Collect(func(yield func(string) bool) {
				for _, name := range slices.Sorted(maps.Keys(got)) {
					yield(got[name])
				}
			}), ""))
			var problems []string
			for _, p := range set.Problems() {
				problems = append(problems, p.Location.File+": "+p.Message)
				assert.NotEmpty(t, p.Hint)
			}
			assert.Equal(t, test.problems, problems)
			left, err := os.ReadDir(temporary)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
	t.Run("a full disk", func(t *testing.T) {
		t.Parallel()
		_, err := Open(t.Context(), []string{"s3://b/export/"}, Options{Stores: files.stores(), TempDir: filepath.Join(t.TempDir(), "missing")})
		require.ErrorContains(t, err, "keep the objects of s3://b/export/")
	})
	t.Run("ended", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		stores := remote.Stores{"s3": func(ctx context.Context, u remote.URL) (remote.Store, error) { cancel(); return files, nil }}
		_, err := Open(ctx, []string{"s3://b/export/"}, Options{Stores: stores})
		require.ErrorIs(t, err, context.Canceled)
	})
}
