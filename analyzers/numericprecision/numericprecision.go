// Package numericprecision reports integers that the database cannot hold as
// they are.
package numericprecision

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports integers that lose digits or are refused.
var Rule = docmodel.Rule{Name: "numeric-precision", Run: run}

func run(p *docmodel.Pass) {
	for _, f := range p.Fields() {
		b, ok := f.Elem.Underlying().(*types.Basic)
		if !ok || f.Kind != docmodel.Number || f.Tag.Has("string") || f.WritesItself() || isDuration(f.Elem) {
			continue
		}
		if found := check(p, f, b); found != nil && found.Confidence > 0 {
			found.Field = f
			if found.Confidence < 0.5 {
				found.Fix = found.Fix.Plan()
			}
			found.Evidence = append([]finding.Evidence{{Name: "type", Value: types.TypeString(f.Type, types.RelativeTo(f.Var.Pkg()))}}, found.Evidence...)
			p.Report(*found)
		}
	}
}

func isDuration(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time"
}

func check(p *docmodel.Pass, f *docmodel.Field, b *types.Basic) *docmodel.Finding {
	wide := b.Kind() == types.Uint64 || b.Kind() == types.Uint || b.Kind() == types.Uintptr
	switch f.Document.Codec {
	case docmodel.Firestore:
		if !wide {
			return nil
		}
		return &docmodel.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("%s is of type %s, which the client of Cloud Firestore refuses: writing a %s fails", f.Path, b.Name(), f.Document.Name),
			Advice:  fmt.Sprintf("Make %s an int64, or a string if values need all 64 bits.", f.GoName()),
			Fix:     retype(p, f, "int64"),
		}
	case docmodel.BSON:
		if !wide {
			return nil
		}
		confidence, evidence := needsAllBits(p, f)
		return &docmodel.Finding{
			Severity: severity(confidence), Confidence: confidence, Evidence: evidence,
			Message: fmt.Sprintf("%s is of type %s, but bson has only signed integers: writing a value beyond 9223372036854775807 fails", f.Path, b.Name()),
			Advice:  fmt.Sprintf("Store %s as a string, or as an int64 with the same bits.", f.GoName()),
			Fix:     retype(p, f, "int64"),
		}
	case docmodel.JSON:
		profile, _ := limits.For(cmp.Or(p.DB(f.Document), "generic"))
		if !profile.NumbersAreDoubles || b.Kind() != types.Int64 && !wide {
			return nil
		}
		confidence, evidence := needsAllBits(p, f)
		return &docmodel.Finding{
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

// random are words for numbers that are spread over all their bits.
var random = rulebook.Words("numeric-precision", "random")

// minted are names of services whose ids are made of a time and a counter and
// have passed 2^53.
var minted = rulebook.Words("numeric-precision", "minted")

var nanoseconds = lazyregexp.New(`(?i)(unix|timestamp)_?(in_?)?(nanos?|ns)$`)

// needsAllBits is how sure it is that values of a field pass what fits. An id
// as such counts up from one and takes centuries.
func needsAllBits(p *docmodel.Pass, f *docmodel.Field) (float64, []finding.Evidence) {
	if call := generator(p, f); call != "" {
		return 0.9, []finding.Evidence{{Name: "set to", Value: call}}
	}
	tokens := lexicon.Tokens(f.GoName())
	last := tokens[len(tokens)-1]
	around := slices.Concat(tokens, lexicon.Tokens(f.OwnerName()))
	isID := last == "id" || last == "ids"
	switch {
	case slices.Contains(random(), lexicon.Singular(last)), nanoseconds.MatchString(f.GoName()),
		isID && slices.ContainsFunc(around, func(t string) bool { return slices.Contains(minted(), t) }):
		return 0.8, []finding.Evidence{{Name: "name", Value: f.GoName()}}
	case isID || last == "nonce":
		return 0.4, []finding.Evidence{{Name: "name", Value: f.GoName()}}
	}
	return 0, nil
}

// generator is the call by which a literal fills the field with all 64 bits,
// "" if none is seen.
func generator(p *docmodel.Pass, f *docmodel.Field) string {
	if f.Owner == nil {
		return ""
	}
	for _, literal := range p.Program.Literals(f.Owner) {
		for _, element := range literal.Node.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != f.GoName() {
				continue
			}
			if call := minting(literal.Pkg.Info, pair.Value); call != nil {
				return p.Source(call)
			}
		}
	}
	return ""
}

// minting is the call in an expression that returns a hash, a random number
// or the like; nil if it has none.
func minting(info *types.Info, expr ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if tv, ok := info.Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 { // int64(…)
		return minting(info, call.Args[0])
	}
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	fn, ok := info.ObjectOf(selector.Sel).(*types.Func)
	if !ok || fn.Pkg() == nil {
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

// asString lets the json codec write the number as a string.
func asString(p *docmodel.Pass, f *docmodel.Field) *docmodel.Fix {
	edit, ok := p.SetTag(f, "json", strings.Join(append([]string{f.Name}, append(f.Tag.Options, "string")...), ","))
	if !ok || !f.Scalar() {
		return &docmodel.Fix{Title: fmt.Sprintf("store %s as strings", f.Path), Safety: finding.Plan}
	}
	return &docmodel.Fix{Title: fmt.Sprintf("store %s as a string", f.Path), Safety: finding.Unsafe, Edits: []analysis.TextEdit{edit}}
}

// retype gives the field another type where no code mentions it.
func retype(p *docmodel.Pass, f *docmodel.Field, to string) *docmodel.Fix {
	if f.Syntax == nil || len(f.Syntax.Names) != 1 || !f.Scalar() || f.Pointer || p.Program.Mentioned(f.Var) {
		return &docmodel.Fix{Title: fmt.Sprintf("make %s an %s and convert where it is set", f.GoName(), to), Safety: finding.Plan}
	}
	return &docmodel.Fix{
		Title: fmt.Sprintf("make %s an %s", f.GoName(), to), Safety: finding.Unsafe,
		Edits: []analysis.TextEdit{{Pos: f.Syntax.Type.Pos(), End: f.Syntax.Type.End(), NewText: []byte(to)}},
	}
}
