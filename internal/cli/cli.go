// Package cli is the command line. What it is given is which databases and
// stores of objects can be read beside files.
package cli

import (
	"os"

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
