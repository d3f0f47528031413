// Package qmgo stands in for the library of the same path.
package qmgo

import "context"

type Collection struct{}

func (*Collection) InsertOne(ctx context.Context, doc any) (any, error)      { return nil, nil }
func (*Collection) InsertMany(ctx context.Context, docs any) (any, error)    { return nil, nil }
func (*Collection) Upsert(ctx context.Context, filter, doc any) (any, error) { return nil, nil }
func (*Collection) UpsertId(ctx context.Context, id, doc any) (any, error)   { return nil, nil }
func (*Collection) ReplaceOne(ctx context.Context, filter, doc any) error    { return nil }
func (*Collection) UpdateOne(ctx context.Context, filter, update any) error  { return nil }
