package refs_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/analyzers/internal/refs"
)

// TestNames: the words that mark a stored type may also belong to what it is.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		stem, typeName string
		want           bool
	}{
		{"post", "Post", true},
		{"post", "PostModelV2", true},
		{"post", "MongoPost", true},
		{"menu item", "MenuItem", true},
		{"menu item", "MenuItemDocument", true},
		{"order", "OrderItem", true},
		{"comment", "PostDocument", false},
	} {
		assert.Equal(t, test.want, refs.Names(test.stem, test.typeName), "%s and %s", test.stem, test.typeName)
	}
}
