package rulebook

import "strings"

// A Block is a fenced block of a page.
type Block struct {
	Language   string
	Collection string            // attribute collection
	Name       string            // attribute name; blocks that share it are one database
	Attributes map[string]string // every attribute of the info string
	Text       string
	Line       int // of the first line of Text, from 1, within the body
}

// lineKind is what a line of Markdown is to us.
type lineKind uint8

const (
	prose lineKind = iota
	fenceOpen
	code
	fenceClose
)

type markedLine struct {
	kind lineKind
	text string // the line; for fenceOpen its info string
}

// mark tells the lines of fenced blocks from the others. A fence left open
// runs to the end of the text.
func mark(text string) []markedLine {
	lines := strings.Split(text, "\n")
	marked := make([]markedLine, len(lines))
	open := ""
	for i, line := range lines {
		fence, info := fenceOf(line)
		switch {
		case open == "" && fence != "":
			open = fence
			marked[i] = markedLine{fenceOpen, info}
		case open != "" && len(fence) >= len(open) && info == "":
			open = ""
			marked[i] = markedLine{fenceClose, line}
		case open != "":
			marked[i] = markedLine{code, line}
		default:
			marked[i] = markedLine{prose, line}
		}
	}
	return marked
}

// fenceOf returns the backticks that open or close a fenced block and what
// follows them, or "" if the line is no fence.
func fenceOf(line string) (fence, info string) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return "", ""
	}
	ticks := len(trimmed) - len(strings.TrimLeft(trimmed, "`"))
	if ticks < 3 {
		return "", ""
	}
	return trimmed[:ticks], strings.TrimSpace(trimmed[ticks:])
}

func headingOf(line markedLine) (title string, ok bool) {
	if line.kind != prose {
		return "", false
	}
	title, ok = strings.CutPrefix(line.text, "## ")
	return strings.TrimSpace(title), ok
}

// sectionAt returns the text below a second-level heading and the number of
// its first line.
func sectionAt(body, heading string) (text string, first int) {
	lines := strings.Split(body, "\n")
	for i, line := range mark(body) {
		title, ok := headingOf(line)
		switch {
		case !ok:
		case first > 0:
			return strings.Join(lines[first-1:i], "\n"), first
		case title == heading:
			first = i + 2
		}
	}
	if first == 0 {
		return "", 0
	}
	return strings.Join(lines[min(first-1, len(lines)):], "\n"), first
}

// parseBlocks returns the fenced blocks of a text whose first line has the
// given number.
func parseBlocks(text string, first int) []Block {
	var blocks []Block
	for i, line := range mark(text) {
		switch line.kind {
		case fenceOpen:
			block := parseInfo(line.text)
			block.Line = first + i + 1
			blocks = append(blocks, block)
		case code:
			blocks[len(blocks)-1].Text += line.text + "\n"
		}
	}
	return blocks
}

func parseInfo(info string) Block {
	block := Block{Attributes: map[string]string{}}
	for i, word := range strings.Fields(info) {
		key, value, ok := strings.Cut(word, "=")
		switch {
		case ok:
			block.Attributes[key] = value
		case i == 0:
			block.Language = word
		default:
			block.Attributes[word] = ""
		}
	}
	block.Collection, block.Name = block.Attributes["collection"], block.Attributes["name"]
	return block
}

// firstSentence returns the first sentence of Markdown prose as plain text.
func firstSentence(markdown string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(markdown), "\n\n")
	plain := strings.NewReplacer("`", "", "**", "", "*", "", "\n", " ").Replace(paragraph)
	plain = strings.Join(strings.Fields(plain), " ")
	for i := range len(plain) {
		if plain[i] != '.' {
			continue
		}
		rest := plain[i+1:]
		if rest == "" || (strings.HasPrefix(rest, " ") && !abbreviated(plain[:i+1])) {
			return plain[:i+1]
		}
	}
	return plain
}

// abbreviated reports whether text ends in a dot that ends no sentence.
func abbreviated(text string) bool {
	for _, short := range []string{"e.g.", "i.e.", "etc.", "vs."} {
		if strings.HasSuffix(text, short) {
			return true
		}
	}
	return false
}
