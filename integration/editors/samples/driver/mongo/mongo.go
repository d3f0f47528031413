// Package mongo is what the sample needs of the driver.
package mongo

import "context"

type Collection struct{}

type InsertOneResult struct{ InsertedID any }

func (*Collection) InsertOne(ctx context.Context, document any) (*InsertOneResult, error) {
	return nil, nil
}
