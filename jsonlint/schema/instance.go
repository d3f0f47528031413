package schema

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// deepest is the level of a document below which nothing is validated. No
// database stores that many levels, and the library keeps the whole path of
// each.
const deepest = 500

// value returns the value at i as a JSON Schema sees it. For a schema that
// mentions "$oid" and the like that is Extended JSON as written; for any other
// it is the plain value: the digits of an ObjectID, a date in RFC 3339. The
// notations of DynamoDB and Firestore are always removed.
func value(d *scan.Document, i int, written bool, depth int) any {
	t := &d.Tokens[i]
	if t.Flags&scan.Wrapped != 0 && t.Kind < scan.Object {
		if v, ok := unwrap(d, i, written); ok {
			return v
		}
	}
	if depth > deepest {
		return nil
	}
	switch t.Kind {
	case scan.Null:
		return nil
	case scan.False, scan.True:
		return t.Kind == scan.True
	case scan.Number, scan.Decimal:
		return number(string(d.Text(i)))
	case scan.Object:
		o := make(map[string]any, d.Len(i))
		for k, v := range d.Members(i) {
			o[d.String(k)] = value(d, v, written, depth+1)
		}
		return o
	case scan.Array:
		a := make([]any, 0, d.Len(i))
		for _, v := range d.Elements(i) {
			a = append(a, value(d, v, written, depth+1))
		}
		return a
	}
	return d.String(i)
}

// unwrap returns the value in a wrapper that does not hold a scalar.
func unwrap(d *scan.Document, i int, written bool) (v any, ok bool) {
	wrapper := bson.WrapperOf(d, i)
	if wrapper == bson.Unwrapped {
		return nil, false
	}
	if written {
		decoder := json.NewDecoder(strings.NewReader(string(d.Raw(i))))
		decoder.UseNumber()
		if err := decoder.Decode(&v); err == nil {
			return v, true
		}
	}
	if d.Tokens[i].Kind == scan.Date {
		if millis, err := strconv.ParseInt(string(d.Text(i)), 10, 64); err == nil {
			return time.UnixMilli(millis).UTC().Format(time.RFC3339Nano), true
		}
	}
	return nil, false
}

// notANumber stands for NaN and the infinities, which the library cannot
// represent. It is a number but not an integer.
const notANumber = json.Number("0.5")

// number returns a number that the library can handle exactly. The library
// writes out all digits, so the exponent must not be too large.
func number(text string) any {
	if strings.ContainsAny(text, "nN") { // NaN or Infinity
		return notANumber
	}
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		if exponent, err := strconv.Atoi(text[e+1:]); err != nil || exponent > 400 || exponent < -400 {
			return double(text)
		}
	}
	return json.Number(strings.TrimPrefix(text, "+"))
}

func double(text string) any {
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case math.IsNaN(f), err != nil && f == 0:
		return float64(0.5)
	case math.IsInf(f, 0):
		return math.Copysign(math.MaxFloat64, f)
	}
	return f
}

func decimal(text string) any {
	if n, ok := number(text).(json.Number); ok {
		return n
	}
	return notANumber
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// find follows a pointer into a document as far as it leads. It returns the
// value and its name, or -1 if it has none.
func find(d *scan.Document, steps []string) (value, key int) {
	value, key = 0, -1
	for _, step := range steps {
		switch d.Tokens[value].Kind {
		case scan.Object:
			found, ok := d.Get(value, step)
			if !ok {
				return value, key
			}
			value, key = found, found-1
		case scan.Array:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= d.Len(value) {
				return value, key
			}
			for at, v := range d.Elements(value) {
				if at == n {
					value, key = v, -1
					break
				}
			}
		default:
			return value, key // in a value that Extended JSON writes as an object
		}
	}
	return value, key
}
