package wholeentityembed_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestWholeEntityEmbed(t *testing.T) {
	t.Parallel()
	body := func(i, capacity int) string {
		return fmt.Sprintf(`"name":"Venue %d","street":"Canal Road %d","town":"Town %d","capacity":%d,"website":"https://v%d.example"`, i, i, i, capacity, i)
	}
	venues := ruletest.Documents(10, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"v%d",%s}`, i, body(i, 100*i+50)) })
	embedding := func(collection, venue string) ruletest.Database {
		return ruletest.Database{"venues": venues, collection: ruletest.Documents(40, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"c%d","title":"Evening %d","venue":%s}`, i, i, fmt.Sprintf(venue, i%10, body(i%10, 100*(i%10)+50)))
		})}
	}
	first := regexp.MustCompile(`"id":"v(\d)"`)
	withUUID := func(db ruletest.Database) ruletest.Database {
		out := ruletest.Database{}
		for name, documents := range db {
			for _, d := range documents {
				out[name] = append(out[name], first.ReplaceAllString(d, `"uuid":"5f0c1a3${1}-0a1b-4c2d-8e3f-00000000000$1",$0`))
			}
		}
		return out
	}
	region := func(i int) string {
		return fmt.Sprintf(`{"id":"r%d","name":"Region %[1]d","names":{"de":"Gebiet %[1]d","fr":"Pays %[1]d","it":"Zona %[1]d","nl":"Streek %[1]d"}}`, i)
	}
	own := ruletest.Database{"venues": venues, "managers": ruletest.Documents(10, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"m%d","venue":{"id":"v%d",%s}}`, i, i, body(i, 100*i+50))
	})}
	ruletest.Run(t, "whole-entity-embed", []ruletest.ShapeCase{
		{
			Name: "all fields", DB: embedding("concerts", `{"id":"v%d",%s}`),
			Want: []string{"info concerts.jsonl:1 venue"}, Says: "copies 5 of the 5 fields of venues",
		},
		{
			Name: "the fields of an object", Says: "copies 5 of the 5 fields of regions",
			DB: ruletest.Database{
				"regions": ruletest.Documents(10, func(i int, _ *rand.Rand) string { return region(i) }),
				"countries": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"c%d","region":%s}`, i, region(i%10))
				}),
			},
			Want: []string{"info countries.jsonl:1 region"},
		},
		{
			Name: "with a second id", DB: withUUID(embedding("concerts", `{"id":"v%d",%s}`)),
			Want: []string{"info concerts.jsonl:1 venue"}, Says: "copies 6 of the 6 fields of venues",
		},
		{
			Name: "with a reference of the original's own", Says: "copies 6 of the 6 fields of venues",
			DB: ruletest.Database{
				"towns":  ruletest.Documents(5, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"townId":"t%d","mayor":"Mayor %[1]d"}`, i) }),
				"venues": ruletest.Documents(10, func(i int, _ *rand.Rand) string { return venueInTown(i, body) }),
				"concerts": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"c%d","title":"Evening %[1]d","venue":%s}`, i, venueInTown(i%10, body))
				}),
			},
			Want: []string{"info concerts.jsonl:1 venue"},
		},
		{Name: "a few fields", DB: embedding("concerts", `{"id":"v%[1]d","name":"Venue %[1]d"}`)},
		{Name: "one document each", DB: own},
		{Name: "a record of what was", DB: embedding("bookings", `{"id":"v%d",%s}`)},
		{Name: "small numbers that resolve by accident", DB: ruletest.Database{
			"venues": ruletest.Documents(10, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":%d,%s}`, i, body(i, 100*i+50)) }),
			"concerts": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":%d,"venue":{"id":%d,%s}}`, i, i%10, body(i+100, i))
			}),
		}},
	})
}

// venueInTown returns a venue whose id has the name that references to it have.
func venueInTown(i int, body func(i, capacity int) string) string {
	return fmt.Sprintf(`{"venueId":"v%d","townId":"t%d",%s}`, i, i%5, body(i, 100*i+50))
}
