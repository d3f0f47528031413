// Package missingid reports stored types that have no id.
package missingid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Rule reports stored types that have no id.
var Rule = docmodel.Rule{Name: "missing-id", Run: run, SamePlace: docmodel.EitherWhole}

func run(p *docmodel.Pass) {
	for _, d := range p.Documents() {
		if !d.Written && !declared(d) || len(d.Fields) == 0 || d.Open() || identified(d) {
			continue
		}
		f := docmodel.Finding{Document: d, Evidence: []finding.Evidence{{Name: "fields", Value: names(d)}}}
		switch p.DB(d) {
		case "cosmosdb":
			f.Severity, f.Confidence = finding.Warning, 0.9
			f.Message = name(d) + " has no field stored as id, but Azure Cosmos DB refuses an item without id"
			f.Fix = plan(d)
		case "mongodb":
			// An id that the driver makes up serves most documents; one that ties two others together should be there once.
			if keyed(p, d) || len(references(d)) < 2 {
				continue
			}
			f.Severity, f.Confidence = finding.Info, 0.4
			f.Message = name(d) + " has no field stored as _id: the driver invents one, so the same document can be stored twice"
		case "couchbase":
			if keyed(p, d) {
				continue
			}
			f.Severity, f.Confidence = finding.Info, 0.4
			f.Message = name(d) + " does not hold its own key: what a query returns cannot be written back"
		case "", "generic":
			if !declared(d) || keyed(p, d) {
				continue
			}
			f.Confidence = 0.7
			f.Message = name(d) + " has no field that identifies a document"
			f.Fix = plan(d)
		default: // the key is given beside the document, or its name depends on the table
			continue
		}
		f.Advice = advice(d)
		p.Report(f)
	}
}

// name is the type as the subject of the message; a finding at a call that
// stores it begins with its name already.
func name(d *docmodel.Document) string {
	if !d.Pos.IsValid() {
		return "it"
	}
	return d.Name
}

// declared reports whether a directive or the configuration says that the
// type is stored.
func declared(d *docmodel.Document) bool { return d.Confidence == 1 }

// identified reports whether a field is an id, even if it is stored under
// another name than the database wants, which is the business of id-tag.
func identified(d *docmodel.Document) bool {
	return slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool { return lexicon.Fold(f.Name) == "id" || lexicon.Fold(f.GoName()) == "id" })
}

// keyed reports whether another field can serve as the key.
func keyed(p *docmodel.Pass, d *docmodel.Document) bool {
	return docmodel.ID(d.Fields, d.Name) != nil || slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool {
		return f.Scalar() && f.Kind.IsID() && (f.Has(p.Words(), lexicon.LookupValue) || strings.EqualFold(f.Name, "key") || strings.EqualFold(f.Name, "name"))
	})
}

func names(d *docmodel.Document) []string {
	var found []string
	for _, f := range d.Fields {
		found = append(found, f.Name)
	}
	return found
}

// references are the fields that say to what a document belongs.
func references(d *docmodel.Document) []*docmodel.Field {
	var found []*docmodel.Field
	for _, f := range d.Fields {
		if f.Scalar() && f.Kind.IsID() && refs.Stem(f) != "" {
			found = append(found, f)
		}
	}
	return found
}

func advice(d *docmodel.Document) string {
	found, second := references(d), "a number"
	if len(found) == 0 {
		return fmt.Sprintf("Give %s an id before the first attempt to write it, so that a repeated write stores nothing twice.", d.Name)
	}
	if len(found) > 1 {
		second = found[1].GoName()
	}
	return fmt.Sprintf("Make the id of %s from its values, such as %s and %s, so that a repeated write stores nothing twice.", d.Name, found[0].GoName(), second)
}

// plan is the way out: a field alone stores nothing, code has to set it.
func plan(d *docmodel.Document) *docmodel.Fix {
	return docmodel.Plan("add a field to %s that is stored as id, and set it before each write", d.Name)
}
