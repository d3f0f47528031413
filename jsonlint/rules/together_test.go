package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// TestTogether: one cause in several collections, or in several fields of a free
// object, is one finding; in two, or in collections of other documents, it is not.
func TestTogether(t *testing.T) {
	t.Parallel()
	board := ruletest.Times(1, 3, `{"id":"%[1]d","name":"n","rows":[["a","b"],["c"]]}`)
	boards := func(years int) ruletest.Database {
		db := ruletest.Database{}
		for i := range years {
			db[fmt.Sprintf("boards%d", 2020+i)] = board
		}
		return db
	}
	found := ruletest.FindingsOf(t, "nested-array", boards(4), jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 3 more collections")
	assert.Len(t, found[0].Related, 3)
	assert.Len(t, ruletest.FindingsOf(t, "nested-array", boards(2), jsonlint.Options{}), 2)

	apart := ruletest.Database{}
	for _, name := range []string{"one", "two", "three"} {
		apart[name] = ruletest.Times(1, 3, `{"id":"%[1]d","`+name+`A":1,"`+name+`B":1,"`+name+`C":1,"rows":[["a","b"],["c"]]}`)
	}
	assert.Len(t, ruletest.FindingsOf(t, "nested-array", apart, jsonlint.Options{}), 3)

	free := ruletest.Database{"steps": ruletest.Concat(
		ruletest.Times(1, 9, `{"id":"%[1]d","of":{"x%[1]d":1,"y%[1]d":true}}`),
		[]string{`{"id":"a","of":{"p":[["a"],["b","c"]],"q":[["a"],["b","c"]],"r":[["a"],["b","c"]]}}`},
	)}
	found = ruletest.FindingsOf(t, "nested-array", free, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 2 more fields")

	fixed := ruletest.Database{"steps": ruletest.Times(1, 9, `{"id":"%[1]d","of":{"p":[["a"],["b","c"]],"q":[["a"],["b","c"]],"r":[["a"],["b","c"]]}}`)}
	assert.Len(t, ruletest.FindingsOf(t, "nested-array", fixed, jsonlint.Options{}), 3)

	shelves := ruletest.Database{} // a fix is applied where it is told
	for _, name := range []string{"shelf1", "shelf2", "shelf3"} {
		shelves[name] = ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","pages":1,"isbn":"a%[1]d"}`), []string{`{"id":"10","pages":2,"isbn":"b","pages":2}`})
	}
	mended := ruletest.FindingsOf(t, "duplicate-key", shelves, jsonlint.Options{})
	require.Len(t, mended, 3)
	assert.NotEmpty(t, mended[0].Fixes)
}
