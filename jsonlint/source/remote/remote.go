// Package remote defines how to sample documents from a live database and how
// to read objects from a store. It implements neither: a program that can read
// one passes an [Opener] or [StoreOpener] for its URL scheme.
package remote

import (
	"context"
	"encoding/json"
	"io"
	"iter"
)

// An Opener connects to the database that a URL names.
type Opener func(ctx context.Context, u URL, o Options) (Database, error)

// Openers maps URL schemes, such as "mongodb", to openers.
type Openers map[string]Opener

// DefaultDocuments is how many documents of a large collection are read.
const DefaultDocuments = 5000

// Options limits how much is read.
type Options struct {
	Documents int     // from a collection that is not read completely
	MaxRU     float64 // request units to spend at most; 0 is no limit
}

// A Database is only read. Dangling is called after Sample, which is called
// once. Errors hold no credentials.
type Database interface {
	// Sample writes documents to a spool that nobody else sees.
	Sample(ctx context.Context, spool io.Writer) (Sample, error)

	// Dangling reports which of the references are still in their documents and
	// currently lead to no document of the collection to.
	Dangling(ctx context.Context, to string, references []Reference) ([]bool, error)

	Close() error
}

// A Sample describes what was written to the spool.
type Sample struct {
	Store       string // the database whose limits apply, as for --db
	Collections []Collection
	Notes       []string // what was read and what was not, for people

	// Lines says that the spool holds the collections' documents one after the
	// other, one per line. Otherwise it is an archive in the format of mongodump,
	// and collections are named "database.collection".
	Lines bool
}

// A Collection is a sampled collection.
type Collection struct {
	Name         string
	Complete     bool   // the sample is the whole collection
	PartitionKey string // path such as /tenant; "" if there is none or it is unknown

	Parts []Part // where its lines are
}

// A Part is a range of bytes of the spool.
type Part struct{ Start, Length int64 }

// A Reference is a value in a document that should be the id of another
// document.
type Reference struct {
	From     string          // the collection, as in the sample
	Document json.RawMessage // as sampled
	Value    json.RawMessage
}

// A StoreOpener connects to the object store that a URL names.
type StoreOpener func(ctx context.Context, u URL) (Store, error)

// Stores maps URL schemes, such as "s3", to openers.
type Stores map[string]StoreOpener

// A Store is a bucket of objects: files named by keys with slashes. It is only
// read, by several goroutines at once. Errors are for people and hold no
// credentials.
type Store interface {
	// List yields the keys that begin with a prefix, in order, or an error.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]

	// Open reads length bytes of an object from an offset on, or everything if
	// length is negative. size is the size of the whole object.
	Open(ctx context.Context, key string, offset, length int64) (from io.ReadCloser, size int64, err error)

	Close() error
}
