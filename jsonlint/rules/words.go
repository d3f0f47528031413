package rules

import (
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
)

// count writes a number of things: 1 document, 1,204 distinct keys.
func count(n int64, noun string) string {
	if n != 1 {
		last := strings.LastIndexByte(noun, ' ') + 1
		noun = noun[:last] + lexicon.Plural(noun[last:])
	}
	return quantity.Grouped(n) + " " + noun
}

// percent writes a share: 12 %, 0.4 %.
func percent(share float64) string {
	switch p := 100 * share; {
	case p >= 9.95 || p == 0:
		return fmt.Sprintf("%.0f %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

// size writes a number of bytes: 812 B, 4.1 KB, 2.7 MB (powers of 1,000).
func size(bytes int64) string {
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(bytes)/1e3)
	default:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
}
