package ci

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/joshdk/go-junit"
	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const multitool = "@microsoft/sarif-multitool@5.7.0"

// shared is where programs and schemas are installed, once for all tests.
var shared = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "shapevet-ci-") })

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := shared(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

var installMultitool = sync.OnceValues(func() (string, error) {
	dir, err := shared()
	if err != nil {
		return "", err
	}
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, multitool)
	npm.Stderr = os.Stderr
	if err := npm.Run(); err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(dir, "node_modules", "@microsoft", "sarif-multitool-*", "Sarif.Multitool*"))
	for _, path := range found {
		// npm may skip the install script that makes it executable.
		if info, err := os.Stat(path); err == nil && info.Size() > 1<<20 {
			return path, os.Chmod(path, 0o700) //nolint:gosec // it is a program
		}
	}
	return "", errors.Join(err, errors.New("the package holds no program"))
})

// validateSARIF runs Microsoft's validator, with its rules for SARIF and for
// GitHub code scanning.
func validateSARIF(t *testing.T, path string) {
	t.Helper()
	program, err := installMultitool()
	require.NoError(t, err)
	command := exec.Command(program, "validate", path, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--output", filepath.Join(t.TempDir(), "out.sarif"))
	command.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1")
	out, err := command.CombinedOutput()
	require.Contains(t, string(out), "Analysis completed successfully", "%v", err)
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, ": error ") || strings.Contains(line, ": warning ") {
			t.Error(strings.TrimSpace(line))
		}
	}
}

// TestValidatorSeesMistakes checks that the validator finds mistakes at all.
func TestValidatorSeesMistakes(t *testing.T) {
	t.Parallel()
	program, err := installMultitool()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "bad.sarif")
	require.NoError(t, os.WriteFile(path, []byte(`{"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "rules": [{"id": "r"}]}}, "results": [{"ruleId": "r", "ruleIndex": 4, "message": {"text": "m"}}]}]}`), 0o600))
	command := exec.Command(program, "validate", path, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning", "--output", path+".out")
	command.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1")
	out, _ := command.CombinedOutput() // the exit code says the same
	assert.Regexp(t, `error (GH|SARIF)\d+:`, string(out))
}

// validateRDJSON checks a report against the schemas that reviewdog publishes,
// which its module carries.
func validateRDJSON(t *testing.T, text []byte) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/reviewdog/reviewdog").Output()
	require.NoError(t, err)
	schema, err := jsonschema.Compile(filepath.Join(strings.TrimSpace(string(dir)), "proto", "rdf", "jsonschema", "DiagnosticResult.json"))
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	assert.NoError(t, schema.Validate(value))
	assert.Error(t, schema.Validate(map[string]any{"diagnostics": 1}), "the schema refuses nothing")
}

// validateCodeQuality checks the fields that GitLab wants:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
func validateCodeQuality(t *testing.T, text []byte) {
	t.Helper()
	schema, err := jsonschema.CompileString("codequality.json", `{
		"type": "array", "minItems": 1,
		"items": {
			"type": "object", "required": ["description", "check_name", "fingerprint", "severity", "location"],
			"properties": {
				"description": {"type": "string", "minLength": 1}, "check_name": {"type": "string", "minLength": 1},
				"fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32,}$"},
				"severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
				"location": {
					"type": "object", "required": ["path"],
					"properties": {"path": {"type": "string", "not": {"pattern": "^(\\./|/)"}}, "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}}}
				}
			}
		}
	}`)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(text, &value))
	assert.NoError(t, schema.Validate(value))
	assert.NotEqual(t, "\ufeff", string(text[:min(3, len(text))]), "GitLab reads no byte order mark")
}

// validateJUnit counts the failures with a JUnit reader.
func validateJUnit(t *testing.T, text []byte, failed int) {
	t.Helper()
	suites, err := junit.Ingest(text)
	require.NoError(t, err)
	got := 0
	for _, suite := range suites {
		got += suite.Totals.Failed
		for _, test := range suite.Tests {
			assert.NotEmpty(t, test.Name)
			assert.NotEmpty(t, test.Classname)
			if test.Error != nil {
				assert.NotEmpty(t, test.Message)
			}
		}
	}
	assert.Equal(t, failed, got)
}
