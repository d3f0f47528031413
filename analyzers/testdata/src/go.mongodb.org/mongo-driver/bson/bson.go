// Package bson stands in for version 1 of the driver's package.
package bson

import "go.mongodb.org/mongo-driver/bson/primitive"

type (
	E = primitive.E
	D = primitive.D
	M = primitive.M
	A = primitive.A
)

func Marshal(v any) ([]byte, error) { return nil, nil }
