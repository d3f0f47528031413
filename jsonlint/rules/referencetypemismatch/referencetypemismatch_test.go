package referencetypemismatch_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// linked has articles 11 to 19, events 19 to 27, and a letter with links to some of
// them.
func linked(to ...int) ruletest.Database {
	var links []string
	for _, n := range to {
		links = append(links, fmt.Sprintf(`{"to":"5dc9a7a157737d226cca95%d"}`, n))
	}
	return ruletest.Database{
		"articles": ruletest.Times(11, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"title":"Article %[1]d"}`),
		"events":   ruletest.Times(19, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"place":"Room %[1]d"}`),
		"letters":  {`{"_id":"l","links":[` + strings.Join(links, ",") + `]}`},
	}
}

// everywhere returns n collections of unlike documents that refer to events by texts.
func everywhere(n int) ruletest.Database {
	db := ruletest.Database{"events": ruletest.Times(21, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"place":"Room %[1]d"}`)}
	for i := 1; i <= n; i++ {
		db[fmt.Sprintf("l%d", i)] = ruletest.Times(21, 9, fmt.Sprintf(`{"_id":"l%%d","a%[1]d":1,"b%[1]d":2,"c%[1]d":3,"event_id":"5dc9a7a157737d226cca95%%[1]d"}`, i))
	}
	return db
}

// tables has three collections with one document for each member.
func tables(here, there string) ruletest.Database {
	return ruletest.Database{
		"people": ruletest.Times(4000, 30, `{"_id":"p%d","name":"n%[1]d","profile":{"memberId":`+strings.Replace(here, "%d", "%[1]d", 1)+`}}`),
		"calls":  ruletest.Times(4000, 30, `{"_id":"c%d","memberId":`+strings.Replace(there, "%d", "%[1]d", 1)+`,"calls":%[1]d}`),
		"sales":  ruletest.Times(4000, 30, `{"_id":"s%d","memberId":`+strings.Replace(there, "%d", "%[1]d", 1)+`,"euros":%[1]d}`),
	}
}

func TestReferenceTypeMismatch(t *testing.T) {
	t.Parallel()
	texts := ruletest.Times(1, 9, `{"id":"%d","symbol":"S%[1]d"}`)
	numbers := ruletest.Times(1, 9, `{"id":%d,"symbol":"S%[1]d"}`)
	streets := make([]string, 9000)
	for i := range streets {
		streets[i] = fmt.Sprintf(`{"id":%d,"name":"n%d"}`, 3*i+1, i)
	}
	ruletest.Run(t, "reference-type-mismatch", []ruletest.ShapeCase{
		{Name: "numbers for ids that documents repeat as numbers", DB: ruletest.Database{
			"authors": ruletest.Times(1, 400, `{"_id":"%d","id":%[1]d,"name":"Name %[1]d"}`), "works": ruletest.Documents(133, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"_id":"w%d","author":[{"id":%d,"value":"Name %[2]d"}]}`, i, 2+3*i)
			}),
		}},
		{
			Name: "numbers for strings",
			DB:   ruletest.Database{"stocks": texts, "persons": ruletest.Times(1, 9, `{"id":"p%d","holdings":[{"stockId":%[1]d}]}`)},
			Want: []string{"error persons.jsonl:1 holdings[].stockId"}, Says: "stocks.id is a string",
		},
		{
			Name: "texts for the numbers of several collections", DB: tables(`"%d"`, `%d`),
			Want: []string{"error people.jsonl:1 profile.memberId"}, Says: "profile.memberId and calls.memberId hold the same ids in two types, strings here and numbers there, and in 1 more collection",
		},
		{Name: "texts everywhere", DB: tables(`"%d"`, `"%d"`)},
		{Name: "texts of others", DB: tables(`"9%d"`, `%d`)},
		{
			Name: "the user of a service, in an object that users have too",
			DB: ruletest.Database{
				"users":  ruletest.Times(10, 9, `{"_id":{"$oid":"6895a1bcdf60958cf96d49%d"},"name":"n%[1]d","pay":{"token":"t%[1]d","userId":"7001%[1]d"}}`),
				"events": ruletest.Times(10, 9, `{"_id":{"$oid":"6895a1bcdf60958cf96d50%d"},"title":"e%[1]d","pay":{"token":"t%[1]d","userId":"8001%[1]d"}}`),
			},
		},
		{
			Name: "a user by number, in an object",
			DB: ruletest.Database{
				"users":  ruletest.Times(10, 9, `{"_id":{"$oid":"6895a1bcdf60958cf96d49%d"},"name":"n%[1]d"}`),
				"events": ruletest.Times(10, 9, `{"_id":{"$oid":"6895a1bcdf60958cf96d50%d"},"title":"e%[1]d","by":{"userId":"8001%[1]d"}}`),
			},
			Want: []string{"warning events.jsonl:1 by.userId"},
		},
		{
			Name: "the time of the last entry in a log",
			DB: ruletest.Database{
				"admin_login_log": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":{"$oid":"6895a1bcdf60958cf96d50%02d"},"login_log_id":%d,"login_datetime":"%d"}`, i, 1000+i, 1744026714+7919*i)
				}),
				"admin": ruletest.Documents(9, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"_id":{"$oid":"6895a1bcdf60958cf96d60%02d"},"name":"n%d","last_login_date":%d}`, i, i, 1744026714+7919*4*i)
				}),
			},
		},
		{
			Name: "texts for the one id that is an ObjectId", // among texts
			DB: ruletest.Database{
				"users":  ruletest.Concat([]string{`{"_id":{"$oid":"6895a1bcdf60958cf96d4990"},"name":"Ann"}`}, ruletest.Times(1, 8, `{"_id":"6895a1bcdf60958cf96d499%d","name":"Bob"}`)),
				"checks": ruletest.Times(1, 6, `{"_id":{"$oid":"6895a1bcdf60958cf96d500%d"},"userId":"6895a1bcdf60958cf96d4990"}`),
			},
			Want: []string{"error checks.jsonl:1 userId"}, Says: "users._id is an ObjectId",
		},
		{
			Name: "ids of users that are not there",
			DB: ruletest.Database{
				"reviews": ruletest.Times(1, 8, `{"_id":"r%d","userId":{"$oid":"6895a1bcdf60958cf96d499%[1]d"},"stars":%[1]d}`),
				"quotes":  ruletest.Times(1, 8, `{"userId":"6895a1bcdf60958cf96d499%d","comment":"Text %[1]d"}`),
			},
			Want: []string{"error reviews.jsonl:1 userId"}, Says: "userId and quotes.userId hold the same ids in two types, ObjectIds here and strings there",
		},
		{
			Name: "what a shell prints of an id",
			DB: ruletest.Database{
				"phases": ruletest.Times(1, 5, `{"_id":{"$oid":"6895A1bcdf60958cf96d499%d"},"name":"Phase %[1]d"}`),
				"tasks":  ruletest.Times(1, 5, `{"_id":{"$oid":"6895a1bcdf60958cf96d500%d"},"phase":"ObjectId(\"6895a1bcdf60958cf96d499%[1]d\")"}`),
			},
			Want: []string{"error tasks.jsonl:1 phase"}, Says: "holds ids of phases as strings",
		},
		{
			Name: "ObjectIds from before the ids were UUIDs",
			DB: ruletest.Database{
				"users":  ruletest.Times(1, 3, `{"id":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f000%d","name":"Ann"}`),
				"orders": ruletest.Times(1, 4, `{"id":%d,"userId":"6895a1bcdf60958cf96d499%[1]d","total":5}`),
			},
			Want: []string{"warning orders.jsonl:1 userId"},
		},
		{
			Name: "numbers that another service made",
			DB: ruletest.Database{
				"users":  ruletest.Times(1, 3, `{"_id":{"$oid":"6895a1bcdf60958cf96d499%d"},"name":"Ann","phone":"090000000%[1]d"}`),
				"scores": ruletest.Times(1, 4, `{"id":%d,"userId":"34014619908243456%[1]d","total":5}`),
			},
		},
		{
			Name: "numbers from before the ids were ObjectIds",
			DB: ruletest.Database{
				"users":   ruletest.Times(1, 3, `{"_id":{"$oid":"6895a1bcdf60958cf96d499%d"},"name":"Ann","phone":"090000000%[1]d"}`),
				"orders":  ruletest.Times(1, 4, `{"id":%d,"user_id":3,"total":5}`),
				"reviews": ruletest.Times(1, 3, `{"id":%d,"user_id":4,"text":"good"}`),
			},
			Want: []string{"warning orders.jsonl:1 user_id"}, Says: "orders.user_id holds numbers, but in users._id are ObjectIds: by its name it refers to users, and 4 references match nothing; the same in 1 more field",
		},
		{
			Name: "numbers of users that have a number too",
			DB: ruletest.Database{
				"users":  ruletest.Times(1, 3, `{"_id":{"$oid":"6895a1bcdf60958cf96d499%d"},"name":"Ann","number":%[1]d}`),
				"orders": ruletest.Times(1, 4, `{"id":%d,"user_id":77,"total":5}`),
			},
		},
		{
			Name: "documents that hold the number of something else in the type of the references",
			DB: ruletest.Database{
				"patients":  ruletest.Times(1, 6, `{"id":"%d","name":"n%[1]d","idHistory":%[1]d}`),
				"moods":     ruletest.Times(1, 6, `{"id":"m%d","idPatient":%[1]d,"mood":3}`),
				"histories": ruletest.Times(1, 6, `{"id":%d,"reason":"r%[1]d"}`),
			},
			Want: []string{"error moods.jsonl:1 idPatient"}, Says: "holds ids of patients as numbers",
		},
		{
			Name: "documents that repeat their own id in the type of the references",
			DB: ruletest.Database{
				"profiles": ruletest.Times(1000, 300, `{"_id":{"$oid":"6895a1bcdf60958cf96d%d"},"uid":"6895a1bcdf60958cf96d%[1]d","name":"N"}`),
				"bookings": ruletest.Concat(ruletest.Times(1000, 300, `{"_id":{"$oid":"6895a1bcdf60958cf96e%d"},"uid":"6895a1bcdf60958cf96d%[1]d","total":5}`),
					ruletest.Times(1000, 99, `{"_id":{"$oid":"6895a1bcdf60958cf96f%d"},"uid":"6895a1bcdf60958cf96d%[1]d","total":5}`)),
			},
		},
		{
			Name: "the texts around the hits of a search engine",
			DB: ruletest.Database{
				"players": ruletest.Times(1, 9, `{"_index":"game","_type":"player","_id":"%d","_source":{"name":"N%[1]d"}}`),
				"teams":   ruletest.Times(1, 9, `{"id":"t%d","playerId":%[1]d}`),
			},
		},
		{
			Name: "numbers that are a part of the key",
			DB: ruletest.Database{
				"currency": ruletest.Times(1, 6, `{"_id":{"$oid":"6895a1bcdf60958cf96d499%d"},"currency_id":1,"day":%[1]d,"rate":1.%[1]d}`),
				"expenses": ruletest.Times(1, 4, `{"id":%d,"currency_id":1,"total":5}`),
			},
		},
		{
			Name: "percentages, and ids of which a few are numbers, one after the other",
			DB: ruletest.Database{
				"units":     ruletest.Concat(ruletest.Times(1, 106, `{"id":"%d","name":"Unit %[1]d"}`), ruletest.Times(100, 700, `{"id":"3_%d","name":"Unit %[1]d"}`)),
				"positions": ruletest.Times(20, 49, `{"id":"p%d","x_percent":%[1]d}`),
			},
		},
		{
			Name: "ids of another system among texts that are ids",
			DB: ruletest.Database{
				"users":  ruletest.Times(1, 3, `{"_id":"u-%d","name":"Ann"}`),
				"orders": ruletest.Times(1, 4, `{"id":%d,"user_id":77,"total":5}`),
			},
		},
		{
			Name: "numbers in a field that is called as documents are",
			DB: ruletest.Database{
				"users":  ruletest.Times(1, 3, `{"_id":{"$oid":"6895a1bcdf60958cf96d499%d"},"name":"Ann"}`),
				"orders": ruletest.Times(1, 4, `{"id":%d,"users":77,"total":5}`),
			},
		},
		{
			Name: "strings for numbers",
			DB:   ruletest.Database{"stocks": numbers, "persons": ruletest.Times(1, 9, `{"id":"p%d","stockId":"%[1]d"}`)},
			Want: []string{"error persons.jsonl:1 stockId"}, Says: `"1" and 1`,
		},
		{
			Name: "one person and two stocks",
			DB:   ruletest.Database{"stocks": texts[:2], "persons": {`{"id":"1","holdings":[{"amount":100,"stockId":1},{"amount":50,"stockId":2}]}`}},
			Want: []string{"error persons.jsonl:1 holdings[].stockId"}, Says: `1 and "1"`,
		},
		{
			Name: "a small number among many", // of which a sample is known
			DB:   ruletest.Database{"streets": streets, "courses": {`{"_id":"c1","idAuthor":"1"}`, `{"_id":"c2","idAuthor":"1"}`}},
		},
		{
			Name: "two small numbers that are ids of something called alike",
			DB:   ruletest.Database{"gs1cats": ruletest.Times(1, 9, `{"_id":"x%d","id":"%[1]d"}`), "cities": {`{"_id":1,"cats":[{"cat_id":1,"v":1},{"cat_id":2,"v":1}]}`}},
		},
		{
			Name: "a list named after its target",
			DB:   ruletest.Database{"books": texts, "publishers": {`{"id":"p","name":"P","books":[1,2,3]}`}},
			Want: []string{"error publishers.jsonl:1 books[]"},
		},
		{
			Name: "the document's own id in words", // a number for customers
			DB:   ruletest.Database{"orders": ruletest.Times(1, 9, `{"_id":{"$oid":"5a9427648b0beebeb695000%d"},"orderCode":"5a9427648b0beebeb695000%[1]d"}`)},
		},
		{
			Name: "the id of another of its like",
			DB:   ruletest.Database{"orders": append(ruletest.Times(1, 8, `{"_id":{"$oid":"5a9427648b0beebeb695000%d"},"orderBefore":"5a94276480000000b6950000"}`), ruletest.Times(9, 1, `{"_id":{"$oid":"5a94276480000000b6950000"},"orderBefore":"5a9427648b0beebeb6950001"}`)...)},
			Want: []string{"error orders.jsonl:1 orderBefore"},
		},
		{
			Name: "digits for ObjectIds",
			DB: ruletest.Database{
				"users": ruletest.Times(1, 9, `{"_id":{"$oid":"5a9427648b0beebeb695000%d"}}`),
				"posts": ruletest.Times(1, 9, `{"_id":"p%d","userId":"5a9427648b0beebeb695000%[1]d"}`),
			},
			Want: []string{"error posts.jsonl:1 userId"}, Says: "is an ObjectId",
		},

		{
			Name: "digits for ObjectIds, of which half lead nowhere",
			DB: ruletest.Database{"users": ruletest.Times(10, 5, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"name":"N"}`), "orders": ruletest.Concat(
				ruletest.Times(13, 4, `{"_id":"%d","city":"C","userId":"5dc9a7a157737d226cca95%[1]d"}`), ruletest.Times(20, 26, `{"_id":"%d","city":"C"}`))},
			Want: []string{"error orders.jsonl:1 userId"},
		},
		{
			Name: "digits for ObjectIds, of which one in four leads somewhere",
			DB: ruletest.Database{"users": ruletest.Times(10, 5, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"name":"N"}`), "films": ruletest.Concat(
				ruletest.Times(30, 20, `{"_id":"%d","user":"5dc9a7a157737d226cca9511"}`), ruletest.Times(60, 3, `{"_id":"%d","user":"5dc9a7a157737d226cca95%[1]d"}`))},
			Want: []string{"error films.jsonl:1 user"},
		},
		{
			Name: "texts of ids that the documents repeat as texts",
			DB: ruletest.Database{
				"villages": ruletest.Times(10, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"vid":"5dc9a7a157737d226cca95%[1]d"}`),
				"booths":   ruletest.Times(10, 9, `{"_id":"b%d","vid":"5dc9a7a157737d226cca95%[1]d"}`),
			},
		},
		{
			Name: "numbers for texts, beside a copy of the name",
			DB: ruletest.Database{
				"products": ruletest.Times(10, 9, `{"ProductID":"%d","ProductName":"Queso %[1]d"}`),
				"orders":   ruletest.Times(10, 9, `{"_id":"o%d","items":[{"productId":%[1]d,"productName":"Queso %[1]d"}]}`),
			},
			Want: []string{"error orders.jsonl:1 items[].productId"},
		},
		{
			Name: "small numbers and one small key of another kind of document",
			DB: ruletest.Database{
				"builds": append(ruletest.Times(11, 20, `{"_id":"b%d","kind":"a","branch":"main","author":"x","build_number":"%[1]d7777"}`),
					`{"_id":"c1","kind":"b","build_number":"1","lane":2,"queue":"q"}`, `{"_id":"c2","kind":"b","build_number":"7","lane":3,"queue":"q"}`, `{"_id":"c3","kind":"b","build_number":"93","lane":3,"queue":"q"}`),
				"hosts": ruletest.Times(1, 9, `{"_id":"h%d","attempts":1,"limits":{"most":1}}`),
			},
		},
		{
			Name: "texts for the ObjectIds of two collections", DB: linked(11, 13, 21, 22),
			Want: []string{"warning letters.jsonl:1 links[].to"}, Says: "links[].to holds ids of articles and events as strings, but their ids are ObjectIds: 4 references match nothing",
		},
		{Name: "one number of a program that numbers all things from 10000", DB: ruletest.Database{
			"linkTypes":   ruletest.Concat(ruletest.Times(10001, 1, `{"id":"%d","inward":"blocks"}`), ruletest.Times(12310361, 20, `{"id":"%d","inward":"blocks %[1]d"}`)),
			"transitions": {`{"id":"4","fields":{"summary":{"customId":10001}}}`},
		}},
		{Name: "a single number that is a code, too", DB: ruletest.Database{
			"batches": ruletest.Concat(ruletest.Times(111, 8, `{"id":"b%[1]d","productId":"%[1]d"}`), []string{`{"id":"b9","productId":"999"}`}),
			"sales":   ruletest.Times(1, 7, `{"id":"s%d","buyerNumber":999}`),
		}},
		{
			Name: "a word and an empty text among texts for ObjectIds", DB: ruletest.Database{
				"events":  linked()["events"],
				"letters": ruletest.Concat([]string{`{"_id":"a","event_id":"self"}`, `{"_id":"b","event_id":""}`}, ruletest.Times(20, 7, `{"_id":"l%d","event_id":"5dc9a7a157737d226cca95%[1]d"}`)),
			},
			Want: []string{"error letters.jsonl:3 event_id"}, Says: "7 references match nothing",
		},
		{Name: "two texts may be copied ids", DB: linked(11, 21)},
		{Name: "one program keeps all references as texts", DB: everywhere(6), Want: []string{"error l1.jsonl:1 event_id"}, Says: "the same in 5 more places"},
		{
			Name: "a few references as texts", DB: everywhere(5),
			Want: []string{"error l1.jsonl:1 event_id", "error l2.jsonl:1 event_id", "error l3.jsonl:1 event_id", "error l4.jsonl:1 event_id", "error l5.jsonl:1 event_id"},
		},
		{Name: "a text that leads nowhere", DB: linked(11, 13, 21, 99)},
		{Name: "an id that two collections share", DB: linked(11, 13, 21, 19)},
		{Name: "an id that two collections share, and a text that leads nowhere", DB: linked(11, 13, 21, 19, 99)},
		{Name: "the document's own id again, as a text", DB: ruletest.Database{
			"articles": linked()["articles"], "people": ruletest.Times(41, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"uid":"5dc9a7a157737d226cca95%[1]d"}`),
		}},
		{
			Name: "ids of two collections in a field that names one", DB: ruletest.Database{
				"articles": linked()["articles"], "events": linked()["events"],
				"letters": ruletest.Concat(ruletest.Times(20, 8, `{"_id":"l%d","event_id":"5dc9a7a157737d226cca95%[1]d"}`), []string{`{"_id":"l","event_id":"5dc9a7a157737d226cca9511"}`}),
			},
			Want: []string{"error letters.jsonl:1 event_id"},
		},
		{Name: "texts for the texts of two collections", DB: ruletest.Database{
			"articles": ruletest.Times(11, 9, `{"_id":"5dc9a7a157737d226cca95%d","title":"Article %[1]d"}`),
			"events":   ruletest.Times(21, 9, `{"_id":"5dc9a7a157737d226cca95%d","place":"Room %[1]d"}`),
			"letters":  linked(11, 13, 21, 22)["letters"],
		}},
		{Name: "ids of two collections in their own type", DB: ruletest.Database{
			"articles": linked()["articles"], "events": linked()["events"],
			"letters": {`{"_id":"l","to":[{"$oid":"5dc9a7a157737d226cca9511"},{"$oid":"5dc9a7a157737d226cca9513"},{"$oid":"5dc9a7a157737d226cca9521"},{"$oid":"5dc9a7a157737d226cca9522"}]}`},
		}},
		{Name: "ids of a service", DB: ruletest.Database{
			"payments": ruletest.Times(11, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"sum":%[1]d}`),
			"orders":   ruletest.Times(11, 9, `{"_id":"o%d","paymentId":"tok_1E815SEimJtvIv1IJs2%[1]dMG9T"}`),
		}},
		{Name: "one type", DB: ruletest.Database{"stocks": texts, "persons": ruletest.Times(1, 9, `{"id":"p%d","stockId":"%[1]d"}`)}},
		{Name: "two spellings of a number", DB: ruletest.Database{
			"accounts": ruletest.Times(1, 9, `{"_id":{"$numberInt":"%d"}}`), "users": ruletest.Times(1, 9, `{"_id":"u%d","accountId":%[1]d}`),
		}},
		{Name: "a path", DB: ruletest.Database{"stocks": numbers, "persons": ruletest.Times(1, 9, `{"id":"p%d","stock":{"url":"/api/stocks/%[1]d/"}}`)}},
		{Name: "mixed types", DB: ruletest.Database{"stocks": texts, "persons": ruletest.Concat(
			ruletest.Times(1, 5, `{"id":"p%d","stockId":"%[1]d"}`), ruletest.Times(6, 4, `{"id":"p%d","stockId":%[1]d}`))}},
		{Name: "numbered elements", DB: ruletest.Database{"comments": ruletest.Times(1, 9, `{"id":"%d","text":"t"}`), "posts": ruletest.Times(1, 9,
			`{"id":"p%d","comments":[{"id":1,"text":"a","by":"x"},{"id":2,"text":"b","by":"y"}]}`)}},
		{Name: "another collection's numbers", DB: ruletest.Database{"stocks": texts, "persons": ruletest.Times(1, 9, `{"id":"p%d","age":%[1]d}`)}},
		{Name: "digits among texts", DB: ruletest.Database{"events": {
			`{"id":1,"duration":2,"equipment":"our own"}`, `{"id":2,"duration":2,"equipment":"none"}`, `{"id":3,"duration":23,"equipment":"23"}`, `{"id":4,"duration":2,"equipment":"123123"}`}}},
		{Name: "the key of another system, and its numbers", DB: ruletest.Database{
			"costs": ruletest.Times(1, 400, `{"id":"c%d","trackerId":%[1]d,"sum":%[1]d.5}`), "cars": ruletest.Times(100, 12, `{"id":"k%d","plate":"P-%[1]d","trackerUnitKey":"%[1]d"}`),
		}},
		{Name: "a quantity", DB: ruletest.Database{"stocks": texts, "products": ruletest.Times(1, 9, `{"id":"p%d","stock":%[1]d}`)}},
	})
}

// TestReferenceTypeMismatchFix: references get the type and the spelling of
// the id.
func TestReferenceTypeMismatchFix(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ target, source, want string }{
		"strings":            {`{"id":"%d"}`, `{"_id":"p%d","stockId":%[1]d,"n":1}`, `{"_id":"p1","stockId":"1","n":1}`},
		"numbers":            {`{"id":%d}`, `{"_id":"p%d","stockId":"%[1]d"}`, `{"_id":"p1","stockId":1}`},
		"wrapped numbers":    {`{"id":{"$numberInt":"%d"}}`, `{"_id":"p%d","stockId":"%[1]d"}`, `{"_id":"p1","stockId":{"$numberInt":"1"}}`},
		"ObjectIds":          {`{"_id":{"$oid":"5a9427648b0beebeb695000%d"}}`, `{"_id":"p%d","stockId":"5a9427648b0beebeb695000%[1]d"}`, `{"_id":"p1","stockId":{"$oid":"5a9427648b0beebeb6950001"}}`},
		"lists":              {`{"id":"%d"}`, `{"_id":"p%d","stocks":[%[1]d,2]}`, `{"_id":"p1","stocks":["1","2"]}`},
		"a list with others": {`{"_id":{"$oid":"5a9427648b0beebeb695000%d"}}`, `{"_id":"p%d","stocks":["self","5a9427648b0beebeb695000%[1]d"]}`, `{"_id":"p1","stocks":["self",{"$oid":"5a9427648b0beebeb6950001"}]}`},
		"null stays empty":   {`{"id":"%d"}`, `{"_id":"p%d","stockIds":[%[1]d,null]}`, `{"_id":"p1","stockIds":["1",null]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "reference-type-mismatch", ruletest.Database{"stocks": ruletest.Times(1, 9, tc.target), "persons": ruletest.Times(1, 9, tc.source)}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			assert.Equal(t, finding.Plan, found[0].Fixes[0].Safety)
			assert.Equal(t, tc.want, string(found[0].Fixes[0].After[0].Document))
		})
	}
}
