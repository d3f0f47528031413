// Package missingdiscriminator reports stored values of several kinds that
// nothing distinguishes.
package missingdiscriminator

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/kinds"
	"github.com/shapevet/shapevet/internal/finding"
)

// Rule reports stored values of several kinds that nothing distinguishes.
var Rule = check.Rule{Name: "missing-discriminator", Run: run, Ask: ask, Declared: declared, SamePlace: samePlace}

func run(p *check.Pass) {
	interfaces(p)
	values(p)
	collections(p)
}

// interfaces reports fields that cannot be decoded.
func interfaces(p *check.Pass) {
	if p.Program.RegistersDecoders() {
		return
	}
	for _, f := range p.Fields() {
		if f.Kind != docmodel.Interface || !types.IsInterface(f.Elem) || types.NewMethodSet(f.Elem).Len() == 0 || !f.Document.ReadWhole || decodes(f) {
			continue
		}
		p.Report(check.Finding{
			Field: f, Severity: finding.Error, Confidence: 0.95,
			Message:  fmt.Sprintf("%s holds an interface, %s: it can be stored, but not read back", f.Path, types.TypeString(f.Elem, types.RelativeTo(p.Package.Types))),
			Advice:   "Store a type field next to the value and decode by it in an Unmarshal method, or use a pointer field for each kind.",
			Evidence: []finding.Evidence{{Name: "interface", Value: f.Elem.String()}, {Name: "codec", Value: string(f.Document.Codec)}},
			Fix:      check.Plan("store the type of each value of %s next to it and decode by it", f.GoName()),
		})
	}
}

// decodes reports whether a struct around the field decodes itself, or an interface
// around it takes in whatever is stored.
func decodes(f *docmodel.Field) bool {
	codec := f.Document.Codec
	if codec.Unmarshals(f.Document.Named) || codec.Unmarshals(f.Type) {
		return true
	}
	for up := f; up != nil; up = up.Parent {
		if up != f && up.Kind == docmodel.Interface || up.Owner != nil && codec.Unmarshals(up.Owner) || up.Parent != nil && codec.Unmarshals(up.Parent.Type) {
			return true
		}
	}
	return false
}

// collections reports types that share a collection and are read together, without
// a field that distinguishes them.
func collections(p *check.Pass) {
	for _, d := range p.WithGenerated() {
		if !d.Written {
			continue
		}
		for _, collection := range d.Collections {
			readBy := map[*docmodel.Document]token.Pos{}
			others := slices.DeleteFunc(kinds.Others(p.Program, d, collection), func(other *docmodel.Document) bool {
				readBy[other] = p.Program.ReadTogether(collection, d, other)
				return !readBy[other].IsValid()
			})
			if len(others) == 0 || tells(p, d) || told(p, append(others, d)) {
				continue
			}
			names := make([]string, len(others))
			s := &check.Score{}
			for i, other := range others {
				names[i] = qualified(d, other)
				at := other.Stored
				if !at.IsValid() {
					at = other.Pos
				}
				s.At(at, "%s is stored in %s too", names[i], collection)
				s.At(readBy[other], "what this reads may be either")
			}
			s.Add(0, "collection", collection)
			s.Add(0, "stored beside", names)
			severity := finding.Warning
			if p.DB(d) == "firestore" {
				severity = finding.Info
			}
			p.Report(check.Finding{
				Document: d, Severity: severity, Confidence: 0.8, Evidence: s.Evidence, Related: s.Related, Fix: fix(p, d, others),
				Message: fmt.Sprintf("%s shares the collection %s with %s, and no field says which is which", d.Name, collection, strings.Join(names, ", ")),
				Advice:  "Give each type a field such as type with a constant of its own, and set it wherever a value is made.",
			})
			break
		}
	}
}

// qualified returns the name of a type for a sentence about another, with its
// package if the names are the same.
func qualified(d, other *docmodel.Document) string {
	if other.Name == d.Name {
		return path.Base(other.PkgPath) + "." + other.Name
	}
	return other.Name
}

// told reports whether all types have a common field with the kind of a
// document: one with a usual name, or one that literals of each type set to a
// different constant.
func told(p *check.Pass, documents []*docmodel.Document) bool {
	words := p.Words()
	return !slices.ContainsFunc(documents, func(d *docmodel.Document) bool {
		return !slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool {
			return kinds.Named(words, f) || p.DB(d) == "dynamodb" && isKey(f) || kinds.One(p.Program, f) != ""
		})
	})
}

// tells reports whether a type has a field for the kind that code only ever sets to
// one constant. A reader recognises such a document, whatever lies beside it.
func tells(p *check.Pass, d *docmodel.Document) bool {
	return slices.ContainsFunc(kinds.Discriminators(p.Words(), d), func(f *docmodel.Field) bool { return kinds.One(p.Program, f) != "" })
}

// isKey reports whether a field is a key attribute of a table that holds
// several kinds by design: the text before the # distinguishes them.
func isKey(f *docmodel.Field) bool {
	switch strings.ToLower(f.Name) {
	case "pk", "sk":
		return true
	}
	return false
}
