// Package bson has an ObjectID that is text in code, as that of mgo is.
package bson

type ObjectId string

func (id ObjectId) MarshalBSONValue() (byte, []byte, error) { return 7, []byte(id), nil }
