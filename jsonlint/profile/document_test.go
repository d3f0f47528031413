package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// The hash of a value depends only on the value, not on earlier questions about
// this or the previous document.
func TestHashInAnyOrder(t *testing.T) {
	t.Parallel()
	long := `{"a":[` + strings.Repeat(`{"n":[1]},`, insideKept) + `{"n":[1]}]}`
	texts := []string{
		`{"a":{"b":[1,{"c":"x"},null],"d":"caf\u00e9"},"e":[[],{}]}`,
		`{ "e" : [ [ ], { } ], "a" : { "d" : "café", "b" : [ 1.0, { "c" : "x" }, null ] } }`,
		`{"a":{"b":[{"c":"x"},1,null],"d":"café"},"e":[[],{}]}`, `{}`, long,
	}
	var d Document
	var roots []uint64
	for _, text := range texts {
		parsed, err := new(scan.Parser).Parse([]byte(text))
		require.NoError(t, err)
		fresh := func() *Document { return &Document{Document: parsed} }
		d.Load(parsed, 0, 0)
		step := max(1, len(d.Tokens)/100)
		for i := len(d.Tokens) - 1; i >= 0; i -= step { // the inner ones first
			if d.Tokens[i].Flags&scan.Key == 0 {
				require.Equal(t, fresh().Hash(i), d.Hash(i), "token %d of %.40s", i, text)
			}
		}
		roots = append(roots, d.Hash(0))
		for i := 0; i < len(d.Tokens); i += step { // and the outer ones
			if d.Tokens[i].Flags&scan.Key == 0 {
				require.Equal(t, fresh().Hash(i), d.Hash(i), "token %d of %.40s", i, text)
			}
		}
	}
	assert.Equal(t, roots[0], roots[1])
	assert.Len(t, map[string]bool{fmt.Sprint(roots[0]): true, fmt.Sprint(roots[2]): true, fmt.Sprint(roots[3]): true, fmt.Sprint(roots[4]): true}, 4)
}
