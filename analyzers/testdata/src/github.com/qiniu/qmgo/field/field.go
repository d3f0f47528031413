// Package field stands in for the library of the same path.
package field

import "time"

type DefaultField struct {
	Id       [12]byte  `bson:"_id"`
	CreateAt time.Time `bson:"createAt"`
	UpdateAt time.Time `bson:"updateAt"`
}
