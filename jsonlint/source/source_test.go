package source

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
)

// A found is a span with its text.
type found struct {
	Start   int64
	Text    string
	Suspect bool
	Label   string
}

// write writes files below a new directory.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		writeFile(t, path, text)
	}
	return dir
}

// check is the common interface of [testing.T] and [rapid.T].
type check interface {
	require.TestingT
	Helper()
	Context() context.Context
}

func writeFile(t check, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func open(t testing.TB, o Options, inputs ...string) *Set {
	t.Helper()
	s, err := Open(t.Context(), inputs, o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// read returns the spans of each file by its base name, in order.
func read(t check, s *Set, jobs int) map[string][]found {
	t.Helper()
	var mutex sync.Mutex
	spans := map[string][]found{}
	err := s.Read(t.Context(), nil, jobs, func(worker int, b *Batch) error {
		mutex.Lock()
		defer mutex.Unlock()
		assert.GreaterOrEqual(t, worker, 0)
		assert.Less(t, worker, jobs)
		end := 0
		for i, span := range b.Spans {
			if assert.True(t, end <= span.Start && span.Start < span.End && span.End <= len(b.Data), "%v after %d in %d bytes", span, end, len(b.Data)) {
				name := filepath.Base(b.File.Path)
				spans[name] = append(spans[name], found{b.Base + int64(span.Start), string(b.Data[span.Start:span.End]), span.Suspect, b.Label(i)})
			}
			end = span.End
		}
		return nil
	})
	require.NoError(t, err)
	for _, list := range spans {
		slices.SortFunc(list, func(a, b found) int { return cmp.Compare(a.Start, b.Start) })
	}
	return spans
}

// readOne writes and reads one file.
func readOne(t testing.TB, name, text string) (*Set, []found) {
	t.Helper()
	s := open(t, Options{}, filepath.Join(write(t, map[string]string{name: text}), name))
	return s, read(t, s, 2)[name]
}

// shop returns n documents of a fictional shop, one per line.
func shop(n int) []string {
	docs := make([]string, n)
	for i := range docs {
		docs[i] = fmt.Sprintf(`{"_id":{"$oid":"%024x"},"name":"lamp \"%d\"","sizes":[{"w":%d,"tags":["{a}","]"]}],"in":{"stock":true}}`, i, i, i%7)
	}
	return docs
}

func lines(docs []string) string { return strings.Join(docs, "\n") + "\n" }
func array(docs []string) string { return "[\n" + strings.Join(docs, ",\n") + "\n]\n" }

func gzipped(t check, texts ...string) string {
	t.Helper()
	var out bytes.Buffer
	for _, text := range texts {
		w := gzip.NewWriter(&out)
		_, err := w.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	return out.String()
}

func zstded(t check, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Close()) }()
	return string(w.EncodeAll([]byte(text), nil))
}

func utf16Text(t check, order unicode.Endianness, bom unicode.BOMPolicy, text string) string {
	t.Helper()
	out, err := unicode.UTF16(order, bom).NewEncoder().String(text)
	require.NoError(t, err)
	return out
}

// texts returns the texts of plain and of suspect spans.
func texts(spans []found) (plain, suspect []string) {
	for _, s := range spans {
		if s.Suspect {
			suspect = append(suspect, s.Text)
		} else {
			plain = append(plain, s.Text)
		}
	}
	return plain, suspect
}

func TestLayouts(t *testing.T) {
	t.Parallel()
	docs := shop(50)
	pretty := make([]string, len(docs))
	for i, d := range docs {
		pretty[i] = strings.NewReplacer(`,"sizes":[`, ",\n  \"sizes\": [\n    ", `}],"in"`, "}\n  ],\n  \"in\"").Replace(d)
	}
	feed := `{"_rid":"d9RzAJRFKgw=","Documents":[` + strings.Join(docs, ",") + `],"_count":50}`
	for name, tt := range map[string]struct {
		file, text string
		want       []string
	}{
		"JSON Lines":                    {"a.jsonl", lines(docs), docs},
		"array":                         {"a.json", array(docs), docs},
		"array in one line":             {"a.json", "[" + strings.Join(docs, ",") + "]", docs},
		"several arrays":                {"a.json", array(docs[:20]) + array(docs[20:]), docs},
		"lines of arrays":               {"a.jsonl", "[" + docs[0] + "]\n[" + docs[1] + "," + docs[2] + "]\n", docs[:3]},
		"one document":                  {"a.json", pretty[0], pretty[:1]},
		"concatenated, pretty":          {"a.json", strings.Join(pretty, "\n"), pretty},
		"concatenated, nothing between": {"a.json", strings.Join(docs, ""), docs},
		"indented":                      {"a.json", "  " + strings.Join(docs, "\n  "), docs},
		"lines and pretty mixed":        {"a.json", docs[0] + "\n" + pretty[1] + "\n" + docs[2], []string{docs[0], pretty[1], docs[2]}},
		"no final newline":              {"a.jsonl", strings.Join(docs, "\n"), docs},
		"CRLF":                          {"a.jsonl", strings.Join(docs, "\r\n") + "\r\n", docs},
		"blank lines":                   {"a.jsonl", "\n \n" + strings.Join(docs, "\n\t\n\n") + "\n\n", docs},
		"wrong extension":               {"a.txt", lines(docs), docs},
		"feed":                          {"a.json", feed, docs},
		"feed, count first":             {"a.json", `{ "_count" : 2, "Documents" : [ ` + docs[0] + " , " + docs[1] + ` ], "_rid":"x"}`, docs[:2]},
		"feed, documents only":          {"a.json", `{"Documents":[` + docs[0] + `]}`, docs[:1]},
		"pages of a feed":               {"a.json", feed + "\n" + feed, slices.Concat(docs, docs)},
		"empty feed":                    {"a.json", `{"_rid":"x","Documents":[],"_count":0}`, nil},
		"a document with Documents":     {"a.json", `{"Documents":[{"a":1}],"name":"x"}`, []string{`{"Documents":[{"a":1}],"name":"x"}`}},
		"a document with more":          {"a.json", `{"Documents":[{"a":1}],"more":{"b":[]}}`, []string{`{"Documents":[{"a":1}],"more":{"b":[]}}`}},
		"a document with numbers":       {"a.json", `{"Documents":[1]}`, []string{`{"Documents":[1]}`}},
		"gzip":                          {"a.jsonl.gz", gzipped(t, lines(docs)), docs},
		"gzip, two members":             {"a.jsonl.gz", gzipped(t, lines(docs[:25]), lines(docs[25:])), docs},
		"gzip without extension":        {"a.json", gzipped(t, array(docs)), docs},
		"zstd":                          {"a.jsonl.zst", zstded(t, lines(docs)), docs},
		"zstd, two frames":              {"a.jsonl.zst", zstded(t, lines(docs[:25])) + zstded(t, lines(docs[25:])), docs},
		"UTF-8 BOM":                     {"a.jsonl", "\ufeff" + lines(docs), docs},
		"UTF-8 BOM in gzip":             {"a.jsonl.gz", gzipped(t, "\ufeff"+lines(docs)), docs},
		"UTF-16LE":                      {"a.json", utf16Text(t, unicode.LittleEndian, unicode.UseBOM, array(docs)), docs},
		"UTF-16BE":                      {"a.json", utf16Text(t, unicode.BigEndian, unicode.UseBOM, array(docs)), docs},
		"UTF-16LE without BOM":          {"a.json", utf16Text(t, unicode.LittleEndian, unicode.IgnoreBOM, array(docs)), docs},
		"UTF-16BE without BOM":          {"a.json", utf16Text(t, unicode.BigEndian, unicode.IgnoreBOM, array(docs)), docs},
		"UTF-16 in gzip":                {"a.json.gz", gzipped(t, utf16Text(t, unicode.LittleEndian, unicode.UseBOM, lines(docs))), docs},
		"empty":                         {"a.json", "", nil},
		"empty gzip":                    {"a.json.gz", gzipped(t, ""), nil},
		"white space":                   {"a.json", " \r\n\t\n", nil},
		"empty array":                   {"a.json", "[]\n", nil},
		"empty objects":                 {"a.jsonl", "{}\n{}\n{}\n", []string{"{}", "{}", "{}"}},
		"deep":                          {"a.json", strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000), []string{strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)}},
		"long line":                     {"a.jsonl", `{"a":"` + strings.Repeat("x", 4<<20) + `"}`, []string{`{"a":"` + strings.Repeat("x", 4<<20) + `"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, spans := readOne(t, tt.file, tt.text)
			plain, suspect := texts(spans)
			assert.Equal(t, tt.want, plain)
			assert.Empty(t, suspect)
			assert.Empty(t, s.Problems())
		})
	}
}

// TestDamage lists damage that occurs in real files. Recovery reads the suspect
// spans; nothing may be lost on the way.
func TestDamage(t *testing.T) {
	t.Parallel()
	docs := shop(50)
	text := lines(docs)
	for name, tt := range map[string]struct {
		file, text     string
		plain, suspect []string
	}{
		"one bad line": {"a.jsonl", lines(docs[:20]) + `{"_id": "x", "a": [1, 2` + "\n" + lines(docs[20:]),
			docs, []string{`{"_id": "x", "a": [1, 2`}},
		"a line without its quote": {"a.jsonl", lines(docs[:20]) + `{"_id: 1, "a": 2}` + "\n" + lines(docs[20:]),
			slices.Insert(slices.Clone(docs), 20, `{"_id: 1, "a": 2}`), nil},
		"NUL bytes": {"a.jsonl", lines(docs[:20]) + strings.Repeat("\x00", 16) + docs[20] + "\n" + lines(docs[21:]),
			slices.Concat(docs[:20], docs[21:]), []string{strings.Repeat("\x00", 16) + docs[20]}},
		"leading text": {"a.jsonl", "connected to: localhost\n" + docs[0] + "\nexported 2\n" + docs[1] + "\n",
			docs[:2], []string{"connected to: localhost", "exported 2"}},
		"cut in a string":       {"a.jsonl", text[:len(text)-20], docs[:49], []string{docs[49][:len(docs[49])-19]}},
		"trailing text":         {"a.json", array(docs) + "-- 50 rows", nil, []string{array(docs) + "-- 50 rows"}},
		"trailing comma":        {"a.json", "[\n" + strings.Join(docs, ",\n") + ",\n]", nil, []string{"[\n" + strings.Join(docs, ",\n") + ",\n]"}},
		"commas, no brackets":   {"a.json", strings.Join(docs, ",\n") + "\n", nil, []string{strings.Join(docs, ",\n")}},
		"cut array":             {"a.json", array(docs)[:500], nil, []string{array(docs)[:500]}},
		"array of arrays":       {"a.json", "[" + array(docs[:2]) + ",\n[], " + array(docs[2:4]) + "]", docs[:4], nil},
		"comma after an array":  {"a.json", "[" + array(docs[:2]) + ",]", nil, []string{"[" + array(docs[:2]) + ",]"}},
		"scalars":               {"a.jsonl", "1\n\"two\"\nnull\n{\"a\":1}\n", nil, []string{"1\n\"two\"\nnull\n{\"a\":1}"}},
		"one scalar":            {"a.json", " 42\n", nil, []string{"42"}},
		"scalars on lines":      {"a.jsonl", "1\n2\n", nil, []string{"1\n2"}},
		"array of scalars":      {"a.json", "[1, 2]", nil, []string{"[1, 2]"}},
		"deep and open":         {"a.json", strings.Repeat("[", 100_000), nil, []string{strings.Repeat("[", 100_000)}},
		"captions":              {"a.json", "Post documents:\n{\"a\":1}\n{\"a\":2}\n\nComments:\n{\"b\":1}\n", nil, []string{"Post documents:\n{\"a\":1}\n{\"a\":2}\n\nComments:\n{\"b\":1}"}},
		"missing comma":         {"a.json", "[{\"a\":1}\n {\"a\":2}]", nil, []string{"[{\"a\":1}\n {\"a\":2}]"}},
		"comments":              {"a.json", "// people\n{\n\"a\": 1}", nil, []string{"// people\n{\n\"a\": 1}"}},
		"feed with a bad count": {"a.json", `{"Documents":[{"a":1}],"_count":2`, nil, []string{`{"Documents":[{"a":1}],"_count":2`}},
		"mongo shell":           {"a.json", `{ "_id" : ObjectId("50b59cd75bed76f46522c34e"), 'q' : 1 }`, []string{`{ "_id" : ObjectId("50b59cd75bed76f46522c34e"), 'q' : 1 }`}, nil},
		"bare NaN":              {"a.jsonl", "{\"a\":NaN}\n{\"a\":1}\n", []string{`{"a":NaN}`, `{"a":1}`}, nil},
		"invalid UTF-8":         {"a.jsonl", "{\"a\":\"\xff\xfe\"}\n{\"a\":1}\n", []string{"{\"a\":\"\xff\xfe\"}", `{"a":1}`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, spans := readOne(t, tt.file, tt.text)
			plain, suspect := texts(spans)
			assert.Equal(t, tt.plain, plain)
			assert.Equal(t, tt.suspect, suspect)
			assert.Empty(t, s.Problems())
		})
	}
}

// A problem is checked by its line (0 for the file) and part of its message and
// hint.
func TestProblems(t *testing.T) {
	t.Parallel()
	docs := shop(5000)
	zipped := gzipped(t, lines(docs))
	badSum := []byte(zipped)
	badSum[len(badSum)-6] ^= 0xff
	zst := zstded(t, lines(docs))
	for name, tt := range map[string]struct {
		file, text    string
		documents     int // at least
		line          bool
		message, hint string
	}{
		"cut gzip":         {"a.jsonl.gz", zipped[:len(zipped)/2], 1000, true, "gzip data is cut off", "export the file again"},
		"gzip header only": {"a.jsonl.gz", zipped[:6], 0, true, "gzip data is cut off", "again"},
		"bad checksum":     {"a.jsonl.gz", string(badSum), 5000, true, "checksum", "again"},
		"gzip and garbage": {"a.jsonl.gz", zipped + "garbage after the end", 5000, true, "followed by something else", "again"},
		"damaged gzip":     {"a.jsonl.gz", zipped[:10] + strings.Repeat("\xff", 50) + zipped[60:], 0, true, "gzip data is damaged", "again"},
		"cut zstd":         {"a.jsonl.zst", zst[:len(zst)*3/4], 1, true, "zstd data is cut off", "again"},
		"damaged zstd":     {"a.jsonl.zst", zst[:len(zst)-3] + "\x00\x00\x00", 1, true, "zstd data is damaged", "again"},
		"git-lfs":          {"a.json", "version https://git-lfs.github.com/spec/v1\noid sha256:66\nsize 1\n", 0, false, "git-lfs pointer", "git lfs pull"},
		"zip":              {"a.json", "PK\x03\x04 and so on", 0, false, "zip archive", "unpack"},
		"PNG":              {"a.json", "\x89PNG\r\n\x1a\n....", 0, false, "PNG image", ""},
		"BSON, cut off":    {"shop.bson", "\x16\x00\x00\x00\x02hello\x00\x06\x00", 0, true, "damaged at byte 0: the file is cut off", "dump it again"},
		"tar in gzip":      {"a.json.gz", gzipped(t, strings.Repeat("\x00", 257)+"ustar"+strings.Repeat("\x00", 300)), 0, false, "tar archive", "tar -xf"},
		"gzip in gzip":     {"a.json.gz", gzipped(t, gzipped(t, "{}")), 0, false, "gzip archive inside", "gzip -d"},
		"binary":           {"a.json", "\x01\x02\x00\x00\x03", 0, false, "binary file", "JSON Lines"},
		"UTF-32":           {"a.json", "\xff\xfe\x00\x00{\x00\x00\x00}\x00\x00\x00", 0, false, "UTF-32", "UTF-8"},
		"text":             {"a.json", "hello, world\n", 0, false, "text without JSON", "JSON Lines"},
		"CSV":              {"a.csv", "a,b\n1,2\n", 0, false, "separated values", "JSON Lines"},
		"CSV with objects": {"a.csv", "a,b\n1,\"{\"\"x\"\":1}\"\n", 0, false, "separated values", "JSON Lines"},
		"YAML":             {"a.yaml", "a: 1\n", 0, false, "YAML", "JSON Lines"},
		"HTML":             {"a.json", "<html>{}</html>", 0, false, "HTML", "JSON Lines"},
		"a lot of text":    {"a.json", strings.Repeat("hello, world\n", 200_000), 0, false, "text without JSON", "JSON Lines"},
		"cut Markdown":     {"a.md.gz", gzipped(t, "text\n")[:20], 0, true, "gzip data is cut off", "again"},
		"binary Markdown":  {"a.md", "\x89PNG\r\n\x1a\n....", 0, false, "PNG image", ""},
		"prose":            {"a.md", "# Title\n\nText.\n", 0, false, "Markdown without a code block of JSON", "```json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, spans := readOne(t, tt.file, tt.text)
			again := read(t, s, 1)[tt.file]
			assert.Equal(t, spans, again)
			problems := s.Problems()
			require.Len(t, problems, 1, "once, however often it is read")
			p := problems[0]
			assert.Contains(t, p.Message, tt.message)
			assert.Contains(t, p.Hint, tt.hint)
			assert.Equal(t, tt.file, filepath.Base(p.Location.File))
			plain, suspect := texts(spans)
			assert.Empty(t, suspect, "the last document, cut off, is not reported a second time")
			assert.GreaterOrEqual(t, len(plain), tt.documents)
			for i, text := range plain {
				assert.Equal(t, docs[i], text)
			}
			if tt.line {
				assert.Positive(t, p.Location.Line)
				assert.InDelta(t, len(plain)+1, p.Location.Line, 1)
			} else {
				assert.Zero(t, p.Location.Line)
			}
		})
	}
}

func TestCutArray(t *testing.T) {
	t.Parallel()
	docs := shop(20_000) // beyond the head, so that damage stays local
	text := array(docs)
	for name, tt := range map[string]struct {
		cut     int
		suspect []string
		problem bool
	}{
		"in a document":     {strings.Index(text, docs[19_999]) + 50, []string{docs[19_999][:50]}, false},
		"after a document":  {strings.Index(text, docs[19_999]) - 2, nil, true},
		"after the comma":   {strings.Index(text, docs[19_999]), nil, true},
		"before the end":    {len(text) - 3, nil, true},
		"not cut off":       {len(text), nil, false},
		"gzip, in an array": {0, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := text[:tt.cut]
			if tt.cut == 0 {
				file = gzipped(t, text)
				file = file[:len(file)-100]
			}
			s, spans := readOne(t, "a.json", file)
			plain, suspect := texts(spans)
			assert.GreaterOrEqual(t, len(plain), 19_900)
			assert.Equal(t, docs[:len(plain)], plain)
			assert.Equal(t, tt.suspect, suspect)
			if problems := s.Problems(); tt.problem && assert.Len(t, problems, 1) {
				assert.Contains(t, problems[0].Message, "cut off")
				assert.InDelta(t, len(plain)+1, problems[0].Location.Line, 2)
			} else if !tt.problem {
				assert.Empty(t, problems)
			}
		})
	}
}

func TestMaxDocument(t *testing.T) {
	t.Parallel()
	docs := shop(3)
	long := `{"a":"` + strings.Repeat("x", 3<<20) + `"}`
	for name, text := range map[string]string{
		"lines":  docs[0] + "\n" + long + "\n" + docs[1] + "\n" + docs[2] + "\n",
		"array":  "[" + docs[0] + "," + long + "," + docs[1] + "," + docs[2] + "]",
		"stream": docs[0] + long + docs[1] + docs[2],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(write(t, map[string]string{"a.json": text}), "a.json")
			s := open(t, Options{MaxDocument: 2 << 20}, path)
			plain, suspect := texts(read(t, s, 2)["a.json"])
			assert.Equal(t, docs, plain)
			assert.Empty(t, suspect)
			require.Len(t, s.Problems(), 1)
			p := s.Problems()[0]
			assert.Contains(t, p.Message, "longer than 2 MB")
			before, _, _ := strings.Cut(text, long)
			assert.Equal(t, strings.Count(before, "\n")+1, p.Location.Line)
			assert.Equal(t, len(before)-strings.LastIndex(before, "\n"), p.Location.Column)
		})
	}
}

func TestMaxDocumentMarkdown(t *testing.T) {
	t.Parallel()
	path := filepath.Join(write(t, map[string]string{"a.md": "```json\n{}\n```\n" + strings.Repeat("x\n", 1000)}), "a.md")
	s := open(t, Options{MaxDocument: 1000}, path)
	assert.Empty(t, read(t, s, 1))
	require.Len(t, s.Problems(), 1)
	assert.Contains(t, s.Problems()[0].Message, "Markdown of more than 1,000 bytes")
}

// TestMaxDocumentDamaged leaves a bracket open in a file of many documents.
// Only the damaged part may be lost, not everything after it.
func TestMaxDocumentDamaged(t *testing.T) {
	t.Parallel()
	docs := shop(2000)
	open := `{"_id":7,"list":[`
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"lines of an array": {"[\n" + strings.Join(docs[:1000], ",\n") + ",\n" + open + "\n" + strings.Join(docs[1000:], ",\n") + "\n]", 2000},
		"all in one line":   {"[" + strings.Join(docs[:1000], ",") + "," + open + strings.Join(docs[1000:], ",") + "]", 1000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spans, refused := frameAll([]byte(tt.text), 5000, 3000, 20_000)
			require.Nil(t, refused)
			plain := 0
			for _, s := range spans {
				if !s.Suspect {
					assert.Equal(t, docs[plain], tt.text[s.Start:s.End])
					plain++
				}
			}
			assert.Equal(t, tt.want, plain)
			checkFraming(t, []byte(tt.text), 5000, 20_000)
		})
	}
}

func TestStdin(t *testing.T) {
	t.Parallel()
	docs := shop(3)
	s, err := Open(t.Context(), []string{"-", "-"}, Options{Stdin: strings.NewReader(lines(docs)), StdinFilename: "data/lamps.jsonl"})
	require.NoError(t, err)
	require.Len(t, s.Files, 1)
	f := s.Files[0]
	assert.Equal(t, "data/lamps.jsonl", f.Path)
	assert.Equal(t, "lamps", f.Collection)
	assert.True(t, f.Stdin)
	assert.EqualValues(t, len(lines(docs)), f.Size)
	for range 2 {
		plain, _ := texts(read(t, s, 1)["lamps.jsonl"])
		assert.Equal(t, docs, plain)
	}
	spool, _, _ := f.spool.Outer()
	if runtime.GOOS != "windows" { // where open files cannot be removed
		assert.NoFileExists(t, spool.(*os.File).Name())
	}
	require.NoError(t, s.Close())
	assert.NoFileExists(t, spool.(*os.File).Name())

	s, err = Open(t.Context(), []string{"-"}, Options{Stdin: strings.NewReader("{}")})
	require.NoError(t, err)
	assert.Equal(t, "<stdin>", s.Files[0].Path)
	assert.Equal(t, "stdin", s.Files[0].Collection)
	require.NoError(t, s.Close())

	_, err = Open(t.Context(), []string{"-"}, Options{})
	assert.ErrorContains(t, err, "there is none")
}

func TestCancel(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.json": array(shop(50_000)), "b.jsonl": lines(shop(50_000)), "c.jsonl.gz": gzipped(t, lines(shop(50_000)))})
	s := open(t, Options{}, dir)
	ctx, cancel := context.WithCancel(t.Context())
	batches := 0
	err := s.Read(ctx, nil, 1, func(int, *Batch) error {
		batches++
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.LessOrEqual(t, batches, 2)

	_, err = s.Locate(ctx, []Range{{File: s.Files[0], Start: 1 << 20, End: 1 << 20}})
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Bytes(ctx, s.Files[2], 1<<20, 1<<20+1)
	require.ErrorIs(t, err, context.Canceled)
	_, err = Open(ctx, []string{dir}, Options{})
	require.ErrorIs(t, err, context.Canceled)

	stop := fmt.Errorf("enough")
	err = s.Read(t.Context(), nil, 4, func(int, *Batch) error { return stop })
	require.ErrorIs(t, err, stop)
}

// TestCancelStdin uses a terminal on which nobody types.
func TestCancelStdin(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer func() { assert.NoError(t, w.Close()) }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Open(ctx, []string{"-"}, Options{Stdin: r})
	require.ErrorIs(t, err, context.Canceled)
}

func TestProgress(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.jsonl": lines(shop(30_000)), "b.json.gz": gzipped(t, array(shop(5000))), "c.json": "{}"})
	s := open(t, Options{}, dir)
	var want, last int64
	for _, f := range s.Files {
		want += f.Size
	}
	calls := 0
	s.SetProgress(func(done, total int64) {
		calls++
		assert.Equal(t, want, total)
		assert.GreaterOrEqual(t, done, last)
		last = done
	})
	read(t, s, 3)
	assert.Equal(t, want, last)
	assert.Greater(t, calls, 3)
}

func TestReadSome(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.jsonl": "{\"a\":1}", "b.jsonl": "{\"b\":1}", "c.jsonl": "{\"c\":1}"})
	s := open(t, Options{}, dir)
	var texts []string
	require.NoError(t, s.Read(t.Context(), []Head{{File: s.Files[1], End: WholeFile}}, 3, func(_ int, b *Batch) error {
		texts = append(texts, string(b.Data[b.Spans[0].Start:b.Spans[0].End]))
		return nil
	}))
	assert.Equal(t, []string{`{"b":1}`}, texts)
	require.NoError(t, s.Read(t.Context(), []Head{}, 3, func(int, *Batch) error { return fmt.Errorf("called") }))
}

// TestReadOnlyWhatIsWanted: lines far from the wanted ones are not read, and
// wanted lines are cut as when all are read.
func TestReadOnlyWhatIsWanted(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 60_000 {
		switch {
		case i%5_000 == 17: // a document of several lines, some of which could be documents
			fmt.Fprintf(&lines, "{\n\"n\":%d,\n\"in\":[\n{\"n\":0}\n,\n{\n\"n\":1}\n],\n\"t\":\"%s\"\n}\n", i, strings.Repeat("\\n", 60_000))
		case i%7_000 == 18: // damage
			fmt.Fprintf(&lines, "{\"n\":%d,\n", i)
		default:
			fmt.Fprintf(&lines, "{\"n\":%d,\"t\":%q}\n", i, strings.Repeat("x", i%300))
		}
	}
	s := open(t, Options{}, write(t, map[string]string{"a.jsonl": lines.String()}))
	const from, to = 5_000_000, 6_000_000
	read := func(next func(int64) int64) (wanted []string, all int) {
		require.NoError(t, s.Read(t.Context(), []Head{{File: s.Files[0], End: WholeFile, Next: next}}, 1, func(_ int, b *Batch) error {
			for _, span := range b.Spans {
				all++
				if at := b.Base + int64(span.Start); from <= at && at < to {
					wanted = append(wanted, fmt.Sprint(at, span.Suspect, string(b.Data[span.Start:span.End])))
				}
			}
			return nil
		}))
		return wanted, all
	}
	want, all := read(nil)
	got, some := read(func(offset int64) int64 {
		if offset >= to {
			return WholeFile
		}
		return max(offset, from)
	})
	require.Greater(t, len(want), 1_000)
	assert.Equal(t, want, got)
	assert.Less(t, 2*some, all)
}
