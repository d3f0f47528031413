// Package options stands in for the driver's package of the same path.
package options

type IndexOptionsBuilder struct{}

func Index() *IndexOptionsBuilder { return nil }

func (o *IndexOptionsBuilder) SetExpireAfterSeconds(seconds int32) *IndexOptionsBuilder { return o }
