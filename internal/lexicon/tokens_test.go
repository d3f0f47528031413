package lexicon

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"lastHTTPSeenAt": "last http seen at",
		"pub-id":         "pub id",
		"mkt-cap":        "mkt cap",
		"IDs":            "ids",
		"userIDs":        "user ids",
		"userIDsByTeam":  "user ids by team",
		"HTTPServer":     "http server",
		"HTTPSecure":     "http secure",
		"URL":            "url",
		"_id":            "id",
		"__typename":     "typename",
		"first_name":     "first name",
		"FIRST_NAME":     "first name",
		"address.city":   "address city",
		"GSI1PK":         "gsi 1 pk",
		"isbn13":         "isbn 13",
		"x":              "x",
		"Größe":          "größe",
		"naïveBayes":     "naïve bayes",
		"":               "",
		"--":             "",
	} {
		assert.Equal(t, want, strings.Join(Tokens(name), " "), name)
	}
}

func TestTokensKeepLetters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z0-9_.-]{0,20}`).Draw(t, "name")
		joined := strings.Join(Tokens(name), "")
		if want := strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name)); joined != want {
			t.Fatalf("%q: got %q, want %q", name, joined, want)
		}
	})
}

func TestInflection(t *testing.T) {
	t.Parallel()
	for singular, plural := range map[string]string{
		"comment": "comments", "series": "series", "status": "statuses", "address": "addresses", "child": "children",
		"category": "categories", "person": "people", "cache": "caches", "sku": "skus", "analysis": "analyses",
		"index": "indices", "alias": "aliases", "data": "data", "metadata": "metadata", "id": "ids", "bus": "buses",
		"movie": "movies", "history": "histories", "media": "media", "axis": "axes", "news": "news",
	} {
		assert.Equal(t, singular, Singular(plural), plural)
		assert.Equal(t, singular, Singular(singular), singular)
		assert.Equal(t, plural, Plural(singular), singular)
		assert.Equal(t, plural, Plural(plural), plural)
	}
	for _, unchanged := range []string{"", "s", "x", "größe", "dns", "sms", "2020", "Stocks"} {
		assert.Equal(t, unchanged, Singular(unchanged))
		assert.Equal(t, unchanged, Plural(unchanged))
	}
}

func TestInflectionMemoryIsBounded(t *testing.T) {
	t.Parallel()
	in := &inflector{singular: map[string]string{}}
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range remembered {
				word := strings.Repeat("a", worker+1) + string(rune(0x4e00+i))
				assert.Equal(t, word+"!", in.word(&in.singular, word, func(w string) string { return w + "!" }))
			}
		})
	}
	wait.Wait()
	assert.LessOrEqual(t, len(in.singular), remembered)
}

func TestStyleOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Style{
		"name": StyleFlat, "isbn13": StyleFlat, "_id": StyleFlat,
		"firstName": StyleCamel, "userID": StyleCamel,
		"FirstName": StylePascal, "ID": StylePascal,
		"first_name": StyleSnake, "a_1": StyleSnake, "__first_name": StyleSnake,
		"mkt-cap": StyleKebab,
		"User_Id": StyleOther, "a-b_c": StyleOther, "two words": StyleOther, "": StyleOther, "_": StyleOther, "-x": StyleOther, "a_": StyleOther, "größe": StyleOther,
	} {
		assert.Equal(t, want, StyleOf(name), name)
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "stockId", StyleCamel.Join("stock", "id"))
	assert.Equal(t, "stockId", StyleFlat.Join("stock", "id"))
	assert.Equal(t, "StockId", StylePascal.Join("stock", "id"))
	assert.Equal(t, "stock_id", StyleSnake.Join("stock", "id"))
	assert.Equal(t, "stock-id", StyleKebab.Join("stock", "id"))
}

func TestFold(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "firstname", Fold("first_Name"))
	assert.Equal(t, Fold("mkt-cap"), Fold("mktCap"))
	assert.NotEqual(t, Fold("a.b"), Fold("ab"))
}

func TestDamerau(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 2, 0}, {"adress", "address", 2, 1}, {"emial", "email", 2, 1}, {"emial", "email", 0, 1},
		{"createdAt", "craetedAt", 2, 1}, {"name", "nmea", 2, 2}, {"kitten", "sitting", 3, 3}, {"kitten", "sitting", 2, 3},
		{"a", "abcdef", 2, 3}, {"ca", "abc", 5, 3}, {"größe", "grösse", 3, 2}, {"ab", "ba", 1, 1},
	} {
		assert.Equal(t, c.want, Damerau(c.a, c.b, c.limit), "%s %s", c.a, c.b)
	}
}

func TestDamerauLimitChangesNothingBelowIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab]{0,8}`)
		a, b, limit := word.Draw(t, "a"), word.Draw(t, "b"), rapid.IntRange(0, 4).Draw(t, "limit")
		full := Damerau(a, b, 100)
		if full != Damerau(b, a, 100) {
			t.Fatal("not symmetric")
		}
		if got := Damerau(a, b, limit); got != min(full, limit+1) {
			t.Fatalf("limit %d: got %d, full %d", limit, got, full)
		}
	})
}
