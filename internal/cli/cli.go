// Package cli is the command line. What it is given is which databases and
// stores of objects can be read beside files.
package cli

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// Main runs the command line of the process and ends it. Live databases and
// objects are read by the openers, which may be nil.
func Main(openers remote.Openers, stores remote.Stores) {
	if isVet(os.Args[1:]) {
		vet(os.Args[1:])
	}
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, check: frugal(jsonlint.Check), openers: openers, stores: stores}
	os.Exit(a.untilSignal(os.Args[1:]))
}

// Runner returns a function that runs command lines inside a program that does
// something else too, several at a time, and returns their exit codes.
func Runner(openers remote.Openers, stores remote.Stores) func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	check := frugal(jsonlint.Check)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		a := &app{stdin: strings.NewReader(""), stdout: stdout, stderr: stderr, check: check, openers: openers, stores: stores}
		return a.run(ctx, args)
	}
}
