package duplicateid_test

import (
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
)

func TestDuplicateID(t *testing.T) {
	t.Parallel()
	key := func(path string) jsonlint.Options {
		return jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"items": {PartitionKey: path}}}
	}
	drinks := func() []string {
		return append(ruletest.Numbered(30, `{"_id":"x%d","id":%[1]d,"type":"beer","abv":1,"style":"x","name":"N%[1]d"}`), ruletest.Numbered(30, `{"_id":"y%d","id":9%[1]d,"type":"brewery","city":"x","phone":"y"}`)...)
	}
	ruletest.Expect(t, "duplicate-id", []ruletest.Expectation{
		{Name: "two things", Documents: []string{
			`{"id":"a","name":"Lamp","price":30,"stock":1}`, `{"id":"b","name":"Shelf","price":80,"stock":2}`, `{"id":"a","name":"Chair","price":90,"stock":3}`,
		}, Want: []string{"error id 3:7"}, Message: `items.id "a" occurs in 2 different documents: name is "Lamp" in one and "Chair" in the other`},
		{Name: "one thing in two spellings", Documents: []string{
			`{"id":"a","at":{"$date":"2026-01-01T10:00:00.000Z"},"ref":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"n":1}`,
			`{"id": "a", "at": {"$date": "2026-01-01T12:00:00+02:00"}, "ref": {"$oid": "5f1d7a3e9b1c4a0012ab34c1"}, "n": 1}`,
		}, Want: []string{"warning id 2:8"}, Message: `items.id "a": the same document occurs 2 times`},
		{Name: "spelling is no difference", Documents: []string{
			`{"id":"a","ref":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"name":"Lamp","price":1}`, `{"id":"a","ref":{ "$oid": "5f1d7a3e9b1c4a0012ab34c1" },"name":"Chair","price":2}`,
		}, Want: []string{"error id 2:7"}, Message: `name is "Lamp" in one and "Chair" in the other`},
		{Name: "two things with clocks", Documents: []string{
			`{"id":"a","name":"Lamp","price":30,"stock":1,"updatedAt":"2026-01-01T00:00:00Z"}`, `{"id":"b","name":"Shelf","price":80,"stock":2,"updatedAt":"2026-01-02T00:00:00Z"}`,
			`{"id":"a","name":"Chair","price":90,"stock":3,"updatedAt":"2026-01-03T00:00:00Z"}`,
		}, Want: []string{"error id 3:7"}},
		{Name: "history of one thing", Documents: []string{
			`{"id":"a","name":"Lamp","price":30,"colour":"red","_ts":1}`, `{"id":"b","name":"Shelf","price":80,"colour":"oak","_ts":2}`, `{"id":"a","name":"Lamp","price":35,"colour":"red","_ts":3}`,
		}},
		{Name: "a time series", Documents: []string{
			`{"id":"a","date":"2026-01-01","close":1}`, `{"id":"a","date":"2026-01-02","close":2}`, `{"id":"b","date":"2026-01-01","close":7}`, `{"id":"b","date":"2026-01-02","close":9}`,
		}},
		{Name: "rows of a few series", Documents: ruletest.Numbered(12, `{"x":%d,"y":%[1]d,"id":"dirt"}`)},
		{Name: "legs of a few bags, by the id of the bag", Documents: []string{
			`{"id":1,"leg":"B604","from":"MIA"}`, `{"id":1,"leg":"B667","from":"LAX"}`, `{"id":2,"leg":"B79","from":"GRU"}`, `{"id":2,"leg":"B907","from":"ORD"}`,
			`{"id":2,"leg":"B495","from":"JFK"}`, `{"id":3,"leg":"B704","from":"SFO"}`, `{"id":3,"leg":"B578","from":"IST"}`,
		}},
		{Name: "as many of a list that was added twice", Documents: []string{
			`{"id":1,"leg":"B604","from":"MIA"}`, `{"id":1,"leg":"B667","from":"LAX"}`, `{"id":2,"leg":"B79","from":"GRU"}`, `{"id":2,"leg":"B907","from":"ORD"}`,
		}, Want: []string{"error id 2:7"}},
		{Name: "an id that the database keeps unique", Documents: ruletest.Numbered(12, `{"x":%d,"y":%[1]d,"_id":"dirt"}`), Want: []string{"error _id 2:20"}},
		{Name: "no clock", Documents: []string{
			`{"id":"a","name":"Lamp","price":30,"colour":"red"}`, `{"id":"b","name":"Shelf","price":80,"colour":"oak"}`, `{"id":"a","name":"Lamp","price":35,"colour":"red"}`,
		}, Want: []string{"error id 3:7"}, Message: "price is 30 in one and 35 in the other"},
		{Name: "the same document twice", Documents: []string{`{"id":"a","n":1}`, `{"id":"b","n":1}`, `{"n":1,"id":"a"}`},
			Want: []string{"warning id 3:13"}, Message: `items.id "a": the same document occurs 2 times`},
		{Name: "exact integers", Documents: []string{`{"_id":9007199254740993,"n":1}`, `{"_id":9007199254740992,"n":2}`}},
		{Name: "one number written twice", Documents: []string{`{"_id":1,"a":1,"b":2,"c":3}`, `{"_id":{"$numberInt":"1"},"a":2,"b":3,"c":4}`}, Want: []string{"error _id 2:8"}},
		{Name: "a number and its text are two", Documents: []string{`{"_id":1,"n":1}`, `{"_id":"1","n":2}`, `{"_id":2,"n":2}`}},
		{Name: "case matters", Documents: []string{`{"_id":"5F1D7A3E9B1C4A0012AB34C1","n":1}`, `{"_id":"5f1d7a3e9b1c4a0012ab34c1","n":2}`}},
		{Name: "embedded ids may repeat", Documents: []string{`{"id":"a","parts":[{"id":1,"x":1}]}`, `{"id":"b","parts":[{"id":1,"x":2}]}`}},
		{Name: "kinds that count from 1", Documents: append(ruletest.Numbered(6, `{"id":%d,"type":"post","title":"T","body":"B","tags":[]}`),
			ruletest.Numbered(6, `{"id":%d,"type":"user","name":"N","email":"e","phone":"p"}`)...),
			Want: []string{"warning id 7:7"}, Message: `items.id has 6 values that more than one kind of document uses: 1 is the id of a document type "post" and one type "user"`},
		{Name: "a dump of several tables", Documents: append(ruletest.Numbered(30, `{"model":"shop.product","pk":%d,"fields":{"name":"N%d","price":%d}}`),
			ruletest.Numbered(30, `{"model":"shop.customer","pk":%d,"fields":{"name":"C%d","price":%d}}`)...)},
		{Name: "a small one", Documents: append(ruletest.Numbered(2, `{"model":"shop.product","pk":%d,"fields":{"name":"N%d"}}`),
			ruletest.Numbered(2, `{"model":"shop.customer","pk":%d,"fields":{"name":"C%d"}}`)...)},
		{Name: "twice in one table of it", Documents: []string{`{"model":"shop.product","pk":1,"fields":{"name":"N"}}`, `{"model":"shop.product","pk":1,"fields":{"name":"M"}}`, `{"model":"shop.product","pk":2,"fields":{"name":"N"}}`},
			Want: []string{"error pk 2:30"}},
		{Name: "an export of several tables that wraps documents", Documents: append(ruletest.Numbered(6, `{"type":"api::post","id":%d,"data":{"title":"T%d"}}`),
			ruletest.Numbered(6, `{"type":"api::user","id":%d,"data":{"name":"N%d"}}`)...)},
		{Name: "places on a border, each in two states with its name", Documents: append(ruletest.Times(100, 300, `{"_id":"32%d","city":"Town %[1]d","state":"S%[1]d","people":3%[1]d}`),
			`{"_id":"32107","city":"Town 107","state":"GA","people":7}`, `{"_id":"32112","city":"Town 112","state":"MO","people":8}`, `{"_id":"32231","city":"Town 231","state":"TN","people":9}`),
			Want: []string{"error _id 301:8"}, Message: "32107"},
		{Name: "an address of one document that is there twice", Documents: append(ruletest.Numbered(12, `{"_id":"u%d","email":"a%d@x.example","role":"r","city":"c%d"}`), `{"_id":"u1","email":"a1@x.example","role":"s","city":"d"}`),
			Want: []string{"error _id 13:8"}},
		{Name: "an address that most documents lack", Documents: append(ruletest.Numbered(40, `{"_id":"u%d","site":"s%[1]d.example","name":"N%[1]d"}`),
			append(ruletest.Times(50, 30, `{"_id":"u%d","site":"s%[1]d.example","name":"N%[1]d","email":"a%[1]d@x.example"}`), `{"_id":"x","site":"x.example","name":"X","email":"a52@x.example"}`)...)},
		{Name: "another partition", Options: key("/tenant"), Documents: []string{`{"id":"a","tenant":"x","n":1}`, `{"id":"a","tenant":"y","n":2}`, `{"id":"b","tenant":"y","n":2}`}},
		{Name: "the same partition", Options: key("/tenant"), Documents: []string{`{"id":"a","tenant":"x","n":1,"m":1,"o":1}`, `{"id":"a","tenant":"x","n":2,"m":2,"o":2}`},
			Want: []string{"error id 2:7"}},
		{Name: "sort keys", Options: jsonlint.Options{DB: "dynamodb"}, Documents: []string{`{"PK":"U#1","SK":"A","n":1}`, `{"PK":"U#1","SK":"B","n":2}`, `{"PK":"U#2","SK":"A","n":1}`}},
		{Name: "the only id, named after the collection", Documents: append(ruletest.Numbered(30, `{"itemId":%d,"price":5,"colour":"c%[1]d"}`), `{"itemId":7,"price":9,"colour":"red"}`),
			Want: []string{"warning itemId 31:11"}},
		{Name: "an id beside that of the database", Documents: append(ruletest.Numbered(30, `{"_id":"x%d","id":"soup-%[1]d","title":"T"}`), `{"_id":"x99","id":"soup-7","title":"T"}`),
			Want: []string{"warning id 31:19"}},
		{Name: "an id beside that of the database, in one kind, and in two", Documents: append(drinks(),
			`{"_id":"z1","id":7,"type":"beer","abv":1,"style":"x","name":"Other"}`, `{"_id":"z2","id":8,"type":"brewery","city":"x","phone":"y"}`),
			Want: []string{"warning id 61:18"}, Message: `items.id 7 occurs in 2 different documents: name is "N7" in one and "Other" in the other`},
		{Name: "hits of a search engine, of several types", Documents: append(ruletest.Numbered(9, `{"_index":"game","_type":"account","_id":"u%d","_score":1,"_source":{"name":"N%d","mail":"m%d"}}`),
			ruletest.Numbered(9, `{"_index":"game","_type":"turn","_id":"u%d","_score":1,"_source":{"next":"N%d","started":%d}}`)...)},
		{Name: "two names in one document", Documents: []string{`{"id":"a","id":"x","n":1}`, `{"id":"b","id":"x","n":2}`}},
	})
}

// TestDuplicateIDKeys checks keys that are not the id: they count if they are
// named after the collection.
func TestDuplicateIDKeys(t *testing.T) {
	t.Parallel()
	var accounts []string
	for i := range 40 {
		accounts = append(accounts, fmt.Sprintf(`{"_id":"x%d","account_id":%d,"zip":"%d"}`, i, 1000+i%39, 10000+i%38))
	}
	found := ruletest.FindingsOf(t, "duplicate-id", ruletest.Database{"accounts": accounts}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, "account_id", found[0].Subject.Path)
	assert.Equal(t, 40, found[0].Location.Line)
	assert.Equal(t, finding.Warning, found[0].Severity)
	assert.Equal(t, 1, found[0].Related[0].Location.Line)
	assert.Empty(t, ruletest.FindingsOf(t, "duplicate-id", ruletest.Database{"visits": accounts}, jsonlint.Options{}))
}

// TestDuplicateIDLookUps checks values by which documents are looked up one at a
// time: few that repeat among many are errors.
func TestDuplicateIDLookUps(t *testing.T) {
	t.Parallel()
	documents := func(n, repeats int, format string) (out []string) {
		for i := range n {
			value := i
			if i >= n-repeats {
				value = i - n/2
			}
			out = append(out, fmt.Sprintf(format, i, value))
		}
		return out
	}
	const mail, account = `{"_id":"x%d","email":"u%d@example.com","text":"t%[1]d"}`, `{"_id":"x%d","email":"u%d@example.com","password":"p%[1]d"}`
	for _, c := range []struct {
		name, collection string
		documents        []string
		want             string
	}{
		{"one address of many", "users", documents(40, 1, mail), "email"},
		{"a few accounts", "users", documents(12, 1, account), "email"},
		{"a few that may be anything", "users", documents(12, 1, mail), ""},
		{"addresses that repeat", "users", documents(40, 12, mail), ""},
		{"who wrote a message", "messages", documents(40, 1, mail), ""},
		{"all different", "users", documents(40, 0, mail), ""},
		{"none given", "users", append(documents(40, 0, mail), `{"_id":"y","email":"","text":"a"}`, `{"_id":"z","email":"","text":"b"}`), ""},
		{"a number of its own", "orders", documents(40, 1, `{"_id":"x%d","orderNumber":%d,"total":5}`), "orderNumber"},
		{"the number of something else", "payments", documents(40, 1, `{"_id":"x%d","orderNumber":%d,"total":5}`), ""},
		{"a name of its own", "products", documents(40, 1, `{"_id":"x%d","productSku":"A-%d","price":5}`), "productSku"},
		{"a name of its own beside its own id", "users", documents(40, 1, `{"_id":"x%d","userId":"7%[1]d","userName":"user%d","price":5}`), "userName"},
		{"the name of what it refers to", "packages", documents(40, 1, `{"_id":"x%d","userId":"7%[1]d","user_name":"user%d","price":5}`), ""},
		{"a name of something else", "products", documents(40, 1, `{"_id":"x%d","supplierEmail":"s%d@example.com","price":5}`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "duplicate-id", ruletest.Database{c.collection: c.documents}, jsonlint.Options{})
			if c.want == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, c.want, found[0].Subject.Path)
			assert.NotContains(t, found[0].Message, "_id is")
		})
	}
}

// TestDuplicateIDDumps checks that two dumps of one collection are history.
func TestDuplicateIDDumps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for day, price := range map[string]int{"monday": 10, "tuesday": 11} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, day), 0o700))
		text := strings.Join(ruletest.Numbered(10, fmt.Sprintf(`{"id":"p%%d","name":"n","colour":"red","price":%d}`, price)), "\n")
		require.NoError(t, os.WriteFile(filepath.Join(dir, day, "products.jsonl"), []byte(text), 0o600))
	}
	assert.Empty(t, ruletest.FindingsIn(t, "duplicate-id", []string{dir}, jsonlint.Options{}))
}

// TestDuplicateIDDays checks documents in directories of days, which may each hold the
// whole collection.
func TestDuplicateIDDays(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "products")
	for i, id := range []string{"p1", "p2", "p3", "p4", "p1", "p6", "p7", "p7"} {
		day := filepath.Join(dir, fmt.Sprintf("2024-05-%02d", 1+i/4))
		require.NoError(t, os.MkdirAll(day, 0o700))
		text := fmt.Sprintf(`{"id":%q,"name":"Lamp %d","price":%d}`, id, i, 3+i%5)
		require.NoError(t, os.WriteFile(filepath.Join(day, fmt.Sprintf("n%d.json", i)), []byte(text), 0o600))
	}
	found := ruletest.FindingsIn(t, "duplicate-id", []string{dir}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, `products.id "p7"`)
}

// TestDuplicateIDStores checks files with one name in several directories: those of
// tests, which each hold a store, and single documents, which together are one.
func TestDuplicateIDStores(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stores []string
		want   int
	}{
		"stores": {[]string{`{"id":"a","name":"Lamp","price":3}` + "\n" + `{"id":"b","name":"Shelf","price":8}`, `{"id":"a","name":"Chair","price":9}` + "\n" + `{"id":"c","name":"Table","price":7}`}, 0},
		"tables": {[]string{`{"goods":[{"id":"a","name":"Lamp"},{"id":"b","name":"Shelf"}],"users":[{"id":"u"},{"id":"v"}]}`,
			`{"goods":[{"id":"a","name":"Chair"},{"id":"c","name":"Table"}],"users":[{"id":"w"},{"id":"x"}]}`}, 0},
		"within one": {[]string{`{"id":"a","name":"Lamp","price":3}` + "\n" + `{"id":"a","name":"Shelf","price":8}`, `{"id":"b","name":"Chair","price":9}` + "\n" + `{"id":"c","name":"Table","price":7}`}, 1},
		"documents":  {[]string{`{"id":"a","name":"Lamp","price":3}`, `{"id":"a","name":"Chair","price":9}`, `{"id":"b","name":"Table","price":7}`, `{"id":"c","name":"Shelf","price":8}`}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for i, text := range c.stores {
				sub := filepath.Join(dir, fmt.Sprint("store", i))
				require.NoError(t, os.Mkdir(sub, 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(sub, "products.json"), []byte(text), 0o600))
			}
			assert.Len(t, ruletest.FindingsIn(t, "duplicate-id", []string{dir}, jsonlint.Options{}), c.want)
		})
	}
}

// TestDuplicateIDParts: an older and a newer export that overlap do not show that a
// document was stored again.
func TestDuplicateIDParts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for day, n := range map[string]int{"monday": 9, "tuesday": 1} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, day), 0o700))
		text := strings.Join(ruletest.Times(10, n, `{"name":"Good %d","price":%[1]d00,"stock":%[1]d5}`), "\n")
		require.NoError(t, os.WriteFile(filepath.Join(dir, day, "products.jsonl"), []byte(text), 0o600))
	}
	assert.Empty(t, ruletest.FindingsIn(t, "duplicate-id", []string{dir}, jsonlint.Options{}))
}

// TestDuplicateIDCopies checks documents that were stored again under another id.
func TestDuplicateIDCopies(t *testing.T) {
	t.Parallel()
	goods := func(n int, format string) []string { return ruletest.Times(10, n, format) }
	const good = `{"_id":"x%d","name":"Good %[1]d","price":%[1]d00,"stock":%[1]d5}`
	for _, c := range []struct {
		name string
		db   ruletest.Database
		want string
	}{
		{"twice", ruletest.Database{"goods": append(goods(9, good), `{"_id":"y","name":"Good 12","price":1200,"stock":125}`)}, "the same document is stored 2 times"},
		{"four times", ruletest.Database{"goods": append(goods(9, good), `{"_id":"y1","name":"Good 12","price":1200,"stock":125}`, `{"_id":"y2","name":"Good 12","price":1200,"stock":125}`,
			`{"_id":"y3","name":"Good 12","price":1200,"stock":125}`)}, "stored 4 times"},
		{"two of them", ruletest.Database{"goods": append(goods(9, good), `{"_id":"y1","name":"Good 12","price":1200,"stock":125}`, `{"_id":"y2","name":"Good 13","price":1300,"stock":135}`)},
			"2 documents are stored more than once"},
		{"hundreds of them", ruletest.Database{"goods": append(goods(2000, good), goods(700, `{"_id":"y%d","name":"Good %[1]d","price":%[1]d00,"stock":%[1]d5}`)...)},
			"700 documents are stored more than once"},
		{"with the same ids, which are reported by themselves", ruletest.Database{"goods": append(goods(40, good), goods(3, good)...)}, "3 documents occur more than once with the same _id"},
		{"without ids", ruletest.Database{"goods": append(goods(9, `{"name":"Good %d","price":%[1]d00,"stock":%[1]d5}`), `{"name":"Good 12","price":1200,"stock":125}`)}, "stored 2 times"},
		{"by a slug too, which is reported by itself", ruletest.Database{"goods": append(goods(40, `{"_id":"x%d","slug":"good-%[1]d","name":"Good %[1]d","price":%[1]d00,"stock":%[1]d5}`),
			`{"_id":"y","slug":"good-12","name":"Good 12","price":1200,"stock":125}`)}, "slug"},
		{"a slug", ruletest.Database{"goods": append(goods(40, `{"_id":"x%d","slug":"good-%[1]d","above":"y%[1]d","price":%[1]d00}`), `{"_id":"y","slug":"good-12","above":"y99","price":7}`)}, "slug"},
		{"a slug in a tree, under two parents", ruletest.Database{"goods": append(goods(40, `{"_id":"x%d","slug":"good-%[1]d","parentId":"x10","price":%[1]d00}`),
			`{"_id":"y","slug":"good-12","parentId":"x11","price":7}`, `{"_id":"z","slug":"good-13","parentId":"x11","price":9}`, `{"_id":"w","slug":"good-14","parentId":"x12","price":8}`)}, ""},
		{"a slug beside the name of a parent", ruletest.Database{"goods": append(goods(40, `{"_id":"x%d","slug":"good-%[1]d","parentName":"Ann %[1]d","price":%[1]d00}`),
			`{"_id":"y","slug":"good-12","parentName":"Bob","price":7}`)}, "slug"},
		{"a slug of documents that name others", ruletest.Database{"goods": append(goods(40, `{"_id":"x%d","slug":"good-%[1]d","managerId":"x10","price":%[1]d00}`),
			`{"_id":"y","slug":"good-12","managerId":"x11","price":7}`)}, "slug"},
		{"a slug in a tree, under one parent", ruletest.Database{"goods": append(goods(40, `{"_id":"x%d","slug":"good-%[1]d","parentId":"x10","price":%[1]d00}`),
			`{"_id":"y","slug":"good-12","parentId":"x10","price":7}`, `{"_id":"z","slug":"good-13","parentId":"x11","price":9}`)}, "slug"},
		{"another of the name", ruletest.Database{"goods": append(goods(9, good), `{"_id":"y","name":"Good 12","price":1300,"stock":125}`)}, ""},
		{"a copy and another of the name", ruletest.Database{"goods": append(goods(9, good), `{"_id":"y","name":"Good 12","price":1200,"stock":125}`, `{"_id":"z","name":"Good 13","price":900,"stock":125}`)}, ""},
		{"a copy and another of the name, of many", ruletest.Database{"goods": append(goods(80, good), `{"_id":"y","name":"Good 12","price":1200,"stock":125}`, `{"_id":"z","name":"Good 13","price":900,"stock":125}`)}, "stored 2 times"},
		{"at another time", ruletest.Database{"goods": append(goods(9, `{"_id":"x%d","name":"Good %[1]d","price":%[1]d00,"stock":%[1]d5,"createdAt":"2026-01-%[1]dT10:00:00Z"}`),
			`{"_id":"y","name":"Good 12","price":1200,"stock":125,"createdAt":"2026-01-13T10:00:00Z"}`)}, ""},
		{"of few", ruletest.Database{"goods": append(goods(5, good), `{"_id":"y","name":"Good 12","price":1200,"stock":125}`)}, ""},
		{"most", ruletest.Database{"goods": append(goods(9, good), goods(5, `{"_id":"y%d","name":"Good %[1]d","price":%[1]d00,"stock":%[1]d5}`)...)}, ""},
		{"with little to agree in", ruletest.Database{"goods": append(goods(9, `{"_id":"x%d","name":"Good %[1]d","price":5,"stock":1}`), `{"_id":"y","name":"Good 12","price":5,"stock":1}`)}, ""},
		{"that only a day or a number distinguishes", ruletest.Database{"visits": append(goods(9, `{"_id":"x%d","day":"2026-01-%[1]d","code":"%[1]d","visitors":%[1]d00,"sales":%[1]d5}`),
			`{"_id":"y","day":"2026-01-12","code":"12","visitors":1200,"sales":125}`)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "duplicate-id", c.db, jsonlint.Options{})
			if c.want == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Contains(t, found[0].Message, c.want)
			assert.Equal(t, finding.Warning, found[0].Severity)
		})
	}
}

func TestDuplicateIDBesideOwnKey(t *testing.T) {
	t.Parallel()
	bills, lines := ruletest.Times(10, 10, `{"id":"b-%d","order":"b-%[1]d","total":%[1]d5}`), ruletest.Times(10, 9, `{"id":"o-%d","orderId":"ORD-%[1]d","total":%[1]d}`)
	ruletest.Run(t, "duplicate-id", []ruletest.ShapeCase{
		{Name: "a second id, in a handful of documents to which others refer", DB: ruletest.Database{
			"orders": append(lines, `{"id":"o-19","orderId":"ORD-12","total":3}`), "bills": ruletest.Times(10, 10, `{"id":"b-%d","order_id":"o-%[1]d"}`)},
			Want: []string{"warning orders.jsonl:10 orderId"}},
		{Name: "a second id, to which nobody refers", DB: ruletest.Database{"orders": append(lines, `{"id":"o-19","orderId":"ORD-12","total":3}`), "bills": bills}},
		{Name: "the id of a person", DB: ruletest.Database{"assignments": {
			`{"assignmentId":"p1-n1","id":"n1","kind":"first"}`, `{"assignmentId":"p2-n1","id":"n1","kind":"second"}`, `{"assignmentId":"p1-n2","id":"n2","kind":"first"}`}}},
	})
}
