// Package mongo is what a fork of the driver looks like.
package mongo

import "context"

type Collection struct{}

func (*Collection) InsertOne(ctx context.Context, document any) (any, error) { return nil, nil }
