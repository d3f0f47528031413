// Package state writes what a run has gathered to a file, and reads it into
// another run: of a value, everything that can be reached from it, private
// fields included. Nothing has to be declared, so that nothing can be forgotten.
//
// The value that is read into is a fresh one of the same making. What a type
// says is given is not written: it stays what the fresh value has. So do
// functions, locks, and what is made anew from the inputs, such as the model of
// the database.
package state

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"
)

// A Codec writes and reads values. Only the program that wrote a state can read
// it.
type Codec struct {
	// Given reports whether values of a named type are not written.
	Given func(reflect.Type) bool
}

// Saver is a type that knows itself how it is written.
type Saver interface {
	SaveState(*Writer) error
	LoadState(*Reader) error
}

var (
	saverType = reflect.TypeFor[Saver]()
	mutexType = reflect.TypeFor[sync.Mutex]()
)

// deepest bounds how deep values are nested; documents are less deep.
const deepest = 1 << 14

var errDeep = errors.New("values are nested too deeply")

// A handling is how values of a type are written.
type handling uint8

const (
	byKind  handling = iota
	given            // not at all
	bySaver          // as the type itself does it
	asBytes          // as they are in memory
)

// handlings remembers how values of types are written.
type handlings struct {
	codec Codec
	known map[reflect.Type]handling
}

func (h *handlings) of(t reflect.Type) handling {
	how, ok := h.known[t]
	if !ok {
		switch {
		case t == mutexType || t.Name() != "" && h.codec.Given != nil && h.codec.Given(t):
			how = given
		case reflect.PointerTo(t).Implements(saverType):
			how = bySaver
		case h.flat(t):
			how = asBytes
		}
		h.known[t] = how
	}
	return how
}

// flat reports whether a type is nothing but numbers. The program that reads them
// is the one that wrote them, so that they are in memory alike.
func (h *handlings) flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	case reflect.Array:
		return t.Len() > 0 && h.of(t.Elem()) == asBytes
	case reflect.Struct:
		for i := range t.NumField() {
			if h.of(t.Field(i).Type) != asBytes {
				return false
			}
		}
		return t.NumField() > 0
	}
	return false
}

// memory returns the bytes of so many values of a flat type.
func memory(at unsafe.Pointer, t reflect.Type, n int) []byte {
	return unsafe.Slice((*byte)(at), n*int(t.Size()))
}

// field returns a field of an addressable struct, as one that may be set.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// addressable returns a copy of a value, whose fields can be reached.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func unknown(t reflect.Type) error { return fmt.Errorf("values of type %v cannot be written", t) }
