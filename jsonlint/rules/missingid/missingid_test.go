package missingid_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// lines are those of so many orders, with their numbers.
func lines(orders int) (all []string) {
	for order := range orders {
		for line := range 6 {
			all = append(all, fmt.Sprintf(`{"order":"o%d","line":%d,"text":"thing"}`, order, line))
		}
	}
	return all
}

// Where no collection has ids, that is one mistake.
func TestMissingIDEverywhere(t *testing.T) {
	t.Parallel()
	goods := ruletest.Times(0, 12, `{"price":9%d7,"note":"Note"}`)
	sales := ruletest.Times(0, 30, `{"price":9%d7,"note":"Note","goods_id":7}`)
	users, articles := ruletest.Times(1, 30, `{"id":"u%d"}`), ruletest.Times(1, 40, `{"id":"a%d","title":"About %[1]d"}`)
	favourites := append(ruletest.Times(1, 20, `{"userId":"u3","articleId":"a%d","since":"2024-05-01"}`), `{"userId":"u1","articleId":"a4","since":"2024-05-01"}`)
	ruletest.Run(t, "missing-id", []ruletest.ShapeCase{
		{Name: "a key of their own, which two have, and the id in a few", DB: ruletest.Database{"visits": ruletest.Concat(ruletest.Times(1, 30, `{"visit_id":%d,"note":"Note"}`), []string{`{"visit_id":30,"id":1,"note":"Note"}`, `{"visit_id":31,"id":2,"note":"Note"}`})}},
		{Name: "a few that refer to documents without", DB: ruletest.Database{"rooms": ruletest.Times(1, 4, `{"roomNumber":"p%d"}`), "stays": ruletest.Times(1, 4, `{"roomNumber":"p%d","nights":3}`)}},
		{Name: "a natural key, while another collection counts on numbers", DB: ruletest.Database{"users": ruletest.Times(1, 12, `{"email":"u%d@example.com"}`), "posts": ruletest.Times(1, 12, `{"id":"p%d","UserId":%[1]d}`)},
			Want: []string{"info users.jsonl:1 "}, Says: `none of 12 documents has an "id"; "email" is different in each, though posts.UserId refers to ids of theirs`},
		{Name: "a natural key, while another collection counts on numbers in texts", DB: ruletest.Database{"users": ruletest.Times(1, 12, `{"email":"u%d@example.com"}`), "posts": ruletest.Times(1, 12, `{"id":"p%d","UserId":"%[1]d"}`)},
			Want: []string{"info users.jsonl:1 "}},
		{Name: "a natural key, to which another collection refers", DB: ruletest.Database{"users": ruletest.Times(1, 4, `{"number":%d00,"email":"u%[1]d@example.com"}`), "posts": ruletest.Times(1, 4, `{"id":"p%d","userId":%[1]d00}`)}},
		{Name: "a natural key, while texts say something else", DB: ruletest.Database{"users": ruletest.Times(1, 4, `{"email":"u%d@example.com"}`), "posts": ruletest.Times(1, 4, `{"id":"p%d","userId":"guest %[1]d"}`)}},
		{Name: "a natural key that is named after the documents, and other numbers", DB: ruletest.Database{"users": ruletest.Times(1, 4, `{"userId":%d}`), "posts": ruletest.Times(1, 4, `{"id":"p%d","UserId":7%[1]d1}`)}},
		{Name: "a number named after the documents, which is personal in others", DB: ruletest.Database{"address": ruletest.Times(1, 12, `{"address_id":%d,"note":"Note"}`), "users": ruletest.Times(1, 12, `{"id":"u%d"}`)}},
		{Name: "in several, beside one that has ids", DB: ruletest.Database{"goods": goods, "sales": sales, "visits": ruletest.Times(0, 14, `{"day":"d","note":"Note"}`), "users": ruletest.Times(1, 12, `{"id":"u%d"}`)},
			Want: []string{"warning sales.jsonl:1 "}, Says: "nor has any of visits and goods"},
		{Name: "in two, beside one that has ids", DB: ruletest.Database{"goods": goods, "sales": sales, "users": ruletest.Times(1, 12, `{"id":"u%d"}`)},
			Want: []string{"warning goods.jsonl:1 ", "warning sales.jsonl:1 "}},
		{Name: "in none of two collections", DB: ruletest.Database{"goods": goods, "sales": sales}, Want: []string{"warning sales.jsonl:1 "}, Says: "none of 30 documents has an id, nor has any of goods"},
		{Name: "favourites, which users and articles identify together", DB: ruletest.Database{"users": users, "articles": articles, "favourites": favourites},
			Want: []string{"info favourites.jsonl:1 "}, Says: "userId and articleId together are different in each"},
		{Name: "favourites, of which a user has one twice", DB: ruletest.Database{"users": users, "articles": articles, "favourites": append(slices.Clip(favourites), `{"userId":"u3","articleId":"a4","since":"2024-05-09"}`)},
			Want: []string{"warning favourites.jsonl:1 "}},
		{Name: "two users in each document", DB: ruletest.Database{"users": users, "thanks": append(ruletest.Times(1, 20, `{"fromUserId":"u3","toUserId":"u%d","since":"2024-05-01"}`), `{"fromUserId":"u1","toUserId":"u4","since":"2024-05-01"}`)},
			Want: []string{"warning thanks.jsonl:1 "}},
		{Name: "another collection has ids", DB: ruletest.Database{"goods": goods, "sales": sales, "users": ruletest.Times(1, 9, `{"id":"%d"}`)}, Want: []string{"warning goods.jsonl:1 ", "warning sales.jsonl:1 "}},
	})
}

// TestMissingIDOfAFewFavourites: both references make the id, even if one of them is
// still different in each document.
func TestMissingIDOfAFewFavourites(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "missing-id", ruletest.Database{
		"users": ruletest.Times(1, 5, `{"id":"u%d"}`), "articles": ruletest.Times(1, 9, `{"id":"a%d"}`),
		"favourites": ruletest.Times(1, 4, `{"userId":"u3","articleId":"a%d","since":"2024-05-01"}`),
	}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, "favourites: none of 4 documents has an id; userId and articleId together are different in each", found[0].Message)
	assert.Contains(t, found[0].Advice, `"<userId>:<articleId>"`)
}

// TestMissingIDWithTheKeyOfOthers: a few documents have the key that a program gives all.
func TestMissingIDWithTheKeyOfOthers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		goods []string
		key   string
		found int
	}{
		{"of many others", ruletest.Times(1, 20, `{"firebase_id":"g%d","price":3}`), "firebase_id", 0},
		{"of a few others", ruletest.Times(1, 9, `{"firebase_id":"g%d","price":3}`), "firebase_id", 1},
		{"of the documents that they refer to", ruletest.Times(1, 20, `{"product_id":"g%d","price":3}`), "product_id", 1},
		{"which repeats in others", append(ruletest.Times(1, 20, `{"id":%d,"firebase_id":"g%[1]d"}`), `{"id":21,"firebase_id":"g1"}`), "firebase_id", 1},
	} {
		db := ruletest.Database{"products": test.goods, "sales": ruletest.Times(1, 9, `{"id":"s%d"}`), "sent": ruletest.Times(1, 6, `{"`+test.key+`":"g%d","saleId":"s7","weight":0.5,"note":"by post","paid":true,"gift":false}`)}
		found := slices.DeleteFunc(ruletest.FindingsOf(t, "missing-id", db, jsonlint.Options{}), func(f finding.Finding) bool { return f.Subject.Collection != "sent" })
		assert.Len(t, found, test.found, test.name)
	}
}

func TestMissingID(t *testing.T) {
	t.Parallel()
	comments := []string{
		`{"postId":"p1","content":"First."}`, `{"postId":"p1","content":"Second."}`, `{"postId":"p2","content":"Third."}`,
	}
	people := []string{`{"ssn":719736807,"fullName":"Ann Ede"}`, `{"ssn":205176305,"fullName":"Bob Ott"}`, `{"ssn":305176305,"fullName":"Bob Ott"}`}
	ruletest.Expect(t, "missing-id", []ruletest.Expectation{
		{Name: "none has one", Documents: ruletest.Numbered(10, `{"postId":"p1","content":"same","share":0.%d7}`), Want: []string{"warning  1:1"}, Message: "none of 10 documents has an id"},
		{Name: "none of a few", Documents: comments},
		{Name: "none of a few, for a database that wants one", Documents: comments, Options: jsonlint.Options{DB: "cosmosdb"}, Want: []string{"warning  1:1"}},
		{Name: "words that are different in each", Documents: ruletest.Numbered(12, `{"genus":"bacterium no %d","dose":1}`)},
		{Name: "words that are different in each of a few", Documents: ruletest.Numbered(9, `{"genus":"bacterium no %d","dose":1}`)},
		{Name: "words that repeat in a few", Documents: ruletest.Numbered(9, `{"genus":"bacterium","dose":%d.5}`)},
		{Name: "words that repeat in more", Documents: ruletest.Numbered(10, `{"genus":"bacterium","dose":0.%d7}`), Want: []string{"warning  1:1"}},
		{Name: "a few for a database that makes none", Documents: ruletest.Numbered(4, `{"genus":"bacterium no %d","dose":1}`), Options: jsonlint.Options{DB: "couchbase"},
			Want: []string{"warning  1:1"}},
		{Name: "a few that are called after the collection", Documents: ruletest.Numbered(4, `{"nombreItem":"bacterium no %d","dose":1}`)},
		{Name: "an action before each gives the id", Documents: ruletest.Numbered(10, `{"index":{"_index":"shop","_id":"p%d"}}`+"\n"+`{"postId":"p1","content":"same"}`)},
		{Name: "an action before each gives none", Documents: ruletest.Numbered(10, `{"index":{"_index":"shop%d"}}`+"\n"+`{"postId":"p1","content":"same"}`),
			Want: []string{"warning  2:1"}},
		{Name: "times identify nothing", Documents: ruletest.Numbered(10, `{"sent":"2026-01-01T10:0%d:00Z","text":"hello"}`),
			Want: []string{"warning  1:1"}, Message: `none of 10 documents has an id; sent is different in each, but may not stay so`},
		{Name: "one of many lacks it", Documents: append(ruletest.Numbered(30, `{"id":"i%d","n":1}`), `{"n":1}`),
			Want: []string{"warning  31:1"}, Message: `id is missing in 1 of 31 documents`},
		{Name: "null is none", Documents: []string{`{"id":"a","n":1}`, `{"id":null,"n":1}`, `{"id":"c","n":1}`}, Want: []string{"warning  2:1"}, Message: "id is missing or null in 1 of 3 documents"},
		{Name: "most have the one that databases add", Documents: append(ruletest.Numbered(30, `{"_id":"o%d","id":%d,"n":1}`), `{"id":31,"n":1}`),
			Want: []string{"warning  31:1"}, Message: `_id is missing in 1 of 31 documents`},
		{Name: "few do", Documents: append(ruletest.Numbered(30, `{"id":%d,"n":1}`), `{"_id":"o31","id":31,"n":1}`)},
		{Name: "all have one", Documents: ruletest.Numbered(5, `{"id":"i%d","n":1}`)},
		{Name: "an ObjectId", Documents: ruletest.Numbered(3, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c%d"},"n":1}`)},
		{Name: "in an object of ids, where it repeats", Documents: ruletest.Numbered(12, `{"sys":{"id":"default"},"share":0.%d7}`)},
		{Name: "in an object of something else", Documents: ruletest.Numbered(12, `{"widget":{"id":"default"},"share":0.%d7}`), Want: []string{"warning  1:1"}},
		{Name: "in an object of ids in most", Documents: append(ruletest.Numbered(12, `{"sys":{"id":"default"},"share":0.%d7}`), `{"sys":{},"share":0.5}`), Want: []string{"warning  1:1"}},
		{Name: "an object as id", Documents: ruletest.Numbered(3, `{"_id":{"a":1,"b":%d},"n":1}`)},
		{Name: "a natural key", Documents: ruletest.Numbered(25, `{"index":"thing-%d","n":1}`)},
		{Name: "numbers with few gaps", Documents: ruletest.Concat(ruletest.Times(1, 9, `{"numero":%d,"note":"Note %[1]d"}`), ruletest.Times(12, 6, `{"numero":%d,"note":"Note %[1]d"}`))},
		{Name: "numbers that may be different by accident", Documents: ruletest.Times(0, 12, `{"price":9%d7,"note":"Note"}`), Want: []string{"warning  1:1"}},
		{Name: "a code that two of many share, one of them stored twice", Documents: append(ruletest.Times(1000, 120, `{"code":"%d","label":"Label"}`), `{"code":"1000","label":"Label"}`)},
		{Name: "a natural key one level down", Documents: ruletest.Numbered(25, `{"ids":{"code":"T%d"},"n":1}`)},
		{Name: "digits one level down, in all that differs",
			Documents: ruletest.Times(100, 40, `{"type":"Feature","properties":{"CUSEC":"30024%[1]d","area":%[1]d.5},"geometry":{"type":"Point","coordinates":[1.5,%[1]d.25]}}`)},
		{Name: "a reference that is all that they say", Documents: ruletest.Numbered(3, `{"personId":%d}`)},
		{Name: "an id of its own in place of the _id that most have", Documents: append(ruletest.Times(10, 30, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34%[1]d"},"id":%[1]d,"name":"n%[1]d"}`), `{"id":99,"name":"n99"}`), Want: []string{"info  31:1"}},
		{Name: "a reference beside what a few say", Documents: ruletest.Numbered(3, `{"personId":%d,"note":"x"}`)},
		{Name: "lines of orders", Documents: lines(10), Want: []string{"info  1:1"}, Message: "order and line together are different in each"},
		{Name: "years and regions beside many numbers", Documents: ruletest.Documents(400, func(i int, r *rand.Rand) string {
			return fmt.Sprintf(`{"year":%d,"region":"r%d","a":%d,"b":%d,"c":%d,"d":%d,"e":%d}`, 2000+i/40, i%40, r.IntN(90), r.IntN(90), r.IntN(90), r.IntN(90), r.IntN(90))
		}), Want: []string{"info  1:1"}, Message: "year and region together are different in each"},
		{Name: "two lines of an order with one number", Documents: append(lines(10), `{"order":"o3","line":4,"text":"new"}`), Want: []string{"warning  1:1"}, Message: "no other field identifies them"},
		{Name: "two fields that are different by accident", Documents: lines(2), Want: []string{"warning  1:1"}},
		{Name: "two fields for a database that wants an id", Documents: lines(10), Options: jsonlint.Options{DB: "cosmosdb"},
			Want: []string{"warning  1:1"}, Message: "order and line together"},
		{Name: "names of people", Documents: ruletest.Times(100, 12, `{"ssn":719736%d,"fullName":"Ann Ede %[1]d"}`), Want: []string{"info  1:1"}},
		{Name: "a personal number is no key", Documents: people, Options: jsonlint.Options{DB: "cosmosdb"}, Want: []string{"warning  1:1"}},
		{Name: "a name is one", Documents: ruletest.Numbered(4, `{"name":"Thing %d","n":1}`)},
		{Name: "one document", Documents: []string{`{"n":1,"list":[1,2]}`}},
		{Name: "the name of the member is the key", Documents: ruletest.Numbered(12, `{"users":{"user%d":{"age":1,"city":"Kiel"}}}`)},
		{Name: "another kind has ids", Documents: append(ruletest.Numbered(6, `{"id":"p%d","type":"post","title":"A","body":"B"}`),
			ruletest.Numbered(6, `{"type":"like","by":"ann","weight":1}`)...), Want: []string{"warning  7:1"}, Message: `while other documents of items have "id"`},
		{Name: "mongodb adds one", Documents: ruletest.Times(0, 12, `{"postId":"p1","content":"No. %d."}`), Options: jsonlint.Options{DB: "mongodb"}, Want: []string{"info  1:1"}},
		{Name: "mongodb adds one to a few", Documents: comments, Options: jsonlint.Options{DB: "mongodb"}},
		{Name: "cosmosdb wants one beside the natural key", Documents: ruletest.Numbered(25, `{"index":"thing-%d","n":1}`),
			Options: jsonlint.Options{DB: "cosmosdb"}, Want: []string{"info  1:1"}, Message: `"index" is different in each`},
		{Name: "firestore keeps it outside", Documents: comments, Options: jsonlint.Options{DB: "firestore"}},
		{Name: "dynamodb without a configured key", Documents: comments, Options: jsonlint.Options{DB: "dynamodb"}},
		{Name: "the configured key", Documents: ruletest.Numbered(4, `{"ref":%d,"n":1}`),
			Options: jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"items": {ID: "ref"}}}},
	})
}

// TestMissingIDFix checks that a natural key becomes the id.
func TestMissingIDFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "missing-id", ruletest.Database{"things": ruletest.Numbered(25, `{"index":"thing-%d","n":1}`)}, jsonlint.Options{DB: "cosmosdb"})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.JSONEq(t, `{"id":"thing-1","index":"thing-1","n":1}`, string(found[0].Fixes[0].After[0].Document))
}

// TestMissingIDJoin checks that documents which only tie two others together are
// reported once, as such.
func TestMissingIDJoin(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{
		"authors": ruletest.Times(1, 3, `{"id":"a%d","name":"Author %[1]d"}`), "books": ruletest.Times(1, 4, `{"id":"b%d","title":"Book %[1]d"}`),
		"authorBooks": {`{"authorId":"a1","bookId":"b1"}`, `{"authorId":"a1","bookId":"b2"}`, `{"authorId":"a2","bookId":"b3"}`, `{"authorId":"a3","bookId":"b4"}`, `{"authorId":"a3","bookId":"b1"}`},
	}
	assert.Empty(t, ruletest.FindingsOf(t, "missing-id", db, jsonlint.Options{}))
	assert.Len(t, ruletest.FindingsOf(t, "join-document", db, jsonlint.Options{}), 1)
}

// TestAssortment checks that a few files of one document each need no ids, even if some
// have them.
func TestAssortment(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{7: 0, 12: 1} {
		dir := filepath.Join(t.TempDir(), "answers")
		require.NoError(t, os.Mkdir(dir, 0o700))
		for i := range n {
			text := fmt.Sprintf(`{"id":"a%d","colour":"red","weight":3}`, i)
			if i < 2 {
				text = fmt.Sprintf(`{"colour":"red","weight":%d}`, i)
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("t%d.json", i)), []byte(text), 0o600))
		}
		assert.Len(t, ruletest.FindingsIn(t, "missing-id", []string{dir}, jsonlint.Options{}), want)
	}
}

// TestMissingIDFiles checks that a document alone in its file is known by the
// name of the file.
func TestMissingIDFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "things")
	require.NoError(t, os.Mkdir(dir, 0o700))
	for i := range 4 {
		file := filepath.Join(dir, fmt.Sprintf("t%d.json", i))
		require.NoError(t, os.WriteFile(file, []byte(`{"colour":"red","weight":3}`), 0o600))
	}
	assert.Empty(t, ruletest.FindingsIn(t, "missing-id", []string{dir}, jsonlint.Options{}))
	assert.Len(t, ruletest.FindingsIn(t, "missing-id", []string{dir}, jsonlint.Options{DB: "cosmosdb"}), 1)
}

// TestMissingIDNames checks that the names which one file stores documents under make those of
// other files no less complete.
func TestMissingIDNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "teams"), 0o700))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	team := func(i int) string { return fmt.Sprintf(`{"name":"team%d","kind":"team","members":[%d]}`, i, i) }
	write("teams.json", "{"+ruletest.Joined(30, func(i int) string { return fmt.Sprintf(`"team%d":%s`, i, team(i)) })+"}")
	for i := range 30 {
		write(fmt.Sprintf("teams/team%d.json", i), team(i))
	}
	assert.Empty(t, ruletest.FindingsIn(t, "missing-id", []string{dir}, jsonlint.Options{}))
}

// A handful of documents are a collection if another one holds ids of theirs.
func TestMissingIDOfAHandful(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "missing-id", ruletest.Database{
		"users": ruletest.Times(1, 4, `{"email":"u%d@example.com"}`), "posts": ruletest.Times(1, 4, `{"id":"p%d","UserId":%[1]d}`),
	}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "none of 4 documents")
}
