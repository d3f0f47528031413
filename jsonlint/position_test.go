package jsonlint_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// place is a range of bytes to which a finding may point.
type place struct{ start, end int }

// placesIn returns the path of every name and value in a text of JSON Lines, by
// place. The place of a container is its first byte.
func placesIn(text []byte) map[place]profile.Path {
	out := map[place]profile.Path{}
	base := 0
	var parser scan.Parser
	for line := range bytes.Lines(text) {
		if d, err := parser.Parse(bytes.TrimRight(line, "\r\n")); err == nil {
			collectPlaces(d, 0, base, nil, out)
		}
		base += len(line)
	}
	return out
}

func collectPlaces(d *scan.Document, i, base int, path profile.Path, out map[place]profile.Path) {
	t := d.Tokens[i]
	end := int(t.End)
	if t.Kind >= scan.Object {
		end = int(t.Start) + 1
	}
	out[place{base + int(t.Start), base + end}] = path
	for k, v := range d.Members(i) {
		below := append(path[:len(path):len(path)], profile.Step{Kind: profile.Field, Name: d.String(k)})
		out[place{base + int(d.Tokens[k].Start), base + int(d.Tokens[k].End)}] = below
		collectPlaces(d, v, base, below, out)
	}
	for _, v := range d.Elements(i) {
		collectPlaces(d, v, base, append(path[:len(path):len(path)], profile.Step{Kind: profile.Element}), out)
	}
}

// names reports whether a reported path stands for a concrete one: {} is any
// name. A finding about a path may point above or below it, for example at an
// offending element, the document's id, or the document.
func names(reported string, concrete profile.Path) bool {
	fits := func(a, b []string) bool {
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] && a[i] != "{}" {
				return false
			}
		}
		return true
	}
	return fits(segments(reported), segments(concrete.String())) || len(concrete) == 1
}

func segments(path string) []string {
	path = strings.NewReplacer("[]", ".[]", "{}", ".{}", `["`, `."`, `"]`, `"`).Replace(path)
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' })
}

// offsetOf turns a line and a byte column into an offset.
func offsetOf(t require.TestingT, text []byte, line, column int) int {
	offset := 0
	for range line - 1 {
		next := bytes.IndexByte(text[offset:], '\n')
		require.GreaterOrEqual(t, next, 0, "line %d is not in the file", line)
		offset += next + 1
	}
	return offset + column - 1
}

// checkPositions reads the range of every finding again.
func checkPositions(t require.TestingT, text []byte, findings []finding.Finding) {
	places := placesIn(text)
	check := func(f finding.Finding, l finding.Location) {
		start, end := offsetOf(t, text, l.Line, l.Column), offsetOf(t, text, l.EndLine, l.EndColumn)
		require.LessOrEqual(t, start, end)
		require.LessOrEqual(t, end, len(text))
		path, ok := places[place{start, end}]
		require.True(t, ok, "%s at %s: %d:%d-%d:%d holds %q, which is no name or value", f.Rule, f.Subject.Path, l.Line, l.Column, l.EndLine, l.EndColumn, text[start:end])
		require.True(t, names(f.Subject.Path, path), "%s at %s points at %s", f.Rule, f.Subject.Path, path)
	}
	for _, f := range findings {
		if f.Rule == "input-error" {
			continue
		}
		check(f, f.Location)
	}
}

func positions(t require.TestingT, dir string, text []byte) {
	file := filepath.Join(dir, "documents.jsonl")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	report, err := jsonlint.Check(context.Background(), []string{file}, jsonlint.Options{Strict: true, Jobs: 2})
	require.NoError(t, err)
	for _, p := range report.Problems {
		require.NotContains(t, p.Message, "internal error")
	}
	checkPositions(t, text, report.Findings)
}

// TestPositions reads the text that the findings on a flawed database point at.
func TestPositions(t *testing.T) {
	t.Parallel()
	for name, text := range flawed() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			positions(t, t.TempDir(), []byte(text))
		})
	}
}

// FuzzPositions changes documents that have every kind of mistake.
func FuzzPositions(f *testing.F) {
	for _, text := range flawed() {
		if len(text) > 6000 {
			text = text[:strings.LastIndexByte(text[:6000], '\n')+1]
		}
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var valid []byte
		var parser scan.Parser
		for line := range bytes.Lines(text) {
			trimmed := bytes.TrimRight(line, "\r\n")
			if d, err := parser.Parse(trimmed); err == nil && d.Tokens[0].Kind == scan.Object {
				valid = append(append(valid, trimmed...), '\n')
			}
		}
		if len(valid) > 0 {
			positions(t, t.TempDir(), valid)
		}
	})
}

// flawed returns collections with many mistakes.
func flawed() map[string]string {
	out := map[string]string{
		"keys": `{"_id":"1","a":1,"a":2,"b-c":{"":0,"x.y":[[1],[2]]},"zip":98012,"Name":"x","name":"y"}` + "\n" +
			`{"id":"2","images":[{"thumb":"a"},{"large":"b"}],"big":9007199254740993,"deep":{"deep":{"deep":{"deep":{"deep":{"deep":{}}}}}}}` + "\n",
		"ids": strings.Repeat(`{"id":1,"email":"A@example.com","tags":["x","x"]}`+"\n"+`{"id":"1","email":"a@example.com","tags":[]}`+"\n", 12),
	}
	for name, lines := range shop(rand.New(rand.NewPCG(3, 5))) {
		out[name] = strings.Join(lines, "\n") + "\n"
	}
	return out
}
