package model_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// profiled profiles documents in parts that are merged; the place of each
// document is that of the whole.
func profiled(t *testing.T, documents []string, order []int, parts int) *profile.Collection {
	t.Helper()
	collections := make([]*profile.Collection, parts)
	builders := make([]profile.Builder, parts)
	var parser scan.Parser
	for i := range collections {
		collections[i] = profile.NewCollection("things")
	}
	for n, at := range order {
		d, err := parser.Parse([]byte(documents[at]))
		require.NoError(t, err)
		builders[n%parts].Add(collections[n%parts], d, 0, int64(at)<<16)
	}
	for _, c := range collections[1:] {
		collections[0].Merge(c)
	}
	return collections[0]
}

func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// inferKinds infers the kinds of the documents of one collection.
func inferKinds(t *testing.T, documents []string) *model.Collection {
	t.Helper()
	return inferred(t, documents, profiled(t, documents, inOrder(len(documents)), 1))
}

func inferred(t *testing.T, documents []string, c *profile.Collection) *model.Collection {
	t.Helper()
	db, err := model.Infer(t.Context(), []*profile.Collection{c}, model.Settings{Lexicon: lexicon.Default()}, func(splitters []*model.Splitter) error {
		var builder profile.Builder
		var parser scan.Parser
		for n, text := range documents {
			d, err := parser.Parse([]byte(text))
			if err != nil {
				return err
			}
			kind := splitters[0].Reader().Kind(&profile.Document{Document: d})
			builder.Add(splitters[0].Parts[kind], d, 0, int64(n)<<16)
		}
		return nil
	})
	require.NoError(t, err)
	return db.Collections[0]
}

// repeated makes n documents; %d in the format becomes their number.
func repeated(n int, format string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func kindsOf(c *model.Collection) map[string]int64 {
	kinds := map[string]int64{}
	for _, e := range c.Entities {
		kinds[e.Kind] = e.N()
	}
	return kinds
}

func TestKinds(t *testing.T) {
	t.Parallel()
	books := func(extra string) []string {
		return repeated(12, `{"id":"b%[1]d","name":"n%[1]d","pages":%[1]d,"publisher":"p"`+extra+`}`)
	}
	reviews := func(extra string) []string {
		return repeated(20, `{"id":"r%[1]d","bookId":"b%[1]d","content":"c%[1]d","stars":4`+extra+`}`)
	}
	for _, test := range []struct {
		name          string
		documents     []string
		discriminator string
		kinds         map[string]int64
	}{
		{"one kind", books(""), "", map[string]int64{"": 12}},
		{"a field called type in one kind", books(`,"type":"book"`), "", map[string]int64{"": 12}},
		{
			"type", join(books(`,"type":"book"`), reviews(`,"type":"review"`)), "type",
			map[string]int64{`type "book"`: 12, `type "review"`: 20},
		},
		{
			"another name", join(books(`,"flavour":"book"`), reviews(`,"flavour":"review"`)), "flavour",
			map[string]int64{`flavour "book"`: 12, `flavour "review"`: 20},
		},
		{
			"numbers", join(books(`,"op":1`), reviews(`,"op":2`)), "op",
			map[string]int64{`op "1"`: 12, `op "2"`: 20},
		},
		{
			"one level down", join(books(`,"meta":{"is":"book"}`), reviews(`,"meta":{"is":"review"}`)), "meta.is",
			map[string]int64{`meta.is "book"`: 12, `meta.is "review"`: 20},
		},
		{
			"several values for one shape", join(books(`,"type":"book"`), books(`,"type":"comic"`), reviews(`,"type":"review"`)), "type",
			map[string]int64{`type "book"`: 12, `type "comic"`: 12, `type "review"`: 20},
		},
		{
			"the value is missing in one", join(books(`,"type":"book"`), reviews(`,"type":"review"`), []string{`{"id":"r77","bookId":"b1","content":"c","stars":1}`}), "type",
			map[string]int64{`type "book"`: 12, `type "review"`: 20, "no type": 1},
		},
		{
			"nothing tells the kinds apart", join(books(""), reviews("")), "",
			map[string]int64{"with name, pages, publisher": 12, "with bookId, content, stars": 20},
		},
		{
			"a field called type that says something else", join(books(`,"type":"x"`), books(`,"type":"y"`), reviews(`,"type":"x"`), reviews(`,"type":"y"`)), "",
			map[string]int64{"with name, pages, publisher": 24, "with bookId, content, stars": 40},
		},
		{
			"a field of one kind only", join(books(`,"binding":"hard"`), books(`,"binding":"soft"`), reviews("")), "",
			map[string]int64{"with binding, name, pages": 24, "with bookId, content, stars": 20},
		},
		{
			"one kind is nearly all and a value predicts nothing", join(
				repeated(90, `{"id":"b%[1]d","name":"n%[1]d","pages":%[1]d,"country":"de"}`),
				repeated(90, `{"id":"c%[1]d","name":"n%[1]d","pages":%[1]d,"country":"us"}`),
				repeated(4, `{"id":"r%[1]d","bookId":"b%[1]d","content":"c%[1]d","country":"us"}`)), "",
			map[string]int64{"with name, pages": 180, "with bookId, content": 4},
		},
		{
			"a category that explains one optional field", join(
				repeated(20, `{"id":"a%[1]d","name":"n%[1]d","price":%[1]d,"category":"food"}`),
				repeated(20, `{"id":"b%[1]d","name":"n%[1]d","price":%[1]d,"category":"shoes","brand":"x"}`)), "",
			map[string]int64{"": 40},
		},
		{
			"a status", join(
				repeated(20, `{"id":"a%[1]d","name":"n%[1]d","price":%[1]d,"lines":[],"status":"open"}`),
				repeated(20, `{"id":"b%[1]d","name":"n%[1]d","price":%[1]d,"lines":[],"status":"closed","closing":1,"closer":"x","reason":"y"}`)), "",
			map[string]int64{"": 40},
		},
		{
			"one kind of many parts in common", join(
				repeated(20, `{"id":"a%[1]d","amount":1,"currency":"EUR","payer":"x","payee":"y","day":1,"type":"card","last4":1,"brand":"v","expiry":"z"}`),
				repeated(20, `{"id":"b%[1]d","amount":1,"currency":"EUR","payer":"x","payee":"y","day":1,"type":"bank","iban":1,"bic":"v"}`)), "type",
			map[string]int64{`type "card"`: 20, `type "bank"`: 20},
		},
		{
			"three kinds with what all documents have", join(
				repeated(12, `{"id":"b%[1]d","name":"n%[1]d","link":"l%[1]d","rank":1,"pages":%[1]d,"binding":"x"}`),
				repeated(13, `{"id":"r%[1]d","name":"n%[1]d","link":"l%[1]d","rank":1,"content":"c","stars":4}`),
				repeated(14, `{"id":"s%[1]d","name":"n%[1]d","link":"l%[1]d","rank":1,"town":"t","street":"s"}`)), "",
			map[string]int64{"with binding, pages": 12, "with content, stars": 13, "with street, town": 14},
		},
		{
			"optional fields at random", func() (out []string) {
				random := rand.New(rand.NewPCG(1, 2))
				for i := range 200 {
					d := map[string]any{"id": i, "name": "n", "size": random.IntN(5)}
					for _, name := range []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"} {
						if random.IntN(2) == 0 {
							d[name] = i
						}
					}
					text, _ := json.Marshal(d)
					out = append(out, string(text))
				}
				return out
			}(), "", map[string]int64{"": 200},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := inferKinds(t, test.documents)
			if test.discriminator == "" {
				assert.Nil(t, c.Discriminator)
			} else if assert.NotNil(t, c.Discriminator) {
				assert.Equal(t, test.discriminator, c.Discriminator.Path.String())
			}
			assert.Equal(t, test.kinds, kindsOf(c))
		})
	}
}

// TestKindsInAnyOrder checks that neither the order of the documents nor how
// they are split between workers changes the kinds.
func TestKindsInAnyOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	kinds := []string{
		`{"id":"%[1]d","name":"n","pages":1,"publisher":"p"%[2]s}`,
		`{"id":"%[1]d","bookId":"b","content":"c","stars":1%[2]s}`,
		`{"id":"%[1]d","street":"b","city":"c","zip":"1"%[2]s}`,
	}
	optional := []string{"", `,"note":"x"`, `,"tags":[]`, `,"lang":"en"`, `,"note":"y","lang":"de"`}
	for round := range 20 {
		var documents []string
		for i := range 30 + random.IntN(100) {
			kind := random.IntN(len(kinds))
			extra := optional[random.IntN(len(optional))]
			if round%2 == 0 {
				extra += fmt.Sprintf(`,"kind":"k%d"`, kind)
			}
			documents = append(documents, fmt.Sprintf(kinds[kind], i, extra))
		}
		want := inferKinds(t, documents)
		for range 5 {
			c := inferred(t, documents, profiled(t, documents, random.Perm(len(documents)), 1+random.IntN(8)))
			require.Equal(t, kindsOf(want), kindsOf(c))
			require.Equal(t, want.Discriminator == nil, c.Discriminator == nil)
			if c.Discriminator != nil {
				require.Equal(t, want.Discriminator.Path, c.Discriminator.Path)
				require.InDelta(t, want.Discriminator.Explained, c.Discriminator.Explained, 0)
			}
			require.Len(t, c.Kinds, len(want.Kinds))
			for i, k := range c.Kinds {
				require.Equal(t, want.Kinds[i].Core(), k.Core())
				require.Equal(t, want.Kinds[i].First, k.First)
			}
		}
	}
}

// TestNamesOfPeopleAreNoKinds has messages of two programs, each of which writes
// fields of its own, and each person uses one of them.
// In a handful of documents some field goes with any two groups of them. The
// names of a group come together, so they are not so many witnesses.
func TestChanceMakesNoKinds(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{1: false, 4: true} {
		c := inferKinds(t, join(repeated(2*n, `{"_id":"a%d","sex":"f","born":"Ulm","floor":"1","city":"Ulm"}`),
			repeated(3*n, `{"_id":"b%d","sex":"m","born":"Bonn","floor":"1","city":"Ulm","years":1,"terms":2,"weeks":3,"months":4,"days":5}`)))
		assert.Equal(t, want, c.Discriminator != nil, "%d documents", 5*n)
	}
}

func TestNamesOfPeopleAreNoKinds(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]int{"origin": 2, "username": 1} {
		one := repeated(30, `{"_id":"a%d","`+field+`":"ann","text":"t%[1]d","read":true,"shown":false,"seen":1}`)
		other := repeated(30, `{"_id":"b%d","`+field+`":"bob","text":"t%[1]d","by":"b","kept":"c","on":3}`)
		c := inferKinds(t, join(one, other))
		got := 1
		if c.Discriminator != nil && c.Discriminator.Path.String() == field {
			got = 2
		}
		assert.Equal(t, want, got, field)
	}
}
