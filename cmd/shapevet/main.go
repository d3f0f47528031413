// Shapevet finds modelling mistakes in the documents of document databases, and
// in the Go code that stores them. It is also a vet tool:
//
//	go vet -vettool=$(which shapevet) ./...
package main

import "os"

func main() {
	if isVet(os.Args[1:]) {
		vet(os.Args[1:])
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
