package source

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/internal/finding"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	text := "{\"a\": \"é€\"}\r\n\r\n{\"b\": 1,\n  \"c\": 2}\n"
	for name, tt := range map[string]struct {
		find string
		want finding.Location
	}{
		"first line":          {`"a"`, finding.Location{Line: 1, Column: 2, EndLine: 1, EndColumn: 5, Snippet: "{\"a\": \"é€\"}", SnippetColumn: 1}},
		"columns count bytes": {`}` + "\r", finding.Location{Line: 1, Column: 14, EndLine: 1, EndColumn: 16, Snippet: "{\"a\": \"é€\"}", SnippetColumn: 1}},
		"empty line":          {"\r\n{", finding.Location{Line: 2, Column: 1, EndLine: 3, EndColumn: 2, SnippetColumn: 1}},
		"several lines":       {"{\"b\": 1,\n  \"c\": 2}", finding.Location{Line: 3, Column: 1, EndLine: 4, EndColumn: 10, Snippet: "{\"b\": 1,", SnippetColumn: 1}},
		"last line":           {`"c"`, finding.Location{Line: 4, Column: 3, EndLine: 4, EndColumn: 6, Snippet: "  \"c\": 2}", SnippetColumn: 1}},
		"whole document":      {text, finding.Location{Line: 1, Column: 1, EndLine: 5, EndColumn: 1, Snippet: "{\"a\": \"é€\"}", SnippetColumn: 1}},
	} {
		for file, encoded := range map[string]string{
			"plain.json":    text,
			"bom.json":      "\ufeff" + text,
			"utf16.json":    utf16Text(t, unicode.LittleEndian, unicode.UseBOM, text),
			"small.json.gz": gzipped(t, text),
		} {
			t.Run(name+"/"+file, func(t *testing.T) {
				t.Parallel()
				s := open(t, Options{}, filepath.Join(write(t, map[string]string{file: encoded}), file))
				start := int64(strings.Index(text, tt.find))
				r := Range{s.Files[0], start, start + int64(len(tt.find))}
				got, err := s.Locate(t.Context(), []Range{r})
				require.NoError(t, err)
				want := tt.want
				want.File = s.Files[0].Path
				assert.Equal(t, []finding.Location{want}, got)
				data, err := s.Bytes(t.Context(), r.File, r.Start, r.End)
				require.NoError(t, err)
				assert.Equal(t, tt.find, string(data))
			})
		}
	}
}

// TestLocateAgrees compares with a naive count.
func TestLocateAgrees(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"\n", "\r\n", "a", "é", "😀", " ", strings.Repeat("x", 150), strings.Repeat("€", 400), strings.Repeat("y\n", 300)}), 1, 60).Draw(t, "parts")
		text := strings.Join(parts, "")
		writeFile(t, path, text)
		s, err := Open(t.Context(), []string{path}, Options{})
		require.NoError(t, err)
		s.headSize, s.chunkSize = 1, rapid.SampledFrom([]int{1, 3000, chunkSize}).Draw(t, "chunk")
		if rapid.Bool().Draw(t, "marks") {
			m := &marker{now: mark{line: 1}, every: 100}
			for rest := []byte(text); len(rest) > 0; {
				n := min(len(rest), rapid.IntRange(1, 2000).Draw(t, "passed"))
				m.pass(rest[:n])
				rest = rest[n:]
			}
			s.Files[0].marks = m.marks
		}
		var ranges []Range
		for range rapid.IntRange(1, 8).Draw(t, "ranges") {
			start := rapid.IntRange(0, len(text)).Draw(t, "start")
			end := rapid.IntRange(start, len(text)).Draw(t, "end")
			ranges = append(ranges, Range{s.Files[0], int64(start), int64(end)})
		}
		got, err := s.Locate(t.Context(), ranges)
		require.NoError(t, err)
		for i, r := range ranges {
			line, column := count(text, r.Start)
			endLine, endColumn := count(text, r.End)
			l := got[i]
			assert.Equal(t, []int{line, column, endLine, endColumn}, []int{l.Line, l.Column, l.EndLine, l.EndColumn})

			whole := strings.Split(text, "\n")[line-1]
			if strings.Count(text, "\n") >= line {
				whole = strings.TrimSuffix(whole, "\r")
			}
			assert.LessOrEqual(t, len(l.Snippet), snippetSize)
			if len(whole) <= snippetSize {
				assert.Equal(t, whole, l.Snippet)
				assert.Equal(t, 1, l.SnippetColumn)
				continue
			}
			assert.Equal(t, whole[l.SnippetColumn-1:l.SnippetColumn-1+len(l.Snippet)], l.Snippet)
			assert.LessOrEqual(t, l.SnippetColumn, l.Column)
			assert.LessOrEqual(t, min(l.Column-1, len(whole)), l.SnippetColumn+len(l.Snippet))
			assert.True(t, utf8.ValidString(l.Snippet), "cut inside a character: %q", l.Snippet)
			assert.Greater(t, len(l.Snippet), snippetSize-8)
		}
	})
}

func count(text string, offset int64) (line, column int) {
	before := text[:offset]
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndex(before, "\n")
}

func TestLocateManyFiles(t *testing.T) {
	t.Parallel()
	docs := shop(30_000)
	dir := write(t, map[string]string{"a.jsonl": lines(docs), "b.jsonl.gz": gzipped(t, lines(docs)), "c.jsonl": "{}"})
	s := open(t, Options{}, dir)
	width := int64(len(docs[0]) + 1)
	ranges := []Range{
		{s.Files[1], width, width + 1},
		{s.Files[2], 1 << 40, 1 << 41},
		{s.Files[0], -5, -2},
		{s.Files[1], 0, 1},
		{s.Files[0], int64(len(lines(docs[:29_999]))), int64(len(lines(docs)))},
	}
	got, err := s.Locate(t.Context(), ranges)
	require.NoError(t, err)
	for i, want := range []finding.Location{
		{Line: 2, Column: 1, EndLine: 2, EndColumn: 2, Snippet: docs[1]},
		{Line: 1, Column: 3, EndLine: 1, EndColumn: 3, Snippet: "{}"},
		{Line: 1, Column: 1, EndLine: 1, EndColumn: 1, Snippet: docs[0]},
		{Line: 1, Column: 1, EndLine: 1, EndColumn: 2, Snippet: docs[0]},
		{Line: 30_000, Column: 1, EndLine: 30_001, EndColumn: 1, Snippet: docs[29_999]},
	} {
		want.File, want.SnippetColumn = ranges[i].File.Path, 1
		assert.Equal(t, want, got[i])
	}
	data, err := s.Bytes(t.Context(), s.Files[1], ranges[4].Start, ranges[4].Start+int64(len(docs[29_999])))
	require.NoError(t, err)
	assert.Equal(t, docs[29_999], string(data))

	for _, f := range s.Files {
		_, err = s.Bytes(t.Context(), f, 1<<30, 1<<30+1)
		require.ErrorContains(t, err, f.Path)
	}
	_, err = s.Bytes(t.Context(), s.Files[0], 5, 4)
	require.Error(t, err)
	data, err = s.Bytes(t.Context(), s.Files[0], 0, 0)
	require.NoError(t, err)
	assert.Empty(t, data)
}

// TestMarks checks that places in a file that has been read are located with
// its marks, including a file with a copy of its text.
func TestMarks(t *testing.T) {
	t.Parallel()
	line := `{"id":1,"text":"` + strings.Repeat("x", 100) + "\"}\n"
	text := strings.Repeat(line, 3*markEvery/len(line))
	for name, encoded := range map[string]string{"plain.jsonl": text, "small.jsonl.gz": gzipped(t, text)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, Options{}, filepath.Join(write(t, map[string]string{name: encoded}), name))
			require.NoError(t, s.Read(t.Context(), nil, 2, func(int, *Batch) error { return nil }))
			file := s.Files[0]
			assert.Greater(t, len(file.marks), 1)
			for _, n := range []int{0, 1, markEvery / len(line), 2*markEvery/len(line) + 7, len(text)/len(line) - 1} {
				start := int64(n*len(line) + 1)
				got, err := s.Locate(t.Context(), []Range{{file, start, start + 4}})
				require.NoError(t, err)
				assert.Equal(t, []int{n + 1, 2, n + 1, 6}, []int{got[0].Line, got[0].Column, got[0].EndLine, got[0].EndColumn})
				assert.Equal(t, line[:len(line)-1], got[0].Snippet)
			}
		})
	}
}
