// Package cli is the command line. Its caller passes the databases and object
// stores that it can read in addition to files.
package cli

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// Main runs the command line of the process and exits. It reads live databases
// and objects through the openers, which may be nil.
func Main(openers remote.Openers, stores remote.Stores) {
	if isVet(os.Args[1:]) {
		vet(os.Args[1:])
	}
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, check: frugal(jsonlint.Check), openers: openers, stores: stores}
	os.Exit(a.untilSignal(os.Args[1:]))
}

// Runner returns a function that runs command lines inside another program,
// also concurrently, and returns their exit codes.
func Runner(openers remote.Openers, stores remote.Stores) func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	check := frugal(jsonlint.Check)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		a := &app{stdin: strings.NewReader(""), stdout: stdout, stderr: stderr, check: check, openers: openers, stores: stores}
		return a.run(ctx, args)
	}
}
