package report

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

// size writes a number of bytes in the decimal units that databases use for
// their limits.
func size(bytes int64) string {
	if bytes < 1000 {
		return quantity.Of(bytes, "byte")
	}
	value, unit := float64(bytes), 0
	for value >= 999.5 && unit < 4 {
		value, unit = value/1000, unit+1
	}
	precision := 1
	if value >= 99.95 {
		precision = 0
	}
	return strconv.FormatFloat(value, 'f', precision, 64) + " " + [...]string{"B", "kB", "MB", "GB", "TB"}[unit]
}

// maxListed is how many elements of a list the text format shows as evidence.
const maxListed = 5

// evidenceText writes one piece of evidence for people.
func evidenceText(e finding.Evidence) string {
	return term.Clean(e.Name) + " " + valueText(e.Value, strings.HasSuffix(strings.ToLower(e.Name), "bytes"))
}

func valueText(value any, bytes bool) string {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if bytes {
			return size(v.Int())
		}
		return quantity.Grouped(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return valueText(int64(min(v.Uint(), math.MaxInt64)), bytes)
	case reflect.Float32, reflect.Float64:
		return floatText(v.Float(), bytes)
	case reflect.String:
		return term.Clean(v.String())
	case reflect.Slice, reflect.Array:
		var parts []string
		for i := range min(v.Len(), maxListed) {
			parts = append(parts, valueText(v.Index(i).Interface(), bytes))
		}
		text := strings.Join(parts, ", ")
		if more := v.Len() - maxListed; more > 0 {
			text += fmt.Sprintf(" and %s more", quantity.Grouped(int64(more)))
		}
		return text
	default:
		return term.Clean(fmt.Sprint(value))
	}
}

// floatText keeps whole numbers whole and gives others three significant
// digits.
func floatText(f float64, bytes bool) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	if math.Abs(f) >= 100 || f == math.Trunc(f) {
		if math.Abs(f) >= 1<<53 {
			return strconv.FormatFloat(f, 'g', 3, 64)
		}
		return valueText(int64(math.Round(f)), bytes)
	}
	return strconv.FormatFloat(f, 'g', 3, 64)
}
