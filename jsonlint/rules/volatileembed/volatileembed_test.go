package volatileembed_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
	"github.com/shapevet/shapevet/jsonlint/source"
	"github.com/shapevet/shapevet/rulebook"
)

// holdings are portfolios of n stocks; price gives the price of a stock in the
// portfolio written at time i.
func holdings(n int, price func(i, stock int, r *rand.Rand) float64) []string {
	return ruletest.Documents(n, func(i int, r *rand.Rand) string {
		return fmt.Sprintf(`{"id":"p%d","owner":"Owner %d","holdings":%s}`, i, i, ruletest.Some(r, 2, 5, func(int) string {
			s := r.IntN(15)
			return fmt.Sprintf(`{"numberHeld":%d,"stock":{"symbol":"s%02d","name":"Stock %d","price":%.1f}}`, 10*(1+r.IntN(9)), s, s, price(i, s, r))
		}))
	})
}

// twoIDs returns collections that choose trees of studies. A few studies have several, with a name each.
func twoIDs(field string) (out []string) {
	for c := range 40 {
		var chosen []string
		for k := range 3 {
			study, tree := (c+2*k)%9, 1
			if c == 3 && k == 0 {
				tree = 2
			}
			chosen = append(chosen, fmt.Sprintf(`{"studyId":"u%d","treeId":"tree%d","%s":"Tree %[2]d of study %[1]d"}`, study, tree, field))
		}
		out = append(out, fmt.Sprintf(`{"id":"r%d","title":"Collection","decisions":[%s]}`, c, strings.Join(chosen, ",")))
	}
	return out
}

// ratings are 40 recipes that users rated; name is what a copy calls the user,
// odd what one copy of user 3 does.
func ratings(name func(i, user int) string, odd string) []string {
	var out []string
	for recipe := range 40 {
		var given []string
		for k := range 3 {
			user := (recipe + 2*k) % 9
			called := name(3*recipe+k, user)
			if recipe == 3 && k == 0 {
				called = odd
			}
			given = append(given, fmt.Sprintf(`{"userId":"u%d","userName":"%s","stars":%d}`, user, called, 1+(recipe+k)%5))
		}
		out = append(out, fmt.Sprintf(`{"id":"r%d","title":"Recipe","ratings":[%s]}`, recipe, strings.Join(given, ",")))
	}
	return out
}

// trips are 30 of two legs each; those before some have the value of the ten in legs.
func trips(field, value string, some int) []string {
	return ruletest.Documents(30, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"t%d","legs":[%s]}`, i, ruletest.Joined(2, func(k int) string {
			leg, day := (i+5*k)%10, (i+5*k)%10
			if i >= some {
				day += i - some + 1
			}
			return fmt.Sprintf(`{"flightNo":"B10%d","%s":"%s","from":"F%d"}`, leg, field, fmt.Sprintf(value, day), leg)
		}))
	})
}

func legs(field, value string) []string {
	return ruletest.Times(0, 10, `{"flightNo":"B10%[1]d","`+field+`":"`+strings.Replace(value, "%02d", "0%[1]d", 1)+`","from":"F%[1]d"}`)
}

// namedIn returns ratings in a list of another name.
func namedIn(list string) []string {
	docs := ratings(func(_, user int) string { return fmt.Sprintf("User %d", user) }, "old name")
	for i := range docs {
		docs[i] = strings.Replace(docs[i], "ratings", list, 1)
	}
	return docs
}

func TestVolatileEmbed(t *testing.T) {
	t.Parallel()
	const day = "2026-01-%02dT06:00:00Z"
	level := func(stock int) float64 { return float64(20 + 7*stock) }
	ruletest.Run(t, "volatile-embed", []ruletest.ShapeCase{
		{Name: "objects that a list only wraps", DB: ruletest.Database{"pages": {
			`{"total":3,"edges":[{"node":{"id":"bd7cd47b-a20a-4767-ac7d-89092b6049f1","name":"Ink","price":3}},{"node":{"id":"bd7cd47b-a20a-4767-ac7d-89092b6049f2","name":"Pen","price":2}}]}`,
			`{"total":3,"edges":[{"node":{"id":"bd7cd47b-a20a-4767-ac7d-89092b6049f3","name":"Nib","price":1}}]}`,
		}}},
		{
			Name: "prices that agree: the name speaks",
			DB:   ruletest.Database{"portfolios": holdings(60, func(_, s int, _ *rand.Rand) float64 { return level(s) })},
			Want: []string{"warning portfolios.jsonl:1 holdings[].stock"}, Says: "price changes while the documents do not",
		},
		{
			Name: "prices of which some are stale",
			DB: ruletest.Database{"portfolios": holdings(60, func(_, s int, r *rand.Rand) float64 {
				if r.IntN(10) == 0 {
					return level(s) - 1
				}
				return level(s)
			})},
			Want: []string{"warning portfolios.jsonl:1 holdings[].stock"}, Says: "disagree in price",
		},
		{
			Name: "prices that hardly ever agree, each around the level of its stock",
			DB: ruletest.Database{"portfolios": holdings(60, func(_, s int, r *rand.Rand) float64 {
				return level(s) + float64(r.IntN(40))/10
			})},
			Want: []string{"warning portfolios.jsonl:1 holdings[].stock"}, Says: "disagree in price",
		},
		{
			Name: "a number no list knows, which drifts",
			DB: ruletest.Database{"posts": ruletest.Documents(60, func(i int, r *rand.Rand) string {
				a, stale := r.IntN(8), 0
				if r.IntN(6) == 0 {
					stale = 1 + r.IntN(9)
				}
				return fmt.Sprintf(`{"id":"p%d","title":"Title %d","author":{"id":"u%d","name":"Author %d","karma":%d}}`, i, i, a, a, 1000*(a+1)-stale)
			})},
			Want: []string{"warning posts.jsonl:1 author"}, Says: "karma",
		},
		{
			Name: "the Indonesian of a text in several languages is no id",
			DB: ruletest.Database{"modes": ruletest.Documents(60, func(i int, r *rand.Rand) string {
				a := r.IntN(8)
				return fmt.Sprintf(`{"id":"m%d","label":{"de":"Wacht %[2]d","en":"Guard %[2]d","fr":"Garde %[2]d","id":"Penjaga %[2]d","price":%[3]d}}`, i, a, a+r.IntN(6)/5)
			})},
		},
		{
			Name: "a logger records the past",
			DB: ruletest.Database{"logger": ruletest.Documents(60, func(i int, r *rand.Rand) string {
				a := r.IntN(8)
				return fmt.Sprintf(`{"id":"p%d","line":"Line %d","author":{"id":"u%d","name":"Author %d","karma":%d}}`, i, i, a, a, 1000*(a+1)-9*(r.IntN(6)/5))
			})},
		},
		{
			Name: "a clock of its own, later than the document's",
			DB: ruletest.Database{"shelves": ruletest.Documents(30, func(i int, r *rand.Rand) string {
				a := r.IntN(5)
				return fmt.Sprintf(`{"id":"s%d","updatedAt":"2026-01-0%dT00:00:00Z","lamp":{"id":"l%d","watt":%d,"updatedAt":"2026-02-0%dT00:00:00Z"}}`,
					i, 1+r.IntN(8), a, 5*a, a+1)
			})},
			Want: []string{"warning shelves.jsonl:1 lamp"}, Says: `shelves.lamp is copied into 30 documents: one lamp is in 6 on average, 10 at most; it is updated on its own`,
		},
		{
			Name: "the values of a map",
			DB: ruletest.Database{"projects": ruletest.Times(1, 3, `{"id":"p%d","updated_at":"2026-01-0%[1]dT00:00:00Z","contacts":{
				"5f1d7a3e9b1c4a0012ab34c1":{"username":"Ann","role":"admin","updated_at":"2026-02-01T09:00:00Z"},
				"5f1d7a3e9b1c4a0012ab34c2":{"username":"Bob","role":"owner","updated_at":"2026-02-02T09:00:00Z"}}}`)},
			Want: []string{"warning projects.jsonl:2 contacts{}"}, Says: `projects.contacts{} is copied into 3 documents: one contact is in 3 on average`,
		},
		{
			Name: "the same lists without a date of their own",
			DB:   ruletest.Database{"restrictions": editions(`"place":"Town %d"`)},
			Want: []string{"warning restrictions.jsonl:1 cards[]"}, Says: "disagree in xp",
		},
		{
			Name: "one copy has nothing to drift apart from",
			DB:   ruletest.Database{"persons": {`{"id":"1","holdings":[{"numberHeld":100,"stock":{"symbol":"zaza","open":1,"high":2,"low":0.5}}]}`}},
		},
		{
			Name: "two documents: identity and names",
			DB: ruletest.Database{"persons": {
				`{"id":"1","holdings":[{"numberHeld":100,"stock":{"symbol":"zaza","open":1,"high":2,"low":0.5}},{"numberHeld":50,"stock":{"symbol":"xcxc","open":3,"high":4,"low":2.5}}]}`,
			}},
			Want: []string{"warning persons.jsonl:1 holdings[].stock"}, Says: "open, high, low change",
		},
		{
			Name: "rows with a wrapper around what they are",
			DB: ruletest.Database{"films": {
				`{"id":"1","row":{"genre":"x","data":{"symbol":"zaza","open":1,"high":2,"low":0.5}}}`, `{"id":"2","row":{"genre":"x","data":{"symbol":"xcxc","open":3,"high":4,"low":2.5}}}`,
			}},
		},
		{Name: "flights that have a number on many days", DB: ruletest.Database{"legs": legs("flightDate", day), "trips": trips("flightDate", day, 15)}},
		{Name: "flights of which a few moved", DB: ruletest.Database{"legs": legs("flightDate", day), "trips": trips("flightDate", day, 26)},
			Want: []string{"warning trips.jsonl:1 legs[]"}, Says: "differ from the original in flightDate"},
		{Name: "things that were last seen on many days", DB: ruletest.Database{"legs": legs("lastSeen", day), "trips": trips("lastSeen", day, 15)},
			Want: []string{"warning trips.jsonl:1 legs[]"}, Says: "differ from the original in lastSeen"},
		{Name: "gates that are no days", DB: ruletest.Database{"legs": legs("gate", "G%02d"), "trips": trips("gate", "G%02d", 15)},
			Want: []string{"warning trips.jsonl:1 legs[]"}, Says: "differ from the original in gate"},
		{
			Name: "names of one user in three collections",
			DB: ruletest.Database{
				"users":   ruletest.Times(0, 9, `{"id":"u%d","username":{"first":"A%[1]d"}}`),
				"recipes": namedIn("ratings"), "trips": namedIn("votes"), "songs": namedIn("marks"),
			},
			Want: []string{"warning recipes.jsonl:4 ratings[].userName"}, Says: "the same in 2 more places",
		},
		{Name: "a name beside two ids", DB: ruletest.Database{"collections": twoIDs("name")}},
		{Name: "a name of more words beside two ids", DB: ruletest.Database{"collections": twoIDs("mainAuthor")}, Want: []string{"warning collections.jsonl:4 decisions[].mainAuthor"}},
		{
			Name: "a name that differs in few copies, without an original",
			DB:   ruletest.Database{"recipes": ratings(func(_, user int) string { return fmt.Sprintf("User %d", user) }, "old name")},
			Want: []string{"warning recipes.jsonl:4 ratings[].userName"}, Says: `ratings[].userName differs between the copies of 1 of 9 users: userId "u3" has "old name" here, elsewhere "User 3"`,
		},
		{
			Name: "parts of one document", // with its id
			DB: ruletest.Database{"passes": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
				codes := make([]string, 3)
				for n := range codes {
					at := 1742676977456 + 100_000*i
					if i%10 == 3 && n == 2 {
						at++
					}
					codes[n] = fmt.Sprintf(`{"code":"c%d-%d","passId":"p%d","stamp":%d}`, i, n, i, at)
				}
				return fmt.Sprintf(`{"id":"p%d","codes":[%s]}`, i, strings.Join(codes, ","))
			})},
		},
		{Name: "what was bought, by its name", DB: ruletest.Database{
			"products": ruletest.Times(10, 12, `{"id":"p%[1]d","name":"Product %[1]d","price":%[1]d}`),
			"buyers": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"b%d","bought":[{"product":"Product %d","price":%d,"channel":"c%d"},{"product":"Product %d","price":%d,"channel":"c%d"}]}`, i, 10+i%12, 10+i%12+i%3, i%4, 10+(i+5)%12, 10+(i+5)%12+i%2, i%3)
			}),
		}},
		{Name: "the name of another thing beside it", DB: ruletest.Database{"shelves": ruletest.Documents(10, func(i int, _ *rand.Rand) string {
			supplier := []int{0, 1, 2, 1, 0, 2, 0, 2, 0, 2}[i]
			product, name := supplier, []string{"Arabica", "Colombia", "Italiano"}[supplier]
			if i == 9 {
				product, name = 1, "colombia"
			}
			return fmt.Sprintf(`{"_id":"o%d","lines":[{"supplier_id":%d,"product_id":%d,"productName":"%s","count":%d}]}`, i, 5001+supplier, 1001+product, name, 10*i)
		})}, Want: []string{"warning shelves.jsonl:10 lines[].productName"}, Says: "1 of 3 products"},
		{Name: "two things with one code", DB: ruletest.Database{
			"teams": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"t%d","team_code":"C%d","name":"Team %d"}`, i, max(i, 1), i)
			}),
			"goals": ruletest.Documents(120, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"g%d","minute":%d,"team_id":"t%d","team_code":"C%d","team_name":"Team %d"}`, i, i%90, i%12, max(i%12, 1), i%12)
			}),
		}},
		{Name: "how many of a thing there are in a list", DB: ruletest.Database{"monsters": ruletest.Documents(60, func(i int, r *rand.Rand) string {
			return fmt.Sprintf(`{"id":"m%d","rewards":%s}`, i, ruletest.Some(r, 2, 5, func(int) string {
				n := r.IntN(15)
				return fmt.Sprintf(`{"id":"r%d","name":"Reward %d","amount":%d}`, n, n, 100*(n+1)+i/50*(n%3))
			}))
		})}},
		{Name: "questions that are numbered in each list", DB: ruletest.Database{"quizzes": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
			last := "after 4"
			if i == 7 {
				last = "at the end"
			}
			return fmt.Sprintf(`{"id":"q%d","title":"Quiz","questions":[{"id":1,"when":"first"},{"id":2,"when":"after 1"},{"id":3,"when":"after 2"},{"id":4,"when":"after 3"},{"id":5,"when":"%s"}]}`, i, last)
		})}},
		{Name: "what is the same in each copy, whatever it is called", DB: ruletest.Database{"lorries": ruletest.Documents(15, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"l%d","slots":[{"id":"front-left","position":"in front, left","load":%d},{"id":"front-right","position":"in front, right","load":%d}]}`, i, 3*i, 5*i)
		})}},
		{Name: "what codes are called", DB: ruletest.Database{"claims": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
			display := fmt.Sprintf("Procedure %d", i%9)
			if i == 30 {
				display = "Procedure (three)"
			}
			return fmt.Sprintf(`{"id":"c%d","what":{"system":"urn:codes","code":"%d","display":"%s"}}`, i, 5000+i%9, display)
		})}},
		{Name: "names that agree", DB: ruletest.Database{"recipes": ratings(func(_, user int) string { return fmt.Sprintf("User %d", user) }, "User 3")}},
		{Name: "what belongs to the link, but for few", DB: ruletest.Database{"recipes": ratings(func(_, user int) string { return fmt.Sprintf("role %d", user%3) }, "role 9")}},
		{Name: "names that nobody keeps", DB: ruletest.Database{"recipes": ratings(func(i, _ int) string { return fmt.Sprintf("User %d", i) }, "old name")}},
		{Name: "one thing of one owner", DB: ruletest.Database{"users": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"u%d","wallet":{"id":"w%d","balance":%d}}`, i, i, 10*i)
		})}},
		{Name: "songs of playlists: only names", DB: ruletest.Database{"playlists": ruletest.Documents(40, func(i int, r *rand.Rand) string {
			return fmt.Sprintf(`{"id":"l%d","songs":%s}`, i, ruletest.Some(r, 2, 6, func(int) string {
				s := r.IntN(12)
				return fmt.Sprintf(`{"id":"s%d","title":"Song %d","image":"https://img.example/%d.png"}`, s, s, s)
			}))
		})}},
		{Name: "order lines", DB: ruletest.Database{"orders": lines(60, `"orderDate":"2026-01-02"`)}},
		{Name: "lines of something that was sold, by another name", DB: ruletest.Database{"checkouts": lines(60, `"rungUpAt":"2026-01-02T10:00:00Z"`)}},
		{Name: "sizes depend on the product, but belong to the line", DB: ruletest.Database{"wishlists": ruletest.Documents(80, func(i int, r *rand.Rand) string {
			return fmt.Sprintf(`{"id":"w%d","wishes":%s}`, i, ruletest.Some(r, 2, 4, func(int) string {
				s := r.IntN(6)
				size := []string{"S", "M", "L"}[s%3]
				if r.IntN(4) == 0 {
					size = "XL"
				}
				return fmt.Sprintf(`{"productId":"p%d","name":"Shirt %d","size":"%s"}`, s, s, size)
			}))
		})}},
		{Name: "scores belong to the link with the player", DB: ruletest.Database{"matches": ruletest.Documents(60, func(i int, r *rand.Rand) string {
			return fmt.Sprintf(`{"id":"m%d","players":%s}`, i, ruletest.Some(r, 2, 4, func(int) string {
				s := r.IntN(9)
				return fmt.Sprintf(`{"playerId":"p%d","name":"Player %d","score":%d}`, s, s, r.IntN(50))
			}))
		})}},
		{Name: "numbers of lines are no identity", DB: ruletest.Database{"recipes": ruletest.Documents(60, func(i int, r *rand.Rand) string {
			return fmt.Sprintf(`{"id":"r%d","parts":%s}`, i, ruletest.Some(r, 2, 6, func(k int) string {
				return fmt.Sprintf(`{"id":%d,"text":"Part %d of %d","temperature":%d}`, k+1, k, i, 100+10*r.IntN(12))
			}))
		})}},
		{Name: "addresses are values", DB: ruletest.Database{"people": ruletest.Documents(60, func(i int, r *rand.Rand) string {
			z := r.IntN(6)
			city := "Town"
			if r.IntN(5) == 0 {
				city = "Other"
			}
			return fmt.Sprintf(`{"id":"p%d","address":{"postalCode":"%05d","city":"%s %d","position":%d}}`, i, 10000+z, city, z, z)
		})}},
		{Name: "levels that all skills share, of which some have one", DB: ruletest.Database{"pupils": pupils(rand.New(rand.NewPCG(7, 8)), 100)}},
		{Name: "levels depend on the skill, but differ from hero to hero", DB: ruletest.Database{"heroes": heroes(7, "id", "level")}},
		{Name: "progress that the original has no field for", DB: ruletest.Database{
			"heroes": heroes(9, "id", "progress"),
			"talents": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":%d,"name":"Talent %d","school":"School %d"}`, 700+i, i, i%4)
			}),
		}},
		{Name: "positions that the original has no field for, by reference", DB: ruletest.Database{
			"heroes": heroes(9, "talentId", "position"),
			"talents": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":%d,"name":"Talent %d","school":"School %d"}`, 700+i, i, i%4)
			}),
		}},
		{Name: "verdicts of one judge, whose documents have no scores", DB: ruletest.Database{
			"judges": ruletest.Times(1, 5, `{"_id":"0a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f000%d","name":"Judge %[1]d"}`),
			"rounds": ruletest.Times(1, 6, `{"_id":"r%d","verdict":{"given_by":"0a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f0001","jump_score":8,"style_score":9,"comments":"Good"}}`),
		}},
		{Name: "editions of a list", DB: ruletest.Database{"restrictions": editions(`"startDate":"2026-0%d-01"`)}},
		{Name: "the details of an order", DB: ruletest.Database{
			"orders": ruletest.Times(10, 13, `{"id":"o%d","total":5}`),
			"details": ruletest.Documents(13, func(i int, r *rand.Rand) string {
				return fmt.Sprintf(`{"id":"d%d","order":"o%d","products":%s}`, i, 10+i, ruletest.Some(r, 2, 4, func(int) string {
					s := r.IntN(6)
					return fmt.Sprintf(`{"product":"p%d","name":"Product %d","price":%d,"quantity":1}`, s, s, 10*s+9)
				}))
			}),
			"products": ruletest.Documents(6, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"p%d","name":"Product %d","price":%d}`, i, i, 10*i+9)
			}),
		}},
		{Name: "sizes that people choose from a list of the original", DB: ruletest.Database{
			"baskets": ruletest.Documents(13, func(i int, r *rand.Rand) string {
				return fmt.Sprintf(`{"id":"d%d","products":%s}`, i, ruletest.Some(r, 3, 3, func(int) string {
					s, size := r.IntN(6), []string{"S", "M", "L"}[r.IntN(3)]
					if i == 4 {
						size = "3XL"
					}
					return fmt.Sprintf(`{"product":"p%d","name":"Shirt %d","size":"%s"}`, s, s, size)
				}))
			}),
			"products": ruletest.Documents(6, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"p%d","name":"Shirt %d","size":["S","M","L"]}`, i, i)
			}),
		}},
		{Name: "pairs of a key and a value", DB: ruletest.Database{"hosts": ruletest.Documents(13, func(i int, _ *rand.Rand) string {
			group := []int{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3}[i]
			var tags []string
			for _, key := range []string{"name", "image", "service", "start"} {
				tags = append(tags, fmt.Sprintf(`{"key":"%s","value":"%[1]s-%d","fixed":true}`, key, group))
			}
			tags = append(tags, `{"key":"user","value":"server","fixed":true}`, `{"key":"mode","value":"live","fixed":true}`,
				fmt.Sprintf(`{"key":"owner","value":"ops-%d","fixed":true}`, i/12), fmt.Sprintf(`{"key":"until","value":"202%d-07-30","fixed":true}`, i/12))
			return fmt.Sprintf(`{"_id":"h%d","tags":[%s]}`, i, strings.Join(tags, ","))
		})}},
		{Name: "offers with an ID, of a few users", DB: ruletest.Database{"markets": {`{"_id":"m1","offers":[` + strings.Join(ruletest.Documents(40, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"UserID":"58109139181240321%d","name":"user %[1]d","price":%d,"ID":%d}`, i%4, 1000*(i%4)+(i%7)/6*50, 3700+i)
		}), ",") + `]}`}}},
		{Name: "a copy in step with its original", DB: ruletest.Database{
			"carts": ruletest.Documents(60, func(i int, r *rand.Rand) string {
				return fmt.Sprintf(`{"id":"c%d","items":%s}`, i, ruletest.Some(r, 2, 4, func(int) string {
					s := r.IntN(9)
					return fmt.Sprintf(`{"productId":"p%d","price":%d,"quantity":%d}`, s, 10*s+9, 1+r.IntN(5))
				}))
			}),
			"products": ruletest.Documents(9, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"p%d","title":"Product %d","price":%d}`, i, i, 10*i+9)
			}),
		}},
	})
}

// heroes have talents at levels; share of ten have the usual level of the
// talent, out of a few that all talents share.
func heroes(share int, id, field string) []string {
	levels := []int{1, 2, 3, 5, 8, 13}
	return ruletest.Documents(100, func(i int, r *rand.Rand) string {
		return fmt.Sprintf(`{"id":"h%d","talents":%s}`, i, ruletest.Some(r, 4, 4, func(int) string {
			s := r.IntN(20)
			level := levels[s%6]
			if r.IntN(10) >= share {
				level = levels[r.IntN(6)]
			}
			return fmt.Sprintf(`{"%s":%d,"name":"Talent %d","%s":%d}`, id, 700+s, s, field, level)
		}))
	})
}

// pupils have talents at levels: half of the talents have one level only, the others
// any of many.
func pupils(r *rand.Rand, n int) []string {
	return ruletest.Documents(n, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"p%d","talents":%s}`, i, ruletest.Some(r, 4, 4, func(int) string {
			s := r.IntN(20)
			return fmt.Sprintf(`{"id":%d,"name":"Talent %d","level":%d}`, 700+s, s, 1+s%2*(r.IntN(8)+r.IntN(8)))
		}))
	})
}

// editions are eight versions of a list of thirty cards, whose costs of
// experience were corrected from time to time. more says what each has.
func editions(more string) []string {
	return ruletest.Documents(8, func(i int, _ *rand.Rand) string {
		var cards []string
		for c := range 30 {
			xp := 100 + c
			if c%7 == 3 && i > c%5 {
				xp += 40
			}
			cards = append(cards, fmt.Sprintf(`{"code":"c%02d","xp":%d}`, c, xp))
		}
		return fmt.Sprintf(`{"id":"e%d",`+more+`,"cards":[%s]}`, i, i+1, strings.Join(cards, ","))
	})
}

// TestVolatileEmbedConfidence: copies that disagree about values that many
// things share are no proof.
func TestVolatileEmbedConfidence(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "volatile-embed", ruletest.Database{"heroes": heroes(9, "id", "level")}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.InDelta(t, rulebook.Probability(0.6), found[0].Confidence, 0.001)
	found = ruletest.FindingsOf(t, "volatile-embed", ruletest.Database{"heroes": heroes(6, "id", "level")}, jsonlint.Options{})
	for _, f := range found {
		assert.LessOrEqual(t, f.Confidence, 0.4)
	}
}

// TestVolatileEmbedLine: the time at which a line of a cart was changed is not
// a time of the product, and a name is called one.
func TestVolatileEmbedLine(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "volatile-embed", ruletest.Database{"carts": ruletest.Documents(6, func(i int, r *rand.Rand) string {
		return fmt.Sprintf(`{"_id":"c%d","updatedAt":"2026-01-0%dT00:00:00Z","items":%s}`, i, i+1, ruletest.Some(r, 2, 3, func(int) string {
			s := r.IntN(4)
			return fmt.Sprintf(`{"_id":"p%d","price":%d,"quantity":1,"updatedAt":"2026-02-0%dT00:00:00Z"}`, s, 10*s+9, 1+r.IntN(9))
		}))
	})}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.InDelta(t, rulebook.Probability(0.6), found[0].Confidence, 0.001)
	assert.Contains(t, found[0].Message, "by its name, price changes")
	for _, e := range found[0].Evidence {
		assert.NotContains(t, fmt.Sprint(e.Value), "clock")
	}
}

// lines are documents with lines of products, whose prices moved over time.
func lines(n int, extra string) []string {
	return ruletest.Documents(n, func(i int, r *rand.Rand) string {
		return fmt.Sprintf(`{"id":"o%d",%s,"lines":%s}`, i, extra, ruletest.Some(r, 2, 4, func(int) string {
			s := r.IntN(9)
			return fmt.Sprintf(`{"productId":"p%d","name":"Product %d","price":%d,"quantity":%d}`, s, s, 10*s+i/20, 1+r.IntN(5))
		}))
	})
}

func TestVolatileEmbedFromOriginals(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{
		"carts": ruletest.Documents(60, func(i int, r *rand.Rand) string {
			return fmt.Sprintf(`{"id":"c%d","items":%s}`, i, ruletest.Some(r, 2, 4, func(int) string {
				s := r.IntN(9)
				return fmt.Sprintf(`{"productId":"p%d","price":%d,"quantity":%d}`, s, 10*s+9-i/50, 1+r.IntN(5))
			}))
		}),
		"products": ruletest.Documents(9, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"p%d","title":"Product %d","price":%d}`, i, i, 10*i+9)
		}),
	}
	found := ruletest.FindingsOf(t, "volatile-embed", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, "items[]", found[0].Subject.Path)
	assert.Contains(t, found[0].Message, "differ from the original in price")
	assert.Contains(t, found[0].Advice, "quantity belongs to the link and stays")
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Plan, fix.Safety)
	var cart struct {
		Items []map[string]any `json:"items"`
	}
	require.NoError(t, json.Unmarshal(fix.After[0].Document, &cart))
	for _, item := range cart.Items {
		assert.IsType(t, "", item["productId"], "the reference keeps the type of the id")
		assert.Contains(t, item, "quantity")
		assert.NotContains(t, item, "price")
	}
	assert.Equal(t, "products", fix.After[1].Collection)
	assert.Empty(t, ruletest.FindingsOf(t, "stale-copy", db, jsonlint.Options{}), "volatile-embed shows the original")
}

// TestVolatileEmbedSnapshots gives each document three times, a day apart.
func TestVolatileEmbedSnapshots(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"rooms": ruletest.Documents(90, func(i int, _ *rand.Rand) string {
		room, day := i%30, i/30
		return fmt.Sprintf(`{"id":"r%d","updatedAt":"2026-03-0%dT10:00:00Z","name":"Room %d","floor":%d,"player":{"id":"pl%d","model":"M%d","song":"Song %d of %d"}}`,
			room, day+1, room, room%4, room%6, room%6, day, room%6)
	})}
	found := ruletest.FindingsOf(t, "volatile-embed", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, "player", found[0].Subject.Path)
	assert.Contains(t, found[0].Message, `rooms.player is copied into 90 documents: one player is in 5 on average, 5 at most; it is updated on its own, and one change of one player rewrote 5 documents`)
	assert.Contains(t, found[0].Message, "one change of one player rewrote 5 documents")
	assert.Contains(t, found[0].Evidence, finding.Evidence{Name: "changes.perDay", Value: 1.0})
}

func TestVolatileEmbedPlanLosesNothing(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "volatile-embed", ruletest.Database{
		"portfolios": holdings(60, func(i, s int, _ *rand.Rand) float64 { return float64(20+7*s) + float64(i%4)/10 }),
	}, jsonlint.Options{})
	require.Len(t, found, 1)
	fix := found[0].Fixes[0]
	var before any
	require.NoError(t, json.Unmarshal(fix.Before, &before))
	after := map[string]int{}
	for _, d := range fix.After {
		var v any
		require.NoError(t, json.Unmarshal(d.Document, &v))
		countLeaves(v, after)
	}
	want := map[string]int{}
	countLeaves(before, want)
	for leaf := range want {
		assert.Positive(t, after[leaf], "%s is lost", leaf)
	}
	for _, d := range fix.After[1:] {
		assert.Equal(t, "stocks", d.Collection)
		assert.NotContains(t, string(d.Document), "numberHeld")
	}
	assert.NotContains(t, string(fix.After[0].Document), `"price"`)
}

// TestVolatileEmbedPlansLoseNothing makes data of many kinds; whatever values
// the document before has are in one of the documents after.
func TestVolatileEmbedPlansLoseNothing(t *testing.T) {
	t.Parallel()
	plans := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		odds := func(n int) bool { return r.IntN(n) == 0 }
		key, originals, few, nested, noted, twice := []string{"productId", "id", "sku"}[r.IntN(3)], odds(2), odds(3), odds(2), odds(2), odds(2)
		n := 60
		if few {
			n = 5
		}
		var shelves, products []string
		for i := range n {
			var items []string
			for k := range 2 + r.IntN(4) {
				s := r.IntN(7)
				if twice && k == 1 {
					s = 3
				}
				price, stock := 1000*(s+1), 100*s+7
				if odds(5) {
					price -= 1 + r.IntN(20)
				}
				if odds(4) {
					stock += r.IntN(60)
				}
				more := ""
				if noted {
					more = fmt.Sprintf(`,"note":"note %d of %d","tags":["t%d"],"extra":{"deep":%d}`, k, i, r.IntN(99), r.IntN(9999))
				}
				if odds(3) {
					more += fmt.Sprintf(`,"rating":%d`, r.IntN(500))
				}
				body := fmt.Sprintf(`{"%s":"p%d","name":"Product %d","price":%d,"inventory":%d,"count":%d%s}`, key, s, s, price, stock, r.IntN(90), more)
				if nested {
					body = fmt.Sprintf(`{"held":%d,"product":%s}`, r.IntN(999), body)
				}
				items = append(items, body)
			}
			shelves = append(shelves, fmt.Sprintf(`{"id":"s%d","place":"Place %d","items":[%s]}`, i, i, strings.Join(items, ",")))
		}
		db := ruletest.Database{"shelves": shelves}
		if originals {
			for s := range 7 {
				sku := ""
				if key == "sku" {
					sku = fmt.Sprintf(`"sku":"p%d",`, s)
				}
				id := fmt.Sprintf(`"p%d"`, s)
				if key == "sku" {
					id = fmt.Sprint(900 + s)
				}
				products = append(products, fmt.Sprintf(`{"id":%s,%s"name":"Product %d","price":%d,"inventory":%d}`, id, sku, s, 1000*(s+1), 100*s+7))
			}
			db["products"] = products
		}
		for _, f := range ruletest.FindingsOf(t, "volatile-embed", db, jsonlint.Options{}) {
			for _, fix := range f.Fixes {
				plans++
				want, after := map[string]int{}, map[string]int{}
				var v any
				require.NoError(t, json.Unmarshal(fix.Before, &v))
				countLeaves(v, want)
				for _, d := range fix.After {
					var v any
					require.NoError(t, json.Unmarshal(d.Document, &v))
					countLeaves(v, after)
				}
				for leaf := range want {
					assert.Positive(t, after[leaf], "seed %d: %s is lost of %s", seed, leaf, fix.Before)
				}
			}
		}
	}
	assert.Greater(t, plans, 15)
}

func countLeaves(v any, into map[string]int) {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			countLeaves(x, into)
		}
	case []any:
		for _, x := range v {
			countLeaves(x, into)
		}
	default:
		into[fmt.Sprintf("%T %v", v, v)]++
	}
}

// TestVolatileEmbedSplitInput checks that a collection in ten files is judged
// like one in one file.
func TestVolatileEmbedSplitInput(t *testing.T) {
	t.Parallel()
	all := holdings(100, func(i, s int, _ *rand.Rand) float64 { return float64(20+7*s) + float64(i%7)/10 })
	check := func(parts int) finding.Finding {
		dir := t.TempDir()
		var inputs []string
		size := len(all) / parts
		for i := range parts {
			file := filepath.Join(dir, fmt.Sprintf("part%d.jsonl", i))
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(all[i*size:(i+1)*size], "\n")+"\n"), 0o600))
			inputs = append(inputs, file)
		}
		o := jsonlint.Options{Jobs: 3, Source: source.Options{Collections: []source.CollectionRule{{Name: "portfolios", Glob: "**/part*.jsonl"}}}}
		found := ruletest.FindingsIn(t, "volatile-embed", inputs, o)
		require.Len(t, found, 1)
		return found[0]
	}
	one, ten := check(1), check(10)
	assert.Equal(t, one.Message, ten.Message)
	assert.Equal(t, one.Evidence, ten.Evidence)
	assert.Equal(t, one.Fixes, ten.Fixes)
	assert.Equal(t, one.Fingerprint, ten.Fingerprint)
}

// TestVolatileEmbedBound checks that what is not followed, because it cannot
// score enough, would not have scored enough: with no threshold everything is
// followed.
func TestVolatileEmbedBound(t *testing.T) {
	t.Parallel()
	names := []string{"name", "price", "level", "status", "points", "system", "note"}
	scored := 0
	for seed := range uint64(90) {
		r := rand.New(rand.NewPCG(seed, 0))
		fields := r.Perm(len(names))[:1+r.IntN(2)]
		values, things, slips := 1+r.IntN(4), 2+r.IntN(4), 2+r.IntN(12)
		db := ruletest.Database{"posts": nil}
		for i := range 10 + r.IntN(60) {
			thing := r.IntN(things)
			text := fmt.Sprintf(`{"id":"p%d","part":{"code":"c%d"`, i, thing)
			for _, field := range fields {
				value := thing % values
				if r.IntN(slips) == 0 {
					value = r.IntN(values)
				}
				text += fmt.Sprintf(`,%q:"v%d"`, names[field], value)
			}
			db["posts"] = append(db["posts"], text+"}}")
		}
		score := func(least float64) (int, bool) {
			found := ruletest.FindingsOf(t, "volatile-embed", db, jsonlint.Options{
				Strict: true, Rules: map[string]jsonlint.RuleOptions{"volatile-embed": {Thresholds: map[string]float64{"score": least}}},
			})
			for _, f := range found {
				for _, e := range f.Evidence {
					if e.Name == "score" {
						return e.Value.(int), true
					}
				}
			}
			return 0, false
		}
		if reached, ok := score(-100); ok && reached > 0 {
			again, ok := score(float64(reached))
			require.True(t, ok, "a score of %d with seed %d", reached, seed)
			require.Equal(t, reached, again)
			scored++
		}
	}
	require.Greater(t, scored, 20)
}

// TestOneThingTwice checks that one thing in two documents is no copy that has
// to follow it, and that two are.
func TestOneThingTwice(t *testing.T) {
	t.Parallel()
	users := func(twice int) ruletest.Database {
		orders := func(from, to int) string {
			return strings.Join(ruletest.Times(from, to-from, `{"_id":{"$oid":"59a47286cfa9a3a73e51e70%d"},"price":%[1]d,"status":"s%[1]d"}`), ",")
		}
		return ruletest.Database{"users": {
			`{"_id":"a","name":"A","orders":[` + orders(0, 4) + `]}`, `{"_id":"b","name":"B","orders":[` + orders(4-twice, 9) + `]}`,
		}}
	}
	assert.Empty(t, ruletest.FindingsOf(t, "volatile-embed", users(1), jsonlint.Options{}))
	assert.Len(t, ruletest.FindingsOf(t, "volatile-embed", users(2), jsonlint.Options{}), 1)
}
