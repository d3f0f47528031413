package profile

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/zeebo/xxh3"
)

func TestHashShortIsXXH3(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]byte, r.IntN(shortText+1))
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		assert.Equal(t, xxh3.Hash(text), hashShort(text), "%q", text)
	}
}
