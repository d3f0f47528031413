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
