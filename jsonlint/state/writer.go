package state

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"slices"
	"unsafe"
)

// A Writer writes values. It keeps the first error.
type Writer struct {
	handlings *handlings
	to        *bufio.Writer
	known     map[unsafe.Pointer]map[reflect.Type]uint64 // numbers of the values pointed at
	count     uint64
	err       error
}

// Write writes everything reachable from the values that pointers point at.
func (c Codec) Write(to io.Writer, pointers ...any) error {
	w := &Writer{handlings: &handlings{c, map[reflect.Type]handling{}}, to: bufio.NewWriterSize(to, 1<<16), known: map[unsafe.Pointer]map[reflect.Type]uint64{}}
	for _, p := range pointers {
		if err := w.value(reflect.ValueOf(p), 0); err != nil {
			return err
		}
	}
	return w.flush()
}

func (w *Writer) flush() error {
	if err := w.to.Flush(); w.err == nil {
		w.err = err
	}
	return w.err
}

// Uint writes a number.
func (w *Writer) Uint(n uint64) {
	var room [binary.MaxVarintLen64]byte
	w.bytes(room[:binary.PutUvarint(room[:], n)])
}

// Word writes a number that uses all its bits.
func (w *Writer) Word(n uint64) {
	var room [8]byte
	binary.LittleEndian.PutUint64(room[:], n)
	w.bytes(room[:])
}

func (w *Writer) bytes(b []byte) {
	if _, err := w.to.Write(b); w.err == nil {
		w.err = err
	}
}

func (w *Writer) flag(is bool) {
	if is {
		w.Uint(1)
	} else {
		w.Uint(0)
	}
}

// value writes an addressable value.
func (w *Writer) value(v reflect.Value, depth int) error {
	if depth > deepest {
		return errDeep
	}
	t := v.Type()
	switch w.handlings.of(t) {
	case given:
		return w.err
	case bySaver:
		return v.Addr().Interface().(Saver).SaveState(w)
	case asBytes:
		w.bytes(memory(v.Addr().UnsafePointer(), t, 1))
		return w.err
	}
	switch v.Kind() {
	case reflect.Bool:
		w.flag(v.Bool())
	case reflect.String:
		w.Uint(uint64(v.Len()))
		w.bytes([]byte(v.String()))
	case reflect.Slice:
		w.flag(!v.IsNil())
		if v.IsNil() {
			return w.err
		}
		w.Uint(uint64(v.Len()))
		if w.handlings.of(t.Elem()) == asBytes {
			w.bytes(memory(v.UnsafePointer(), t.Elem(), v.Len()))
			return w.err
		}
		return w.elements(v, depth)
	case reflect.Array:
		return w.elements(v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if err := w.value(field(v, i), depth+1); err != nil {
				return fmt.Errorf("%s: %w", t.Field(i).Name, err)
			}
		}
	case reflect.Map:
		return w.mapping(v, depth)
	case reflect.Pointer:
		return w.pointer(v, depth)
	case reflect.Interface:
		w.flag(!v.IsNil())
		if !v.IsNil() {
			return w.value(addressable(v.Elem()), depth+1)
		}
	case reflect.Func:
		w.flag(!v.IsNil())
	default:
		return unknown(t)
	}
	return w.err
}

func (w *Writer) elements(v reflect.Value, depth int) error {
	for i := range v.Len() {
		if err := w.value(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	return w.err
}

// mapping writes a map, sorted by its encoded keys.
func (w *Writer) mapping(v reflect.Value, depth int) error {
	w.flag(!v.IsNil())
	if v.IsNil() {
		return w.err
	}
	w.Uint(uint64(v.Len()))
	type entry struct {
		written []byte
		key     reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for _, key := range v.MapKeys() {
		var b bytes.Buffer
		alone := Writer{handlings: w.handlings, to: bufio.NewWriterSize(&b, 64)}
		if err := alone.value(addressable(key), depth+1); err != nil {
			return err
		}
		if err := alone.flush(); err != nil {
			return err
		}
		entries = append(entries, entry{b.Bytes(), key})
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.written, b.written) })
	for _, e := range entries {
		w.bytes(e.written)
		if err := w.value(addressable(v.MapIndex(e.key)), depth+1); err != nil {
			return err
		}
	}
	return w.err
}

// A pointer is written as 0 for nil, 1 for a given value, and otherwise a
// number, followed by the value if it is new.
const (
	nilPointer = iota
	givenPointer
	numbered
)

func (w *Writer) pointer(v reflect.Value, depth int) error {
	elem := v.Type().Elem()
	switch {
	case v.IsNil():
		w.Uint(nilPointer)
		return w.err
	case w.handlings.of(elem) == given:
		w.Uint(givenPointer)
		return w.err
	case w.known == nil:
		return unknown(v.Type()) // in a map key
	}
	at := v.UnsafePointer()
	if n, ok := w.known[at][elem]; ok {
		w.Uint(numbered + n)
		return w.err
	}
	if w.known[at] == nil {
		w.known[at] = map[reflect.Type]uint64{}
	}
	w.known[at][elem] = w.count
	w.Uint(numbered + w.count)
	w.count++
	return w.value(v.Elem(), depth+1)
}
