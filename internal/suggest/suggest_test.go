package suggest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/internal/suggest"
)

func TestClosest(t *testing.T) {
	t.Parallel()
	names := []string{"join-document", "missing-discriminator", "unbounded-array", "volatile-embed"}
	for _, test := range []struct{ word, want string }{
		{"unbounded-arrays", "unbounded-array"},
		{"unbonded-aray", "unbounded-array"},
		{"UNBOUNDED_ARRAY", "unbounded-array"},
		{"unbounded", "unbounded-array"},
		{"join", "join-document"},
		{"un", ""},
		{"", ""},
		{"something-else", ""},
		{"日本語", ""},
	} {
		assert.Equal(t, test.want, suggest.Closest(test.word, names), test.word)
	}
}

func TestClosestPrefersTheExactName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "json", suggest.Closest("json", []string{"jsonl", "json"}))
	assert.Equal(t, "json", suggest.Closest("jsn", []string{"json", "jsonl"}))
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `did you mean "check"?`, suggest.DidYouMean("chekc", []string{"check", "rules"}))
	assert.Empty(t, suggest.DidYouMean("xyzzy", []string{"check", "rules"}))
	assert.Empty(t, suggest.DidYouMean("check", nil))
}
