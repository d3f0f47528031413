package docmodel

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTakeApartNothing takes apart what did not type-check.
func TestTakeApartNothing(t *testing.T) {
	t.Parallel()
	assert.Zero(t, takeApart(nil))
}
