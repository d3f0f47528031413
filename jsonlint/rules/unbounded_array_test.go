package rules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// joined makes n elements and joins them with commas.
func joined(n int, element func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = element(i)
	}
	return strings.Join(all, ",")
}

// parents makes a document for each length: a name, an id and a list.
func parents(list string, lengths []int, element func(doc, i int) string) []string {
	var out []string
	for doc, n := range lengths {
		out = append(out, fmt.Sprintf(`{"id":"p%d","name":"parent %d","%s":[%s]}`, doc, doc, list,
			joined(n, func(i int) string { return element(doc, i) })))
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
	runShapeCases(t, "unbounded-array", []shapeCase{
		{
			name: "a few lists far longer than the rest",
			db:   database{"posts": parents("comments", append(repeated(10, 1, 2, 3), 40, 60, 300), comment)},
			want: []string{"warning posts.jsonl:33 comments"},
			says: "up to 300 elements in one document (median 2)",
		},
		{
			name: "the length alone, without a telling name",
			db:   database{"rooms": parents("parts", []int{12, 260, 3}, part)},
			want: []string{"warning rooms.jsonl:2 parts"},
		},
		{
			name: "ten thousand elements",
			db:   database{"rooms": parents("parts", []int{12, 10_000, 3}, part)},
			want: []string{"error rooms.jsonl:2 parts"},
		},
		{
			name: "plain strings of a few hundred",
			db: database{"articles": parents("keywords", []int{3, 300, 12}, func(_, i int) string {
				return fmt.Sprintf(`"word %d"`, i)
			})},
		},
		{
			name: "numbers of a vector",
			db:   database{"items": parents("weights", repeated(7, 400, 700, 900), func(doc, i int) string { return fmt.Sprintf("0.%d", doc+i) })},
		},
		{
			name: "references by their name",
			db: database{"teams": parents("memberIds", []int{12, 120, 30}, func(doc, i int) string {
				return fmt.Sprintf(`"m%d"`, (doc*31+i)%150)
			})},
			want: []string{"warning teams.jsonl:2 memberIds"},
			says: "list of references",
		},
		{
			name: "a shared vocabulary of references",
			db: database{"teams": parents("tagIds", repeated(5, 12, 120, 30), func(doc, i int) string {
				return fmt.Sprintf(`"m%d"`, (doc*31+i)%150)
			})},
		},
		{
			name: "numbers that occur in one document only are ids of children",
			db:   database{"albums": parents("pictures", repeated(10, 80, 110, 119), serial)},
			want: []string{"warning albums.jsonl:3 pictures"},
			says: "list of references",
		},
		{
			name: "all lists alike",
			db:   database{"devices": parents("events", repeated(7, 300), comment)},
		},
		{
			name: "a hard cap",
			db:   database{"devices": parents("events", repeated(8, 500, 20, 500, 311), comment)},
		},
		{
			name: "a marked selection",
			db:   database{"posts": parents("recentComments", append(repeated(10, 0, 1, 1), 30, 45, 50), comment)},
		},
		{
			name: "one to few",
			db:   database{"persons": parents("addresses", repeated(10, 1, 2, 3), part)},
		},
		{
			name: "the lines of an order",
			db:   database{"orders": parents("items", append(repeated(10, 1, 2, 3), 40, 60, 300), part)},
		},
		{
			name: "lists that are what their documents are",
			db: database{"quizzes": parents("questions", repeated(8, 36, 41, 45, 48), func(doc, i int) string {
				return fmt.Sprintf(`{"text":"%s","n":%d}`, strings.Repeat("x", 300), (doc+i)%3)
			})},
		},
		{
			name: "buckets",
			db: database{"readings": times(0, 30, `{"id":"r%[1]d","sensorId":"s3","page":%[1]d,"readings":[`+
				joined(290, func(i int) string { return fmt.Sprintf(`{"at":%d,"v":1}`, i) })+`,{"at":%[1]d,"v":2}]}`)},
		},
		{
			name: "a page of results",
			db: database{"answer": {`{"total":1200,"skip":0,"items":[` +
				joined(400, func(i int) string { return part(1, i) }) + `]}`}},
		},
		{
			name: "a geometry",
			db: database{"areas": times(0, 30, `{"id":"a%[1]d","geometry":{"type":"Polygon","coordinates":[[`+
				joined(12_000, func(i int) string { return fmt.Sprintf("[%d.5,1.5]", i%90) })+`]]}}`)},
		},
		{
			name: "most bytes of the large documents",
			db: database{"species": append(
				parents("texts", repeated(10, 2, 3, 4), func(_, i int) string { return fmt.Sprintf(`{"text":"%s","n":%d}`, strings.Repeat("x", 300), i%3) }),
				parents("texts", []int{36, 41, 45, 48}, func(_, i int) string { return fmt.Sprintf(`{"text":"%s","n":%d}`, strings.Repeat("x", 300), i%3) })...)},
			want: []string{"warning species.jsonl:34 texts"},
			says: "of the bytes of the largest documents",
		},
		{
			name: "an example of which the author left elements out",
			db:   database{"posts": {`{"id":"1","comments":[{"id":1,"text":"a"},{"id":2,"text":"b"},{"id":100001,"text":"c"}]}`}},
			want: []string{"warning posts.jsonl:1 comments"},
			says: "100,001",
		},
		{
			name: "an example with a telling name only",
			db:   database{"posts": {`{"id":"1","comments":[{"id":1,"text":"a"},{"id":2,"text":"b"}]}`}},
		},
	})
}

func TestUnboundedArrayElision(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "unbounded-array", database{"publisher": {`{"id":"p","books":[1, 2, 3, ..., 100, ..., 1000]}`}, "book": {`{"id":"1","name":"A"}`}}, jsonlint.Options{})
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
				joined(length(i), func(k int) string { return part(i, k) })))
		}
		return out
	}
	growing := findingsOf(t, "unbounded-array", database{"machines": documents(func(i int) int { return 45 - i })}, jsonlint.Options{})
	require.Len(t, growing, 1)
	assert.Contains(t, growing[0].Message, "the older the document")
	assert.Empty(t, findingsOf(t, "unbounded-array", database{"machines": documents(func(i int) int { return 5 + i*17%40 })}, jsonlint.Options{}))
}

// TestUnboundedArraySnapshots has two dumps of the same documents, ten days
// apart.
func TestUnboundedArraySnapshots(t *testing.T) {
	t.Parallel()
	dumps := func(grow int) (out []string) {
		for dump := range 2 {
			for i := range 15 {
				out = append(out, fmt.Sprintf(`{"id":"m%d","_ts":%d,"parts":[%s]}`, i, 1_770_000_000+dump*864_000,
					joined(20+i+dump*grow, func(k int) string { return fmt.Sprintf(`{"serial":"x%d","w":%d}`, k, i) })))
			}
		}
		return out
	}
	options := jsonlint.Options{DB: "cosmosdb"}
	found := findingsOf(t, "unbounded-array", database{"machines": dumps(40)}, options)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "by up to 4.0 a day")
	assert.Contains(t, evidenceNames(found[0]), "limit.date")
	assert.InDelta(t, 0.9, found[0].Confidence, 0)
	assert.Empty(t, findingsOf(t, "unbounded-array", database{"machines": dumps(-3)}, options))
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
	db := database{"charts": parents("pages", []int{1, 2, 30}, func(_, i int) string {
		return fmt.Sprintf(`{"n":%d,"body":"%s"}`, i, strings.Repeat("word ", 2000))
	})}
	found := findingsOf(t, "unbounded-array", db, jsonlint.Options{DB: "dynamodb"})
	require.Len(t, found, 1)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.Contains(t, found[0].Message, "Amazon DynamoDB allows")
	assert.Empty(t, findingsOf(t, "unbounded-array", db, jsonlint.Options{DB: "mongodb"}))
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
		db     database
		rule   jsonlint.RuleOptions
		title  string
		after  []string
		advice string
	}{
		{
			name: "elements", db: database{"posts": posts}, title: "keep recentComments, store each of the comments in postComments",
			after: []string{
				`posts {"id":"p2","name":"parent 2","recentComments":[{"id":5,"text":"comment 4"},{"id":4,"text":"comment 3"},{"id":3,"text":"comment 2"}]}`,
				`postComments {"id":1,"postId":"p2","text":"comment 0"}`,
			},
			advice: "carries postId",
		},
		{
			name: "in buckets", db: database{"posts": posts}, rule: jsonlint.RuleOptions{Thresholds: map[string]float64{"bucket": 100}},
			title: "keep recentComments, store the comments in postComments, 100 to a document",
			after: []string{
				`posts {"id":"p2","name":"parent 2","recentComments":[{"id":5,"text":"comment 4"},{"id":4,"text":"comment 3"},{"id":3,"text":"comment 2"}]}`,
				`postComments {"id":"p2:1","postId":"p2","bucket":1,"count":5,`,
			},
		},
		{
			name: "references to one owner", db: database{"albums": append(albums, parents("pictures", []int{0, 0, 0, 1, 1}, func(doc, i int) string { return fmt.Sprint(9000 + doc) })[3:]...), "pictures": pictures},
			title: "drop pictures, let each picture carry albumId",
			after: []string{`albums {"id":"p0","name":"parent 0"}`, `pictures {"id":0,"albumId":"p0","width":100}`, `pictures {"id":3,"albumId":"p0","width":101}`},
		},
		{
			name: "children that name their parent", db: database{"albums": albums, "pictures": backPointing},
			title: "drop pictures, let each picture carry albumId",
			after: []string{`albums {"id":"p0","name":"parent 0"}`, `pictures {"id":0,"width":100,"albumId":"p0"}`}, advice: "Drop pictures: each picture carries albumId already",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			found := findingsOf(t, "unbounded-array", test.db, jsonlint.Options{Rules: map[string]jsonlint.RuleOptions{"unbounded-array": test.rule}})
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
			assertNothingLost(t, fix)
		})
	}
}

// assertNothingLost checks that every value before a fix is there after it.
func assertNothingLost(t *testing.T, fix finding.Fix) {
	t.Helper()
	var before any
	require.NoError(t, json.Unmarshal(fix.Before, &before))
	after := map[string]bool{}
	for _, d := range fix.After {
		var v any
		require.NoError(t, json.Unmarshal(d.Document, &v))
		for _, s := range scalars(v) {
			after[s] = true
		}
	}
	for _, s := range scalars(before) {
		assert.True(t, after[s], "%s is lost", s)
	}
}

func scalars(v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for _, m := range v {
			out = append(out, scalars(m)...)
		}
	case []any:
		for _, e := range v {
			out = append(out, scalars(e)...)
		}
	default:
		out = append(out, fmt.Sprintf("%T %v", v, v))
	}
	return out
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
		for _, f := range findingsIn(t, "unbounded-array", inputs, options) {
			require.Len(t, f.Fixes, 1)
			out = append(out, fmt.Sprint(f.Subject, f.Message, f.Advice, f.Evidence, string(f.Fixes[0].Before)))
		}
		return out
	}
	one := messages(1)
	require.Len(t, one, 1)
	assert.Equal(t, one, messages(10))
}
