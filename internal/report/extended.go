package report

import (
	"strconv"
	"strings"
	"time"
)

// extended replaces MongoDB Extended JSON wrappers by the values as people
// write them: ObjectId("6801ee3b5f2c9a1d4c7e8f90"), 2024-01-31T10:00:00Z, 42.
// See https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/.
func extended(n node) node {
	if n.open != '{' || len(n.keys) == 0 || !strings.HasPrefix(n.keys[0], `"$`) {
		return n
	}
	text := func(i int) string { return strings.Trim(n.children[i].scalar, `"`) }
	if len(n.keys) > 1 || n.children[0].open != 0 && n.keys[0] != `"$binary": ` {
		return n
	}
	switch strings.TrimSuffix(n.keys[0], ": ") {
	case `"$oid"`:
		return node{scalar: `ObjectId("` + text(0) + `")`}
	case `"$uuid"`:
		return node{scalar: `UUID("` + text(0) + `")`}
	case `"$numberDecimal"`:
		return node{scalar: `Decimal128("` + text(0) + `")`}
	case `"$numberInt"`, `"$numberLong"`, `"$numberDouble"`:
		return node{scalar: text(0)}
	case `"$date"`:
		if milliseconds, err := strconv.ParseInt(text(0), 10, 64); err == nil {
			return node{scalar: time.UnixMilli(milliseconds).UTC().Format("2006-01-02T15:04:05.999Z07:00")}
		}
		return node{scalar: text(0)}
	case `"$binary"`:
		for i, key := range n.children[0].keys {
			if key == `"base64": ` {
				return node{scalar: `Binary(` + n.children[0].children[i].scalar + `)`}
			}
		}
	}
	return n
}
