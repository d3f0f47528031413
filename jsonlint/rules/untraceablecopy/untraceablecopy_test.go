package untraceablecopy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestUntraceableCopy(t *testing.T) {
	t.Parallel()
	people := ruletest.Documents(12, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"u%d","fullName":"Person %d","website":"https://p%d.example","city":"Town %d"}`, i, i, i, i%5)
	})
	posts := func(author string) []string {
		return ruletest.Documents(40, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"p%d","title":"Title %d",%s}`, i, i, fmt.Sprintf(author, i%12))
		})
	}
	ruletest.Run(t, "untraceable-copy", []ruletest.ShapeCase{
		{
			Name: "two fields and no id", DB: ruletest.Database{"people": people, "posts": posts(`"author":{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)},
			Want: []string{"warning posts.jsonl:1 author"}, Says: "repeats fullName and website of a document of people in 100% of 40 cases",
		},
		{
			Name: "elements of a list", DB: ruletest.Database{"people": people, "posts": posts(`"authors":[{"fullName":"Person %[1]d","website":"https://p%[1]d.example","share":1}]`)},
			Want: []string{"warning posts.jsonl:1 authors[]"},
		},
		{
			Name: "elements of several lists",
			DB: ruletest.Database{"people": people, "posts": posts(`"authors":[{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}],"editors":[{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}],` +
				`"readers":[{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}]`)},
			Want: []string{"warning posts.jsonl:1 authors[]"}, Says: "the same in 2 more places",
		},
		{Name: "elements of a list with ids", DB: ruletest.Database{"people": people, "posts": posts(`"authors":[{"id":"u%[1]d","fullName":"Person %[1]d","website":"https://p%[1]d.example"}]`)}},
		{Name: "the id is there", DB: ruletest.Database{"people": people, "posts": posts(`"author":{"id":"u%[1]d","fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)}},
		{Name: "the id stands beside it", DB: ruletest.Database{"people": people, "posts": posts(`"authorId":"u%[1]d","author":{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)}},
		{Name: "the last of its own", DB: ruletest.Database{
			"people": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"u%d","homeId":"h%d","fullName":"Person %d","website":"https://p%d.example"}`, i, i, i, i)
			}),
			"homes": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"h%d","newest":{"fullName":"Person %d","website":"https://p%d.example"}}`, i, i, i)
			}),
		}},
		{Name: "only one field", DB: ruletest.Database{"people": people, "posts": posts(`"author":{"fullName":"Person %[1]d","site":"none"}`)}},
		{Name: "parts of addresses", DB: ruletest.Database{
			"places": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"u%d","city":"Town %d","street":"Road %d","zip":"%05d"}`, i, i, i, i)
			}),
			"posts": posts(`"address":{"city":"Town %[1]d","street":"Road %[1]d"}`),
		}},
		{Name: "an invoice", DB: ruletest.Database{"people": people, "invoices": posts(`"author":{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)}},
	})
}
