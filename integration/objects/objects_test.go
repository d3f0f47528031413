package objects

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// canary is a secret that must never be shown.
const canary = "c4nary/s3cret+of/the/tests=="

// check checks inputs like the program.
func check(t *testing.T, inputs ...string) *finding.Report {
	t.Helper()
	o := jsonlint.Options{Jobs: 2}
	o.Source.Stores, o.Source.Defaults = openers, true
	report, err := jsonlint.Check(t.Context(), inputs, o)
	require.NoError(t, err)
	return report
}

func problems(r *finding.Report) []string {
	var told []string
	for _, p := range r.Problems {
		told = append(told, p.Location.File+": "+p.Message)
	}
	return told
}

// shop is a database with mistakes, in every form that files have.
func shop(t *testing.T) map[string]string {
	t.Helper()
	id := func(kind string, i int) string { return fmt.Sprintf("%s-%08x-4bb1-a6c2", kind, uint32(i+1)*2654435761) }
	var customers, orders strings.Builder
	files := map[string]string{"dump/readme.txt": "none of them", "dump/package.json": "{}", "elsewhere/customers.jsonl": `{"_id":"x"}`}
	for i := range 300 {
		fmt.Fprintf(&customers, `{"_id":%q,"name":"Customer %d","email":"someone%d@mail.example"}`+"\n", id("c", i), i, i)
	}
	for i := range 900 {
		customer := id("c", i%300)
		if i%300 == 7 {
			customer = id("gone", i)
		}
		fmt.Fprintf(&orders, `{"_id":%q,"customerId":%q,"total":%d}`+"\n", id("o", i), customer, 10+i%70)
	}
	for i := range 12 {
		files[fmt.Sprintf("dump/notes/%03d.json", i)] = fmt.Sprintf(`{"_id":%q,"customerId":%q,"text":"note %d"}`, id("n", i), id("c", i), i)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, customers.String())
	require.NoError(t, err)
	require.NoError(t, w.Close())
	files["dump/customers.jsonl.gz"] = packed.String()
	encoder, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	files["dump/orders.jsonl.zst"] = string(encoder.EncodeAll([]byte(orders.String()), nil))
	return files
}

// TestEachStoreTheSame finds in each store what it finds on a disk.
func TestEachStoreTheSame(t *testing.T) {
	t.Parallel()
	files := shop(t)
	fill(t, "shop", files)
	dir := filepath.ToSlash(t.TempDir()) + "/"
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(dir+name), 0o755))
		require.NoError(t, os.WriteFile(dir+name, []byte(text), 0o644))
	}
	for _, input := range []string{"dump/", "dump/orders.jsonl.zst", "**/*.{gz,zst}"} {
		told := func(root string) string {
			report := check(t, root+input)
			require.Empty(t, problems(report))
			for i, f := range report.Findings {
				assert.True(t, strings.HasPrefix(f.Location.File, root), f.Location.File)
				report.Findings[i].Fixes = nil // a file on the disk can be changed
			}
			text, err := json.Marshal(report.Findings)
			require.NoError(t, err)
			return strings.ReplaceAll(string(text), root, "")
		}
		want := told(dir)
		for scheme := range stores {
			assert.JSONEq(t, want, told(scheme+"://shop/"), "%s %s", scheme, input)
		}
		assert.Equal(t, !strings.Contains(input, "orders"), strings.Contains(want, "dangling-reference"), want)
	}
}

// TestShardsReadObjectsInPlace checks that shards find what one process finds, in
// each store.
func TestShardsReadObjectsInPlace(t *testing.T) {
	t.Parallel()
	files := shop(t)
	var visits strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&visits, `{"_id":"v-%08x","page":"/page/%d","seconds":%d}`+"\n", uint32(i+1)*2654435761, i%97, i%301)
	}
	visits.WriteString(`{"_id":"v-last","page":7,"seconds":1}` + "\n")
	files["dump/visits.jsonl"] = visits.String()
	fill(t, "shards", files)
	for scheme := range stores {
		input := scheme + "://shards/dump/"
		want := check(t, input)
		require.Empty(t, problems(want))
		require.NotEmpty(t, want.Findings)
		o := jsonlint.Options{Jobs: 1, Part: &jsonlint.Part{Dir: t.TempDir(), Shards: 3}}
		o.Source.Stores, o.Source.Defaults, o.Source.InPlace = openers, true, true
		for done := 0; done < 3; {
			done = 0
			for shard := range 3 {
				o.Part.Shard = shard + 1
				_, err := jsonlint.Check(t.Context(), []string{input}, o)
				if errors.Is(err, jsonlint.ErrShardDone) {
					done++
				} else {
					require.ErrorAs(t, err, new(*jsonlint.UnfinishedError))
				}
			}
		}
		o.Part.Shard = 0
		got, err := jsonlint.Check(t.Context(), []string{input}, o)
		require.NoError(t, err)
		assert.Equal(t, want.Findings, got.Findings, scheme)
		assert.Empty(t, problems(got))
	}
}

// TestMoreThanAPage reads more objects than a store lists at once, and than
// files may be open.
func TestMoreThanAPage(t *testing.T) {
	t.Parallel()
	objects := map[string]string{}
	for i := range 1200 {
		objects[fmt.Sprintf("parts/part-%05d.jsonl", i)] = fmt.Sprintf(`{"_id":%d}`+"\n"+`{"_id":"b%d"}`+"\n", i, i)
	}
	fill(t, "many", objects)
	for scheme := range stores {
		report := check(t, scheme+"://many/parts/")
		assert.Empty(t, problems(report))
		assert.EqualValues(t, 2400, report.Summary.Documents, scheme)
	}
}

// TestOneObjectDoesNotLoseTheOthers has an object that is deleted after it was
// listed, one that ends early, and one that may not be read.
func TestOneObjectDoesNotLoseTheOthers(t *testing.T) {
	t.Parallel()
	objects := map[string]string{}
	for _, name := range []string{"a", "cut", "gone", "locked", "z"} {
		objects["broken/"+name+".jsonl"] = `{"_id":1,"of":"` + name + `"}` + "\n"
	}
	fill(t, "broken", objects)
	for scheme, s := range stores {
		s.hook("broken/gone.jsonl", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("x-ms-error-code", "BlobNotFound")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "<Error><Code>NoSuchKey</Code></Error>")
		})
		s.hook("broken/locked.jsonl", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("x-ms-error-code", "AuthorizationPermissionMismatch")
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "<Error><Code>AccessDenied</Code></Error>")
		})
		s.hook("broken/cut.jsonl", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "4000")
			w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
			_, _ = io.WriteString(w, `{"_id":1}`)
		})
		report := check(t, scheme+"://broken/broken/")
		assert.EqualValues(t, 2, report.Summary.Documents, scheme)
		told := problems(report)
		require.Len(t, told, 3, "%s %v", scheme, told)
		assert.Contains(t, told[0], scheme+"://broken/broken/cut.jsonl: the object cannot be read to its end: ")
		assert.Equal(t, scheme+"://broken/broken/gone.jsonl: there is no such object", told[1])
		assert.Contains(t, told[2], scheme+"://broken/broken/locked.jsonl: the user has no permission, or the credentials are wrong: the store answers 403 ")
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	fill(t, "one", map[string]string{"a/b.jsonl": `{"_id":1}`})
	for scheme := range stores {
		for input, want := range map[string]string{
			"://one/a/c.jsonl":             "there is no such object",
			"://one/a":                     "there is no such object",
			"://one/c/":                    "there are no objects below this",
			"://one/*.json":                "no object matches this glob",
			"://nowhere/a/":                "there is no bucket nowhere",
			"://nowhere/a/b.jsonl":         "there is no bucket nowhere",
			"://nowhere/*":                 "there is no bucket nowhere",
			"://one/a/?.jsonl":             "in a glob use *",
			"://one/a/?endpoint=http://x":  "options stand after ?",
			"://user:c4nary%2Fx@one/a/":    "this is no address of an object",
			"://user:c4nary/s3cret@one/a/": "this is no address of an object",
			":///a":                        "this is no address of an object",
		} {
			report := check(t, scheme+input)
			require.Len(t, report.Problems, 1, scheme+input)
			assert.Contains(t, report.Problems[0].Message, want, scheme+input)
			assert.NotContains(t, fmt.Sprint(report.Problems), "c4nary")
		}
	}
}

func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "shapevet")
	command := exec.Command("go", "build", "-o", program, "./cmd/shapevet")
	command.Dir = "../../live"
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// TestProgram runs the program with wrong credentials, and stops it while it reads
// a large object.
func TestProgram(t *testing.T) {
	t.Parallel()
	program := build(t)
	fill(t, "program", map[string]string{"large/a.jsonl": strings.Repeat(`{"_id":1}`+"\n", 100)})
	start := func(t *testing.T, env map[string]string, args ...string) (*exec.Cmd, *bytes.Buffer, string) {
		t.Helper()
		temporary, output := t.TempDir(), &bytes.Buffer{}
		command := exec.Command(program, append([]string{"check", "--temp-dir", temporary}, args...)...)
		command.Dir = t.TempDir()
		command.Stdout, command.Stderr, command.Env = output, output, os.Environ()
		for name, value := range maps.All(env) {
			command.Env = append(command.Env, name+"="+value)
		}
		require.NoError(t, command.Start())
		return command, output, temporary
	}
	empty := func(t *testing.T, dir string) {
		t.Helper()
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left)
	}
	closed := "127.0.0.1:1"
	for name, c := range map[string]struct {
		input string
		env   map[string]string
		want  string
	}{
		"S3: an unknown key":         {"s3://program/large/", map[string]string{"AWS_ACCESS_KEY_ID": "AKIDUNKNOWN"}, "403 InvalidAccessKeyId"},
		"S3: an object":              {"s3://program/large/a.jsonl", map[string]string{"AWS_ACCESS_KEY_ID": "AKIDUNKNOWN"}, "403 InvalidAccessKeyId"},
		"S3: no key":                 {"s3://program/large/", map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SHARED_CREDENTIALS_FILE": "/none", "AWS_CONFIG_FILE": "/none"}, "credentials"},
		"S3: nobody listens":         {"s3://program/large/", map[string]string{"AWS_ENDPOINT_URL_S3": "http://" + closed}, "127.0.0.1:1"},
		"S3: no region":              {"s3://program/large/", map[string]string{"AWS_REGION": "", "AWS_ENDPOINT_URL_S3": ""}, "egion"},
		"GCS: nobody listens":        {"gs://program/large/", map[string]string{"STORAGE_EMULATOR_HOST": closed}, "127.0.0.1:1"},
		"GCS: no credentials":        {"gs://program/large/", map[string]string{"STORAGE_EMULATOR_HOST": "", "GOOGLE_APPLICATION_CREDENTIALS": "/none.json"}, "there are no credentials"},
		"Azure: another key":         {"azblob://program/large/", map[string]string{"AZURE_STORAGE_CONNECTION_STRING": strings.Replace(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), "AccountKey=Eby", "AccountKey=c4n", 1)}, "403 AuthorizationFailure"},
		"Azure: no key":              {"azblob://program/large/", map[string]string{"AZURE_STORAGE_CONNECTION_STRING": connection("http://"+closed, canary)}, "connect: "},
		"Azure: no account":          {"azblob://program/large/", map[string]string{"AZURE_STORAGE_CONNECTION_STRING": ""}, "AZURE_STORAGE_ACCOUNT"},
		"Azure: a token that is bad": {"azblob://program/large/", map[string]string{"AZURE_STORAGE_CONNECTION_STRING": "", "AZURE_STORAGE_ACCOUNT": emulatorAccount, "AZURE_STORAGE_DOMAIN": closed, "AZURE_STORAGE_PROTOCOL": "http", "AZURE_STORAGE_SAS_TOKEN": "sv=2024-11-04&sig=c4nary%2Fs3cret"}, "127.0.0.1:1"},
	} {
		scheme, _, _ := strings.Cut(c.input, ":")
		if stores[scheme] == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command, output, temporary := start(t, c.env, "-o", "json=report.json", c.input)
			_ = command.Wait()
			assert.Equal(t, 2, command.ProcessState.ExitCode())
			assert.Contains(t, output.String(), c.want)
			report, err := os.ReadFile(filepath.Join(command.Dir, "report.json"))
			require.NoError(t, err)
			for _, text := range []string{output.String(), string(report)} {
				for _, secret := range []string{"c4n", "s3cret", emulatorKey} {
					assert.NotContains(t, text, secret)
				}
			}
			empty(t, temporary)
		})
	}
	for scheme, s := range stores {
		t.Run(scheme+" is ended", func(t *testing.T) {
			t.Parallel()
			half := make(chan struct{})
			s.hook("program/large/endless.jsonl", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", "100000000")
				w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
				_, _ = io.WriteString(w, strings.Repeat(`{"_id":1}`+"\n", 5_000_000))
				w.(http.Flusher).Flush()
				close(half)
				<-r.Context().Done()
			})
			command, output, temporary := start(t, nil, scheme+"://program/large/a.jsonl", scheme+"://program/large/endless.jsonl")
			select {
			case <-half:
			case <-time.After(time.Minute):
				_ = command.Process.Kill()
				t.Fatal("the object is not read: " + output.String())
			}
			asked := time.Now()
			require.NoError(t, command.Process.Signal(syscall.SIGINT))
			_ = command.Wait()
			assert.Less(t, time.Since(asked), 2*time.Second)
			assert.Equal(t, 130, command.ProcessState.ExitCode(), output.String())
			empty(t, temporary)
		})
	}
}
