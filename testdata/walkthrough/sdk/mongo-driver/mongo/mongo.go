// Package mongo stands in for the driver's package of the same path.
package mongo

import "context"

type Database struct{}

func (*Database) Collection(name string) *Collection { return nil }

type Collection struct{}

type (
	InsertOneResult struct{}
	UpdateResult    struct{}
	DeleteResult    struct{}
	SingleResult    struct{}
)

func (*Collection) InsertOne(ctx context.Context, document any) (*InsertOneResult, error) {
	return nil, nil
}

func (*Collection) ReplaceOne(ctx context.Context, filter, replacement any) (*UpdateResult, error) {
	return nil, nil
}

func (*Collection) UpdateOne(ctx context.Context, filter, update any) (*UpdateResult, error) {
	return nil, nil
}

func (*Collection) DeleteOne(ctx context.Context, filter any) (*DeleteResult, error) { return nil, nil }

func (*Collection) FindOne(ctx context.Context, filter any) *SingleResult { return nil }

func (*SingleResult) Decode(v any) error { return nil }

type IndexModel struct {
	Keys    any
	Options any
}

type IndexView struct{}

func (*Collection) Indexes() IndexView { return IndexView{} }

func (IndexView) CreateOne(ctx context.Context, model IndexModel) (string, error) { return "", nil }
