// Package library stores documents through a library whose model sets the id.
package library

import (
	"context"

	"github.com/qiniu/qmgo"
	"github.com/qiniu/qmgo/field"
)

type User struct {
	field.DefaultField `bson:",inline"`
	Name               string `bson:"name"`
}

func store(ctx context.Context, c *qmgo.Collection) {
	c.InsertOne(ctx, User{Name: "one"})
}
