// Package ttltype reports expiry fields that the database does not recognise as
// such.
package ttltype

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports expiry fields whose type or unit means that documents never
// expire.
var Rule = check.Rule{Name: "ttl-type", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		d := f.Document
		if f.Parent != nil || !d.Written || d.Codec.Marshals(d.Named) || f.Kind != docmodel.Time && f.WritesItself() {
			continue
		}
		switch {
		case d.Codec == docmodel.DynamoDB || d.Codec == docmodel.DynamoDB1:
			dynamo(p, f)
		case d.Codec == docmodel.JSON && d.DB == "cosmosdb":
			cosmos(p, f)
		case d.Codec == docmodel.Firestore:
			firestore(p, f)
		case d.Codec == docmodel.BSON:
			mongo(p, f)
		}
	}
}

var (
	expiryNames = rulebook.WordSet("ttl-type", "expiry")
	shortLived  = rulebook.WordSet("ttl-type", "short-lived")
)

// isExpiry reports whether a field is the time of expiry by its name.
func isExpiry(name string) bool {
	tokens := lexicon.Tokens(name)
	return expiryNames()[strings.Join(tokens, "")] || len(tokens) > 1 && tokens[len(tokens)-1] == "ttl"
}

// expires reports whether a name is that of something made to expire. A contract or a
// card expires too, but nobody wants it deleted.
func expires(name string) bool {
	tokens := lexicon.Tokens(name)
	for n, token := range tokens {
		if shortLived()[lexicon.Singular(token)] || n > 0 && shortLived()[tokens[n-1]+token] {
			return true
		}
	}
	return false
}

// expiresBy reports whether the document has a time by which it may expire. A
// number next to it is the span from which the time is computed.
func expiresBy(f *docmodel.Field) bool {
	return slices.ContainsFunc(f.Document.Fields, func(other *docmodel.Field) bool {
		return other != f && other.Kind == docmodel.Time && isExpiry(other.Name)
	})
}

// sure returns the confidence that the table expires by a field.
func sure(f *docmodel.Field) float64 {
	switch name := strings.ToLower(strings.ReplaceAll(f.Name, "_", "")); {
	case name == "ttl" || name == "timetolive" || strings.HasSuffix(name, "ttl"):
		return 0.9
	case expires(f.Document.Name), slices.ContainsFunc(f.Document.Collections, expires):
		return 0.7
	}
	return 0.4
}

// severity returns the severity of a finding supported only by the field's
// name. A field not called ttl may be an expiry that the program itself checks.
func severity(sure float64) finding.Severity {
	if sure < 0.9 {
		return finding.Warning
	}
	return finding.Error
}

func dynamo(p *check.Pass, f *docmodel.Field) {
	if !isExpiry(f.Name) || f.Lists+f.Maps > 0 || docmodel.Disjoint(p.Program.Expiring(), f.Document.Collections) {
		return
	}
	if f.Kind == docmodel.Number && !isDuration(f) {
		unit(p, f, "seconds since 1970", "Unix", "UnixMilli", "UnixMicro", "UnixNano")
		return
	}
	if slices.ContainsFunc(f.Document.Fields, func(other *docmodel.Field) bool {
		return other.Kind == docmodel.Number && other.Lists+other.Maps == 0 && isExpiry(other.Name) && !isDuration(other)
	}) {
		return // a table expires items by only one field, and this is it
	}
	found := check.Finding{
		Field: f, Confidence: sure(f),
		Advice:   "DynamoDB expires items only by a number of seconds since 1970.",
		Evidence: []finding.Evidence{{Name: "type", Value: f.Type.String()}, {Name: "stored as", Value: "S"}},
	}
	found.Severity = severity(found.Confidence)
	switch {
	case f.Kind == docmodel.Time:
		if f.Tag.Has("unixtime") || p.Program.ClientOptions().EncodesTime {
			return
		}
		found.Message = fmt.Sprintf("%s is stored as an RFC 3339 string, by which DynamoDB never expires an item", f.Path)
		found.Advice += " The option unixtime stores a time as one."
		found.Fix = retag(p, f)
	case f.Kind == docmodel.String:
		found.Message = fmt.Sprintf("%s is stored as a string, by which DynamoDB never expires an item", f.Path)
		found.Fix = &check.Fix{Title: "store " + f.GoName() + " as int64, seconds since 1970", Safety: finding.Plan}
	default:
		return
	}
	p.Report(found)
}

// retag appends unixtime to the tag, keeping the stored name.
func retag(p *check.Pass, f *docmodel.Field) *check.Fix {
	fix := p.Retag(f, "store "+f.GoName()+" as a number of seconds", f.TagKey(), f.Tag.Name, append(slices.Clip(f.Tag.Options), "unixtime")...)
	if f.TagKey() == "json" {
		return fix.Plan()
	}
	return fix
}

func cosmos(p *check.Pass, f *docmodel.Field) {
	if f.Name != "ttl" {
		return
	}
	kind := ""
	switch {
	case f.Lists+f.Maps > 0:
		kind = "a list or an object"
	case isDuration(f):
		kind = "a number of nanoseconds"
	case f.Kind == docmodel.Number && !isFloat(f):
		unit(p, f, "seconds from the last write", "", "Unix", "UnixMilli", "UnixMicro", "UnixNano")
		return
	case f.Kind == docmodel.Time:
		kind = "an RFC 3339 string"
	case f.Kind == docmodel.String, f.Kind == docmodel.Bool:
		kind = "a " + f.Kind.String()
	default:
		return
	}
	p.Report(check.Finding{
		Field: f, Confidence: 0.9,
		Message:  fmt.Sprintf("ttl is stored as %s: Cosmos DB needs a whole number of seconds, or -1", kind),
		Advice:   fmt.Sprintf("Make %s a *int32 with omitempty that holds seconds from the last write.", f.GoName()),
		Evidence: []finding.Evidence{{Name: "type", Value: f.Type.String()}},
		Fix:      check.Plan("store ttl as a whole number of seconds"),
	})
}

func firestore(p *check.Pass, f *docmodel.Field) {
	if !isExpiry(f.Name) || f.Lists+f.Maps > 0 || f.Kind != docmodel.String && f.Kind != docmodel.Number || isDuration(f) || f.Kind == docmodel.Number && expiresBy(f) {
		return
	}
	p.Report(check.Finding{
		Field: f, Confidence: min(sure(f), 0.6), Severity: severity(sure(f)),
		Message:  fmt.Sprintf("%s is stored as a %s: a Firestore TTL policy accepts only timestamps", f.Path, f.Kind),
		Advice:   fmt.Sprintf("Make %s a time.Time.", f.GoName()),
		Evidence: []finding.Evidence{{Name: "type", Value: f.Type.String()}},
		Fix:      &check.Fix{Title: "store " + f.GoName() + " as a time.Time", Safety: finding.Plan},
	})
}

// mongo checks the fields by which an index deletes documents.
func mongo(p *check.Pass, f *docmodel.Field) {
	if f.Kind == docmodel.Time || f.Kind != docmodel.String && f.Kind != docmodel.Number && f.Kind != docmodel.Bool {
		return
	}
	for _, e := range p.Program.Expiries() {
		if e.Path != f.Name || !beside(p, f, e) {
			continue
		}
		p.Report(check.Finding{
			Field: f, Confidence: 0.9,
			Message:  fmt.Sprintf("%s is stored as a %s, but its TTL index needs a date: no %s expires", f.Path, f.Kind, f.Document.Name),
			Advice:   fmt.Sprintf("Make %s a time.Time and convert the documents that are stored.", f.GoName()),
			Evidence: []finding.Evidence{{Name: "type", Value: f.Type.String()}},
			Related:  []check.Related{{Pos: e.Pos, Message: "the TTL index"}},
			Fix:      &check.Fix{Title: "store " + f.GoName() + " as a time.Time", Safety: finding.Plan},
		})
		return
	}
}

// beside reports whether an index is for a field's document: it is for its collection. If
// that is not known, its package declares or stores that document, and no other field
// there has the name.
func beside(p *check.Pass, f *docmodel.Field, e docmodel.Expiry) bool {
	if of := p.Program.ExpiryOf(e); len(of) > 0 && len(f.Document.Collections) > 0 {
		return docmodel.Overlap(of, f.Document.Collections)
	}
	return f.Document.Near(e.Pkg) && !slices.ContainsFunc(p.Program.Documents(), func(d *docmodel.Document) bool {
		return d.Near(e.Pkg) && slices.ContainsFunc(d.Fields, func(other *docmodel.Field) bool { return d != f.Document && other.Name == f.Name && other.Var != f.Var })
	})
}

// unit reports a number that code takes from a clock in the wrong unit.
func unit(p *check.Pass, f *docmodel.Field, want, right string, wrong ...string) {
	for _, value := range p.Program.Values(f) {
		call, ok := value.Expr.(*ast.CallExpr)
		if !ok {
			continue
		}
		if len(call.Args) == 1 { // such as int64(…)
			if inner, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr); ok {
				call = inner
			}
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains(wrong, selector.Sel.Name) {
			continue
		}
		advice, method := "Subtract the current time and store whole seconds.", selector.Sel.Name
		if right != "" {
			advice = "Use " + right + "()."
		}
		p.Report(check.Finding{
			Field: f, Confidence: max(sure(f), 0.7),
			Message:  fmt.Sprintf("%s is set by %s(), but the database takes %s: nothing expires", f.Path, method, want),
			Advice:   advice,
			Evidence: []finding.Evidence{{Name: "set by", Value: method}},
			Related:  []check.Related{{Pos: value.At, Message: "set here"}},
			Fix:      check.Plan("store %s", want),
		})
		return
	}
}

func isDuration(f *docmodel.Field) bool {
	path, name := docmodel.TypeName(f.Elem)
	return path == "time" && name == "Duration"
}

func isFloat(f *docmodel.Field) bool {
	basic, ok := f.Elem.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}
