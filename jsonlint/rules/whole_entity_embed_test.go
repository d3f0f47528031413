package rules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestWholeEntityEmbed(t *testing.T) {
	t.Parallel()
	body := func(i, capacity int) string {
		return fmt.Sprintf(`"name":"Venue %d","street":"Canal Road %d","town":"Town %d","capacity":%d,"website":"https://v%d.example"`, i, i, i, capacity, i)
	}
	venues := documents(10, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"v%d",%s}`, i, body(i, 100*i+50)) })
	embedding := func(collection, venue string) database {
		return database{"venues": venues, collection: documents(40, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"c%d","title":"Evening %d","venue":%s}`, i, i, fmt.Sprintf(venue, i%10, body(i%10, 100*(i%10)+50)))
		})}
	}
	own := database{"venues": venues, "managers": documents(10, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"m%d","venue":{"id":"v%d",%s}}`, i, i, body(i, 100*i+50))
	})}
	runShapeCases(t, "whole-entity-embed", []shapeCase{
		{
			name: "all fields", db: embedding("concerts", `{"id":"v%d",%s}`),
			want: []string{"info concerts.jsonl:1 venue"}, says: "copies 5 of the 5 fields of venues",
		},
		{name: "a few fields", db: embedding("concerts", `{"id":"v%[1]d","name":"Venue %[1]d"}`)},
		{name: "one document each", db: own},
		{name: "a record of what was", db: embedding("bookings", `{"id":"v%d",%s}`)},
		{name: "small numbers that resolve by accident", db: database{
			"venues": documents(10, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":%d,%s}`, i, body(i, 100*i+50)) }),
			"concerts": documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":%d,"venue":{"id":%d,%s}}`, i, i%10, body(i+100, i))
			}),
		}},
	})
}

func TestUntraceableCopy(t *testing.T) {
	t.Parallel()
	people := documents(12, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"u%d","fullName":"Person %d","website":"https://p%d.example","city":"Town %d"}`, i, i, i, i%5)
	})
	posts := func(author string) []string {
		return documents(40, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"p%d","title":"Title %d",%s}`, i, i, fmt.Sprintf(author, i%12))
		})
	}
	runShapeCases(t, "untraceable-copy", []shapeCase{
		{
			name: "two fields and no id", db: database{"people": people, "posts": posts(`"author":{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)},
			want: []string{"warning posts.jsonl:1 author"}, says: "repeats fullName and website of a document of people in 100 % of 40 cases",
		},
		{name: "the id is there", db: database{"people": people, "posts": posts(`"author":{"id":"u%[1]d","fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)}},
		{name: "the id stands beside it", db: database{"people": people, "posts": posts(`"authorId":"u%[1]d","author":{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)}},
		{name: "only one field", db: database{"people": people, "posts": posts(`"author":{"fullName":"Person %[1]d","site":"none"}`)}},
		{name: "parts of addresses", db: database{
			"places": documents(12, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"u%d","city":"Town %d","street":"Road %d","zip":"%05d"}`, i, i, i, i)
			}),
			"posts": posts(`"address":{"city":"Town %[1]d","street":"Road %[1]d"}`),
		}},
		{name: "an invoice", db: database{"people": people, "invoices": posts(`"author":{"fullName":"Person %[1]d","website":"https://p%[1]d.example"}`)}},
	})
}
