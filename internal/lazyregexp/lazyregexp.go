// Package lazyregexp compiles regular expressions when they are first used.
// Those of rules that a run does not need would take a tenth of its start.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression that is compiled when it is first used. It
// may be shared.
type Regexp struct{ compiled func() *regexp.Regexp }

// inTest is whether this is a test, which should fail on any expression that
// does not compile, not only on those it uses.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns an expression. Like [regexp.MustCompile] it is for expressions
// that are written in the program: one that is wrong panics when it is used.
func New(expression string) Regexp {
	r := Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	if inTest {
		r.compiled()
	}
	return r
}

// MatchString is that of [regexp.Regexp].
func (r Regexp) MatchString(text string) bool { return r.compiled().MatchString(text) }

// FindStringSubmatch is that of [regexp.Regexp].
func (r Regexp) FindStringSubmatch(text string) []string {
	return r.compiled().FindStringSubmatch(text)
}

// FindAllStringIndex is that of [regexp.Regexp].
func (r Regexp) FindAllStringIndex(text string, n int) [][]int {
	return r.compiled().FindAllStringIndex(text, n)
}

// ReplaceAllString is that of [regexp.Regexp].
func (r Regexp) ReplaceAllString(text, with string) string {
	return r.compiled().ReplaceAllString(text, with)
}

// ReplaceAllStringFunc is that of [regexp.Regexp].
func (r Regexp) ReplaceAllStringFunc(text string, with func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(text, with)
}
