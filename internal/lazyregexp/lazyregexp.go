// Package lazyregexp compiles regular expressions on first use. Those of rules
// that a run does not need would take a tenth of its start-up time.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression that is compiled on first use. It is safe
// for concurrent use.
type Regexp struct{ compiled func() *regexp.Regexp }

// inTest reports whether this is a test. Tests should fail on any expression
// that does not compile, not only on those they use.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns an expression. Like [regexp.MustCompile] it is for constant
// expressions: an invalid one panics on use.
func New(expression string) Regexp {
	r := Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	if inTest {
		r.compiled()
	}
	return r
}

// MatchString is [regexp.Regexp.MatchString].
func (r Regexp) MatchString(text string) bool { return r.compiled().MatchString(text) }

// FindStringSubmatch is [regexp.Regexp.FindStringSubmatch].
func (r Regexp) FindStringSubmatch(text string) []string {
	return r.compiled().FindStringSubmatch(text)
}

// FindAllStringSubmatch is [regexp.Regexp.FindAllStringSubmatch].
func (r Regexp) FindAllStringSubmatch(text string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(text, n)
}

// FindAllStringIndex is [regexp.Regexp.FindAllStringIndex].
func (r Regexp) FindAllStringIndex(text string, n int) [][]int {
	return r.compiled().FindAllStringIndex(text, n)
}

// ReplaceAllString is [regexp.Regexp.ReplaceAllString].
func (r Regexp) ReplaceAllString(text, with string) string {
	return r.compiled().ReplaceAllString(text, with)
}

// ReplaceAllStringFunc is [regexp.Regexp.ReplaceAllStringFunc].
func (r Regexp) ReplaceAllStringFunc(text string, with func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(text, with)
}
