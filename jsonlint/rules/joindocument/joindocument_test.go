package joindocument_test

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
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
	"github.com/shapevet/shapevet/jsonlint/source"
)

var (
	someAuthors = ruletest.Times(1, 9, `{"id":"a%d","name":"Author %[1]d"}`)
	someBooks   = ruletest.Times(1, 9, `{"id":"b%d","name":"Book %[1]d"}`)
)

// links ties n documents of each side together, each with the next few of the
// other side.
func links(n, each int, format string) []string {
	var out []string
	for a := 1; a <= n; a++ {
		for k := range each {
			out = append(out, fmt.Sprintf(format, a, (a+k-1)%n+1))
		}
	}
	return out
}

func TestJoinDocument(t *testing.T) {
	t.Parallel()
	joins := links(9, 3, `{"id":"a%[1]d.b%[2]d","authorId":"a%[1]d","bookId":"b%[2]d"}`)
	ruletest.Run(t, "join-document", []ruletest.ShapeCase{
		{
			Name: "both sides are known",
			DB:   ruletest.Database{"authors": someAuthors, "books": someBooks, "authorBooks": joins},
			Want: []string{"warning authorBooks.jsonl:1 "},
			Says: `authorBooks documents only connect authors with books: authorId and bookId are all that the 27 documents hold (id is made of the two); an author has up to 3 books, a book up to 3 authors`,
		},
		{
			Name: "by codes that are no ids", DB: ruletest.Database{
				"countries":      ruletest.Times(1, 20, `{"id":%d,"page":"/country/x%[1]dy","name":"Country %[1]d"}`),
				"countryBorders": links(20, 3, `{"countryId":"/country/x%[1]dy","borderId":"/country/x%[2]dy"}`)},
			Want: []string{"warning countryBorders.jsonl:1 "},
		},
		{Name: "names alone", DB: ruletest.Database{"authorBooks": joins[:3]}, Want: []string{"warning authorBooks.jsonl:1 "}},
		{Name: "two documents, both sides known", DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "written": joins[:2]}, Want: []string{"warning written.jsonl:1 "}},
		{Name: "one reference of which is an empty object", DB: ruletest.Database{"authors": someAuthors, "books": someBooks,
			"written": append(joins, `{"id":"x","authorId":{},"bookId":"b1"}`)}, Want: []string{"warning written.jsonl:1 "}},
		{Name: "two documents, names alone", DB: ruletest.Database{"authorBooks": joins[:2]}},
		{Name: "what people write is content", DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "remarks": links(9, 3,
			`{"id":"a%[1]d.b%[2]d","authorId":"a%[1]d","bookId":"b%[2]d","text":"on %[1]d and %[2]d"}`)}},
		{
			Name: "housekeeping is no content",
			DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "links": links(9, 2,
				`{"_id":"x%d-%d","authorId":"a%[1]d","bookId":"b%[2]d","createdAt":"2026-01-01","__v":0,"_etag":"e","type":"link","tenantId":"t1","source":"import"}`)},
			Want: []string{"warning links.jsonl:1 "},
		},
		{Name: "likes, each at its time", DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "likes": links(9, 2,
			`{"_id":"x%d-%d","authorId":"a%[1]d","bookId":"b%[2]d","createdAt":"2026-01-%02[1]dT10:%02[2]d:00Z"}`)}},
		{Name: "what users chose, each at its time", DB: ruletest.Database{"users": someAuthors, "books": someBooks, "picks": links(9, 2,
			`{"_id":"x%d-%d","userId":"a%[1]d","bookId":"b%[2]d","createdAt":"2026-01-%02[1]dT10:%02[2]d:00Z"}`)}},
		{
			Name: "links, each at its time",
			DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "written": links(9, 2,
				`{"_id":"x%d-%d","authorId":"a%[1]d","bookId":"b%[2]d","createdAt":"2026-01-%02[1]dT10:%02[2]d:00Z"}`)},
			Want: []string{"warning written.jsonl:1 "},
		},
		{
			Name: "who made the link and when",
			DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "editors": ruletest.Times(1, 9, `{"id":"e%d","name":"E"}`), "links": links(9, 2,
				`{"_id":"x%d-%d","uuid":"u%[1]d-%[2]d","authorId":"a%[1]d","bookId":"b%[2]d","assigned_by":"e1","assignedAt":"2026-01-01","grantedAt":"2026-01-01","is_active":true}`)},
			Want: []string{"warning links.jsonl:1 "}, Says: "authorId and bookId are all that",
		},
		{
			Name: "an id of two parts",
			DB:   ruletest.Database{"authors": someAuthors, "books": someBooks, "written": links(9, 2, `{"_id":{"author":"a%d","book":"b%d"}}`)},
			Want: []string{"warning written.jsonl:1 "}, Says: "_id.author and _id.book",
		},
		{
			Name: "reference objects",
			DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "written": links(9, 2,
				`{"_id":"x%d-%d","author":{"$ref":"authors","$id":"a%[1]d"},"book":{"$ref":"books","$id":"b%[2]d"}}`)},
			Want: []string{"warning written.jsonl:1 "},
		},
		{
			Name: "attributes of the link",
			DB:   ruletest.Database{"authors": someAuthors, "books": someBooks, "written": links(9, 2, `{"authorId":"a%d","bookId":"b%d","role":"editor"}`)},
		},
		{
			Name: "two roles of one collection",
			DB:   ruletest.Database{"users": ruletest.Times(1, 9, `{"id":"u%d"}`), "mentorings": links(9, 2, `{"mentorUserId":"u%d","menteeUserId":"u%d"}`)},
			Want: []string{"warning mentorings.jsonl:1 "},
		},
		{
			Name: "links without bounds by their name",
			DB:   ruletest.Database{"users": ruletest.Times(1, 9, `{"id":"u%d"}`), "follows": links(9, 2, `{"followerUserId":"u%d","followedUserId":"u%d"}`)},
			Want: []string{"info follows.jsonl:1 "},
		},
		{Name: "one kind of many in a container", DB: ruletest.Database{"all": ruletest.Concat(
			ruletest.Times(1, 9, `{"id":"a%d","type":"author","firstName":"A","lastName":"B%[1]d"}`),
			ruletest.Times(1, 9, `{"id":"b%d","type":"book","title":"T%[1]d","pages":3,"isbn":"x%[1]d"}`),
			links(9, 3, `{"id":"a%d-b%d","type":"written","authorId":"a%[1]d","bookId":"b%[2]d"}`))},
			Want: []string{"warning all.jsonl:19 "},
		},

		{Name: "an entity", DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "contracts": links(9, 2,
			`{"authorId":"a%d","bookId":"b%d","status":"open","share":3,"currency":"EUR"}`)}},
		{Name: "a list of its own", DB: ruletest.Database{"students": someAuthors, "classes": someBooks, "grades": links(9, 2,
			`{"studentId":"a%d","classId":"b%d","scores":[1,2,3]}`)}},
		{Name: "a text of its own", DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "reviews": links(9, 2,
			`{"authorId":"a%d","bookId":"b%d","text":"A long text about a book that somebody has read with care and joy."}`)}},
		{Name: "a child with one reference", DB: ruletest.Database{"publishers": someAuthors, "books": links(9, 2, `{"id":"x%d-%d","publisherId":"a%[1]d"}`)}},
		{Name: "pairs that come again", DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "visits": ruletest.Concat(joins, joins)}},
		{Name: "a tenant", DB: ruletest.Database{"tenants": someAuthors, "users": someBooks, "seats": links(9, 2, `{"tenantId":"a%d","userId":"b%d"}`)}},
		{Name: "an id of another system", DB: ruletest.Database{"users": someAuthors, "phones": links(9, 2, `{"userId":"a%d","deviceId":"d%d"}`)}},
		{Name: "opaque texts", DB: ruletest.Database{"passwords": links(9, 2, `{"id":"c%d-%d","hash":"h%[1]d","salt":"s%[2]d"}`)}},
		{Name: "three ids", DB: ruletest.Database{"pupils": someAuthors, "courses": someBooks, "terms": ruletest.Times(1, 9, `{"id":"t%d"}`), "seats": links(9, 2,
			`{"pupilId":"a%d","courseId":"b%d","termId":"t1"}`)}},
		{Name: "others refer to it", DB: ruletest.Database{"authors": someAuthors, "books": someBooks, "contracts": links(9, 1, `{"id":"c%d%d","authorId":"a%[1]d","bookId":"b%[2]d"}`),
			"payments": ruletest.Times(1, 9, `{"id":"p%d","contractId":"c%[1]d%[1]d","amount":3}`)}},
	})
}

func TestJoinDocumentNotInDynamoDB(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"authors": someAuthors, "books": someBooks, "authorBooks": links(9, 3, `{"authorId":"a%d","bookId":"b%d"}`)}
	assert.Empty(t, ruletest.FindingsOf(t, "join-document", db, jsonlint.Options{DB: "dynamodb"}))
	firestore := ruletest.FindingsOf(t, "join-document", db, jsonlint.Options{DB: "firestore"})
	require.Len(t, firestore, 1)
	assert.Equal(t, finding.Info, firestore[0].Severity)
}

// TestJoinDocumentPlans: the measured number of links decides.
func TestJoinDocumentPlans(t *testing.T) {
	t.Parallel()
	tied := func(tags, posts int, tied func(tag, post int) bool) ruletest.Database {
		db := ruletest.Database{}
		for tag := range tags {
			db["tags"] = append(db["tags"], fmt.Sprintf(`{"id":%d,"name":"Tag %[1]d"}`, tag))
			for post := range posts {
				if tied(tag, post) {
					db["tagPosts"] = append(db["tagPosts"], fmt.Sprintf(`{"tagId":%d,"postId":%d}`, tag, post))
				}
			}
		}
		for post := range posts {
			db["posts"] = append(db["posts"], fmt.Sprintf(`{"id":%d,"title":"Post %[1]d"}`, post))
		}
		return db
	}
	for name, tc := range map[string]struct {
		db       ruletest.Database
		severity finding.Severity
		advice   string
		after    []string // collections and new members of the example
	}{
		"few on both sides": {
			tied(30, 30, func(tag, post int) bool { return (tag+post)%11 == 0 }), finding.Warning, "Let each side list the other",
			[]string{"tags posts", "posts tags", "posts tags"},
		},
		"few on one side": {
			tied(3, 400, func(int, int) bool { return true }), finding.Warning, "Store an array of tag ids in posts",
			[]string{"posts tags"},
		},
		"many on both sides": {
			tied(270, 270, func(int, int) bool { return true }), finding.Info, `Keep these documents: both sides have hundreds of links, too many for arrays. Give them the id tag:post, so that no pair is stored twice, a partition key that serves the more frequent query, and copies of the names that lists show.`, nil,
		},
		"one on one side": {
			tied(5, 40, func(tag, post int) bool { return post%5 == tag }), finding.Warning, "each of the 40 posts has one tag",
			[]string{"posts tagId"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "join-document", tc.db, jsonlint.Options{})
			require.Len(t, found, 1)
			assert.Equal(t, tc.severity, found[0].Severity)
			assert.Contains(t, found[0].Advice, tc.advice)
			if tc.after == nil {
				assert.Empty(t, found[0].Fixes)
				return
			}
			require.Len(t, found[0].Fixes, 1)
			var after []string
			for _, d := range found[0].Fixes[0].After {
				var members map[string]any
				require.NoError(t, json.Unmarshal(d.Document, &members))
				delete(members, "id")
				delete(members, "name")
				delete(members, "title")
				for name := range members {
					after = append(after, d.Collection+" "+name)
				}
			}
			require.GreaterOrEqual(t, len(after), len(tc.after))
			assert.Equal(t, tc.after, after[:len(tc.after)])
		})
	}
}

// TestJoinDocumentFix: the arrays are complete, sorted, without duplicates, and
// of the type of the ids.
func TestJoinDocumentFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "join-document", ruletest.Database{
		"authors": {`{"id":10,"name":"Thomas Andersen"}`, `{"id":9,"name":"William Wakefield"}`},
		"books":   {`{"id":"1","name":"Documents 101"}`, `{"id":"2","name":"Documents for Minds"}`, `{"id":"10","name":"Taming"}`},
		"joins": {
			`{"authorId":10,"bookId":10}`, `{"authorId":10,"bookId":2}`, `{"authorId":10,"bookId":1}`, `{"authorId":9,"bookId":1}`,
		},
	}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Plan, fix.Safety)
	var before []finding.DocumentInPlace
	require.NoError(t, json.Unmarshal(fix.Before, &before))
	assert.Len(t, before, 8, "four joins, one author, three books")
	var after []string
	for _, d := range fix.After {
		after = append(after, d.Collection+" "+string(d.Document))
	}
	assert.ElementsMatch(t, []string{
		`authors {"id":10,"name":"Thomas Andersen","books":["1","2","10"]}`,
		`books {"id":"1","name":"Documents 101","authors":[9,10]}`,
		`books {"id":"2","name":"Documents for Minds","authors":[10]}`,
		`books {"id":"10","name":"Taming","authors":[10]}`,
	}, after)
}

// TestReferenceRulesSplitInput: a collection in ten files is judged like one
// in one file.
func TestReferenceRulesSplitInput(t *testing.T) {
	t.Parallel()
	collections := ruletest.Database{
		"authors":     ruletest.Times(1, 40, `{"id":"a%d","name":"Author %[1]d","books":["b%[1]d","b%[1]d"],"agentId":"g%[1]d"}`),
		"books":       ruletest.Times(1, 39, `{"id":"b%d","name":"Book %[1]d","authors":["a%[1]d"],"shelfId":%[1]d}`),
		"shelves":     ruletest.Times(1, 40, `{"id":"%d"}`),
		"agents":      ruletest.Times(1, 38, `{"id":"g%d"}`),
		"authorBooks": links(38, 3, `{"authorId":"a%d","bookId":"b%d"}`),
	}
	collections["authors"][0] = `{"id":"a1","name":"Author 1","books":["b1","b2"]}`
	check := func(parts int) string {
		dir := t.TempDir()
		var inputs []string
		var o jsonlint.Options
		o.Jobs = 3
		for name, documents := range collections {
			o.Source.Collections = append(o.Source.Collections, source.CollectionRule{Name: name, Glob: "**/" + name + ".*.jsonl"})
			for i := range parts {
				part := documents[i*len(documents)/parts : (i+1)*len(documents)/parts]
				file := filepath.Join(dir, fmt.Sprintf("%s.%d.jsonl", name, i))
				require.NoError(t, os.WriteFile(file, []byte(strings.Join(part, "\n")+"\n"), 0o600))
				inputs = append(inputs, file)
			}
		}
		var out []string
		for _, rule := range []string{"join-document", "reference-type-mismatch", "dangling-reference", "missing-reference", "inconsistent-many-to-many", "duplicate-reference"} {
			for _, f := range ruletest.FindingsIn(t, rule, inputs, o) {
				f.Location, f.Related = finding.Location{}, nil
				for i := range f.Fixes {
					f.Fixes[i].Edits = nil
				}
				text, err := json.Marshal(f)
				require.NoError(t, err)
				out = append(out, string(text))
			}
		}
		return strings.Join(out, "\n")
	}
	one := check(1)
	for _, rule := range []string{"join-document", "reference-type-mismatch", "dangling-reference", "missing-reference", "inconsistent-many-to-many"} {
		assert.Contains(t, one, `"rule":"`+rule+`"`)
	}
	assert.Equal(t, one, check(10))
}

// What is said about a pair makes it a thing of its own, or not: that is told
// only to those who want to hear all.
func TestJoinDocumentWithAttributes(t *testing.T) {
	t.Parallel()
	for says, documents := range map[string][]string{
		`written documents connect authors with books and hold role as well, in 18 documents; an author has up to 2 books, a book up to 2 authors`: links(9, 2,
			`{"authorId":"a%d","bookId":"b%d","role":"editor"}`),
		`written documents connect authors with books and hold is_active as well, in 19 documents; an author has up to 3 books, a book up to 3 authors`: ruletest.Concat(
			links(9, 2, `{"authorId":"a%d","bookId":"b%d","is_active":true}`), []string{`{"authorId":"a1","bookId":"b7","is_active":false}`}),
	} {
		found := ruletest.FindingsOf(t, "join-document", ruletest.Database{
			"authors": someAuthors, "books": someBooks, "written": documents,
		}, jsonlint.Options{Strict: true})
		require.Len(t, found, 1)
		assert.Equal(t, says, found[0].Message)
	}
}
