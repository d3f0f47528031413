package source

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/internal/regular"
)

// ignoreRules are the rules of the .gitignore files that apply to a directory,
// outermost first. The last rule that matches decides (gitignore(5)).
type ignoreRules []ignoreRule

type ignoreRule struct {
	base    string // absolute directory of the file the rule stands in
	pattern string // doublestar pattern, relative to base
	negated bool
	dirs    bool // matches directories only
}

// parentRules returns the rules above dir, from the root of its repository
// down. If they ignore dir itself they do not count: it was asked for.
func parentRules(dir string) ignoreRules {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	var above []string // innermost first
	inRepository := isRepository(absolute)
	for d := absolute; !inRepository; {
		parent := filepath.Dir(d)
		if parent == d {
			return nil
		}
		above = append(above, parent)
		inRepository = isRepository(parent)
		d = parent
	}
	var rules ignoreRules
	for i := len(above) - 1; i >= 0; i-- {
		rules = rules.enter(above[i])
		inner := absolute
		if i > 0 {
			inner = above[i-1]
		}
		if rules.ignored(inner, true) {
			return nil
		}
	}
	return rules
}

func isRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// maxIgnore is the largest file of rules that is read, in bytes.
const maxIgnore = 1 << 20

// enter returns the rules that apply in dir.
func (r ignoreRules) enter(dir string) ignoreRules {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return r
	}
	files := []string{filepath.Join(absolute, ".git", "info", "exclude"), filepath.Join(absolute, ".gitignore")}
	rules := r[:len(r):len(r)]
	for _, file := range files {
		text, err := regular.ReadFile(file, maxIgnore)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if rule, ok := parseIgnore(line); ok {
				rule.base = absolute
				rules = append(rules, rule)
			}
		}
	}
	return rules
}

func parseIgnore(line string) (ignoreRule, bool) {
	line = strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return ignoreRule{}, false
	}
	var rule ignoreRule
	if line[0] == '!' {
		rule.negated, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		rule.dirs, line = true, strings.TrimRight(line, "/")
	}
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return ignoreRule{}, false
	}
	// Braces mean nothing to git.
	line = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	parts := strings.Split(line, "/")
	for i, part := range parts { // beside anything else, several asterisks are one
		for part != "**" && strings.Contains(part, "**") {
			part = strings.ReplaceAll(part, "**", "*")
		}
		parts[i] = part
	}
	line = strings.Join(parts, "/")
	for strings.Contains(line, "**/**") { // it means no more than one
		line = strings.ReplaceAll(line, "**/**", "**")
	}
	if line == "**" {
		line = "*"
	}
	if !anchored {
		line = "**/" + line
	}
	rule.pattern = line
	return rule, globs.Check(line) == nil
}

// ignored reports whether the entry at name is ignored.
func (r ignoreRules) ignored(name string, dir bool) bool {
	if len(r) == 0 {
		return false
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return false
	}
	for i := len(r) - 1; i >= 0; i-- {
		rule := &r[i]
		if rule.dirs && !dir {
			continue
		}
		rel, err := filepath.Rel(rule.base, absolute)
		if err != nil {
			continue
		}
		// "a/**" is everything in a, not a itself.
		slashed := filepath.ToSlash(rel)
		if contents, ok := strings.CutSuffix(rule.pattern, "/**"); ok && doublestar.MatchUnvalidated(contents, slashed) {
			continue
		}
		if doublestar.MatchUnvalidated(rule.pattern, slashed) {
			return !rule.negated
		}
	}
	return false
}
