package awkwardfieldname

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// styles reports structs that mix two naming styles.
func styles(p *check.Pass) {
	objects := map[string][]*docmodel.Field{}
	var order []string
	for _, f := range p.Fields() {
		if f.WritesItself() || f.Name == "" || f.Name[0] == '_' || f.Tag.Name == "" || f.Has(p.Words(), lexicon.Metadata) || f.Has(p.Words(), lexicon.System) {
			continue
		}
		key := holder(f)
		if objects[key] == nil {
			order = append(order, key)
		}
		objects[key] = append(objects[key], f)
	}
	for _, key := range order {
		mixed(p, objects[key])
	}
}

func mixed(p *check.Pass, fields []*docmodel.Field) {
	byStyle := map[lexicon.Style][]*docmodel.Field{}
	for _, f := range fields {
		style := lexicon.StyleOf(f.Name)
		byStyle[style] = append(byStyle[style], f)
	}
	most, less := lexicon.StyleCamel, lexicon.StyleSnake
	if len(byStyle[less]) > len(byStyle[most]) {
		most, less = less, most
	}
	rare := byStyle[less]
	if float64(len(rare)) < p.Threshold("style-names") || float64(len(rare)) < p.Threshold("style-share")*float64(len(fields)) {
		return
	}
	names := [...]string{lexicon.StyleCamel: "camelCase", lexicon.StyleSnake: "snake_case"}
	first, usual := rare[0], byStyle[most][0]
	p.Report(check.Finding{
		Field: first, Confidence: 0.4,
		Message: fmt.Sprintf("%s has %s like %s and %s like %s", first.OwnerName(), names[most], usual.Name, names[less], first.Name),
		Advice:  fmt.Sprintf("Choose one: with two styles nobody remembers that it is %s, and a query for a name that does not exist is not an error.", first.Name),
		Evidence: []finding.Evidence{
			{Name: names[most], Value: len(byStyle[most])}, {Name: names[less], Value: len(rare)},
		},
		Related: []check.Related{{Pos: usual.Var.Pos(), Message: usual.Name}},
		Fix:     check.Plan("write all names of %s in %s", first.OwnerName(), names[most]),
	})
}
