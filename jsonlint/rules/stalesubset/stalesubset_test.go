package stalesubset_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// news makes posts that list their newest comments, and all comments: three a
// post, one an hour; of the posts in stale the newest is not listed.
func news(posts int, list string, stale ...int) ruletest.Database {
	isStale := map[int]bool{}
	for _, s := range stale {
		isStale[s] = true
	}
	db := ruletest.Database{}
	at := func(p, hour int) string { return fmt.Sprintf("2026-03-%02dT%02d:00:00Z", 1+p%28, hour) }
	for p := range posts {
		last := 12
		if isStale[p] {
			last = 11
		}
		db["posts"] = append(db["posts"], fmt.Sprintf(`{"id":"p%d","title":"post %d","%s":[{"by":"ann","at":"%s"},{"by":"bob","at":"%s"}]}`,
			p, p, list, at(p, last), at(p, last-1)))
		for hour := 10; hour <= 12; hour++ {
			by := [...]string{"bob", "ann", "cy"}[hour-10]
			if last == 12 {
				by = [...]string{"cy", "bob", "ann"}[hour-10]
			}
			db["comments"] = append(db["comments"], fmt.Sprintf(`{"id":"c%d","postId":"p%d","by":"%s","at":"%s"}`, p*10+hour, p, by, at(p, hour)))
		}
	}
	return db
}

// gone is [news] with one stale list, and with posts whose newest comment is gone.
func gone(posts int, lost ...int) ruletest.Database {
	db := news(posts, "recentComments", 12)
	for _, p := range lost {
		db["comments"] = slices.DeleteFunc(db["comments"], func(c string) bool { return strings.Contains(c, fmt.Sprintf(`"id":"c%d"`, p*10+12)) })
	}
	return db
}

// leavingOut makes posts that list their newest comments, one of them without the
// second.
func leavingOut() ruletest.Database {
	db := news(30, "recentComments")
	db["posts"][4] = strings.Replace(db["posts"][4], `"bob","at":"2026-03-05T11`, `"cy","at":"2026-03-05T10`, 1)
	return db
}

// twoWays makes airports that list the newest flight that starts there, and
// flights that end elsewhere.
func twoWays() ruletest.Database {
	db := ruletest.Database{}
	for p := range 30 {
		at := fmt.Sprintf("2026-03-01T10:%02d:00Z", p)
		db["airports"] = append(db["airports"], fmt.Sprintf(`{"id":"p%d","name":"n%d","recentFlights":[{"number":"f%d","at":"%s"}]}`, p, p, p, at))
		db["flights"] = append(db["flights"], fmt.Sprintf(`{"id":"c%d","toAirportId":"p%d","fromAirportId":"p%d","number":"f%d","at":"%s"}`, p, (p+29)%30, p, p, at))
	}
	return db
}

func TestStaleSubset(t *testing.T) {
	t.Parallel()
	ruletest.Run(t, "stale-subset", []ruletest.ShapeCase{
		{Name: "two posts behind", DB: news(30, "recentComments", 4, 9), Want: []string{"warning posts.jsonl:5 recentComments"},
			Says: `posts.recentComments does not hold the newest of comments in 2 of 30 documents: here the newest at is 2026-03-05T11:00:00Z, but comments has 2026-03-05T12:00:00Z`},
		{Name: "up to date", DB: news(30, "recentComments")},
		{Name: "one list leaves an element out", DB: leavingOut()},
		{Name: "of two references the one that the list follows", DB: twoWays()},
		{Name: "in another order", DB: ruletest.Database{
			"comments": ruletest.Documents(120, func(i int, _ *rand.Rand) string { return ordered(i) }),
			"posts": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
				own := []string{ordered(i), ordered(i + 20), ordered(i + 40), ordered(i + 60), ordered(i + 80), ordered(i + 100)}
				return fmt.Sprintf(`{"id":"p%d","recentComments":[%s,%s,%s]}`, i, own[4], own[2], own[1])
			}),
		}},
		{Name: "in the order of notices, not of the posts they are about", DB: ruletest.Database{
			"notices": ruletest.Documents(60, func(i int, _ *rand.Rand) string { return notice(i) }),
			"members": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"m%d","recentNotices":[%s,%s]}`, i, notice(i+40), notice(i+20))
			}),
		}},
		{Name: "in no order of time", DB: ruletest.Database{
			"works": ruletest.Documents(600, func(i int, _ *rand.Rand) string { return work(i) }),
			"rooms": ruletest.Documents(20, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"r%d","recentWorks":[%s,%s,%s]}`, i, work(i+100), work(i+40), work(i+80))
			}),
		}},
		{Name: "two lists of many whose newest is gone", DB: gone(30, 4, 9), Want: []string{"warning posts.jsonl:13 recentComments"}},
		{Name: "newer than all that refer to the document", DB: ruletest.Database{
			"airports": ruletest.Times(1, 25, `{"id":"p%[1]d","recentFlights":[{"number":"f%[1]d","at":"2026-03-02T12:00:00Z"},{"number":"g%[1]d","at":"2026-03-02T08:00:00Z"}]}`),
			"flights":  ruletest.Times(1, 25, `{"id":"c%[1]d","toAirportId":"p%[1]d","number":"h%[1]d","at":"2026-03-02T10:00:00Z"}`),
		}},
		{Name: "chosen by hand", DB: news(30, "featuredComments", 4, 9)},
		{Name: "the same things under another name", DB: news(30, "latestReplies", 4, 9), Want: []string{"warning posts.jsonl:5 latestReplies"}},
		{
			Name: "things of the same shape under another name",
			DB: ruletest.Database{
				"posts":    ruletest.Times(1, 25, `{"id":"p%[1]d","recentVisitors":[{"by":"ann","at":"2026-03-01T10:00:00Z"}]}`),
				"comments": ruletest.Times(1, 25, `{"id":"c%[1]d","postId":"p%[1]d","by":"cy","at":"2026-03-02T10:00:00Z"}`),
			},
		},
		{
			Name: "ids only",
			DB: ruletest.Database{
				"post":    {`{"id":"1","recentComments":[{"id":1,"text":"a"},{"id":2,"text":"b"}]}`},
				"comment": {`{"postId":"1","comments":[{"id":4,"text":"c"},{"id":5,"text":"d"}]}`, `{"postId":"1","comments":[{"id":100,"text":"e"},{"id":199,"text":"f"}]}`},
			},
			Want: []string{"info post.jsonl:1 recentComments"}, Says: `post.recentComments does not hold the newest of comment in 1 of 1 document: here the newest id is 2, but comment has 199`,
		},
		{
			Name: "children of another kind",
			DB: ruletest.Database{
				"posts":       {`{"id":"p1","recentComments":[{"text":"a","at":"2026-03-01T10:00:00Z"}]}`},
				"attachments": {`{"id":"a1","postId":"p1","file":"x.png","bytes":12,"at":"2026-03-02T10:00:00Z"}`},
			},
		},
	})
}

func TestStaleSubsetFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "stale-subset", news(30, "recentComments", 4), jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Related, 1)
	assert.Equal(t, 15, found[0].Related[0].Location.Line)
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Plan, fix.Safety)
	assert.JSONEq(t, `{"id":"p4","title":"post 4","recentComments":[{"by":"cy","at":"2026-03-05T12:00:00Z"},{"by":"ann","at":"2026-03-05T11:00:00Z"}]}`,
		string(fix.After[0].Document))
	ruletest.AssertNothingLost(t, fix)
}

// ordered returns a comment that was created later the larger i is, but read in
// another order.
func ordered(i int) string {
	read := []int{0, 40, 50, 10, 60, 20}[i/20]
	return fmt.Sprintf(`{"id":"c%d","postId":"p%d","createdAt":"2024-01-01T%02d:00:00Z","readAt":"2024-02-01T%02d:%02d:00Z","text":"t%d"}`, i, i%20, i/20, read/10, i%20, i)
}

// notice returns a notice that was created later the larger i is. The first of each
// member is about the newest post.
func notice(i int) string {
	return fmt.Sprintf(`{"id":"n%d","memberId":"m%d","postCreatedAt":"2024-01-0%dT10:00:00Z","createdAt":"2024-02-0%dT10:00:00Z"}`, i, i%20, 1+(i/20+2)%3, 1+i/20)
}

// work returns a work in a room, made later the larger i is.
func work(i int) string {
	return fmt.Sprintf(`{"id":"w%d","roomId":"r%d","made":"19%02d-01-01","title":"t%d"}`, i, i%20, i/20, i)
}
