package unboundedarray_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// parents makes a document for each length: a name, an id and a list.
func parents(list string, lengths []int, element func(doc, i int) string) []string {
	var out []string
	for doc, n := range lengths {
		out = append(out, fmt.Sprintf(`{"id":"p%d","name":"parent %d","%s":[%s]}`, doc, doc, list,
			ruletest.Joined(n, func(i int) string { return element(doc, i) })))
	}
	return out
}

func repeated(n int, lengths ...int) (out []int) {
	for range n {
		out = append(out, lengths...)
	}
	return out
}

func comment(_, i int) string { return fmt.Sprintf(`{"id":%d,"text":"comment %d"}`, i+1, i) }

func part(doc, i int) string { return fmt.Sprintf(`{"label":"l%d","width":%d}`, (doc+i)%7, i%5) }

// serial is a number that occurs once in all documents.
func serial(doc, i int) string { return fmt.Sprint(doc*400 + i*3) }

func TestUnboundedArray(t *testing.T) {
	t.Parallel()
	ruletest.Run(t, "unbounded-array", []ruletest.ShapeCase{
		{
			Name: "a few lists far longer than the rest",
			DB:   ruletest.Database{"posts": parents("comments", append(repeated(10, 1, 2, 3), 40, 60, 300), comment)},
			Want: []string{"warning posts.jsonl:33 comments"},
			Says: "up to 300 elements in one document (median 2)",
		},
		{
			Name: "the length alone, without a telling name",
			DB:   ruletest.Database{"rooms": parents("parts", []int{12, 260, 3}, part)},
			Want: []string{"warning rooms.jsonl:2 parts"},
		},
		{
			Name: "the length alone, in a catalogue",
			DB:   ruletest.Database{"plays": parents("lines", repeated(10, 120, 260, 300), func(_, i int) string { return fmt.Sprintf(`{"speaker":"s%d","words":%d}`, i%7, i%9) })},
		},
		{
			Name: "ten thousand elements",
			DB:   ruletest.Database{"rooms": parents("parts", []int{12, 10_000, 3}, part)},
			Want: []string{"error rooms.jsonl:2 parts"},
		},
		{
			Name: "plain strings of a few hundred",
			DB: ruletest.Database{"articles": parents("keywords", []int{3, 300, 12}, func(_, i int) string {
				return fmt.Sprintf(`"word %d"`, i)
			})},
		},
		{
			Name: "a few hundred strings of which more keep coming",
			DB: ruletest.Database{"chats": parents("messages", []int{3, 300, 12}, func(_, i int) string {
				return fmt.Sprintf(`"text %d"`, i)
			})},
			Want: []string{"warning chats.jsonl:2 messages"},
		},
		{
			Name: "numbers of a vector",
			DB:   ruletest.Database{"items": parents("weights", repeated(7, 400, 700, 900), func(doc, i int) string { return fmt.Sprintf("0.%d", doc+i) })},
		},
		{
			Name: "references by their name",
			DB: ruletest.Database{"teams": parents("memberIds", []int{12, 120, 30}, func(doc, i int) string {
				return fmt.Sprintf(`"m%d"`, (doc*31+i)%150)
			})},
			Want: []string{"warning teams.jsonl:2 memberIds"},
			Says: "list of references",
		},
		{
			Name: "references by their random ids",
			DB: ruletest.Database{"teams": parents("people", []int{12, 120, 30}, func(doc, i int) string {
				return fmt.Sprintf(`"btL3sAB%03dPxsohyv2r"`, (doc*31+i)%150)
			})},
			Want: []string{"warning teams.jsonl:2 people"},
			Says: "list of references",
		},
		{
			Name: "a shared vocabulary of references",
			DB: ruletest.Database{"teams": parents("tagIds", repeated(5, 12, 120, 30), func(doc, i int) string {
				return fmt.Sprintf(`"m%d"`, (doc*31+i)%150)
			})},
		},
		{
			Name: "numbers that occur in one document only are ids of children",
			DB:   ruletest.Database{"albums": parents("pictures", repeated(10, 80, 110, 119), serial)},
			Want: []string{"warning albums.jsonl:3 pictures"},
			Says: "list of references",
		},
		{
			Name: "all lists alike",
			DB:   ruletest.Database{"devices": parents("events", repeated(7, 300), comment)},
		},
		{
			Name: "a hard cap",
			DB:   ruletest.Database{"devices": parents("events", repeated(8, 500, 20, 500, 311), comment)},
		},
		{
			Name: "a marked selection",
			DB:   ruletest.Database{"posts": parents("recentComments", append(repeated(10, 0, 1, 1), 30, 45, 50), comment)},
		},
		{
			Name: "one to few",
			DB:   ruletest.Database{"persons": parents("addresses", repeated(10, 1, 2, 3), part)},
		},
		{
			Name: "a log in a few documents",
			DB:   ruletest.Database{"users": parents("logs", []int{5, 1, 120}, func(_, n int) string { return fmt.Sprintf(`{"at":"2026-01-%02dT10:00:00Z","did":"x"}`, n%28+1) })},
			Want: []string{"warning users.jsonl:3 logs"},
		},
		{
			Name: "a log with times of Firestore",
			DB: ruletest.Database{"users": parents("logs", []int{5, 1, 120}, func(_, n int) string {
				return fmt.Sprintf(`{"at":{"seconds":%d,"nanoseconds":0},"did":"x"}`, 1769853600-n)
			})},
			Want: []string{"warning users.jsonl:3 logs"},
		},
		{
			Name: "a short log in a few documents",
			DB:   ruletest.Database{"users": parents("logs", []int{5, 1, 20}, func(_, n int) string { return fmt.Sprintf(`{"at":"2026-01-%02dT10:00:00Z","did":"x"}`, n%28+1) })},
			Want: []string{"info users.jsonl:3 logs"},
		},
		{
			Name: "a list without times in a few documents",
			DB:   ruletest.Database{"users": parents("logs", []int{5, 1, 120}, func(_, n int) string { return fmt.Sprintf(`{"n":%d,"did":"x"}`, n) })},
		},
		{
			Name: "the lines of an order",
			DB:   ruletest.Database{"orders": parents("items", append(repeated(10, 1, 2, 3), 40, 60, 300), part)},
		},
		{
			Name: "the lines of an order, whatever they are called",
			DB:   ruletest.Database{"orders": parents("details", append(repeated(10, 1, 2, 3), 40, 60, 300), part)},
		},
		{
			Name: "what happens to an order",
			DB: ruletest.Database{"orders": parents("steps", append(repeated(10, 1, 2, 3), 40, 60, 300), func(doc, i int) string {
				return fmt.Sprintf(`{"at":"2026-01-01T10:%02d:%02dZ","n":%d}`, i/60, i%60, doc)
			})},
			Want: []string{"warning orders.jsonl:33 steps"},
		},
		{
			Name: "lists that are what their documents are",
			DB: ruletest.Database{"quizzes": parents("questions", repeated(8, 36, 41, 45, 48), func(doc, i int) string {
				return fmt.Sprintf(`{"text":"%s","n":%d}`, strings.Repeat("x", 300), (doc+i)%3)
			})},
		},
		{
			Name: "a catalogue in which a few have far more parts",
			DB:   ruletest.Database{"cards": parents("levels", append(repeated(10, 1, 2, 3), 40, 60, 80), part)},
		},
		{
			Name: "the same with parts that got their ids one after another",
			DB: ruletest.Database{"cards": parents("levels", append(repeated(10, 1, 2, 3), 40, 60, 80), func(doc, i int) string {
				return fmt.Sprintf(`{"$oid":"5f%04x%018x"}`, 30*doc, 1000*doc+i)
			})},
			Want: []string{"warning cards.jsonl:33 levels"},
		},
		{
			Name: "the same with the times of the parts",
			DB: ruletest.Database{"cards": parents("levels", append(repeated(10, 1, 2, 3), 40, 60, 80), func(doc, i int) string {
				return fmt.Sprintf(`{"at":"2026-01-01T10:%02d:%02dZ","n":%d}`, (7*i)%60, i%60, doc)
			})},
			Want: []string{"warning cards.jsonl:33 levels"},
		},
		{
			Name: "the same under a name of what keeps coming",
			DB:   ruletest.Database{"cards": parents("comments", append(repeated(10, 1, 2, 3), 40, 60, 80), part)},
			Want: []string{"warning cards.jsonl:33 comments"},
		},
		{
			Name: "the same in documents of many days, which say when these came",
			DB: ruletest.Database{"cards": ruletest.Concat(
				ruletest.Times(10, 19, `{"id":"c%[1]d","createdAt":"2026-03-%[1]dT10:00:00Z","levels":[{"label":"a"}]}`),
				[]string{`{"id":"x","createdAt":"2026-03-29T10:00:00Z","levels":[` + ruletest.Joined(80, func(i int) string { return part(1, i) }) + `]}`})},
		},
		{
			Name: "buckets",
			DB: ruletest.Database{"readings": ruletest.Times(0, 30, `{"id":"r%[1]d","sensorId":"s3","page":%[1]d,"readings":[`+
				ruletest.Joined(290, func(i int) string { return fmt.Sprintf(`{"at":%d,"v":1}`, i) })+`,{"at":%[1]d,"v":2}]}`)},
		},
		{
			Name: "a page of results",
			DB: ruletest.Database{"answer": {`{"total":1200,"skip":0,"items":[` +
				ruletest.Joined(400, func(i int) string { return part(1, i) }) + `]}`}},
		},
		{
			Name: "a geometry",
			DB: ruletest.Database{"areas": ruletest.Times(0, 30, `{"id":"a%[1]d","geometry":{"type":"Polygon","coordinates":[[`+
				ruletest.Joined(12_000, func(i int) string { return fmt.Sprintf("[%d.5,1.5]", i%90) })+`]]}}`)},
		},
		{
			Name: "most bytes of the large documents",
			DB: ruletest.Database{"species": append(
				parents("texts", repeated(10, 2, 3, 4), func(_, i int) string {
					return fmt.Sprintf(`{"text":"%s","day":"2026-01-0%d"}`, strings.Repeat("x", 300), 1+i%3)
				}),
				parents("texts", []int{36, 41, 45, 48}, func(_, i int) string {
					return fmt.Sprintf(`{"text":"%s","day":"2026-01-0%d"}`, strings.Repeat("x", 300), 1+i%3)
				})...)},
			Want: []string{"warning species.jsonl:34 texts"},
			Says: "of the bytes of the largest documents",
		},
		{
			Name: "most bytes of the large documents, and nothing says that elements came",
			DB: ruletest.Database{"chapters": append(
				parents("verses", repeated(10, 2, 3, 4), func(_, i int) string { return fmt.Sprintf(`{"text":"%s","n":%d}`, strings.Repeat("x", 300), i%3) }),
				parents("verses", []int{36, 41, 45, 48}, func(_, i int) string { return fmt.Sprintf(`{"text":"%s","n":%d}`, strings.Repeat("x", 300), i%3) })...)},
		},
		{
			Name: "an example of which the author left elements out",
			DB:   ruletest.Database{"posts": {`{"id":"1","comments":[{"id":1,"text":"a"},{"id":2,"text":"b"},{"id":100001,"text":"c"}]}`}},
			Want: []string{"warning posts.jsonl:1 comments"},
			Says: "100,001",
		},
		{
			Name: "an example with ids of a clock",
			DB:   ruletest.Database{"posts": {`{"id":"1","comments":[{"id":1,"text":"a"},{"id":2,"text":"b"},{"id":1766229405756,"text":"c"}]}`}},
		},
		{
			Name: "an example with a telling name only",
			DB:   ruletest.Database{"posts": {`{"id":"1","comments":[{"id":1,"text":"a"},{"id":2,"text":"b"}]}`}},
		},
	})
}

// Numbers that repeat in a list are no documents, whatever the list is called.
func TestUnboundedArrayOfRepeatedNumbers(t *testing.T) {
	t.Parallel()
	cards := ruletest.Times(26000000, 90, `{"id":%[1]d,"name":"n%[1]d"}`)
	contests := func(distinct int) (documents []string) {
		for i, n := range []int{10, 50, 100, 200, 500, 1000} {
			list := ruletest.Joined(n, func(k int) string { return strconv.Itoa(100 + k%distinct) })
			documents = append(documents, fmt.Sprintf(`{"id":"e%d","cards":[%s]}`, i, list))
		}
		return documents
	}
	ruletest.Run(t, "unbounded-array", []ruletest.ShapeCase{
		{Name: "counts", DB: ruletest.Database{"cards": cards, "contests": contests(3)}},
		{Name: "cards", DB: ruletest.Database{"cards": cards, "contests": contests(1000)}, Want: []string{"warning contests.jsonl:6 cards"}},
	})
}

func TestUnboundedArrayElision(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "unbounded-array", ruletest.Database{"publisher": {`{"id":"p","books":[1, 2, 3, ..., 100, ..., 1000]}`}, "book": {`{"id":"1","name":"A"}`}}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, "books", found[0].Subject.Path)
}

// TestUnboundedArrayAge has lists that are no longer than others but grow with
// the age of their document.
func TestUnboundedArrayAge(t *testing.T) {
	t.Parallel()
	documents := func(length func(i int) int) (out []string) {
		for i := range 40 {
			out = append(out, fmt.Sprintf(`{"id":"m%d","createdAt":"2026-%02d-%02dT10:00:00Z","parts":[%s]}`, i, 1+i/28, 1+i%28,
				ruletest.Joined(length(i), func(k int) string { return part(i, k) })))
		}
		return out
	}
	growing := ruletest.FindingsOf(t, "unbounded-array", ruletest.Database{"machines": documents(func(i int) int { return 45 - i })}, jsonlint.Options{})
	require.Len(t, growing, 1)
	assert.Contains(t, growing[0].Message, "the older the document")
	assert.Empty(t, ruletest.FindingsOf(t, "unbounded-array", ruletest.Database{"machines": documents(func(i int) int { return 5 + i*17%40 })}, jsonlint.Options{}))
}

// TestUnboundedArraySnapshots has two dumps of the same documents, ten days
// apart.
func TestUnboundedArraySnapshots(t *testing.T) {
	t.Parallel()
	dumps := func(grow int) (out []string) {
		for dump := range 2 {
			for i := range 15 {
				out = append(out, fmt.Sprintf(`{"id":"m%d","_ts":%d,"parts":[%s]}`, i, 1_770_000_000+dump*864_000,
					ruletest.Joined(20+i+dump*grow, func(k int) string { return fmt.Sprintf(`{"serial":"x%d","w":%d}`, k, i) })))
			}
		}
		return out
	}
	options := jsonlint.Options{DB: "cosmosdb"}
	found := ruletest.FindingsOf(t, "unbounded-array", ruletest.Database{"machines": dumps(40)}, options)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "by up to 4 a day")
	assert.Contains(t, evidenceNames(found[0]), "limit.date")
	assert.InDelta(t, rulebook.Probability(0.9), found[0].Confidence, 0)
	assert.Empty(t, ruletest.FindingsOf(t, "unbounded-array", ruletest.Database{"machines": dumps(-3)}, options))
}

func evidenceNames(f finding.Finding) (names []string) {
	for _, e := range f.Evidence {
		names = append(names, e.Name)
	}
	return names
}

// TestUnboundedArrayLimit has lists that fill half of what the database
// stores with few elements.
func TestUnboundedArrayLimit(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"charts": parents("pages", []int{1, 2, 30}, func(_, i int) string {
		return fmt.Sprintf(`{"n":%d,"body":"%s"}`, i, strings.Repeat("word ", 2000))
	})}
	found := ruletest.FindingsOf(t, "unbounded-array", db, jsonlint.Options{DB: "dynamodb"})
	require.Len(t, found, 1)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.Contains(t, found[0].Message, "Amazon DynamoDB allows")
	assert.Empty(t, ruletest.FindingsOf(t, "unbounded-array", db, jsonlint.Options{DB: "mongodb"}))
}

func TestUnboundedArrayFix(t *testing.T) {
	t.Parallel()
	posts := parents("comments", append(repeated(10, 1, 2, 5), 40, 60, 300), comment)
	albums := parents("pictures", []int{3, 130, 40}, serial)
	var pictures []string
	for doc, n := range []int{3, 130, 40} {
		for i := range n {
			pictures = append(pictures, fmt.Sprintf(`{"id":%d,"width":%d}`, doc*400+i*3, 100+i))
		}
	}
	backPointing := make([]string, 0, len(pictures))
	for i, p := range pictures {
		backPointing = append(backPointing, strings.TrimSuffix(p, "}")+fmt.Sprintf(`,"albumId":"p%d"}`, min(2, i/3)))
	}
	for _, test := range []struct {
		name   string
		db     ruletest.Database
		rule   jsonlint.RuleOptions
		title  string
		after  []string
		advice string
	}{
		{
			name: "elements", db: ruletest.Database{"posts": posts}, title: "keep recentComments, store each of the comments in postComments",
			after: []string{
				`posts {"id":"p2","name":"parent 2","recentComments":[{"id":5,"text":"comment 4"},{"id":4,"text":"comment 3"},{"id":3,"text":"comment 2"}]}`,
				`postComments {"id":1,"postId":"p2","text":"comment 0"}`,
			},
			advice: `Keep the newest 3 in the post as recentComments, and store each comment as a document with postId, with an index on postId; small elements may share a document, a hundred at a time.`,
		},
		{
			name: "in buckets", db: ruletest.Database{"posts": posts}, rule: jsonlint.RuleOptions{Thresholds: map[string]float64{"bucket": 100}},
			title: "keep recentComments, store the comments in postComments, 100 to a document",
			after: []string{
				`posts {"id":"p2","name":"parent 2","recentComments":[{"id":5,"text":"comment 4"},{"id":4,"text":"comment 3"},{"id":3,"text":"comment 2"}]}`,
				`postComments {"id":"p2:1","postId":"p2","bucket":1,"count":5,`,
			},
		},
		{
			name: "references to one owner", db: ruletest.Database{"albums": append(albums, parents("pictures", []int{0, 0, 0, 1, 1}, func(doc, i int) string { return fmt.Sprint(9000 + doc) })[3:]...), "pictures": pictures},
			title: "drop pictures, let each picture carry albumId",
			after: []string{`albums {"id":"p0","name":"parent 0"}`, `pictures {"id":0,"albumId":"p0","width":100}`, `pictures {"id":3,"albumId":"p0","width":101}`},
		},
		{
			name: "children that name their parent", db: ruletest.Database{"albums": albums, "pictures": backPointing},
			title: "drop pictures, let each picture carry albumId",
			after: []string{`albums {"id":"p0","name":"parent 0"}`, `pictures {"id":0,"width":100,"albumId":"p0"}`}, advice: `Drop pictures: each picture already has albumId, and a query on that, with an index, gives the same list.`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "unbounded-array", test.db, jsonlint.Options{Rules: map[string]jsonlint.RuleOptions{"unbounded-array": test.rule}})
			require.Len(t, found, 1)
			assert.Contains(t, found[0].Advice, test.advice)
			require.Len(t, found[0].Fixes, 1)
			fix := found[0].Fixes[0]
			assert.Equal(t, finding.Plan, fix.Safety)
			assert.Equal(t, test.title, fix.Title)
			for i, want := range test.after {
				require.Greater(t, len(fix.After), i)
				assert.Contains(t, fix.After[i].Collection+" "+string(fix.After[i].Document), want)
			}
			ruletest.AssertNothingLost(t, fix)
		})
	}
}

// TestUnboundedArraySplit gives one collection in one file and in ten.
func TestUnboundedArraySplit(t *testing.T) {
	t.Parallel()
	documents := parents("comments", append(repeated(19, 1, 2, 7), 40, 60, 90), comment)
	messages := func(files int) (out []string) {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(files))
		require.NoError(t, os.Mkdir(dir, 0o700))
		each := len(documents) / files
		var inputs []string
		options := jsonlint.Options{Jobs: 4}
		options.Source.Collections = append(options.Source.Collections, source.CollectionRule{Name: "posts", Glob: "*.jsonl"})
		for i := range files {
			file := filepath.Join(dir, fmt.Sprintf("part%02d.jsonl", i))
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(documents[i*each:(i+1)*each], "\n")), 0o600))
			inputs = append(inputs, file)
		}
		for _, f := range ruletest.FindingsIn(t, "unbounded-array", inputs, options) {
			require.Len(t, f.Fixes, 1)
			out = append(out, fmt.Sprint(f.Subject, f.Message, f.Advice, f.Evidence, string(f.Fixes[0].Before)))
		}
		return out
	}
	one := messages(1)
	require.Len(t, one, 1)
	assert.Equal(t, one, messages(10))
}

func TestFeatureCollectionIsNoList(t *testing.T) {
	t.Parallel()
	file := func(kind string) ruletest.Database {
		return ruletest.Database{"places": {fmt.Sprintf(`{"id":"a","type":%q,"features":[%s]}`, kind, ruletest.Joined(400, func(i int) string {
			return fmt.Sprintf(`{"type":"Feature","properties":{"name":"place %d"},"geometry":{"type":"Point","coordinates":[%d,1]}}`, i, i)
		}))}}
	}
	assert.Empty(t, ruletest.FindingsOf(t, "unbounded-array", file("FeatureCollection"), jsonlint.Options{}))
	assert.Len(t, ruletest.FindingsOf(t, "unbounded-array", file("Map"), jsonlint.Options{}), 1)
}
