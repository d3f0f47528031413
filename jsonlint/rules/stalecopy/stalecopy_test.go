package stalecopy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func authors(n int) []string {
	return ruletest.Documents(n, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"a%d","firstName":"First%d","lastName":"Last%d","images":[{"thumbnail":"https://img.example/%d.png"}]}`, i, i, i, i)
	})
}

// books copy name and thumbnail of two authors; name changes the name that a
// copy gets.
func books(n int, name func(book, author int) string) []string {
	return ruletest.Documents(n, func(i int, r *rand.Rand) string {
		first := r.IntN(12)
		copied := func(a int) string {
			return fmt.Sprintf(`{"id":"a%d","name":"%s","thumbnailUrl":"https://img.example/%d.png"}`, a, name(i, a), a)
		}
		return fmt.Sprintf(`{"id":"b%d","title":"Book %d","authors":[%s,%s]}`, i, i, copied(first), copied((first+1)%12))
	})
}

// games returns games of cups, each of the kind that kind gives.
func games(kind func(cup, game int) string) []string {
	return ruletest.Documents(120, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"_id":"g%d","cupId":"c%d","kind":%q,"points":%d}`, i, i%12, kind(i%12, i), i%23)
	})
}

func TestSameNameAsOriginal(t *testing.T) {
	t.Parallel()
	kinds := []string{"open", "pairs", "youth", "final"}
	cups := ruletest.Documents(12, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"_id":"c%d","title":"Cup %d","kind":%q}`, i, i, kinds[i%4])
	})
	lines := ruletest.Documents(40, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"_id":"l%d","ref":%d,"pace":%q}`, i, 600+i, []string{"daily", "weekly", "seldom"}[i%3])
	})
	stops := ruletest.Documents(40, func(i int, _ *rand.Rand) string {
		pace := []string{"daily", "weekly", "seldom"}[i%3]
		if i == 7 {
			pace = "nightly"
		}
		return fmt.Sprintf(`{"_id":"s%d","lines":{"ending":[{"ref":%d,"pace":%q}]}}`, i, 600+i, pace)
	})
	cards := ruletest.Times(0, 24, `{"_id":"card%d","title":"Card %[1]d","count":%[1]d,"worth":%[1]d}`)
	decks := func(name string) []string {
		return ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"_id":"d%d","cards":[{"cardId":"card%d","%s":%d}]}`, i, i%24, name, i%24+map[bool]int{true: 5}[i%20 == 3])
		})
	}
	ruletest.Run(t, "stale-copy", []ruletest.ShapeCase{
		{
			Name: "a kind repeated with few exceptions", DB: ruletest.Database{"cups": cups, "games": games(func(cup, game int) string {
				if game == 50 {
					return "final"
				}
				return kinds[cup%4]
			})},
			Want: []string{"warning games.jsonl:51 kind"}, Says: "differs from its original in cups in 1 of 120 copies",
		},
		{Name: "a kind of its own", DB: ruletest.Database{"cups": cups, "games": games(func(cup, game int) string { return kinds[(cup+game/30)%4] })}},
		{Name: "by a number in one of several lists", DB: ruletest.Database{"lines": lines, "stops": stops}, Want: []string{"warning stops.jsonl:8 lines.ending[].pace"}},
		{Name: "how many of them", DB: ruletest.Database{"cards": cards, "decks": decks("count")}},
		{Name: "what they are worth", DB: ruletest.Database{"cards": cards, "decks": decks("worth")}, Want: []string{"warning decks.jsonl:4 cards[].worth"}},
		{Name: "by a number in lists of something else", DB: ruletest.Database{"tariffs": lines, "stops": stops}},
	})
}

func TestStaleCopy(t *testing.T) {
	t.Parallel()
	right := func(_, a int) string { return fmt.Sprintf("First%d Last%d", a, a) }
	stale := func(b, a int) string {
		if a == 5 && b%2 == 0 {
			return "First5 Married"
		}
		return right(b, a)
	}
	categories := ruletest.Documents(8, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"c%d","name":"Category %d"}`, i, i) })
	beside := func(id, name string) []string {
		return ruletest.Documents(60, func(i int, _ *rand.Rand) string {
			category := fmt.Sprintf("Category %d", i%8)
			if i%20 == 3 {
				category = "Old name"
			}
			return fmt.Sprintf(`{"id":"p%d","title":"Product %d","%s":"c%d","%s":"%s"}`, i, i, id, i%8, name, category)
		})
	}
	status := func(i int) string { return []string{"waiting", "advised", "closed", "unreachable"}[i%4] }
	tickets := ruletest.Documents(12, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"t%d","status":"%s"}`, i, status(i)) })
	notices := ruletest.Documents(48, func(i int, _ *rand.Rand) string {
		now := status(i % 12)
		if i%12 == 3 {
			now = "waiting"
		}
		return fmt.Sprintf(`{"id":"n%d","title":"Notice %d","createdAt":"2026-03-%02dT10:00:00Z","ticketId":"t%d","ticketStatus":"%s"}`, i, i, 1+i%28, i%12, now)
	})
	weights := func(weight func(i int) string) ruletest.Database {
		return ruletest.Database{
			"teachers": ruletest.Documents(12, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"t%d","name":"Teacher %d"}`, i, i) }),
			"classes": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"k%d","title":"Class %d","teacher":{"id":"t%d","weight":%s}}`, i, i, i%12, weight(i))
			}),
		}
	}
	ruletest.Run(t, "stale-copy", []ruletest.ShapeCase{
		{Name: "no number is like NaN", DB: weights(func(i int) string { return []string{`{"$numberDouble":"NaN"}`, "40", "55"}[i%3] })},
		{
			Name: "a name put together", DB: ruletest.Database{"authors": authors(12), "books": books(60, stale)},
			Want: []string{"warning books.jsonl:7 authors[].name"}, Says: `name differs from firstName lastName of authors`,
		},
		{
			Name: "a number like two of the original", DB: ruletest.Database{
				"modules": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":"m%d","module_id":%d,"module_name":"area%c","module_orders":%[2]d}`, i, i+1, 'a'+i)
				}),
				"rights": ruletest.Documents(72, func(i int, _ *rand.Rand) string {
					order := 1 + i%12
					if i == 50 {
						order = 1
					}
					return fmt.Sprintf(`{"_id":"r%d","module_name":"area%c","module_orders":"%d"}`, i, 'a'+i%12, order)
				}),
			},
			Want: []string{"warning rights.jsonl:51 module_orders"}, Says: "module_orders differs from its original in modules in 1 of 72 copies",
		},
		{
			Name: "a title beside a reference", DB: ruletest.Database{
				"products": ruletest.Times(10, 40, `{"id":"p%d","title":"Thing %[1]d of many","price":1%[1]d}`),
				"stock": append(ruletest.Concat(ruletest.Times(10, 40, `{"id":"s%d","productId":"p%[1]d","label":"Thing %[1]d of many","shelf":%[1]d}`),
					ruletest.Times(10, 20, `{"id":"t%d","productId":"p%[1]d","label":"Thing %[1]d of many","shelf":%[1]d}`)),
					`{"id":"u1","productId":"p12","label":"Thing twelve","shelf":1}`, `{"id":"u2","productId":"p13","label":"Thing 13, old","shelf":2}`),
			},
			Want: []string{"warning stock.jsonl:61 label"}, Says: `label differs from title of products in 2 of 62 copies: productId "p12" has "Thing twelve" here, "Thing 12 of many" there`,
		},
		{Name: "a state that each document has for itself", DB: ruletest.Database{
			"versions": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"v%d","status":"%s"}`, i, status(min(3, i)))
			}),
			"builds": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"b%d","version":"v%d","status":"%s"}`, i, i%40, status([]int{min(3, i%40), 1}[i/57]))
			}),
		}},
		{Name: "a number of the same name that agrees by accident", DB: ruletest.Database{
			"cards": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"code":"c%d","name":"Card %[1]d","xp":%d}`, i, i%4)
			}),
			"taboos": ruletest.Documents(24, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"t%d","cards":[%s]}`, i, strings.Join(ruletest.Documents(12, func(j int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"code":"c%d","xp":%d}`, j, j*7%5+1)
				}), ","))
			}),
		}},
		{Name: "numbers of another series, with few values", DB: ruletest.Database{
			"visits": ruletest.Documents(300, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":%d,"day":"2026-03-%02d","place":"%s"}`, 100+i, 1+i%28, []string{"North", "North", "North", "South"}[i*7%4])
			}),
			"months": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"m%d","visits":[%s]}`, i, strings.Join(ruletest.Documents(10, func(j int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":%d,"day":"2026-01-%02d","place":"%s"}`, 100+10*i+j, 1+i, []string{"North", "North", "South"}[(i+j)%3])
				}), ","))
			}),
		}},
		{Name: "names that another reference leads to too", DB: ruletest.Database{
			"upper_signs": ruletest.Documents(8, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"_id":"u%d","label":"Sign %[1]d"}`, i) }),
			"lower_signs": ruletest.Documents(8, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"_id":"l%d","label":"Sign %[1]d"}`, i) }),
			"pairs": ruletest.Documents(64, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"_id":"p%d","upper_sign_id":"u%d","lower_sign_id":"l%d","sign_label":"Sign %[2]d"}`, i, i/8, i%8)
			}),
		}},
		{
			Name: "a title in the first post of a thread and in its replies",
			DB: ruletest.Database{"posts": append(ruletest.Concat(
				ruletest.Times(10, 40, `{"_id":"post-a%d","title":"About %[1]d things","thread":{"_id":"post-a%[1]d","title":"About %[1]d things"}}`),
				ruletest.Times(10, 30, `{"_id":"post-b%d","title":"Re: %[1]d","thread":{"_id":"post-a%[1]d","title":"About %[1]d things"}}`)),
				`{"_id":"post-c1","title":"Re: 11, too","thread":{"_id":"post-a11","title":"About eleven things"}}`)},
			Want: []string{"warning posts.jsonl:71 thread.title"},
		},
		{Name: "translations of the document's own name", DB: ruletest.Database{
			"hr": append(ruletest.Times(100, 300, `{"id":%d,"name":"Luka %[1]d na moru","translations":{"hr":"Luka %[1]d na moru","de":"Luka %[1]d na moru","it":"Luka %[1]d na moru"}}`),
				`{"id":9,"name":"Luka 100","translations":{"hr":"Luka 100 na moru","de":"Luka 100","it":"Luka 100"}}`),
		}},
		{Name: "lines of the same product, each with its quantity", DB: ruletest.Database{
			"lines": ruletest.Times(10, 6, `{"order":{"$oid":"507f1f77bcf86cd7994390a1"},"product":{"$oid":"507f1f77bcf86cd7994390%d"},"name":"Thing %[1]d","price":10%[1]d,"quantity":1}`),
			"carts": {
				`{"user":"u1","items":[{"product":{"$oid":"507f1f77bcf86cd799439010"},"name":"Thing 10","price":999,"quantity":1},{"product":{"$oid":"507f1f77bcf86cd799439011"},"name":"Thing 11","price":1011,"quantity":3}]}`,
				`{"user":"u2","items":[{"product":{"$oid":"507f1f77bcf86cd799439012"},"name":"Thing 12","price":1012,"quantity":1},{"product":{"$oid":"507f1f77bcf86cd799439013"},"name":"Thing 13","price":1013,"quantity":1}]}`,
			},
		}},
		{
			Name: "fields beside a reference", DB: ruletest.Database{"categories": categories, "products": beside("categoryId", "categoryName")},
			Want: []string{"warning products.jsonl:4 categoryName"},
		},
		{
			Name: "the name under the word of a reference", DB: ruletest.Database{
				"teams": ruletest.Times(10, 6, `{"id":"t%[1]d","name":"Team %[1]d","lead":"L%[1]d"}`),
				"staff": {`{"id":"s1","team":"Team 10","teamCode":"t10"}`, `{"id":"s2","team":"Team 11","teamCode":"t14"}`, `{"id":"s3","team":"Team 12","teamCode":"t12"}`,
					`{"id":"s4","team":"Team 13","teamCode":"t13"}`, `{"id":"s5","team":"Team","teamCode":"t14"}`},
			},
			Want: []string{"warning staff.jsonl:2 team"},
		},
		{
			Name: "what is not the name under the word of a reference", DB: ruletest.Database{
				"teams": ruletest.Times(10, 6, `{"id":"t%[1]d","name":"Team %[1]d","lead":"L%[1]d"}`),
				"staff": {`{"id":"s1","team":"red","teamCode":"t10"}`, `{"id":"s2","team":"blue","teamCode":"t14"}`, `{"id":"s3","team":"grey","teamCode":"t12"}`,
					`{"id":"s4","team":"Team 13","teamCode":"t13"}`},
			},
		},
		{
			Name: "a field with the last word of a reference", DB: ruletest.Database{
				"card_cycles": ruletest.Times(10, 8, `{"id":"cycle-%[1]d","name":"Cycle %[1]d"}`),
				"card_sets": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"s%d","card_cycle_id":"cycle-%d","cycle_name":"%s %[2]d"}`, i, 10+i%8, []string{"Old", "Cycle", "Cycle", "Cycle"}[i%8%4])
				}),
			},
			Want: []string{"warning card_sets.jsonl:1 cycle_name"},
		},
		{
			Name: "names of others than the reference leads to", DB: ruletest.Database{
				"members": {`{"id":"507f1f77bcf86cd799439001","name":"Ann Archer"}`, `{"id":"507f1f77bcf86cd799439002","name":"Bob Baker"}`},
				"visits": append([]string{`{"id":"v1","memberId":"507f1f77bcf86cd799439001","memberName":"Ann Archer"}`},
					ruletest.Times(2, 5, `{"id":"v%d","memberId":"507f1f77bcf86cd799439001","memberName":"Bob Baker"}`)...),
			},
			Want: []string{"warning visits.jsonl:2 memberName"}, Says: "in 5 of 6 copies",
		},
		{Name: "numbers of a handful, of which half are equal", DB: ruletest.Database{
			"frames": {`{"id":"mf_drake","name":"Drake","license_level":2}`, `{"id":"mf_raleigh","name":"Raleigh","license_level":4}`},
			"mods": {`{"id":"m1","license_id":"mf_drake","license_level":2}`, `{"id":"m2","license_id":"mf_raleigh","license_level":4}`,
				`{"id":"m3","license_id":"mf_drake","license_level":3}`, `{"id":"m4","license_id":"mf_raleigh","license_level":1}`},
		}},
		{
			Name: "numbers of a handful, of which most are equal", DB: ruletest.Database{
				"frames": {`{"id":"mf_drake","name":"Drake","license_level":2}`, `{"id":"mf_raleigh","name":"Raleigh","license_level":4}`},
				"mods": {`{"id":"m1","license_id":"mf_drake","license_level":2}`, `{"id":"m2","license_id":"mf_raleigh","license_level":4}`,
					`{"id":"m3","license_id":"mf_drake","license_level":2}`, `{"id":"m4","license_id":"mf_raleigh","license_level":1}`},
			},
			Want: []string{"warning mods.jsonl:4 license_level"},
		},
		{Name: "names that are nobody's", DB: ruletest.Database{
			"members": {`{"id":"507f1f77bcf86cd799439001","name":"Ann Archer"}`, `{"id":"507f1f77bcf86cd799439002","name":"Bob Baker"}`},
			"visits": append([]string{`{"id":"v1","memberId":"507f1f77bcf86cd799439001","memberName":"Ann Archer"}`},
				ruletest.Times(2, 5, `{"id":"v%d","memberId":"507f1f77bcf86cd799439001","memberName":"Guest %[1]d"}`)...),
		}},
		{
			Name: "fields beside a reference without id in its name", DB: ruletest.Database{"categories": categories, "products": beside("category", "category_name")},
			Want: []string{"warning products.jsonl:4 category_name"},
		},
		{
			Name: "fields beside a reference that says which part its target plays", DB: ruletest.Database{
				"users": ruletest.Times(10, 8, `{"_id":{"$oid":"507f1f77bcf86cd7994390%[1]d"},"name":"User %[1]d"}`),
				"rooms": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":{"$oid":"607f1f77bcf86cd7994390%[1]d"},"ownerId":{"$oid":"507f1f77bcf86cd7994390%[2]d"},"ownerName":"User %[2]d%[3]s"}`,
						10+i, 10+i%8, map[bool]string{true: " old"}[i%20 == 3])
				})},
			Want: []string{"warning rooms.jsonl:4 ownerName"},
		},
		{Name: "two editions of one name", DB: ruletest.Database{
			"features": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"name":"Feature %d","edition":"%d"}`, i, 2010+i%5)
			}),
			"classes": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"_id":"c%d","feature":{"name":"Feature %[1]d","edition":"%d"}}`, i, 2010+i%5+10*(i%2))
			}),
		}},
		{Name: "what is nearly always the key that a reference names", DB: ruletest.Database{
			"books": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"name":"Book %[1]d","id":"B%[1]d","source":"B%[1]d","group":"g%[1]d"}`, i)
			}),
			"features": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"name":"f%d","source":"B%d","classSource":"%s%d"}`, i, i%20, map[bool]string{true: "X", false: "B"}[i%13 == 12], i%20)
			}),
		}},
		{
			Name: "a copied field named after the object it is in", DB: ruletest.Database{
				"users": ruletest.Times(10, 8, `{"_id":{"$oid":"507f1f77bcf86cd7994390%[1]d"},"label":"User %[1]d"}`),
				"rooms": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":{"$oid":"607f1f77bcf86cd7994390%[1]d"},"owner":{"_id":{"$oid":"507f1f77bcf86cd7994390%[2]d"},"ownerLabel":"User %[2]d%[3]s"}}`,
						10+i, 10+i%8, map[bool]string{true: "x"}[i%3 == 1])
				})},
			Want: []string{"warning rooms.jsonl:2 owner.ownerLabel"},
		},
		{
			Name: "one copy of each", DB: ruletest.Database{
				"users": ruletest.Times(10, 8, `{"_id":{"$oid":"507f1f77bcf86cd7994390%[1]d"},"name":"User %[1]d","age":%[1]d}`),
				"desks": ruletest.Documents(8, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":{"$oid":"607f1f77bcf86cd7994390%[1]d"},"userId":{"$oid":"507f1f77bcf86cd7994390%[1]d"},"userName":"User %[1]d%[2]s","room":%[1]d}`,
						10+i, map[bool]string{true: " old"}[i == 3])
				})},
			Want: []string{"warning desks.jsonl:4 userName"},
		},
		{
			Name: "one of many", DB: ruletest.Database{
				"users": ruletest.Times(10, 8, `{"_id":{"$oid":"507f1f77bcf86cd7994390%[1]d"},"name":"User %[1]d","age":%[1]d}`),
				"tasks": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":{"$oid":"607f1f77bcf86cd7994390%[1]d"},"userId":{"$oid":"507f1f77bcf86cd7994390%[2]d"},"userName":"User %[2]d%[3]s"}`,
						10+i, 10+i%8, map[bool]string{true: " old"}[i == 3])
				})},
			Want: []string{"warning tasks.jsonl:4 userName"},
		},
		{Name: "a collection and its backup", DB: ruletest.Database{
			"prompts": ruletest.Times(10, 60, `{"promptId":"0f0409a0-4ce7-4f5d-b566-12c8565900%[1]d","promptName":"Name %[1]d"}`),
			"promptsbackup": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"promptId":"0f0409a0-4ce7-4f5d-b566-12c8565900%[1]d","promptName":"Name %[1]d%[2]s"}`, 10+i, map[bool]string{true: " old"}[i%20 == 3])
			})}},
		{
			Name: "originals that repeat their own name in the field's", DB: ruletest.Database{"products": beside("categoryId", "categoryName"),
				"categories": ruletest.Documents(8, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"c%d","categoryName":"Category %d"}`, i, i)
				})},
			Want: []string{"warning products.jsonl:4 categoryName"},
		},
		{
			Name: "originals of two kinds", DB: ruletest.Database{"products": beside("categoryId", "categoryName"), "categories": ruletest.Documents(8, func(i int, _ *rand.Rand) string {
				if i < 4 {
					return fmt.Sprintf(`{"id":"c%d","type":"food","name":"Category %d","shelf":%d,"cooled":true}`, i, i, i)
				}
				return fmt.Sprintf(`{"id":"c%d","type":"tool","name":"Category %d","hall":"h%d","voltage":230,"licence":"L%d"}`, i, i, i, i)
			})},
			Want: []string{"warning products.jsonl:4 categoryName"}, Says: "in 3 of 60 copies",
		},
		{
			Name: "two of a thousand",
			DB: ruletest.Database{"categories": categories, "products": ruletest.Documents(1000, func(i int, _ *rand.Rand) string {
				name := fmt.Sprintf("Category %d", i%8)
				if i == 500 || i == 700 {
					name = "Old name"
				}
				return fmt.Sprintf(`{"id":"p%d","title":"Product %d","categoryId":"c%d","categoryName":"%s"}`, i, i, i%8, name)
			})},
			Want: []string{"warning products.jsonl:501 categoryName"},
		},
		{
			Name: "a handful of documents",
			DB:   ruletest.Database{"authors": authors(2), "books": {`{"id":"b1","authors":[{"id":"a0","name":"First0 Last0"},{"id":"a1","name":"First1 Last1"}]}`, `{"id":"b2","authors":[{"id":"a1","name":"First1 Older"}]}`}},
			Want: []string{"warning books.jsonl:2 authors[].name"},
		},
		{Name: "a copy that differs in two fields", DB: ruletest.Database{
			"authors": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"a%d","name":"Author %d","city":"City %d"}`, i, i, i)
			}),
			"books": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				old := ""
				if i == 23 {
					old = "Old "
				}
				return fmt.Sprintf(`{"id":"b%d","author":{"id":"a%d","name":"%sAuthor %d","city":"%sCity %d"}}`, i, i%12, old, i%12, old, i%12)
			}),
		}, Want: []string{"warning books.jsonl:24 author.city"}, Says: "; the same in 1 more field"},
		{Name: "an object that refers to two documents", DB: ruletest.Database{
			"sites": ruletest.Documents(3, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"site-%d","town":"Town %d"}`, i, i) }),
			"jobs": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"job-%d","title":"Job %d","site_id":"site-%d"}`, i, i, i%3)
			}),
			"people": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				site := i % 3
				if i == 23 {
					site = (i + 1) % 3
				}
				return fmt.Sprintf(`{"id":"p%d","profile":{"job_id":"job-%d","site_id":"site-%d","born":"19%d-01-01"}}`, i, i%12, site, 10+i)
			}),
		}},
		{Name: "one copy", DB: ruletest.Database{"authors": {`{"id":"a0","name":"Ann Ede","city":"Kiel"}`, `{"id":"a1","name":"Bob Ott","city":"Bonn"}`},
			"books": {`{"id":"b1","author":{"id":"a0","name":"Ann Old","city":"Kiel"}}`}}},
		{Name: "two copies", DB: ruletest.Database{"authors": {`{"id":"a0","name":"Ann Ede","city":"Kiel"}`, `{"id":"a1","name":"Bob Ott","city":"Bonn"}`},
			"books": {`{"id":"b1","author":{"id":"a0","name":"Ann Old","city":"Kiel"}}`, `{"id":"b2","author":{"id":"a1","name":"Bob Ott","city":"Bonn"}}`}},
			Want: []string{"warning books.jsonl:1 author.name"}},
		{Name: "one instant in two time zones", DB: ruletest.Database{"authors": {`{"id":"a0","name":"Ann Ede","born":"1990-05-01T10:00:00Z"}`, `{"id":"a1","name":"Bob Ott","born":"1991-05-01T10:00:00Z"}`},
			"books": {`{"id":"b1","author":{"id":"a0","name":"Ann Ede","born":"1990-05-01T12:00:00+02:00"}}`, `{"id":"b2","author":{"id":"a1","name":"Bob Ott","born":"1991-05-01T10:00:00Z"}}`,
				`{"id":"b3","author":{"id":"a0","name":"Ann Ede","born":"1990-05-01T10:00:00Z"}}`}}},
		{Name: "two collections that refer to each other", DB: ruletest.Database{
			"clubs": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"club-%d","name":"Club %d","captain":"p-%d"}`, i, i, i)
			}),
			"leaders": ruletest.Documents(32, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"p-%d","club_id":"club-%d","club_name":"Club %d%s"}`, i, i%30, i, map[bool]string{true: " old"}[i%15 == 3])
			}),
		}, Want: []string{"warning leaders.jsonl:4 club_name"}},
		{Name: "two lists of the same people", DB: ruletest.Database{
			"players": ruletest.Times(0, 40, `{"photo":"https://img.example/p%d.png","name":"Player %[1]d","points":%[1]d}`),
			"teams": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"photo":"https://img.example/p%d.png","name":"Player %[1]d%s","team":"T%d","jersey":%[1]d}`, i, map[bool]string{true: "a"}[i%15 == 3], i%5)
			}),
		}, Want: []string{"warning players.jsonl:4 name"}},
		{Name: "all agree", DB: ruletest.Database{"authors": authors(12), "books": books(60, right)}},
		{Name: "no copy in a document's own id", DB: ruletest.Database{
			"tasks": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"_id":"t%d","commit":"c0ffee0000%02d","build_id":"build-%d","cost":%d}`, i, i, i, 3*i)
			}),
			"builds": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"_id":"build-%d","commit":"c0ffee0000%02d","state":"done","host":"h%d","hours":%d}`, i+i/38, i, i%7, 5*i)
			}),
		}, Want: []string{"warning tasks.jsonl:40 commit"}},
		{Name: "orders keep what was true", DB: ruletest.Database{"categories": categories, "orders": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"p%d","categoryId":"c%d","categoryName":"Category %d%s"}`, i, i%8, i%8, map[bool]string{true: " old"}[i%20 == 3])
		})}},
		{Name: "notices tell how things stood", DB: ruletest.Database{"tickets": tickets, "staff_notices": notices}},
		{
			Name: "the same, in documents that are no notices", DB: ruletest.Database{"tickets": tickets, "seats": notices},
			Want: []string{"warning seats.jsonl:4 ticketStatus"},
		},
		{
			Name: "volatile-embed shows an object that is a copy", DB: ruletest.Database{"tickets": tickets, "seats": ruletest.Documents(48, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"n%d","title":"Seat %d","ticket":{"ticketId":"t%d","status":"%s"}}`, i, i, i%12, status(i%12-i%12/11))
			})},
		},
		{
			Name: "the reference that most copies follow", DB: ruletest.Database{
				"drivers": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"d%d","name":"Driver %d","rate":%d}`, i, i, 31+7*i)
				}),
				"loads": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
					invited, rate := i%12, 31+7*(i%12)
					if i == 17 {
						rate = 40
					}
					if i%10 == 3 {
						invited = (i + 1) % 12
					}
					return fmt.Sprintf(`{"id":"l%d","invitedDriver":"d%d","acceptedByDriver":"d%d","driverRate":%d}`, i, invited, i%12, rate)
				}),
			},
			Want: []string{"warning loads.jsonl:18 driverRate"},
		},
		{
			Name: "one original, three collections", DB: ruletest.Database{
				"categories": categories, "plans": beside("categoryId", "categoryName"), "deals": beside("categoryId", "categoryName"),
				"ideas": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"i%d","by":"U%d","rank":%d,"in":{"categoryId":"c%d","categoryName":"%s"}}`, i, i, i, i%8,
						map[bool]string{true: "Old name", false: fmt.Sprintf("Category %d", i%8)}[i%20 == 3])
				}),
			},
			Want: []string{"warning deals.jsonl:4 categoryName"}, Says: "the same in 2 more places",
		},
		{
			Name: "a document that says when its last message came is no message", DB: ruletest.Database{"categories": categories, "rooms": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"p%d","lastMessageAt":"2026-01-%02dT10:00:00Z","categoryId":"c%d","categoryName":"Category %d%s"}`, i, 1+i%28, i%8, i%8, map[bool]string{true: " old"}[i%20 == 3])
			})},
			Want: []string{"warning rooms.jsonl:4 categoryName"},
		},
		{
			Name: "what the other documents repeat is no copy of theirs", DB: ruletest.Database{
				"customers": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"CustomerID":"ALF%02d","CompanyName":"Company %[1]d","Address":"Main Street %[1]d"}`, i)
				}),
				"ships": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":"shi-%d","CustomerID":"ALF%02[1]d","CustomerCompanyName":"Company %[1]d","ShipAddress":"%[2]s Street %[1]d"}`,
						i, map[bool]string{true: "Old", false: "Main"}[i%20 == 3])
				}),
			},
			Want: []string{"warning ships.jsonl:4 ShipAddress"},
		},
		{Name: "what belongs to the link", DB: ruletest.Database{"authors": ruletest.Documents(12, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"a%d","name":"Author %d","role":"member"}`, i, i)
		}), "books": ruletest.Documents(60, func(i int, r *rand.Rand) string {
			a := r.IntN(12)
			return fmt.Sprintf(`{"id":"b%d","authors":[{"id":"a%d","name":"Author %d","role":"%s"}]}`, i, a, a, []string{"writer", "editor", "translator"}[r.IntN(3)])
		})}},
		{Name: "a label that only the copy has", DB: ruletest.Database{"levels": ruletest.Documents(12, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"l%d","rank":%d}`, i, i) }),
			"spells": ruletest.Documents(60, func(i int, r *rand.Rand) string {
				a := r.IntN(12)
				return fmt.Sprintf(`{"id":"s%d","needs":{"levelId":"l%d","name":"Level %d%d"}}`, i, a, a, r.IntN(3))
			})}},
	})
}

func TestStaleCopyRefreshes(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "stale-copy", ruletest.Database{"authors": authors(12), "books": books(40, func(b, a int) string {
		if a == 5 && b < 20 {
			return "First5 Married"
		}
		return fmt.Sprintf("First%d Last%d", a, a)
	})}, jsonlint.Options{})
	require.Len(t, found, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Unsafe, fix.Safety)
	require.NotEmpty(t, fix.Edits)
	for _, e := range fix.Edits {
		assert.Equal(t, `"First5 Last5"`, e.NewText)
	}
	assert.Contains(t, string(fix.Before), "First5 Married")
	assert.NotContains(t, string(fix.After[0].Document), "First5 Married")
}
