// Package live tests the sampling of databases on servers with their protocols.
package live

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/live/cosmosdb"
	"github.com/shapevet/shapevet/live/mongodb"
)

func init() { slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil))) } // the server logs a lot

// A server is FerretDB with files of its own.
type server struct {
	address string // host:port
	dir     string
	client  *mongo.Client
	stop    func()
}

func (s *server) uri(database string) string { return "mongodb://" + s.address + "/" + database }

func startServer(t *testing.T) *server {
	t.Helper()
	s := &server{dir: t.TempDir()}
	f, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: "127.0.0.1:0"}, Handler: "sqlite", SQLiteURL: "file:" + filepath.ToSlash(s.dir) + "/",
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = f.Run(ctx) // if it does not serve, the test fails below
	}()
	address, err := url.Parse(f.MongoDBURI())
	require.NoError(t, err)
	s.address = address.Host
	s.client, err = mongo.Connect(options.Client().ApplyURI(f.MongoDBURI()))
	require.NoError(t, err)
	s.stop = sync.OnceFunc(func() {
		_ = s.client.Disconnect(context.Background())
		cancel()
		<-done
	})
	t.Cleanup(s.stop)
	return s
}

// insert adds documents in large batches.
func (s *server) insert(t *testing.T, database, collection string, n int, document func(i int) any) {
	t.Helper()
	const batch = 2000
	for from := 0; from < n; from += batch {
		var documents []any
		for i := from; i < min(n, from+batch); i++ {
			documents = append(documents, document(i))
		}
		_, err := s.client.Database(database).Collection(collection).InsertMany(context.Background(), documents)
		require.NoError(t, err)
	}
}

// check checks inputs like the program.
func check(t *testing.T, o jsonlint.Options, inputs ...string) *finding.Report {
	t.Helper()
	o.Source.Openers = remote.Openers{"mongodb": mongodb.Open, "cosmosdb+http": cosmosdb.Open}
	if o.Jobs == 0 {
		o.Jobs = 1
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	report, err := jsonlint.Check(ctx, inputs, o)
	require.NoError(t, err)
	return report
}

// oid is the i-th ObjectID, of those that a program makes over some months.
func oid(kind byte, i int) bson.ObjectID {
	var id bson.ObjectID
	seconds := uint32(1700000000 + i*37)
	id[0], id[1], id[2], id[3] = byte(seconds>>24), byte(seconds>>16), byte(seconds>>8), byte(seconds)
	id[4], id[8] = kind, 0x5a
	id[9], id[10], id[11] = byte(i>>16), byte(i>>8), byte(i)
	return id
}

// A proxy passes on the traffic of a client and a server, and records the commands.
type proxy struct {
	net.Listener
	mutex    sync.Mutex
	commands map[string]int
}

func startProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{Listener: l, commands: map[string]int{}}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				return
			}
			go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
			go func() { p.record(client, server); _ = server.Close() }()
		}
	}()
	return p
}

// record passes messages on and reads the names of commands: the first key of
// the document in an OP_MSG (2013), or in an OP_QUERY (2004).
func (p *proxy) record(client io.Reader, server io.Writer) {
	for {
		head := make([]byte, 16)
		if _, err := io.ReadFull(client, head); err != nil {
			return
		}
		size := int(head[0]) | int(head[1])<<8 | int(head[2])<<16 | int(head[3])<<24
		body := make([]byte, size-16)
		if _, err := io.ReadFull(client, body); err != nil {
			return
		}
		name := "unknown message"
		switch code := int(head[12]) | int(head[13])<<8; code {
		case 2013:
			name = firstKey(body[5:]) // flags, kind of section
		case 2004:
			for i, b := range body[4:] { // flags, name with its end, two numbers
				if b == 0 {
					name = firstKey(body[4+i+1+8:])
					break
				}
			}
		}
		p.mutex.Lock()
		p.commands[name]++
		p.mutex.Unlock()
		if _, err := server.Write(append(head, body...)); err != nil {
			return
		}
	}
}

func firstKey(document []byte) string {
	elements, err := bson.Raw(document[:int(document[0])|int(document[1])<<8|int(document[2])<<16]).Elements()
	if err != nil || len(elements) == 0 {
		return "unknown command"
	}
	return elements[0].Key()
}

// contents is what the files of a server hold.
func (s *server) contents(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(s.dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(s.dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(data)
	}
	return files
}
