package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// untilSignal executes a command line until it is done or interrupted, and
// returns the exit code. Signals stay caught until the process is gone: one that
// comes when all is done does not change how it ended.
func (a *app) untilSignal(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	return a.run(ctx, args)
}

// endings are the signals that end a run in good order, so that no temporary
// file is left. Who starts it to outlive the terminal, as nohup does, has that
// signal ignored.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// patience is how long work that was called off may take to end by itself.
const patience = 50 * time.Millisecond

// abandonable does work that only reads and computes. Where it does not notice
// soon that it was called off, it is left alone, and nothing that it has made
// may be used: what a rule computes between two looks at the context depends on
// the documents and has no bound.
func abandonable(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return ctx.Err()
	}
}
