// Package idtag reports documents whose id the database does not recognise
// because of its stored name.
package idtag

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// Rule reports id fields that are not stored under the database's name for ids.
var Rule = check.Rule{Name: "id-tag", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() { // an id embedded in several documents is one finding
		d := f.Document
		if f.Parent != nil || !d.Written || d.Generated || d.Codec.Marshals(d.Named) {
			continue
		}
		switch db := p.DB(d); {
		case d.Codec == docmodel.BSON && (db == "mongodb" || db == "") && misnamed(d, "_id") == f:
			mongo(p, d, f)
		case d.Codec == docmodel.JSON && d.DB == "cosmosdb" && misnamed(d, "id") == f:
			cosmos(p, d, f)
		}
	}
}

// misnamed returns the field that would be the id under the right name. It
// returns nil if there is none, or if a field has the right name. What is wrong with a
// tag that cannot be read is not the name: unknown-tag-option reports it.
func misnamed(d *docmodel.Document, right string) *docmodel.Field {
	var found *docmodel.Field
	for _, f := range d.Fields {
		switch _, unread := f.Unread(); {
		case f.Name == right:
			return nil
		case found == nil && !unread && f.Scalar() && f.Kind.IsID() && strings.EqualFold(strings.TrimLeft(f.Name, "_"), "id"):
			found = f
		}
	}
	return found
}

func mongo(p *check.Pass, d *docmodel.Document, f *docmodel.Field) {
	if takesIn(d, "_id") {
		return
	}
	report := check.Finding{
		Document: d, Field: f, Severity: finding.Info, Confidence: 0.4,
		Message:  fmt.Sprintf("the id of %s is stored as %s: MongoDB adds another _id to every document", d.Name, f.Name),
		Advice:   fmt.Sprintf("Tag it `bson:\"_id\"`, or put a unique index on %s if it should be a second key.", f.Name),
		Evidence: []finding.Evidence{{Name: "stored as", Value: f.Name}, {Name: "type", Value: f.Type.String()}},
	}
	own, server := near(p, d, f.Name), near(p, d, "_id")
	switch {
	case len(own) > 0: // code uses the name under which it is stored
	case len(server) > 0:
		report.Severity, report.Confidence = finding.Warning, 0.7
		report.Related = append(report.Related, check.Related{Pos: server[0].Pos, Message: "this query asks for _id"})
		if f.Kind == docmodel.ObjectID {
			report.Confidence = 0.9
		}
	case f.Kind == docmodel.ObjectID:
		report.Severity, report.Confidence = finding.Warning, 0.7
	}
	report.Fix = p.Retag(f, "store the id as _id", "bson", "_id", f.Tag.Options...)
	p.Report(report)
}

// near returns the queries for a document that name a field.
func near(p *check.Pass, d *docmodel.Document, name string) []docmodel.Mention {
	return slices.DeleteFunc(slices.Clone(p.Program.Mentions(name)), func(m docmodel.Mention) bool { return !p.Program.Concerns(m, d) })
}

// takesIn reports whether an embedded struct that is not flattened holds the
// id, which bson-not-inlined reports.
func takesIn(d *docmodel.Document, name string) bool {
	for _, f := range append(d.Fields[:len(d.Fields):len(d.Fields)], d.Lost...) {
		if !f.Var.Embedded() {
			continue
		}
		if len(f.Fields) == 0 && f.Kind == docmodel.Object {
			return true // a struct from another module
		}
		if slices.ContainsFunc(f.Fields, func(inner *docmodel.Field) bool { return inner.Name == name }) {
			return true
		}
	}
	return false
}

func cosmos(p *check.Pass, d *docmodel.Document, f *docmodel.Field) {
	if takesIn(d, "id") {
		return
	}
	p.Report(check.Finding{
		Document: d, Field: f, Severity: finding.Error, Confidence: 0.9,
		Message:  fmt.Sprintf("the id of %s is stored as %s: Azure Cosmos DB rejects an item without id", d.Name, f.Name),
		Advice:   "Tag it `json:\"id\"`; the name is matched exactly.",
		Evidence: []finding.Evidence{{Name: "stored as", Value: f.Name}, {Name: "type", Value: f.Type.String()}},
		Fix:      p.Retag(f, "store the id as id", "json", "id", f.Tag.Options...),
	})
}
