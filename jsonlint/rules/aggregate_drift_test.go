package rules_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// listed makes n documents with a list of 1 to 6 elements; tail gets the
// length and the sum of the elements, which are 1 to 9.
func listed(n int, name string, tail func(i, length, sum int) string) []string {
	return documents(n, func(i int, r *rand.Rand) string {
		length, sum := 0, 0
		list := some(r, 1, 6, func(k int) string {
			x := 1 + (i+k)%9
			length++
			sum += x
			return fmt.Sprintf(`{"sku":"s%d","quantity":%d,"price":%d.50,"stars":%d}`, k, x, x, 1+x%5)
		})
		return fmt.Sprintf(`{"id":"d%d","%s":%s,%s}`, i, name, list, tail(i, length, sum))
	})
}

func except(i, value int, wrong ...int) int {
	for _, w := range wrong {
		if i == w {
			return value + 1
		}
	}
	return value
}

func TestAggregateDrift(t *testing.T) {
	t.Parallel()
	children := func(count func(i int) int) database {
		return database{
			"authors": documents(10, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"a%d","name":"Author %d","bookCount":%d}`, i, i, count(i))
			}),
			"books": documents(45, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"b%d","title":"Book %d","authorId":"a%d"}`, i, i, i%10)
			}),
		}
	}
	perAuthor := func(i int) int { return 4 + (14-i)/10 }
	runShapeCases(t, "aggregate-drift", []shapeCase{
		{
			name: "a count",
			db:   database{"authors": listed(30, "books", func(i, n, _ int) string { return fmt.Sprintf(`"countOfBooks":%d`, except(i, n, 4, 9)) })},
			want: []string{"error authors.jsonl:5 countOfBooks"}, says: "the length of books is",
		},
		{
			name: "a sum of quantities, though the length nearly fits",
			db:   database{"parcels": listed(30, "items", func(i, _, sum int) string { return fmt.Sprintf(`"totalQuantity":%d`, except(i, sum, 7)) })},
			want: []string{"error parcels.jsonl:8 totalQuantity"}, says: "the sum of items[].quantity",
		},
		{
			name: "children",
			db:   children(func(i int) int { return except(i, perAuthor(i), 3) }),
			want: []string{"error authors.jsonl:4 bookCount"}, says: "the number of books with this authorId",
		},
		{
			name: "two documents, one right",
			db: database{"authors": {
				`{"id":"a1","countOfBooks":3,"books":["b1","b2","b3"]}`, `{"id":"a2","countOfBooks":2,"books":["b1"]}`,
			}},
			want: []string{"error authors.jsonl:2 countOfBooks"},
		},
		{name: "children that agree", db: children(perAuthor)},
		{name: "everything agrees", db: database{"authors": listed(30, "books", func(_, n, _ int) string { return fmt.Sprintf(`"countOfBooks":%d`, n) })}},
		{name: "an absent list is an empty one", db: database{"authors": append(
			listed(30, "books", func(_, n, _ int) string { return fmt.Sprintf(`"countOfBooks":%d`, n) }), `{"id":"x","countOfBooks":0}`,
		)}},
		{name: "another formula fits", db: database{"parcels": listed(30, "items", func(i, n, sum int) string {
			return fmt.Sprintf(`"itemCount":%d`, sum)
		})}},
		{name: "nothing fits: it counts what is not there", db: database{"posts": listed(30, "comments", func(i, n, _ int) string {
			return fmt.Sprintf(`"commentCount":%d`, n+i)
		})}},
		{name: "the list was cut at ten", db: database{"posts": documents(40, func(i int, r *rand.Rand) string {
			n := 3 + i%8
			if i%6 == 0 {
				n = 20 + i
			}
			return fmt.Sprintf(`{"id":"p%d","commentCount":%d,"comments":%s}`, i, n, some(r, min(n, 10), min(n, 10), func(k int) string { return fmt.Sprintf("%d", k) }))
		})}},
		{name: "tax goes into the total", db: database{"sales": documents(40, func(i int, r *rand.Rand) string {
			sum, tax := 0, 0
			list := some(r, 1, 4, func(k int) string { sum += 10 * (k + 1); return fmt.Sprintf(`{"price":%d}`, 10*(k+1)) })
			if i%6 == 0 {
				tax = 3
			}
			return fmt.Sprintf(`{"id":"s%d","lines":%s,"tax":%d,"total":%d}`, i, list, tax, sum+tax)
		})}},
		{name: "a page of a longer list", db: database{"result": {`{"total":1302,"items":[{"a":1},{"a":2}]}`}}},
		{name: "a number that is about something else", db: database{"books": listed(30, "authors", func(i, n, _ int) string {
			return fmt.Sprintf(`"pageCount":%d`, except(i, n, 2))
		})}},
		{name: "a mean, rounded", db: database{"products": documents(30, func(i int, r *rand.Rand) string {
			sum, n := 0, 0
			list := some(r, 1, 5, func(int) string { x := 1 + r.IntN(5); sum += x; n++; return fmt.Sprintf(`{"rating":%d}`, x) })
			return fmt.Sprintf(`{"id":"p%d","averageRating":%.1f,"reviews":%s}`, i, float64(sum)/float64(n), list)
		})}},
	})
}

func TestAggregateDriftMends(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "aggregate-drift", database{
		"carts": listed(30, "items", func(i, _, sum int) string {
			return fmt.Sprintf(`"totalQuantity":{"$numberInt":"%d"}`, except(i, sum, 7, 11))
		}),
	}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.InDelta(t, 0.9, found[0].Confidence, 0.001)
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
