package casevariantvalues_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// TestTranslations: whoever translates a text into several languages misspells it in
// several fields of one object.
func TestTranslations(t *testing.T) {
	t.Parallel()
	var documents []string
	for i := range 30 {
		member := func(language int) string {
			word := []string{"Two", "one"}[i%2]
			if i == 10+2*language {
				word = "two"
			}
			return fmt.Sprintf(`"l%[1]c":"Label %[1]c %[2]s"`, 'a'+language, word)
		}
		documents = append(documents, fmt.Sprintf(`{"id":"%d","labels":{%s}}`, i, ruletest.Joined(6, member)))
	}
	ruletest.Run(t, "case-variant-values", []ruletest.ShapeCase{{
		Name: "six languages", DB: ruletest.Database{"a": documents}, Want: []string{"warning a.jsonl:11 labels.la"}, Says: "the same in 5 more fields",
	}})
}

// towns has people in 1,260 towns, four in each, and n in one with two spellings.
func towns(n int) ruletest.Database {
	return ruletest.Database{"people": ruletest.Concat(
		[]string{`{"id":"o","homes":[{"town":"OSLO"}]}`}, ruletest.Times(1, n, `{"id":"o%d","homes":[{"town":"Oslo"}]}`),
		ruletest.Documents(5040, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"p%d","homes":[{"town":"Town of %c%c%c"}]}`, i, 'a'+i%7, 'a'+i/7%10, 'a'+i/70%18)
		}))}
}

func TestMissingInTwoSpellings(t *testing.T) {
	t.Parallel()
	ruletest.Run(t, "case-variant-values", []ruletest.ShapeCase{
		{Name: "null", DB: ruletest.Database{"users": ruletest.Concat(ruletest.Times(1, 9, `{"id":"a%d","mood":"calm"}`), ruletest.Times(1, 9, `{"id":"b%d","mood":"null"}`), ruletest.Times(1, 5, `{"id":"c%d","mood":"NULL"}`))}},
		{Name: "addresses under another name", DB: ruletest.Database{"users": ruletest.Concat(ruletest.Times(1, 30, `{"id":"a%d","emailSecondary":"u%[1]d@example.com"}`), []string{`{"id":"x","emailSecondary":"U7@Example.com"}`})}, Want: []string{"warning users.jsonl:31 emailSecondary"}},
		{Name: "handles under another name", DB: ruletest.Database{"users": ruletest.Concat(ruletest.Times(1, 30, `{"id":"a%d","motto":"u%[1]d"}`), []string{`{"id":"x","motto":"U7"}`})}},
		{Name: "towns, of hundreds", DB: towns(12), Want: []string{"warning people.jsonl:1 homes[].town"}, Says: `people.homes[].town is "Oslo" in 12 places and "OSLO" in 1 place`},
		{Name: "makes, in a handful of cars each", DB: ruletest.Database{"cars": ruletest.Concat(
			ruletest.Times(1, 3, `{"id":"a%d","make":"FORD"}`), ruletest.Times(1, 4, `{"id":"b%d","make":"Volvo"}`), ruletest.Times(1, 3, `{"id":"c%d","make":"Fiat"}`), []string{`{"id":"d","make":"Ford"}`, `{"id":"e","make":"Seat"}`})},
			Want: []string{"warning cars.jsonl:11 make"}, Says: `cars.make is "FORD" in 3 places and "Ford" in 1 place`},
		{Name: "a rarer town, of hundreds", DB: towns(9)},
		{Name: "pieces of sentences", DB: ruletest.Database{"edits": ruletest.Concat(ruletest.Times(1, 9, `{"id":"a%d","old":"the"}`), ruletest.Times(1, 5, `{"id":"b%d","old":"The"}`), ruletest.Times(1, 5, `{"id":"c%d","old":"said:"}`))}},
		{Name: "a mood", DB: ruletest.Database{"users": ruletest.Concat(ruletest.Times(1, 9, `{"id":"a%d","mood":"calm"}`), ruletest.Times(1, 5, `{"id":"c%d","mood":"CALM"}`))}, Want: []string{"warning users.jsonl:10 mood"}},
	})
}

// coupons are codes to which orders refer, a few of them in other spellings.
func coupons(others ...string) ruletest.Database {
	orders := ruletest.Concat(ruletest.Times(1, 7, `{"id":"o%d","coupon":"big half"}`), ruletest.Times(7, 6, `{"id":"p%d","coupon":"SUMMER"}`))
	for n, other := range others {
		orders = append(orders, fmt.Sprintf(`{"id":"x%d","coupon":%q}`, n, other))
	}
	return ruletest.Database{
		"coupons": {`{"id":1,"code":"big half"}`, `{"id":2,"code":"SUMMER"}`, `{"id":3,"code":"WINTER"}`},
		"orders":  orders,
	}
}

func TestCaseVariantValues(t *testing.T) {
	t.Parallel()
	users := ruletest.Times(1, 30, `{"id":"%[1]d","email":"u%[1]d@example.com","username":"user%[1]d"}`)
	ruletest.Run(t, "case-variant-values", []ruletest.ShapeCase{
		{Name: "one spelling", DB: ruletest.Database{"a": users}},
		{Name: "one person twice", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","email":"U7@example.com","username":"u"}`})}, Want: []string{"error a.jsonl:31 email"}, Says: `a.email is "u7@example.com" in one document and "U7@example.com" in another: they differ only in case`},
		{Name: "the address of a part", DB: ruletest.Database{"a": {`{"id":"1","supplier":{"email":"info@example.com"}}`, `{"id":"2","supplier":{"email":"INFO@example.com"}}`}}, Want: []string{"warning a.jsonl:2 supplier.email"}},
		{Name: "a code that repeats", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","code":"EUR"}`), []string{`{"id":"x","code":"eur"}`})}, Want: []string{"warning a.jsonl:10 code"}},
		{Name: "random keys", DB: ruletest.Database{"a": {`{"id":"1","slug":"aZ3kQ9"}`, `{"id":"2","slug":"az3KQ9"}`, `{"id":"3","slug":"bZ3kQx"}`}}},
		{Name: "a field that nobody looks up", DB: ruletest.Database{"a": {`{"id":"1","title":"one"}`, `{"id":"2","title":"One"}`}}},
		{Name: "a status in two spellings, of few documents", DB: ruletest.Database{"a": {`{"id":"1","paidStatus":"approved"}`, `{"id":"2","paidStatus":"approved"}`, `{"id":"3","paidStatus":"Approved"}`, `{"id":"4","paidStatus":"Open"}`}},
			Want: []string{"warning a.jsonl:3 paidStatus"}},
		{Name: "a name in two spellings, of few documents", DB: ruletest.Database{"a": {`{"id":"1","town":"bruges"}`, `{"id":"2","town":"bruges"}`, `{"id":"3","town":"Bruges"}`, `{"id":"4","town":"Ghent"}`}}},
		{Name: "a choice in two spellings", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","genre":"rock"}`), []string{`{"id":"x","genre":"Jazz"}`, `{"id":"y","genre":"Rock"}`})},
			Want: []string{"warning a.jsonl:11 genre"}, Says: `a.genre is "rock" in 9 places and "Rock" in 1 place: one value in two spellings`},
		{Name: "nothing but full stops", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","mood":"."}`), ruletest.Times(1, 9, `{"id":"x%[1]d","mood":"..."}`))}},
		{Name: "a full stop after a choice", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","place":"Sea of Ice"}`), []string{`{"id":"x","place":"Sea of Ice."}`})},
			Want: []string{"warning a.jsonl:10 place"}, Says: `a.place is "Sea of Ice" in 9 places and "Sea of Ice." in 1 place`},
		{Name: "two spellings of the only choice", DB: ruletest.Database{"a": {`{"id":"1","school":"unida"}`, `{"id":"2","school":"Unida"}`, `{"id":"3","school":"unida"}`, `{"id":"4","school":"Unida"}`}},
			Want: []string{"warning a.jsonl:2 school"}},
		{Name: "a spelling that some have", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 30, `{"id":"%[1]d","genre":"rock"}`), ruletest.Times(40, 5, `{"id":"%[1]d","genre":"Rock"}`))},
			Want: []string{"warning a.jsonl:31 genre"}, Says: `a.genre is "rock" in 30 places and "Rock" in 5 places`},
		{Name: "two spellings of two writers", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 30, `{"id":"%[1]d","genre":"rock"}`), ruletest.Times(40, 20, `{"id":"%[1]d","genre":"Rock"}`))},
			Want: []string{"warning a.jsonl:31 genre"}, Says: `a.genre is "rock" in 30 places and "Rock" in 20 places`},
		{Name: "two spellings in two kinds of document", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","genre":"rock","label":"a","beats":%[1]d}`), ruletest.Times(21, 9, `{"id":"%[1]d","genre":"pop","label":"a","beats":%[1]d}`),
			ruletest.Times(40, 15, `{"id":"%[1]d","genre":"Rock","taxed":true,"bought":"b"}`), ruletest.Times(60, 9, `{"id":"%[1]d","genre":"pop","taxed":true,"bought":"b"}`))},
			Want: []string{"warning a.jsonl:30 genre"}, Says: `"rock" in 20 places and "Rock" in 15 places`},
		{Name: "a choice with odd values that occur once", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 200, `{"id":"%[1]d","genre":"rock"}`), ruletest.Times(1, 25, `{"id":"w%[1]d","genre":"G25%[1]d"}`),
			[]string{`{"id":"x","genre":"Rock"}`})}, Want: []string{"warning a.jsonl:226 genre"}},
		{Name: "the names of two things beside their ids", DB: ruletest.Database{
			"colors": ruletest.Concat(ruletest.Times(10, 9, `{"id":"c%[1]d","name":"Hue %[1]d"}`), []string{`{"id":"c1","name":"Nude-Gloss"}`, `{"id":"c2","name":"Nude Gloss"}`}),
			"shoes":  ruletest.Concat(ruletest.Times(1, 29, `{"id":"s%[1]d","colorId":"c1","colorName":"Nude-Gloss"}`), ruletest.Times(10, 9, `{"id":"t%[1]d","colorId":"c%[1]d","colorName":"Hue %[1]d"}`), ruletest.Times(10, 9, `{"id":"u%[1]d","colorId":"c%[1]d","colorName":"Hue %[1]d"}`), []string{`{"id":"s0","colorId":"c2","colorName":"Nude Gloss"}`}),
		}},
		{Name: "the names of two people", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","surname":"Tan"}`), []string{`{"id":"x","surname":"Sim"}`, `{"id":"y","surname":"SIM"}`})}},
		{Name: "two documents that others refer to by a name in two spellings", DB: ruletest.Database{
			"people": ruletest.Concat(ruletest.Documents(700, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"p%d","name":"Ann Lee %[1]d"}`, i) }),
				[]string{`{"id":"x","name":"Jean-Luc"}`, `{"id":"y","name":"Jean Luc"}`}),
			"films": ruletest.Times(1, 30, `{"id":"f%[1]d","people":["Ann Lee %[1]d"]}`)},
			Want: []string{"warning people.jsonl:702 name"}, Says: `people.name is "Jean-Luc" in 1 place and "Jean Luc" in 1 place`},
		{Name: "a reference in another case, which leads nowhere", DB: coupons("Big half")},
		{Name: "a reference with another mark", DB: coupons("big-half"), Want: []string{"warning orders.jsonl:14 coupon"}},
		{Name: "two spellings of a reference, neither of which leads anywhere", DB: coupons("spring", "spring", "Spring"), Want: []string{"warning orders.jsonl:16 coupon"}},
		{Name: "names that several documents have", DB: ruletest.Database{
			"airlines": ruletest.Concat(ruletest.Times(1, 60, `{"id":"a%[1]d","name":"Airline %[1]d"}`), ruletest.Times(1, 2, `{"id":"s%[1]d","name":"Star Air"}`), []string{`{"id":"y","name":"Starair"}`}),
			"pacts":    ruletest.Times(1, 30, `{"id":"f%[1]d","airlines":["Airline %[1]d"]}`)}},
		{Name: "two documents that no other refers to by name", DB: ruletest.Database{
			"people": ruletest.Concat(ruletest.Times(1, 60, `{"id":"p%[1]d","name":"Ann Lee %[1]d"}`), []string{`{"id":"x","name":"Jean-Luc"}`, `{"id":"y","name":"Jean Luc"}`}),
			"films":  ruletest.Times(1, 30, `{"id":"f%[1]d","people":["p%[1]d"]}`)}},
		{Name: "a rare choice in two spellings", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 40, `{"id":"%[1]d","type":"part"}`), []string{`{"id":"x","type":"Screen"}`, `{"id":"y","type":"screen"}`})},
			Want: []string{"warning a.jsonl:42 type"}},
		{Name: "tags in two spellings", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","tags":["rock","pop"]}`), []string{`{"id":"x","tags":["Pop","Rock"]}`})},
			Want: []string{"warning a.jsonl:10 tags[]"}, Says: "; 1 more value like it"},
		{Name: "space behind a choice", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","paid":"bus"}`), []string{`{"id":"x","paid":"bus "}`})},
			Want: []string{"warning a.jsonl:10 paid"}, Says: `a.paid is "bus" in 9 places and "bus " in 1 place: one value in two spellings`},
		{Name: "space behind half of them", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","city":"Lyon"}`), ruletest.Times(20, 9, `{"id":"%[1]d","city":"Lyon "}`))},
			Want: []string{"warning a.jsonl:10 city"}, Says: `a.city is "Lyon" in 9 places and "Lyon " in 9 places: one value in two spellings`},
		{Name: "space about what stands once", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","author":"Author %[1]d"}`), []string{`{"id":"x","author":"Ann Lee"}`, `{"id":"y","author":"  Ann Lee\t"}`})}},
		{Name: "space about what people typed, of which one recurs", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","author":"Author %[1]d"}`), ruletest.Times(10, 3, `{"id":"%[1]d","author":"Ann Lee"}`), []string{`{"id":"y","author":"Ann Lee "}`})},
			Want: []string{"warning a.jsonl:13 author"}},
		{Name: "one of more values than the sample knows the text of", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(100, 200, `{"id":"%[1]d","brand":"Brand %[1]d"}`),
			ruletest.Times(100, 200, `{"id":"w%[1]d","brand":"Brand %[1]d"}`), ruletest.Times(100, 200, `{"id":"z%[1]d","brand":"Brand %[1]d"}`), []string{`{"id":"u","brand":"Brand 150"}`, `{"id":"v","brand":"Brand 150"}`, `{"id":"x","brand":"brand 150"}`})},
			Want: []string{"warning a.jsonl:603 brand"}, Says: `"Brand 150" in 5 places and "brand 150" in 1 place`},
		{Name: "one of so many in lists that the sample has only some", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Documents(3080, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"%d","crew":[{"rank":"Rank %d"}]}`, i, 100+i%280)
			}), []string{`{"id":"x","crew":[{"rank":"RANK 150"}]}`})},
			Want: []string{"warning a.jsonl:3081 crew[].rank"}, Says: `"Rank 150" in 11 places and "RANK 150" in 1 place`},
		{Name: "a name among numbers of which the sample has only some", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Documents(3080, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"id":"%d","crew":[{"badge":"%d/18"}]}`, i, 100+i%280)
			}),
			ruletest.Times(1, 30, `{"id":"x%[1]d","crew":[{"badge":"Silva"}]}`), []string{`{"id":"y","crew":[{"badge":"SILVA"}]}`})}},
		{Name: "white space before two letters", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 30, `{"id":"%[1]d","state":"NY"}`), ruletest.Times(40, 3, `{"id":"%[1]d","state":" NY"}`), ruletest.Times(50, 3, `{"id":"%[1]d","state":"ny"}`))},
			Want: []string{"warning a.jsonl:31 state"}, Says: `a.state is "NY" in 30 places and " NY" in 3 places`},
		{Name: "marks between words", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","language":"Mandarin/Fuzhou","cloth":"100%% cotton"}`), []string{`{"id":"x","language":"mandarin/Fuzhou","cloth":"100% cotton."}`})},
			Want: []string{"warning a.jsonl:10 language", "warning a.jsonl:10 cloth"}},
		{Name: "nothing but marks", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","line":" )"}`), []string{`{"id":"x","line":"  )"}`})}},
		{Name: "a word with a capital inside", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","label":"ForkLift"}`), ruletest.Times(20, 3, `{"id":"%[1]d","label":"Forklift"}`), ruletest.Times(30, 3, `{"id":"%[1]d","label":"forklift"}`))},
			Want: []string{"warning a.jsonl:13 label"}},
		{Name: "a code that repeats, first in the rare spelling", DB: ruletest.Database{"a": ruletest.Concat([]string{`{"id":"x","code":"Yellow "}`}, ruletest.Times(1, 9, `{"id":"%[1]d","code":"Yellow"}`))},
			Want: []string{"warning a.jsonl:1 code"}, Says: `a.code is "Yellow" in 9 places and "Yellow " in 1 place: one value in two spellings`},
		{Name: "white space in one value and case in a rarer one", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 30, `{"id":"%[1]d","state":"open"}`), []string{`{"id":"x","state":"open "}`, `{"id":"z","state":"Closed"}`}, ruletest.Times(40, 6, `{"id":"%[1]d","state":"closed"}`))},
			Want: []string{"warning a.jsonl:32 state"}, Says: `a.state is "closed" in 6 places and "Closed" in 1 place: one value in two spellings; 1 more value like it`},
		{Name: "as many values in one spelling", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(100, 200, `{"id":"%[1]d","brand":"Brand %[1]d"}`), ruletest.Times(100, 200, `{"id":"w%[1]d","brand":"Brand %[1]d"}`))}},
		{Name: "a telephone number parted in two ways", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","phone":"0312345678"}`), []string{`{"id":"x","phone":"03-1234-5678"}`})},
			Want: []string{"warning a.jsonl:10 phone"}},
		{Name: "two days with the same digits", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","day":"2020-11-2"}`), []string{`{"id":"x","day":"2020-1-12"}`})}},
		{Name: "marks about a word", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","unit":"1 pc(s)"}`), []string{`{"id":"x","unit":"1pc(s)"}`})},
			Want: []string{"warning a.jsonl:10 unit"}},
		{Name: "words parted in two ways", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","state":"in progress"}`), []string{`{"id":"x","state":"in-progress"}`, `{"id":"y","state":"done"}`})},
			Want: []string{"warning a.jsonl:10 state"}, Says: `a.state is "in progress" in 9 places and "in-progress" in 1 place: one value in two spellings`},
		{Name: "what people send, of which much occurs once", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 60, `{"id":"%[1]d","payload":"on"}`),
			ruletest.Times(1, 30, `{"id":"w%[1]d","payload":"word %[1]d"}`), []string{`{"id":"x","payload":"hello"}`, `{"id":"y","payload":"hello"}`, `{"id":"z","payload":"Hello"}`})}},
		{Name: "what some people type alike", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","bank":"Alpha"}`),
			ruletest.Times(1, 80, `{"id":"w%[1]d","bank":"Bank %[1]d"}`), []string{`{"id":"x","bank":"ALPHA"}`})}},
		{Name: "what many people type alike", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 60, `{"id":"%[1]d","bank":"Alpha"}`),
			ruletest.Times(1, 80, `{"id":"w%[1]d","bank":"Bank %[1]d"}`), []string{`{"id":"x","bank":"ALPHA"}`})}, Want: []string{"warning a.jsonl:141 bank"}},
		{Name: "marks of print", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","shelf":"Children's"}`), []string{`{"id":"x","shelf":"Children’s"}`})},
			Want: []string{"warning a.jsonl:10 shelf"}},
		{Name: "letters and numbers parted in two ways", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","plate":"TR892KL"}`), []string{`{"id":"x","plate":"TR 892 KL"}`})},
			Want: []string{"warning a.jsonl:10 plate"}},
		{Name: "what may be a sign", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","zone":"UTC 5"}`), []string{`{"id":"x","zone":"UTC -5"}`})}},
		{Name: "a choice in a handful of documents", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 6, `{"id":"%[1]d","mode":"online"}`),
			[]string{`{"id":"x","mode":"Online"}`, `{"id":"y","mode":"mixed"}`, `{"id":"z","mode":"here"}`})},
			Want: []string{"warning a.jsonl:7 mode"}},
		{Name: "letters without their marks", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","place":"București"}`), []string{`{"id":"x","place":"Bucuresti"}`, `{"id":"y","place":"Cluj"}`})},
			Want: []string{"warning a.jsonl:10 place"}, Says: `a.place is "București" in 9 places and "Bucuresti" in 1 place: one value in two spellings`},
		{Name: "the names of people without their marks", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","last_name":"Phạm"}`), []string{`{"id":"x","last_name":"Pham"}`, `{"id":"y","last_name":"Lê"}`})}},
		{Name: "words that marks tell apart", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","kind":"bàn"}`), []string{`{"id":"x","kind":"bạn"}`, `{"id":"y","kind":"ban"}`})}},
		{Name: "two spellings of a word that marks tell from another", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","kind":"bàn"}`), []string{`{"id":"x","kind":"Bàn"}`, `{"id":"y","kind":"bạn"}`})},
			Want: []string{"warning a.jsonl:10 kind"}},
		{Name: "marks of letters that are not Latin", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","kind":"йод"}`), []string{`{"id":"x","kind":"иод"}`})}},
		{Name: "marks at the end", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","prefix":"moz"}`), []string{`{"id":"x","prefix":"moz_"}`})}},
		{Name: "numbers parted in two ways", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","size":"size 1 2"}`), []string{`{"id":"x","size":"size 12"}`})}},
		{Name: "codes that people write in both cases", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","blood":"A+"}`), ruletest.Times(10, 5, `{"id":"%[1]d","blood":"0-"}`),
			[]string{`{"id":"x","blood":"a+"}`, `{"id":"y","blood":"B-"}`, `{"id":"z","blood":"B-"}`, `{"id":"q","blood":"b-"}`})}, Want: []string{"warning a.jsonl:15 blood"}, Says: `"A+" in 9 places and "a+" in 1 place: one value in two spellings; 1 more value like it`},
		{Name: "letters that marks tell apart", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","first":"S"}`), ruletest.Times(10, 9, `{"id":"%[1]d","first":"Z"}`), []string{`{"id":"x","first":"Š"}`, `{"id":"y","first":"Ž"}`})}},
		{Name: "letters that case tells apart", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","unit":"M"}`), []string{`{"id":"x","unit":"m"}`})}},
		{Name: "addresses in two kinds", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 20, `{"id":"%[1]d","type":"person","email":"p%[1]d@x.example","born":"1990","city":"Ulm"}`),
			ruletest.Times(30, 20, `{"id":"%[1]d","type":"firm","email":"f%[1]d@x.example","vat":"V%[1]d","seat":"Bonn"}`), []string{`{"id":"x","type":"firm","email":"P12@x.example","vat":"V","seat":"Bonn"}`})},
			Want: []string{"error a.jsonl:41 email"}},
		{Name: "remarks of people", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","admin_note2":"For stone"}`), []string{`{"id":"x","admin_note2":"for stone"}`})}},
		{Name: "descriptions for people", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","badgeDescription":"Best team"}`), []string{`{"id":"x","badgeDescription":"best team"}`})}},
		{Name: "a kind of remark", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","note_type":"For stone"}`), []string{`{"id":"x","note_type":"for stone"}`})}, Want: []string{"warning a.jsonl:10 note_type"}},
		{Name: "remarks of which most are empty", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 20, `{"id":"%[1]d","body":""}`), []string{`{"id":"x","body":"lgtm"}`, `{"id":"y","body":"LGTM"}`, `{"id":"z","body":"no"}`})}},
		{Name: "messages of people", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","message":"Hello"}`), []string{`{"id":"x","message":"hello"}`})}},
		{
			Name: "white space in three fields", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","plan":"Anual","goal":"Report","area":"Sales"}`),
				[]string{`{"id":"x","plan":"Anual ","goal":"Report","area":"Sales"}`, `{"id":"y","plan":"Anual","goal":"Report\n","area":"Sales"}`, `{"id":"z","plan":"Anual","goal":"Report","area":" Sales"}`})},
			Want: []string{"warning a.jsonl:12 area"}, Says: "the same in 2 more places",
		},
		{
			Name: "case in three fields", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","plan":"Anual","goal":"Report","area":"Sales"}`),
				[]string{`{"id":"x","plan":"anual","goal":"Report","area":"Sales"}`, `{"id":"y","plan":"Anual","goal":"report","area":"Sales"}`, `{"id":"z","plan":"Anual","goal":"Report","area":"sales"}`})},
			Want: []string{"warning a.jsonl:10 plan", "warning a.jsonl:11 goal", "warning a.jsonl:12 area"},
		},
		{Name: "contents of messages", DB: ruletest.Database{"chat_messages": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","content":"Hello"}`), []string{`{"id":"x","content":"hello"}`})}},
		{Name: "texts with a paragraph", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","spans":[{"text":"Hello"}]}`), []string{`{"id":"x","spans":[{"text":"hello"},{"text":"` + fmt.Sprintf("%200d", 7) + `"}]}`})}},
		{Name: "texts of comments in a list", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","comments":[{"text":"Hello"}]}`), []string{`{"id":"x","comments":[{"text":"hello"}]}`})}},
		{Name: "bodies in what a service said of messages", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","messages":[{"raw":{"body":"Hello"}}]}`), []string{`{"id":"x","messages":[{"raw":{"body":"hello"}}]}`})}},
		{Name: "states of messages", DB: ruletest.Database{"messages": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","state":"Sent"}`), []string{`{"id":"x","state":"sent"}`})}, Want: []string{"warning messages.jsonl:10 state"}},
		{Name: "contents of boxes", DB: ruletest.Database{"boxes": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","content":"Sand"}`), []string{`{"id":"x","content":"sand"}`})}, Want: []string{"warning boxes.jsonl:10 content"}},
		{Name: "in copies of documents that have their own spelling", DB: ruletest.Database{"users": {`{"id":"u1","handle":"Sunny"}`, `{"id":"u2","handle":"sunny"}`, `{"id":"u3","handle":"bob"}`, `{"id":"u4","handle":"eve"}`},
			"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","from":{"id":"u1","handle":"Sunny"}}`), []string{`{"id":"x","from":{"id":"u2","handle":"sunny"}}`, `{"id":"y","from":{"id":"u3","handle":"bob"}}`})},
			Want: []string{"error users.jsonl:2 handle"}},
		{Name: "aims in a sentence", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","aim":"To make the services of the town better"}`), []string{`{"id":"x","aim":"To make the Services of the town better"}`})}},
		{Name: "values that stand in two places each", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 20, `{"id":"%[1]d","town":"Town %[1]d"}`), ruletest.Times(10, 20, `{"id":"w%[1]d","town":"Town %[1]d"}`),
			ruletest.Times(1, 12, `{"id":"y%[1]d","town":"Lyon"}`), []string{`{"id":"x","town":"LYON"}`})}, Want: []string{"warning a.jsonl:53 town"}},
		{Name: "values that stand in one place each", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(10, 40, `{"id":"%[1]d","town":"Town %[1]d"}`),
			ruletest.Times(1, 9, `{"id":"y%[1]d","town":"Lyon"}`), []string{`{"id":"x","town":"LYON"}`})}},
		{Name: "texts that do not repeat", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","title":"Song %[1]d"}`), []string{`{"id":"x","title":"song 1"}`})}},
		{Name: "names where addresses should be", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 30, `{"id":"%[1]d","origin_email":"49301234%[1]d"}`), ruletest.Times(50, 3, `{"id":"%[1]d","origin_email":"Ann Lee %[1]d"}`))}},
		{Name: "several styles", DB: ruletest.Database{"a": ruletest.Concat(users, ruletest.Times(50, 3, `{"id":"%[1]d","email":"U%[1]d@Example.com","username":"x"}`))}, Want: []string{"warning a.jsonl:31 email"}, Says: "3 of 33 values"},
		{Name: "a slug of something", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 30, `{"id":"%[1]d","group_slug":"g%[1]d"}`), ruletest.Times(50, 3, `{"id":"%[1]d","group_slug":"G%[1]d"}`))}, Want: []string{"warning a.jsonl:31 group_slug"}},
		{Name: "names as their owners write them", DB: ruletest.Database{"a": ruletest.Concat(users, ruletest.Times(50, 3, `{"id":"%[1]d","email":"v%[1]d@example.com","username":"Ann%[1]d"}`))}},
	})
}

func TestCaseVariantValuesFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "case-variant-values", ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 30, `{"id":"%[1]d","email":"u%[1]d@example.com"}`),
		ruletest.Times(50, 3, `{"id":"%[1]d","email":"U%[1]d@Example.com"}`))}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, `{"id":"50","email":"u50@example.com"}`, string(found[0].Fixes[0].After[0].Document))
}
