package wording_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

func TestShortenTwo(t *testing.T) {
	t.Parallel()
	url := `"https://images.example.org/` + strings.Repeat("folder/", 9)
	for name, tc := range map[string]struct{ a, b, short, other string }{
		"short values":               {`"red"`, `"blue"`, `"red"`, `"blue"`},
		"a difference in what shows": {`"a` + url, `"b` + url, `"a"https://images.example.org/folder/folder/folder/folder…`, `"b"https://images.example.org/folder/folder/folder/folder…`},
		"a difference beyond":        {url + `one.png"`, url + `other.png"`, `…lder/folder/one.png"`, `…lder/folder/other.png"`},
		"one is the beginning":       {url + `a"`, url + `ab"`, `…lder/folder/a"`, `…lder/folder/ab"`},
		"characters of many bytes":   {url + `ÄÖÜÄÖÜÄ"`, url + `ÄÖÜÄÖÜÖ"`, `…r/ÄÖÜÄÖÜÄ"`, `…r/ÄÖÜÄÖÜÖ"`},
		"places nobody can read":     {`?`, `?`, `?`, `?`},
		"equal values":               {url + `a"`, url + `a"`, `…der/folder/a"`, `…der/folder/a"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			short, other := wording.ShortenTwo(tc.a, tc.b)
			assert.Equal(t, tc.short, short)
			assert.Equal(t, tc.other, other)
		})
	}
}
