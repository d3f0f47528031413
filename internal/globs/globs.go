// Package globs matches paths against globs that may come from others.
package globs

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Limits: matching takes time for each combination of alternatives and each
// place that ** can stand for.
const (
	maxAlternatives = 1_000
	maxAnyDepth     = 8
)

// Check returns an error if a glob is invalid.
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

// A List matches files by path with slashes, as given or as reported, and by
// name.
type List []string

// Match reports whether one of the globs matches a file.
func (g List) Match(reported, given string) bool {
	return slices.ContainsFunc(g, func(glob string) bool {
		local := strings.TrimPrefix(glob, "./")
		return doublestar.MatchUnvalidated(local, reported) || doublestar.MatchUnvalidated(glob, filepath.ToSlash(given)) ||
			doublestar.MatchUnvalidated(local, path.Base(reported))
	})
}

// Below reports whether a glob may match something below a directory.
func (g List) Below(dir string) bool {
	return slices.ContainsFunc(g, func(glob string) bool {
		base, _ := doublestar.SplitPattern(strings.TrimPrefix(glob, "./"))
		return base == "." || base == dir || strings.HasPrefix(base, dir+"/") || strings.HasPrefix(dir, base+"/")
	})
}
