// Shapevet finds modelling mistakes in the documents of document databases, and
// in the Go code that stores them. It is also a vet tool:
//
//	go vet -vettool=$(which shapevet) ./...
package main

import "github.com/shapevet/shapevet/internal/cli"

func main() { cli.Main(nil, nil) }
