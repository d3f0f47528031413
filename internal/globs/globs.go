// Package globs matches paths by globs that somebody else may have written.
package globs

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Matching takes time for each way to choose among alternatives, and for each
// place that ** may stand for.
const (
	maxAlternatives = 1_000
	maxAnyDepth     = 8
)

// Check says what is wrong with a glob, nil if nothing is.
func Check(glob string) error {
	if !doublestar.ValidatePattern(glob) {
		return errors.New("is not a valid glob")
	}
	ways, choices := 1, []int{}
	for _, c := range glob {
		switch {
		case c == '{':
			choices = append(choices, 1)
		case c == ',' && len(choices) > 0:
			choices[len(choices)-1]++
		case c == '}' && len(choices) > 0:
			ways *= choices[len(choices)-1]
			choices = choices[:len(choices)-1]
		}
		if ways > maxAlternatives {
			return errors.New("has too many alternatives in braces")
		}
	}
	if strings.Count(glob, "**") > maxAnyDepth {
		return errors.New("has too many **")
	}
	return nil
}

// A List matches files by their paths with slashes, as they were given or as they
// are reported, and by their names.
type List []string

// Match reports whether one of the globs matches a file.
func (g List) Match(reported, given string) bool {
	return slices.ContainsFunc(g, func(glob string) bool {
		local := strings.TrimPrefix(glob, "./")
		return doublestar.MatchUnvalidated(local, reported) || doublestar.MatchUnvalidated(glob, filepath.ToSlash(given)) ||
			doublestar.MatchUnvalidated(local, path.Base(reported))
	})
}

// Below reports whether a glob may match something in a directory.
func (g List) Below(dir string) bool {
	return slices.ContainsFunc(g, func(glob string) bool {
		base, _ := doublestar.SplitPattern(strings.TrimPrefix(glob, "./"))
		return base == "." || base == dir || strings.HasPrefix(base, dir+"/") || strings.HasPrefix(dir, base+"/")
	})
}
