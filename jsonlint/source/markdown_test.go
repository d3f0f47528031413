package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []found
	}{
		"fenced": {"# Posts\n\n```json\n{\"a\": 1}\n```\n",
			[]found{{Text: `{"a": 1}`}}},
		"fence without language, with tildes": {"~~~\n{\"a\": 1}\n~~~~\n",
			[]found{{Text: `{"a": 1}`}}},
		"not closed":       {"```json\n{\"a\": 1}\n", []found{{Text: `{"a": 1}`}}},
		"indented":         {"Text:\n\n    {\n        \"a\": 1\n\n    }\n\nMore text.\n", []found{{Text: "{\n        \"a\": 1\n\n    }"}}},
		"indented by tab":  {"\t{\"a\": 1}\n", []found{{Text: `{"a": 1}`}}},
		"several in one":   {"```\n{\"a\": 1}\n{\"a\": 2}\n```\n", []found{{Text: `{"a": 1}`}, {Text: `{"a": 2}`}}},
		"an array":         {"```\n[{\"a\": 1}, {\"a\": 2}]\n```\n", []found{{Text: `{"a": 1}`}, {Text: `{"a": 2}`}}},
		"with elision":     {"    {\"a\": [1, ...]}\n", []found{{Text: `{"a": [1, ...]}`, Suspect: true}}},
		"commas":           {"    {\"a\": 1},\n    {\"a\": 2}\n", []found{{Text: "{\"a\": 1},\n    {\"a\": 2}", Suspect: true}}},
		"captions inside":  {"    Post document:\n    {\"a\": 1}\n", []found{{Text: "Post document:\n    {\"a\": 1}", Suspect: true}}},
		"caption above":    {"Post documents:\n\n    {\"a\": 1}\n", []found{{Text: `{"a": 1}`, Label: "post"}}},
		"bold caption":     {"**The order line items:**\n```json\n{\"a\": 1}\n```\n", []found{{Text: `{"a": 1}`, Label: "orderLine"}}},
		"a sentence":       {"Here are the documents:\n\n    {\"a\": 1}\n", []found{{Text: `{"a": 1}`}}},
		"a long sentence":  {"We keep some of it in other documents:\n\n    {\"a\": 1}\n", []found{{Text: `{"a": 1}`}}},
		"no colon":         {"Post documents\n\n    {\"a\": 1}\n", []found{{Text: `{"a": 1}`}}},
		"caption used up":  {"Post documents:\n\n    {\"a\": 1}\n\n```\n{\"b\": 1}\n```\n", []found{{Text: `{"a": 1}`, Label: "post"}, {Text: `{"b": 1}`}}},
		"other languages":  {"```go\nx := map[string]int{}\n```\n```sh\n{ echo; }\n```\n```json\n{\"z\": 1}\n```\n", []found{{Text: `{"z": 1}`}}},
		"code that is not": {"    func main() {\n    }\n\n    {{ .Name }}\n\ntext\n\n    {% if x %}\n\n```\n{}\n```\n", []found{{Text: "{}"}}},
		"CRLF":             {"Post items:\r\n\r\n```json\r\n{\"a\": 1}\r\n```\r\n", []found{{Text: `{"a": 1}`, Label: "post"}}},
		"inline code":      {"Say ```{}``` here.\n\n    {\"a\":1}\n", []found{{Text: `{"a":1}`}}},
		"in a list":        {"- one:\n\n  ```json\n  {\"a\": 1}\n  ```\n", []found{{Text: `{"a": 1}`}}},
		"not JSON inside":  {"```json\n{\"a\": }\n```\n", []found{{Text: `{"a": }`, Suspect: true}}},
	} {
		for file, text := range map[string]string{"a.md": tt.text, "a.markdown.gz": gzipped(t, "\ufeff"+tt.text)} {
			t.Run(name+"/"+file, func(t *testing.T) {
				t.Parallel()
				s, spans := readOne(t, file, text)
				assert.True(t, s.Files[0].Prose)
				assert.Equal(t, "a", s.Files[0].Collection)
				assert.Empty(t, s.Problems())
				from := 0
				for i := range spans {
					start := from + strings.Index(tt.text[from:], spans[i].Text)
					assert.EqualValues(t, start, spans[i].Start)
					from = start + len(spans[i].Text)
					spans[i].Start = 0
				}
				assert.Equal(t, tt.want, spans)
			})
		}
	}
}
