package rules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func authors(n int) []string {
	return documents(n, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"a%d","firstName":"First%d","lastName":"Last%d","images":[{"thumbnail":"https://img.example/%d.png"}]}`, i, i, i, i)
	})
}

// books copy name and thumbnail of two authors; name changes the name that a
// copy gets.
func books(n int, name func(book, author int) string) []string {
	return documents(n, func(i int, r *rand.Rand) string {
		first := r.IntN(12)
		copied := func(a int) string {
			return fmt.Sprintf(`{"id":"a%d","name":"%s","thumbnailUrl":"https://img.example/%d.png"}`, a, name(i, a), a)
		}
		return fmt.Sprintf(`{"id":"b%d","title":"Book %d","authors":[%s,%s]}`, i, i, copied(first), copied((first+1)%12))
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
	categories := documents(8, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"c%d","name":"Category %d"}`, i, i) })
	status := func(i int) string { return []string{"waiting", "advised", "closed", "unreachable"}[i%4] }
	tickets := documents(12, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"t%d","status":"%s"}`, i, status(i)) })
	notices := documents(48, func(i int, _ *rand.Rand) string {
		now := status(i % 12)
		if i%12 == 3 {
			now = "waiting"
		}
		return fmt.Sprintf(`{"id":"n%d","title":"Notice %d","createdAt":"2026-03-%02dT10:00:00Z","meta":{"ticketId":"t%d","ticketStatus":"%s"}}`, i, i, 1+i%28, i%12, now)
	})
	runShapeCases(t, "stale-copy", []shapeCase{
		{
			name: "a name put together", db: database{"authors": authors(12), "books": books(60, stale)},
			want: []string{"warning books.jsonl:7 authors[].name"}, says: `name differs from firstName lastName of authors`,
		},
		{
			name: "fields beside a reference",
			db: database{"categories": categories, "products": documents(60, func(i int, _ *rand.Rand) string {
				name := fmt.Sprintf("Category %d", i%8)
				if i%20 == 3 {
					name = "Old name"
				}
				return fmt.Sprintf(`{"id":"p%d","title":"Product %d","categoryId":"c%d","categoryName":"%s"}`, i, i, i%8, name)
			})},
			want: []string{"warning products.jsonl:4 categoryName"},
		},
		{
			name: "a handful of documents",
			db:   database{"authors": authors(2), "books": {`{"id":"b1","authors":[{"id":"a0","name":"First0 Last0"},{"id":"a1","name":"First1 Last1"}]}`, `{"id":"b2","authors":[{"id":"a1","name":"First1 Older"}]}`}},
			want: []string{"warning books.jsonl:2 authors[].name"},
		},
		{name: "all agree", db: database{"authors": authors(12), "books": books(60, right)}},
		{name: "orders keep what was true", db: database{"categories": categories, "orders": documents(60, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"p%d","categoryId":"c%d","categoryName":"Category %d%s"}`, i, i%8, i%8, map[bool]string{true: " old"}[i%20 == 3])
		})}},
		{name: "notices tell how things stood", db: database{"tickets": tickets, "staff_notices": notices}},
		{
			name: "the same, in documents that are no notices", db: database{"tickets": tickets, "seats": notices},
			want: []string{"warning seats.jsonl:4 meta.ticketStatus"},
		},
		{
			name: "a document that says when its last message came is no message", db: database{"categories": categories, "rooms": documents(60, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"p%d","lastMessageAt":"2026-01-%02dT10:00:00Z","categoryId":"c%d","categoryName":"Category %d%s"}`, i, 1+i%28, i%8, i%8, map[bool]string{true: " old"}[i%20 == 3])
			})},
			want: []string{"warning rooms.jsonl:4 categoryName"},
		},
		{name: "what belongs to the link", db: database{"authors": documents(12, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"a%d","name":"Author %d","role":"member"}`, i, i)
		}), "books": documents(60, func(i int, r *rand.Rand) string {
			a := r.IntN(12)
			return fmt.Sprintf(`{"id":"b%d","authors":[{"id":"a%d","name":"Author %d","role":"%s"}]}`, i, a, a, []string{"writer", "editor", "translator"}[r.IntN(3)])
		})}},
		{name: "a label that only the copy has", db: database{"levels": documents(12, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"l%d","rank":%d}`, i, i) }),
			"spells": documents(60, func(i int, r *rand.Rand) string {
				a := r.IntN(12)
				return fmt.Sprintf(`{"id":"s%d","needs":{"levelId":"l%d","name":"Level %d%d"}}`, i, a, a, r.IntN(3))
			})}},
	})
}

func TestStaleCopyRefreshes(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "stale-copy", database{"authors": authors(12), "books": books(40, func(b, a int) string {
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
