// Shapevet finds modelling mistakes in the documents of document databases.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
