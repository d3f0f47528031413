package report

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

// maxListed is how many elements of a list in evidence the text format shows.
const maxListed = 5

func valueText(value any, bytes bool) string {
	switch v := reflect.ValueOf(value); {
	case v.CanInt() && bytes:
		return quantity.Bytes(v.Int())
	case v.CanInt():
		return quantity.Grouped(v.Int())
	case v.CanUint():
		return valueText(int64(min(v.Uint(), math.MaxInt64)), bytes)
	case v.CanFloat():
		return floatText(v.Float(), bytes)
	case v.Kind() == reflect.String:
		return term.Clean(v.String())
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
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

// floatText writes whole numbers as integers and others with three significant
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
