// Package mon stands in for the library of the same path.
package mon

import "context"

type Collection interface {
	InsertOne(ctx context.Context, document any) (any, error)
	InsertMany(ctx context.Context, documents []any) (any, error)
	ReplaceOne(ctx context.Context, filter, replacement any) (any, error)
	UpdateOne(ctx context.Context, filter, update any) (any, error)
}

type Model struct{ Collection }

func NewModel(uri, db, collection string) (*Model, error) { return nil, nil }
func MustNewModel(uri, db, collection string) *Model      { return nil }

func (*Model) Find(ctx context.Context, v, filter any) error                           { return nil }
func (*Model) FindOne(ctx context.Context, v, filter any) error                        { return nil }
func (*Model) FindOneAndReplace(ctx context.Context, v, filter, replacement any) error { return nil }
func (*Model) FindOneAndUpdate(ctx context.Context, v, filter, update any) error       { return nil }
