package inconsistentmanytomany_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestInconsistentManyToMany(t *testing.T) {
	t.Parallel()
	// Each author has written three books; one half of one pair is missing.
	authors := ruletest.Times(0, 30, `{"id":"a%d","books":["b%[1]d"]}`)
	books := ruletest.Times(0, 30, `{"id":"b%d","authors":["a%[1]d"]}`)
	broken := ruletest.Concat(books[:29], []string{`{"id":"b29","authors":[]}`})
	countries := func(one string) []string {
		var out []string
		for i := range 30 {
			out = append(out, fmt.Sprintf(`{"_id":"x%d","code":"C%02dX","borders":["C%02dX","C%02dX"]}`, i, i, (i+1)%30, (i+29)%30))
		}
		out[29] = `{"_id":"x29","code":"C29X","borders":[` + one + `]}`
		return out
	}
	// Each of twelve artists names the three others of its group. One more names three who
	// have no room for it.
	var full []string
	for _, group := range []string{"a", "b", "c"} {
		for i := range 4 {
			var others []string
			for k := range 4 {
				if k != i {
					others = append(others, fmt.Sprintf("%q", fmt.Sprintf("artist-%s%d", group, k)))
				}
			}
			full = append(full, fmt.Sprintf(`{"id":"artist-%s%d","related":[%s]}`, group, i, strings.Join(others, ",")))
		}
	}
	full = append(full, `{"id":"artist-z","related":["artist-a0","artist-a1","artist-a2"]}`)
	// The account and the profile of a person have one id, and the profile repeats the
	// address and the name.
	accounts := ruletest.Times(10, 30, `{"_id":"w%dKq","createdAt":{"$date":"2020-01-01T00:00:00Z"},"username":"Person %[1]d Smith","emails":[{"address":"p%[1]d@example.com","verified":true}]}`)
	profiles := append(ruletest.Times(10, 29, `{"_id":"w%dKq","fullName":"Person %[1]d Smith","email":"p%[1]d@example.com"}`), `{"_id":"w39Kq","fullName":" ","email":"p39@example.com"}`)
	// Each of thirty lines stops at two of thirty stops; a third of the stops have it elsewhere.
	lines := ruletest.Documents(30, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"line":%d,"stops":[{"code":"st%d"},{"code":"st%d"}]}`, 600+i, i, (i+1)%30)
	})
	stops := func(first string) []string {
		return ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			here, before := 600+i, 600+(i+29)%30
			if i%3 == 0 {
				return fmt.Sprintf(`{"code":"st%d",%s}`, i, strings.Replace(fmt.Sprintf(first, here), `"passes":[]`, fmt.Sprintf(`"passes":[{"line":%d}]`, before), 1))
			}
			return fmt.Sprintf(`{"code":"st%d","starts":[],"passes":[{"line":%d},{"line":%d}]}`, i, here, before)
		})
	}
	ruletest.Run(t, "inconsistent-many-to-many", []ruletest.ShapeCase{
		{Name: "numbers in another list", DB: ruletest.Database{"lines": lines, "stops": stops(`"starts":[{"line":%[1]d}],"passes":[]`)}},
		{
			Name: "numbers in no list", DB: ruletest.Database{"lines": lines, "stops": stops(`"starts":[],"passes":[],"track":%[1]d`)},
			Want: []string{"error lines.jsonl:1 stops[].code"},
		},
		{Name: "two records of one person", DB: ruletest.Database{"users": accounts, "students": profiles}},
		{
			Name: "lists on both sides", DB: ruletest.Database{"authors": authors, "books": broken},
			Want: []string{"error authors.jsonl:30 books[]"}, Says: `authors.books[] and books.authors[] disagree in 1 of 30 pairs: "a29" has "b29" in books[], but "b29" has no "a29" in authors[]`,
		},
		{
			Name: "three lists on the other side", DB: ruletest.Database{"authors": ruletest.Times(0, 30, `{"id":"a%d","books":["b%[1]d"],"titles":["b%[1]d"],"works":[{"book":"b%[1]d"}]}`), "books": broken},
			Want: []string{"error authors.jsonl:30 books[]"}, Says: "; the same in 2 more places",
		},
		{
			Name: "a list that names one twice", DB: ruletest.Database{"authors": ruletest.Times(0, 30, `{"id":"a%d","books":["b%[1]d","b%[1]d"]}`), "books": broken},
			Want: []string{"error authors.jsonl:30 books[]"}, Says: "disagree in 1 of 30 pairs",
		},
		{
			Name: "one that the other side lists among the deleted", DB: ruletest.Database{"authors": authors, "books": ruletest.Concat(books[:29], []string{`{"id":"b29","authors":[],"formerAuthors":["a29"]}`})},
		},
		{
			Name: "parts of a group, which share its number", DB: ruletest.Database{
				"guests": ruletest.Concat(ruletest.Times(0, 29, `{"id":"g%d","parties":["p%[1]d"]}`), []string{`{"id":"g29","parties":[]}`}),
				"seats":  ruletest.Concat(ruletest.Times(0, 30, `{"party":"p%d","guest":"g%[1]d"}`), []string{`{"party":"p3","guest":"g3"}`}),
			},
		},
		{
			Name: "a single reference to another one, and the same in another field", DB: ruletest.Database{
				"categories": {`{"id":"c1","items":["i0","i1","i2","i3","i4","i5","i6","i7","i8"]}`, `{"id":"c2","items":["i9"]}`},
				"items":      ruletest.Concat(ruletest.Times(0, 8, `{"id":"i%d","categoryId":"c1"}`), []string{`{"id":"i8","categoryId":"c2","formerly":"c1"}`, `{"id":"i9","categoryId":"c2"}`}),
			},
			Want: []string{"error categories.jsonl:1 items[]"},
		},
		{
			Name: "one that the other side names in a field that always does", DB: ruletest.Database{"authors": authors,
				"books": ruletest.Concat(ruletest.Times(0, 29, `{"id":"b%d","authors":["a%[1]d"],"first":"a%[1]d"}`), []string{`{"id":"b29","authors":[],"first":"a29"}`})},
			Want: []string{"error authors.jsonl:30 books[]"},
		},
		{
			Name: "one of two that the other side lists among the deleted",
			DB:   ruletest.Database{"authors": authors, "books": ruletest.Concat(books[:28], []string{`{"id":"b28","authors":[]}`, `{"id":"b29","authors":[],"formerAuthors":["a29"]}`})},
			Want: []string{"error authors.jsonl:29 books[]"}, Says: "disagree in 1 of",
		},
		{
			Name: "objects on one side", DB: ruletest.Database{"authors": authors, "books": ruletest.Concat(ruletest.Times(0, 29, `{"id":"b%d","authors":[{"id":"a%[1]d","name":"n"}]}`), []string{`{"id":"b29","authors":[]}`})},
			Want: []string{"error authors.jsonl:30 books[]"},
		},
		{
			Name: "a list against a single reference",
			DB: ruletest.Database{
				"categories": {`{"id":"c1","items":["i0","i1","i2","i3","i4","i5","i6","i7"]}`, `{"id":"c2","items":["i8"]}`},
				"items":      ruletest.Concat(ruletest.Times(0, 8, `{"id":"i%d","categoryId":"c1"}`), ruletest.Times(8, 2, `{"id":"i%d","categoryId":"c2"}`)),
			},
			Want: []string{"error items.jsonl:10 categoryId"}, Says: `"i9" has "c2" in categoryId, but "c2" has no "i9" in items[]`,
		},
		{
			Name: "lists that overlap against a single reference",
			DB: ruletest.Database{
				"categories": {`{"id":"c1","items":["i0","i1","i2","i3","i4","i5","i6","i7","i8","i9","j1","j2"]}`, `{"id":"c2","items":["i0","i1","i8"]}`},
				"items":      ruletest.Concat(ruletest.Times(0, 8, `{"id":"i%d","categoryId":"c1"}`), ruletest.Times(8, 2, `{"id":"i%d","categoryId":"c2"}`)),
			},
			Want: []string{"error items.jsonl:10 categoryId"}, Says: "1 of 10 pairs",
		},
		{Name: "a symmetric field", DB: ruletest.Database{"countries": countries(`"C28X"`)}, Want: []string{"error countries.jsonl:1 borders[]"}, Says: `countries.borders[] is not mutual in 1 of 59 pairs: "C00X" has "C29X" in borders[], but "C29X" has no "C00X" in borders[]`},

		{Name: "a leader who is no member", DB: ruletest.Database{
			"groups": ruletest.Concat(ruletest.Times(0, 9, `{"id":"g%d","leaderUserId":"u%[1]d"}`), []string{`{"id":"g9","leaderUserId":"u0"}`}),
			"users":  ruletest.Times(0, 15, `{"id":"u%d","groups":["g%[1]d","g1","g2"]}`),
		}},
		{Name: "lists that are full", DB: ruletest.Database{"artists": full}},
		{Name: "relations of a copied document", DB: ruletest.Database{"courses": {
			`{"_id":{"$oid":"662e2987fe33e28cb3aefbbd"},"questions":[{"user":{"_id":"u2","courses":[{"_id":"662f823c1dfa6b0664926cb5"},{"_id":"662e2987fe33e28cb3aefbbd"}]}}],"reviews":[{"user":{"_id":"u2","courses":[{"_id":"662f823c1dfa6b0664926cb5"},{"_id":"662e2987fe33e28cb3aefbbd"}]}}]}`,
			`{"_id":{"$oid":"662f823c1dfa6b0664926cb5"},"questions":[{"user":{"_id":"u1","courses":[{"_id":"662f823c1dfa6b0664926cb5"}]}}],"reviews":[{"user":{"_id":"u1","courses":[{"_id":"662f823c1dfa6b0664926cb5"}]}}]}`,
			`{"_id":{"$oid":"6660130bae76ec47a72cd649"},"questions":[],"reviews":[]}`}}},
		{Name: "addresses in one of two lists", DB: ruletest.Database{
			"move": ruletest.Times(1, 30, `{"id":%d,"stat":"/api/stat/1%[1]d/"}`),
			"stat": ruletest.Concat(ruletest.Times(1, 20, `{"id":1%d,"language":"/api/language/%[1]d/","moves":{"increase":["/api/move/%[1]d/"],"decrease":[]}}`),
				ruletest.Times(21, 10, `{"id":1%d,"language":"/api/language/%[1]d/","moves":{"increase":[],"decrease":["/api/move/%[1]d/"]}}`)),
		}},
		{Name: "addresses that only the number of another thing ends with", DB: ruletest.Database{
			"move": ruletest.Times(1, 30, `{"id":%d,"stat":"/api/stat/1%[1]d/"}`),
			"stat": ruletest.Concat(ruletest.Times(1, 29, `{"id":1%d,"language":"/api/language/7/","moves":["/api/move/%[1]d/"]}`), []string{`{"id":130,"language":"/api/language/30/","moves":[]}`}),
		}, Want: []string{"error move.jsonl:30 stat"}},
		{Name: "agreement", DB: ruletest.Database{"authors": authors, "books": books}},
		{Name: "a symmetric field that is", DB: ruletest.Database{"countries": countries(`"C28X","C00X"`)}},
		{Name: "parts with the key of their document, but for one", DB: ruletest.Database{"types": ruletest.Concat(
			ruletest.Times(10, 16, `{"id":"t%d","banners":[{"typeId":"t%[1]d"}]}`), []string{`{"id":"t26","banners":[{"typeId":"t26"},{"typeId":"t12"}]}`})}},
		{Name: "a directed field", DB: ruletest.Database{"users": ruletest.Times(0, 30, `{"id":"u%d","follows":["u1","u2","u3","u4"]}`)}},
		{Name: "documents that are not there", DB: ruletest.Database{"authors": authors, "books": books[:20]}},
		{Name: "two relations", DB: ruletest.Database{"authors": authors, "books": ruletest.Times(0, 30, `{"id":"b%d","authors":["a1%[1]d","a3","a4"]}`)}},
		{Name: "another relation beside it", DB: ruletest.Database{"authors": authors, "books": ruletest.Times(0, 30, `{"id":"b%d","authors":["a%[1]d"],"editorAuthorIds":["a%[1]d","a7"]}`)}},
		{Name: "three pairs of one author", DB: ruletest.Database{
			"users":   {`{"_id":"6221af601236727cec22261a","likingAnswers":["6221b5d71236727cec22262f","6221b62e1236727cec222631"]}`, `{"_id":"6221af811236727cec22261d","likingAnswers":[]}`},
			"answers": {`{"_id":"6221b5a61236727cec22262d","answerer":"6221af601236727cec22261a"}`, `{"_id":"6221b5d71236727cec22262f","answerer":"6221af601236727cec22261a"}`, `{"_id":"6221b62e1236727cec222631","answerer":"6221af601236727cec22261a"}`},
		}},
		{Name: "a selection", DB: ruletest.Database{
			"authors": ruletest.Times(0, 30, `{"id":"a%d","topBooks":["b%[1]d"]}`), "books": ruletest.Concat(ruletest.Times(0, 30, `{"id":"b%d","authors":["a%[1]d","a1"]}`)),
		}},
	})
}

func TestInconsistentManyToManyFix(t *testing.T) {
	t.Parallel()
	authors := ruletest.Times(0, 30, `{"id":%d,"books":["b%[1]d"]}`)
	for name, tc := range map[string]struct{ book, broken, want string }{
		"a sorted list": {`{"id":"b%d","authors":[%[1]d]}`, `{"id":"b29","authors":[31]}`, `{"id":"b29","authors":[29,31]}`},
		"no list":       {`{"id":"b%d","authors":[%[1]d]}`, `{"id":"b29"}`, `{"id":"b29","authors":[29]}`},
		"objects":       {`{"id":"b%d","authors":[{"id":%[1]d}]}`, `{"id":"b29","authors":[]}`, `{"id":"b29","authors":[{"id":29}]}`},
		"one reference": {`{"id":"b%d","authorId":%[1]d}`, `{"id":"b29","authorId":null}`, `{"id":"b29","authorId":29}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := ruletest.Database{"authors": authors, "books": ruletest.Concat(ruletest.Times(0, 29, tc.book), []string{tc.broken})}
			found := ruletest.FindingsOf(t, "inconsistent-many-to-many", db, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			assert.Equal(t, tc.want, string(found[0].Fixes[0].After[0].Document))
		})
	}
}

// TestOnePairIsAnExample: the message explains one pair, and each other one has a
// place of its own.
func TestOnePairIsAnExample(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{
		"authors": ruletest.Times(0, 30, `{"id":"a%d","books":["b%[1]d"]}`),
		"books":   ruletest.Concat(ruletest.Times(0, 28, `{"id":"b%d","authors":["a%[1]d"]}`), ruletest.Times(28, 2, `{"id":"b%d","authors":[]}`)),
	}
	found := ruletest.FindingsOf(t, "inconsistent-many-to-many", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.True(t, strings.HasSuffix(found[0].Message, `disagree in 2 of 30 pairs: "a28" has "b28" in books[], but "b28" has no "a28" in authors[]`), found[0].Message)
	require.Len(t, found[0].Related, 2)
	assert.Equal(t, `"b29" has no "a29" in authors[]`, found[0].Related[1].Message)
}
