package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/datasets"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// TestFindingsWithEvidenceOfShards profiles real documents in one run with one
// worker, and in ten shards with eight. Go types modelled on the documents are
// then judged by each. The findings must be the same, except for numbers of
// distinct values and references, which are ranges after merging.
func TestFindingsWithEvidenceOfShards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	documents := map[string][]string{}
	for _, set := range datasets.All(t, "../../testdata/accuracy") {
		for name, lines := range set.Read(t) {
			name = regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString("C"+set.Name+name, "")
			documents[name] = append(documents[name], lines...)
		}
	}
	shapevet := func(arguments ...string) []byte {
		t.Helper()
		command := exec.Command("shapevet", arguments...)
		command.Dir = dir
		var stdout, stderr bytes.Buffer
		command.Stdout, command.Stderr = &stdout, &stderr
		if err := command.Run(); err != nil {
			require.Equal(t, exitFindings, command.ProcessState.ExitCode(), stderr.String())
		}
		return stdout.Bytes()
	}
	shards := []string{"profile", "merge", "-o", "shards.json"}
	for shard := range 10 {
		part := fmt.Sprint("shard", shard)
		datasets.Write(t, filepath.Join(dir, part), documents, func(i, _ int) bool { return i%10 == shard })
		shapevet("profile", part, "--jobs", "8", "--no-progress", "-o", part+".json")
		shards = append(shards, part+".json")
	}
	shapevet(shards...)
	datasets.Write(t, filepath.Join(dir, "whole"), documents, func(int, int) bool { return true })
	shapevet("profile", "whole", "--jobs", "1", "--no-progress", "-o", "whole.json")

	whole, err := evidence.Load(filepath.Join(dir, "whole.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/app\n\ngo 1.22\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "types.go"), []byte(goTypes(whole)), 0o600))
	findings := func(file string) map[string]string {
		var r finding.Report
		require.NoError(t, json.Unmarshal(shapevet("check", "--no-progress", "--strict", "--output", "json", "--evidence", file, "./..."), &r))
		found := map[string]string{}
		for _, f := range r.Findings {
			found[f.Rule+" "+f.Subject.Symbol] = fmt.Sprintf("%v %.2f at %s:%d", f.Severity, f.Confidence, f.Location.File, f.Location.Line)
		}
		return found
	}
	want := findings("whole.json")
	assert.Greater(t, len(want), 5)
	assert.Equal(t, want, findings("shards.json"))
}

// goTypes writes a Go type for each collection, modelled on its documents.
func goTypes(f *evidence.File) string {
	var b strings.Builder
	b.WriteString("package app\n")
	for _, c := range f.Collections {
		fmt.Fprintf(&b, "\n//shapevet:document collection=%s\ntype %s %s\n", c.Name, c.Name, goType(c.Whole().Root))
	}
	return b.String()
}

func goType(n *evidence.Node) string {
	switch {
	case n == nil || n.Present() == 0:
		return "any"
	case n.Elem != nil && n.Types[profile.Array] == n.Present():
		return "[]" + goType(n.Elem)
	case n.Objects() == n.Present() && n.Rest != nil && len(n.Fields) == 0:
		return "map[string]" + goType(n.Rest)
	case n.Objects() == n.Present():
		var b strings.Builder
		b.WriteString("struct {\n")
		for i, name := range n.FieldNames() {
			if !strings.ContainsAny(name, "\"`\\,:") {
				fmt.Fprintf(&b, "\tF%d %s `json:\"%s\"`\n", i, goType(n.Fields[name]), name)
			}
		}
		return b.String() + "}"
	case n.Types[profile.String] == n.Present():
		return "string"
	case n.Types[profile.Bool] == n.Present():
		return "bool"
	case n.Types[profile.Int]+n.Types[profile.Double] == n.Present():
		return "float64"
	}
	return "any"
}
