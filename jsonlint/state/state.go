// Package state writes what a run has gathered to a file and reads it into
// another run. It covers everything that can be reached from a value, private
// fields included. Nothing has to be declared, so nothing can be forgotten.
//
// Reading fills a fresh value made in the same way. Values of types that the
// codec declares as given are not written and keep the fresh value. So do
// functions, locks, and values rebuilt from the inputs, such as the model of
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
	// Given reports whether values of a named type are skipped.
	Given func(reflect.Type) bool
}

// A Saver is a type that writes and reads itself.
type Saver interface {
	SaveState(*Writer) error
	LoadState(*Reader) error
}

var (
	saverType = reflect.TypeFor[Saver]()
	mutexType = reflect.TypeFor[sync.Mutex]()
)

// deepest bounds the nesting of values. Documents are not as deep.
const deepest = 1 << 14

var errDeep = errors.New("values are nested too deeply")

// A handling is how values of a type are written.
type handling uint8

const (
	byKind  handling = iota
	given            // not at all
	bySaver          // by the type's own methods
	asBytes          // as they are in memory
)

// handlings remembers how types are handled.
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

// flat reports whether a type consists only of numbers. Since the same program
// reads and writes them, their memory layout is the same.
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

// memory returns the bytes of n values of a flat type.
func memory(at unsafe.Pointer, t reflect.Type, n int) []byte {
	return unsafe.Slice((*byte)(at), n*int(t.Size()))
}

// field returns a settable field of an addressable struct.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// addressable returns an addressable copy of a value.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

func unknown(t reflect.Type) error { return fmt.Errorf("values of type %v cannot be written", t) }
