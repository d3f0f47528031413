package source

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOwnLines checks that a document at the end of the data does not suggest
// JSON Lines, because another may follow on the same line.
func TestOwnLines(t *testing.T) {
	t.Parallel()
	first := Span{Start: 0, End: 7}
	assert.False(t, ownLines([]byte(`{"a":1}`), []Span{first}))
	assert.True(t, ownLines([]byte("{\"a\":1}\n"), []Span{first}))
	assert.True(t, ownLines([]byte("{\"a\":1}\n{\"a\":2}"), []Span{first, {Start: 8, End: 15}}))
	assert.False(t, ownLines([]byte("{\"a\":1}{\"a\":2}\n"), []Span{first, {Start: 7, End: 14}}))
}
