package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// untilSignal executes a command line until it is done or interrupted, and
// returns the exit code. Signals stay caught until the process exits: one that
// arrives after the work is done does not change the outcome.
func (a *app) untilSignal(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills the process
	return a.run(ctx, args)
}

// endings are the signals that end a run in an orderly way, leaving no
// temporary file. If the process is meant to outlive the terminal, as under
// nohup, that signal is ignored.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// patience is how long cancelled work may take to end by itself.
const patience = 50 * time.Millisecond

// abandonable does work that only reads and computes. If the work does not
// react to cancellation soon, it returns without waiting, and nothing from the
// work may be used. A rule's computation between two checks of the context
// depends on the documents and has no bound.
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
