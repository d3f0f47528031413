// Package bson stands in for the library of the same path.
package bson

type (
	ObjectId string
	M        map[string]any
)
