package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// build builds the program with all databases.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "shapevet")
	command := exec.Command("go", "build", "-o", program, "./cmd/shapevet")
	command.Dir = "../../live"
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// canary is a secret that must never be shown, encoded as in a URL and plain.
const (
	canary        = "c4nary/s3cret"
	escapedCanary = "c4nary%2Fs3cret"
)

// TestNoCredentialsAnywhere fails in a dozen ways with a secret in every place
// that credentials come from.
func TestNoCredentialsAnywhere(t *testing.T) {
	t.Parallel()
	program := build(t)
	for name, c := range map[string]struct {
		args []string
		env  string
	}{
		"nobody listens":      {args: []string{"check", "mongodb://user:" + escapedCanary + "@127.0.0.1:1/shop"}},
		"not escaped":         {args: []string{"check", "mongodb://user:" + canary + "@127.0.0.1:1/shop"}},
		"a colon too much":    {args: []string{"check", "mongodb://user:" + escapedCanary + "@127.0.0.1:x:1/shop"}},
		"no host":             {args: []string{"check", "mongodb://user:" + escapedCanary + "@/shop"}},
		"no such name":        {args: []string{"check", "mongodb+srv://user:" + escapedCanary + "@nowhere.invalid/shop"}},
		"a bad option":        {args: []string{"check", "mongodb://127.0.0.1:1/shop?authMechanism=" + escapedCanary}},
		"a token":             {args: []string{"check", "mongodb://127.0.0.1:1/shop?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:" + escapedCanary}},
		"a bad time":          {args: []string{"check", "mongodb://user:" + escapedCanary + "@127.0.0.1:1/shop?maxPoolSize=many"}},
		"several outputs":     {args: []string{"check", "-o", "json=r.json", "-o", "sarif=r.sarif", "-o", "html=r.html", "mongodb://user:" + escapedCanary + "@127.0.0.1:1/shop"}},
		"a sample":            {args: []string{"sample", "mongodb://user:" + escapedCanary + "@127.0.0.1:1/shop", "-o", "s.archive"}},
		"an unknown scheme":   {args: []string{"check", "postgres://user:" + escapedCanary + "@127.0.0.1:1/shop"}},
		"a sample of one":     {args: []string{"sample", "postgres://user:" + escapedCanary + "@127.0.0.1:1/shop", "-o", "s"}},
		"a profile":           {args: []string{"profile", "mongodb://user:" + escapedCanary + "@127.0.0.1:1/shop", "-o", "p.json"}},
		"a fix":               {args: []string{"check", "--fix", "mongodb://user:" + escapedCanary + "@127.0.0.1:1/shop"}},
		"a key that is none":  {args: []string{"check", "cosmosdb+http://127.0.0.1:1/shop"}, env: "COSMOS_KEY=" + canary + "!"},
		"a key in the URL":    {args: []string{"check", "cosmosdb://user:" + escapedCanary + "@127.0.0.1:1/shop"}},
		"a connection string": {args: []string{"check", "cosmosdb+http://127.0.0.1:1/shop"}, env: "COSMOS_CONNECTION_STRING=AccountKey=" + canary + "!;"},
		"half of one":         {args: []string{"check", "cosmosdb+http://127.0.0.1:1/shop"}, env: "COSMOS_CONNECTION_STRING=" + canary},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, temporary := t.TempDir(), t.TempDir()
			command := exec.Command(program, append(c.args, "--temp-dir", temporary)...)
			if c.args[0] == "sample" {
				command.Args = command.Args[:len(command.Args)-2]
			}
			command.Dir = dir
			command.Env = append(os.Environ(), "TMPDIR="+temporary)
			if c.env != "" {
				command.Env = append(command.Env, c.env)
			}
			var output bytes.Buffer
			command.Stdout, command.Stderr = &output, &output
			require.Error(t, command.Run())
			assert.Equal(t, 2, command.ProcessState.ExitCode(), output.String())
			assert.NotEmpty(t, output.String())
			shown := []string{output.String()}
			for _, root := range []string{dir, temporary} {
				require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
					if err == nil && entry.Type().IsRegular() {
						text, err := os.ReadFile(path)
						require.NoError(t, err)
						shown = append(shown, path, string(text))
					}
					return err
				}))
			}
			for _, text := range shown {
				assert.NotContains(t, text, "c4nary")
				assert.NotContains(t, text, "s3cret")
			}
		})
	}
}

// TestEachWayTheSame reads one database live, from a kept sample, and, if
// MONGO_TOOLS names the directory with them, from what mongodump and mongoexport
// write: the findings are the same.
func TestEachWayTheSame(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.insert(t, "shop", "customers", 90, func(i int) any {
		customer := bson.D{{Key: "_id", Value: oid(1, i)}, {Key: "email", Value: fmt.Sprintf("someone%d@mail.example", i)}, {Key: "joined", Value: bson.DateTime(1600000000000 + int64(i)*86400000)}}
		if i == 50 {
			customer[1].Value = "SomeOne7@mail.example"
		}
		return customer
	})
	s.insert(t, "shop", "orders", 400, func(i int) any {
		lines := bson.A{}
		for n := range i % 300 {
			lines = append(lines, bson.D{{Key: "sku", Value: fmt.Sprintf("S-%04d", n*7%900)}, {Key: "pieces", Value: int32(n % 5)}})
		}
		return bson.D{{Key: "_id", Value: oid(2, i)}, {Key: "customerId", Value: oid(1, i%91)}, {Key: "lines", Value: lines}, {Key: "total", Value: 0.5 + float64(i)}}
	})
	complete := jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"customers": {Complete: true}, "orders": {Complete: true}}}
	live := told(check(t, jsonlint.Options{}, s.uri("shop")))
	require.NotEmpty(t, live)
	assert.True(t, slices.ContainsFunc(live, func(f string) bool { return strings.HasPrefix(f, "dangling-reference") }), live)
	assert.Equal(t, live, told(check(t, jsonlint.Options{Jobs: 8}, s.uri("shop"))), "with eight workers")
	assert.Equal(t, live, told(check(t, jsonlint.Options{}, "mongodb://"+s.address+"/")), "all databases")

	program, dir := build(t), t.TempDir()
	kept := filepath.Join(dir, "shop.archive")
	out, err := exec.Command(program, "sample", s.uri("shop"), "-o", kept).CombinedOutput()
	require.NoError(t, err, "%s", out)
	info, err := os.Stat(kept)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	assert.Equal(t, live, told(check(t, complete, kept)), "a sample that was kept")
	assert.Equal(t, live, told(check(t, jsonlint.Options{Jobs: 8, Collections: complete.Collections}, kept)))

	t.Run("the tools of MongoDB", func(t *testing.T) {
		tools := os.Getenv("MONGO_TOOLS")
		if tools == "" {
			t.Skip("needs MONGO_TOOLS, a directory with mongodump and mongoexport")
		}
		run := func(tool string, args ...string) {
			out, err := exec.Command(filepath.Join(tools, tool), append([]string{"--uri", s.uri("shop")}, args...)...).CombinedOutput()
			require.NoError(t, err, "%s: %s", tool, out)
		}
		run("mongodump", "--out", filepath.Join(dir, "dump"))
		run("mongodump", "--gzip", "--out", filepath.Join(dir, "dump-gzip"))
		run("mongodump", "--archive="+filepath.Join(dir, "a.archive"))
		run("mongodump", "--gzip", "--archive="+filepath.Join(dir, "a.archive.gz"))
		for _, collection := range []string{"customers", "orders"} {
			run("mongoexport", "--collection", collection, "--out", filepath.Join(dir, "lines", collection+".jsonl"))
		}
		for _, input := range []string{"dump", "dump-gzip", "a.archive", "a.archive.gz", "lines"} {
			for _, jobs := range []int{1, 8} {
				o := complete
				o.Jobs, o.DB = jobs, "mongodb"
				assert.Equal(t, live, told(check(t, o, filepath.Join(dir, input))), "%s, %d workers", input, jobs)
			}
		}
	})
}

// told returns the findings without their places.
func told(report *finding.Report) []string {
	var out []string
	for _, f := range report.Findings {
		evidence, _ := json.Marshal(f.Evidence)
		out = append(out, fmt.Sprintf("%s %s.%s %s %.3f %s %s", f.Rule, f.Subject.Collection, f.Subject.Path, f.Severity, f.Confidence, f.Message, evidence))
	}
	slices.Sort(out)
	return out
}
