package aggregatedrift_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
	"github.com/shapevet/shapevet/rulebook"
)

// listed makes n documents with a list of 1 to 6 elements; tail gets the
// length and the sum of the elements, which are 1 to 9.
func listed(n int, name string, tail func(i, length, sum int) string) []string {
	return ruletest.Documents(n, func(i int, r *rand.Rand) string {
		length, sum := 0, 0
		list := ruletest.Some(r, 1, 6, func(k int) string {
			x := 1 + (i+k)%9
			length++
			sum += x
			return fmt.Sprintf(`{"sku":"s%d","quantity":%d,"price":%d.50,"stars":%d}`, k, x, x, 1+x%5)
		})
		return fmt.Sprintf(`{"id":"d%d","%s":%s,%s}`, i, name, list, tail(i, length, sum))
	})
}

// bills are paid in several payments, but three of them not in full.
func bills(open func(i int) bool) ruletest.Database {
	return ruletest.Database{"bills": ruletest.Documents(24, func(i int, r *rand.Rand) string {
		total, state := 0, "paid"
		list := ruletest.Some(r, 1, 4, func(int) string {
			amount := 100 + r.IntN(9000)
			total += amount
			return fmt.Sprintf(`{"amount":%d}`, amount)
		})
		if i%9 == 4 {
			total += 50 * i
		}
		if open(i) {
			state = "open"
		}
		return fmt.Sprintf(`{"id":"b%d","state":%q,"payments":%s,"totalAmount":%d}`, i, state, list, total)
	})}
}

func except(i, value int, wrong ...int) int {
	for _, w := range wrong {
		if i == w {
			return value + 1
		}
	}
	return value
}

// leagues are documents with a number of the clubs that refer to them. In the last
// three some of these are of another kind.
func leagues(count func(i, n int) int) ruletest.Database {
	db := ruletest.Database{}
	for i := range 30 {
		n := 3 + i*7%23
		db["leagues"] = append(db["leagues"], fmt.Sprintf(`{"id":"l%d","name":"League %d","clubCount":%d}`, i, i, count(i, n)))
		for k := range n {
			club := fmt.Sprintf(`{"id":"c%d-%d","type":"club","league_id":"l%d","city":"City %d","founded":%d}`, i, k, i, k, 1880+k)
			if i > 26 && k%2 == 0 {
				club = fmt.Sprintf(`{"id":"c%d-%d","type":"alias","league_id":"l%d","aliasOf":"c1-%d","since":"2020-01-0%d"}`, i, k, i, k%3, 1+k%9)
			}
			db["clubs"] = append(db["clubs"], club)
		}
	}
	return db
}

type catalogued struct {
	ID      string `json:"id"`
	Min     int    `json:"minPrice"`
	Max     int    `json:"maxPrice"`
	Has     bool   `json:"hasReviews"`
	Last    any    `json:"lastReviewAt"`
	First   any    `json:"firstReviewDate"`
	Reviews []any  `json:"reviews"`

	Variants []struct {
		Price int `json:"price"`
	} `json:"variants"`
}

// catalogue are 40 documents with variants and reviews, of which the eighth is changed.
func catalogue(change func(*catalogued)) ruletest.Database {
	return ruletest.Database{"goods": ruletest.Documents(40, func(i int, r *rand.Rand) string {
		d := catalogued{ID: fmt.Sprint("g", i), Min: math.MaxInt, Reviews: []any{}}
		for range 1 + r.IntN(5) {
			price := 100 + r.IntN(9000)
			d.Variants = append(d.Variants, struct {
				Price int `json:"price"`
			}{price})
			d.Min, d.Max = min(d.Min, price), max(d.Max, price)
		}
		for k := range (i + 3) % 5 {
			at := fmt.Sprintf("2024-%02d-%02d", 1+r.IntN(12), 10+k)
			d.Reviews = append(d.Reviews, map[string]any{"at": at, "stars": 1 + r.IntN(5)})
			if last, _ := d.Last.(string); at > last {
				d.Last = at
			}
			if first, _ := d.First.(string); first == "" || at < first {
				d.First = at
			}
		}
		if d.Has = len(d.Reviews) > 0; i%3 == 0 {
			d.Reviews = append(d.Reviews, map[string]any{"stars": 1}, map[string]any{"at": "unknown"})
			d.Has = true
		}
		if i == 7 {
			d.Reviews, d.Has, d.Last, d.First = []any{map[string]any{"at": "2024-05-05"}}, true, "2024-05-05", "2024-05-05"
			change(&d)
		}
		line, _ := json.Marshal(d)
		return string(line)
	})}
}

// manyChildren are cups to which ten collections refer. The first nearly fits
// the count, and the last is what it counts.
func manyChildren() ruletest.Database {
	db := ruletest.Database{"cups": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"c%d","name":"Cup %d","count_teams":%d}`, i, i, 4+i*7%23)
	})}
	for _, name := range []string{"answers", "bookings", "courts", "days", "events", "fouls", "goals", "hosts", "images", "teams"} {
		var lines []string
		for i := range 30 {
			n := 4 + i*7%23
			switch {
			case name == "answers" && i%6 == 3:
				n = 1
			case name != "answers" && name != "teams":
				n = i + 1
			}
			for k := range n {
				lines = append(lines, fmt.Sprintf(`{"id":"%s%d-%d","cup_id":"c%d"}`, name, i, k, i))
			}
		}
		db[name] = lines
	}
	return db
}

// cups are documents with a number of the teams that refer to them.
func cups(count func(i, n int) int) ruletest.Database {
	db := ruletest.Database{}
	for i := range 30 {
		n := 3 + i*7%23
		db["cups"] = append(db["cups"], fmt.Sprintf(`{"id":"c%d","name":"Cup %d","teamCount":%d}`, i, i, count(i, n)))
		for k := range n {
			db["teams"] = append(db["teams"], fmt.Sprintf(`{"id":"t%d-%d","cup_id":"c%d"}`, i, k, i))
		}
	}
	return db
}

func TestAggregateDrift(t *testing.T) {
	t.Parallel()
	unmarked := append(bills(func(i int) bool { return i%9 == 4 })["bills"], ruletest.Times(50, 9, `{"id":"b%d","state":"paid","totalAmount":100}`)...)
	unmarked[4] = strings.Replace(unmarked[4], `"state":"open",`, "", 1)
	children := func(count func(i int) int) ruletest.Database {
		return ruletest.Database{
			"authors": ruletest.Documents(10, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"a%d","name":"Author %d","bookCount":%d}`, i, i, count(i))
			}),
			"books": ruletest.Documents(45, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"b%d","title":"Book %d","authorId":"a%d"}`, i, i, i%10)
			}),
		}
	}
	perAuthor := func(i int) int { return 4 + (14-i)/10 }
	ruletest.Run(t, "aggregate-drift", []ruletest.ShapeCase{
		{
			Name: "a count",
			DB:   ruletest.Database{"authors": listed(30, "books", func(i, n, _ int) string { return fmt.Sprintf(`"countOfBooks":%d`, except(i, n, 4, 9)) })},
			Want: []string{"error authors.jsonl:5 countOfBooks"}, Says: "the length of books is",
		},
		{
			Name: "a sum of quantities, though the length nearly fits",
			DB:   ruletest.Database{"parcels": listed(30, "items", func(i, _, sum int) string { return fmt.Sprintf(`"totalQuantity":%d`, except(i, sum, 7)) })},
			Want: []string{"error parcels.jsonl:8 totalQuantity"}, Says: "the sum of items[].quantity",
		},
		{
			Name: "what the parts cost, under the same name",
			DB: ruletest.Database{"desks": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"d%d","cost":%d.25,"parts":[{"part":"top","cost":%d.50},{"part":"legs","cost":%d.75}]}`, i, except(i, 4*i+8, 7), i+3, 3*i+4)
			})},
			Want: []string{"error desks.jsonl:8 cost"}, Says: "the sum of parts[].cost",
		},
		{
			Name: "children",
			DB:   children(func(i int) int { return except(i, perAuthor(i), 3) }),
			Want: []string{"error authors.jsonl:4 bookCount"}, Says: "the number of books with this authorId",
		},
		{
			Name: "children by their own name, in a part of the document",
			DB: ruletest.Database{
				"posts": ruletest.Documents(10, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"p%d","text":"Post %d","stats":{"likes":%d,"visits":%d}}`, i, i, except(i, perAuthor(i), 3), 7*i)
				}),
				"likes": ruletest.Documents(45, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"l%d","postId":"p%d"}`, i, i%10) }),
			},
			Want: []string{"error posts.jsonl:4 stats.likes"}, Says: "the number of likes with this postId",
		},
		{
			Name: "two documents, one right",
			DB: ruletest.Database{"authors": {
				`{"id":"a1","countOfBooks":3,"books":["b1","b2","b3"]}`, `{"id":"a2","countOfBooks":2,"books":["b1"]}`,
			}},
			Want: []string{"error authors.jsonl:2 countOfBooks"},
		},
		{
			Name: "a formula that holds in the few documents in which it adds something",
			DB: ruletest.Database{"quests": listed(40, "rewards", func(i, n, _ int) string {
				bonus := ""
				if i == 7 {
					bonus = fmt.Sprintf(`,"bonuses":[{"points":%d}]`, n)
				}
				return fmt.Sprintf(`"rewardCount":%d%s`, except(i, n, 22), bonus)
			})},
			Want: []string{"error quests.jsonl:23 rewardCount"},
		},
		{
			Name: "a mean of lists that few documents have",
			DB: ruletest.Database{"shops": ruletest.Documents(60, func(i int, _ *rand.Rand) string {
				tags := fmt.Sprintf(`"tags":["a","b%d"]`, i)
				if i%3 > 0 {
					return fmt.Sprintf(`{"id":"s%d",%s,"averageRating":0}`, i, tags)
				}
				return fmt.Sprintf(`{"id":"s%d",%s,"reviews":[{"rating":%d},{"rating":%d}],"averageRating":%.1f}`, i, tags, 1+i%5, 1+i%4, float64(2+i%5+i%4)/2+float64(i/57))
			})},
			Want: []string{"error shops.jsonl:58 averageRating"},
		},
		{Name: "children that agree", DB: children(perAuthor)},
		{Name: "what it counts is one of many that refer to it", DB: manyChildren()},
		{Name: "everything agrees", DB: ruletest.Database{"authors": listed(30, "books", func(_, n, _ int) string { return fmt.Sprintf(`"countOfBooks":%d`, n) })}},
		{Name: "an absent list is an empty one", DB: ruletest.Database{"authors": append(
			listed(30, "books", func(_, n, _ int) string { return fmt.Sprintf(`"countOfBooks":%d`, n) }), `{"id":"x","countOfBooks":0}`,
		)}},
		{Name: "another formula fits", DB: ruletest.Database{"parcels": listed(30, "items", func(i, n, sum int) string {
			return fmt.Sprintf(`"itemCount":%d`, sum)
		})}},
		{Name: "nothing fits: it counts what is not there", DB: ruletest.Database{"posts": listed(30, "comments", func(i, n, _ int) string {
			return fmt.Sprintf(`"commentCount":%d`, n+i)
		})}},
		{Name: "the list was cut at ten", DB: ruletest.Database{"posts": ruletest.Documents(40, func(i int, r *rand.Rand) string {
			n := 3 + i%8
			if i%6 == 0 {
				n = 20 + i
			}
			return fmt.Sprintf(`{"id":"p%d","commentCount":%d,"comments":%s}`, i, n, ruletest.Some(r, min(n, 10), min(n, 10), func(k int) string { return fmt.Sprintf("%d", k) }))
		})}},
		{Name: "tax goes into the total", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
			sum, tax := 0, 0
			list := ruletest.Some(r, 1, 4, func(k int) string { sum += 10 * (k + 1); return fmt.Sprintf(`{"price":%d}`, 10*(k+1)) })
			if i%6 == 0 {
				tax = 3
			}
			return fmt.Sprintf(`{"id":"s%d","lines":%s,"tax":%d,"total":%d}`, i, list, tax, sum+tax)
		})}},
		{
			Name: "a fee that is no amount is no reason", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
				sum := 0
				list := ruletest.Some(r, 1, 4, func(k int) string { sum += 10 * (k + 1); return fmt.Sprintf(`{"price":%d}`, 10*(k+1)) })
				return fmt.Sprintf(`{"id":"s%d","lines":%s,"taxPaid":true,"fee":"low","total":%d}`, i, list, except(i, sum, 5))
			})}, Want: []string{"error sales.jsonl:6 total"},
		},
		{
			Name: "a tax that is charged where the sum holds is no reason", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
				sum := 0
				list := ruletest.Some(r, 1, 4, func(k int) string { sum += 10 * (k + 1); return fmt.Sprintf(`{"price":%d}`, 10*(k+1)) })
				return fmt.Sprintf(`{"id":"s%d","lines":%s,"tax":%d,"total":%d}`, i, list, i%3, except(i, sum, 5))
			})}, Want: []string{"error sales.jsonl:6 total"},
		},
		{
			Name: "a tax that is nowhere charged is no reason", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
				sum := 0
				list := ruletest.Some(r, 1, 4, func(k int) string { sum += 10 * (k + 1); return fmt.Sprintf(`{"price":%d}`, 10*(k+1)) })
				return fmt.Sprintf(`{"id":"s%d","lines":%s,"tax":0,"total":%d}`, i, list, except(i, sum, 5))
			})}, Want: []string{"error sales.jsonl:6 total"},
		},
		{Name: "what is not split has no parts to be the sum of", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
			sum, least := 0, 1
			if i == 5 {
				sum, least = 70, 0
			}
			list := ruletest.Some(r, least, 4*least, func(k int) string { sum += 10 * (k + 1); return fmt.Sprintf(`{"price":%d}`, 10*(k+1)) })
			return fmt.Sprintf(`{"id":"s%d","parts":%s,"total":%d}`, i, list, sum)
		})}},
		{
			Name: "the list that the name speaks of is found among many", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
				var others strings.Builder
				for n := range 40 {
					fmt.Fprintf(&others, `"codes%d":[%d,7],`, n, i)
				}
				sum := 0
				list := ruletest.Some(r, 1, 4, func(k int) string { sum += 10 * (k + 1); return fmt.Sprintf(`{"price":%d}`, 10*(k+1)) })
				return fmt.Sprintf(`{"id":"s%d",%s"parts":%s,"totalPrice":%d}`, i, others.String(), list, except(i, sum, 5))
			})}, Want: []string{"error sales.jsonl:6 totalPrice"}, Says: "the sum of parts[].price",
		},
		{Name: "a discount in an object beside the total", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
			sum, off := 0, i%8/7*10
			list := ruletest.Some(r, 1, 4, func(k int) string { sum += 10 * (k + 2); return fmt.Sprintf(`{"price":%d}`, 10*(k+2)) })
			return fmt.Sprintf(`{"id":"s%d","lines":%s,"coupon":{"code":"c%[1]d","discountAmount":%[3]d},"total":%d}`, i, list, off, sum-off)
		})}},
		{
			Name: "a discount that every line has is in what the line costs",
			DB: ruletest.Database{"carts": ruletest.Documents(40, func(i int, r *rand.Rand) string {
				sum := 0
				list := ruletest.Some(r, 1, 4, func(k int) string {
					cost := 100*k + r.IntN(100)
					sum += cost
					return fmt.Sprintf(`{"discountPercentage":%d.5,"cost":%d}`, 1+r.IntN(20), cost)
				})
				return fmt.Sprintf(`{"id":"c%d","lines":%s,"total":%d}`, i, list, except(i, sum, 5))
			})},
			Want: []string{"error carts.jsonl:6 total"}, Says: "the sum of lines[].cost",
		},
		{
			Name: "the lowest and the highest", DB: catalogue(func(d *catalogued) { d.Min, d.Max = d.Min+500, d.Max-1 }),
			Want: []string{"error goods.jsonl:8 minPrice", "error goods.jsonl:8 maxPrice"}, Says: "the lowest of variants[].price",
		},
		{
			Name: "a flag", DB: catalogue(func(d *catalogued) { d.Has = !d.Has }),
			Want: []string{"error goods.jsonl:8 hasReviews"}, Says: "hasReviews is false, but reviews is not empty",
		},
		{
			Name: "the latest and the earliest", DB: catalogue(func(d *catalogued) { d.Last, d.First = "2031-01-01", "2031-01-02" }),
			Want: []string{"warning goods.jsonl:8 lastReviewAt", "warning goods.jsonl:8 firstReviewDate"}, Says: "the latest of reviews[].at is 2024-",
		},
		{Name: "a time in another notation", DB: catalogue(func(d *catalogued) { d.Last = 1700000000 })},
		{Name: "no review", DB: catalogue(func(d *catalogued) { d.Reviews, d.Has = nil, false })},
		{
			Name: "the highest of numbers", DB: ruletest.Database{"games": ruletest.Documents(20, func(i int, r *rand.Rand) string {
				return fmt.Sprintf(`{"id":"g%d","scores":[%d,%d,%d],"maxScore":%d}`, i, 3+i, 90-i, 5+i*7%30, except(i, max(3+i, 90-i, 5+i*7%30), 4))
			})}, Want: []string{"error games.jsonl:5 maxScore"}, Says: "the highest of scores[]",
		},
		{Name: "the last of prices that mostly rise", DB: ruletest.Database{"lots": ruletest.Documents(30, func(i int, r *rand.Rand) string {
			last := 7*i + 11 - i%20/19*90
			return fmt.Sprintf(`{"id":"l%d","bids":[{"price":%d},{"price":%d}],"lastPrice":%d}`, i, 5*i, last, last)
		})}},
		{Name: "a time that mostly is the latest", DB: ruletest.Database{"pages": ruletest.Documents(30, func(i int, r *rand.Rand) string {
			history := ruletest.Some(r, 1, 3, func(k int) string { return fmt.Sprintf(`{"at":"2024-%02d-%02d"}`, 3-k, 1+i%28) })
			return fmt.Sprintf(`{"id":"p%d","history":%s,"lastEditedAt":"2024-03-%02d"}`, i, history, except(i, 1+i%28, 4))
		})}},
		{
			Name: "the last of a dozen numbers", DB: ruletest.Database{"fields": ruletest.Documents(20, func(i int, r *rand.Rand) string {
				sum := 0
				list := ruletest.Some(r, 1, 4, func(int) string {
					element := []string{}
					for k := range 12 {
						element = append(element, fmt.Sprintf(`"v%c":%d`, 'a'+k, r.IntN(1000)))
					}
					yield := r.IntN(9000)
					sum += yield
					return fmt.Sprintf(`{%s,"yield":%d}`, strings.Join(element, ","), yield)
				})
				return fmt.Sprintf(`{"id":"f%d","plots":%s,"total":%d}`, i, list, except(i, sum, 5))
			})},
			Want: []string{"error fields.jsonl:6 total"}, Says: "the sum of plots[].yield",
		},
		{Name: "children of two kinds", DB: leagues(func(_, n int) int { return n })},
		{
			Name: "children of two kinds, counted wrongly", DB: leagues(func(i, n int) int { return except(i, n, 4) }),
			Want: []string{"error leagues.jsonl:5 clubCount"}, Says: "is 9, but the number of clubs with this league_id is 8; the two differ in 1 of 30 documents",
		},
		{
			Name: "quantities in another language", DB: ruletest.Database{"ventas": ruletest.Documents(20, func(i int, r *rand.Rand) string {
				sum := 0
				list := ruletest.Some(r, 1, 4, func(int) string {
					precio, cantidad := 100+r.IntN(9000), 1+r.IntN(3)/2
					sum += precio * cantidad
					return fmt.Sprintf(`{"cantidad":%d,"precio":%d.0}`, cantidad, precio)
				})
				return fmt.Sprintf(`{"id":"s%d","items":%s,"total":%d}`, i, list, except(i, sum, 5))
			})},
			Want: []string{"error ventas.jsonl:6 total"}, Says: "the sum of items[].precio × cantidad",
		},
		{Name: "what the formula lacks is said beside it", DB: ruletest.Database{"sales": ruletest.Documents(40, func(i int, r *rand.Rand) string {
			sum, bonus := 0, 0
			list := ruletest.Some(r, 1, 4, func(int) string {
				price, quantity := 100+r.IntN(9000), 1+r.IntN(4)
				sum += price * quantity
				return fmt.Sprintf(`{"price":%d,"quantity":%d}`, price, quantity)
			})
			if i%7 == 1 {
				bonus = 100 * i
			}
			return fmt.Sprintf(`{"id":"s%d","items":%s,"bonus":%d,"subtotal":%d}`, i, list, bonus, sum+bonus)
		})}},
		{Name: "bills marked as open are not paid in full", DB: bills(func(i int) bool { return i%9 == 4 })},
		{Name: "one bill lacks the mark, and others have no payments to add up", DB: ruletest.Database{"bills": unmarked}},
		{
			Name: "a mark that others have too tells nothing", DB: bills(func(i int) bool { return i%9 == 4 || i == 1 }),
			Want: []string{"warning bills.jsonl:5 totalAmount"}, Says: "in 3 of 24",
		},
		{
			Name: "a mark that only one has tells nothing", DB: ruletest.Database{"bills": bills(func(i int) bool { return i == 4 })["bills"][:9]},
			Want: []string{"warning bills.jsonl:5 totalAmount"}, Says: "in 1 of 9",
		},
		{
			Name: "a quantity of which a third is not kept", DB: ruletest.Database{"shirts": listed(40, "sizes", func(i, _, sum int) string {
				return fmt.Sprintf(`"quantity":%d`, sum+(i%3)/2*(1+i%2))
			})},
			Want: []string{"warning shirts.jsonl:3 quantity"}, Says: "the sum of sizes[].quantity is 25; the two differ in 13 of 40",
		},
		{Name: "a price of which a third is not that of the parts", DB: ruletest.Database{"sets": listed(40, "pieces", func(i, n, sum int) string {
			return fmt.Sprintf(`"price":%d.%d`, sum+n/2+(i%3)/2*(1+i%2), n%2*50)
		})}},
		{Name: "a total of which a third is not the quantity", DB: ruletest.Database{"sets": listed(40, "pieces", func(i, _, sum int) string {
			return fmt.Sprintf(`"total":%d`, sum+(i%3)/2*(1+i%2))
		})}},
		{Name: "an amount of money of which a third is not that of the parts", DB: ruletest.Database{"bills": ruletest.Documents(40, func(i int, r *rand.Rand) string {
			sum := 0
			list := ruletest.Some(r, 2, 4, func(int) string {
				amount := 100 + r.IntN(900)
				sum += amount
				return fmt.Sprintf(`{"amount":%d}`, amount)
			})
			return fmt.Sprintf(`{"id":"b%d","parts":%s,"amount":%d}`, i, list, sum-(i%3)/2*(1+i%2))
		})}},
		{
			Name: "a mark of the posts whose count is wrong excuses no count", DB: ruletest.Database{"posts": listed(30, "comments", func(i, n, _ int) string {
				return fmt.Sprintf(`"hot":%t,"commentCount":%d`, i == 4 || i == 9 || i == 20, except(i, n, 4, 9, 20))
			})},
			Want: []string{"error posts.jsonl:5 commentCount"}, Says: "in 3 of 30",
		},
		{Name: "parts without a quantity have no sum", DB: ruletest.Database{"shirts": append(
			listed(40, "sizes", func(_, _, sum int) string { return fmt.Sprintf(`"quantity":%d`, sum) }), `{"id":"x","sizes":[{"sku":"s1"},{"sku":"s2"}],"quantity":7}`,
		)}},
		{
			Name: "a count that nobody keeps", DB: children(func(int) int { return 0 }),
			Want: []string{"warning authors.jsonl:1 bookCount"}, Says: "in 10 of 10",
		},
		{
			Name: "a third is wrong", DB: ruletest.Database{"posts": listed(30, "comments", func(i, n, _ int) string {
				return fmt.Sprintf(`"commentCount":%d`, n+(i%3)/2*(1+i%2))
			})}, Want: []string{"warning posts.jsonl:3 commentCount"}, Says: "in 10 of 30",
		},
		{Name: "a third of another number's", DB: ruletest.Database{"posts": listed(30, "comments", func(i, n, _ int) string {
			return fmt.Sprintf(`"pageCount":%d`, n+(i%3)/2*(1+i%2))
		})}},
		{
			Name: "children of which a third are counted wrongly", DB: cups(func(i, n int) int { return n + (i%3)/2*(i%2*2-1) }),
			Want: []string{"warning cups.jsonl:3 teamCount"}, Says: "in 10 of 30",
		},
		{Name: "children of which some are elsewhere", DB: cups(func(i, n int) int { return n + (i%3)/2*(1+i%2) })},
		{Name: "one answer beside another", DB: ruletest.Database{
			"customers": {`{"id":123456,"name":"n","orders_count":0}`}, "orders": {`{"id":9,"customer_id":123456,"total":5}`}}},
		{Name: "a count of what is not all there", DB: children(func(i int) int { return 2 * (i % 5) })},
		{Name: "a page of a longer list", DB: ruletest.Database{"result": {`{"total":1302,"items":[{"a":1},{"a":2}]}`}}},
		{Name: "a page of ten beside whole lists", DB: ruletest.Database{"result": {
			`{"count":29,"events":[1,2,3,4,5,6,7,8,9,10]}`, `{"count":11,"events":[1,2,3,4,5,6,7,8,9,10,11]}`, `{"count":4,"events":[1,2,3,4]}`,
		}}},
		{Name: "eleven are no page", DB: ruletest.Database{"result": {
			`{"count":29,"events":[1,2,3,4,5,6,7,8,9,10,11]}`, `{"count":12,"events":[1,2,3,4,5,6,7,8,9,10,11,12]}`, `{"count":4,"events":[1,2,3,4]}`,
		}}, Want: []string{"error result.jsonl:1 count"}},
		{Name: "no list, beside one that fits", DB: ruletest.Database{"hosts": {`{"numSeeds":1}`, `{"numSeeds":2,"seeds":["a","b"]}`}}},
		{Name: "equal in all but one is proof whatever the name", DB: ruletest.Database{"books": listed(30, "authors", func(i, n, _ int) string {
			return fmt.Sprintf(`"pageCount":%d`, except(i, n, 2))
		})}, Want: []string{"error books.jsonl:3 pageCount"}, Says: "the length of authors"},
		{Name: "a word before the list's selects: fewer are no contradiction", DB: ruletest.Database{"users": listed(30, "messages", func(i, n, _ int) string {
			return fmt.Sprintf(`"unreadMessageCount":%d`, except(i, n, 2)-2*(except(i, n, 2)-n))
		})}},
		{Name: "more than there are contradict all the same", DB: ruletest.Database{"users": listed(30, "messages", func(i, n, _ int) string {
			return fmt.Sprintf(`"unreadMessageCount":%d`, except(i, n, 2))
		})}, Want: []string{"error users.jsonl:3 unreadMessageCount"}},
		{Name: "ids of parts that have the id of the whole", DB: ruletest.Database{"ranges": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			if i%10 == 9 {
				return fmt.Sprintf(`{"id":%d,"rewards":[{"id":%[1]d,"n":1},{"id":9%[1]d,"n":2}]}`, 1000+7*i)
			}
			return fmt.Sprintf(`{"id":%d,"rewards":[{"id":%[1]d,"n":1}]}`, 1000+7*i)
		})}},
		{Name: "pages on which a chapter and its sections begin", DB: ruletest.Database{"chapters": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			page := 7*i + 3
			sections := fmt.Sprintf(`{"page":%d}`, page)
			if i%10 == 0 {
				sections += fmt.Sprintf(`,{"page":%d}`, page+1)
			}
			return fmt.Sprintf(`{"_id":"c%d","page":%d,"sections":[%s]}`, i, page, sections)
		})}},
		{Name: "a list in parts", DB: ruletest.Database{"quizzes": append(ruletest.Documents(6, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"_id":"q%d","total_questions":%d,"questions":["a"%s]}`, i, i+1, strings.Repeat(`,"b"`, i))
		}), `{"_id":"q6","total_questions":5,"sections":[{"questions":["a","b"]},{"questions":["c","d","e"]}]}`)}},
		{Name: "how many of three to choose", DB: ruletest.Database{"races": {`{"_id":"r1","choose":{"from":["elf","dwarf","orc"],"count":2}}`}}},
		{Name: "parts that have a value of their own", DB: ruletest.Database{"desks": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"d%d","cost":%d.25,"parts":[{"part":"top","cost":%d.50},{"part":"legs","cost":%d.75}]}`, i, 5*i+1, i+3, 3*i+4)
		})}},
		{Name: "two constants agree by chance", DB: ruletest.Database{"books": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"b%d","pageCount":2,"authors":["a%d","b%d"%s]}`, i, i, i, map[bool]string{true: `,"c"`}[i%15 == 0])
		})}},
		{Name: "children of another name", DB: ruletest.Database{
			"makers": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"maker-%d","totalWorks":%d}`, i, except(i, 1+i%5, 7))
			}),
			"pieces": ruletest.Documents(150, func(i int, _ *rand.Rand) string {
				if maker := i % 30; i/30 <= maker%5 {
					return fmt.Sprintf(`{"id":"p%d","makerId":"maker-%d"}`, i, maker)
				}
				return fmt.Sprintf(`{"id":"p%d"}`, i)
			}),
		}, Want: []string{"error makers.jsonl:8 totalWorks"}, Says: "the number of pieces with this makerId"},
		{Name: "a mean, rounded", DB: ruletest.Database{"products": ruletest.Documents(30, func(i int, r *rand.Rand) string {
			sum, n := 0, 0
			list := ruletest.Some(r, 1, 5, func(int) string { x := 1 + r.IntN(5); sum += x; n++; return fmt.Sprintf(`{"rating":%d}`, x) })
			return fmt.Sprintf(`{"id":"p%d","averageRating":%.1f,"reviews":%s}`, i, float64(sum)/float64(n), list)
		})}},
	})
}

func TestAggregateDriftMends(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "aggregate-drift", ruletest.Database{
		"carts": listed(30, "items", func(i, _, sum int) string {
			return fmt.Sprintf(`"totalQuantity":{"$numberInt":"%d"}`, except(i, sum, 7, 11))
		}),
	}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.InDelta(t, rulebook.Probability(0.9), found[0].Confidence, 0.001)
	assert.Len(t, found[0].Related, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Unsafe, fix.Safety)
	require.Len(t, fix.Edits, 2)
	var before, after map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(fix.Before, &before))
	require.NoError(t, json.Unmarshal(fix.After[0].Document, &after))
	assert.NotEqual(t, before["totalQuantity"], after["totalQuantity"])
	assert.Contains(t, string(after["totalQuantity"]), "$numberInt", "the type is kept")
	assert.Equal(t, before["items"], after["items"])
}
