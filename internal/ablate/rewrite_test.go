package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRewrite(t *testing.T) {
	t.Parallel()
	text, conditions := rewrite("a.go", []byte(`package a

const both = true && false

func f(a, b, c bool, err error) bool {
	if a || b && c {
		return false
	}
	if err != nil {
		return false
	}
	if a {
		b = c
	}
	return a && b && !c
}
`), 7)
	assert.Equal(t, []string{
		"a.go:6:5 if a || b && c",
		"a.go:6:5 || a",
		"a.go:6:10 || b && c",
		"a.go:6:10 && b",
		"a.go:6:15 && c",
		"a.go:15:19 && !c",
		"a.go:15:9 && a",
		"a.go:15:14 && b",
	}, conditions)
	assert.Equal(t, `package a; import ablate "github.com/shapevet/shapevet/internal/ablate/off"

const both = true && false

func f(a, b, c bool, err error) bool {
	if ((((a) && !ablate.Off(8)) || ((((b) || ablate.Off(10)) && ((c) || ablate.Off(11))) && !ablate.Off(9))) && !ablate.Off(7)) {
		return false
	}
	if err != nil {
		return false
	}
	if a {
		b = c
	}
	return ((a) || ablate.Off(13)) && ((b) || ablate.Off(14)) && ((!c) || ablate.Off(12))
}
`, string(text))
}

func TestSpread(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []int{0, 3, 6}, spread(10, 3))
	assert.Equal(t, []int{0, 1}, spread(2, 30))
	assert.Empty(t, spread(0, 30))
}
