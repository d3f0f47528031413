package missingdiscriminator

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/kinds"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// values reports fields of type any that hold structs of several types. They
// are decoded as maps, and nothing says which type a map was.
func values(p *check.Pass) {
	for _, f := range p.Fields() {
		if !isAny(f) || f.Has(p.Words(), lexicon.FreeFormMap) || decodes(f) || f.WritesItself() || toldBeside(p, f) {
			continue
		}
		held := structs(p.Program.Assigned(f.Var), f.Document.Codec)
		if len(held) < 2 || tellThemselves(p, held) {
			continue
		}
		names := make([]string, len(held))
		for i, named := range held {
			names[i] = named.Obj().Name()
		}
		p.Report(check.Finding{
			Field: f, Severity: finding.Info, Confidence: 0.7,
			Message:  fmt.Sprintf("%s holds %s, and nothing stored with it says which", f.Path, strings.Join(names, " or ")),
			Advice:   fmt.Sprintf("Store the kind in a field next to %s, or keep one pointer field for each type.", f.GoName()),
			Evidence: []finding.Evidence{{Name: "types", Value: names}, {Name: "codec", Value: string(f.Document.Codec)}},
			Fix:      check.Plan("store the kind of %s next to it", f.GoName()),
		})
	}
}

func isAny(f *docmodel.Field) bool {
	i, ok := f.Type.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// structs returns the defined struct types among those that a field is set to,
// sorted by name. Values stored as scalars need no discriminator.
func structs(assigned []types.Type, codec docmodel.Codec) []*types.Named {
	var found []*types.Named
	for _, t := range assigned {
		t = docmodel.Pointed(t)
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || docmodel.KindOf(named, codec) != docmodel.Object || slices.ContainsFunc(found, func(other *types.Named) bool { return types.Identical(other, named) }) {
			continue
		}
		found = append(found, named)
	}
	slices.SortFunc(found, func(a, b *types.Named) int { return strings.Compare(docmodel.TypeKey(a), docmodel.TypeKey(b)) })
	return found
}

// toldBeside reports whether a field beside the value, or beside an object
// around it, gives its kind: by name, by type, or because code sets it to
// constants.
func toldBeside(p *check.Pass, f *docmodel.Field) bool {
	for up := f; up != nil; up = up.Parent {
		for _, g := range up.Siblings() {
			if g == up || !g.Scalar() || g.Kind != docmodel.String && g.Kind != docmodel.Number {
				continue
			}
			if named, ok := types.Unalias(g.Elem).(*types.Named); ok && named.Obj().Pkg().Path() != "time" || kinds.Named(p.Words(), g) {
				return true // has an enumerated type or such a name
			}
			tokens := lexicon.Tokens(g.GoName())
			if slices.Contains(selectorsWords(), tokens[len(tokens)-1]) {
				return true
			}
			if set, _ := kinds.Constants(p.Program, g); len(set) > 1 {
				return true
			}
		}
	}
	return false
}

// tellThemselves reports whether every struct has a field with its kind.
func tellThemselves(p *check.Pass, held []*types.Named) bool {
	for _, named := range held {
		s := named.Underlying().(*types.Struct)
		told := false
		for i := range s.NumFields() {
			told = told || p.Words().HasIn(lexicon.Discriminator, s.Field(i).Name(), named.Obj().Name())
		}
		if !told {
			return false
		}
	}
	return true
}

var selectorsWords = rulebook.Words("missing-discriminator", "selectors")
