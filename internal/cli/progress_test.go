package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgressWaitsBeforeItShows(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	bar := newProgress(&out)
	bar.update(10, 100)
	bar.clear()
	assert.Empty(t, out.String(), "a short run shows no bar")

	bar.start = time.Now().Add(-2 * progressDelay)
	for _, done := range []int64{20, 100, 0, 50} { // the third starts another pass
		bar.update(done, 100)
	}
	bar.update(150, 200)
	assert.Contains(t, out.String(), "checking")
	bar.clear()
	text := out.String()
	bar.update(0, 0)
	assert.True(t, len(out.String()) >= len(text), "an empty input is no failure")
}
