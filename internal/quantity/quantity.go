// Package quantity writes numbers of things for people.
package quantity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Grouped returns a number with commas between thousands: 1,204.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	if n < 0 {
		b.WriteByte('-')
		digits = digits[1:]
	}
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// Of returns a number with its noun: 1 list, 2,000 lists.
func Of(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Grouped(n) + " " + thing + "s"
}

// Bytes returns a number of bytes: 812 bytes, 66.5 KB, 2 MB. A KB is 1,024
// bytes, as in the limits of databases: the 2 MB of Azure Cosmos DB and the 16
// MB of MongoDB are 2 and 16 times 1,024 times 1,024.
func Bytes(n int64) string {
	if n < 1024 {
		return Of(n, "byte")
	}
	value, unit := float64(n), 0
	for value >= 1023.95 && unit < 4 {
		value, unit = value/1024, unit+1
	}
	precision := 1
	if value >= 99.95 {
		precision = 0
	}
	digits := strings.TrimSuffix(strconv.FormatFloat(value, 'f', precision, 64), ".0")
	return digits + " " + [...]string{"bytes", "KB", "MB", "GB", "TB"}[unit]
}

// ParseBytes reads a number of bytes as people write it: 512MB, 1.5 GB, 4096.
func ParseBytes(text string) (int64, error) {
	unit, factor := strings.ToUpper(strings.TrimSpace(text)), 1.0
	number := strings.TrimRight(unit, "KMGTIB ")
	switch strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(unit[len(number):]), "B"), "I") {
	case "":
	case "K":
		factor = 1 << 10
	case "M":
		factor = 1 << 20
	case "G":
		factor = 1 << 30
	case "T":
		factor = 1 << 40
	default:
		return 0, fmt.Errorf("%q is no size, as 512MB or 2GB are", text)
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n >= 0) || n*factor >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is no size, as 512MB or 2GB are", text)
	}
	return int64(n * factor), nil
}

// Percent returns a share of 0 to 1 as text: 12%, 0.4%. Less than all is never
// 100%, and more than nothing never 0%.
func Percent(share float64) string {
	p := 100 * share
	switch {
	case p > 0 && p < 0.1:
		return "under 0.1%"
	case p >= 99.5 && p < 99.95:
		return strconv.FormatFloat(p, 'f', 1, 64) + "%"
	case p >= 99.95 && p < 100:
		return "over 99.9%"
	case p >= 9.95 || p == 0:
		return strconv.FormatFloat(p, 'f', 0, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}
