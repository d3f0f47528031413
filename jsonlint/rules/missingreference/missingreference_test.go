package missingreference_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestMissingReference(t *testing.T) {
	t.Parallel()
	publishers := ruletest.Times(1, 3, `{"id":"press%d"}`)
	books := func(n int, without ...string) []string {
		return ruletest.Concat(ruletest.Times(1, n, `{"id":"b%d","name":"Book %[1]d","publisherId":"press1"}`), without)
	}
	categories := ruletest.Times(1, 9, `{"id":"cat%d"}`)
	goods := ruletest.Concat(ruletest.Times(1, 30, `{"id":"g%d","name":"G","categoryId":"cat1","edge":1,"grip":2,"reach":3}`),
		ruletest.Times(31, 30, `{"id":"g%d","name":"G","categoryId":"cat2","size":1,"lining":2,"plates":3}`))
	ruletest.Run(t, "missing-reference", []ruletest.ShapeCase{
		{
			Name: "one of four", DB: ruletest.Database{"publishers": publishers, "books": books(3, `{"id":"b9","name":"Book 9"}`)},
			Want: []string{"warning books.jsonl:4 publisherId"}, Says: `publisherId is missing in 1 of 4 documents of books (id "b9")`,
		},
		{
			Name: "one of many", DB: ruletest.Database{"publishers": publishers, "books": books(40, `{"id":"b99","name":"Book 99"}`)},
			Want: []string{"warning books.jsonl:41 publisherId"},
		},
		{
			Name: "and with it what some others lack too", DB: ruletest.Database{"publishers": publishers, "books": ruletest.Concat(books(3),
				ruletest.Times(10, 36, `{"id":"b%d","name":"B","publisherId":"press2","pages":3}`), []string{`{"id":"b99","name":"Book 99"}`})},
			Want: []string{"warning books.jsonl:40 publisherId"},
		},
		{
			Name: "of which most others are ids of lost documents", DB: ruletest.Database{
				"departments": ruletest.Times(10, 4, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34%d"},"name":"D%[1]d"}`),
				"students":    append(ruletest.Times(10, 24, `{"_id":"s%d","department":{"$oid":"5f1d7a3e9b1c4a0012ab34%[1]d"}}`), `{"_id":"x"}`),
			},
			Want: []string{"warning students.jsonl:25 department"},
		},
		{Name: "of which most others are empty", DB: ruletest.Database{"publishers": publishers, "books": books(2, `{"id":"b96","name":"B","publisherId":""}`, `{"id":"b97","name":"B","publisherId":""}`, `{"id":"b98","name":"B","publisherId":""}`, `{"id":"b99","name":"B"}`)}},
		{Name: "of which most others are no documents", DB: ruletest.Database{
			"departments": {`{"_id":"Hv74zH6ZjuqmdGwaJ","name":"sales"}`, `{"_id":"4A8iCfd3WXFSHfDsF","name":"mgmt"}`, `{"_id":"MedyzbWAL5YLNvznY","name":"legal"}`, `{"_id":"u2nxdtNrFHcH88hyh","name":"care"}`},
			"students": ruletest.Concat(ruletest.Times(10, 9, `{"_id":"s%d","department":"sales"}`), ruletest.Times(20, 5, `{"_id":"s%d","department":"admin"}`), ruletest.Times(30, 4, `{"_id":"s%d","department":"team %[1]d"}`),
				[]string{`{"_id":"s40","department":"Hv74zH6ZjuqmdGwaJ"}`, `{"_id":"s41","department":"4A8iCfd3WXFSHfDsF"}`, `{"_id":"s42","department":"MedyzbWAL5YLNvznY"}`, `{"_id":"s43"}`}),
		}},
		{
			Name: "one of a sort that has it", DB: ruletest.Database{"publishers": publishers, "people": ruletest.Concat(
				ruletest.Times(1, 6, `{"id":"a%d","role":"author","publisherId":"press1"}`), ruletest.Times(1, 3, `{"id":"e%d","role":"editor","publisherId":"press2"}`),
				[]string{`{"id":"x1","role":"owner"}`, `{"id":"x2","role":"author"}`})},
			Want: []string{"info people.jsonl:10 publisherId"},
		},
		{
			Name: "null in others", DB: ruletest.Database{"publishers": publishers, "books": ruletest.Concat(books(20), ruletest.Times(50, 3, `{"id":"b%d","name":"Book %[1]d","publisherId":null}`),
				ruletest.Times(60, 3, `{"id":"b%d","name":"Book %[1]d"}`))},
		},
		{
			Name: "in documents that all have what only some others have", DB: ruletest.Database{"publishers": publishers, "books": ruletest.Concat(
				ruletest.Times(1, 60, `{"id":"b%d","name":"B","publisherId":"press1"}`), ruletest.Times(70, 60, `{"id":"b%d","name":"B","publisherId":"press2","series":"S"}`),
				ruletest.Times(160, 6, `{"id":"b%d","name":"B","series":"S"}`))},
		},
		{
			Name: "in documents of which most have what only some others have", DB: ruletest.Database{"publishers": publishers, "books": ruletest.Concat(
				ruletest.Times(1, 60, `{"id":"b%d","name":"B","publisherId":"press1"}`), ruletest.Times(70, 60, `{"id":"b%d","name":"B","publisherId":"press2","series":"S"}`),
				ruletest.Times(160, 5, `{"id":"b%d","name":"B","series":"S"}`), []string{`{"id":"x","name":"B"}`})},
			Want: []string{"warning books.jsonl:121 publisherId"},
		},
		{
			Name: "in a list", DB: ruletest.Database{"publishers": publishers, "shelves": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"s%d","books":[{"title":"a","publisherId":"press1"},{"title":"b","publisherId":"press2"}]}`),
				[]string{`{"id":"s99","books":[{"title":"a","publisherId":"press1"},{"title":"b"}]}`})},
			Want: []string{"warning shelves.jsonl:31 books[].publisherId"}, Says: "1 of 62 objects",
		},
		{
			Name: "in a reference object", DB: ruletest.Database{"publishers": publishers, "books": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"b%d","publisher":{"id":"press1"}}`), []string{`{"id":"b99"}`})},
			Want: []string{"warning books.jsonl:31 publisher"},
		},
		{
			Name: "that tells kinds", DB: ruletest.Database{"categories": categories, "goods": ruletest.Concat(goods, []string{`{"id":"g99","name":"G","edge":1,"grip":2,"reach":3}`})},
			Want: []string{"warning goods.jsonl:61 categoryId"}, Says: `categoryId is missing in 1 of 61 documents of goods (id "g99")`,
		},

		{
			Name: "a fifth, where nothing else is optional", DB: ruletest.Database{"publishers": publishers, "books": books(40, ruletest.Times(50, 10, `{"id":"b%d","name":"Book %[1]d"}`)...)},
			Want: []string{"info books.jsonl:41 publisherId"},
		},
		{
			Name: "of a code that is no id", DB: ruletest.Database{"publishers": ruletest.Times(100, 30, `{"id":"p%[1]d","imprint":"https://press.example/%[1]d"}`), "books": ruletest.Concat(
				ruletest.Times(100, 30, `{"id":"b%[1]d","name":"Book %[1]d","publisher":{"url":"https://press.example/%[1]d"}}`), []string{`{"id":"b9","name":"Book 9"}`})},
			Want: []string{"warning books.jsonl:31 publisher"},
		},

		{Name: "a fifth, where other fields are optional too", DB: ruletest.Database{"publishers": publishers, "books": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"b%d","name":"B","publisherId":"press1","pages":3}`), ruletest.Times(30, 20, `{"id":"b%d","name":"B","publisherId":"press2","note":"n"}`),
			ruletest.Times(60, 10, `{"id":"b%d","name":"B","note":"n"}`))}},
		{Name: "the sort says which have none", DB: ruletest.Database{"publishers": publishers, "people": ruletest.Concat(
			ruletest.Times(1, 6, `{"id":"a%d","role":"author","publisherId":"press1"}`), ruletest.Times(1, 3, `{"id":"e%d","role":"editor","publisherId":"press2"}`),
			[]string{`{"id":"x1","role":"owner"}`, `{"id":"x2","role":"guest"}`})}},
		{Name: "nothing there to refer to", DB: ruletest.Database{
			"chats":    ruletest.Concat(ruletest.Times(1, 9, `{"id":"chat%[1]d","lastMessageId":"m%[1]d"}`), []string{`{"id":"chat10"}`}),
			"messages": ruletest.Times(1, 9, `{"id":"m%[1]d","text":"t","chatId":"chat%[1]d"}`)}},
		{
			Name: "something there to refer to", DB: ruletest.Database{
				"chats":    ruletest.Concat(ruletest.Times(1, 9, `{"id":"chat%[1]d","lastMessageId":"m%[1]d"}`), []string{`{"id":"chat10"}`}),
				"messages": ruletest.Times(1, 10, `{"id":"m%[1]d","text":"t","chatId":"chat%[1]d"}`)},
			Want: []string{"warning chats.jsonl:10 lastMessageId"},
		},
		{
			Name: "one of many, of which the last is referred to", DB: ruletest.Database{
				"chats":    ruletest.Times(1, 9, `{"id":"chat%[1]d","lastMessageId":"m4%[1]d"}`),
				"messages": ruletest.Concat(ruletest.Times(11, 9, `{"id":"m%[1]d","text":"t","chatId":"chat2"}`), ruletest.Times(1, 9, `{"id":"m4%[1]d","text":"t","chatId":"chat%[1]d"}`), ruletest.Times(61, 9, `{"id":"m%[1]d","text":"t","chatId":"chat3"}`), []string{`{"id":"m99","text":"t"}`}),
			},
			Want: []string{"warning messages.jsonl:28 chatId"},
		},
		{Name: "that tells kinds, in another kind", DB: ruletest.Database{"categories": categories, "goods": ruletest.Concat(goods, []string{`{"id":"g99","author":"G","text":"t"}`})}},
		{Name: "everywhere", DB: ruletest.Database{"publishers": publishers, "books": books(9)}},
		{Name: "null says so", DB: ruletest.Database{"publishers": publishers, "books": books(9, `{"id":"b99","name":"B","publisherId":null}`)}},
		{Name: "half of them", DB: ruletest.Database{"publishers": publishers, "books": books(4, ruletest.Times(5, 4, `{"id":"b%d","name":"B"}`)...)}},
		{Name: "three documents", DB: ruletest.Database{"publishers": publishers, "books": books(2, `{"id":"b9","name":"B"}`)}},
		{Name: "refers to nothing known", DB: ruletest.Database{"books": books(9, `{"id":"b99","name":"B"}`)}},
		{Name: "optional by its name", DB: ruletest.Database{"managers": publishers, "clerks": ruletest.Concat(
			ruletest.Times(1, 9, `{"id":"c%d","managerId":"press1"}`), []string{`{"id":"c99"}`})}},
		{Name: "the first needs none", DB: ruletest.Database{"recipes": ruletest.Concat(
			ruletest.Times(2, 12, `{"id":"r%d","requiredRecipeId":"r1"}`), []string{`{"id":"r1"}`}), "quests": ruletest.Times(1, 9, `{"id":"q%d"}`), "places": ruletest.Concat(
			ruletest.Times(2, 8, `{"id":"s%[1]d","neededQuestId":"q%[1]d"}`), []string{`{"id":"s1"}`})}},
		{Name: "a root has no parent", DB: ruletest.Database{"nodes": ruletest.Concat(ruletest.Times(2, 30, `{"id":"n%d","parentNodeId":"n1"}`), []string{`{"id":"n1"}`})}},
		{Name: "part of an optional group", DB: ruletest.Database{"publishers": publishers, "books": ruletest.Concat(
			ruletest.Times(1, 9, `{"id":"b%d","name":"B","publisherId":"press1","publishedOn":"x"}`), []string{`{"id":"b99","name":"B"}`})}},
		{Name: "another one in turn", DB: ruletest.Database{"publishers": publishers, "authors": ruletest.Times(1, 3, `{"id":"a%d"}`), "books": ruletest.Concat(
			ruletest.Times(1, 9, `{"id":"b%d","name":"B","publisherId":"press1"}`), []string{`{"id":"b99","name":"B","authorId":"a1"}`})}},
		{Name: "another kind", DB: ruletest.Database{"publishers": publishers, "all": ruletest.Concat(
			ruletest.Times(1, 30, `{"id":"b%d","type":"book","pages":3,"isbn":"i","publisherId":"press1"}`),
			ruletest.Times(1, 9, `{"id":"r%d","type":"review","stars":3,"text":"t"}`))}},
	})
}

func TestMissingReferenceFix(t *testing.T) {
	t.Parallel()
	books := ruletest.Concat(ruletest.Times(1, 3, `{"id":"b%d","name":"Book","publisherId":"press1"}`), []string{`{"id":"b9","name":"Book 9"}`})
	partition := jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"books": {PartitionKey: "/publisherId"}}}
	both := ruletest.Database{"publishers": {`{"id":"press1","name":"P"}`}, "books": books}
	found := ruletest.FindingsOf(t, "missing-reference", both, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, `{"id":"b9","publisherId":null,"name":"Book 9"}`, string(found[0].Fixes[0].After[0].Document))
	require.Empty(t, ruletest.FindingsOf(t, "missing-reference", both, partition))
	found = ruletest.FindingsOf(t, "partition-key", both, partition)
	require.Len(t, found, 1, "one cause, one finding")
	assert.Equal(t, finding.Error, found[0].Severity)
}
