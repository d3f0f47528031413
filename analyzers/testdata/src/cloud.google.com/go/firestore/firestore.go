// Package firestore stands in for the client library of the same path.
package firestore

import "context"

type Client struct{}

func (*Client) Collection(path string) *CollectionRef { return nil }

type CollectionRef struct{ Query }

type Query struct{}

type DocumentIterator struct{}

func (Query) Where(path, op string, value any) Query          { return Query{} }
func (Query) Documents(ctx context.Context) *DocumentIterator { return nil }

func (*CollectionRef) Doc(id string) *DocumentRef { return nil }
func (*CollectionRef) Add(ctx context.Context, data any) (*DocumentRef, *WriteResult, error) {
	return nil, nil, nil
}

type (
	DocumentRef      struct{}
	WriteResult      struct{}
	DocumentSnapshot struct{}
)

type Update struct {
	Path  string
	Value any
}

func (*DocumentRef) Set(ctx context.Context, data any, opts ...any) (*WriteResult, error) {
	return nil, nil
}
func (*DocumentRef) Create(ctx context.Context, data any) (*WriteResult, error) { return nil, nil }
func (*DocumentRef) Update(ctx context.Context, updates []Update) (*WriteResult, error) {
	return nil, nil
}
func (*DocumentRef) Collection(path string) *CollectionRef { return nil }

func (*DocumentRef) Get(ctx context.Context) (*DocumentSnapshot, error) { return nil, nil }
func (*DocumentSnapshot) DataTo(p any) error                            { return nil }
func (*DocumentSnapshot) Data() map[string]any                          { return nil }

var MergeAll any

func ArrayUnion(elems ...any) any { return nil }
func Increment(n any) any         { return nil }
