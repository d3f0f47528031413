package profile

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestLastSeparator(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]byte("/:.;09az\x00\x80\xaf\xba\xff")), 0, 30).Draw(t, "text")
		require.Equal(t, bytes.LastIndexAny(text, "/:"), lastSeparator(text))
	})
}

func TestIntegral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"1.0": true, "1.": true, "-12.000": true, "1.01": false, "10.50": false, "0.0": true, "1e3": true, "1.5e1": true, "1.5E0": false, "1e-1": false,
		"12345678901234567.0": true, "1234567890123456789.0": true, "123456789012345678901.0": false, "1e400": false, "NaN": false,
	} {
		point, exponent := pointOf([]byte(text))
		assert.Equal(t, want, integral([]byte(text), point, exponent), text)
	}
}
