package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
)

const remembered = "remembered, not found"

// A rememberedModule is a Go module whose findings are cached.
type rememberedModule struct {
	dir, cache, program string
	environment         []string
}

func newRememberedModule(t *testing.T) *rememberedModule {
	t.Helper()
	m := &rememberedModule{dir: t.TempDir(), cache: t.TempDir(), program: "shapevet"}
	m.write(t, "go.mod", "module example.com/app\n\ngo 1.22\n")
	m.write(t, "model/model.go", `package model

//shapevet:document collection=posts
type Post struct {
	ID       string    `+"`json:\"id\"`"+`
	Comments []Comment `+"`json:\"comments\"`"+`
}

type Comment struct {
	ID   string `+"`json:\"id\"`"+`
	Text string `+"`json:\"text\"`"+`
}
`)
	m.write(t, "store/store.go", `package store

import "example.com/app/model"

func Add(p *model.Post, c model.Comment) { p.Comments = append(p.Comments, c) }
`)
	return m
}

func (m *rememberedModule) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func (m *rememberedModule) command(arguments ...string) *exec.Cmd {
	command := exec.Command(m.program, append([]string{"check", "--no-progress", "--output", "json"}, arguments...)...)
	command.Dir = m.dir
	command.Env = append(append(os.Environ(), "GOFLAGS=", "GOWORK=off", cacheVariable+"="+m.cache), m.environment...)
	return command
}

func (m *rememberedModule) findings(t *testing.T, arguments ...string) []finding.Finding {
	t.Helper()
	command := m.command(arguments...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	text, err := command.Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) { // findings are an exit code
		require.NoError(t, err)
	}
	var r finding.Report
	require.NoError(t, json.Unmarshal(text, &r), stderr.String())
	require.NotEmpty(t, r.Findings)
	return r.Findings
}

// recalled reports whether the current findings were cached.
func (m *rememberedModule) recalled(t *testing.T, arguments ...string) bool {
	t.Helper()
	return m.findings(t, arguments...)[0].Message == remembered
}

// files returns the cache files.
func (m *rememberedModule) files(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(m.cache, "go", "*"))
	require.NoError(t, err)
	return files
}

// mark changes the cached findings, so that they can be distinguished from new
// ones.
func (m *rememberedModule) mark(t *testing.T) {
	t.Helper()
	for _, file := range m.files(t) {
		o := recallGo(file)
		require.NotNil(t, o)
		o.Result.Report.Findings[0].Message = remembered
		rememberGo(file, o)
	}
}

// TestGoFindingsAreRemembered checks that packages are analysed again if and
// only if something changed that determines their findings.
func TestGoFindingsAreRemembered(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("each step runs the program on Go code anew")
	}
	m := newRememberedModule(t)
	fresh := m.findings(t)
	require.Len(t, m.files(t), 1)
	assert.Equal(t, fresh, m.findings(t), "what is remembered is what was found")
	m.mark(t)
	require.True(t, m.recalled(t), "nothing has changed")
	assert.True(t, m.recalled(t, "./..."), "in other words")
	assert.True(t, m.recalled(t, "--output", "sarif="+filepath.Join(t.TempDir(), "s"), "--color", "never", "--jobs", "1"), "shown in another way")

	linked := filepath.Join(t.TempDir(), "linked.go")
	require.NoError(t, os.WriteFile(linked, []byte("package store\n"), 0o600))
	goEnvironment := filepath.Join(t.TempDir(), "env")
	for _, change := range []struct {
		what string
		make func()
		args []string
	}{
		{"a line above", func() { m.write(t, "model/doc.go", "// Package model is new.\npackage model\n") }, nil},
		{"a package in a directory that other tools leave out", func() { m.write(t, "node_modules/p/p.go", "package p\n") }, nil},
		{"a link to a file", func() { require.NoError(t, os.Symlink(linked, filepath.Join(m.dir, "store", "linked.go"))) }, nil},
		{"what a link leads to", func() { require.NoError(t, os.WriteFile(linked, []byte("package store\n\nvar X int\n"), 0o600)) }, nil},
		{"another version of the language", func() { m.write(t, "go.mod", "module example.com/app\n\ngo 1.21\n") }, nil},
		{"a configuration", func() { m.write(t, ".shapevet.yaml", "version: 1\nevidenceMaxAge: 5\n") }, nil},
		{"its content", func() { m.write(t, ".shapevet.yaml", "version: 1\nevidenceMaxAge: 6\n") }, nil},
		{"one for a package", func() { m.write(t, "model/.shapevet.yaml", "version: 1\n") }, nil},
		{"a rule less", func() {}, []string{"--ignore", "deep-nesting"}},
		{"evidence", func() { m.writeEvidence(t, "default.shapevet.json", 30) }, nil},
		{"other evidence", func() { m.writeEvidence(t, "default.shapevet.json", 40) }, nil},
		{"evidence that is named", func() { m.writeEvidence(t, "other.json", 40) }, []string{"--evidence", "other.json"}},
		{"its content", func() { m.writeEvidence(t, "other.json", 50) }, []string{"--evidence", "other.json"}},
		{"a variable of the go command", func() { m.environment = append(m.environment, "GOFLAGS=-tags=some") }, nil},
		{"go env -w", func() {
			require.NoError(t, os.WriteFile(goEnvironment, []byte("GOOS=windows\n"), 0o600))
			m.environment = append(m.environment, "GOENV="+goEnvironment)
		}, nil},
		{"go env -w again", func() { require.NoError(t, os.WriteFile(goEnvironment, []byte("GOOS=darwin\n"), 0o600)) }, nil},
		{"another program", func() { m.program = otherProgram(t) }, nil},
	} {
		change.make()
		assert.False(t, m.recalled(t, change.args...), change.what)
		m.mark(t)
		assert.True(t, m.recalled(t, change.args...), "%s: once", change.what)
	}
}

// writeEvidence writes evidence of posts with some comments each.
func (m *rememberedModule) writeEvidence(t *testing.T, name string, comments int) {
	t.Helper()
	comment := `{"id":"a","text":"b"}`
	post := `{"id":"p","comments":[` + strings.Join(slices.Repeat([]string{comment}, comments), ",") + "]}\n"
	file := filepath.Join(t.TempDir(), "posts.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat(post, 30)), 0o600))
	var stdout, stderr bytes.Buffer
	code := run([]string{"profile", "--no-progress", file, "-o", filepath.Join(m.dir, name)}, strings.NewReader(""), &stdout, &stderr)
	require.Equal(t, exitOK, code, stderr.String())
}

// otherProgram is this program with other content.
func otherProgram(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("shapevet")
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	other := filepath.Join(t.TempDir(), filepath.Base(path))
	// A child that another test starts meanwhile would hold the file open for writing,
	// and a program that is open for writing does not run (golang.org/issue/22315).
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	require.NoError(t, os.WriteFile(other, append(text, 0), 0o700))
	return other
}

// TestGoMemoryForgets checks what is not cached, and damaged files.
func TestGoMemoryForgets(t *testing.T) {
	t.Parallel()
	m := newRememberedModule(t)
	m.environment = []string{cacheVariable + "=off"}
	fresh := m.findings(t)
	assert.Empty(t, m.files(t), "switched off")
	m.environment = nil
	document := filepath.Join(t.TempDir(), "posts.json")
	require.NoError(t, os.WriteFile(document, []byte(`{"id": "p"}`), 0o600))
	m.findings(t, "./...", "--docs", document)
	assert.Empty(t, m.files(t), "with documents")
	m.findings(t, m.dir+"/...")
	assert.Empty(t, m.files(t), "by absolute path")
	m.write(t, "broken/broken.go", "package broken\n\nvar x int = \"\"\n")
	m.findings(t)
	assert.Empty(t, m.files(t), "a package that was read in part")
	require.NoError(t, os.RemoveAll(filepath.Join(m.dir, "broken")))
	m.write(t, "go.mod", "module example.com/app\n\ngo 1.22\n\nreplace example.com/other => ../other\n")
	m.findings(t)
	assert.Empty(t, m.files(t), "sources elsewhere")
	m.write(t, "go.mod", "module example.com/app\n\ngo 1.22\n")

	assert.Equal(t, fresh, m.findings(t))
	m.mark(t)
	file := m.files(t)[0]
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for what, damaged := range map[string][]byte{
		"cut": text[:len(text)/2], "empty": {}, "a bit": slices.Concat(text[:len(text)/2], []byte{text[len(text)/2] ^ 1}, text[len(text)/2+1:]), "other": []byte("not what it was"),
	} {
		require.NoError(t, os.WriteFile(file, damaged, 0o600))
		assert.Equal(t, fresh, m.findings(t), what)
		assert.NotNil(t, recallGo(file), "%s: remembered anew", what)
	}
	assert.Nil(t, recallGo(""))

	require.NoError(t, os.RemoveAll(m.cache))
	outputs := make([]bytes.Buffer, 4)
	commands := make([]*exec.Cmd, len(outputs))
	for i := range commands { // all at once
		commands[i] = m.command()
		commands[i].Stdout = &outputs[i]
		require.NoError(t, commands[i].Start())
	}
	for i, command := range commands {
		_ = command.Wait() // findings are an exit code
		var r finding.Report
		require.NoError(t, json.Unmarshal(outputs[i].Bytes(), &r))
		assert.Equal(t, fresh, r.Findings)
	}
	require.Len(t, m.files(t), 1)
	assert.NotNil(t, recallGo(m.files(t)[0]))
}
