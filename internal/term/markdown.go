package term

import (
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// Indent puts a prefix in front of every line that is not empty.
func Indent(lines []string, prefix string) []string {
	indented := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			line = prefix + line
		}
		indented[i] = line
	}
	return indented
}

var (
	listItem   = lazyregexp.New(`^( *)([-*]|[0-9]+\.) +`)
	inlineLink = lazyregexp.New(`\[([^\]]+)\]\(([^)]+)\)`)
	inlineBold = lazyregexp.New(`\*\*([^*]+)\*\*`)
	inlineCode = lazyregexp.New("`([^`]+)`")
)

// Markdown renders the Markdown of rule pages for a terminal: headings,
// paragraphs, lists, tables, fenced blocks, bold, code and links. The label of
// a block, as in "json collection=posts", goes above it. Text below a heading
// is indented by two cells. Code is not wrapped, so that it can be copied.
func Markdown(text string, width int, style Style) []string {
	r := renderer{width: width, style: style}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		r.add(line)
	}
	r.flush()
	return r.lines
}

type renderer struct {
	width     int
	style     Style
	lines     []string
	paragraph []string
	first     string // before the first line of the paragraph
	rest      string // before the other lines
	fenced    bool
	rows      []string // of the table
}

func (r *renderer) add(line string) {
	if strings.HasPrefix(line, "```") {
		r.flush()
		r.fenced = !r.fenced
		if _, label, ok := strings.Cut(line, " "); ok && r.fenced {
			r.lines = append(r.lines, "    "+r.style.Dim(strings.ReplaceAll(label, "=", " ")))
		}
		return
	}
	if r.fenced {
		if line = strings.TrimRight(line, " "); line != "" {
			line = "    " + r.style.Cyan(line)
		}
		r.lines = append(r.lines, line)
		return
	}
	if strings.HasPrefix(line, "|") {
		if r.rows == nil {
			r.flush()
		}
		r.rows = append(r.rows, line)
		return
	}
	if title, ok := strings.CutPrefix(line, "## "); ok {
		r.flush()
		r.lines = append(r.lines, r.style.Bold(strings.TrimSpace(title)))
		return
	}
	if strings.TrimSpace(line) == "" {
		r.flush()
		if len(r.lines) > 0 && r.lines[len(r.lines)-1] != "" {
			r.lines = append(r.lines, "")
		}
		return
	}
	if item := listItem.FindStringSubmatch(line); item != nil {
		r.flush()
		bullet := item[2]
		if bullet == "*" {
			bullet = "-"
		}
		r.first = "  " + item[1] + bullet + " "
		r.rest = strings.Repeat(" ", len(r.first))
		line = line[len(item[0]):]
	}
	r.paragraph = append(r.paragraph, strings.TrimSpace(line))
}

func (r *renderer) flush() {
	if r.rows != nil {
		r.lines = append(r.lines, Indent(table(r.rows, r.width-2, r.style, r.inline), "  ")...)
		r.rows = nil
	}
	if r.paragraph == nil {
		return
	}
	if r.first == "" {
		r.first, r.rest = "  ", "  "
	}
	prefix := r.first
	for _, line := range Wrap(r.inline(strings.Join(r.paragraph, " ")), r.width-len(r.rest)) {
		r.lines = append(r.lines, prefix+line)
		prefix = r.rest
	}
	r.paragraph, r.first, r.rest = nil, "", ""
}

// inline renders bold, code and links. Without colour, code keeps its marks,
// which distinguish it from prose.
func (r *renderer) inline(text string) string {
	text = inlineLink.ReplaceAllString(text, "$1 ($2)")
	text = inlineBold.ReplaceAllStringFunc(text, func(match string) string { return words(match[2:len(match)-2], r.style.Bold) })
	if !r.style.Color {
		return text
	}
	return inlineCode.ReplaceAllStringFunc(text, func(match string) string { return words(match[1:len(match)-1], r.style.Cyan) })
}

// words paints each word separately, so that a line break in between does not
// paint the neighbouring text.
func words(text string, paint func(string) string) string {
	split := strings.Split(text, " ")
	for i, word := range split {
		split[i] = paint(word)
	}
	return strings.Join(split, " ")
}
