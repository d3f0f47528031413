package danglingreference_test

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

// randomIDs fills the ids into documents, with their numbers.
func randomIDs(format string, ids ...string) (out []string) {
	for n, id := range ids {
		out = append(out, fmt.Sprintf(format, id, n))
	}
	return out
}

// closedMonths were closed by people of whom two are in no other document.
var closedMonths = []string{
	`{"_id":"m1","closedBy":"a0b5f5f0-9c1e-4a55-8d2e-012345671a01"}`, `{"_id":"m2","closedBy":"c0b5f5f0-9c1e-4a55-8d2e-012345673c03"}`,
	`{"_id":"m3","closedBy":"a0b5f5f0-9c1e-4a55-8d2e-012345671a01"}`, `{"_id":"m4","closedBy":"d0b5f5f0-9c1e-4a55-8d2e-012345674d04"}`,
}

// people returns a document for each of sixty people, made from a name and a number.
func people(format string) (documents []string) {
	for i, first := range strings.Fields("Jon Arya Sansa Bran Robb Jaime Ned Theon Yara Davos") {
		for j, last := range strings.Fields("Stark Greyjoy Tyrell Tully Arryn Bolton") {
			documents = append(documents, fmt.Sprintf(format, first+" "+last, 6*i+j))
		}
	}
	return documents
}

// tasks returns documents with an address that ends with their id, and a key of their own.
func tasks(from, count int) (documents []string) {
	for i := from; i < from+count; i++ {
		documents = append(documents, fmt.Sprintf(`{"id":%d,"html_url":"https://lms.example.org/courses/%d/tasks/%[1]d","code":"task-%06[3]x","points":%d}`, 1000*i, i%7, 977*i, i%20))
	}
	return documents
}

// quote refers to one of 365 occurrences.
func quote(i int, _ *rand.Rand) string {
	id := 1 + 4*i
	if i%6 == 0 {
		id = 3 + 4*i - 4*i%5
	}
	return fmt.Sprintf(`{"_id":"q%d","occurrences":[{"id":%d,"value":"v%[2]d"}]}`, i, id)
}

func TestDanglingReference(t *testing.T) {
	t.Parallel()
	stocks := ruletest.Times(1, 25, `{"id":"s%d","symbol":"S%[1]d"}`)
	occurrences := ruletest.Documents(219, func(i int, _ *rand.Rand) string { // three of five numbers
		return fmt.Sprintf(`{"_id":%d,"folio":"f%[1]d"}`, 1+i/3*5+i%3)
	})
	persons := func(format string, values ...string) []string {
		out := ruletest.Times(1, 25, `{"id":"p%d","stockId":"s%[1]d"}`)
		for i, v := range values {
			out = append(out, fmt.Sprintf(format, i, v))
		}
		return out
	}
	plain := `{"id":"q%d","stockId":%s}`
	var families, lines []string // ten families of one product, ten of nine
	for i := range 100 {
		family := 2 * (i / 10)
		if i%10 > 0 {
			family++
		}
		sku := 3574380064000 + 137*i
		families = append(families, fmt.Sprintf(`{"SKU":"%d","family":"family %[2]d","price":1,"is%[2]d":true,"has%[2]d":2,"of%[2]d":"x"}`, sku, family))
		lines = append(lines, fmt.Sprintf(`{"id":"o%d","lines":[{"SKU":"%d","qty":1}]}`, i, sku))
	}
	var posts, lists []string // of the same albums, as people write their titles
	colours, things, places := strings.Fields("Red Blue Green Gold Grey Black White"), strings.Fields("River Moon Sun Fire Stone Ghost"), strings.Fields("Road Train Night Heart Queen")
	for i := range 200 {
		title := fmt.Sprintf("%s %s %s", colours[i%7], things[i/7%6], places[i/42])
		posts = append(posts, fmt.Sprintf(`{"id":"p%d","albumTitle":"%s"}`, i, title))
		if i >= 194 {
			title += " "
		}
		lists = append(lists, fmt.Sprintf(`{"id":"l%d","album":"%s"}`, i, title))
	}
	visited := func(field string) ruletest.Database {
		return ruletest.Database{
			"patients":  ruletest.Times(10, 20, `{"cedula":"E0%d","name":"Person %[1]d"}`),
			"visits":    ruletest.Times(10, 20, `{"room":"Room %d","`+field+`":"E0%[1]d"}`),
			"purchases": append(ruletest.Times(10, 9, `{"paid":%d,"cedula_patient":"E0%[1]d"}`), ruletest.Times(19, 11, `{"paid":%d,"cedula_patient":"E00%[1]d"}`)...),
		}
	}
	ruletest.Run(t, "dangling-reference", []ruletest.ShapeCase{
		{
			Name: "most lead nowhere, though all of the same name elsewhere do not", DB: visited("cedula_patient"),
			Want: []string{"info purchases.jsonl:10 cedula_patient"}, Says: "in 11 of 20",
		},
		{Name: "most lead nowhere, and nothing else has the name", DB: visited("card")},
		{Name: "the address of no page", DB: ruletest.Database{
			"custom_pages": {`{"id":"u1","slug":"privacy","title":"A"}`, `{"id":"u2","slug":"terms","title":"B"}`, `{"id":"u3","slug":"legal","title":"C"}`},
			"menus":        {`{"id":"m","links":[{"url":"/"},{"url":"/shop"},{"url":"/page/privacy"},{"url":"/page/terms"},{"url":"/page/legal"},{"url":"/profile/orders"}]}`},
		}},
		{
			Name: "a field with the name of a few things", DB: ruletest.Database{
				"modules": {`{"id":"m1","name":"Reports"}`, `{"id":"m2","name":"Users"}`, `{"id":"m3","name":"Login"}`, `{"id":"m4","name":"Board"}`, `{"id":"m5","name":"Mail"}`, `{"id":"m6","name":"Look"}`},
				"tickets": {`{"id":"t1","module":"Login"}`, `{"id":"t2","module":"Look"}`, `{"id":"t3","module":"Board"}`, `{"id":"t4","module":"Users"}`, `{"id":"t5","module":"Mail"}`, `{"id":"t6","module":"Reporter"}`, `{"id":"t7","module":"Reports"}`},
			},
			Want: []string{"info tickets.jsonl:6 module"}, Says: `in 1 of 7 references: "Reporter"`,
		},
		{Name: "the names of things in another collection", DB: ruletest.Database{
			"makers":  {`{"id":"GMS","motto":"A"}`, `{"id":"IPS","motto":"B"}`, `{"id":"SSC","motto":"C"}`},
			"frames":  {`{"id":"mf_1","name":"Drake"}`, `{"id":"mf_2","name":"Raleigh"}`, `{"id":"mf_3","name":"Nelson"}`},
			"weapons": {`{"id":"w1","maker":"GMS"}`, `{"id":"w2","maker":"IPS"}`, `{"id":"w3","maker":"SSC"}`, `{"id":"w4","maker":"Drake"}`, `{"id":"w5","maker":"Raleigh"}`},
		}},
		{Name: "titles in two collections, some with a space", DB: ruletest.Database{"posts": posts, "lists": lists}},
		{Name: "keys and addresses of documents that a backup has again", DB: ruletest.Database{
			"tasks": tasks(400, 60), "older": append(tasks(400, 30), tasks(600, 2)...),
		}},
		{
			Name: "random ids, of which one leads somewhere", DB: ruletest.Database{
				"users":    randomIDs(`{"_id":"%s","name":"Person %d"}`, "btL3sABEPxsohyv2r", "Wkn85exAkxehswDt5", "9nS2cKXx6va2yWNpd", "KbXu2LzNKumaDsvHR"),
				"sections": randomIDs(`{"_id":"s%[2]d","insertedBy":"%[1]s"}`, "cdchgsQcdRwQvFnff", "btL3sABEPxsohyv2r", "cdchgsQcdRwQvFnff", "server"),
			},
			Want: []string{"info sections.jsonl:1 insertedBy"}, Says: `in 2 of 3 references: "cdchgsQcdRwQvFnff" (2 times)`,
		},
		{
			Name: "random ids beside the id of the database", DB: ruletest.Database{
				"users": randomIDs(`{"_id":{"$oid":"5dc9a7a157737d226cca951%[2]d"},"uid":"%[1]s"}`, "btL3sABEPxsohyv2r", "Wkn85exAkxehswDt5", "9nS2cKXx6va2yWNpd"),
				"links": randomIDs(`{"_id":"l%[2]d","_t":"%[1]s"}`, "btL3sABEPxsohyv2r", "Wkn85exAkxehswDt5", "9nS2cKXx6va2yWNpd", "KbXu2LzNKumaDsvHR", "Wkn85exAkxehswDt5"),
			},
			Want: []string{"info links.jsonl:4 _t"}, Says: "in 1 of 5 references",
		},
		{Name: "a word among random ids", DB: ruletest.Database{
			"users": randomIDs(`{"_id":"%s","name":"Person %d"}`, "btL3sABEPxsohyv2r", "Wkn85exAkxehswDt5", "9nS2cKXx6va2yWNpd", "KbXu2LzNKumaDsvHR"),
			"games": randomIDs(`{"_id":"s%[2]d","userId":"%[1]s"}`, "btL3sABEPxsohyv2r", "btL3sABEPxsohyv2r", "Wkn85exAkxehswDt5", "server", "9nS2cKXx6va2yWNpd"),
		}},
		{
			Name: "nearly all lead nowhere, though all of the same name elsewhere do not", DB: ruletest.Database{
				"users":    ruletest.Times(10, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"name":"Person %[1]d"}`),
				"orders":   ruletest.Times(10, 4, `{"_id":"o%d","userId":{"$oid":"5dc9a7a157737d226cca95%[1]d"}}`),
				"trainers": append(ruletest.Times(10, 2, `{"_id":"t%d","userId":{"$oid":"5dc9a7a157737d226cca95%[1]d"}}`), ruletest.Times(40, 14, `{"_id":"t%d","userId":{"$oid":"5dc9a7a157737d226cca95%[1]d"}}`)...),
			},
			Want: []string{"info trainers.jsonl:3 userId"}, Says: "in 14 of 16",
		},
		{
			Name: "nearly all lead nowhere, and one value of the same name elsewhere does not", DB: ruletest.Database{
				"users":    ruletest.Times(10, 9, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"name":"Person %[1]d"}`),
				"orders":   ruletest.Times(10, 4, `{"_id":"o%d","userId":{"$oid":"5dc9a7a157737d226cca9510"}}`),
				"trainers": append(ruletest.Times(10, 2, `{"_id":"t%d","userId":{"$oid":"5dc9a7a157737d226cca95%[1]d"}}`), ruletest.Times(40, 14, `{"_id":"t%d","userId":{"$oid":"5dc9a7a157737d226cca95%[1]d"}}`)...),
			},
		},
		{
			Name: "most lead nowhere, though all of another name elsewhere do not", DB: ruletest.Database{
				"users": ruletest.Times(1000, 20, `{"id":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%d","name":"N"}`),
				"news":  ruletest.Times(1000, 20, `{"id":"n%d","readerUserId":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%[1]d"}`),
				"calls": ruletest.Times(1018, 20, `{"id":"c%d","toUserId":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%[1]d"}`),
			},
			Want: []string{"info calls.jsonl:3 toUserId"}, Says: "in 18 of 20 references",
		},
		{
			Name: "the same where no other field leads to all", DB: ruletest.Database{
				"users": ruletest.Times(1000, 20, `{"id":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%d","name":"N"}`),
				"news":  ruletest.Times(1018, 30, `{"id":"n%d","readerUserId":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%[1]d"}`),
				"calls": ruletest.Times(1018, 20, `{"id":"c%d","toUserId":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%[1]d"}`),
			},
		},
		{
			Name: "all but one lead nowhere, though all of the same name elsewhere do not", DB: ruletest.Database{
				"users":  ruletest.Concat([]string{`{"id":"guest","name":"G"}`}, ruletest.Times(1000, 20, `{"id":"u-x%d","name":"N"}`)),
				"news":   ruletest.Times(1000, 20, `{"id":"n%d","userId":"u-x%[1]d"}`),
				"orders": ruletest.Concat([]string{`{"id":"o","userId":"guest"}`}, ruletest.Times(2000, 9, `{"id":"o%d","userId":"u-x%[1]d"}`)),
			},
			Want: []string{"info orders.jsonl:2 userId"}, Says: "in 9 of 10 references",
		},
		{
			Name: "one value, which leads nowhere", DB: ruletest.Database{
				"applications": ruletest.Times(1000, 12, `{"_id":{"$oid":"695fb69e46858d322b3e%d"},"step":"x%[1]d"}`),
				"logs":         ruletest.Times(1000, 12, `{"_id":{"$oid":"695fb69e46858d322b4e%d"},"applicationId":{"$oid":"695fb69e46858d322b3e%[1]d"}}`),
				"checks":       {`{"_id":{"$oid":"695fb69e46858d322b5e1000"},"applicationId":{"$oid":"695fb69e46858d322b3e4000"}}`},
			},
			Want: []string{"info checks.jsonl:1 applicationId"}, Says: "the only value in applicationId leads to no document of applications",
		},
		{
			Name: "all lead to documents of another collection than the name says", DB: ruletest.Database{
				"warehouses": ruletest.Times(1, 5, `{"id":"wh-%d","size":%[1]d}`), "branches": ruletest.Times(1, 5, `{"id":"br-%d","town":"T%[1]d"}`),
				"moves": ruletest.Times(1, 5, `{"id":"m-%d","warehouseId":"wh-%[1]d","n":%[1]d}`), "items": ruletest.Times(1, 4, `{"id":"i-%d","warehouseId":"br-%[1]d","price":%[1]d}`),
			},
			Want: []string{"info items.jsonl:1 warehouseId"}, Says: "none of 4 values in warehouseId leads to a document of warehouses, but to branches",
		},
		{
			Name: "all lead to the documents of a collection with the same name and one more word", DB: ruletest.Database{
				"categories": ruletest.Times(1000, 5, `{"_id":{"$oid":"666f9a1b1e8d4c2f3b9f%d"},"name":"Kind %[1]d"}`), "categories_combo": {`{"_id":{"$oid":"687ee4cb45e8e5df22e21000"},"name":"Combo"}`},
				"products":       ruletest.Times(1000, 5, `{"_id":{"$oid":"666f9a1b1e8d4c2f3b9e%d"},"category":{"$oid":"666f9a1b1e8d4c2f3b9f%[1]d"}}`),
				"products_combo": ruletest.Times(1000, 5, `{"_id":{"$oid":"687ee4cb45e8e5df22e1%d"},"category":{"$oid":"687ee4cb45e8e5df22e21000"}}`),
			},
		},
		{
			Name: "none leads anywhere, in the form of another id than that of the database", DB: ruletest.Database{
				"applications": ruletest.Times(1000, 3, `{"_id":"695fb69e46858d322b3e%d","id":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%[1]d","step":"x%[1]d"}`),
				"logs":         ruletest.Times(1000, 3, `{"_id":"695fb69e46858d322b4e%d","application_id":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%[1]d"}`),
				"checks":       ruletest.Times(3000, 6, `{"_id":"695fb69e46858d322b5e%d","application_id":"5a8f4c2e-6d1b-4f3a-9c7e-2b5d8e1f%[1]d"}`),
			},
			Want: []string{"info checks.jsonl:1 application_id"}, Says: "none of 6 values in application_id leads to a document of applications, though other fields lead to them",
		},
		{
			Name: "all lead to another id, of the same form as that of the database", DB: ruletest.Database{
				"rooms":    ruletest.Times(10, 12, `{"key":"r-%d","_id":"69eb4384097dbecfd378d5%[1]d","city":"C%[1]d"}`),
				"bookings": ruletest.Times(10, 12, `{"key":"b-%d","_id":"69eb4384097dbecfd378e5%[1]d","roomKey":"r-%[1]d","roomId":"69eb4384097dbecfd378d5%[1]d"}`),
			},
		},
		{
			Name: "to an id that the documents repeat in the type of the references", DB: ruletest.Database{
				"profiles": ruletest.Times(1000, 300, `{"_id":{"$oid":"6895a1bcdf60958cf96d%d"},"uid":"6895a1bcdf60958cf96d%[1]d","name":"N"}`),
				"bookings": ruletest.Concat(ruletest.Times(1001, 300, `{"_id":{"$oid":"6895a1bcdf60958cf96e%d"},"uid":"6895a1bcdf60958cf96d%[1]d","total":5}`),
					ruletest.Times(1001, 99, `{"_id":{"$oid":"6895a1bcdf60958cf96f%d"},"uid":"6895a1bcdf60958cf96d%[1]d","total":5}`)),
			},
			Want: []string{"error bookings.jsonl:300 uid"},
		},
		{
			Name: "codes, which are no ids", DB: ruletest.Database{
				"teams":   ruletest.Times(1, 12, `{"_id":"ann_%d","name":"T"}`),
				"players": ruletest.Times(1, 12, `{"_id":"p%d","team_code":3%[1]d}`),
			},
		},
		{
			Name: "one of many values leads somewhere, from half of the documents", DB: ruletest.Database{
				"products": ruletest.Times(10, 2, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"name":"Product %[1]d"}`),
				"ratings":  append(ruletest.Times(10, 7, `{"_id":"r%d","productId":{"$oid":"5dc9a7a157737d226cca9510"}}`), ruletest.Times(40, 7, `{"_id":"r%d","productId":{"$oid":"5dc9a7a157737d226cca95%[1]d"}}`)...),
			},
			Want: []string{"info ratings.jsonl:8 productId"}, Says: "in 7 of 14",
		},
		{
			Name: "beside the id of another document, by an id of another type",
			DB: ruletest.Database{
				"users": ruletest.Times(10, 40, `{"_id":{"$oid":"5dc9a7a157737d226cca95%d"},"id":"5dc9a7a157737d226cca95%[1]d"}`),
				"records": append(ruletest.Times(10, 40, `{"_id":"r%d","userId":"5dc9a7a157737d226cca95%[1]d","partner":{"$oid":"5dc9a7a157737d226cca95%[1]d"}}`),
					`{"_id":"s","userId":"5dc9a7a157737d226cca9510","partner":{"$oid":"5dc9a7a157737d226cca95ff"}}`),
			},
			Want: []string{"error records.jsonl:41 partner"},
		},
		{
			Name: "most of those that are not the own id lead nowhere",
			DB: ruletest.Database{"tickets": ruletest.Concat(
				ruletest.Times(10, 20, `{"id":"tour-a%d","placeId":"tour-a%[1]d","price":1}`),
				ruletest.Times(10, 5, `{"id":"tour-b%d","placeId":"tour-a%[1]d","price":2}`),
				ruletest.Times(10, 5, `{"id":"tour-c%d","placeId":"beach-x%[1]d","price":3}`),
				ruletest.Times(20, 5, `{"id":"tour-c%d","placeId":"beach-y7","price":3}`))},
		},
		{
			Name: "the first post of a thread is its own",
			DB: ruletest.Database{"posts": ruletest.Concat(
				ruletest.Times(10, 30, `{"_id":"post-a%d","threadId":"post-a%[1]d","text":"x"}`),
				ruletest.Times(10, 20, `{"_id":"post-b%d","threadId":"post-a%[1]d","text":"y"}`),
				[]string{`{"_id":"post-c1","threadId":"post-a99","text":"z"}`})},
			Want: []string{"error posts.jsonl:51 threadId"},
		},
		{Name: "names in the language of their country, of which some are translated", DB: ruletest.Database{
			"hr": ruletest.Concat(
				ruletest.Times(100, 300, `{"id":%d,"name":"Luka %[1]d na moru","translations":{"hr":"Luka %[1]d na moru","de":"Hafen %[1]d"}}`),
				ruletest.Times(10, 12, `{"id":%d,"name":"City %[1]d","translations":{"hr":"Grad %[1]d","de":"Stadt %[1]d"}}`)),
		}},
		{
			Name: "a complete target",
			DB:   ruletest.Database{"stocks": stocks, "persons": persons(plain, `"s97"`, `"s1"`, `"s98"`, `"s97"`)},
			Want: []string{"error persons.jsonl:26 stockId"},
			Says: `persons.stockId refers to documents of stocks that do not exist, in 3 of 29 references: "s97" (2 times), "s98"`,
		},
		{
			Name: "numbers of other documents in elements of lists", DB: ruletest.Database{
				"products": ruletest.Times(1, 285, `{"id":%d,"name":"P %[1]d"}`),
				"carts": ruletest.Documents(90, func(i int, _ *rand.Rand) string {
					return fmt.Sprintf(`{"id":"c%d","products":[{"id":%d,"price":1,"n":2},{"id":%d,"price":3,"n":4}]}`, i, i*37%300+1, i*53%300+1)
				}),
			},
			Want: []string{"error carts.jsonl:9 products[].id"}, Says: "in 8 of 180 references",
		},
		{Name: "elements that are numbered within their list", DB: ruletest.Database{
			"products": ruletest.Times(1, 9, `{"id":%d,"name":"P %[1]d"}`),
			"boxes": ruletest.Documents(30, func(i int, r *rand.Rand) string {
				k := 0
				return fmt.Sprintf(`{"id":"b%d","products":%s}`, i, ruletest.Some(r, 2, 10, func(int) string {
					k++
					return fmt.Sprintf(`{"id":%d,"price":1,"n":2}`, k)
				}))
			}),
		}},
		{Name: "elements with ids of their own beside the reference", DB: ruletest.Database{
			"products": ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"name":"P"}`),
			"orders": ruletest.Concat(
				ruletest.Times(10, 12, `{"_id":"o%d","lines":[{"_id":{"$oid":"5a9427648b0beebeb69500%[1]d"},"product":{"$oid":"5a9427648b0beebeb69500%[1]d"},"n":1}]}`),
				ruletest.Times(22, 4, `{"_id":"o%d","lines":[{"_id":{"$oid":"62e3b4b2aed7ff1f140fcb%[1]d"},"product":{"$oid":"5a9427648b0beebeb69500%[1]d"},"n":1}]}`)),
		}},
		{
			Name: "an id of an object in a list of the documents, while others lead to them",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P","parts":[{"_id":{"$oid":"6b1327648b0beebeb69500%[1]d"},"text":"T"}]}`),
				"comments": ruletest.Times(10, 20, `{"_id":"c%d","post":{"$oid":"5a9427648b0beebeb69500%[1]d"}}`),
				"alerts":   ruletest.Times(10, 3, `{"_id":"a%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
			},
		},
		{Name: "a sign for all documents", DB: ruletest.Database{
			"resources": rows("r", 1, ""),
			"rights":    ruletest.Concat(rows("a", 3, "resource_"), []string{`{"_id":"a","resource_name":"*"}`}),
		}},
		{
			Name: "an id that documents in a list had, too",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P","like":[{"$oid":"6b1327648b0beebeb69500%[1]d"}]}`),
				"comments": ruletest.Times(10, 20, `{"_id":"c%d","post":{"$oid":"5a9427648b0beebeb69500%[1]d"}}`),
				"alerts":   ruletest.Times(10, 3, `{"_id":"a%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
			},
			Want: []string{"info alerts.jsonl:1 postId"},
		},
		{
			Name: "a field of which nothing leads anywhere, while others do",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": ruletest.Times(10, 20, `{"_id":"c%d","post":{"$oid":"5a9427648b0beebeb69500%[1]d"}}`),
				"alerts":   ruletest.Times(10, 3, `{"_id":"a%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
			},
			Want: []string{"info alerts.jsonl:1 postId"}, Says: "none of 3 values in postId leads to a document of posts",
		},
		{
			Name: "a field of which nothing leads anywhere, since its values are expressions",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": ruletest.Times(10, 20, `{"_id":"c%d","post":{"$oid":"5a9427648b0beebeb69500%[1]d"}}`),
				"alerts":   ruletest.Times(10, 3, `{"_id":"a%d","postId":"[parameters('postId')]"}`),
			},
		},
		{
			Name: "a field that leads to a collection with a longer name",
			DB: ruletest.Database{
				"posts":     ruletest.Times(10, 20, `{"_id":%[1]d,"title":"P"}`),
				"comments":  ruletest.Times(10, 20, `{"_id":"c%d","postId":%[1]d}`),
				"blogPosts": ruletest.Times(1000, 4, `{"_id":%[1]d,"body":"b","shelf":"s"}`),
				"alerts":    ruletest.Times(1002, 8, `{"_id":"a%d","postId":%[1]d}`),
			},
		},
		{
			Name: "a field of which nothing leads anywhere, as elsewhere",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 3, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": ruletest.Times(10, 20, `{"_id":"c%d","post":{"$oid":"5a9427648b0beebeb69500%[1]d"}}`),
				"alerts":   ruletest.Times(10, 3, `{"_id":"a%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
			},
		},
		{
			Name: "fields of which nothing leads anywhere, where no other does",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": ruletest.Times(10, 20, `{"_id":"c%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
				"alerts":   ruletest.Times(10, 5, `{"_id":"a%d","postId":{"$oid":"7c1327648b0beebeb69500%[1]d"}}`),
				"likes":    ruletest.Times(10, 3, `{"_id":"l%d","postId":{"$oid":"8d1327648b0beebeb69500%[1]d"}}`),
			},
			Want: []string{"info comments.jsonl:1 postId"}, Says: "none of 20 values in postId leads to a document of posts, nor does any in alerts.postId and likes.postId",
		},
		{
			Name: "several keys of one collection",
			DB: ruletest.Database{
				"users": ruletest.Concat(ruletest.Times(1, 12, `{"user_id":%d,"role":"buyer","buyer_id":"BUY-%[1]d"}`), ruletest.Times(13, 12, `{"user_id":%d,"role":"seller","seller_id":"SEL-%[1]d"}`)),
				"notices": ruletest.Concat(ruletest.Times(1, 8, `{"_id":"b%d","user_id":"BUY-%[1]d"}`), ruletest.Times(13, 10, `{"_id":"s%d","user_id":"SEL-%[1]d"}`),
					[]string{`{"_id":"x","user_id":"SEL-99"}`}),
			},
			Want: []string{"info notices.jsonl:19 user_id"}, Says: `in 1 of 11 references: "SEL-99"`,
		},
		{
			Name: "documents of the same form in another collection",
			DB: ruletest.Database{
				"orders":         ruletest.Times(10, 10, `{"orderId":"ORD-%d","buyer":"b","total":%[1]d,"note":""}`),
				"archive_orders": ruletest.Times(30, 10, `{"_id":"a%d","orderId":"ORD-%[1]d","buyer":"b","total":%[1]d,"done":true}`),
			},
		},
		{
			Name: "a key whose name is not that of an identifier",
			DB: ruletest.Database{
				"assignments": ruletest.Times(1, 6, `{"id":%d,"as_ref":"AS-%[1]d","rate":%[1]d5}`),
				"hours":       ruletest.Times(1, 6, `{"id":%d,"assignment_id":%[1]d,"assignment_ref":"AS-%[1]d"}`),
			},
		},
		{
			Name: "fields that hold few values each, of which nothing leads anywhere",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": ruletest.Times(10, 3, `{"_id":"c%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
				"likes":    ruletest.Times(12, 3, `{"_id":"l%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
			},
			Want: []string{"info comments.jsonl:1 postId"}, Says: "none of 3 values in postId leads to a document of posts, nor does any in likes.postId",
		},
		{
			Name: "fields that hold the same few values, of which nothing leads anywhere",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": ruletest.Times(10, 3, `{"_id":"c%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
				"likes":    ruletest.Times(10, 3, `{"_id":"l%d","postId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
			},
		},
		{
			Name: "a few lost values where all other collections are whole",
			DB: ruletest.Database{
				"users":  ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69600%d"},"title":"U"}`),
				"shops":  ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69700%d"},"title":"S"}`),
				"posts":  ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"visits": ruletest.Times(10, 20, `{"_id":"v%d","userId":{"$oid":"5a9427648b0beebeb69600%[1]d"},"shopId":{"$oid":"5a9427648b0beebeb69700%[1]d"}}`),
				"likes":  ruletest.Times(10, 3, `{"_id":"l%d","postId":{"$oid":"6b1327648b0beebeb6950%[1]d0"}}`),
			},
			Want: []string{"info likes.jsonl:1 postId"}, Says: "none of 3 values in postId leads to a document of posts: here",
		},
		{
			Name: "the same where one of two is not",
			DB: ruletest.Database{
				"users":  ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69600%d"},"title":"U"}`),
				"shops":  ruletest.Times(10, 10, `{"_id":{"$oid":"5a9427648b0beebeb69700%d"},"title":"S"}`),
				"posts":  ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"visits": ruletest.Times(10, 20, `{"_id":"v%d","userId":{"$oid":"5a9427648b0beebeb69600%[1]d"},"shopId":{"$oid":"5a9427648b0beebeb69700%[1]d"}}`),
				"likes":  ruletest.Times(10, 2, `{"_id":"l%d","postId":{"$oid":"6b1327648b0beebeb6950%[1]d0"}}`),
			},
			Want: []string{"info visits.jsonl:11 shopId"},
		},
		{
			Name: "a key that refers to what has no document", DB: ruletest.Database{
				"customers": ruletest.Times(10, 40, `{"customerId":"CUST%d","city":"C"}`),
				"addresses": ruletest.Times(10, 41, `{"customerId":"CUST%d","street":"S"}`),
			},
			Want: []string{"error addresses.jsonl:41 customerId"},
		},
		{
			Name: "names of what has no document",
			DB:   ruletest.Database{"persons": people(`{"key":%[1]q,"values":[1]}`), "cast": append(people(`{"castNo":%[2]d,"killedBy":[%[1]q]}`), `{"castNo":98,"killedBy":["Falling Roof"]}`, `{"castNo":99,"killedBy":["Whole Crowd"]}`)},
		},
		{
			Name: "a relation to others of the same kind",
			DB:   ruletest.Database{"actors": append(people(`{"name":%[1]q,"age":%[2]d,"relatedActors":[%[1]q,"Jon Stark","Arya Tully"]}`), `{"name":"Some Guard","age":61,"relatedActors":["Second Guard"]}`)},
			Want: []string{"info actors.jsonl:61 relatedActors[]"},
		},
		{
			Name: "names among ids",
			DB: ruletest.Database{"suppliers": ruletest.Times(1, 60, `{"_id":"s%d","city":"C%[1]d"}`), "bills": append(ruletest.Times(1, 60, `{"_id":"b%d","supplier_id":"s%[1]d"}`),
				`{"_id":"b61","supplier_id":"corner-shop"}`, `{"_id":"b62","supplier_id":"mill"}`, `{"_id":"b63","supplier_id":"old-bakery"}`)},
			Want: []string{"error bills.jsonl:61 supplier_id"},
		},
		{
			Name: "a special word among ids",
			DB: ruletest.Database{"suppliers": ruletest.Times(1, 60, `{"_id":"s%d","city":"C%[1]d"}`), "bills": append(ruletest.Times(1, 60, `{"_id":"b%d","supplier_id":"s%[1]d"}`),
				`{"_id":"b61","supplier_id":"none-yet"}`, `{"_id":"b62","supplier_id":"internal"}`, `{"_id":"b63","supplier_id":"internal"}`)},
		},
		{
			Name: "parts of a collection that is not there",
			DB:   ruletest.Database{"ms_occurrences": occurrences, "quotes": ruletest.Documents(90, quote)},
		},
		{
			Name: "most of the documents of another collection",
			DB:   ruletest.Database{"occurrences": occurrences, "quotes": ruletest.Documents(90, quote)},
			Want: []string{"info quotes.jsonl:2 occurrences[].id"},
		},
		{
			Name: "names of the documents themselves",
			DB:   ruletest.Database{"plays.actors": people(`{"key":%[1]q,"values":[1]}`), "actors": append(people(`{"actorName":%[1]q,"age":%[2]d}`), `{"actorName":"Some Guard","age":3}`)},
		},
		{
			Name: "ids beside names, of which another collection has all", // as a database prints the rows that a row is linked with
			DB: ruletest.Database{
				"libraries":               ruletest.Times(11, 3, `{"_id":"%d","id":%[1]d,"label":"Library %[1]d of the north"}`),
				"libraries_organisations": ruletest.Times(11, 12, `{"_id":"%d","id":%[1]d,"label":"House %[1]d"}`),
				"manuscripts":             ruletest.Times(11, 8, `{"_id":"m%d","library":[{"id":%[1]d,"value":"House %[1]d"}]}`),
			},
		},
		{
			Name: "ids beside other names", // nothing says that they are ids of organisations
			DB: ruletest.Database{
				"libraries":               ruletest.Times(11, 7, `{"_id":"%d","id":%[1]d,"label":"Library %[1]d of the north"}`),
				"libraries_organisations": ruletest.Times(11, 12, `{"_id":"%d","id":%[1]d,"label":"House %[1]d"}`),
				"manuscripts":             ruletest.Times(11, 8, `{"_id":"m%d","library":[{"id":%[1]d,"value":"Book %[1]d"}]}`),
			},
			Want: []string{"info manuscripts.jsonl:8 library[].id"},
		},
		{
			Name: "ids beside the name of what they are, and the same ids elsewhere", // products are on sale as items of the menu
			DB: ruletest.Database{
				"products": ruletest.Times(1001, 30, `{"id":"%d","name":"Sack of %[1]d grains"}`),
				"menu":     ruletest.Times(1021, 30, `{"id":"%d","name":"Plate %[1]d"}`),
				"sales":    ruletest.Times(1021, 30, `{"id":"s%d","items":[{"product_id":"%[1]d","name":"Plate %[1]d","qty":2}]}`),
				"invoices": ruletest.Times(1021, 30, `{"id":"i%d","lines":[{"product_id":"%[1]d","qty":2}]}`),
			},
		},
		{
			Name: "ids beside another name than that of what they are",
			DB: ruletest.Database{
				"products": ruletest.Times(1001, 30, `{"id":"%d","name":"Sack of %[1]d grains"}`),
				"menu":     ruletest.Times(1021, 30, `{"id":"%d","name":"Plate %[1]d"}`),
				"sales":    ruletest.Times(1001, 30, `{"id":"s%d","items":[{"product_id":"%[1]d","name":"Sale %[1]d","qty":2}]}`),
				"invoices": ruletest.Times(1003, 30, `{"id":"i%d","lines":[{"product_id":"%[1]d","qty":2}]}`),
			},
			Want: []string{"error invoices.jsonl:29 lines[].product_id"},
		},
		{
			Name: "ids of something else beside the name of what they are not", // ids of sellers are those of items as well, by accident
			DB: ruletest.Database{
				"sellers": ruletest.Times(1021, 9, `{"id":"%d","town":"Town %[1]d"}`),
				"menu":    ruletest.Times(1021, 30, `{"id":"%d","name":"Plate %[1]d"}`),
				"sales":   ruletest.Concat(ruletest.Times(1021, 9, `{"id":"s%d","items":[{"seller_id":"%[1]d","name":"Plate %[1]d"}]}`), ruletest.Times(1030, 20, `{"id":"s%d","items":[{"seller_id":"1025","name":"Plate %[1]d"},{"seller_id":"1030","name":"Plate 1021"}]}`)),
			},
			Want: []string{"info sales.jsonl:10 items[].seller_id"},
		},
		{
			Name: "a value that is not in a list of values",
			DB: ruletest.Database{
				"position": ruletest.Times(10, 12, `{"value":"Driver of forklift %d"}`),
				"users":    append(ruletest.Times(10, 12, `{"_id":"u%d","position":"Driver of forklift %[1]d"}`), `{"_id":"u30","position":"Driver  of forklift 10"}`),
			},
			Want: []string{"info users.jsonl:13 position"},
		},
		{
			Name: "a value that is not among the texts of documents",
			DB: ruletest.Database{
				"position": ruletest.Times(10, 12, `{"value":"Driver of forklift %d","pay":%[1]d}`),
				"users":    append(ruletest.Times(10, 12, `{"_id":"u%d","position":"Driver of forklift %[1]d"}`), `{"_id":"u30","position":"Driver  of forklift 10"}`),
			},
		},
		{
			Name: "who closed a month, and who wrote the notes",
			DB: ruletest.Database{
				"notes":  {`{"_id":"n1","updatedBy":"a0b5f5f0-9c1e-4a55-8d2e-012345671a01"}`, `{"_id":"n2","updatedBy":"b0b5f5f0-9c1e-4a55-8d2e-012345672b02"}`},
				"months": closedMonths,
			},
		},
		{
			Name: "who closed a month, by a key of the notes",
			DB: ruletest.Database{
				"notes":  {`{"_id":"n1","badge":"a0b5f5f0-9c1e-4a55-8d2e-012345671a01"}`, `{"_id":"n2","badge":"b0b5f5f0-9c1e-4a55-8d2e-012345672b02"}`},
				"months": closedMonths,
			},
			Want: []string{"info months.jsonl:2 closedBy"},
		},
		{
			Name: "a single document, which is an example",
			DB: ruletest.Database{
				"users":    {`{"_id":{"$oid":"5a9427648b0beebeb6960010"},"title":"U"}`},
				"comments": ruletest.Times(10, 6, `{"_id":"c%d","userId":{"$oid":"6b1327648b0beebeb69500%[1]d"}}`),
			},
		},
		{
			Name: "numbers and codes of which nothing leads anywhere",
			DB: ruletest.Database{
				"users":    ruletest.Times(1, 3, `{"_id":%d,"title":"U"}`),
				"tasks":    ruletest.Times(1, 9, `{"_id":"t%d","title":"T"}`),
				"comments": ruletest.Times(101, 6, `{"_id":"c%d","user_id":%[1]d,"taskId":"task-%[1]d"}`),
			},
			Want: []string{"info comments.jsonl:1 user_id", "info comments.jsonl:1 taskId"},
		},
		{
			Name: "numbers that the name does not say are ids, and values that mean none",
			DB: ruletest.Database{
				"places":   ruletest.Times(1, 3, `{"_id":%d,"title":"P"}`),
				"users":    ruletest.Times(1, 3, `{"_id":%d,"title":"U"}`),
				"finishes": ruletest.Times(101, 6, `{"_id":"c%d","place":%[1]d,"user_id":0}`),
			},
		},
		{
			Name: "a field of two kinds of document",
			DB: ruletest.Database{
				"tasks": ruletest.Times(1, 9, `{"_id":"t%d","title":"T"}`),
				"events": ruletest.Concat(ruletest.Times(100, 30, `{"_id":"a%d","type":"open","taskId":"task-%[1]d","by":"A%[1]d","why":"W%[1]d"}`),
					ruletest.Times(100, 30, `{"_id":"b%d","type":"shut","taskId":"task-%[1]d","spent":%[1]d,"left":%[1]d0}`)),
			},
			Want: []string{"info events.jsonl:31 taskId"}, Says: "none of 30 values in taskId leads to a document of tasks: here",
		},
		{
			Name: "ids of another form than those of the documents called so",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": ruletest.Times(10, 20, `{"_id":"c%d","postId":"0b5f5f0e-9c1e-4a55-8d2e-0123456789%[1]d"}`),
			},
		},
		{
			Name: "two ids of another form, though the target may be a sample",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":"post-%d","title":"P","price":"%[1]d7"}`),
				"comments": {`{"_id":"c0","postId":null}`, `{"_id":"c1","postId":"0"}`, `{"_id":"c2","postId":"7"}`, `{"_id":"c3","postId":"8"}`},
				"likes":    ruletest.Times(1, 9, `{"_id":"l%d","postId":"0"}`),
			},
			Want: []string{"info comments.jsonl:3 postId"}, Says: `none of 2 values in postId leads to a document of posts: here "7"`,
		},
		{Name: "the only user, among others", DB: ruletest.Database{
			"users": {`{"_id":{"$oid":"52203e707d4dba8813000003"},"name":"Ann"}`},
			"customers": ruletest.Documents(120, func(i int, _ *rand.Rand) string {
				return fmt.Sprintf(`{"_id":{"$oid":"57ce822ceab5298410a8%04d"},"createdBy":{"user":{"$oid":"%s"}},"name":"C%[1]d"}`, i,
					[]string{"52203e707d4dba8813000003", "52203e707d4dba8813000003", "57ce822ceab5298410a81010", "57ce8285eab5298410a81011"}[i%4])
			}),
		}},
		{
			Name: "codes for documents with ids that programs make",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"P"}`),
				"comments": {`{"_id":"c1","postId":"PO-2025-1"}`, `{"_id":"c2","postId":"PO-2025-2"}`},
			},
			Want: []string{"info comments.jsonl:1 postId"},
		},
		{
			Name: "ids in the form that some of the others have",
			DB: ruletest.Database{
				"posts":    ruletest.Concat(ruletest.Times(10, 20, `{"_id":"%d7","title":"P"}`), ruletest.Times(10, 20, `{"_id":"post-%d","title":"P"}`)),
				"comments": ruletest.Times(1, 9, `{"_id":"c%d","postId":"%[1]d"}`),
			},
		},
		{
			Name: "ids in the form of another key",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":"post-%d","code":"%[1]d7","title":"P"}`),
				"comments": ruletest.Times(1, 9, `{"_id":"c%d","postId":"%[1]d"}`),
			},
		},
		{
			Name: "two ids of another form next to one that a sample may leave out",
			DB: ruletest.Database{
				"posts":    ruletest.Times(10, 20, `{"_id":"post-%d","title":"P"}`),
				"comments": {`{"_id":"c2","postId":"7"}`, `{"_id":"c3","postId":"8"}`},
				"likes":    {`{"_id":"l1","postId":"post-97"}`, `{"_id":"l2","postId":"post-97"}`},
			},
			Want: []string{"info comments.jsonl:1 postId"}, Says: `none of 2 values in postId leads to a document of posts: here "7"`,
		},
		{
			Name: "most references to one lost document of several, in a field that says nothing",
			DB: ruletest.Database{
				"levels": ruletest.Times(10, 7, `{"_id":{"$oid":"5a9427648b0beebeb69500%d"},"title":"L"}`),
				"sellers": ruletest.Concat(ruletest.Times(10, 4, `{"_id":"s%d","standing":{"$oid":"5a9427648b0beebeb69500%[1]d"}}`),
					ruletest.Times(20, 30, `{"_id":"s%d","standing":{"$oid":"6b1327648b0beebeb6950099"}}`)),
			},
			Want: []string{"info sellers.jsonl:5 standing"},
		},
		{
			Name: "an example", DB: ruletest.Database{"stocks": stocks[:2], "persons": persons("")[:3]},
			Want: []string{"info persons.jsonl:3 stockId"}, Says: `persons.stockId refers to documents of stocks that do not exist, in 1 of 3 references: "s3"`,
		},
		{
			Name: "a target read in part", DB: ruletest.Database{"stocks": stocks[:17], "persons": persons("")},
			Want: []string{"info persons.jsonl:18 stockId"},
		},
		{
			Name: "in a list", DB: ruletest.Database{"stocks": stocks, "persons": ruletest.Times(1, 25, `{"id":"p%d","stocks":["s%[1]d","s1"]}`), "funds": {`{"id":"f","stocks":["s1","s2","s3","s99"]}`}},
			Want: []string{"info funds.jsonl:1 stocks[]"},
		},
		{
			Name: "in a case that two keys have", DB: ruletest.Database{
				"packs": ruletest.Concat(ruletest.Times(10, 30, `{"code":"Pack-%d","size":9}`), ruletest.Times(10, 30, `{"code":"PACK-%d","size":9}`)),
				"cards": ruletest.Concat(ruletest.Times(10, 30, `{"id":"%d","pack_code":"Pack-%[1]d"}`), []string{`{"id":"1","pack_code":"pack-12"}`}),
			},
			Want: []string{"warning cards.jsonl:31 pack_code"}, Says: `; "pack-12" is "PACK-12" there`,
		},
		{
			Name: "in another case", DB: ruletest.Database{
				"packs": ruletest.Times(10, 30, `{"code":"Pack-%d","size":9}`),
				"cards": ruletest.Concat(ruletest.Times(10, 30, `{"id":"%d","pack_code":"Pack-%[1]d"}`), []string{`{"id":"1","pack_code":"pack-12"}`, `{"id":"2","pack_code":"Pack-13 "}`, `{"id":"3","pack_code":"Pack-99"}`}),
			},
			Want: []string{"warning cards.jsonl:31 pack_code"}, Says: `; "pack-12" is "Pack-12" there; 1 more value like it`,
		},
		{
			Name: "a name that ends with that of their own key",
			DB: ruletest.Database{
				"cells":  ruletest.Times(1, 4, `{"id":%d,"cellId":%[1]d,"block":"A"}`),
				"guests": {`{"id":1,"currentCellId":1}`, `{"id":2,"currentCellId":4}`, `{"id":3,"currentCellId":3}`, `{"id":4,"currentCellId":2}`, `{"id":5,"currentCellId":1}`, `{"id":6,"currentCellId":20}`},
			},
			Want: []string{"info guests.jsonl:6 currentCellId"},
		},
		{
			Name: "a name that ends with no key of theirs",
			DB: ruletest.Database{
				"cells":  ruletest.Times(1, 4, `{"id":%d,"block":"A"}`),
				"guests": {`{"id":1,"currentCellId":1}`, `{"id":2,"currentCellId":4}`, `{"id":3,"currentCellId":3}`, `{"id":4,"currentCellId":2}`, `{"id":5,"currentCellId":1}`, `{"id":6,"currentCellId":20}`},
			},
		},
		{
			Name: "by a name that ends with that of the key", // round numbers alone prove nothing
			DB: ruletest.Database{
				"timecodes": ruletest.Times(1, 5, `{"id":%d,"code":"%[1]d00","name":"Time %[1]d"}`),
				"entries":   ruletest.Times(2, 6, `{"id":%d,"timeCode":"%[1]d00"}`),
			},
			Want: []string{"info entries.jsonl:5 timeCode"}, Says: `"600"`,
		},
		{
			Name: "by misspelt names",
			DB: ruletest.Database{
				"airlines":  ruletest.Times(1, 40, `{"_id":"x%d","name":"Airline %[1]d"}`),
				"alliances": {`{"_id":"a","airlines":["Airline 1","Airline 2","Airline 3","Airline 4","Airlin 5","Airline 6"]}`},
			},
			Want: []string{"info alliances.jsonl:1 airlines[]"}, Says: `"Airlin 5"`,
		},

		{
			Name: "kinds of one document", // what is unique in the collection is a key there too
			DB:   ruletest.Database{"products": families, "orders": lines},
		},
		{
			Name: "a field beside it says what each refers to",
			DB: ruletest.Database{
				"tests": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"rooms": ruletest.Times(1, 9, `{"_id":"r%d","content":[{"contentType":"quiz","contentId":"6423f9ee561a5e3064fa903%[1]d"},{"contentType":"course","contentId":"6a5e98866f3335d5d2e1908%[1]d"}]}`),
			},
		},
		{
			Name: "a field beside it names the collection of each",
			DB: ruletest.Database{
				"clients": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"loans":   ruletest.Times(1, 9, `{"_id":"7b5e98866f3335d5d2e1908%d"}`),
				"audits": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"r%d","module":"clients","recordId":"6423f9ee561a5e3064fa903%[1]d"}`),
					ruletest.Times(1, 9, `{"_id":"d%d","module":"loans","recordId":"6a5e98866f3335d5d2e1908%[1]d"}`)),
			},
		},
		{
			Name: "a field of the document around it names the collection of each",
			DB: ruletest.Database{
				"clients": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"loans":   ruletest.Times(1, 9, `{"_id":"7b5e98866f3335d5d2e1908%d"}`),
				"audits": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"r%d","module":"clients","before":{"recordId":"6423f9ee561a5e3064fa903%[1]d"}}`),
					ruletest.Times(1, 9, `{"_id":"d%d","module":"loans","before":{"recordId":"6a5e98866f3335d5d2e1908%[1]d"}}`)),
			},
		},
		{
			Name: "a type beside it that one document has by accident",
			DB: ruletest.Database{
				"clients": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"visits": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"r%d","type":"sale","clientId":"6423f9ee561a5e3064fa903%[1]d"}`),
					ruletest.Times(1, 9, `{"_id":"s%d","type":"call","clientId":"6423f9ee561a5e3064fa903%[1]d"}`), []string{`{"_id":"x","type":"manual","clientId":"6a5e98866f3335d5d2e19081"}`}),
			},
			Want: []string{"info visits.jsonl:19 clientId"},
		},
		{
			Name: "a type beside it that many documents have", // other clients are in another system
			DB: ruletest.Database{
				"clients": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"visits": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"r%d","type":"sale","clientId":"6423f9ee561a5e3064fa903%[1]d"}`),
					ruletest.Times(1, 9, `{"_id":"s%d","type":"lead","clientId":"6a5e98866f3335d5d2e1908%[1]d"}`)),
			},
		},
		{
			Name: "a text that says there is none",
			DB: ruletest.Database{
				"drivers": ruletest.Documents(9, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"_id":"d%d","name":"Ann %c Lee"}`, i, 'A'+i) }),
				"teams": ruletest.Concat(ruletest.Documents(9, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"_id":"t%d","driver":"Ann %c Lee"}`, i, 'A'+i) }),
					[]string{`{"_id":"x","driver":"No Driver"}`}),
			},
		},
		{
			Name: "a text that begins like one that says there is none",
			DB: ruletest.Database{
				"drivers": ruletest.Documents(9, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"_id":"d%d","name":"Ann %c Lee"}`, i, 'A'+i) }),
				"teams": ruletest.Concat(ruletest.Documents(9, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"_id":"t%d","driver":"Ann %c Lee"}`, i, 'A'+i) }),
					[]string{`{"_id":"x","driver":"No Remorse"}`}),
			},
			Want: []string{"info teams.jsonl:10 driver"},
		},
		{
			Name: "a field beside it says the same of those that lead nowhere",
			DB: ruletest.Database{
				"tests": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"rooms": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"r%d","content":[{"contentType":"quiz","contentId":"6423f9ee561a5e3064fa903%[1]d"}]}`),
					[]string{`{"_id":"x","content":[{"contentType":"quiz","contentId":"6a5e98866f3335d5d2e19081"},{"contentType":"course","contentId":"6a5e98866f3335d5d2e19082"}]}`}),
			},
			Want: []string{"info rooms.jsonl:10 content[].contentId"},
		},
		{
			Name: "a type of the whole document, which the name of the reference contradicts",
			DB: ruletest.Database{
				"products": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"counts": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"r%d","type":"cycle","lines":[{"productId":"6423f9ee561a5e3064fa903%[1]d"}]}`),
					ruletest.Times(1, 6, `{"_id":"f%d","type":"full","lines":[{"productId":"6a5e98866f3335d5d2e1908%[1]d"}]}`)),
			},
			Want: []string{"info counts.jsonl:10 lines[].productId"},
		},
		{
			Name: "two lost documents that are referred to again and again",
			DB: ruletest.Database{
				"products": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"counts": ruletest.Concat(ruletest.Times(1, 2, `{"_id":"r%d","productId":"6423f9ee561a5e3064fa903%[1]d"}`),
					ruletest.Times(1, 20, `{"_id":"f%d","productId":"6a5e98866f3335d5d2e19081"}`), ruletest.Times(1, 20, `{"_id":"g%d","productId":"6a5e98866f3335d5d2e19082"}`),
					ruletest.Times(1, 20, `{"_id":"h%d","productId":"6a5e98866f3335d5d2e19083"}`)),
			},
			Want: []string{"info counts.jsonl:3 productId"}, Says: "in 60 of 62 references",
		},
		{
			Name: "a sample that lacks most of what is referred to",
			DB: ruletest.Database{
				"products": ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d"}`),
				"counts": ruletest.Concat(ruletest.Times(1, 2, `{"_id":"r%d","productId":"6423f9ee561a5e3064fa903%[1]d"}`),
					ruletest.Times(10, 20, `{"_id":"f%d","productId":"6a5e98866f3335d5d2e190%[1]d"}`)),
			},
		},
		{
			Name: "two codes in one text, among codes that lead somewhere",
			DB: ruletest.Database{
				"places": ruletest.Times(1, 9, `{"_id":"x%d","code":"A-1-%[1]d"}`),
				"moves":  ruletest.Concat(ruletest.Times(1, 9, `{"_id":"m%d","placeCode":"A-1-%[1]d"}`), []string{`{"_id":"m10","placeCode":"A-1-1 → A-1-2"}`}),
			},
		},
		{Name: "a name of one's own that most records of another kind have too", DB: ruletest.Database{
			"bags":    ruletest.Concat(ruletest.Times(10, 60, `{"_id":"b%d","apiKey":"7fb2c3d4e5f60718293a4b5c6d7e8f%[1]d","n":0}`), ruletest.Times(10, 2, `{"_id":"c%d","apiKey":"7fb2c3d4e5f60718293a4b5c6d7e8f%[1]d","n":0}`)),
			"details": ruletest.Times(45, 28, `{"_id":"d%d","user":"7fb2c3d4e5f60718293a4b5c6d7e8f%[1]d","city":"Ulm"}`),
		}},
		{Name: "an address in two records of one person", DB: ruletest.Database{
			"users":    ruletest.Times(10, 31, `{"_id":"w%dKq","createdAt":{"$date":"2020-01-01T00:00:00Z"},"emails":[{"address":"p%[1]d@example.com","verified":true}]}`),
			"students": ruletest.Times(10, 30, `{"_id":"w%dKq","fullName":"Person %[1]d Smith","email":"p%[1]d@example.com"}`),
		}},
		{Name: "codes padded with zeros, of which some are those of a later set", DB: ruletest.Database{
			"base":    ruletest.Times(10, 40, `{"code":"010%d","name":"Card %[1]d"}`),
			"second":  ruletest.Times(10, 40, `{"code":"120%d","name":"Hero %[1]d"}`),
			"reprint": append(ruletest.Times(10, 24, `{"code":"350%d","duplicate_of":"010%[1]d"}`), `{"code":"35099","duplicate_of":"12016"}`),
		}},
		{
			Name: "a code that is lost",
			DB: ruletest.Database{
				"places": ruletest.Times(1, 9, `{"_id":"x%d","code":"A-1-%[1]d"}`),
				"moves":  ruletest.Concat(ruletest.Times(1, 9, `{"_id":"m%d","placeCode":"A-1-%[1]d"}`), []string{`{"_id":"m10","placeCode":"A-7-7 "}`}),
			},
			Want: []string{"info moves.jsonl:10 placeCode"},
		},
		{
			Name: "an older copy of the target, which knows fewer of the values",
			DB: ruletest.Database{
				"dishes":      ruletest.Times(1, 6, `{"id":"mo3nn6mr8h%d","name":"A"}`),
				"east_dishes": ruletest.Times(3, 7, `{"id":"mo3nn6mr8h%d","name":"A"}`),
				"orders":      ruletest.Concat(ruletest.Times(3, 7, `{"id":"or4kk2pq7z%d","dishId":"mo3nn6mr8h%[1]d"}`), []string{`{"id":"or4kk2pq7zx","dishId":"mo3zz9ww1aa"}`}),
			},
			Want: []string{"info orders.jsonl:8 dishId"}, Says: "documents of east_dishes",
		},
		{
			Name: "two targets that know different values",
			DB: ruletest.Database{
				"west_dishes": ruletest.Times(1, 6, `{"id":"mo3nn6mr8h%d","name":"A"}`),
				"east_dishes": ruletest.Times(4, 6, `{"id":"mo3nn6mr8h%d","name":"A"}`),
				"orders":      ruletest.Concat(ruletest.Times(1, 9, `{"id":"or4kk2pq7z%d","dishId":"mo3nn6mr8h%[1]d"}`), []string{`{"id":"or4kk2pq7zx","dishId":"mo3zz9ww1aa"}`}),
			},
		},
		{
			Name: "ids of what is embedded elsewhere",
			DB: ruletest.Database{
				"products": ruletest.Times(1, 9, `{"_id":{"$oid":"6423f9ee561a5e3064fa903%d"}}`),
				"markets":  {`{"_id":{"$oid":"6423f9ee561a5e3064fa9050"},"goods":[{"_id":{"$oid":"6423f9ee561a5e3064fa9051"}}]}`},
				"payments": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"p%d","productId":{"$oid":"6423f9ee561a5e3064fa903%[1]d"}}`), []string{`{"_id":"x","productId":{"$oid":"6423f9ee561a5e3064fa9051"}}`}),
			},
		},
		{
			Name: "values of another type are mixed types",
			DB: ruletest.Database{
				"users":   ruletest.Times(1, 9, `{"_id":{"$oid":"6423f9ee561a5e3064fa903%d"}}`),
				"watches": ruletest.Concat(ruletest.Times(1, 9, `{"_id":"w%d","user_id":{"$oid":"6423f9ee561a5e3064fa903%[1]d"}}`), []string{`{"_id":"x","user_id":"user_3"}`}),
			},
		},
		{
			Name: "a word among ids that programs make",
			DB: ruletest.Database{"users": ruletest.Times(1, 30, `{"id":"u%d","name":"N"}`), "posts": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"p%d","userId":"u%[1]d"}`), []string{`{"id":"x","userId":"system"}`})},
		},
		{
			Name: "codes without a digit among numbered ones",
			DB: ruletest.Database{"accounts": ruletest.Times(1, 9, `{"id":"ACC-%d-A","name":"N"}`), "payments": ruletest.Concat(
				ruletest.Times(1, 9, `{"id":"p%d","source":"ACC-%[1]d-A"}`), []string{`{"id":"x","source":"ATM-DEPOSIT"}`, `{"id":"y","source":"E-SHOP"}`})},
		},
		{
			Name: "the same where one id has none",
			DB: ruletest.Database{"accounts": ruletest.Concat(ruletest.Times(1, 29, `{"id":"ACC-%d-A","name":"N"}`), []string{`{"id":"ACC-MAIN","name":"N"}`}), "payments": ruletest.Concat(
				ruletest.Times(1, 29, `{"id":"p%d","accountId":"ACC-%[1]d-A"}`), []string{`{"id":"x","accountId":"ACC-MAIN"}`, `{"id":"y","accountId":"ACC-SIDE"}`})},
			Want: []string{"error payments.jsonl:31 accountId"},
		},
		{
			Name: "a code among ids that programs make, of which one is written by hand",
			DB: ruletest.Database{"items": ruletest.Concat(ruletest.Times(10, 30, `{"id":"6423f9ee561a5e3064fa90%d"}`), []string{`{"id":"knife0000000000000000001"}`}),
				"quests": ruletest.Concat(ruletest.Times(10, 30, `{"id":"q%d","target":"6423f9ee561a5e3064fa90%[1]d"}`), []string{`{"id":"x","target":"T-90"}`})},
		},
		{
			Name: "copied with the document that has it",
			DB: ruletest.Database{"groups": ruletest.Times(1, 30, `{"id":"g%d"}`), "goods": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"w%d","name":"W%[1]d","groupId":"g%[1]d"}`), []string{`{"id":"w99","name":"W99","groupId":"g77"}`}),
				"orders": ruletest.Concat(ruletest.Times(1, 30, `{"id":"o%d","lines":[{"id":"w%[1]d","name":"W%[1]d","groupId":"g%[1]d"}]}`),
					[]string{`{"id":"x","lines":[{"id":"w99","name":"W99","groupId":"g77"}]}`})},
			Want: []string{"error goods.jsonl:31 groupId"}, Says: `"g77"; copied to 1 more field`,
		},
		{
			Name: "in a copy another one",
			DB: ruletest.Database{"groups": ruletest.Times(1, 30, `{"id":"g%d"}`), "goods": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"w%d","name":"W%[1]d","groupId":"g%[1]d"}`), []string{`{"id":"w99","name":"W99","groupId":"g77"}`}),
				"orders": ruletest.Concat(ruletest.Times(1, 30, `{"id":"o%d","lines":[{"id":"w%[1]d","name":"W%[1]d","groupId":"g%[1]d"}]}`),
					[]string{`{"id":"x","lines":[{"id":"w99","name":"W99","groupId":"g78"}]}`})},
			Want: []string{"error goods.jsonl:31 groupId", "error orders.jsonl:31 lines[].groupId"},
		},
		{
			Name: "several ids in a text lead nowhere",
			DB: ruletest.Database{"stocks": ruletest.Times(1, 30, `{"id":%d,"name":"S"}`), "persons": ruletest.Concat(
				ruletest.Times(1, 8, `{"id":"p%d","stockId":%[1]d}`), ruletest.Times(11, 9, `{"id":"p%d","stockId":"%[1]d,7"}`))},
		},
		{
			Name: "several ids in a text lead nowhere, if ids are texts too",
			DB: ruletest.Database{"stocks": ruletest.Times(1, 30, `{"id":"%d","name":"S"}`), "persons": ruletest.Concat(
				ruletest.Times(1, 8, `{"id":"p%d","stockId":"%[1]d"}`), ruletest.Times(11, 9, `{"id":"p%d","stockId":"%[1]d,7"}`))},
		},
		{
			Name: "as many values of another type are mixed types",
			DB: ruletest.Database{
				"roles": {`{"_id":{"$oid":"6423f9ee561a5e3064fa9031"}}`, `{"_id":{"$oid":"6423f9ee561a5e3064fa9032"}}`},
				"users": {`{"_id":"u1","role":{"$oid":"6423f9ee561a5e3064fa9031"}}`, `{"_id":"u2","role":"ADMIN"}`},
			},
		},
		{
			Name: "texts among ids in a map of all sorts",
			DB: ruletest.Database{"letters": ruletest.Concat(
				ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa903%d","about":{"job%[1]d":"Fullstack Developer","from%[1]d":"6423f9ee561a5e3064fa9031"}}`),
				ruletest.Times(1, 9, `{"_id":"6423f9ee561a5e3064fa904%d","about":{"job%[1]d":"Health Care Specialist","next%[1]d":"6423f9ee561a5e3064fa903%[1]d"}}`))},
		},
		{
			Name: "what a single document says is no key",
			DB: ruletest.Database{
				"intents": {`{"_id":"i","currency":"USD","amount":6}`},
				"bills":   ruletest.Times(1, 9, `{"_id":"b%d","currency":"USD"}`), "fees": {`{"_id":"f","currency":"KES"}`, `{"_id":"g","currency":"USD"}`},
			},
		},
		{
			Name: "many references to one missing document",
			DB: ruletest.Database{
				"users": ruletest.Times(0, 8, `{"_id":{"$oid":"6423f9ee561a5e3064fa903%d"},"name":"U"}`),
				"discs": ruletest.Concat(ruletest.Times(0, 3, `{"_id":"d%d","user":{"$oid":"6423f9ee561a5e3064fa903%[1]d"}}`), ruletest.Times(3, 20, `{"_id":"d%d","user":{"$oid":"6424503e8f138279fd1eb85c"}}`)),
			},
			Want: []string{"info discs.jsonl:4 user"}, Says: "in 20 of 23 references",
		},
		{
			Name: "one ObjectId of two is no accident",
			DB: ruletest.Database{
				"users": ruletest.Times(0, 8, `{"_id":{"$oid":"6423f9ee561a5e3064fa903%d"},"name":"U"}`),
				"calls": {`{"_id":"1","sender":{"$oid":"6423f9ee561a5e3064fa9031"}}`, `{"_id":"2","sender":{"$oid":"6424503e8f138279fd1eb85c"}}`},
			},
			Want: []string{"info calls.jsonl:2 sender"},
		},
		{
			Name: "by a number that is named after the target",
			DB: ruletest.Database{
				"cases":     ruletest.Times(10, 6, `{"case_number":"CASE-2024-08%d","title":"T %[1]d"}`),
				"artefacts": ruletest.Concat(ruletest.Times(10, 3, `{"case_number":"CASE-2024-08%d","value":"v%[1]d"}`), ruletest.Times(10, 2, `{"case_number":"CASE-2024-0812","value":"w%[1]d"}`), []string{`{"case_number":"CASE-2024-0999","value":"x"}`}),
			},
			Want: []string{"info artefacts.jsonl:6 case_number"},
		},
		{
			Name: "an attribute in common", DB: ruletest.Database{
				"users":  ruletest.Times(10, 6, `{"_id":"u%d","city":"Town %[1]d"}`),
				"orders": ruletest.Concat(ruletest.Times(10, 4, `{"_id":"o%d","city":"Town %[1]d"}`), ruletest.Times(20, 3, `{"_id":"o%d","city":"Town %[1]d"}`)),
			},
		},
		{
			Name: "pictures that both have", DB: ruletest.Database{
				"users":    ruletest.Times(10, 9, `{"_id":"u%d","photo":"https://example.org/people/%[1]d.jpg"}`),
				"bookings": ruletest.Concat(ruletest.Times(10, 9, `{"_id":"b%d","image":"https://example.org/people/%[1]d.jpg"}`), []string{`{"_id":"x","image":"https://example.org/people/99.jpg"}`}),
			},
		},
		{
			Name: "most lead to something that is not here", DB: ruletest.Database{
				"comments": ruletest.Concat(ruletest.Times(10, 9, `{"_id":"6423f9ee561a5e3064fa90%d"}`), ruletest.Times(20, 9, `{"_id":"6423f9ee561a5e3064fa90%d","postID":"6423f9ee561a5e3064fb9011"}`),
					ruletest.Times(10, 3, `{"_id":"6423f9ee561a5e3064fc90%d","postID":"6423f9ee561a5e3064fa90%[1]d"}`)),
			},
		},
		{
			Name: "three of four in a small example",
			DB: ruletest.Database{"books": {`{"id":"b1","name":"N"}`, `{"id":"b2","name":"M"}`}, "authors": {
				`{"id":"a1","name":"A","books":["b1","b2","b3"]}`, `{"id":"a2","name":"B","books":["b1"]}`}},
			Want: []string{"info authors.jsonl:1 books[]"}, Says: `"b3"`,
		},

		{Name: "a resource of a bundle that the collection lacks", DB: bundled(`"name":"N","status":"final","born":"1950-11-01"`)},
		{
			Name: "a copied name of a resource that the collection lacks", DB: bundled(`"name":"N"`),
			Want: []string{"error bundles.jsonl:21 fullUrl", "error bundles.jsonl:21 resource.id"},
		},

		{Name: "all found", DB: ruletest.Database{"stocks": stocks, "persons": persons("")}},
		{Name: "telephone numbers of which a few are known elsewhere", DB: ruletest.Database{
			"users":   ruletest.Times(10, 40, `{"_id":"u%[1]d","name":"U","phone":"09%[1]d8135%[1]d"}`),
			"doctors": ruletest.Concat(ruletest.Times(10, 2, `{"_id":"d%[1]d","doctorPhone":"09%[1]d8135%[1]d"}`), ruletest.Times(20, 4, `{"_id":"d%[1]d","doctorPhone":"07%[1]d4111%[1]d"}`)),
		}},
		{Name: "prizes of which few are cars, as all of another field of that name are", DB: ruletest.Database{
			"cars":   ruletest.Times(10, 30, `{"_id":"%d mini cooper"}`),
			"raffle": {`{"_id":"r1","contents":["10 mini cooper","1 Cash","200 Cash","500 Cash","snow ball","ice lolly"]}`, `{"_id":"r2","contents":["11 mini cooper","5 Cash","gas tank","pink slip"]}`},
			"crates": ruletest.Times(10, 9, `{"_id":"c%d","contents":["%[1]d mini cooper"]}`),
		}},
		{Name: "one of two", DB: ruletest.Database{
			"users": ruletest.Times(0, 8, `{"_id":"CUS0000%d","name":"U"}`), "posts": {`{"_id":"p1","user_id":"CUS00001"}`, `{"_id":"p2","user_id":"GUEST_1"}`},
		}},
		{Name: "words for a missing value", DB: ruletest.Database{"stocks": stocks, "persons": persons(plain, `"unknown"`, `"N/A"`, `"none"`)}},
		{Name: "found in another type", DB: ruletest.Database{"stocks": ruletest.Times(1, 25, `{"id":%d}`), "persons": ruletest.Times(1, 25, `{"id":"p%d","stockId":"%[1]d"}`)}},
		{Name: "a target that was cut", DB: ruletest.Database{"stocks": stocks[:4], "persons": persons("")}},
		{Name: "no reference", DB: ruletest.Database{"stocks": stocks, "persons": persons(plain, `""`, `null`, `"000000000000000000000000"`, `"00000000-0000-0000-0000-000000000000"`, `"#stock"`)}},
		{Name: "ids of another system", DB: ruletest.Database{"sessions": stocks, "events": ruletest.Times(1, 40, `{"id":"e%d","traceId":"s%[1]d"}`)}},
		{Name: "the parts of a path", DB: ruletest.Database{"stocks": stocks, "persons": ruletest.Times(1, 25, `{"id":"p%d","stockRef":{"path":["stocks","s%[1]d"]}}`)}},
		{Name: "documents of another kind", DB: ruletest.Database{"stocks": stocks, "funds": ruletest.Times(1, 9, `{"id":"fund-%d"}`), "persons": persons(plain, `"fund-1"`)}},
		{Name: "paths to the collection itself", DB: ruletest.Database{
			"stocks": ruletest.Times(1, 25, `{"_id":"s%d","name":"n%[1]d"}`), "persons": ruletest.Concat(
				ruletest.Times(1, 25, `{"_id":"p%d","stock":"/all/stocks/s%[1]d"}`), ruletest.Times(1, 4, `{"_id":"q%d","stock":"/all/stocks"}`)),
		}, Want: []string{"error persons.jsonl:26 stock"}},
		{Name: "paths of pages, of which some end with the name of an action", DB: ruletest.Database{
			"rules": {
				`{"_id":{"$oid":"586fc98d74556aa33c9bbbb2"},"action":"login","path":"/auth/login"}`,
				`{"_id":{"$oid":"586fc98d74556aa33c9bbbb3"},"action":"signup","path":"/auth/signup"}`,
				`{"_id":{"$oid":"586fc98d74556aa33c9bbbb4"},"action":"logout","path":"/auth/logout"}`,
				`{"_id":{"$oid":"586fc98d74556aa33c9bbbb5"},"action":"getRules","path":"/rules"}`,
				`{"_id":{"$oid":"586fc98d74556aa33c9bbbb6"},"action":"generate","path":"/rules/generate"}`,
				`{"_id":{"$oid":"586fc98d74556aa33c9bbbb7"},"action":"getLatestOrder","path":"/orders/:orderId"}`,
				`{"_id":{"$oid":"586fc98d74556aa33c9bbbb8"},"action":"destroyLatestOrder","path":"/orders/:orderId"}`,
			},
		}},
		{Name: "paths to another collection", DB: ruletest.Database{
			"stocks": ruletest.Times(1, 25, `{"url":"/api/stocks/s%d","name":"n%[1]d"}`), "persons": ruletest.Concat(
				ruletest.Times(1, 25, `{"id":"p%d","stock":{"url":"/api/stocks/s%[1]d"}}`), ruletest.Times(1, 4, `{"id":"q%d","stock":{"url":"/api/funds/f%[1]d"}}`)),
		}},
		{Name: "its own id", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"b%d","bookId":"b%[1]d","type":"book","name":"n","pages":3}`),
			ruletest.Times(1, 20, `{"id":"r%d","bookId":"b%[1]d","type":"review","content":"c","stars":3}`))}},
	})
}

// rows returns n documents for each of some resources, with its name in a field.
func rows(id string, n int, field string) (all []string) {
	for i, name := range []string{"Admin.Home", "Blog.Posts", "Pages.Pages", "Shop.Products", "Shop.Categories", "Shop.Collections", "Users.Users"} {
		all = append(all, ruletest.Times(10*i, n, `{"_id":"`+id+`%d","`+field+`name":"`+name+`"}`)...)
	}
	return all
}

// bundled returns resources, and bundles that hold them with some of their fields and one
// resource more.
func bundled(fields string) ruletest.Database {
	bundle := `{"id":"b%d","fullUrl":"resources/r%[1]d","resource":{"id":"r%[1]d",` + fields + `}}`
	return ruletest.Database{
		"resources": ruletest.Times(1, 25, `{"id":"r%d","name":"N","status":"final","born":"1950-11-01"}`),
		"bundles":   ruletest.Concat(ruletest.Times(1, 20, bundle), ruletest.Times(41, 1, bundle)),
	}
}

func TestDanglingReferenceToCompleteCollection(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"stocks": ruletest.Times(1, 3, `{"id":"s%d"}`), "persons": ruletest.Times(1, 9, `{"id":"p%d","stockId":"s%[1]d"}`)}
	o := jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"stocks": {Complete: true}}}
	found := ruletest.FindingsOf(t, "dangling-reference", db, o)
	require.Len(t, found, 1)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.InDelta(t, 0.95, found[0].Confidence, 1e-9)
	assert.Contains(t, found[0].Message, "6 of 9")
	require.Len(t, found[0].Fixes, 1)
	assert.JSONEq(t, `{"id":"s4"}`, string(found[0].Fixes[0].After[1].Document))

	db["persons"] = ruletest.Times(7, 2, `{"id":"p%d","stockId":"s%[1]d"}`)
	require.Empty(t, ruletest.FindingsOf(t, "dangling-reference", db, jsonlint.Options{}))
	require.Len(t, ruletest.FindingsOf(t, "dangling-reference", db, o), 1)
}

// TestDanglingReferenceOfAnotherForm: no sample leaves out all ids of one form.
func TestDanglingReferenceOfAnotherForm(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"posts": ruletest.Times(10, 20, `{"id":"p%d","title":"P"}`)}
	for form, advised := range map[string]bool{"p7": true, "": false} {
		db["comments"] = ruletest.Times(100, 30, `{"id":"c%d","postId":"`+form+`%[1]d"}`)
		found := ruletest.FindingsOf(t, "dangling-reference", db, jsonlint.Options{})
		require.Len(t, found, 1)
		assert.Equal(t, advised, strings.Contains(found[0].Advice, "exported in part"))
	}
}

// TestDanglingReferenceByWords: ids that are words may be misspelt.
func TestDanglingReferenceByWords(t *testing.T) {
	t.Parallel()
	names := []string{"Austria", "Belgium", "Chile", "Denmark", "Estonia", "Finland", "Ghana", "Honduras", "Iceland", "Japan"}
	db := ruletest.Database{}
	for i, name := range names {
		db["countries"] = append(db["countries"], fmt.Sprintf(`{"_id":%q,"code":%d}`, name, 40+i))
	}
	for i := range 40 {
		db["customers"] = append(db["customers"], fmt.Sprintf(`{"_id":"c%d","country":%q}`, i, names[i%len(names)]))
	}
	db["customers"] = append(db["customers"], `{"_id":"c40","country":"Estonja"}`)
	found := ruletest.FindingsOf(t, "dangling-reference", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "Look for misspellings first, then correct these references or add the missing documents to countries.")
}

// TestDanglingReferenceOfMany: with more values than a sample keeps, none is
// missed.
func TestDanglingReferenceOfMany(t *testing.T) {
	t.Parallel()
	persons := ruletest.Times(0, 400, `{"id":"p%d","stocks":["s%[1]d","s1","s2"]}`)
	persons[399] = `{"id":"p399","stocks":["s399","s1000"]}`
	found := ruletest.FindingsOf(t, "dangling-reference", ruletest.Database{"stocks": ruletest.Times(0, 400, `{"id":"s%d"}`), "persons": persons}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, 400, found[0].Location.Line)
	assert.Contains(t, found[0].Message, `persons.stocks[] refers to documents of stocks that do not exist, in 1 of 1,199 references: "s1000"`)
}

// TestDanglingReferenceOfOne: of many values, the one that leads somewhere may be any.
func TestDanglingReferenceOfOne(t *testing.T) {
	t.Parallel()
	contacts := ruletest.Times(100, 30, `{"id":"01KESK64CD162DDHZ935DV9%d"}`)
	tokens := ruletest.Times(100, 20, `{"id":"t%d","contactId":"01KESK64CD162DDHZ935DV9%[1]d"}`)
	for one := range 8 {
		ids := ruletest.Times(100, 90, `"01KE7A55GXCERW2GPE5VNCG%d"`)
		ids = append(ids, fmt.Sprintf(`"01KESK64CD162DDHZ935DV9%d"`, 120+one))
		db := ruletest.Database{"contacts": contacts, "tokens": tokens, "lists": {`{"id":"l1","contactIds":[` + strings.Join(ids, ",") + `]}`, `{"id":"l2","contactIds":[]}`}}
		found := ruletest.FindingsOf(t, "dangling-reference", db, jsonlint.Options{})
		require.Len(t, found, 1)
		assert.Contains(t, found[0].Message, "lists.contactIds[] refers to documents of contacts that do not exist, in 90 of 91 references")
	}
}
