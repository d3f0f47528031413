package source

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/quantity"
)

// frameProse reads a Markdown file as a whole and cuts its code blocks into
// spans.
func (r *reader) frameProse() error {
	data, readErr := io.ReadAll(io.LimitReader(contextReader{r.ctx, r.stream}, int64(r.set.maxDocument)+1))
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if len(data) > r.set.maxDocument {
		r.problem("Markdown of more than "+quantity.Bytes(int64(r.set.maxDocument))+" is not read", "take the documents out of it into files of their own")
		return nil
	}
	if refused := sniff(data, r.file.Path, true); refused != nil && firstByte(data) != '<' {
		r.problem(refused.message, refused.hint)
		return nil
	}
	r.readAll(data)
	spans, labels := proseSpans(data, r.set.maxDocument)
	if len(spans) == 0 && firstByte(data) != 0 && readErr == nil {
		r.problem("holds no documents: it is Markdown without a code block of JSON",
			"put documents into blocks fenced with ```json, or indented by four spaces")
	}
	if err := r.send(data, spans, labels...); err != nil {
		return err
	}
	if readErr != nil {
		r.endedEarly(int64(len(data)), readErr)
	}
	return nil
}

// proseSpans returns the documents in the code blocks of a Markdown text: their
// ranges if a block is sound, otherwise the range of the block. The labels are
// the names in the blocks' captions.
func proseSpans(data []byte, limit int) (spans []Span, labels []string) {
	for _, b := range codeBlocks(data) {
		text := data[b.start:b.end]
		start, end := trimmed(text)
		if !looksLikeJSON(text[start:end], b.json) {
			continue
		}
		label := captionLabel(b.caption)
		f := newFramer(false, limit)
		f.tooLong = func(int) {}
		f.frame(text, true)
		found := f.take()
		sound := !f.damaged() && f.outer == atTop && !f.foreign && len(found) > 0
		for _, s := range found {
			sound = sound && json.Valid(text[s.Start:s.End])
		}
		if !sound {
			found = []Span{{Start: start, End: end, Suspect: true}}
		}
		for _, s := range found {
			s.Start, s.End = s.Start+b.start, s.End+b.start
			spans, labels = append(spans, s), append(labels, label)
		}
	}
	return spans, labels
}

// A codeBlock is a block of Markdown code.
type codeBlock struct {
	start, end int
	json       bool   // according to its info string
	caption    []byte // the line above it
}

// codeBlocks finds fenced and indented blocks (CommonMark 0.31, 4.4 and 4.5).
// It is more generous: an indented block may follow a paragraph directly, and
// fences may be indented as in lists.
func codeBlocks(data []byte) []codeBlock {
	var blocks []codeBlock
	var caption []byte
	for pos := 0; pos < len(data); {
		line, next := lineAt(data, pos)
		text := bytes.TrimSpace(line)
		fence, info := fenceOf(text)
		switch {
		case len(text) == 0:
		case fence != nil:
			end := next
			for end < len(data) {
				inner, after := lineAt(data, end)
				if closing, rest := fenceOf(bytes.TrimSpace(inner)); closing != nil && len(rest) == 0 &&
					closing[0] == fence[0] && len(closing) >= len(fence) {
					break
				}
				end = after
			}
			if wanted, isJSON := infoLanguage(info); wanted {
				blocks = append(blocks, codeBlock{next, end, isJSON, caption})
			}
			caption = nil
			if end < len(data) {
				_, next = lineAt(data, end)
			}
		case indentation(line) >= 4:
			end := next
			for after := next; after < len(data); {
				inner, following := lineAt(data, after)
				blank := len(bytes.TrimSpace(inner)) == 0
				if !blank && indentation(inner) < 4 {
					break
				}
				if after = following; !blank {
					end = following
				}
			}
			blocks = append(blocks, codeBlock{pos, end, false, caption})
			caption, next = nil, end
		default:
			caption = text
		}
		pos = next
	}
	return blocks
}

func lineAt(data []byte, pos int) (line []byte, next int) {
	if n := bytes.IndexByte(data[pos:], '\n'); n >= 0 {
		return data[pos : pos+n], pos + n + 1
	}
	return data[pos:], len(data)
}

// fenceOf returns the fence at the start of a line, or nil, and the info string
// after it.
func fenceOf(text []byte) (fence, info []byte) {
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return nil, nil
	}
	rest := bytes.TrimLeft(text, string(text[0]))
	n := len(text) - len(rest)
	if n < 3 || text[0] == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return nil, nil
	}
	return text[:n], bytes.TrimSpace(rest)
}

// infoLanguage reports whether a block with this info string may hold
// documents, and whether the string says JSON.
func infoLanguage(info []byte) (wanted, isJSON bool) {
	word, _, _ := bytes.Cut(bytes.ToLower(info), []byte{' '})
	switch string(bytes.Trim(word, "{.}")) {
	case "":
		return true, false
	case "json", "jsonc", "json5", "jsonl", "ndjson":
		return true, true
	}
	return false, false
}

// indentation returns the width of the white space before a line.
func indentation(line []byte) int {
	width := 0
	for _, c := range line {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 4 - width%4
		default:
			return width
		}
	}
	return width
}

// looksLikeJSON reports whether the text of a code block is meant as documents.
// It begins with a bracket, possibly after a caption or an elision. Templates
// begin with a brace too.
func looksLikeJSON(text []byte, isJSON bool) bool {
	if bytes.IndexByte(text, '{') < 0 {
		return false
	}
	if isJSON {
		return true
	}
	for range 2 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		line = bytes.TrimSpace(line)
		if len(line) > 0 && (line[0] == '{' || line[0] == '[') {
			template := line[0] == '{' && len(line) > 1 && bytes.IndexByte([]byte("{%#"), line[1]) >= 0
			return !template
		}
		if !bytes.HasSuffix(line, []byte{':'}) && string(line) != "…" && string(line) != "..." {
			return false
		}
		text = bytes.TrimLeft(rest, " \t\r\n")
	}
	return false
}

// captionWords are words that end a caption.
var captionWords = []string{"document", "documents", "item", "items"}

// sentenceWords are words that mark a line as a sentence rather than a caption.
var sentenceWords = []string{"are", "as", "be", "example", "examples", "following", "for", "have", "here", "in", "is", "like",
	"looks", "of", "some", "these", "this", "those", "two", "we", "with", "you"}

// captionLabel returns the name that a caption such as "Post documents:" gives
// the documents below it: its words without the last one, in lower camel case.
// It is empty if the line is not a caption.
func captionLabel(line []byte) string {
	line = bytes.Trim(line, " \t#*_>`-=")
	line, ok := bytes.CutSuffix(line, []byte{':'})
	if !ok {
		return ""
	}
	words := bytes.FieldsFunc(bytes.TrimRight(line, " *_`"), func(r rune) bool { return r == ' ' || r == '-' || r == '_' })
	if len(words) > 0 && slices.Contains([]string{"a", "an", "the"}, lowerCase(words[0])) {
		words = words[1:]
	}
	if len(words) < 2 || len(words) > 4 || !slices.Contains(captionWords, lowerCase(words[len(words)-1])) {
		return ""
	}
	var label []rune
	for i, word := range words[:len(words)-1] {
		if slices.Contains(sentenceWords, lowerCase(word)) || bytes.ContainsFunc(word, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			return ""
		}
		first, size := utf8.DecodeRune(word)
		if i == 0 {
			first = unicode.ToLower(first)
		} else {
			first = unicode.ToUpper(first)
		}
		label = append(append(label, first), []rune(string(word[size:]))...)
	}
	return string(label)
}

func lowerCase(word []byte) string { return string(bytes.ToLower(word)) }
