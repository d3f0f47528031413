// Package mongo stands in for the driver's package of the same path.
package mongo

import "context"

type Client struct{}

func (*Client) Database(name string) *Database { return nil }

type Database struct{}

func (*Database) Collection(name string) *Collection { return nil }

type Collection struct{}

type (
	InsertOneResult  struct{ InsertedID any }
	InsertManyResult struct{ InsertedIDs []any }
	UpdateResult     struct{}
	SingleResult     struct{}
	Cursor           struct{}
)

func (*Collection) InsertOne(ctx context.Context, document any) (*InsertOneResult, error) {
	return nil, nil
}
func (*Collection) InsertMany(ctx context.Context, documents any) (*InsertManyResult, error) {
	return nil, nil
}
func (*Collection) ReplaceOne(ctx context.Context, filter, replacement any) (*UpdateResult, error) {
	return nil, nil
}
func (*Collection) UpdateOne(ctx context.Context, filter, update any, opts ...any) (*UpdateResult, error) {
	return nil, nil
}
func (*Collection) UpdateMany(ctx context.Context, filter, update any) (*UpdateResult, error) {
	return nil, nil
}
func (*Collection) FindOne(ctx context.Context, filter any) *SingleResult { return nil }
func (*Collection) Find(ctx context.Context, filter any) (*Cursor, error) { return nil, nil }
func (*Collection) Aggregate(ctx context.Context, pipeline any) (*Cursor, error) {
	return nil, nil
}
func (*SingleResult) Decode(v any) error                   { return nil }
func (*Cursor) Decode(v any) error                         { return nil }
func (*Cursor) All(ctx context.Context, results any) error { return nil }
func (*Cursor) Next(ctx context.Context) bool              { return false }

type IndexModel struct {
	Keys    any
	Options any
}

type IndexView struct{}

func (*Collection) Indexes() IndexView { return IndexView{} }
func (IndexView) CreateMany(ctx context.Context, models []IndexModel) ([]string, error) {
	return nil, nil
}
func (IndexView) List(ctx context.Context) (*Cursor, error) { return nil, nil }
