package lostvalue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestRule(t *testing.T) {
	t.Parallel()
	users := ruletest.Times(1, 40, `{"id":"%[1]d","email":"u%[1]d@example.com","born":"1990-01-01","status":"active","note":"note %[1]d"}`)
	with := func(more ...string) ruletest.Database {
		return ruletest.Database{"users": ruletest.Concat(users, more)}
	}
	many := ruletest.Times(1, 20000, `{"id":"%[1]d","code":"code%[1]dx"}`)
	ruletest.Run(t, "lost-value", []ruletest.ShapeCase{
		{
			Name: "undefined among addresses", DB: with(`{"id":"x","email":"undefined","born":"1990-01-01","status":"active"}`),
			Want: []string{"warning users.jsonl:41 email"}, Says: `users.email is the text "undefined" in 1 of 41 values: a program wrote it in place of a missing value`,
		},
		{Name: "a date that is none", DB: with(`{"id":"x","email":"a@b.c","born":"Invalid Date","status":"active"}`), Want: []string{"warning users.jsonl:41 born"}},
		{Name: "a number that is none", DB: ruletest.Database{"parts": ruletest.Concat(ruletest.Times(1, 40, `{"id":"p%d","level":%[1]d}`), []string{`{"id":"x","level":{"$numberDouble":"NaN"}}`})},
			Want: []string{"warning parts.jsonl:41 level"}, Says: `parts.level is the number "NaN" in 1 of 41 values`},
		{Name: "a bare number that is none", DB: ruletest.Database{"parts": ruletest.Concat(ruletest.Times(1, 40, `{"id":"p%d","level":%[1]d.5}`), []string{`{"id":"x","level":NaN}`})}, Want: []string{}},
		{Name: "a number that is none, among texts", DB: ruletest.Database{"parts": ruletest.Concat(ruletest.Times(1, 40, `{"id":"p%d","base":"B%[1]d"}`), []string{`{"id":"x","base":{"$numberDouble":"NaN"}}`})}},
		{Name: "a cell of a spreadsheet", DB: ruletest.Database{"parts": ruletest.Concat(ruletest.Times(1, 40, `{"id":"p%d","level":%[1]d}`), []string{`{"id":"x","level":"#REF!"}`})},
			Want: []string{"warning parts.jsonl:41 level"}, Says: `parts.level is the text "#REF!" in 1 of 41 values`},
		{Name: "a table as text", DB: with(`{"id":"x","email":"a@b.c","status":"System.Collections.Hashtable"}`), Want: []string{"warning users.jsonl:41 status"}},
		{Name: "an object as text", DB: with(`{"id":"x","email":"a@b.c","status":"[object Object]"}`), Want: []string{"warning users.jsonl:41 status"}},
		{Name: "two names that were none", DB: with(`{"id":"x","email":"a@b.c","status":"undefined undefined"}`), Want: []string{"warning users.jsonl:41 status"}},
		{Name: "the parts of a date", DB: with(`{"id":"x","due":"undefined/undefined/06/30/2026"}`, `{"id":"y","due":"2026-06-02"}`), Want: []string{"warning users.jsonl:41 due"}, Says: `contains the text "undefined"`},
		{Name: "two such words among others", DB: with(`{"id":"x","note":"null null pointers"}`)},
		{Name: "Go's nil in a list", DB: with(`{"id":"x","tags":["a","<nil>"]}`), Want: []string{"warning users.jsonl:41 tags[]"}},
		{Name: "null among the tags of an icon", DB: ruletest.Database{"icons": ruletest.Concat(
			ruletest.Times(1, 40, `{"id":"i%d","tags":["shape %[1]d","line","drawing of %[1]d"]}`), []string{`{"id":"x","tags":["circle","empty set","null"]}`})}},
		{Name: "null as the only text of a list", DB: ruletest.Database{"icons": ruletest.Concat(
			ruletest.Times(1, 40, `{"id":"i%d","notes":["the shape %[1]d"]}`), []string{`{"id":"x","notes":["null"]}`})}, Want: []string{"warning icons.jsonl:41 notes[]"}},
		{Name: "null among the ids of others", DB: ruletest.Database{"icons": ruletest.Concat(
			ruletest.Times(10, 40, `{"id":"i%d","others":["5f1d7a3e9b1c4a0012ab34%[1]d","5f1d7a3e9b1c4a0012ab35%[1]d","5f1d7a3e9b1c4a0012ab36%[1]d"]}`), []string{`{"id":"x","others":["5f1d7a3e9b1c4a0012ab3410","null","5f1d7a3e9b1c4a0012ab3411"]}`})}, Want: []string{"warning icons.jsonl:41 others[]"}},
		{Name: "beside objects", DB: with(`{"id":"w","note":{"a":{"b":1},"c":[1,2,3]}}`, `{"id":"x","note":"undefined"}`),
			Want: []string{"warning users.jsonl:42 note"}},
		{Name: "both words among the names of tags", DB: with(`{"id":"x","note":"null"}`, `{"id":"y","note":"undefined"}`), Want: []string{"warning users.jsonl:41 note", "warning users.jsonl:42 note"}},
		{Name: "both words, one more often", DB: with(`{"id":"x","note":"null"}`, `{"id":"y","note":"undefined"}`, `{"id":"z","note":"undefined"}`), Want: []string{"warning users.jsonl:41 note", "warning users.jsonl:42 note"}},
		{Name: "both words among addresses", DB: with(`{"id":"x","email":"null"}`, `{"id":"y","email":"undefined"}`), Want: []string{"warning users.jsonl:41 email", "warning users.jsonl:42 email"}},
		{Name: "two texts are two mistakes", DB: with(`{"id":"x","note":"NaN"}`, `{"id":"y","note":"undefined"}`),
			Want: []string{"warning users.jsonl:41 note", "warning users.jsonl:42 note"}},
		{Name: "among very many values", DB: ruletest.Database{"parts": ruletest.Concat(many, []string{`{"id":"x","code":"undefined"}`})},
			Want: []string{"warning parts.jsonl:20001 code"}},
		{
			Name: "code in quotes", DB: with(`{"id":"x","email":"a@b.c","born":"datetime.now()","status":"active"}`),
			Want: []string{"warning users.jsonl:41 born"}, Says: "a program wrote it in place of what the code computes",
		},
		{
			Name: "a missing number of Python among words with a capital", DB: ruletest.Database{"customers": {`{"id":"1","membership":"Gold"}`, `{"id":"2","membership":"Base"}`, `{"id":"3","membership":"nan"}`, `{"id":"4","membership":"Base"}`}},
			Want: []string{"warning customers.jsonl:3 membership"}, Says: `customers.membership is the text "nan" in 1 of 4 values`,
		},
		{Name: "the code of a language", DB: ruletest.Database{"books": {`{"id":"1","language":"en"}`, `{"id":"2","language":"English"}`, `{"id":"3","language":"nan"}`, `{"id":"4","language":"Hakka"}`}}},
		{Name: "two words", DB: ruletest.Database{"people": {`{"id":"1","said":"Nan"}`, `{"id":"2","said":"nan"}`}}},
		{Name: "None among words with a capital", DB: ruletest.Database{"people": {`{"id":"1","pets":"Dog"}`, `{"id":"2","pets":"None"}`, `{"id":"3","pets":"Cat"}`}}},
		{Name: "None among words in small letters", DB: ruletest.Database{"people": {`{"id":"1","pets":"dog"}`, `{"id":"2","pets":"None"}`, `{"id":"3","pets":"cat"}`}}},
		{Name: "a call that is meant", DB: with(`{"id":"x","note":"now()"}`, `{"id":"y","note":"Published(Active)"}`)},
		{
			Name: "a table's empty fields", DB: with(`{"id":"x","email":"NULL","born":"NULL","status":"active"}`, `{"id":"y","email":"a@b.c","born":"NULL","status":"active"}`),
			Want: []string{"warning users.jsonl:41 born"}, Says: "in 2 of 42 values: a program wrote it in place of a missing value; the same in 1 more field",
		},
		{Name: "None among addresses", DB: with(`{"id":"x","email":"None","born":"1990-01-01","status":"active"}`), Want: []string{"warning users.jsonl:41 email"}},
		{Name: "None among words", DB: with(`{"id":"x","note":"None"}`)},
		{Name: "a word of an enumeration", DB: with(`{"id":"x","status":"undefined"}`, `{"id":"y","status":"closed"}`)},
		{Name: "nothing else", DB: with(`{"id":"x","card":"undefined"}`, `{"id":"y","card":"undefined"}`), Want: []string{"warning users.jsonl:41 card"}},
		{Name: "a field about null", DB: with(`{"id":"x","chart":{"nullPointMode":"null"}}`, `{"id":"y","chart":{"nullPointMode":"null"}}`)},
		{Name: "the only type", DB: with(`{"id":"x","keyboard":{"type":"undefined"}}`)},
		{Name: "names of types", DB: with(`{"id":"x","type":"null"}`, `{"id":"y","type":"string"}`)},
		{Name: "a family name, words within a text", DB: with(`{"id":"x","note":"Null"}`, `{"id":"y","note":"the limit is undefined"}`, `{"id":"z","note":"nan"}`)},
		{
			Name: "a gap in a template", DB: with(`{"id":"x","email":"https://example.com/user/undefined"}`, `{"id":"y","email":"https://example.com/user/17"}`, `{"id":"z","email":"https://example.com/user/undefined"}`),
			Want: []string{"warning users.jsonl:41 email"}, Says: `users.email contains the text "undefined" in 2 of 43 values: a program wrote it in place of what other values have there`,
		},
		{Name: "a gap within a template", DB: with(`{"id":"x","note":"Guest (undefined)"}`, `{"id":"y","note":"Guest (Ann)"}`), Want: []string{"warning users.jsonl:41 note"}},
		{Name: "one text in two collections", DB: ruletest.Database{"a": {`{"id":"1","x":"NaN"}`}, "b": {`{"id":"1","y":"NaN"}`}}, Want: []string{"warning a.jsonl:1 x", "warning b.jsonl:1 y"}},
		{Name: "one text in three collections", DB: ruletest.Database{"a": {`{"id":"1","x":"NaN"}`}, "b": {`{"id":"1","y":"NaN"}`}, "c": {`{"id":"1","z":"NaN"}`}},
			Want: []string{"warning a.jsonl:1 x"}, Says: "the same in 2 more places"},
		{Name: "characters that could not be read", DB: with(`{"id":"x","note":"J�rgen"}`, `{"id":"y","note":"Ann"}`), Want: []string{"warning users.jsonl:41 note"}, Says: "characters that it could not read"},
		{Name: "characters that could be", DB: with(`{"id":"x","note":"Jürgen"}`, `{"id":"y","note":"J?rgen"}`)},
		{Name: "two characters for one", DB: with(`{"id":"x","note":"JosÃ© GonÃ§alves"}`, `{"id":"y","note":"Ann"}`), Want: []string{"warning users.jsonl:41 note"}, Says: `contains the text "Ã" in 1 of 42 values: a program wrote it in place of another character`},
		{Name: "words in capitals", DB: with(`{"id":"x","note":"MAÇÃ · «AMANHÃ»"}`, `{"id":"y","note":"NÃO, IRMÃ\u00a0ANA"}`)},
		{Name: "words in capitals before a mark", DB: with(`{"id":"x","note":"«AMANHÃ»"}`, `{"id":"y","note":"MAÇÃ·LARANJA"}`)},
		{Name: "a gap that nobody fills", DB: with(`{"id":"x","note":"see /wiki/undefined"}`, `{"id":"y","note":"see /wiki/"}`)},
		{Name: "a gap that nobody fills beside a lost value", DB: with(`{"id":"x","note":"see /wiki/undefined"}`, `{"id":"y","note":"undefined"}`), Want: []string{"warning users.jsonl:42 note"}},
		{Name: "the same with another beginning", DB: with(`{"id":"x","note":"Guest (undefined)"}`, `{"id":"y","note":"The host (Ann)"}`)},
		{Name: "a gap after a colon", DB: with(`{"id":"x","note":"Due date: undefined"}`, `{"id":"y","note":"Due date: May 5"}`), Want: []string{"warning users.jsonl:41 note"}},
		{Name: "the same with another end", DB: with(`{"id":"x","note":"Guest (undefined)"}`, `{"id":"y","note":"Guest (Ann) left"}`)},
		{Name: "a word like any other", DB: with(`{"id":"x","note":"what is undefined"}`, `{"id":"y","note":"what is null"}`)},
		{Name: "a part of a word", DB: with(`{"id":"x","note":"state: undefinedness"}`, `{"id":"y","note":"state: happiness"}`)},
		{Name: "no text", DB: with(`{"id":"x","email":null,"rate":{"$numberDouble":"NaN"}}`)},
	})
	assert.Len(t, ruletest.FindingsOf(t, "lost-value", with(`{"id":"x","status":"undefined"}`, `{"id":"y","status":"closed"}`), jsonlint.Options{Strict: true}), 1)
}

func TestFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "lost-value", ruletest.Database{"users": {`{"id":"1","email":"a@example.com"}`, `{"id":"2","email":"undefined"}`}}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Unsafe, fix.Safety)
	assert.JSONEq(t, `{"id":"2","email":null}`, string(fix.After[0].Document))
	require.Len(t, fix.Edits, 1)
	assert.Equal(t, "null", fix.Edits[0].NewText)
}
