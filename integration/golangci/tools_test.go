// Package golangci runs the drivers of the Go rules side by side: the real
// golangci-lint with the plugin in it, the real go vet, the program itself,
// and package analysistest.
//
// golangci-lint is under the GPL and not part of the release. The tests build it
// in a temporary directory from the source in the Go module proxy, with one more
// file that imports the plugin, as "golangci-lint custom" does.
package golangci

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// golangciLint is the module that is built with the plugin.
const golangciLint = "github.com/golangci/golangci-lint/v2@v2.15.0"

// repository is the root of the module of the plugin.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return root
}

// tools are the programs that are compared.
type tools struct{ shapevet, golangci string }

func build(t *testing.T) tools {
	t.Helper()
	dir := t.TempDir()
	built := tools{filepath.Join(dir, "shapevet"), filepath.Join(dir, "golangci-lint")}
	root := repository(t)
	run(t, root, "go", "build", "-o", built.shapevet, "./cmd/shapevet")

	var module struct{ Dir string }
	require.NoError(t, json.Unmarshal([]byte(run(t, dir, "go", "mod", "download", "-json", golangciLint)), &module))
	source := filepath.Join(dir, "source")
	require.NoError(t, os.CopyFS(source, os.DirFS(module.Dir)))
	run(t, dir, "chmod", "-R", "u+w", source)
	require.NoError(t, os.WriteFile(filepath.Join(source, "cmd", "golangci-lint", "shapevet.go"),
		[]byte("package main\n\nimport _ \"github.com/shapevet/shapevet/plugin\"\n"), 0o600))
	run(t, source, "go", "mod", "edit", "-require=github.com/shapevet/shapevet@v0.0.0", "-replace=github.com/shapevet/shapevet="+root)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	all, err := os.OpenFile(filepath.Join(source, "go.sum"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = all.Write(sums)
	require.NoError(t, err)
	require.NoError(t, all.Close())
	run(t, source, "go", "build", "-mod=mod", "-o", built.golangci, "./cmd/golangci-lint")
	return built
}

// run runs a program that has to succeed and returns what it prints.
func run(t *testing.T, dir string, name string, args ...string) string {
	t.Helper()
	stdout, stderr, err := try(dir, name, args...)
	require.NoError(t, err, "%s %v: %s", name, args, stderr)
	return stdout
}

// try runs a program.
func try(dir string, name string, args ...string) (stdout, stderr string, err error) {
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "PWD="+dir, "GOFLAGS=", "GOWORK=")
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	err = command.Run()
	return out.String(), problems.String(), err
}
