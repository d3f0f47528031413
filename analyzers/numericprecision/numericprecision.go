// Package numericprecision reports integers that the database cannot store
// exactly.
package numericprecision

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

// Rule reports integers that lose digits or are refused.
var Rule = check.Rule{Name: "numeric-precision", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		b, ok := f.Elem.Underlying().(*types.Basic)
		if !ok || f.Kind != docmodel.Number || f.Tag.Has("string") || f.WritesItself() || ofTime(f.Elem) {
			continue
		}
		if found := mistake(p, f, b); found != nil && found.Confidence > 0 {
			found.Field = f
			if found.Confidence < 0.5 {
				found.Fix = found.Fix.Plan()
			}
			found.Evidence = append([]finding.Evidence{check.TypeOf(f)}, found.Evidence...)
			p.Report(*found)
		}
	}
}

func ofTime(t types.Type) bool {
	path, _ := docmodel.TypeName(t)
	return path == "time"
}

func mistake(p *check.Pass, f *docmodel.Field, b *types.Basic) *check.Finding {
	wide := b.Kind() == types.Uint64 || b.Kind() == types.Uint || b.Kind() == types.Uintptr
	switch f.Document.Codec {
	case docmodel.Firestore:
		if !wide {
			return nil
		}
		return &check.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("%s is of type %s, which the client of Cloud Firestore rejects: writing a %s fails", f.Path, b.Name(), f.Document.Name),
			Advice:  fmt.Sprintf("Make %s an int64, or a string if values need all 64 bits.", f.GoName()),
			Fix:     signed(p, f),
		}
	case docmodel.BSON:
		if !wide {
			return nil
		}
		confidence, evidence := needsAllBits(p, f)
		return &check.Finding{
			Severity: severity(confidence), Confidence: confidence, Evidence: evidence,
			Message: fmt.Sprintf("%s is of type %s, but bson has only signed integers: writing a value beyond 9223372036854775807 fails", f.Path, b.Name()),
			Advice:  fmt.Sprintf("Store %s as a string, or as an int64 with the same bits.", f.GoName()),
			Fix:     signed(p, f),
		}
	case docmodel.JSON:
		profile, _ := p.Limits(f.Document)
		if !profile.NumbersAreDoubles || b.Kind() != types.Int64 && !wide {
			return nil
		}
		confidence, evidence := needsAllBits(p, f)
		return &check.Finding{
			Severity: severity(confidence), Confidence: confidence, Evidence: evidence,
			Message: fmt.Sprintf("%s is of type %s and stored as a JSON number: above 2^53 it is read back as another value", f.Path, b.Name()),
			Advice:  fmt.Sprintf("Store %s as a string, with the tag option string.", f.GoName()),
			Fix:     asString(p, f),
		}
	}
	return nil
}

func severity(confidence float64) finding.Severity {
	if confidence < 0.5 {
		return finding.Info
	}
	return finding.Warning
}

// random are words for numbers that use all their bits.
var random = rulebook.Words("numeric-precision", "random")

// minted are names of services whose ids combine a time with a counter and
// exceed 2^53.
var minted = rulebook.Words("numeric-precision", "minted")

// nanoseconds are endings of the names of times in nanoseconds.
var nanoseconds = rulebook.Words("numeric-precision", "nanoseconds")

// needsAllBits returns the confidence that values of a field exceed what fits.
// An ordinary id counts up from one and takes centuries.
func needsAllBits(p *check.Pass, f *docmodel.Field) (float64, []finding.Evidence) {
	if call := generator(p, f); call != "" {
		return 0.9, []finding.Evidence{{Name: "set to", Value: call}}
	}
	tokens := lexicon.Tokens(f.GoName())
	last := tokens[len(tokens)-1]
	around := slices.Concat(tokens, lexicon.Tokens(f.OwnerName()))
	isID := last == "id" || last == "ids"
	switch {
	case slices.Contains(random(), lexicon.Singular(last)),
		slices.ContainsFunc(nanoseconds(), func(end string) bool { return strings.HasSuffix(lexicon.Fold(f.GoName()), end) }),
		isID && slices.ContainsFunc(around, func(t string) bool { return slices.Contains(minted(), t) }):
		return 0.8, []finding.Evidence{{Name: "name", Value: f.GoName()}}
	case isID || last == "nonce":
		return 0.4, []finding.Evidence{{Name: "name", Value: f.GoName()}}
	}
	return 0, nil
}

// generator returns the call by which a literal fills the field with all 64
// bits, or "".
func generator(p *check.Pass, f *docmodel.Field) string {
	if f.Owner == nil {
		return ""
	}
	for _, literal := range p.Program.Literals(f.Owner) {
		if call := minting(literal.Pkg, docmodel.SetTo(literal.Node, f.GoName())); call != nil {
			return types.ExprString(call)
		}
	}
	return ""
}

// minting returns the call in an expression that returns a hash, a random
// number or the like, or nil.
func minting(pkg *docmodel.Package, expr ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if pkg.Converts(call) { // such as int64(…)
		return minting(pkg, call.Args[0])
	}
	fn := pkg.Called(call)
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	path, name := fn.Pkg().Path(), fn.Name()
	switch {
	case strings.HasPrefix(name, "Sum64"), name == "Hash64":
	case strings.HasPrefix(path, "math/rand") && (name == "Int63" || name == "Int64" || name == "Uint64"):
	case path == "encoding/binary" && name == "Uint64":
	case path == "time" && name == "UnixNano":
	case strings.Contains(path, "snowflake"), strings.Contains(path, "sonyflake"):
	default:
		return nil
	}
	return call
}

// asString makes the json codec write the number as a string.
func asString(p *check.Pass, f *docmodel.Field) *check.Fix {
	fix := p.Retag(f, fmt.Sprintf("store %s as a string", f.Path), "json", f.Name, append(slices.Clip(f.Tag.Options), "string")...)
	if fix.Edits == nil || !f.Scalar() {
		return check.Plan("store %s as strings", f.Path)
	}
	return fix
}

// signed makes the field an int64 if no code mentions it.
func signed(p *check.Pass, f *docmodel.Field) *check.Fix {
	if !f.Scalar() || f.Pointer || !p.Retypable(f) {
		return check.Plan("make %s an int64 and convert where it is set", f.GoName())
	}
	return check.Rewrite(f.Syntax.Type, "int64", "make %s an int64", f.GoName())
}
