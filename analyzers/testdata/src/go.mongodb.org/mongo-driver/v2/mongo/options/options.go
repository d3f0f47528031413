// Package options stands in for the driver's package of the same path.
package options

type BSONOptions struct {
	UseJSONStructTags bool
	NilMapAsEmpty     bool
	NilSliceAsEmpty   bool
	OmitEmpty         bool
}

type ClientOptions struct{}

func Client() *ClientOptions { return nil }

func (o *ClientOptions) SetBSONOptions(b *BSONOptions) *ClientOptions { return o }

type IndexOptionsBuilder struct{}

func Index() *IndexOptionsBuilder { return nil }

func (o *IndexOptionsBuilder) SetExpireAfterSeconds(seconds int32) *IndexOptionsBuilder { return o }
func (o *IndexOptionsBuilder) SetUnique(unique bool) *IndexOptionsBuilder               { return o }

type UpdateOneOptionsBuilder struct{}

func UpdateOne() *UpdateOneOptionsBuilder { return nil }

func (o *UpdateOneOptionsBuilder) SetUpsert(upsert bool) *UpdateOneOptionsBuilder { return o }
