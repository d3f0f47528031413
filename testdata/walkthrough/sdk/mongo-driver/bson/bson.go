// Package bson stands in for the driver's package of the same path.
package bson

type ObjectID [12]byte

func NewObjectID() ObjectID { return ObjectID{} }

type M map[string]any
