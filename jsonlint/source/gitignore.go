package source

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/shapevet/shapevet/internal/regular"
)

// ignoreRules are the rules of the .gitignore files that apply in a directory.
// They behave like git, as TestGitIgnoreLikeGit checks. Of the available
// libraries, go-git's differs from git in 8 of 100 random cases, and the others
// are unmaintained.
type ignoreRules struct {
	dir   string       // absolute, with slashes, one of them at the end
	rules []ignoreRule // outermost first; the last match decides (gitignore(5))
}

type ignoreRule struct {
	base     string // directory of the rule's file, written like ignoreRules.dir
	prefix   string // what a path must begin with
	glob     string // what must follow
	anywhere bool   // match only the last name of a path, at any depth
	negated  bool
	dirs     bool // match only directories
}

// parentRules returns the rules from above dir, starting at the root of its
// repository. Rules that ignore dir itself do not count, because the user named
// it.
func parentRules(dir string) ignoreRules {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return ignoreRules{}
	}
	var above []string // innermost first
	inRepository := isRepository(absolute)
	for d := absolute; !inRepository; {
		parent := filepath.Dir(d)
		if parent == d {
			return ignoreRules{}
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
		if rules.ignored(filepath.Base(inner), true) {
			return ignoreRules{}
		}
	}
	return rules
}

func isRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// maxIgnore is the largest .gitignore file that is read, in bytes.
const maxIgnore = 1 << 20

// enter returns the rules that apply in dir.
func (r ignoreRules) enter(dir string) ignoreRules {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return ignoreRules{}
	}
	in := ignoreRules{strings.TrimSuffix(filepath.ToSlash(absolute), "/") + "/", r.rules[:len(r.rules):len(r.rules)]}
	for _, file := range []string{filepath.Join(absolute, ".git", "info", "exclude"), filepath.Join(absolute, ".gitignore")} {
		text, err := regular.ReadFile(file, maxIgnore)
		if err != nil {
			continue
		}
		for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
			if rule, ok := parseIgnore(line); ok {
				rule.base = in.dir
				in.rules = append(in.rules, rule)
			}
		}
	}
	return in
}

func parseIgnore(line string) (rule ignoreRule, ok bool) {
	line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	for strings.HasSuffix(line, " ") && !endsEscaped(line) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return rule, false
	}
	line, rule.negated = strings.CutPrefix(line, "!")
	line, rule.dirs = strings.CutSuffix(line, "/")
	rule.anywhere = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	plain := strings.IndexAny(line, `*?[\`)
	if plain < 0 {
		plain = len(line)
	}
	rule.prefix, rule.glob = line[:plain], line[plain:]
	return rule, line != ""
}

// endsEscaped reports whether a backslash that is not escaped itself precedes
// the last character of a line.
func endsEscaped(line string) bool {
	before := line[:len(line)-1]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// ignored reports whether an entry of the directory is ignored.
func (r ignoreRules) ignored(entry string, dir bool) bool {
	for i := len(r.rules) - 1; i >= 0; i-- {
		rule := &r.rules[i]
		if rule.dirs && !dir {
			continue
		}
		path := entry
		if !rule.anywhere {
			below, ok := strings.CutPrefix(r.dir, rule.base)
			if !ok {
				continue // a link led outside it
			}
			path = below + entry
		}
		if rest, ok := strings.CutPrefix(path, rule.prefix); ok && wildMatch(rule.glob, rest) {
			return !rule.negated
		}
	}
	return false
}

// wildMatch reports whether a git glob matches a text, byte by byte. It
// backtracks only to the last asterisk, or to the last **/ if that fails:
// whatever an earlier one matched, the later one can start at its first
// possible place.
func wildMatch(glob, text string) bool {
	type place struct{ glob, text int }
	nowhere := place{-1, 0}
	at, star, deep := place{}, nowhere, nowhere
	for {
		switch {
		case at.glob == len(glob) && at.text == len(text):
			return true
		case at.glob < len(glob) && glob[at.glob] == '*':
			end := at.glob + 1
			for end < len(glob) && glob[end] == '*' {
				end++
			}
			switch several := end-at.glob > 1 && (at.glob == 0 || glob[at.glob-1] == '/'); {
			case several && end == len(glob):
				return true
			case several && glob[end] == '/':
				at.glob = end + 1
				deep, star = at, nowhere
			default:
				at.glob = end
				star = at
			}
			continue
		case at.glob < len(glob) && at.text < len(text):
			next, matched := wildMatchByte(glob, at.glob, text[at.text])
			if next < 0 {
				return false
			}
			if matched {
				at = place{next, at.text + 1}
				continue
			}
		}
		switch {
		case star.glob >= 0 && star.text < len(text) && text[star.text] != '/':
			star.text++
			at = star
		case deep.glob >= 0:
			slash := strings.IndexByte(text[deep.text:], '/')
			if slash < 0 {
				return false
			}
			deep.text += slash + 1
			at, star = deep, nowhere
		default:
			return false
		}
	}
}

// wildMatchByte matches c with the pattern at glob[i], which is not an
// asterisk. It returns what follows in the glob, or -1 if the glob is malformed
// and so matches nothing.
func wildMatchByte(glob string, i int, c byte) (next int, matched bool) {
	switch glob[i] {
	case '?':
		return i + 1, c != '/'
	case '[':
		return wildMatchClass(glob, i+1, c)
	case '\\':
		if i++; i == len(glob) {
			return -1, false
		}
	}
	return i + 1, glob[i] == c
}

func wildMatchClass(glob string, i int, c byte) (next int, matched bool) {
	negated := i < len(glob) && (glob[i] == '!' || glob[i] == '^')
	if negated {
		i++
	}
	last := -1 // the previous character, which may begin a range
	for first := true; i < len(glob) && (first || glob[i] != ']'); first = false {
		if name, _, ok := strings.Cut(glob[i:], ":]"); ok && strings.HasPrefix(name, "[:") && !strings.Contains(name[2:], "]") {
			in := byteClasses[name[2:]]
			if in == nil {
				return -1, false
			}
			matched, last, i = matched || in(c), -1, i+len(name)+2
			continue
		}
		ranged := glob[i] == '-' && last >= 0 && i+1 < len(glob) && glob[i+1] != ']'
		if ranged {
			i++
		}
		if glob[i] == '\\' {
			if i++; i == len(glob) {
				return -1, false
			}
		}
		from, to := int(glob[i]), int(glob[i])
		if ranged {
			from, last = last, -1
		} else {
			last = to
		}
		matched = matched || from <= int(c) && int(c) <= to
		i++
	}
	if i >= len(glob) {
		return -1, false
	}
	return i + 1, matched != negated && c != '/'
}

// byteClasses are the POSIX classes for ASCII.
var byteClasses = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower":  func(c byte) bool { return c >= 'a' && c <= 'z' },
	"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
	"upper":  func(c byte) bool { return c >= 'A' && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' },
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
