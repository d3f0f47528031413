package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReplaceWord(t *testing.T) {
	t.Parallel()
	for _, test := range [][3]string{
		{"write id as id", "id", "write \x00 as \x00"},
		{"idle ids mid id2 _id", "id", "idle ids mid id2 _id"},
		{"a[].b, not a[].bc", "a[].b", "\x00, not a[].bc"},
		{"größe ö", "ö", "größe \x00"},
		{"name \xffd here", "\xffd", "name \x00 here"},
	} {
		assert.Equal(t, test[2], replaceWord(test[0], test[1]))
	}
}
