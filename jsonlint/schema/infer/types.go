package infer

// A jsonType is a type of JSON Schema.
type jsonType uint8

const (
	typeObject jsonType = iota
	typeArray
	typeString
	typeInteger
	typeNumber
	typeBoolean
	typeNull
	numTypes
)

var typeNames = [numTypes]string{"object", "array", "string", "integer", "number", "boolean", "null"}

type typeSet uint8

func (s typeSet) has(t jsonType) bool { return s&(1<<t) != 0 }
