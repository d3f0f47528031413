// Package analyzers finds modelling mistakes in Go code that stores documents
// in a document database.
//
// [Suite] serves go vet and other drivers that look at one package at a time.
// [Check] looks at a whole program, in which a type may be declared in one
// package and stored by another.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/joindocument"
	"github.com/shapevet/shapevet/analyzers/missingdiscriminator"
	"github.com/shapevet/shapevet/analyzers/referencetypemismatch"
	"github.com/shapevet/shapevet/analyzers/unboundedarray"
	"github.com/shapevet/shapevet/analyzers/volatileembed"
	"github.com/shapevet/shapevet/analyzers/wholeentityembed"
)

// Rules returns all rules, sorted by name.
func Rules() []docmodel.Rule {
	return []docmodel.Rule{
		joindocument.Rule,
		missingdiscriminator.Rule,
		referencetypemismatch.Rule,
		unboundedarray.Rule,
		volatileembed.Rule,
		wholeentityembed.Rule,
	}
}

// Suite returns the analyzers of all rules.
func Suite(options docmodel.Options) []*analysis.Analyzer {
	return docmodel.Suite(options, Rules()...)
}
