// Bareload loads and type-checks Go packages with package go/packages and
// prints their number, as the baseline for the cost of an analysis.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	// What an analysis of the named packages needs: their syntax and types.
	// Of what they import, export data is enough.
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	matched, err := packages.Load(&packages.Config{Mode: mode}, os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bareload: "+err.Error())
		os.Exit(1)
	}
	fmt.Println(len(matched))
}
