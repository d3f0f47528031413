package reshape

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Compare orders two scalars the way ids and times are ordered: numbers by
// size, with exact integers, and other values by their text, byte by byte.
// Numbers come first.
func Compare(a, b *Value) int {
	x, y := isNumber(a), isNumber(b)
	if x != y {
		if x {
			return -1
		}
		return 1
	}
	if !x {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.kind, b.kind))
	}
	m, okM := new(big.Int).SetString(a.text, 10)
	n, okN := new(big.Int).SetString(b.text, 10)
	if okM && okN {
		return m.Cmp(n)
	}
	f, _ := strconv.ParseFloat(a.text, 64) // out of range gives ±Inf, which sorts correctly
	g, _ := strconv.ParseFloat(b.text, 64)
	return cmp.Or(cmp.Compare(f, g), cmp.Compare(a.text, b.text))
}

// numeric reports whether every value is a number, or a string that is an
// integer in decimal.
func numeric(values []*Value) bool {
	return !slices.ContainsFunc(values, func(v *Value) bool {
		if isNumber(v) {
			return false
		}
		n, ok := new(big.Int).SetString(v.text, 10)
		return v.kind != scan.String || !ok || n.String() != v.text
	})
}

func isNumber(v *Value) bool { return v.kind == scan.Number || v.kind == scan.Decimal }

// sortIDs sorts ids by size if all are integers, including strings of digits,
// otherwise by text.
func sortIDs(ids []*Value) {
	if !numeric(ids) {
		slices.SortStableFunc(ids, Compare)
		return
	}
	slices.SortStableFunc(ids, func(a, b *Value) int {
		bySize := Compare(&Value{kind: scan.Number, text: a.text}, &Value{kind: scan.Number, text: b.text})
		return cmp.Or(bySize, cmp.Compare(a.kind, b.kind))
	})
}
