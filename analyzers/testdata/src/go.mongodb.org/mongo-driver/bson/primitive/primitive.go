// Package primitive stands in for the driver's package of the same path.
package primitive

type ObjectID [12]byte

func NewObjectID() ObjectID { return ObjectID{} }

func (ObjectID) Hex() string { return "" }

type E struct {
	Key   string
	Value any
}

type (
	D []E
	M map[string]any
	A []any
)
