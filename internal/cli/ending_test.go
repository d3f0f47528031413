package cli

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// TestNothingHoldsUpAnEnding: cancelled work that never checks its context is
// abandoned.
func TestNothingHoldsUpAnEnding(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	forever, begun := make(chan struct{}), make(chan struct{})
	defer close(forever)
	var out, complaints bytes.Buffer
	a := &app{stdin: &bytes.Buffer{}, stdout: &out, stderr: &complaints}
	a.check = func(context.Context, []string, jsonlint.Options) (*finding.Report, error) {
		close(begun)
		<-forever
		return &finding.Report{}, nil
	}
	code := make(chan int)
	go func() { code <- a.run(ctx, []string{"check", "--no-progress", t.TempDir()}) }()
	<-begun
	cancel()
	select {
	case got := <-code:
		assert.Equal(t, exitInterrupted, got)
		assert.Equal(t, "shapevet: interrupted\n", complaints.String())
		assert.Empty(t, out.String())
	case <-time.After(10 * time.Second):
		assert.Fail(t, "the run goes on")
	}
}

// TestAbandonable: the result of finished work counts, even after it was
// cancelled.
func TestAbandonable(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	failed := errors.New("failed")
	require.NoError(t, abandonable(ctx, func() error { return nil }))
	require.ErrorIs(t, abandonable(ctx, func() error { return failed }), failed)
	require.ErrorIs(t, abandonable(ctx, func() error { cancel(); return failed }), failed)
	require.ErrorIs(t, abandonable(ctx, func() error { time.Sleep(20 * patience); return nil }), context.Canceled)
}
