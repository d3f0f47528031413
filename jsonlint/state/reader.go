package state

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// A Reader reads what a [Writer] wrote.
type Reader struct {
	handlings *handlings
	from      *bufio.Reader
	left      int64           // bytes left to read
	known     []reflect.Value // pointers by number
}

var (
	errShort = errors.New("it ends early")
	errForm  = errors.New("it does not fit what this program keeps")
)

// Read reads size bytes into the values that the pointers point at, which must
// be as they were before anything was gathered.
func (c Codec) Read(from io.Reader, size int64, pointers ...any) error {
	r := &Reader{handlings: &handlings{c, map[reflect.Type]handling{}}, from: bufio.NewReaderSize(from, 1<<16), left: size}
	for _, p := range pointers {
		if err := r.value(addressable(reflect.ValueOf(p)), 0); err != nil {
			return err
		}
	}
	if r.left != 0 {
		return errForm
	}
	return nil
}

// ReadByte reads a byte, for functions that decode numbers.
func (r *Reader) ReadByte() (byte, error) {
	if r.left--; r.left < 0 {
		return 0, errShort
	}
	return r.from.ReadByte()
}

// Uint reads a number.
func (r *Reader) Uint() (uint64, error) { return binary.ReadUvarint(r) }

// Word reads what [Writer.Word] wrote.
func (r *Reader) Word() (uint64, error) {
	var room [8]byte
	if err := r.fill(room[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(room[:]), nil
}

func (r *Reader) fill(b []byte) error {
	if r.left -= int64(len(b)); r.left < 0 {
		return errShort
	}
	_, err := io.ReadFull(r.from, b)
	return err
}

// Length reads the number of items that take at least each bytes.
func (r *Reader) Length(each int64) (int, error) {
	n, err := r.Uint()
	if err != nil {
		return 0, err
	}
	if n > uint64(r.left/each) {
		return 0, errShort
	}
	return int(n), nil
}

// flag reads whether a value follows.
func (r *Reader) flag() (bool, error) {
	n, err := r.Uint()
	if err == nil && n > 1 {
		err = errForm
	}
	return n == 1, err
}

// value reads into an addressable value.
func (r *Reader) value(v reflect.Value, depth int) error {
	if depth > deepest {
		return errDeep
	}
	t := v.Type()
	switch r.handlings.of(t) {
	case given:
		return nil
	case bySaver:
		return v.Addr().Interface().(Saver).LoadState(r)
	case asBytes:
		return r.fill(memory(v.Addr().UnsafePointer(), t, 1))
	}
	switch v.Kind() {
	case reflect.Bool:
		is, err := r.flag()
		v.SetBool(is)
		return err
	case reflect.String:
		n, err := r.Length(1)
		if err != nil {
			return err
		}
		text := make([]byte, n)
		if err := r.fill(text); err != nil {
			return err
		}
		v.SetString(string(text))
		return nil
	case reflect.Array:
		for i := range v.Len() {
			if err := r.value(v.Index(i), depth+1); err != nil {
				return err
			}
		}
		return nil
	case reflect.Slice:
		return r.slice(v, depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if err := r.value(field(v, i), depth+1); err != nil {
				return fmt.Errorf("%s: %w", t.Field(i).Name, err)
			}
		}
		return nil
	case reflect.Map:
		return r.mapping(v, depth)
	case reflect.Pointer:
		return r.pointer(v, depth)
	case reflect.Interface:
		return r.dynamic(v, depth)
	case reflect.Func:
		is, err := r.flag()
		if err == nil && is == v.IsNil() {
			err = errForm
		}
		return err
	}
	return unknown(t)
}

// elementsAhead is the number of elements for which a slice allocates before
// reading the first.
const elementsAhead = 64

// slice reads a slice. An element starts as that of the fresh slice, if there
// is one. The slice grows as elements are read, because their number may be
// wrong.
func (r *Reader) slice(v reflect.Value, depth int) error {
	there, err := r.flag()
	fresh := addressable(v)
	v.SetZero()
	if err != nil || !there {
		return err
	}
	if elem := v.Type().Elem(); r.handlings.of(elem) == asBytes {
		n, err := r.Length(int64(elem.Size()))
		if err != nil {
			return err
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		return r.fill(memory(v.UnsafePointer(), elem, n))
	}
	n, err := r.Length(1)
	if err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, min(n, elementsAhead)))
	for i := range n {
		if i == v.Cap() {
			v.Grow(min(n-i, i))
		}
		v.SetLen(i + 1)
		if i < fresh.Len() {
			v.Index(i).Set(fresh.Index(i))
		}
		if err := r.value(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) mapping(v reflect.Value, depth int) error {
	there, err := r.flag()
	if err != nil || !there {
		v.SetZero()
		return err
	}
	n, err := r.Length(1)
	if err != nil {
		return err
	}
	t := v.Type()
	all := reflect.MakeMapWithSize(t, min(n, elementsAhead))
	for range n {
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := r.value(key, depth+1); err != nil {
			return err
		}
		if fresh := v.MapIndex(key); fresh.IsValid() {
			value.Set(fresh)
		}
		if err := r.value(value, depth+1); err != nil {
			return err
		}
		all.SetMapIndex(key, value)
	}
	v.Set(all)
	return nil
}

func (r *Reader) pointer(v reflect.Value, depth int) error {
	n, err := r.Uint()
	if err != nil {
		return err
	}
	switch isGiven := r.handlings.of(v.Type().Elem()) == given; {
	case n == nilPointer:
		v.SetZero()
		return nil
	case isGiven != (n == givenPointer), isGiven && v.IsNil():
		return fmt.Errorf("%v: %w", v.Type(), errForm)
	case isGiven:
		return nil
	}
	switch n -= numbered; {
	case n < uint64(len(r.known)):
		known := r.known[n]
		if known.Type() != v.Type() {
			return errForm
		}
		v.Set(known)
		return nil
	case n > uint64(len(r.known)):
		return errForm
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	r.known = append(r.known, v.Elem().Addr())
	return r.value(v.Elem(), depth+1)
}

// dynamic reads the value in an interface, which has the type of the fresh
// value.
func (r *Reader) dynamic(v reflect.Value, depth int) error {
	is, err := r.flag()
	if err != nil {
		return err
	}
	if !is {
		v.SetZero()
		return nil
	}
	if v.IsNil() {
		return fmt.Errorf("%v: %w", v.Type(), errForm)
	}
	value := addressable(v.Elem())
	if err := r.value(value, depth+1); err != nil {
		return err
	}
	v.Set(value)
	return nil
}
