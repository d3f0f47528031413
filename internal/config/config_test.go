package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/config"
)

const full = `# a comment
version: 1
db: cosmosdb
docs: ["export/*.jsonl"]
collections:
  posts:
    files: [dump/posts*.jsonl, "more/**"]
    complete: true
    partitionKey: /postId
    id: slug
references:
  - {from: persons, path: "holdings[].stockId", to: stocks, key: id}
documents:
  - example.com/app/model.Post
  - {type: example.com/app/model.User, collection: users, db: mongodb, partitionKey: /tenant}
sinks:
  - example.com/app/store.Save
  - function: example.com/app/store.Repo.Put
    argument: 2
    db: couchbase
select: [unbounded-array, join-document]
rules:
  join-document: off
  unbounded-array:
    severity: error
    thresholds: {max-elements: 500, byte-share: 0.75}
lexicon:
  unbounded: [ticket]
ignore:
  - rule: unbounded-array
    collection: posts
    path: tags
    reason: the editor allows twenty
  - reason: legacy
    rule: volatile-embed
failOn: never
minConfidence: 0.25
maxFindings: 0
strict: true
output: [concise, "sarif=out.sarif"]
color: always
progress: false
statistics: true
exitZero: true
jobs: 3
stdinFilename: posts.json
evidence: [shapes.shapevet.json]
evidenceMaxAge: 30
evidenceDocuments: 500
`

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := config.Parse("c.yaml", []byte(full))
	require.NoError(t, err)
	assert.Equal(t, &config.Config{
		Version: 1, DB: "cosmosdb", Docs: []string{"export/*.jsonl"},
		Collections: map[string]config.Collection{
			"posts": {Files: []string{"dump/posts*.jsonl", "more/**"}, Complete: true, PartitionKey: "/postId", ID: "slug"},
		},
		References: []config.Reference{{From: "persons", Path: "holdings[].stockId", To: "stocks", Key: "id"}},
		Documents: []config.Document{
			{Type: "example.com/app/model.Post"},
			{Type: "example.com/app/model.User", Collection: "users", DB: "mongodb", PartitionKey: "/tenant"},
		},
		Sinks: []config.Sink{
			{Function: "example.com/app/store.Save"},
			{Function: "example.com/app/store.Repo.Put", Argument: 2, DB: "couchbase"},
		},
		Select: []string{"unbounded-array", "join-document"},
		Rules: map[string]config.Rule{
			"join-document":   {Severity: config.Off},
			"unbounded-array": {Severity: "error", Thresholds: map[string]float64{"max-elements": 500, "byte-share": 0.75}},
		},
		Lexicon: map[string][]string{"unbounded": {"ticket"}},
		Ignore: []config.Ignore{
			{Rule: "unbounded-array", Collection: "posts", Path: "tags", Reason: "the editor allows twenty", Line: 30},
			{Rule: "volatile-embed", Reason: "legacy", Line: 34},
		},
		FailOn: "never", MinConfidence: 0.25, MaxFindings: 0, MaxPerRule: 10, Strict: true, Output: []string{"concise", "sarif=out.sarif"},
		Color: "always", Progress: false, Statistics: true, ExitZero: true, Jobs: 3, StdinFilename: "posts.json", DefaultExcludes: true,
		Evidence: []string{"shapes.shapevet.json"}, EvidenceAge: 30, EvidenceDocs: 500,
	}, got)
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	got, err := config.Parse("c.yaml", []byte("version: 1\n"))
	require.NoError(t, err)
	assert.Equal(t, config.Default(), got)
}

func TestStarterIsValid(t *testing.T) {
	t.Parallel()
	got, err := config.Parse("c.yaml", config.Starter())
	require.NoError(t, err)
	assert.Equal(t, config.Default(), got, "the starter changes nothing")

	// Commented-out settings must be valid too. Prose starts with a capital
	// letter, or continues such a line.
	var lines []string
	_, body, _ := strings.Cut(string(config.Starter()), "version: 1\n")
	lines = append(lines, "version: 1\n")
	for line := range strings.Lines(body) {
		text, commented := strings.CutPrefix(line, "# ")
		if !commented {
			lines = append(lines, line)
		} else if key, _, ok := strings.Cut(text, ":"); strings.HasPrefix(text, " ") || ok && strings.ToLower(key) == key && !strings.Contains(key, " ") {
			lines = append(lines, text)
		}
	}
	got, err = config.Parse("c.yaml", []byte(strings.Join(lines, "")))
	require.NoError(t, err, strings.Join(lines, ""))
	assert.Len(t, got.Ignore, 1)
	assert.Contains(t, got.Rules, "unbounded-array")
	assert.Contains(t, got.Collections, "posts")
	assert.Len(t, got.References, 1)
}

func TestYAMLIsReadBack(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"full": full, "defaults": "version: 1"} {
		first, err := config.Parse("c.yaml", []byte(text))
		require.NoError(t, err, name)
		printed, err := first.YAML()
		require.NoError(t, err, name)
		second, err := config.Parse("printed.yaml", printed)
		require.NoError(t, err, "%s:\n%s", name, printed)
		for i := range first.Ignore {
			first.Ignore[i].Line, second.Ignore[i].Line = 0, 0
		}
		assert.Equal(t, first, second, "%s:\n%s", name, printed)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "c.yaml:1:1: version is missing"},
		{"only comments", "# nothing\n", "c.yaml:1:1: version is missing"},
		{"no mapping", "- a\n", "c.yaml:1:1: the configuration: expected object, but got array"},
		{"version", "version: 2", "c.yaml:1:10: version must be 1"},
		{"unknown key", "version: 1\nfail_on: error", `c.yaml:2:1: unknown key "fail_on": did you mean "failOn"?`},
		{"unknown key without a likeness", "version: 1\nxyzzy: 1", `c.yaml:2:1: unknown key "xyzzy"`},
		{
			"nested unknown key", "version: 1\ncollections:\n  posts:\n    file: [a]",
			`c.yaml:4:5: unknown key "file" in collections.posts: did you mean "files"?`,
		},
		{
			"unknown rule", "version: 1\nrules:\n  unbounded-arrays: off",
			`c.yaml:3:3: unknown rule "unbounded-arrays": did you mean "unbounded-array"?`,
		},
		{
			"unknown rule in select", "version: 1\nselect:\n  - join-document\n  - join-documents",
			`c.yaml:4:5: unknown rule "join-documents": did you mean "join-document"?`,
		},
		{
			"unknown threshold", "version: 1\nrules:\n  unbounded-array:\n    thresholds: {max-element: 3}",
			`c.yaml:4:18: unbounded-array has no threshold "max-element": did you mean "max-elements"?`,
		},
		{
			"threshold of a rule that has none", "version: 1\nrules:\n  input-error:\n    thresholds: {x: 3}",
			`c.yaml:4:18: input-error has no threshold "x"`,
		},
		{"unknown word list", "version: 1\nlexicon:\n  unbound: [a]", `c.yaml:3:3: unknown word list "unbound": did you mean "unbounded"?`},
		{"severity", "version: 1\nrules:\n  join-document: warn", `c.yaml:3:18: rules.join-document is "warn": did you mean "warning"?`},
		{
			"severity in an object", "version: 1\nrules:\n  join-document: {severity: fatal}",
			`c.yaml:3:29: rules.join-document.severity is "fatal": use one of error, warning, info, off`,
		},
		{"db", "version: 1\ndb: cosmos", `c.yaml:2:5: db is "cosmos": did you mean "cosmosdb"?`},
		{"type", "version: 1\nselect: join-document", "c.yaml:2:9: select: expected array, but got string"},
		{"range", "version: 1\nminConfidence: 5", "c.yaml:2:16: minConfidence: must be <= 1 but found 5"},
		{"no reason", "version: 1\nignore:\n  - rule: join-document", "c.yaml:3:5: ignore[0].reason is missing"},
		{"empty reason", "version: 1\nignore:\n  - rule: join-document\n    reason: ' '", "c.yaml:4:13: ignore[0].reason must not be empty"},
		{"partition key", "version: 1\ncollections: {a: {partitionKey: postId}}", "c.yaml:2:33: collections.a.partitionKey must be a path such as /postId"},
		{"format", "version: 1\noutput: [jsno]", `c.yaml:2:10: unknown output format "jsno": did you mean "json"?`},
		{"output", "version: 1\noutput: ['']", "c.yaml:2:10: output[0] must be FORMAT or FORMAT=FILE"},
		{"glob", "version: 1\ndocs: ['a[']", `c.yaml:2:8: docs[0] is not a valid glob: a[: close the brackets, or escape them with \`},
		{"duplicate key", "version: 1\ndb: mongodb\ndb: cosmosdb", `c.yaml:3:1: not YAML: mapping key "db" already defined at [2:1]`},
		{"alias", "version: &v 1\njobs: *v", "c.yaml:1:10: anchors, aliases and merge keys are not supported: write the value out"},
		{"tag", "version: !!int 1", "c.yaml:1:10: tags are not supported: leave the tag out"},
		{"two documents", "version: 1\n---\nversion: 1", "c.yaml:2:1: a configuration file holds one YAML document: remove what follows ---"},
		{
			"all at once, in order", "version: 1\njobs: -1\ndb: cosmos\nstrikt: true",
			"c.yaml:2:7: jobs: must be >= 0 but found -1\n" +
				"c.yaml:3:5: db is \"cosmos\": did you mean \"cosmosdb\"?\n" +
				"c.yaml:4:1: unknown key \"strikt\": did you mean \"strict\"?",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Parse("c.yaml", []byte(test.text))
			problem := (*config.Error)(nil)
			require.ErrorAs(t, err, &problem)
			assert.Equal(t, test.want, err.Error())
		})
	}
}

func TestSyntaxError(t *testing.T) {
	t.Parallel()
	_, err := config.Parse("c.yaml", []byte("version: 1\nrules: {a: [}\n"))
	assert.ErrorContains(t, err, "c.yaml:2:")
	assert.ErrorContains(t, err, "not YAML: ")
}

func TestFindAndLoad(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))

	path := filepath.Join(root, config.FileName)
	require.NoError(t, os.WriteFile(path, []byte("version: 1\ndb: mongodb\n"), 0o600))
	found, err := config.Find(deep)
	require.NoError(t, err)
	assert.Equal(t, path, found)

	near := filepath.Join(root, "a", config.FileName)
	require.NoError(t, os.WriteFile(near, []byte("version: 1\n"), 0o600))
	found, err = config.Find(deep)
	require.NoError(t, err)
	assert.Equal(t, near, found, "the nearest one wins")

	loaded, err := config.Load(path)
	require.NoError(t, err)
	assert.Equal(t, "mongodb", loaded.DB)
	assert.Equal(t, path, loaded.Path)

	_, err = config.Load(filepath.Join(root, "none.yaml"))
	assert.ErrorIs(t, err, os.ErrNotExist)

	large := filepath.Join(root, "large.yaml")
	require.NoError(t, os.WriteFile(large, make([]byte, 2<<20), 0o600))
	_, err = config.Load(large)
	assert.ErrorContains(t, err, "larger than 128 KB")
}

// FuzzConfig checks that any text is either read, printed and read back
// unchanged, or refused with a place.
func FuzzConfig(f *testing.F) {
	f.Add(full)
	f.Add(string(config.Starter()))
	f.Add("version: 1\nrules: {a: [}")
	f.Add("a: &a [*a, *a]\n? b\n: |\n  c\n<<: *a")
	f.Add("version: !!str 1\n---\n- .inf\n- 0x1F\n- 1e999")
	f.Fuzz(func(t *testing.T, text string) {
		first, err := config.Parse("c.yaml", []byte(text))
		if err != nil {
			problem := (*config.Error)(nil)
			if !errors.As(err, &problem) || len(problem.Problems) == 0 {
				t.Fatalf("error without a place: %v", err)
			}
			for _, p := range problem.Problems {
				if p.Location.Line < 1 || p.Location.Column < 1 || p.Message == "" {
					t.Fatalf("problem without a place: %+v", p)
				}
			}
			return
		}
		printed, err := first.YAML()
		if err != nil {
			t.Fatal(err)
		}
		second, err := config.Parse("printed.yaml", printed)
		if err != nil {
			t.Fatalf("printed configuration is refused: %v\n%s", err, printed)
		}
		again, err := second.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if string(printed) != string(again) {
			t.Fatalf("printed configuration changes:\n%s\n%s", printed, again)
		}
	})
}
