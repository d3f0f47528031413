package profile

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestManyPathsKeepRecords checks that the objects in a map keep their fields where
// so many paths lead through the map that few names are kept.
func TestManyPathsKeepRecords(t *testing.T) {
	t.Parallel()
	const width = 50
	record := map[string]int{}
	for i := range width {
		record[fmt.Sprintf("field%d", i)] = i
	}
	var docs []any
	for d := range 40 {
		entries := map[string]any{}
		for i := range 900 {
			entries[fmt.Sprintf("k%d-%d", d, i)] = record
		}
		docs = append(docs, map[string]any{"all": entries})
	}
	all := build(t, place(docs)).Root.Object.Field("all")
	assert.True(t, all.Object.Sampled())
	assert.False(t, all.Object.Rest.Object.Sampled())
	assert.Len(t, all.Object.Rest.Object.Fields(), width)
}
