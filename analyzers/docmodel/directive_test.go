package docmodel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// numbers reports every number: a rule to try directives on.
var numbers = check.Rule{Name: "some-number", Run: func(p *check.Pass) {
	for _, f := range p.Fields() {
		if f.Kind == docmodel.Number {
			p.Report(check.Finding{Field: f, Severity: finding.Info, Confidence: 0.9, Message: f.Path})
		}
	}
}}

// TestDirectives accepts findings with a reason, and reports the directives
// that are of no use.
func TestDirectives(t *testing.T) {
	t.Parallel()
	p, packages := program(t, map[string]string{"app/store": mongoHead + `
type Doc struct {
	A int
	B int //shapevet:ignore some-number it has to be
	//shapevet:ignore some-number,other-rule it has to be
	C int
	D int //shapevet:ignore some-number
	E string //shapevet:ignore some-number it is no number
	F int //shapevet:ignore other-rule it is another rule
	G int //shapevet:bounded max=3
	H int //shapevet:unbound
	I int //shapevet:ref Doc
}
func f(d Doc) { c.InsertOne(ctx, d) }`})
	var found []string
	var accepted []string
	checker := check.New(packages, check.Options{})
	checker.Run(packages, numbers, func(f check.Finding) { found = append(found, f.Message) }, func(f check.Finding) { accepted = append(accepted, f.Message) })
	assert.Equal(t, []string{"a", "d", "f", "g", "h", "i"}, found)
	assert.NotEmpty(t, accepted)
	assert.NotContains(t, found, accepted[0])

	var problems []string
	for _, problem := range checker.DirectiveProblems() {
		problems = append(problems, problem.Message)
	}
	assert.Equal(t, []string{
		`say why some-number is ignored: //shapevet:ignore RULE reason`,
		`this ignore accepts no finding: some-number`,
		`this ignore accepts no finding: other-rule`,
		`unknown directive "unbound"`,
	}, problems)

	d := document(p, "Doc")
	require.NotNil(t, field(d, "g").Directive("bounded"))
	assert.Equal(t, "3", field(d, "g").Directive("bounded").Arguments["max"])
	assert.Equal(t, []string{"Doc"}, field(d, "i").Directive("ref").Words)
}

// TestBroken reads packages that do not compile as far as they go.
func TestBroken(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"undefined type":     `type Doc struct { ID string; Other Missing }; func f(d Doc) { c.InsertOne(ctx, d) }`,
		"undefined value":    `type Doc struct { ID string }; func f(d Doc) { c.InsertOne(missing, d); missing.Call(d) }`,
		"wrong arguments":    `type Doc struct { ID string }; func f(d Doc) { c.InsertOne(ctx, d); c.InsertOne(); c.UpdateOne(ctx); c.ReplaceOne() }`,
		"type of itself":     `type T []T; type M map[string]M; type P *P; type Doc struct { T T; M M; P P; Self []*Doc }; func f(d Doc) { c.InsertOne(ctx, d) }`,
		"struct of itself":   `type Bad struct { Bad }; type Doc struct { ID string }; func f(d Doc) { c.InsertOne(ctx, d) }`,
		"generics at a loss": `type Box[T any] struct { V T; N *Box[Box[T]] }; type Doc struct { B Box[int]; X Box }; func f(d Doc) { c.InsertOne(ctx, d) }`,
		"empty literals":     `type Doc struct { ID string }; func f(d Doc) { c.InsertOne(ctx, d); c.UpdateOne(ctx, bson.M{}, bson.M{"$push": bson.M{"": 1, missing: 2}}); _ = Doc{1, 2, 3}; _ = bson.D{{}, {1}} }`,
		"odd tags":           "type Doc struct { A string `bson`; B string `bson:`; C string `bson:\"`; D string `bson:\"a.b[0]{}\"` }; func f(d Doc) { c.InsertOne(ctx, d) }",
		"twice":              `type Doc struct { ID string }; type Doc struct { Name string }; func f(d Doc) { c.InsertOne(ctx, d) }; func f() {}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p *docmodel.Program
			require.NotPanics(t, func() { p = one(t, mongoHead+body) })
			assert.Equal(t, []string{"Doc"}, sure(p))
		})
	}
}

// TestUnresolved finds what is stored although the library did not load.
func TestUnresolved(t *testing.T) {
	t.Parallel()
	b, packages := program(t, map[string]string{
		"app/store": "package store\nimport \"app/mongo-driver/mongo\"\ntype Doc struct { ID string }\nfunc f(c *mongo.Collection, d Doc) { c.InsertOne(nil, d) }",
	})
	require.Len(t, packages, 1)
	assert.Equal(t, []string{"Doc"}, sure(b))
}
