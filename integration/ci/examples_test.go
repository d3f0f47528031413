// Package ci runs the examples of docs/ci and the action of this repository. It
// extracts their shell steps, runs them on a small project, and has the reports
// read by the programs that receive them, or checks them against their schemas.
package ci

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A step is an executable step of an example.
type step struct {
	Name string            `yaml:"name"`
	Uses string            `yaml:"uses"`
	With map[string]string `yaml:"with"`
	Env  map[string]string `yaml:"env"`
	Run  string            `yaml:"run"`
}

func top(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return dir
}

func read(t *testing.T, parts ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{top(t)}, parts...)...))
	require.NoError(t, err)
	return text
}

func workflow(t *testing.T, name string) []step {
	t.Helper()
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	require.NoError(t, yaml.Unmarshal(read(t, "docs", "ci", name), &w))
	require.Len(t, w.Jobs, 1, name)
	for _, job := range w.Jobs {
		return job.Steps
	}
	return nil
}

// A runner is a project in git, with the programs of a CI machine.
type runner struct {
	t       *testing.T
	dir     string // of the project
	temp    string
	base    string // revision before the mistakes
	environ []string
	values  map[string]string // of expressions

	releases string // where the action finds them
}

const goodStore = `package store

//shapevet:document collection=posts
type Post struct {
	ID    string ` + "`json:\"id\"`" + `
	Title string ` + "`json:\"title\"`" + `
}
`

const badStore = goodStore + `
//shapevet:document collection=threads
type Thread struct {
	ID       string    ` + "`json:\"id\"`" + `
	Comments []Comment ` + "`json:\"comments\"`" + `
}

type Comment struct{ Text string }

func (t *Thread) Add(c Comment) { t.Comments = append(t.Comments, c) }
`

func newRunner(t *testing.T) *runner {
	t.Helper()
	dir := t.TempDir()
	r := &runner{t: t, dir: filepath.Join(dir, "project"), temp: filepath.Join(dir, "temp"), values: map[string]string{}, releases: "http://127.0.0.1:1"}
	bin := filepath.Join(dir, "bin")
	for _, d := range []string{bin, r.temp, filepath.Join(r.dir, "samples"), filepath.Join(r.dir, "store")} {
		require.NoError(t, os.MkdirAll(d, 0o750))
	}
	r.program(filepath.Join(bin, "gh"), fmt.Sprintf(`printf '%%s\n' "$*" >>%q
file=${!#}
cat "$file" >>%q`, filepath.Join(r.temp, "gh"), filepath.Join(r.temp, "gh")))
	for _, name := range []string{"path", "output", "summary"} {
		require.NoError(t, os.WriteFile(filepath.Join(r.temp, name), nil, 0o600))
	}
	r.environ = append(append(os.Environ(), published(t)...),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "RUNNER_TEMP="+r.temp, "GITHUB_PATH="+filepath.Join(r.temp, "path"),
		"GITHUB_OUTPUT="+filepath.Join(r.temp, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"),
		"GOBIN="+bin, "GIT_CONFIG_GLOBAL="+filepath.Join(r.temp, "gitconfig"), "CI=true",
	)
	r.write("go.mod", "module example.com/shop\n\ngo 1.24\n")
	r.write("store/store.go", goodStore)
	r.write("samples/authors.jsonl", documents(5, `{"id": "a%d", "name": "Author %d"}`))
	r.write("samples/tags.jsonl", `{"id": 1, "name": "x"}`+"\n"+`{"id": "2", "name": "y"}`+"\n")
	r.bash("git init -q . && git config --global user.name T && git config --global user.email t@example.com && git add . && git commit -qm base")
	r.base = strings.TrimSpace(r.bash("git rev-parse HEAD"))
	r.write("store/store.go", badStore)
	r.write("samples/books.jsonl", documents(5, `{"id": "b%d", "title": "Book %d"}`))
	r.write("samples/author-books.jsonl", documents(5, `{"id": "x%d", "authorId": "a%d", "bookId": "b%d"}`))
	r.bash("git add . && git commit -qm change")
	return r
}

func documents(n int, document string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(document, "%d", fmt.Sprint(i+1)) + "\n")
	}
	return b.String()
}

func (r *runner) program(path, text string) {
	r.t.Helper()
	require.NoError(r.t, os.WriteFile(path, []byte("#!/usr/bin/env bash\nset -eu\n"+text+"\n"), 0o700)) //nolint:gosec // it is a program
}

func (r *runner) write(name, text string) {
	r.t.Helper()
	require.NoError(r.t, os.WriteFile(filepath.Join(r.dir, filepath.FromSlash(name)), []byte(text), 0o600))
}

func (r *runner) file(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	require.NoError(r.t, err)
	return string(text)
}

func (r *runner) kept(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.temp, name))
	require.NoError(r.t, err)
	return string(text)
}

// bash runs a script the way GitHub Actions does, and requires that it works.
func (r *runner) bash(script string, environ ...string) string {
	r.t.Helper()
	out, code := r.try(script, environ...)
	require.Zero(r.t, code, out)
	return out
}

func (r *runner) try(script string, environ ...string) (out string, code int) {
	r.t.Helper()
	command := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	command.Dir = r.dir
	command.Env = append(slices.Clone(r.environ), environ...)
	var b bytes.Buffer
	command.Stdout, command.Stderr = &b, &b
	if err := command.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(r.t, err, &exit)
		return b.String(), exit.ExitCode()
	}
	return b.String(), 0
}

var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// env evaluates the environment of a step. An expression without a value is an
// error.
func (r *runner) env(env map[string]string) []string {
	r.t.Helper()
	var out []string
	for name, value := range env {
		value = expression.ReplaceAllStringFunc(value, func(match string) string {
			key := expression.FindStringSubmatch(match)[1]
			known, ok := r.values[key]
			require.True(r.t, ok, "%s has no value", key)
			return known
		})
		out = append(out, name+"="+value)
	}
	return out
}

// action runs the action of this repository with inputs.
func (r *runner) action(with map[string]string) (out string, code int) {
	r.t.Helper()
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	require.NoError(r.t, yaml.Unmarshal(read(r.t, "action.yml"), &action))
	r.values["github.action_path"], r.values["github.action_ref"] = top(r.t), ""
	r.values["github.event.pull_request.base.sha"] = r.base
	for name, input := range action.Inputs {
		r.values["inputs."+name] = input.Default
	}
	for name, value := range with {
		_, ok := action.Inputs[name]
		require.True(r.t, ok, "the action has no input %s", name)
		r.values["inputs."+name] = value
	}
	for _, s := range action.Runs.Steps {
		if s.Run == "" {
			continue
		}
		if out, code = r.try(s.Run, append(r.env(s.Env), "SHAPEVET_RELEASES="+r.releases)...); code != 0 {
			return out, code
		}
	}
	return out, code
}

// job runs the steps of a workflow and returns what they print, and the exit
// code of the action if it has one, else of the last step.
func (r *runner) job(steps []step) (out string, code int) {
	r.t.Helper()
	r.values["github.token"], r.values["github.event.pull_request.number"] = "token", "7"
	for _, s := range steps {
		switch {
		case strings.HasPrefix(s.Uses, "shapevet/shapevet@"):
			out, code = r.action(s.With)
		case s.Run != "":
			text, status := r.try(s.Run, r.env(s.Env)...)
			out += text
			if status != 0 {
				return out, status
			}
		}
	}
	return out, code
}

const known = "mixed-id-type" // a finding that the base revision already has

func TestGitHubAnnotations(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	out, code := r.job(workflow(t, "github-annotations.yml"))
	assert.Equal(t, 1, code, out)
	assert.Contains(t, out, "::warning file=samples/author-books.jsonl,line=1,")
	assert.Contains(t, out, "::warning file=store/store.go,line=12,")
	assert.NotContains(t, out, known, "the change did not bring it")
	assert.Equal(t, "exit-code=1\n", r.kept("output"))
}

func TestActionPasses(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	out, code := r.action(map[string]string{"inputs": "samples/authors.jsonl\n", "arguments": "--db mongodb\n--strict"})
	assert.Zero(t, code, out)
	assert.Equal(t, "exit-code=0\n", r.kept("output"))
	out, code = r.action(map[string]string{"version": version, "inputs": "nowhere.json", "fail-on": "never"})
	assert.Equal(t, 2, code, out)
}

// TestActionDownloads installs a release, uses the cache the next time, and
// rejects a release that was changed.
func TestActionDownloads(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	dir := t.TempDir()
	name := fmt.Sprintf("shapevet_9.9.9_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	r.bash(fmt.Sprintf(`cd %q && printf '#!/bin/sh\necho "downloaded $1"\n' >shapevet && chmod +x shapevet && tar -czf %s shapevet && sha256sum %s >checksums.txt`, dir, name, name))
	asked := atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		asked.Add(1)
		http.StripPrefix("/v9.9.9/", http.FileServer(http.Dir(dir))).ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	r.releases = server.URL
	for range 2 {
		out, code := r.action(map[string]string{"version": "v9.9.9"})
		assert.Zero(t, code, out)
		assert.Contains(t, out, "downloaded check")
		assert.EqualValues(t, 2, asked.Load(), "the archive and the checksums, once")
	}
	require.NoError(t, os.RemoveAll(filepath.Join(r.temp, "shapevet")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(strings.Repeat("0", 64)+"  "+name+"\n"), 0o600))
	out, code := r.action(map[string]string{"version": "v9.9.9"})
	assert.Equal(t, 1, code, out)
	assert.Contains(t, out, "does not match the checksum of the release")
}

func TestGitHubComment(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	out, code := r.job(workflow(t, "github-comment.yml"))
	assert.Equal(t, 1, code, out)
	gh := r.kept("gh")
	assert.Contains(t, gh, "pr comment 7 --edit-last --create-if-none --body-file shapevet.md")
	assert.Contains(t, gh, "join-document")
	assert.NotContains(t, gh, known)
	assert.Equal(t, r.file("shapevet.md"), r.kept("summary"))
}

func TestGitHubCodeScanning(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	steps := workflow(t, "github-code-scanning.yml")
	for i := range steps {
		if steps[i].With != nil && strings.HasPrefix(steps[i].Uses, "shapevet/") {
			steps[i].With["version"] = version // a build of a checkout has no version number
		}
	}
	out, code := r.job(steps)
	assert.Zero(t, code, out)
	report := r.file("shapevet.sarif")
	assert.Contains(t, report, "join-document")
	assert.Contains(t, report, known)
	validateSARIF(t, filepath.Join(r.dir, "shapevet.sarif"))
}

func TestGoTool(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.bash("go get -tool github.com/shapevet/shapevet/cmd/shapevet@" + version)
	assert.Contains(t, r.file("go.mod"), "tool github.com/shapevet/shapevet/cmd/shapevet")
	out, code := r.job(workflow(t, "github-go-tool.yml"))
	assert.Equal(t, 1, code, out)
	assert.Contains(t, out, "store.go:12:")
	assert.Contains(t, out, "(unbounded-array)")
	r.write("store/store.go", goodStore)
	out, code = r.job(workflow(t, "github-go-tool.yml"))
	assert.Zero(t, code, out)
}

func TestReviewdog(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	here, err := os.Getwd()
	require.NoError(t, err)
	r.bash(fmt.Sprintf("cd %q && GOFLAGS= go build -o %q ./reader", here, filepath.Join(filepath.Dir(r.dir), "bin", "reviewdog")))
	steps := workflow(t, "reviewdog.yml")
	out, code := r.job(steps)
	assert.Equal(t, 1, code, out)
	assert.Contains(t, out, "samples/author-books.jsonl:1:1: WARNING: ")
	assert.Contains(t, out, "store/store.go:12:2: WARNING: ")
	validateRDJSON(t, []byte(r.file("shapevet.json")))
	// Its readers for the other formats accept the reports too.
	for _, format := range []string{"checkstyle", "sarif"} {
		out, _ := r.try(fmt.Sprintf("shapevet check --output %s --fail-on never samples | reviewdog -f=%s -reporter=local -filter-mode=nofilter", format, format))
		assert.Contains(t, out, "samples/author-books.jsonl:1:", format)
	}
}

func TestGitLab(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	var pipeline struct {
		Shapevet struct {
			BeforeScript []string `yaml:"before_script"`
			Script       []string
			Artifacts    struct{ Reports map[string]string }
		}
	}
	require.NoError(t, yaml.Unmarshal(read(t, "docs", "ci", "gitlab-ci.yml"), &pipeline))
	job := pipeline.Shapevet
	script := strings.Join(append(job.BeforeScript, job.Script...), "\n")
	out, code := r.try(script, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+r.base)
	assert.Equal(t, 1, code, out)
	quality := r.file(job.Artifacts.Reports["codequality"])
	assert.Contains(t, quality, "join-document")
	assert.NotContains(t, quality, known)
	validateCodeQuality(t, []byte(quality))
	validateJUnit(t, []byte(r.file(job.Artifacts.Reports["junit"])), 2)

	out, code = r.try(script) // on the main branch, where there is no merge request
	assert.Equal(t, 1, code, out)
	assert.Contains(t, r.file(job.Artifacts.Reports["codequality"]), known)
}

var shell = regexp.MustCompile(`(?s)sh '''(.*?)'''|sh '([^'\n]*)'`)

func TestJenkins(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	var script []string
	for _, match := range shell.FindAllStringSubmatch(string(read(t, "docs", "ci", "Jenkinsfile")), -1) {
		script = append(script, strings.TrimSpace(match[1]+match[2]))
	}
	require.Len(t, script, 2)
	r.bash(strings.Join(script, "\n"))
	validateJUnit(t, []byte(r.file("shapevet-junit.xml")), 3)
	assert.Contains(t, r.file("shapevet-checkstyle.xml"), `source="shapevet.join-document"`)
}
