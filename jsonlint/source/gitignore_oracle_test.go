package source

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestGitIgnoreLikeGit compares with git itself: for random rules and paths,
// the same paths must be ignored.
func TestGitIgnoreLikeGit(t *testing.T) {
	t.Parallel()
	const rounds, paths = 60, 60
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same cases each time
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	repeat := func(most int, separator string, part func() string) string {
		parts := make([]string, 1+random.IntN(most))
		for i := range parts {
			parts[i] = part()
		}
		return strings.Join(parts, separator)
	}
	letter := func() string {
		return pick("a", "a", "b", "b", "ab", "c", "A", "1", ".json", "é", " ", "[", "]", "!", "#", "{a}", "-", "*", `\`, "?", ":")
	}
	name := func() string { return repeat(2, "", letter) }
	atom := func() string {
		return pick(
			letter(), letter(), letter(), "*", "*", "**", "***", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[!]a]", "[[:alpha:]]", "[[:digit:]b]",
			"[^[:alpha:]]", "[[:nope:]]", "[[:a]", "[a", "[c-a]", `[\]]`, `[\a-c]`, "[a-]", "[-a]", "[[:alpha:]-c]", "[/a]", "[!/]", `\a`, `\*`, `\\`, `\[`, `\ `, `\/`,
		)
	}
	wild := func() string {
		return repeat(3, pick("/", "/", "/", "/**/", "//", "**/", "/**"), func() string { return repeat(3, "", atom) })
	}
	like := func(path string) string { // a glob that may match the path or a part of it
		parts := strings.Split(path, "/")
		parts = parts[random.IntN(len(parts)):]
		for i, part := range parts {
			var b strings.Builder
			for _, c := range part {
				b.WriteString(pick(string(c), string(c), string(c), `\`+string(c), "?", "*", "["+string(c)+"]", "["+string(c)+"-z]", "[!"+string(c)+"]", "*"+string(c)))
			}
			parts[i] = pick(b.String(), b.String(), part, part, "*", "**")
		}
		return strings.Join(parts, "/")
	}
	pattern := func(paths []string) string {
		glob := wild()
		if random.IntN(4) > 0 {
			glob = like(paths[random.IntN(len(paths))])
		}
		return pick("", "", "", "", "", "!", "!", `\!`, "#", `\#`, " ", "!!") + pick("", "", "", "", "/", "/", "**/", "*/", "//") + glob +
			pick("", "", "", "", "", "/", "/", "//", "/**", "/*", "*", "**", " ", "  ", `\ `, `\  `, `\\ `, "\t", "\r", `\`, "/ ")
	}
	dir := t.TempDir()
	git := func(input string, arguments ...string) string {
		command := exec.Command("git", arguments...)
		command.Dir, command.Stdin = dir, strings.NewReader(input)
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := command.Output()
		require.NoError(t, err)
		return string(out)
	}
	git("", "init", "-q")
	var files []string
	rules := map[string]string{} // by path of a file
	for round := range rounds {
		base := fmt.Sprintf("%d/", round)
		first := len(files)
		var local []string
		for range paths {
			at := repeat(3, "/", name)
			path := base + at
			if os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700) == nil && os.WriteFile(filepath.Join(dir, path), nil, 0o600) == nil {
				files, local = append(files, path), append(local, at)
			} // else a file is where a directory is wanted, or the other way round
		}
		said := ""
		for _, at := range []string{"", "a", "b", "ab"} {
			if info, err := os.Stat(filepath.Join(dir, base, at)); err != nil || !info.IsDir() {
				continue
			}
			text := pick("", "", "\ufeff") + repeat(5, "\n", func() string { return pattern(local) }) + pick("\n", "\r\n", "")
			require.NoError(t, os.WriteFile(filepath.Join(dir, base, at, ".gitignore"), []byte(text), 0o600))
			said += fmt.Sprintf("%q: %q\n", at, text)
		}
		for _, path := range files[first:] {
			rules[path] = said
		}
	}
	ignored := map[string]bool{}
	for path := range strings.SplitSeq(git(strings.Join(files, "\x00")+"\x00", "check-ignore", "--no-index", "-z", "--stdin"), "\x00") {
		ignored[path] = true
	}
	different := 0
	for _, path := range files {
		if weIgnore(dir, path) != ignored[path] && different < 20 {
			different++
			t.Errorf("git ignores %q: %v\n%s", path, ignored[path], rules[path])
		}
	}
	t.Logf("%d paths, %d ignored", len(files), len(ignored)-1)
	assert.Greater(t, len(ignored), len(files)/10, "enough is ignored")
}

// weIgnore follows a path down like a walk of a directory.
func weIgnore(dir, path string) bool {
	rules := parentRules(dir).enter(dir)
	parts := strings.Split(path, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		if rules.ignored(part, !last) {
			return true
		}
		if !last {
			rules = rules.enter(filepath.Join(dir, filepath.Join(parts[:i+1]...)))
		}
	}
	return false
}
