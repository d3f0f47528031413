package structdrift

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
)

const (
	sureConstant = 0.8
	fewConstants = 2 // number from which constants of a type are taken as its values
	mostlyKnown  = 0.5
)

// constants reports strings that are not among the constants of their type.
// Only documents of this run have strings.
func (c *comparison) constants() {
	docmodel.All(c.document.Fields, func(f *docmodel.Field) {
		known := c.constantsOf(f.Elem)
		if len(known) < fewConstants || f.WritesItself() {
			return
		}
		path := f.Path + strings.Repeat("{}", f.Maps) + strings.Repeat("[]", f.Lists)
		n := c.seen.Kind.Root.At(path)
		if n == nil {
			return
		}
		var strangers []string
		all, outside := int64(0), int64(0)
		words := n.Words()
		for _, word := range slices.Sorted(maps.Keys(words)) {
			all += words[word]
			if word != "" && !known[word] {
				strangers = append(strangers, word)
				outside += words[word]
			}
		}
		if outside == 0 || float64(outside) > (1-mostlyKnown)*float64(all) { // otherwise the constants are not a complete list
			return
		}
		slices.SortStableFunc(strangers, func(a, b string) int { return cmp.Compare(words[b], words[a]) })
		told := list(strangers, "value", func(word string) string {
			return fmt.Sprintf("%s (in %s)", strconv.Quote(word), quantity.Grouped(words[word]))
		})
		name := c.spell(f.Elem)
		c.report(check.Finding{
			Field: f, Path: path, Severity: finding.Warning, Confidence: sureConstant,
			Message:  fmt.Sprintf("%s holds %s of %s that no constant of %s has", path, told, quantity.Of(all, "string"), name),
			Advice:   fmt.Sprintf("Add the missing constants of %s, and check what code does with a value that it does not know.", name),
			Evidence: []finding.Evidence{{Name: "strangers", Value: strangers}, {Name: "constants", Value: slices.Sorted(maps.Keys(known))}},
		})
	})
}

// constantsOf returns the values of a string type's constants if the module
// declares it, or nil.
func (c *comparison) constantsOf(t types.Type) map[string]bool {
	named := docmodel.Named(t)
	if named == nil || named.Obj().Pkg() == nil || !c.Program.Own(named) {
		return nil
	}
	if b, ok := named.Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
		return nil
	}
	scope, known := named.Obj().Pkg().Scope(), map[string]bool{}
	for _, name := range scope.Names() {
		if k, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(k.Type(), named) && k.Val().Kind() == constant.String {
			known[constant.StringVal(k.Val())] = true
		}
	}
	return known
}
