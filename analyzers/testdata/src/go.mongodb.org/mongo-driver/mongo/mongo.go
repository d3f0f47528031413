// Package mongo stands in for version 1 of the driver's package.
package mongo

import "context"

type (
	Database        struct{}
	Collection      struct{}
	Cursor          struct{}
	SingleResult    struct{}
	InsertOneModel  struct{ Document any }
	ReplaceOneModel struct{ Filter, Replacement any }
	UpdateOneModel  struct {
		Filter, Update any
		Upsert         *bool
	}
	UpdateManyModel struct {
		Filter, Update any
		Upsert         *bool
	}
	WriteModel interface{}
)

func (*Database) Collection(name string) *Collection { return nil }

func NewInsertOneModel() *InsertOneModel                                 { return nil }
func (*InsertOneModel) SetDocument(document any) *InsertOneModel         { return nil }
func NewUpdateOneModel() *UpdateOneModel                                 { return nil }
func (*UpdateOneModel) SetFilter(filter any) *UpdateOneModel             { return nil }
func (*UpdateOneModel) SetUpdate(update any) *UpdateOneModel             { return nil }
func (*UpdateOneModel) SetUpsert(upsert bool) *UpdateOneModel            { return nil }
func NewUpdateManyModel() *UpdateManyModel                               { return nil }
func (*UpdateManyModel) SetUpdate(update any) *UpdateManyModel           { return nil }
func NewReplaceOneModel() *ReplaceOneModel                               { return nil }
func (*ReplaceOneModel) SetReplacement(replacement any) *ReplaceOneModel { return nil }

func (*Collection) InsertOne(ctx context.Context, document any) (any, error)       { return nil, nil }
func (*Collection) InsertMany(ctx context.Context, documents []any) (any, error)   { return nil, nil }
func (*Collection) ReplaceOne(ctx context.Context, filter, doc any) (any, error)   { return nil, nil }
func (*Collection) UpdateOne(ctx context.Context, filter, update any) (any, error) { return nil, nil }
func (*Collection) UpdateMany(ctx context.Context, filter, update any) (any, error) {
	return nil, nil
}
func (*Collection) FindOneAndReplace(ctx context.Context, filter, doc any) *SingleResult { return nil }
func (*Collection) BulkWrite(ctx context.Context, models []WriteModel) (any, error)      { return nil, nil }
func (*Collection) FindOne(ctx context.Context, filter any) *SingleResult                { return nil }
func (*Collection) Find(ctx context.Context, filter any) (*Cursor, error)                { return nil, nil }
func (*Collection) Aggregate(ctx context.Context, pipeline any) (*Cursor, error)         { return nil, nil }
func (*SingleResult) Decode(v any) error                                                 { return nil }
func (*Cursor) All(ctx context.Context, results any) error                               { return nil }
