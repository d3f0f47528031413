package report

import (
	"io"
	"strings"

	"github.com/shapevet/shapevet/internal/term"
)

// An escaper escapes characters that control terminals or reorder text, for
// formats that have an escape. White space stays. Each write must consist of
// whole characters.
type escaper struct {
	io.Writer
	escape func(r rune) string
}

func (e escaper) Write(p []byte) (int, error) {
	text := string(p)
	if !strings.ContainsFunc(text, steers) {
		return e.Writer.Write(p)
	}
	var b strings.Builder
	for _, r := range text {
		if steers(r) {
			b.WriteString(e.escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	_, err := io.WriteString(e.Writer, b.String())
	return len(p), err
}

func steers(r rune) bool { return r != '\n' && r != '\t' && r != '\r' && term.Steers(r) }
