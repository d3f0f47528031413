package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// outcome is the result of a command line.
type outcome struct {
	code           int
	stdout, stderr string
	options        jsonlint.Options
	inputs         []string
}

// runWith runs a command line with an engine that reports the findings.
func runWith(findings []finding.Finding, args ...string) outcome {
	var out outcome
	var stdout, stderr bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr}
	a.check = func(_ context.Context, inputs []string, o jsonlint.Options) (*finding.Report, error) {
		out.inputs, out.options = inputs, o
		return &finding.Report{Findings: findings}, nil
	}
	out.code = a.run(context.Background(), args)
	out.stdout, out.stderr = stdout.String(), stderr.String()
	return out
}

func found(rule string, severity finding.Severity, confidence float64, line int) finding.Finding {
	return finding.Finding{
		Rule: rule, Severity: severity, Confidence: confidence, Message: fmt.Sprintf("line %d", line),
		Subject:  finding.Subject{Kind: finding.KindDocument, Collection: "posts", Path: "comments"},
		Location: finding.Location{File: "posts.json", Line: line, Column: 1},
	}
}

func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shapevet.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	warning := []finding.Finding{found("unbounded-array", finding.Warning, 0.9, 1)}
	for _, test := range []struct {
		args     []string
		findings []finding.Finding
		want     int
	}{
		{nil, nil, 0},
		{nil, warning, 1},
		{[]string{"--fail-on", "error"}, warning, 0},
		{[]string{"--fail-on", "info"}, warning, 1},
		{[]string{"--fail-on", "never"}, warning, 0},
		{[]string{"--exit-zero"}, warning, 0},
		{[]string{"--min-confidence", "0.95"}, warning, 0},
		{[]string{"--ignore", "unbounded-array"}, warning, 0},
		{[]string{"--select", "join-document"}, warning, 0},
		{[]string{"--select", "join-document,unbounded-array"}, warning, 1},
		{[]string{"--db", "oracle"}, nil, 2},
		{[]string{"./nowhere/..."}, nil, 2},
	} {
		out := runWith(test.findings, append([]string{"check", "posts.json", "--config", configFile(t, "version: 1")}, test.args...)...)
		assert.Equal(t, test.want, out.code, "%v: %s", test.args, out.stderr)
	}
}

func TestConfidence(t *testing.T) {
	t.Parallel()
	findings := []finding.Finding{found("unbounded-array", finding.Warning, 0.4, 1), found("join-document", finding.Warning, 0.6, 2)}
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "join-document"},
		{[]string{"--strict"}, "unbounded-array join-document"},
		{[]string{"--strict", "--min-confidence", "0.5"}, "join-document"},
		{[]string{"--min-confidence", "0"}, "unbounded-array join-document"},
	} {
		out := runWith(findings, append([]string{"check", "posts.json", "--output", "concise", "--config", configFile(t, "version: 1")}, test.args...)...)
		for _, rule := range []string{"unbounded-array", "join-document"} {
			assert.Equal(t, strings.Contains(test.want, rule), strings.Contains(out.stdout, rule), "%v %s", test.args, rule)
		}
	}
}

func TestMaxFindings(t *testing.T) {
	t.Parallel()
	var findings []finding.Finding
	for line := 1; line <= 12; line++ {
		findings = append(findings, found("unbounded-array", finding.Warning, 0.9, line))
	}
	path := configFile(t, "version: 1")
	out := runWith(findings, "check", "posts.json", "--config", path)
	assert.Contains(t, out.stdout, "5 warnings in ")
	assert.Contains(t, out.stdout, "7 more at the same paths: --max-findings 0 shows them")
	out = runWith(findings, "check", "posts.json", "--config", path, "--max-findings", "0")
	assert.Contains(t, out.stdout, "12 warnings in ")
	assert.NotContains(t, out.stdout, "more at")
}

func TestEngineOptions(t *testing.T) {
	t.Parallel()
	path := configFile(t, `version: 1
db: cosmosdb
docs: [dump]
collections:
  posts: {files: [blog.json], complete: true, partitionKey: /postId, id: slug}
references:
  - {from: persons, path: "holdings[].stockId", to: stocks, key: id}
rules:
  join-document: off
  unbounded-array: {severity: error, thresholds: {max-elements: 7}}
lexicon: {unbounded: [ticket]}
jobs: 3
strict: true
stdinFilename: in.json
`)
	out := runWith(nil, "check", "--config", path, "--ignore", "volatile-embed", "--collection", "users=u*.json")
	require.Equal(t, exitOK, out.code, out.stderr)
	require.Len(t, out.inputs, 1)
	assert.Equal(t, "dump", filepath.Base(out.inputs[0]))
	o := out.options
	assert.Equal(t, "cosmosdb", o.DB)
	assert.Equal(t, 3, o.Jobs)
	assert.True(t, o.Strict)
	assert.Equal(t, "in.json", o.Source.StdinFilename)
	require.Len(t, o.Source.Collections, 2)
	assert.Equal(t, source.CollectionRule{Name: "users", Glob: "u*.json"}, o.Source.Collections[0], "flags come first")
	assert.Equal(t, "posts", o.Source.Collections[1].Name)
	assert.Equal(t, map[string]jsonlint.CollectionOptions{"posts": {Complete: true, PartitionKey: "/postId", ID: "slug"}}, o.Collections)
	assert.Equal(t, []jsonlint.Reference{{From: "persons", Path: "holdings[].stockId", To: "stocks", Key: "id"}}, o.References)
	assert.Equal(t, map[string][]string{"unbounded": {"ticket"}}, o.Lexicon)
	assert.True(t, o.Rules["join-document"].Disabled)
	assert.True(t, o.Rules["volatile-embed"].Disabled)
	assert.False(t, o.Rules["unbounded-array"].Disabled)
	assert.Equal(t, finding.Error, o.Rules["unbounded-array"].Severity)
	assert.Equal(t, map[string]float64{"max-elements": 7}, o.Rules["unbounded-array"].Thresholds)
	assert.Nil(t, o.Progress, "no bar where there is no terminal")

	out = runWith(nil, "check", "--config", path, "--select", "join-document", "a.json", "--docs", "b", "--jobs", "2")
	assert.Equal(t, []string{"b", "a.json"}, out.inputs)
	assert.Equal(t, 2, out.options.Jobs)
	assert.True(t, out.options.Rules["unbounded-array"].Disabled, "not selected")
	assert.False(t, out.options.Rules["input-error"].Disabled, "what cannot be read is always reported")
}

func TestEngineFailure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err    error
		code   int
		stderr string
	}{
		{errors.New("out of luck"), exitFailure, "shapevet: out of luck\n"},
		{errors.Join(errors.New("one"), errors.New("two")), exitFailure, "shapevet: one\nshapevet: two\n"},
		{fmt.Errorf("write text: %w", syscall.EPIPE), exitOK, ""},
	} {
		var stdout, stderr bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr}
		a.check = func(context.Context, []string, jsonlint.Options) (*finding.Report, error) { return nil, test.err }
		assert.Equal(t, test.code, a.run(t.Context(), []string{"check", "posts.json", "--config", configFile(t, "version: 1")}))
		assert.Equal(t, test.stderr, stderr.String())
		assert.Empty(t, stdout.String())
	}
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr}
	a.check = func(ctx context.Context, _ []string, _ jsonlint.Options) (*finding.Report, error) {
		cancel()
		return nil, fmt.Errorf("read: %w", ctx.Err())
	}
	assert.Equal(t, exitInterrupted, a.run(ctx, []string{"check", "posts.json", "--config", configFile(t, "version: 1")}))
	assert.Equal(t, "shapevet: interrupted\n", stderr.String())
	assert.Empty(t, stdout.String())
}

func TestIsGoPattern(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]bool{
		"./...": true, "...": true, "example.com/app/store": true, ".": true, "check.go": true,
		"-": false, "posts.json": false, "no/such/dir": false, "**/*.json": false, "../../testdata": false,
		"data.d/posts.json": false, "../x/y": false,
	} {
		assert.Equal(t, want, isGoPattern(input), input)
	}
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out.txt")
	write := func(text string, outcome error) error {
		return writeFile(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return cmp.Or(err, outcome)
		})
	}
	require.NoError(t, write("first", nil))
	failed := errors.New("failed")
	require.ErrorIs(t, write("second", failed), failed)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "first", string(text), "the old content stays")
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "no temporary file is left")
}
