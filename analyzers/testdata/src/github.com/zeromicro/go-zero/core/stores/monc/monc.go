// Package monc stands in for the library of the same path.
package monc

import (
	"context"

	"github.com/zeromicro/go-zero/core/stores/mon"
)

type Model struct{ *mon.Model }

func NewModel(uri, db, collection string, c any) (*Model, error) { return nil, nil }
func MustNewModel(uri, db, collection string, c any) *Model      { return nil }

func (*Model) InsertOne(ctx context.Context, key string, document any) (any, error) { return nil, nil }
func (*Model) InsertOneNoCache(ctx context.Context, document any) (any, error)      { return nil, nil }
func (*Model) ReplaceOne(ctx context.Context, key string, filter, replacement any) (any, error) {
	return nil, nil
}
func (*Model) ReplaceOneNoCache(ctx context.Context, filter, replacement any) (any, error) {
	return nil, nil
}
func (*Model) FindOneAndReplace(ctx context.Context, key string, v, filter, replacement any) error {
	return nil
}
func (*Model) FindOneAndReplaceNoCache(ctx context.Context, v, filter, replacement any) error {
	return nil
}
func (*Model) UpdateOne(ctx context.Context, key string, filter, update any) (any, error) {
	return nil, nil
}
func (*Model) UpdateOneNoCache(ctx context.Context, filter, update any) (any, error) { return nil, nil }
func (*Model) FindOneAndUpdate(ctx context.Context, key string, v, filter, update any) error {
	return nil
}
func (*Model) FindOneAndUpdateNoCache(ctx context.Context, v, filter, update any) error { return nil }
func (*Model) FindOne(ctx context.Context, key string, v, filter any) error             { return nil }
func (*Model) FindOneNoCache(ctx context.Context, v, filter any) error                  { return nil }
