package objects

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcp"
	"golang.org/x/sync/errgroup"

	live "github.com/shapevet/shapevet/live/objects"
)

// stores are the servers that tests read from, by scheme.
var stores = map[string]*server{}

// A server is an object store with a proxy that can make it fail.
type server struct {
	front  *httptest.Server
	create func(ctx context.Context, bucket string) (*blob.Bucket, error)

	mutex sync.Mutex
	hooks map[string]http.HandlerFunc // by a part of the path
}

// emulatorAccount and emulatorKey are the public credentials of the Azure Storage
// emulators.
//
// Source: https://learn.microsoft.com/azure/storage/common/storage-connect-azurite
const (
	emulatorAccount = "devstoreaccount1"
	emulatorKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
	accessKey       = "AKIDSHAPEVETTEST"
)

// answer passes requests on, except those that a test answers itself.
func (s *server) answer(h http.Handler) {
	s.hooks = map[string]http.HandlerFunc{}
	s.front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		var hook http.HandlerFunc
		for part, h := range s.hooks {
			if strings.Contains(r.URL.Path, part) && r.Method == http.MethodGet {
				hook = h
			}
		}
		s.mutex.Unlock()
		if hook != nil {
			hook(w, r)
			return
		}
		h.ServeHTTP(w, r)
	})
	s.front.Start()
}

func (s *server) hook(part string, h http.HandlerFunc) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.hooks[part] = h
}

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	log.SetOutput(io.Discard) // the servers log a lot
	for _, variable := range []string{"AWS_PROFILE", "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS"} {
		if err := os.Unsetenv(variable); err != nil {
			return 0, err
		}
	}
	set := func(name, value string) { _ = os.Setenv(name, value) }

	s3 := &server{front: httptest.NewUnstartedServer(nil)}
	backend := s3mem.New()
	amazon := gofakes3.New(backend).Server()
	s3.answer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Authorization"), "Credential="+accessKey+"/") {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "<Error><Code>InvalidAccessKeyId</Code><Message>no such key</Message></Error>")
			return
		}
		amazon.ServeHTTP(w, r)
	}))
	defer s3.front.Close()
	s3.create = func(ctx context.Context, bucket string) (*blob.Bucket, error) {
		if err := backend.CreateBucket(bucket); err != nil {
			return nil, err
		}
		return new(s3blob.URLOpener).OpenBucketURL(ctx, &url.URL{Scheme: "s3", Host: bucket})
	}
	set("AWS_ENDPOINT_URL_S3", s3.front.URL)
	set("AWS_REGION", "us-east-1")
	set("AWS_ACCESS_KEY_ID", accessKey)
	set("AWS_SECRET_ACCESS_KEY", canary)
	set("AWS_EC2_METADATA_DISABLED", "true")
	set("AWS_REQUEST_CHECKSUM_CALCULATION", "when_required")
	stores["s3"] = s3

	gs := &server{front: httptest.NewUnstartedServer(nil)}
	google, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, PublicHost: gs.front.Listener.Addr().String(), Writer: io.Discard})
	if err != nil {
		return 0, err
	}
	gs.answer(google.HTTPHandler())
	defer gs.front.Close()
	gs.create = func(ctx context.Context, bucket string) (*blob.Bucket, error) {
		google.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket})
		return gcsblob.OpenBucket(ctx, gcp.NewAnonymousHTTPClient(gcp.DefaultTransport()), bucket, nil)
	}
	set("STORAGE_EMULATOR_HOST", gs.front.Listener.Addr().String())
	stores["gs"] = gs

	if dir := os.Getenv("SHAPEVET_AZURITE"); dir != "" {
		azblob := &server{front: httptest.NewUnstartedServer(nil)}
		stop, behind, err := startAzurite(dir)
		if err != nil {
			return 0, err
		}
		defer stop()
		azblob.answer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(behind)
			r.Out.Host = r.In.Host
		}})
		defer azblob.front.Close()
		set("AZURE_STORAGE_CONNECTION_STRING", connection(azblob.front.URL, emulatorKey))
		azblob.create = func(ctx context.Context, bucket string) (*blob.Bucket, error) {
			client, err := container.NewClientFromConnectionString(connection(azblob.front.URL, emulatorKey), bucket, nil)
			if err == nil {
				_, err = client.Create(ctx, nil)
			}
			if err != nil {
				return nil, err
			}
			return azureblob.OpenBucket(ctx, client, nil)
		}
		stores["azblob"] = azblob
	} else {
		fmt.Println("Azure Blob Storage is not tried: needs SHAPEVET_AZURITE, a directory with package.json of this one and what npm ci makes of it")
	}
	return m.Run(), nil
}

func connection(address, key string) string {
	return "DefaultEndpointsProtocol=http;AccountName=" + emulatorAccount + ";AccountKey=" + key + ";BlobEndpoint=" + address + "/" + emulatorAccount + ";"
}

// startAzurite starts the emulator of Azure Storage that npm has installed.
func startAzurite(dir string) (stop func(), address *url.URL, err error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		return nil, nil, err
	}
	emulator := exec.Command("node", filepath.Join(dir, "node_modules", "azurite", "dist", "src", "blob", "main.js"),
		"--silent", "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--blobPort", strconv.Itoa(port))
	emulator.Dir = os.TempDir()
	if err := emulator.Start(); err != nil {
		return nil, nil, err
	}
	stop = func() {
		_ = emulator.Process.Kill()
		_ = emulator.Wait()
	}
	address = &url.URL{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(port)}
	for range 3000 {
		if c, err := net.Dial("tcp", address.Host); err == nil {
			return stop, address, c.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	return nil, nil, fmt.Errorf("azurite does not listen at %s", address)
}

// fill creates a bucket with objects in each store.
func fill(t *testing.T, bucket string, objects map[string]string) {
	t.Helper()
	for scheme, s := range stores {
		b, err := s.create(t.Context(), bucket)
		require.NoError(t, err, scheme)
		group, ctx := errgroup.WithContext(t.Context())
		group.SetLimit(16)
		for key, text := range objects {
			group.Go(func() error { return b.WriteAll(ctx, key, []byte(text), &blob.WriterOptions{BufferSize: 64 << 10}) })
		}
		require.NoError(t, group.Wait(), scheme)
		require.NoError(t, b.Close())
	}
}

var openers = live.Stores()
