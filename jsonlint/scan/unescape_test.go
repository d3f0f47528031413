package scan

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAppendUnescaped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                       "",
		`plain`:                  "plain",
		`\n`:                     "\n",
		`a\/b\\c\"d`:             `a/b\c"d`,
		`\b\f\n\r\t`:             "\b\f\n\r\t",
		`caf\u00E9 \u00e9`:       "café é",
		`\ud83d\ude00!`:          "😀!",
		`\ud83d\u0041`:           "\uFFFDA",
		`\ude00`:                 "\uFFFD",
		`ends with \`:            `ends with \`,
		`no such \x escape`:      `no such \x escape`,
		`\u12 is cut off`:        `\u12 is cut off`,
		`\uzzzz is no number \n`: "\\uzzzz is no number \n",
	} {
		assert.Equal(t, "> "+want, string(AppendUnescaped([]byte("> "), []byte(text))), text)
	}
}

// Strings must be unescaped as by encoding/json, whatever is between the
// escapes.
func TestAppendUnescapedAgrees(t *testing.T) {
	t.Parallel()
	piece := rapid.OneOf(rapid.StringMatching(`[ -!#-\[\]-~é語]{0,40}`), rapid.SampledFrom([]string{
		`\n`, `\\`, `\"`, `\/`, `\t`, `\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`,
	}))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		var want string
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &want))
		assert.Equal(t, want, string(AppendUnescaped(nil, []byte(text))))
	})
}

func TestHex4(t *testing.T) {
	t.Parallel()
	_, ok := Hex4([]byte("12f"))
	assert.False(t, ok)
	for c := range 256 {
		for at := range 4 {
			text := []byte("1aF9 and more")
			text[at] = byte(c)
			want, err := strconv.ParseUint(string(text[:4]), 16, 16)
			if r, ok := Hex4(text); ok != (err == nil) || ok && r != rune(want) {
				t.Errorf("%q is %#x, %v", text[:4], r, ok)
			}
		}
	}
}
