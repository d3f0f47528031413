package cli

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// isTerminal reports whether a stream is shown to a person.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// colored decides on colour: mode is auto, always or never. NO_COLOR is
// honoured as no-color.org describes it.
func colored(mode string, stream any) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(stream)
}

// width returns the cells of a line: $COLUMNS, else those of the terminal,
// else 0.
func width(stream any) int {
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns
	}
	if file, ok := stream.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			return columns
		}
	}
	return 0
}
