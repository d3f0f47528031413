package scan

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Every character of up to three bytes, valid or not, with its surroundings.
func TestValidUTF8(t *testing.T) {
	t.Parallel()
	for _, around := range []string{"", "語語語", "é", "plain text that is long enough for words", "😀"} {
		for lead := 0x7e; lead < 0x100; lead++ {
			for second := 0x7e; second < 0xc2; second++ {
				for _, third := range []byte{'a', 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc0} {
					text := []byte(around + string([]byte{byte(lead), byte(second), third}) + around + "0123456")
					if validUTF8(text) != utf8.Valid(text) { // an assertion for each would take seconds
						t.Errorf("%x", text)
					}
				}
			}
		}
	}
}

func TestValidUTF8Agrees(t *testing.T) {
	t.Parallel()
	piece := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ]{0,70}`), rapid.StringMatching(`[ァ-ヺ]{0,20}`), rapid.StringMatching(`[a-zà-ÿ]{0,30}`),
		rapid.SampledFrom([]string{"\xed\xa0\x80", "\xc0\xaf", "\xe0\x80\x80", "\xf4\x90\x80\x80", "\x80", "\xff", "\uFFFD", "\U0010FFFF"}))
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), ""))
		text = text[:len(text)-rapid.IntRange(0, min(3, len(text))).Draw(t, "cut off")]
		assert.Equal(t, utf8.Valid(text), validUTF8(text), "%q", text)
	})
}

func TestStops(t *testing.T) {
	t.Parallel()
	near := rapid.SampledFrom([]byte{0, 1, 0x1f, ' ', '!', '"', '#', '[', '\\', ']', 0x7f, 0x80, 0xa2, 0xdc, 0xff, 'a'})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.OneOf(near, rapid.Byte()), 8, 8).Draw(t, "text")
		want := 0
		for want < 8 && text[want] != '"' && text[want] != '\\' && text[want] >= ' ' {
			want++
		}
		assert.Equal(t, want, bits.TrailingZeros64(stops(binary.LittleEndian.Uint64(text)))>>3, "%q", text)
	})
}
