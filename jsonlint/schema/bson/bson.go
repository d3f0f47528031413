// Package bson determines the MongoDB types of values in documents written as
// MongoDB Extended JSON or plain JSON.
package bson

import (
	"bytes"
	"strconv"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A Wrapper is an object in which MongoDB Extended JSON, current or legacy,
// writes a value that JSON has no type for.
//
// See https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/
type Wrapper uint8

const (
	WrapOID Wrapper = iota
	WrapInt
	WrapLong
	WrapDouble
	WrapDecimal
	WrapDateText
	WrapDateNumber
	WrapDateLong
	WrapTimestamp
	WrapBinary
	WrapOldBinary
	WrapUUID
	WrapRegex
	WrapOldRegex
	WrapMinKey
	WrapMaxKey
	WrapSymbol
	WrapCode
	WrapCodeScope
	WrapUndefined
	NumWrappers
	Unwrapped
)

type WrapperSet uint32

func (s WrapperSet) Has(w Wrapper) bool { return s&(1<<w) != 0 }

var byName = map[string]Wrapper{
	"$oid": WrapOID, "$numberInt": WrapInt, "$numberLong": WrapLong, "$numberDouble": WrapDouble, "$numberDecimal": WrapDecimal,
	"$date": WrapDateText, "$timestamp": WrapTimestamp, "$binary": WrapBinary, "$uuid": WrapUUID, "$regularExpression": WrapRegex,
	"$regex": WrapOldRegex, "$options": WrapOldRegex, "$type": WrapOldBinary, "$minKey": WrapMinKey, "$maxKey": WrapMaxKey,
	"$symbol": WrapSymbol, "$code": WrapCode, "$scope": WrapCodeScope, "$undefined": WrapUndefined,
}

// IsName reports whether a name belongs to a wrapper of Extended JSON.
func IsName(name string) bool {
	_, ok := byName[name]
	return ok
}

// WrapperOf returns how the value at i is written. Notations of other databases
// count as no wrapper.
func WrapperOf(d *scan.Document, i int) Wrapper {
	t := &d.Tokens[i]
	if t.Flags&scan.Wrapped == 0 || t.Kind >= scan.Object {
		return Unwrapped
	}
	raw := d.Raw(i)
	open := bytes.IndexByte(raw, '"')
	if raw[0] != '{' || open < 0 {
		return Unwrapped
	}
	name, after, ok := bytes.Cut(raw[open+1:], []byte{'"'})
	if !ok {
		return Unwrapped
	}
	w, ok := byName[string(name)]
	if !ok {
		return Unwrapped
	}
	value := bytes.TrimLeft(after, ": \t\r\n")
	switch {
	case len(value) == 0:
	case w == WrapDateText && value[0] == '{':
		return WrapDateLong
	case w == WrapDateText && value[0] != '"':
		return WrapDateNumber
	case w == WrapBinary && value[0] == '"':
		return WrapOldBinary
	case w == WrapCode && bytes.Contains(raw, []byte(`"$scope"`)):
		return WrapCodeScope
	}
	return w
}

// A Type is a MongoDB type.
type Type uint8

const (
	Object Type = iota
	Array
	String
	Int
	Long
	Double
	Decimal
	Bool
	Null
	ObjectID
	Date
	Timestamp
	BinData
	Regex
	MinKey
	MaxKey
	Symbol
	Javascript
	JavascriptWithScope
	Undefined
	NumTypes
)

var names = [NumTypes]string{
	"object", "array", "string", "int", "long", "double", "decimal", "bool", "null", "objectId", "date", "timestamp", "binData", "regex",
	"minKey", "maxKey", "symbol", "javascript", "javascriptWithScope", "undefined",
}

// String returns the type's alias in $jsonSchema.
func (t Type) String() string { return names[t] }

type TypeSet uint32

func (s TypeSet) Has(t Type) bool { return s&(1<<t) != 0 }

var byWrapper = [NumWrappers]Type{
	WrapOID: ObjectID, WrapInt: Int, WrapLong: Long, WrapDouble: Double, WrapDecimal: Decimal,
	WrapDateText: Date, WrapDateNumber: Date, WrapDateLong: Date, WrapTimestamp: Timestamp,
	WrapBinary: BinData, WrapOldBinary: BinData, WrapUUID: BinData, WrapRegex: Regex, WrapOldRegex: Regex,
	WrapMinKey: MinKey, WrapMaxKey: MaxKey, WrapSymbol: Symbol, WrapCode: Javascript,
	WrapCodeScope: JavascriptWithScope, WrapUndefined: Undefined,
}

// TypeOf returns the type as which MongoDB stores the value at i on import.
func TypeOf(d *scan.Document, i int) Type {
	if w := WrapperOf(d, i); w != Unwrapped {
		return byWrapper[w]
	}
	switch t := &d.Tokens[i]; t.Kind {
	case scan.Null:
		return Null
	case scan.False, scan.True:
		return Bool
	case scan.Number:
		if t.Flags&scan.Float != 0 {
			return Double
		}
		n, err := strconv.ParseInt(string(d.Text(i)), 10, 64)
		switch {
		case err != nil:
			return Double
		case n != int64(int32(n)):
			return Long
		}
		return Int
	case scan.Decimal:
		return Decimal
	case scan.ObjectID:
		return ObjectID
	case scan.Date:
		return Date
	case scan.Timestamp:
		return Timestamp
	case scan.Binary:
		return BinData
	case scan.Special:
		return Regex
	case scan.Object:
		return Object
	case scan.Array:
		return Array
	}
	return String
}
