// Package analyzers finds modelling mistakes in Go code that stores documents
// in a document database.
//
// [Suite] serves go vet and other drivers that look at one package at a time.
// [Check] looks at a whole program, in which a type may be declared in one
// package and stored by another.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/aggregatedrift"
	"github.com/shapevet/shapevet/analyzers/awkwardfieldname"
	"github.com/shapevet/shapevet/analyzers/bsonnotinlined"
	"github.com/shapevet/shapevet/analyzers/deepnesting"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/duplicatereference"
	"github.com/shapevet/shapevet/analyzers/dynamickeys"
	"github.com/shapevet/shapevet/analyzers/fieldnamevariant"
	"github.com/shapevet/shapevet/analyzers/idtag"
	"github.com/shapevet/shapevet/analyzers/inconsistentdiscriminator"
	"github.com/shapevet/shapevet/analyzers/inlineblob"
	"github.com/shapevet/shapevet/analyzers/invalidid"
	"github.com/shapevet/shapevet/analyzers/joindocument"
	"github.com/shapevet/shapevet/analyzers/missingdiscriminator"
	"github.com/shapevet/shapevet/analyzers/missingid"
	"github.com/shapevet/shapevet/analyzers/nestedarray"
	"github.com/shapevet/shapevet/analyzers/nullcollection"
	"github.com/shapevet/shapevet/analyzers/numericidentifier"
	"github.com/shapevet/shapevet/analyzers/numericprecision"
	"github.com/shapevet/shapevet/analyzers/partitionkey"
	"github.com/shapevet/shapevet/analyzers/referencetypemismatch"
	"github.com/shapevet/shapevet/analyzers/structdrift"
	"github.com/shapevet/shapevet/analyzers/tagcodecmismatch"
	"github.com/shapevet/shapevet/analyzers/ttltype"
	"github.com/shapevet/shapevet/analyzers/unboundedarray"
	"github.com/shapevet/shapevet/analyzers/unknowntagoption"
	"github.com/shapevet/shapevet/analyzers/untraceablecopy"
	"github.com/shapevet/shapevet/analyzers/volatileembed"
	"github.com/shapevet/shapevet/analyzers/wholeentityembed"
	"github.com/shapevet/shapevet/analyzers/zeroobjectid"
)

// Rules returns all rules, sorted by name.
func Rules() []docmodel.Rule {
	return []docmodel.Rule{
		aggregatedrift.Rule,
		awkwardfieldname.Rule,
		bsonnotinlined.Rule,
		deepnesting.Rule,
		duplicatereference.Rule,
		dynamickeys.Rule,
		fieldnamevariant.Rule,
		idtag.Rule,
		inconsistentdiscriminator.Rule,
		inlineblob.Rule,
		invalidid.Rule,
		joindocument.Rule,
		missingdiscriminator.Rule,
		missingid.Rule,
		nestedarray.Rule,
		nullcollection.Rule,
		numericidentifier.Rule,
		numericprecision.Rule,
		partitionkey.Rule,
		referencetypemismatch.Rule,
		structdrift.Rule,
		tagcodecmismatch.Rule,
		ttltype.Rule,
		unboundedarray.Rule,
		unknowntagoption.Rule,
		untraceablecopy.Rule,
		volatileembed.Rule,
		wholeentityembed.Rule,
		zeroobjectid.Rule,
	}
}

// Suite returns the analyzers of all rules.
func Suite(options docmodel.Options) []*analysis.Analyzer {
	return docmodel.Suite(options, Rules()...)
}
