package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

// value draws a JSON value that is hard to frame.
func value(depth int) *rapid.Generator[any] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "{", "}]", `\`, `"`, "a\nb", "\u2028", "é€😀", `{"a":1}`, strings.Repeat("x", 300)}))
	scalar := rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.Float64Range(-1e6, 1e6), func(f float64) any { return f }),
		rapid.SampledFrom([]any{nil, true, false, 0, 1e300}),
	)
	if depth == 0 {
		return scalar
	}
	return rapid.OneOf(
		scalar,
		rapid.Map(rapid.SliceOfN(value(depth-1), 0, 4), func(list []any) any { return list }),
		rapid.Map(rapid.MapOfN(text, value(depth-1), 0, 4), func(m map[string]any) any { return m }),
	)
}

// documents draws documents, compact or indented.
func documents(t *rapid.T, compact bool) []string {
	list := rapid.SliceOfN(rapid.MapOfN(rapid.String(), value(3), 0, 5), 1, 30).Draw(t, "documents")
	docs := make([]string, len(list))
	for i, d := range list {
		text, err := json.Marshal(d)
		if !compact {
			text, err = json.MarshalIndent(d, "", rapid.SampledFrom([]string{"  ", "\t", "    "}).Draw(t, "indent"))
		}
		require.NoError(t, err)
		docs[i] = string(text)
	}
	return docs
}

func TestFramingIsExact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		layout := rapid.SampledFrom([]string{"lines", "array", "concatenated", "feed"}).Draw(t, "layout")
		docs := documents(t, layout == "lines" || rapid.Bool().Draw(t, "compact"))
		newline := rapid.SampledFrom([]string{"\n", "\r\n", "\n\n", "\n \n"}).Draw(t, "newline")
		var text string
		switch layout {
		case "lines":
			text = strings.Join(docs, newline)
		case "array":
			text = "[" + newline + strings.Join(docs, rapid.SampledFrom([]string{",", " , ", ",\n", "\n,"}).Draw(t, "comma")) + "]"
		case "concatenated":
			text = strings.Join(docs, rapid.SampledFrom([]string{"", " ", newline}).Draw(t, "between"))
		case "feed":
			text = `{"_rid":"a","Documents":[` + strings.Join(docs, ",") + `],"_count":1}`
		}
		if rapid.Bool().Draw(t, "final newline") {
			text += newline
		}
		switch rapid.SampledFrom([]string{"UTF-8", "BOM", "UTF-16LE", "UTF-16BE"}).Draw(t, "encoding") {
		case "BOM":
			text = "\ufeff" + text
		case "UTF-16LE":
			text = utf16Text(t, unicode.LittleEndian, unicode.UseBOM, text)
		case "UTF-16BE":
			text = utf16Text(t, unicode.BigEndian, unicode.UseBOM, text)
		}
		switch rapid.SampledFrom([]string{"", "gzip", "gzip members", "zstd"}).Draw(t, "compression") {
		case "gzip":
			text = gzipped(t, text)
		case "gzip members":
			cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
			text = gzipped(t, text[:cut], text[cut:])
		case "zstd":
			text = zstded(t, text)
		}
		path := filepath.Join(dir, "a.json")
		writeFile(t, path, text)
		s, err := Open(t.Context(), []string{path}, Options{})
		require.NoError(t, err)
		s.headSize = rapid.SampledFrom([]int{16, 64, 500, headSize}).Draw(t, "head")
		s.chunkSize = rapid.SampledFrom([]int{16, 100, 4096, chunkSize}).Draw(t, "chunk")
		plain, suspect := texts(read(t, s, rapid.IntRange(1, 4).Draw(t, "jobs"))["a.json"])
		assert.Equal(t, docs, plain)
		assert.Empty(t, suspect)
		assert.Empty(t, s.Problems())
		require.NoError(t, s.Close())
	})
}

// frameAll frames data like a file, in windows that grow by step.
func frameAll(data []byte, head, step, limit int) ([]Span, *refusal) {
	whole := len(data) < head
	p := planFile(data[:min(head, len(data))], "a.json", whole, false, limit)
	if p.refused != nil || whole {
		return p.spans, p.refused
	}
	switch f := p.stream.(type) {
	case *framer:
		f.tooLong = func(int) {}
	case *lineFramer:
		f.tooLong = func(int) {}
	}
	var spans []Span
	base := 0
	for end, eof := head, false; ; {
		keep := p.stream.frame(data[base:end], eof)
		for _, s := range p.stream.take() {
			spans = append(spans, Span{Start: base + s.Start, End: base + s.End, Suspect: s.Suspect})
		}
		if eof {
			return spans, nil
		}
		p.stream.shift(keep)
		base += keep
		eof = end == len(data)
		end = min(end+step, len(data))
	}
}

// objects returns the ranges of the objects that data consists of. ok is false
// if there is anything else.
func objects(data []byte) (ranges []Span, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		switch err := dec.Decode(&raw); {
		case err == io.EOF:
			return ranges, true
		case err != nil || raw[0] != '{':
			return nil, false
		}
		end := int(dec.InputOffset())
		ranges = append(ranges, Span{Start: end - len(raw), End: end})
	}
}

// checkFraming checks invariants for every input.
func checkFraming(t require.TestingT, data []byte, head, limit int) {
	spans, refused := frameAll(data, head, 1, limit)
	for _, step := range []int{3, 64, 1 << 20} {
		again, _ := frameAll(data, head, step, limit)
		require.Equal(t, spans, again, "windows of %d bytes", step)
	}
	rest := bytes.Clone(data)
	end := 0
	for _, s := range spans {
		require.True(t, end <= s.Start && s.Start < s.End && s.End <= len(data), "%v after %d in %d", s, end, len(data))
		for i := s.Start; i < s.End; i++ {
			rest[i] = ' '
		}
		end = s.End
	}
	if refused != nil || limit < len(data) {
		return
	}
	if !bytes.Contains(data, []byte(`"Documents"`)) {
		// Only what surrounds documents is outside spans.
		require.Empty(t, strings.Trim(string(rest), " \t\r\n,[]"), "lost")
	}
}

func FuzzFrame(f *testing.F) {
	docs := shop(3)
	for _, text := range []string{
		"", " ", "[]", "{}", "1", "[1,2]", "[[]]", "{}{}", "{},{}", "{},\n{},\n", "[{},{}]", "[{},]", "[{}{}]", "[{}", "{}]", "]", "}",
		lines(docs), array(docs), strings.Join(docs, ""), "x\n" + lines(docs), lines(docs)[:150], array(docs)[:150],
		`{"_rid":"","Documents":[{}],"_count":1}`, `{"Documents":[{}],"x":{}}`, `{"Documents":[{}]} {"Documents":[{}]`,
		"{\n \"a\": \"x\ny\"\n}\n{\n \"b\": 1\n}\n", "{\"a\n{\"b\":1}\n", "\"{\\", "{\"a\": 1}\n{\n\"b\": 2\n}\n{\"c\": 3}\n",
		"[\n{\"a\":1\n,\n{\"a\":2},\n{\"a\":3}\n]", "Post documents:\n{}\n", "{\"a\":[1,\n{\"a\":2}\n{\"a\":3}\n", "{}\x00{}",
	} {
		for _, head := range []uint16{8, 32, 5000} {
			f.Add([]byte(text), head)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, head uint16) {
		size := max(int(head), 8)
		checkFraming(t, data, size, 1<<20)
		checkFraming(t, data, size, 40)
		// A file that fits the head is framed exactly.
		if want, ok := objects(data); ok && !bytes.Contains(data, []byte(`"Documents"`)) {
			got, refused := frameAll(data, len(data)+1, 1, 1<<20)
			require.Nil(t, refused)
			require.Equal(t, want, got)
		}
	})
}

// TestDamageStaysLocal damages one document in the middle of a file larger than
// its head. The documents around it must come out intact.
func TestDamageStaysLocal(t *testing.T) {
	t.Parallel()
	const n, bad = 400, 200
	docs := shop(n)
	pretty := make([]string, n)
	for i := range docs {
		var out bytes.Buffer
		require.NoError(t, json.Indent(&out, []byte(docs[i]), "", "  "))
		pretty[i] = out.String()
	}
	indented := make([]string, n)
	for i := range docs {
		indented[i] = strings.ReplaceAll(pretty[i], "\n", "\n    ")
	}
	for layout, join := range map[string]func(damaged []string) string{
		"lines":           func(d []string) string { return lines(d) },
		"array, one line": func(d []string) string { return "[" + strings.Join(d, ",") + "]" },
		"array, a line each": func(d []string) string {
			return "[" + strings.Join(d, ",\n") + "]\n"
		},
		"array, indented": func(d []string) string { return "[\n    " + strings.Join(d, ",\n    ") + "\n]" },
		"pretty":          func(d []string) string { return strings.Join(d, "\n") + "\n" },
		"pretty, commas":  func(d []string) string { return strings.Join(d, ",\n") + "\n" },
		"feed":            func(d []string) string { return `{"_rid":"x","Documents":[` + strings.Join(d, ",") + `],"_count":400}` },
	} {
		source := docs
		switch layout {
		case "pretty", "pretty, commas":
			source = pretty
		case "array, indented":
			source = indented
		}
		for damage, edit := range map[string]func(doc string) string{
			"brace missing":         func(d string) string { return strings.TrimRight(d[:len(d)-1], " \n") },
			"brackets missing":      func(d string) string { return d[:strings.LastIndex(d, `"tags"`)] },
			"first brace missing":   func(d string) string { return d[1:] },
			"a brace too many":      func(d string) string { return d + "}" },
			"a bracket too many":    func(d string) string { return strings.Replace(d, `"{a}"`, `"{a}"]`, 1) },
			"opening quote missing": func(d string) string { return strings.Replace(d, `"name"`, `name"`, 1) },
			"closing quote missing": func(d string) string { return strings.Replace(d, `"name"`, `"name`, 1) },
			"last quote missing":    func(d string) string { return strings.Replace(d, `"]"`, `"]`, 1) },
			"raw newline":           func(d string) string { return strings.Replace(d, "lamp", "la\nmp", 1) },
			"text before":           func(d string) string { return "oops " + d },
			"text after":            func(d string) string { return d + " oops" },
			"elision":               func(d string) string { return "…" },
			"scalar":                func(d string) string { return "17" },
			"array":                 func(d string) string { return "[" + d + "]" },
			"cut":                   func(d string) string { return d[:len(d)/2] },
			"NUL bytes":             func(d string) string { return strings.Repeat("\x00", len(d)) },
		} {
			t.Run(layout+"/"+damage, func(t *testing.T) {
				t.Parallel()
				damaged := slices.Clone(source)
				damaged[bad] = edit(damaged[bad])
				text := []byte(join(damaged))
				spans, refused := frameAll(text, 4<<10, 1<<10, DefaultMaxDocument)
				require.Nil(t, refused)
				plain := map[string]bool{}
				for _, s := range spans {
					if !s.Suspect {
						plain[string(text[s.Start:s.End])] = true
					}
				}
				var lost []int
				for i, d := range source {
					if i != bad && !plain[d] {
						lost = append(lost, i)
					}
				}
				assert.LessOrEqual(t, len(lost), 3, "documents %v are in no span of their own", lost)
				checkFraming(t, text, 4<<10, DefaultMaxDocument)
			})
		}
	}
}

// TestWorkIsLinear makes each document swallow the rest of the file, so that
// the framer has to go back each time.
func TestWorkIsLinear(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string]string{
		"open lists":    "{\"a\":[1,\n{\"b\":1},\n",
		"open objects":  "{\"a\":\n",
		"open strings":  "{\"a\":\"\n",
		"garbage":       "x\n",
		"keys":          "{\"a\":1 {",
		"lines, opened": "{\"a\":{\"b\":1}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := `{"a":1}` + "\n{\n\"a\":2}\n"
			text := []byte(head + strings.Repeat(unit, (4<<20)/len(unit)))
			spans, refused := frameAll(text, 16, 1<<20, DefaultMaxDocument)
			require.Nil(t, refused)
			assert.NotEmpty(t, spans)
		})
	}
}

// TestLongRegion cuts a long stretch of garbage into pieces that do not depend
// on the windows.
func TestLongRegion(t *testing.T) {
	t.Parallel()
	docs := shop(2)
	for name, garbage := range map[string]string{
		"lines":     strings.Repeat("garbage { garbage\n", 3*regionSize/18),
		"one line":  strings.Repeat("garbage { ", 3*regionSize/10),
		"line ends": strings.Repeat("\n", 100) + "x" + strings.Repeat("\n", 3*regionSize),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := docs[0] + " " + garbage + "\n" + docs[1]
			want, refused := frameAll([]byte(text), 200, 1<<20, DefaultMaxDocument)
			require.Nil(t, refused)
			for _, step := range []int{999, 70_000, 8 << 20} {
				got, _ := frameAll([]byte(text), 200, step, DefaultMaxDocument)
				require.Equal(t, want, got)
			}
			require.Equal(t, Span{Start: 0, End: len(docs[0])}, want[0])
			require.Equal(t, Span{Start: len(text) - len(docs[1]), End: len(text)}, want[len(want)-1])
			for _, s := range want[1 : len(want)-1] {
				assert.True(t, s.Suspect)
				assert.LessOrEqual(t, s.End-s.Start, regionSize)
			}
		})
	}
}

// TestCommas reports missing or superfluous commas as regions of two documents,
// in a file too large to be one region.
func TestCommas(t *testing.T) {
	t.Parallel()
	docs := shop(100)
	at := func(d []string, i int, sep string) string {
		return strings.Join(d[:i], ",") + sep + strings.Join(d[i:], ",")
	}
	for name, tt := range map[string]struct {
		text    string
		suspect []string
	}{
		"missing":                       {"[" + at(docs, 50, "\n") + "]", []string{docs[49] + "\n" + docs[50]}},
		"at the end":                    {"[" + strings.Join(docs, ",") + ",]", []string{docs[99] + ","}},
		"two":                           {"[" + at(docs, 50, ",,") + "]", []string{","}},
		"no brackets":                   {strings.Join(docs, ",\n"), []string{docs[0] + ",\n" + docs[1]}},
		"no brackets, comma at the end": {strings.Join(docs, ",\n") + ",\n", []string{docs[0] + ",\n" + docs[1]}},
		"text after":                    {"[" + strings.Join(docs, ",") + "]\n-- 100 rows", []string{"-- 100 rows"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spans, refused := frameAll([]byte(tt.text), 1000, 77, DefaultMaxDocument)
			require.Nil(t, refused)
			var suspect []string
			all := ""
			for _, s := range spans {
				if all += tt.text[s.Start:s.End]; s.Suspect {
					suspect = append(suspect, tt.text[s.Start:s.End])
				}
			}
			assert.Equal(t, tt.suspect, suspect)
			for _, d := range docs {
				assert.Contains(t, all, d)
			}
		})
	}
}

func TestSkipString(t *testing.T) {
	t.Parallel()
	for offset := range 20 {
		pad := strings.Repeat("é", offset)
		for text, want := range map[string]string{
			pad + `" after`:            pad + `"`,
			pad + `\" still" after`:    pad + `\" still"`,
			pad + `\\" after`:          pad + `\\"`,
			pad + "\x01\x1f\t\" after": pad + "\x01\x1f\t\"",
			pad:                        "",
			pad + `\`:                  "",
		} {
			end, state := skipString([]byte(text), 0)
			if want == "" {
				assert.Equal(t, unfinished, state, "%q", text)
				assert.Equal(t, len(pad), end, "%q", text)
				continue
			}
			assert.Equal(t, complete, state, "%q", text)
			assert.Equal(t, want, text[:end])
		}
		end, state := skipString([]byte(pad+"\n\""), 0)
		assert.Equal(t, broken, state)
		assert.Equal(t, len(pad), end)
	}
}

func BenchmarkFrame(b *testing.B) {
	docs := shop(20_000)
	for _, layout := range []struct {
		name string
		text string
	}{{"lines", lines(docs)}, {"array", array(docs)}} {
		b.Run(layout.name, func(b *testing.B) {
			text := []byte(layout.text)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if spans, _ := frameAll(text, headSize, chunkSize, DefaultMaxDocument); len(spans) != len(docs) {
					b.Fatal(fmt.Sprint(len(spans), " spans"))
				}
			}
		})
	}
}
