// Package shapes has the defined types that generated structs are made of.
package shapes

import (
	"encoding/json"
	"errors"
	"time"
)

type (
	Level  string
	Count  int
	Small  int8
	Ratio  float32
	Flag   bool
	Blob   []byte
	Stamp  time.Time
	Key    [12]byte
	Levels []Level
	Lookup map[string]Count
)

// Base is embedded.
type Base struct {
	Name  string `bson:"name" json:"name" dynamodbav:"name"`
	Total int    `bson:"total" json:"total" dynamodbav:"total"`
}

// Outer has fields of Base in addition to its own, one of which hides another.
type Outer struct {
	Base  `bson:",inline"`
	Total float64 `bson:"total" json:"total" dynamodbav:"total"`
	More  *Base   `bson:"more" json:"more" dynamodbav:"more"`
}

// Nested has its Base in a field of its own in one codec, and flat in others.
type Nested struct {
	Base
	First string
}

// Rest collects the values without a field, if the codec supports that.
type Rest struct {
	Name  string           `bson:"name" json:"name" dynamodbav:"name"`
	Other map[string]int64 `bson:",inline" json:"-" dynamodbav:"-"`
}

// Reader has its own unmarshal methods.
type Reader struct{ Value int }

var errOdd = errors.New("odd")

func (r *Reader) UnmarshalJSON(text []byte) error {
	if len(text)%2 == 1 {
		return errOdd
	}
	return nil
}

func (r *Reader) UnmarshalBSONValue(_ byte, data []byte) error { return r.UnmarshalJSON(data) }

// Text unmarshals itself from a string.
type Text struct{ Value string }

func (t *Text) UnmarshalText(text []byte) error {
	if len(text) > 8 {
		return errOdd
	}
	t.Value = string(text)
	return nil
}

// Shout is a string that unmarshals itself from a string.
type Shout string

func (s *Shout) UnmarshalText(text []byte) error {
	*s = Shout(text)
	return nil
}

// Named is an interface with a method.
type Named interface{ Title() string }

// Raw is stored unchanged.
type Raw = json.RawMessage
