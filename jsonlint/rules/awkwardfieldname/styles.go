package awkwardfieldname

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// styleCount is how many names of an object are written in a style.
type styleCount struct {
	style lexicon.Style
	nodes []*profile.Node
}

// mix is an object whose names are written in two styles.
type mix struct {
	node       *profile.Node
	most, less styleCount
}

// worstMix is the object whose names are written most evenly in two styles, or
// nil. Kebab names are reported one by one.
func worstMix(p *check.Pass, e *model.Entity) *mix {
	var worst *mix
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Object == nil || n.Object.Sampled() || n.Step.Kind == profile.MapValues {
			return true
		}
		if n.Step.Kind == profile.Field && n.Parent != nil && p.Lexicon.Has(lexicon.FreeFormMap, n.Step.Name) {
			return false
		}
		camel, snake, all := styleCount{style: lexicon.StyleCamel}, styleCount{style: lexicon.StyleSnake}, 0
		for _, f := range n.Object.Fields() {
			name := f.Step.Name
			if name == "" || name[0] == '_' || hasVariant(f) || p.Lexicon.Has(lexicon.Metadata, name) || p.Lexicon.Has(lexicon.System, name) {
				continue
			}
			all++
			switch lexicon.StyleOf(name) {
			case lexicon.StyleCamel:
				camel.nodes = append(camel.nodes, f)
			case lexicon.StyleSnake:
				snake.nodes = append(snake.nodes, f)
			}
		}
		most, less := camel, snake
		if len(snake.nodes) > len(camel.nodes) {
			most, less = snake, camel
		}
		if float64(len(less.nodes)) < p.Threshold("style-names") || float64(len(less.nodes)) < p.Threshold("style-share")*float64(all) || marked(less.nodes) {
			return true
		}
		if worst == nil || len(less.nodes) > len(worst.less.nodes) {
			worst = &mix{n, most, less}
		}
		return true
	})
	return worst
}

// reportStyles reports an object whose names are written in two styles.
func reportStyles(p *check.Pass, e *model.Entity, worst *mix) {
	styles := [...]string{lexicon.StyleCamel: "camelCase", lexicon.StyleSnake: "snake_case"}
	odd := slices.MinFunc(worst.less.nodes, func(a, b *profile.Node) int {
		return cmp.Or(a.FirstAny().Compare(b.FirstAny()), strings.Compare(a.Step.Name, b.Step.Name))
	})
	common := worst.most.nodes[0]
	p.Report(e, worst.node.Path(), check.Raw{
		At: places.NameOf(p, odd.FirstAny()),
		Finding: finding.Finding{
			Severity: finding.Info, Confidence: 0.6,
			Message: fmt.Sprintf("field names mix two styles: %s in %s (%q) and %s in %s (%q)", quantity.Grouped(int64(len(worst.most.nodes))), styles[worst.most.style],
				common.Step.Name, quantity.Grouped(int64(len(worst.less.nodes))), styles[worst.less.style], odd.Step.Name),
			Advice: fmt.Sprintf("Write new names in %s, and rename the others when you rewrite the documents: a query with the wrong style finds nothing "+
				"and gives no error.", styles[worst.most.style]),
			Evidence: []finding.Evidence{
				{Name: "names." + worst.most.style.String(), Value: len(worst.most.nodes)},
				{Name: "names." + worst.less.style.String(), Value: len(worst.less.nodes)},
			},
			Fingerprint: "awkward-field-name:" + e.Collection.Name + ":" + worst.node.Path().String() + ":style:" + e.Kind,
		},
		Related: []check.RawRelated{{At: places.NameOf(p, common.FirstAny()), Message: fmt.Sprintf("%q", common.Step.Name)}}, Cause: "two styles",
	})
}

// marked reports whether a word marks fields that a program derives from others,
// in whatever style these are: title_search, text_search, tag_search. Two names
// end alike by accident, as created_at and updated_at do, and "id" says what a
// field is.
func marked(nodes []*profile.Node) bool {
	last := func(n *profile.Node) string {
		words := lexicon.Tokens(n.Step.Name)
		return words[len(words)-1]
	}
	return len(nodes) > 2 && !slices.ContainsFunc(nodes, func(n *profile.Node) bool {
		_, _, refers := lexicon.ReferenceStem(n.Step.Name)
		return refers || last(n) != last(nodes[0])
	})
}
