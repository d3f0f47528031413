//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile is a repository whose configuration names programs wherever git
// allows it. Each of them leaves a mark.
func hostile(t *testing.T) (dir, marks string) {
	t.Helper()
	dir, marks = filepath.Join(t.TempDir(), "repository"), t.TempDir()
	git := func(arguments ...string) string {
		command := exec.Command("git", arguments...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		require.NoError(t, err, "git %v: %s", arguments, out)
		return string(out)
	}
	write := func(name, text string, mode os.FileMode) {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), mode))
	}
	require.NoError(t, os.Mkdir(dir, 0o700))
	git("init", "-q")
	git("config", "user.name", "a")
	git("config", "user.email", "a@example.com")
	write("data/posts.jsonl", `{"id":"1","title":"a"}`+"\n", 0o600)
	write("go.mod", "module example.com/app\n\ngo 1.24\n", 0o600)
	write("main.go", "package main\n\nfunc main() {}\n", 0o600)
	write(".gitattributes", "* filter=evil diff=evil\n", 0o600)
	git("add", ".")
	git("commit", "-qm", "one")
	git("config", "extensions.partialClone", "away")
	git("config", "core.repositoryFormatVersion", "1")
	for i, key := range []string{
		"core.fsmonitor", "core.sshCommand", "core.pager", "pager.ls-tree", "pager.rev-parse", "core.alternateRefsCommand", "core.askPass", "core.editor", "core.gitProxy",
		"filter.evil.smudge", "filter.evil.clean", "filter.evil.process", "diff.external", "diff.evil.textconv", "diff.evil.command",
		"credential.helper", "gpg.program", "remote.away.uploadpack", "alias.ls-tree",
	} {
		git("config", key, fmt.Sprintf("touch %s/%d-%s; false", marks, i, key))
	}
	git("config", "remote.away.url", "ext::touch "+marks+"/promisor")
	git("config", "protocol.ext.allow", "always")
	git("config", "remote.away.promisor", "true")
	git("config", "core.hooksPath", "hooks")
	for _, hook := range []string{"post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman", "post-merge"} {
		write("hooks/"+hook, "#!/bin/sh\ntouch "+marks+"/hook-"+hook+"\n", 0o700) //nolint:gosec // a hook is a program
	}
	return dir, marks
}

func assertUnmarked(t *testing.T, marks string) {
	t.Helper()
	left, err := os.ReadDir(marks)
	require.NoError(t, err)
	for _, mark := range left {
		t.Errorf("the repository had a program run: %s", mark.Name())
	}
}

// TestRepositoriesAreOnlyRead: nothing that a repository's configuration names
// is run.
func TestRepositoriesAreOnlyRead(t *testing.T) {
	t.Parallel()
	dir, marks := hostile(t)
	check := func(arguments ...string) (string, error) {
		command := exec.Command("shapevet", append([]string{"check", "--diff-base", "HEAD", "--exit-zero"}, arguments...)...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		return string(out), err
	}
	out, err := check("data")
	require.NoError(t, err, out)
	assert.NotContains(t, out, "warning: --diff-base")
	out, err = check("./...", "data")
	require.NoError(t, err, out)
	assertUnmarked(t, marks)

	// An object missing from a partial clone is not fetched either.
	hash, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD:data/posts.jsonl").Output()
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(dir, ".git", "objects", string(hash[:2]), string(hash[2:40]))))
	out, err = check("data")
	require.Error(t, err)
	assert.Contains(t, out, "--diff-base HEAD: data/posts.jsonl: the repository does not have this file")
	assertUnmarked(t, marks)
}

// TestRevisionsStayInTheirDirectory: names and links that no work tree can have
// lead nowhere.
func TestRevisionsStayInTheirDirectory(t *testing.T) {
	t.Parallel()
	list := ""
	for _, name := range []string{"good.json", "../out.json", ".git/hooks/pre-commit", "a/.GIT/config", "/etc/passwd", "a/../b.json", "a/./c.json", ""} {
		list += "100644 blob 0123\t" + name + "\x00"
	}
	list += "160000 commit 0123\tsubmodule\x00120000 blob 0123\tlink\x00100755 blob 0123\tprogram\x00"
	var names []string
	for _, e := range entriesOf(list) {
		names = append(names, e.name+" "+e.mode.String())
	}
	assert.Equal(t, []string{"good.json -rw-------", "link L---------", "program -rwx------"}, names)
}
