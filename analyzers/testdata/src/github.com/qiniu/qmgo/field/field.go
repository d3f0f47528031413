// Package field stands in for the library of the same path.
package field

import (
	"time"

	"go.mongodb.org/mongo-driver/bson/primitive"
)

type DefaultField struct {
	Id       primitive.ObjectID `bson:"_id"`
	CreateAt time.Time          `bson:"createAt"`
	UpdateAt time.Time          `bson:"updateAt"`
}
