package check

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// TestNothingStartsAfterCancellation: whoever stops a run does not wait for the
// rules that have not begun, nor for documents to be read again.
func TestNothingStartsAfterCancellation(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var began []string
	var readErr error
	rule := func(name string) Rule {
		return Rule{Name: name, Run: func(p *Pass) {
			began = append(began, name)
			p.After(func() { began = append(began, "after "+name) })
			cancel()
			_, readErr = p.Document(profile.Pos{})
		}}
	}
	run := Start(ctx, []Rule{rule("a"), rule("b")}, &model.Database{}, Settings{
		Enabled:    func(string) bool { return true },
		Thresholds: func(string) map[string]float64 { return nil },
		Fetch: func(profile.Pos) (*profile.Document, error) {
			t.Error("a document was read")
			return nil, nil
		},
	})
	assert.Empty(t, run.Finish())
	assert.Equal(t, []string{"a"}, began)
	assert.ErrorIs(t, readErr, context.Canceled)
	assert.Empty(t, run.Problems())
}
