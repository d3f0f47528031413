// Package remote says how documents are sampled from a live database, and how
// objects are read from a store. It knows no database and no store: a program
// that can read one hands in an [Opener] or [StoreOpener] for the scheme of its
// URLs.
package remote

import (
	"context"
	"encoding/json"
	"io"
	"iter"
)

// An Opener connects to the database that a URL names.
type Opener func(ctx context.Context, u URL, o Options) (Database, error)

// Openers are found by the scheme of the URL, "mongodb".
type Openers map[string]Opener

// DefaultDocuments is how many documents are read of a large collection.
const DefaultDocuments = 5000

// Options say how much is read.
type Options struct {
	Documents int     // of a collection that is not read whole
	MaxRU     float64 // request units that may be spent; 0 for any number
}

// A Database is read, and never written. Sample is called once, Dangling after
// it. Errors hold no credentials.
type Database interface {
	// Sample writes documents to a spool, which nobody else sees.
	Sample(ctx context.Context, spool io.Writer) (Sample, error)

	// Dangling reports which of the references still stand in their documents
	// and lead to no document of the collection to, now.
	Dangling(ctx context.Context, to string, references []Reference) ([]bool, error)

	Close() error
}

// A Sample is what was written to the spool.
type Sample struct {
	Store       string // the database whose limits apply, as for --db
	Collections []Collection
	Notes       []string // what was read and what was not, for people

	// Lines says that the spool holds the documents of one collection after the
	// other, one a line. Otherwise it is an archive as mongodump writes it, and
	// collections are called "database.collection".
	Lines bool
}

// A Collection is one of a sample.
type Collection struct {
	Name         string
	Complete     bool   // the sample is the whole collection
	PartitionKey string // path, /tenant; "" if there is none or it is not known

	Parts []Part // where its lines are
}

// A Part is a range of bytes of the spool.
type Part struct{ Start, Length int64 }

// A Reference is a value in a document that should be the id of another one.
type Reference struct {
	From     string          // the collection, as in the sample
	Document json.RawMessage // as sampled
	Value    json.RawMessage
}

// A StoreOpener connects to the store of objects that a URL names.
type StoreOpener func(ctx context.Context, u URL) (Store, error)

// Stores are found by the scheme of the URL, "s3".
type Stores map[string]StoreOpener

// A Store is a bucket of objects, which are files that are called by keys with
// slashes. It is read, and never written, by several goroutines at once. Errors
// are for people and hold no credentials.
type Store interface {
	// List yields the keys that begin with a prefix, in order, or one error.
	List(ctx context.Context, prefix string) iter.Seq2[string, error]

	// Open reads an object from an offset on, length bytes or, below 0, to its
	// end. size is that of all of it.
	Open(ctx context.Context, key string, offset, length int64) (from io.ReadCloser, size int64, err error)

	Close() error
}
