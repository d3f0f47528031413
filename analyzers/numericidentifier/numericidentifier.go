// Package numericidentifier reports identifiers of digits that are stored as
// numbers: zip codes, phone numbers, ISBNs.
package numericidentifier

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports digits that are not a number.
var Rule = check.Rule{Name: "numeric-identifier", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		if f.Kind != docmodel.Number || f.Map() || f.Tag.Has("string") || !holdsDigits(f.Elem) || f.WritesItself() {
			continue
		}
		confidence, extension := 0.0, isExtension(f)
		if !extension {
			confidence = named(p.Words(), f)
		}
		found := check.Finding{
			Field: f, Confidence: confidence, Fix: fix(p, f),
			Evidence: []finding.Evidence{check.TypeOf(f), {Name: "name", Value: f.GoName()}},
			Advice:   fmt.Sprintf("Make %s a string, and check the digits on input: nobody calculates with them.", f.GoName()),
		}
		switch {
		case extension:
			found.Severity, found.Confidence = finding.Info, 0.6
			found.Message = fmt.Sprintf("%s is a phone extension stored as a number: leading zeros are lost", f.Path)
		case confidence > 0:
			found.Message = fmt.Sprintf("%s is an identifier stored as a number: leading zeros, plus signs and letters are lost", f.Path)
		default:
			continue
		}
		p.Report(found)
	}
}

// holdsDigits reports whether a type is a plain number large enough for a zip
// code. A defined type with constants is an enumeration.
func holdsDigits(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16:
		return false
	}
	path, _ := docmodel.TypeName(t)
	if path == "" {
		return b.Info()&(types.IsInteger|types.IsFloat) != 0
	}
	return path != "time" && !docmodel.Enumeration(t)
}

// ambiguous are words that also mean a count, a place or a sequence number; in
// an address, some of them do not.
var (
	ambiguous = rulebook.Words("numeric-identifier", "ambiguous")
	personal  = []string{"mobile", "zip", "fax"}
)

// named returns the confidence that the name is that of digits, or 0.
func named(words *lexicon.Lexicon, f *docmodel.Field) float64 {
	for _, name := range []string{f.GoName(), f.Name} {
		if !words.HasIn(lexicon.NumericIdentifier, name, "") {
			continue
		}
		tokens := lexicon.Tokens(name)
		last := tokens[len(tokens)-1]
		switch {
		case !f.List() && lexicon.Singular(last) != last:
			continue // phones counts phones
		case len(tokens) > 1 && lexicon.Singular(tokens[len(tokens)-2]) != tokens[len(tokens)-2]:
			continue // cards_num counts cards
		case last == "code" && slices.ContainsFunc(tokens, isPhone):
			continue // the country code of a phone number
		case slices.Contains(ambiguous(), last) && len(tokens) == 1 && !(slices.Contains(personal, last) && inAddress(f)):
			return 0.4
		case last == "number" && unsigned(f.Elem):
			return 0.4 // such types are for counts rather than digits
		}
		return 0.8
	}
	return 0
}

func unsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint64
}

func isPhone(token string) bool {
	return slices.Contains(phonesWords(), token)
}

// inAddress reports whether a person or an address contains the field.
func inAddress(f *docmodel.Field) bool {
	return slices.ContainsFunc(f.Siblings(), func(sibling *docmodel.Field) bool {
		return slices.Contains(personFieldsWords(), lexicon.Fold(sibling.GoName()))
	})
}

// isExtension reports whether a field is the extension of a phone number next
// to it.
func isExtension(f *docmodel.Field) bool {
	return f.Scalar() && slices.Contains(extensionsWords(), lexicon.Fold(f.GoName())) && slices.ContainsFunc(f.Siblings(), func(sibling *docmodel.Field) bool {
		return sibling != f && slices.ContainsFunc(lexicon.Tokens(sibling.GoName()), isPhone)
	})
}

// fix makes the field a string if no code mentions it, so that everything still
// compiles.
func fix(p *check.Pass, f *docmodel.Field) *check.Fix {
	if !f.Scalar() || !p.Retypable(f) {
		return check.Plan("make %s a string in code, and convert stored numbers, padded with zeros", f.GoName())
	}
	text := "string"
	if f.Pointer {
		text = "*string"
	}
	return check.Rewrite(f.Syntax.Type, text, "store %s as a string", f.Path)
}

var (
	phonesWords       = rulebook.Words("numeric-identifier", "phones")
	personFieldsWords = rulebook.Words("numeric-identifier", "person-fields")
	extensionsWords   = rulebook.Words("numeric-identifier", "extensions")
)
