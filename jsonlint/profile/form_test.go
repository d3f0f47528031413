package profile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestComputed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"[parameters('size')]": true, "[field('a').b]": true, "${size}": true, "{{ size }}": true, "[if(" + strings.Repeat("x", TextLength): true,
		"": false, "[": false, "(x)]": false, "[size]": false, "[(x)]": false, "[a b(x)]": false, "[call(x)": false, "size(x)": false, "${size": false, "{size}": false,
	} {
		assert.Equal(t, want, Computed(text), text)
	}
}
