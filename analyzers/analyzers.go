// Package analyzers finds modelling mistakes in Go code that stores documents
// in a document database.
//
// [Suite] is for go vet and other drivers that check one package at a time.
// [Check] checks a whole program, in which one package may declare a type that
// another stores.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/check"
)

//go:generate go run ../internal/newrule -registry

// Suite returns the analyzers of all rules.
func Suite(options check.Options) []*analysis.Analyzer {
	return check.Suite(options, Rules()...)
}
