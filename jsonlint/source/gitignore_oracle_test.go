package source

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGitIgnoreLikeGit compares with git itself: of rules and paths made at
// random, the same paths are ignored.
func TestGitIgnoreLikeGit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same cases each time
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	name := func() string { return pick("a", "b", "ab", "a.json", "b.json", "a b", "#a", "!b", "a{b}", "[a]", "c") }
	pattern := func() string {
		parts := make([]string, 1+random.IntN(3))
		for i := range parts {
			parts[i] = pick(name(), name(), "*", "**", "a*", "*.json", "?", "[ab]", "[!a]", `\#a`, `\!b`, "[a-c]*", `a\ b`)
		}
		return pick("", "", "", "!") + pick("", "", "/") + strings.Join(parts, "/") + pick("", "", "/", "  ", "/**")
	}
	for round := range 40 {
		dir := t.TempDir()
		git := func(input string, arguments ...string) string {
			command := exec.Command("git", arguments...)
			command.Dir, command.Stdin = dir, strings.NewReader(input)
			command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
			out, _ := command.Output() // check-ignore exits with 1 if nothing is ignored
			return string(out)
		}
		git("", "init", "-q")
		var files []string
		for range 25 {
			parts := make([]string, 1+random.IntN(3))
			for i := range parts {
				parts[i] = name()
			}
			path := filepath.Join(parts...)
			if os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o700) != nil || os.WriteFile(filepath.Join(dir, path), nil, 0o600) != nil {
				continue // a file is where a directory is wanted, or the other way round
			}
			files = append(files, filepath.ToSlash(path))
		}
		write := func(at string) string {
			var b strings.Builder
			for range 1 + random.IntN(4) {
				// Of two that follow one another, or one before a slash at the
				// end, git's manual does not say what they mean.
				if p := pattern(); !strings.Contains(p, "**/**") && !strings.HasSuffix(p, "**/") {
					b.WriteString(p + "\n")
				}
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, at, ".gitignore"), []byte(b.String()), 0o600))
			return b.String()
		}
		rules := write("")
		if info, err := os.Stat(filepath.Join(dir, "a")); err == nil && info.IsDir() {
			rules += "a/.gitignore:\n" + write("a")
		}
		ignored := map[string]bool{}
		for path := range strings.SplitSeq(git(strings.Join(files, "\x00")+"\x00", "check-ignore", "-z", "--stdin"), "\x00") {
			ignored[path] = true
		}
		for _, path := range files {
			require.Equal(t, ignored[path], weIgnore(dir, path), fmt.Sprintf("round %d: %s\n%s", round, path, rules))
		}
	}
}

// weIgnore walks down to a path the way a directory is walked.
func weIgnore(dir, path string) bool {
	rules := parentRules(dir).enter(dir)
	parts := strings.Split(path, "/")
	for i := range parts {
		at := filepath.Join(dir, filepath.Join(parts[:i+1]...))
		last := i == len(parts)-1
		if rules.ignored(at, !last) {
			return true
		}
		if !last {
			rules = rules.enter(at)
		}
	}
	return false
}
