// Package bson stands in for the driver's package of the same path.
package bson

type ObjectID [12]byte

func NewObjectID() ObjectID { return ObjectID{} }

func ObjectIDFromHex(string) (ObjectID, error) { return ObjectID{}, nil }

func (ObjectID) Hex() string { return "" }

// Raw is an encoded document.
type Raw []byte

func Marshal(any) ([]byte, error) { return nil, nil }

type DateTime int64

type E struct {
	Key   string
	Value any
}

type (
	D []E
	M map[string]any
	A []any
)

func (M) String() string { return "" }
