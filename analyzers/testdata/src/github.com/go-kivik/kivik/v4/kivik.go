// Package kivik stands in for the library of the same path.
package kivik

import "context"

type (
	DB       struct{}
	Document struct{}
)

func (*DB) Put(ctx context.Context, id string, doc any) (string, error)    { return "", nil }
func (*DB) CreateDoc(ctx context.Context, doc any) (string, string, error) { return "", "", nil }
func (*DB) Get(ctx context.Context, id string) *Document                   { return nil }
func (*Document) ScanDoc(v any) error                                      { return nil }

// A Row is what version 3 returns for a Document.
type Row struct{}

func (*Row) ScanDoc(v any) error                                                  { return nil }
func (*DB) BulkDocs(ctx context.Context, docs []any, o ...any) (*struct{}, error) { return nil, nil }
