package jsonlint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// TestDatabaseFiles checks whether a file with one object is taken for a
// database or a document.
func TestDatabaseFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text                   string
		documents, collections int64
	}{
		"json-server":                       {`{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"comments":[{"id":1,"postId":1,"text":"x"}]}`, 3, 2},
		"one collection":                    {"{\"customers\":[{\"id\":1},{\"id\":2}]}\n", 2, 1},
		"an empty collection":               {`{"posts":[{"id":1,"title":"a"}],"tags":[],"users":[{"name":"n","mail":"m","age":4}]}`, 2, 2},
		"a page":                            {`{"data":[{"id":1},{"id":2}],"total":2,"page":1,"next":null}`, 2, 1},
		"a scan":                            {`{"Items":[{"id":{"S":"a"}},{"id":{"S":"b"}}],"Count":2,"ScannedCount":2}`, 2, 1},
		"a document of typed lists":         {`{"name":"projects/p/databases/(default)/documents/data/main","fields":{"posts":{"arrayValue":{"values":[{"mapValue":{"fields":{"id":{"stringValue":"a"}}}}]}},"users":{"arrayValue":{"values":[{"mapValue":{"fields":{"id":{"stringValue":"b"},"mail":{"stringValue":"m"}}}}]}}}}`, 1, 1},
		"a list beside what it is":          {`{"metadata":{"at":"2026-05-17","rowCount":2,"columns":[{"name":"id"}]},"data":[{"id":"a"},{"id":"b"}]}`, 2, 1},
		"a list beside whose it is":         {`{"customer":{"id":2},"items":[{"id":7},{"id":9}]}`, 1, 1},
		"a document with a count":           {`{"name":"cart","items":[{"id":1},{"id":2}],"count":2}`, 1, 1},
		"a document with an id":             {`{"id":"1","posts":[{"id":1}]}`, 1, 1},
		"a list of texts":                   {`{"posts":["a","b"]}`, 1, 1},
		"a map of alike lists":              {`{"north":[{"id":1,"n":2}],"south":[{"id":2,"n":3}],"east":[{"id":3,"n":4}]}`, 1, 1},
		"wrapped documents":                 {`{"posts":[{"id":"1","data":{"title":"a"}}],"users":[{"id":"2","data":{"mail":"m","age":4}}]}`, 2, 2},
		"a map of wrapped lists":            {`{"north":[{"id":1,"data":{"n":2}}],"south":[{"id":2,"data":{"n":3}}]}`, 1, 1},
		"a database inside":                 {`{"exportedAt":"2025-10-02T17:11:00Z","collections":{"posts":[{"id":1,"title":"a"}],"users":[{"id":2,"mail":"m","age":4}]}}`, 2, 2},
		"a document of two lists":           {`{"name":"cart","content":{"posts":[{"id":1,"title":"a"}],"users":[{"id":2,"mail":"m","age":4}]}}`, 1, 1},
		"documents by their ids":            {`{"posts":{"a":{"title":"a","likes":1},"b":{"title":"b","likes":2},"c":{"title":"c","likes":3}},"users":{"x":{"mail":"m","age":4}}}`, 4, 2},
		"sections of texts":                 {`{"geography":{"location":{"text":"a"},"climate":{"text":"b"},"area":{"text":"c"}},"transport":{"ports":{"large":1,"text":"d"},"rails":{"text":"e"}}}`, 1, 1},
		"settings in sections":              {`{"stores":{"main":{"host":"a"},"copy":{"host":"b"}},"logs":{"file":{"path":"x"}}}`, 1, 1},
		"sections of all sorts":             {`{"a":{"x":{"host":1},"y":{"path":2},"z":{"size":3}},"b":{"u":{"mail":1},"v":{"mail":2},"w":{"mail":3}}}`, 1, 1},
		"parts under their ids":             {`{"users":{"2bh2uQaJQlYoKZSU9Cru8ppl5J23":{"mail":"a"}},"doctors":{"8gHoCd5ytpSvmY63tjRliERbQxA2":{"mail":"b"},"oJR6kLu8JpMbHxibCNrlHbLJlVi2":{"mail":"c"}}}`, 3, 2},
		"settings beside documents":         {`{"posts":{"-O_ldrK7_VDOzDRF_pkE":{"title":"a"}},"users":{"-OaL04AhzoXRJ8gSyvMF":{"mail":"b"}},"settings":{"theme":"dark","version":3}}`, 3, 3},
		"documents that know their names":   {`{"P1":{"sku":"P1","price":3},"P2":{"sku":"P2","price":4}}`, 2, 1},
		"documents under their ids":         {`{"-OMWBN9doUFfwj5FlHmF":{"food":"rice","count":3},"-OMWBQHBNPyoK3lbn87V":{"food":"tea","count":4}}`, 2, 1},
		"maps under their ids":              {`{"26JdgpRE9wgUFHufnJ7wS6NXUsi1":{"-OMWBN9doUFfwj5FlHmF":{"paid":3}},"CZS54LMKbdfHPQXuDiHCOP7H1pC2":{"-OMWBQHBNPyoK3lbn87V":{"paid":4}}}`, 1, 1},
		"objects by telephone":              {`{"6281912632294":{"food":"rice","count":3},"923152814383":{"food":"tea","count":4}}`, 2, 1},
		"numbered objects":                  {`{"0":{"food":"rice","count":3},"1":{"food":"tea","count":4},"2":{"food":"milk","count":4}}`, 3, 1},
		"a list and its next id":            {`{"nextId":4,"orders":[{"id":1,"sum":2},{"id":3,"sum":5}]}`, 2, 1},
		"lists and their counts":            {`{"lastUser":7,"users":[{"id":7,"mail":"m","age":4}],"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"posted":2}`, 3, 2},
		"a list and another number":         {`{"price":40,"lines":[{"id":1,"sum":2},{"id":3,"sum":5}]}`, 1, 1},
		"one collection under ids":          {`{"users":{"2bh2uQaJQlYoKZSU9Cru8ppl5J23":{"mail":"a"},"8gHoCd5ytpSvmY63tjRliERbQxA2":{"mail":"b"}}}`, 2, 1},
		"an answer":                         {`{"code":200,"message":"OK","data":[{"id":"a","n":1},{"id":"b","n":2}]}`, 2, 1},
		"an answer in an answer":            {`{"success":true,"message":"OK","result":{"items":[{"id":"a","n":1},{"id":"b","n":2}],"page":1}}`, 2, 1},
		"an answer with a list":             {`{"data":{"users":[{"name":"a","n":1},{"name":"b","n":2}]}}`, 2, 1},
		"tables with their columns":         {`{"database":"BS","tables":{"posts":{"columns":["id","title"],"count":1,"data":[{"id":1,"title":"a"}]},"users":{"columns":["id","mail"],"count":1,"data":[{"id":2,"mail":"m","age":4}]},"tags":{"columns":["id"],"count":0,"data":[]}}}`, 2, 2},
		"an object about the export":        {`{"_meta":{"exportedAt":"2026-04-16T21:35:07Z","projectId":"p"},"posts":{"a":{"title":"a","likes":1},"b":{"title":"b","likes":2},"c":{"title":"c","likes":3}},"users":{"x":{"mail":"m","age":4}},"tags":{}}`, 4, 2},
		"many empty lists":                  {`{"posts":[{"id":1,"title":"a"}],"users":[{"id":2,"mail":"m","age":4}]` + strings.Repeat(`,"others":[]`, 100) + `}`, 2, 2},
		"a list in an object":               {`{"user":{"posts":[{"text":"a","n":1},{"text":"b","n":2}]}}`, 1, 1},
		"a dated list":                      {`{"version":"1.0","exportedAt":"2024-01-01","users":[{"_id":"a","n":1},{"_id":"b","n":2}]}`, 2, 1},
		"a dated document":                  {`{"version":"1.0","date":"2024-01-01","steps":[{"do":"a","n":1},{"do":"b","n":2}]}`, 1, 1},
		"called as the file":                {`{"title":"Ours","next":5,"db":[{"name":"a","n":1},{"name":"b","n":2}]}`, 2, 1},
		"called as the file, with a schema": {`{"title":"Ours","schema":{"name":"text","of":{"n":"number"}},"db":[{"name":"a","n":1},{"name":"b","n":2}]}`, 2, 1},
		"called as the file, beside names":  {`{"left":{"ann":{"name":"a","n":1}},"db":[{"name":"a","n":1},{"name":"b","n":2}]}`, 1, 1},
		"called as the file, by names":      {`{"db":{"ann":{"name":"a","n":1},"bob":{"name":"b","n":2},"cy":{"name":"c","n":2}}}`, 3, 1},
		"too few names called as the file":  {`{"db":{"ann":{"name":"a","n":1},"bob":{"name":"b","n":2}}}`, 1, 1},
		"a document called as the file":     {`{"id":3,"db":[{"name":"a","n":1},{"name":"b","n":2}]}`, 1, 1},
		"a list called so beside words":     {`{"title":"Ours","tags":["x"],"db":[{"name":"a","n":1},{"name":"b","n":2}]}`, 2, 1},
		"under numbered names":              {`{"p-1":{"name":"a","n":1},"p-2":{"name":"b","n":2},"p-3":{"name":"c","n":2}}`, 3, 1},
		"under names with numbers":          {`{"top1":{"name":"a","n":1},"left2":{"name":"b","n":2},"low3":{"name":"c","n":2}}`, 1, 1},
		"no documents":                      {"null\n", 0, 0},
		"a map of similar things":           {`{"small":{"size":"P1","price":3},"large":{"size":"P2","price":4}}`, 1, 1},
		"a name with a number":              {`{"songs":[{"id":1,"title":"a"}],"list1":[{"id":2,"title":"b","rank":3}],"users":[{"mail":"m","age":4}]}`, 3, 3},
		"lists by ids":                      {`{"o-1":[{"id":1,"title":"a"}],"o-2":[{"mail":"m","age":4}]}`, 1, 1},
		"two lists of an export":            {`{"exportedAt":"2026-01-01","users":[{"id":1,"mail":"m"}],"posts":[{"id":1,"title":"t"}]}`, 2, 2},
		"a list of exports":                 {`{"name":"n","exportJobs":[{"id":1,"state":"s"}],"users":[{"id":1,"mail":"m"}],"posts":[{"id":1,"title":"t"}]}`, 3, 3},
		"two lists of a dated document":     {`{"date":"2026-01-01","users":[{"id":1,"mail":"m"}],"posts":[{"id":1,"title":"t"}]}`, 1, 1},
		"what an export says of itself":     {`{"exportedAt":"2026-01-01","format":"x","users":[{"id":1,"mail":"m"}],"posts":[{"id":1,"title":"t"}],"tags":[{"id":1,"colour":"c"}]}`, 3, 3},
		"an order with its id":              {`{"id":"o1","placed":"2026-01-01","lines":[{"id":1,"sku":"a"}],"payments":[{"id":1,"sum":3}],"notes":[{"id":2,"text":"t"}]}`, 1, 1},
		"collections below others":          {`{"posts":{"a":{"title":"x","__below__":{"comments":{"c":{"text":"y"}}}},"b":{"title":"z"},"c":{"title":"w"}},"users":{"u":{"mail":"m","age":1},"v":{"mail":"n","age":2},"w":{"mail":"o","age":3}}}`, 7, 3},
		"nested collections":                {`{"__collections__":{"posts":{"a":{"title":"x","tags":["t"],"__collections__":{"comments":{"c":{"text":"y","__collections__":{}}}}},"b":{"__collections__":{},"title":"z"}}}}`, 3, 2},
		"collections by their ids":          {`{"posts":{"a":{"title":"x","_below":{"comments":{"7fJDS59k8xvNoG5uOUWS":{"text":"y"}}}},"b":{"title":"z"},"c":{"title":"w"}},"users":{"u":{"mail":"m","age":1},"v":{"mail":"n","age":2},"w":{"mail":"o","age":3}}}`, 7, 3},
		"a map of maps":                     {`{"posts":{"a":{"title":"x","_below":{"comments":{"7fJDS59k8xvNoG5uOUW":{"text":"y"}}}},"b":{"title":"z"},"c":{"title":"w"}},"users":{"u":{"mail":"m","age":1},"v":{"mail":"n","age":2},"w":{"mail":"o","age":3}}}`, 6, 2},
		"ids of another database":           {`{"posts":{"a":{"title":"x","_below":{"comments":{"-fJDS59k8xvNoG5uOUWS":{"text":"y"}}}},"b":{"title":"z"},"c":{"title":"w"}},"users":{"u":{"mail":"m","age":1},"v":{"mail":"n","age":2},"w":{"mail":"o","age":3}}}`, 6, 2},
		"nothing below":                     {`{"posts":{"a":{"title":"x","_below":{"comments":{}}},"b":{"title":"z"},"c":{"title":"w"}},"users":{"u":{"mail":"m","age":1},"v":{"mail":"n","age":2},"w":{"mail":"o","age":3}}}`, 6, 2},
		"one collection by names":           {`{"users":{"ann":{"name":"a","n":1},"bob":{"name":"b","n":2},"cy":{"name":"c","n":2}}}`, 3, 1},
		"too few by names":                  {`{"users":{"ann":{"name":"a","n":1},"bob":{"name":"b","n":2}}}`, 1, 1},
		"ids of one length":                 {`{"1YEcVIbfaf45afRXqyfT":{"food":"rice"},"4eNZho1YfKGXZiPPSiOZ":{"food":"tea"},"DcSxYXYEPZaZAwahEaMq":{"food":"milk"}}`, 3, 1},
		"ids of several lengths":            {`{"1YEcVIbfaf45afRXqyfT":{"food":"rice"},"4eNZho1YfKGXZiPPSiOZ":{"food":"tea"},"DcSxYXYEPZaZAwahEaM":{"food":"milk"}}`, 1, 1},
		"collections with their names":      {`[{"collection":"users","data":[{"name":"a","n":1},{"name":"b","n":2}]},{"collection":"posts","data":[{"title":"t"}]},{"collection":"tags","data":[]}]`, 3, 2},
		"a collection with its name":        {`{"index_name":"users","total":2,"documents":[{"name":"a","n":1},{"name":"b","n":2}]}`, 2, 1},
		"a collection with more":            {`{"collection":"users","page":{"size":2},"data":[{"name":"a","n":1},{"name":"b","n":2}]}`, 1, 1},
		"tables with what they ordered":     {`[{"table":"5","items":[{"name":"a","n":1}]},{"table":"6","items":[{"name":"b","n":2}]}]`, 2, 1},
		"one map":                           {`{"recipes":{"a":{"title":"x"},"b":{"title":"y"},"c":{"title":"z"}}}`, 1, 1},
		"documents on their lines":          {"{\"lines\":[{\"id\":1}]}\n{\"lines\":[{\"id\":2}]}\n", 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "db.json")
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
			report, err := jsonlint.Check(context.Background(), []string{file}, jsonlint.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.documents, report.Summary.Documents)
			assert.Equal(t, int(c.collections), report.Summary.Collections)
			assert.False(t, slices.ContainsFunc(report.Findings, func(f finding.Finding) bool { return f.Rule == "input-error" }))
		})
	}
	scan := filepath.Join(t.TempDir(), "people.json")
	require.NoError(t, os.WriteFile(scan, []byte(`{"Items":[{"id":{"S":"a"},"zip":{"N":"98012"}},{"id":{"S":"b"},"zip":{"N":"98013"}}],"Count":2,"ScannedCount":2}`), 0o600))
	typed := checkFiles(t, jsonlint.Options{}, scan)
	assertRules(t, typed, []string{"numeric-identifier:zip"}, nil)
	assert.Equal(t, "people", typed[0].Subject.Collection)

	view := filepath.Join(t.TempDir(), "people.json")
	require.NoError(t, os.WriteFile(view, []byte(`{"total_rows":2,"offset":0,"rows":[{"id":"a","key":"a","value":{"rev":"1-a"},"doc":{"_id":"a","_rev":"1-a","zip":"98012"}},{"id":"b","key":"b","value":{"rev":"1-b"},"doc":{"_id":"b","_rev":"1-b","zip":98013}}]}`), 0o600))
	rows := checkFiles(t, jsonlint.Options{}, view)
	assertRules(t, rows, []string{"mixed-types:zip"}, nil)

	keyed := filepath.Join(t.TempDir(), "db.json")
	byID := `{"posts":{"p\u0031":{"by":"anna","zip":"98012"},"p2":{"by":"anna","zip":98013},"p3":{"by":"bert","zip":98014}},"users":{"anna":{"mail":"a"},"bert":{"mail":"b"}},"likes":{"l1":{"user":"anna","post":"p1"},"l2":{"user":"bert","post":"p2"},"l3":{"user":"carl","post":"p3"}}}`
	require.NoError(t, os.WriteFile(keyed, []byte(byID), 0o600))
	keyedFindings := checkFiles(t, jsonlint.Options{}, keyed)
	assertRules(t, keyedFindings, []string{"mixed-types:zip", "dangling-reference:user"}, []string{"missing-id", "dynamic-keys", "dangling-reference:post"})

	nested := filepath.Join(t.TempDir(), "export.json")
	require.NoError(t, os.WriteFile(nested, []byte(`{"__collections__":{"posts":{
		"a":{"zip":"98012","__collections__":{"notes":{"n1":{"phone":2065550100,"__collections__":{}}}}},
		"b":{"__collections__":{"notes":{"n2":{"__collections__":{},"phone":"2065550101"}}},"zip":98013}}}}`), 0o600))
	assertRules(t, checkFiles(t, jsonlint.Options{DB: "firestore"}, nested), []string{"mixed-types:zip", "mixed-types:phone"}, []string{"awkward-field-name"})

	empty := filepath.Join(t.TempDir(), "db.json")
	require.NoError(t, os.WriteFile(empty, []byte(`{"posts":{"a":{"by":"anna","tag":"x"},"b":{"by":"anna","tag":{}},"c":{"by":"bert","tag":"z"}},"users":{"anna":{"mail":"a"},"bert":{"mail":"b"}}}`), 0o600))
	assertRules(t, checkFiles(t, jsonlint.Options{}, empty), []string{"mixed-types:tag"}, nil) // an empty object is no collections

	seeds := t.TempDir()
	for name, text := range map[string]string{
		"orders":   `{"O1":{"id":"O1","product":"P1"},"O2":{"id":"O2","product":"P9"},"O3":{"id":"O3","product":"P2"}}`,
		"products": `{"P1":{"sku":"P1","price":3},"P2":{"sku":"P2","price":4},"P3":{"sku":"P3","price":"5"}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(seeds, name+".json"), []byte(text), 0o600))
	}
	assertRules(t, checkFiles(t, jsonlint.Options{}, seeds), []string{"mixed-types:price", "dangling-reference:product"}, []string{"dynamic-keys", "missing-id"})

	named := t.TempDir() // the scores hold numbers; both halves have a name 101; one name is a time
	for name, text := range map[string]string{
		"east":   `{"games":{"m1":{"text":"a"},"m2":{"text":"b"},"m3":{"text":"c"}},"players":{"101":{"on":false},"205":{"on":true},"342":{"on":true},"477":{"on":true},"533":{"on":false}}}`,
		"west":   `{"games":{"m4":{"text":"d"},"m5":{"text":"e"},"m6":{"text":"f"}},"players":{"101":{"on":true},"616":{"on":true},"734":{"on":true},"811":{"on":true}}}`,
		"scores": `[{"_id":"s1","playerId":101},{"_id":"s2","playerId":205},{"_id":"s3","playerId":342},{"_id":"s4","playerId":477},{"_id":"s5","playerId":533}]`,
		"stock":  `[{"_id":"a7","title":"tea","left":1},{"_id":"b8","title":"milk","left":1},{"_id":"c9","title":"salt","left":1}]`,
		"online": `{"rooms":{"m1":{"text":"a"},"m2":{"text":"b"},"m3":{"text":"c"}},"guests":{"1":{"at":"x"},"3":{"at":"y"},"4":{"at":"z"},"5":{"at":"u"},"1756956649928":{"at":"v"}}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(named, name+".json"), []byte(text), 0o600))
	}
	assertRules(t, checkFiles(t, jsonlint.Options{}, named), []string{"reference-type-mismatch:playerId"}, []string{"duplicate-id", "reference-type-mismatch:left"})

	file := filepath.Join(t.TempDir(), "db.json")
	text := `{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"comments":[{"id":1,"postId":"1","text":"x"},{"id":2,"postId":"2","text":"y"}]}`
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	findings := checkFiles(t, jsonlint.Options{}, file)
	assertRules(t, findings, []string{"reference-type-mismatch:postId"}, []string{"unbounded-array"})
	assert.Equal(t, strings.Index(text, `"1"`)+1, findings[0].Location.Column)
}

// TestStaleWithoutVolatile checks that stale-copy leaves copies to volatile-embed only if
// that rule runs and says that they differ.
func TestStaleWithoutVolatile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	statuses, tickets, seats := []string{"open", "closed", "waiting"}, "", ""
	for i := range 12 {
		tickets += fmt.Sprintf("{\"id\":\"t%d\",\"subject\":\"S%d\",\"status\":%q}\n", i, i, statuses[i%3])
	}
	for i := range 48 {
		ticket := i % 12
		status := statuses[(ticket-ticket/11)%3]
		seats += fmt.Sprintf("{\"id\":\"n%d\",\"title\":\"Seat %d\",\"ticket\":{\"ticketId\":\"t%d\",\"status\":%q}}\n", i, i, ticket, status)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tickets.jsonl"), []byte(tickets), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "seats.jsonl"), []byte(seats), 0o600))
	assertRules(t, checkFiles(t, jsonlint.Options{}, dir), []string{"volatile-embed:ticket"}, []string{"stale-copy"})
	without := jsonlint.Options{Rules: map[string]jsonlint.RuleOptions{"volatile-embed": {Disabled: true}}}
	assertRules(t, checkFiles(t, without, dir), []string{"stale-copy:ticket.status"}, []string{"volatile-embed"})

	shop, products, carts := t.TempDir(), "", "" // volatile-embed speaks of the price, and not of the name that differs
	for i := range 6 {
		products += fmt.Sprintf("{\"id\":\"p%d\",\"name\":\"Product %d\",\"price\":%d}\n", i, i, 100+37*i)
	}
	for i := range 12 {
		name := fmt.Sprintf("Product %d", i%6)
		if i == 7 {
			name = "Old"
		}
		carts += fmt.Sprintf("{\"id\":\"n%d\",\"owner\":\"u%d\",\"product\":{\"id\":\"p%d\",\"name\":%q,\"price\":%d}}\n", i, i, i%6, name, 100+37*(i%6))
	}
	require.NoError(t, os.WriteFile(filepath.Join(shop, "products.jsonl"), []byte(products), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(shop, "carts.jsonl"), []byte(carts), 0o600))
	assertRules(t, checkFiles(t, jsonlint.Options{}, shop), []string{"volatile-embed:product", "stale-copy:product.name"}, nil)
}

// TestHabitsAreSaidOnce checks that a file in shell syntax has one finding,
// with all possible repairs.
func TestHabitsAreSaidOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shell := filepath.Join(dir, "rides.json")
	require.NoError(t, os.WriteFile(shell, []byte("/* 1 */\n{\"_id\": ObjectId(\"59a47286cfa9a3a73e51e701\"), from: 'a'}\n/* 2 */\n{\"_id\": ObjectId(\"59a47286cfa9a3a73e51e702\"), \"from\": \"b\",}\n"), 0o600))
	queue := filepath.Join(dir, "queue.json")
	require.NoError(t, os.WriteFile(queue, []byte(`["anna","bert","carl"]`), 0o600))
	script := filepath.Join(dir, "script.json")
	require.NoError(t, os.WriteFile(script, []byte("db.trips.insert({\"_id\":1,\"to\":\"a\"});\ndb.trips.insert({\"_id\":2,\"to\":\"b\"});\ndb.trips.insert({\"_id\":3,\"to\":\"c\"});\n"), 0o600))
	latin := filepath.Join(dir, "towns.json")
	require.NoError(t, os.WriteFile(latin, []byte("{\"_id\":1,\"name\":\"Orl\xe9ans\"}\n{\"_id\":2,\"name\":\"Besan\xe7on\"}\n"), 0o600))
	ids := filepath.Join(dir, "ids.json")
	require.NoError(t, os.WriteFile(ids, []byte("["+strings.Repeat(`"anna",`, 299)+`"bert"]`), 0o600))
	var said []string
	for _, f := range checkFiles(t, jsonlint.Options{}, shell, queue, script, latin, ids) {
		said = append(said, f.Message)
	}
	assert.Equal(t, []string{
		"JSON has no comments; 3 more such places in the file",
		"there is a comma after the last element",
		`"db.trips.insert(" is not JSON`,
		`");" is not JSON; 2 more such places in the file`,
		"a string contains the byte 0xE9, which is not UTF-8; 1 more such place in the file",
	}, said)
}

// TestCommaAfterEachDocument checks that commas between documents are one finding.
func TestCommaAfterEachDocument(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "lines.json")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("{\"_id\":1}\n", 22)+strings.Repeat("{\"_id\":2},\n", 5)), 0o600))
	var said []string
	for _, f := range checkFiles(t, jsonlint.Options{}, file) {
		if f.Rule == finding.InputError {
			said = append(said, f.Message)
		}
	}
	assert.Equal(t, []string{"documents outside an array are separated by a comma; 4 more such places in the file"}, said)
}

// TestNoCommaBetweenDocuments checks that an array with a document a line and no
// commas is one finding, and its brackets are none.
func TestNoCommaBetweenDocuments(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "rides.json")
	for text, want := range map[string][]string{
		"[\n{\"_id\":1,\"to\":\"a\"}\n{\"_id\":2,\"to\":\"b\"}\n{\"_id\":3,\"to\":\"c\"}\n{\"_id\":4,\"to\":\"d\"}\n]\n": {"the comma between two elements is missing; 2 more such places in the file"},
		"{\"_id\":1,\"to\":\"a\"}\n{\"_id\":2,\"to\":\"b\"}\n{\"_id\":3,\"to\":\"c\"}\n{\"_id\":4,\"to\":\"d\"}\n]\n":    {`"]" closes nothing`},
		"[\n{\"_id\":1,\"to\":\"a\"}\n{\"_id\":2,\"to\":\"b\"}\n{\"_id\":3,\"to\":\"c\"}\n{\"_id\":4,\"to\":\"d\"}\n":    {"the text ends inside an array of documents"},
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		var said []string
		for _, f := range checkFiles(t, jsonlint.Options{}, file) {
			said = append(said, f.Message)
		}
		assert.Equal(t, want, said)
	}
}

// TestListOfValues checks that a list of texts beside documents is no error, but is
// one where it is all that there is to read.
func TestListOfValues(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ids, rides := filepath.Join(dir, "ids.json"), filepath.Join(dir, "rides.json")
	require.NoError(t, os.WriteFile(ids, []byte(`["anna","bert","carl"]`), 0o600))
	require.NoError(t, os.WriteFile(rides, []byte(`[{"_id":1,"to":"a"},{"_id":2,"to":"b"}]`), 0o600))
	found := checkFiles(t, jsonlint.Options{}, ids)
	require.Len(t, found, 1)
	assert.Equal(t, `element 0 is not a document but the value "anna"; 2 more such places in the file`, found[0].Message)
	assert.Empty(t, checkFiles(t, jsonlint.Options{}, ids, rides))
	require.NoError(t, os.WriteFile(ids, []byte(`["anna","bert",,"carl"]`), 0o600))
	assert.NotEmpty(t, checkFiles(t, jsonlint.Options{}, ids, rides))
}

// TestListOfRows checks that the rows of a table, in one list, are one finding in a file of
// any size, and probably not part of a database beside documents. An array with a
// document is no row.
func TestListOfRows(t *testing.T) {
	t.Parallel()
	row := `["anna, [a]",1,null]`
	for name, text := range map[string]string{
		"short":       "[" + row + "," + row + "]",
		"long":        "[\n" + strings.Repeat(row+",\n", 200_000) + row + "]\n",
		"in one line": "[" + strings.Repeat(row+",", 200_000) + row + "]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			rows, rides := filepath.Join(dir, "rows.json"), filepath.Join(dir, "rides.json")
			require.NoError(t, os.WriteFile(rows, []byte(text), 0o600))
			require.NoError(t, os.WriteFile(rides, []byte(`[{"_id":1,"to":"a"},{"_id":2,"to":"b"}]`), 0o600))
			found := checkFiles(t, jsonlint.Options{}, rows)
			require.Len(t, found, 1)
			assert.Equal(t, "the elements are rows of values, not documents", found[0].Message)
			assert.Empty(t, checkFiles(t, jsonlint.Options{}, rows, rides))
		})
	}
	entries := filepath.Join(t.TempDir(), "entries.json")
	require.NoError(t, os.WriteFile(entries, []byte(`[["a",{"_id":1,"to":"a"}],["b",{"_id":2,"to":"b"}]]`), 0o600))
	for _, f := range checkFiles(t, jsonlint.Options{}, entries) {
		assert.NotContains(t, f.Message, "rows")
	}
}

// TestCollectionTwice checks that of two lists with one name in a database file the
// last counts, as for readers of JSON, and that one finding tells what is lost.
func TestCollectionTwice(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db.json")
	text := `{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"tags":[{"id":1,"label":"x"}],
		"posts":[{"id":1,"price":5,"stock":7}],"tags":[{"id":1,"group":"y","rank":1}]}`
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	found := checkFiles(t, jsonlint.Options{}, file)
	require.Len(t, found, 1)
	assert.Equal(t, `the collection "posts" occurs again later in this file: readers keep only the last one and lose the 2 documents here; 1 more such place in the file`, found[0].Message)
	assert.Equal(t, 1, found[0].Location.Line)
}

// TestListNamedLikeAFile checks that a list in one file is not of the collection in
// the file that has the name of the list.
func TestListNamedLikeAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	funds, settings := filepath.Join(dir, "funds.json"), filepath.Join(dir, "settings.json")
	var list []string
	for i := range 6 {
		list = append(list, fmt.Sprintf(`{"id":%[1]d,"title":"t%[1]d","note":"n%[1]d","rates":3}`, i))
	}
	require.NoError(t, os.WriteFile(funds, []byte("["+strings.Join(list, ",")+"]"), 0o600))
	text := `{"funds":[{"id":"1","code":"x","label":"l","share":2},{"id":"2","code":"y","label":"m","share":3}],"units":[{"id":"1","code":"u"},{"id":"2","code":"v"}],"towns":[{"id":"1","code":"u"},{"id":"2","code":"v"}]}`
	require.NoError(t, os.WriteFile(settings, []byte(text), 0o600))
	assert.Empty(t, checkFiles(t, jsonlint.Options{}, funds, settings))
}

// TestListsOfSeveralFiles checks that a list which several files of a directory have is
// one collection, also if another file, which lacks some documents, has the name of the list.
func TestListsOfSeveralFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "courses"), 0o700))
	list := func(format string, from, to int) string {
		var documents []string
		for i := from; i < to; i++ {
			documents = append(documents, fmt.Sprintf(format, i, i/20))
		}
		return "[" + strings.Join(documents, ",") + "]"
	}
	task, answer := `{"id":%d,"title":"t%[1]d","points":%[1]d}`, `{"id":"a%d","task_id":%d}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tasks.json"), []byte(list(task, 5000, 5030)), 0o600))
	for course := range 4 {
		first := 5000 + 10*course
		text := fmt.Sprintf(`{"course_id":%d,"tasks":%s,"answers":%s,"people":%s}`, course, list(task, first, first+10), list(answer, 20*first, 20*first+200), list(`{"id":"p%d","name":"n%d"}`, first, first+6))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "courses", fmt.Sprintf("course-%d.json", course)), []byte(text), 0o600))
	}
	assert.Empty(t, checkFiles(t, jsonlint.Options{}, dir))
}

// TestDamagedLineCostsItself checks that a guess about a damaged line does not
// affect the documents around it.
func TestDamagedLineCostsItself(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf(`{"_id":{"$oid":"59a47286cfa9a3a73e51e7%02d"},"name":"n%d"}`, i, i))
	}
	lines[7] = `{"_id":{"$oid":"59a47286cfa9a3a73e51e707"oops"},"name":"n7"}`
	file := filepath.Join(t.TempDir(), "theaters.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	report, err := jsonlint.Check(context.Background(), []string{file}, jsonlint.Options{})
	require.NoError(t, err)
	assert.Equal(t, int64(29), report.Summary.Documents)
	require.Len(t, report.Findings, 1)
	assert.Equal(t, "input-error", report.Findings[0].Rule)
	assert.Equal(t, 8, report.Findings[0].Location.Line)
}

// TestUnreadDocumentsAreNotMissing checks that references to a file of which parts
// could not be read are not dangling.
func TestUnreadDocumentsAreNotMissing(t *testing.T) {
	t.Parallel()
	var films, shows []string
	for i := range 30 {
		films = append(films, fmt.Sprintf(`{"_id":{"$oid":"59a47286cfa9a3a73e51e7%02d"},"name":"n%d"}`, i, i))
		shows = append(shows, fmt.Sprintf(`{"_id":{"$oid":"59a47286cfa9a3a73e51e8%02d"},"filmId":{"$oid":"59a47286cfa9a3a73e51e7%02d"}}`, i, i))
	}
	var likes []string
	for i := range 6 {
		likes = append(likes, fmt.Sprintf(`{"_id":"l%d","filmId":{"$oid":"59a47286cfa9a3a73e51e9%02d"}}`, i, i))
	}
	lines := func(list []string) []byte { return []byte(strings.Join(list, "\n") + "\n") }
	for name, c := range map[string]struct {
		last string
		want []string
	}{
		"left out":   {``, []string{"filmId of likes", "filmId of shows"}},
		"a guess":    {`{"_id":{"$oid":"59a47286cfa9a3a73e51e729"oops"},"name":"n29"}`, nil},
		"unreadable": {`{{{"_id":}}`, nil},
		"doubled":    {`{"_id":{"$oid":"59a47286cfa9a3a73e51e729"},"name":"the \\"n29\\""}`, nil},
		"cut off":    {films[29][:40], nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, list := range map[string][]string{"films": append(films[:29:29], c.last), "shows": shows, "likes": likes} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), lines(list), 0o600))
			}
			report, err := jsonlint.Check(context.Background(), []string{dir}, jsonlint.Options{})
			require.NoError(t, err)
			var found []string
			for _, f := range report.Findings {
				if f.Rule == "dangling-reference" {
					found = append(found, f.Subject.Path+" of "+f.Subject.Collection)
				}
			}
			assert.Equal(t, c.want, found)
		})
	}
}

// TestDocumentsOnOtherPages checks that a document may be on a page that is not there.
func TestDocumentsOnOtherPages(t *testing.T) {
	t.Parallel()
	var films, shows []string
	for i := range 30 {
		films = append(films, fmt.Sprintf(`{"id":"f%d7","name":"n%d"}`, i, i))
		shows = append(shows, fmt.Sprintf(`{"id":"s%d","filmId":"f%d7"}`, i, i))
	}
	for page, want := range map[string]int{
		`{"totalCount":30,"count":28,"films":[%s]}`: 0,
		`{"totalCount":28,"count":28,"films":[%s]}`: 1,
		`{"totalPages":30,"count":28,"films":[%s]}`: 1,
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "films.json"), fmt.Appendf(nil, page, strings.Join(films[:28], ",")), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "shows.jsonl"), []byte(strings.Join(shows, "\n")), 0o600))
		found := checkFiles(t, jsonlint.Options{}, dir)
		assert.Len(t, found, want, page)
	}
	dir := t.TempDir()
	for i, some := range [][]string{films[:15], films[15:28]} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "films"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "films", fmt.Sprintf("%d.json", i)), fmt.Appendf(nil, `{"totalCount":28,"films":[%s]}`, strings.Join(some, ",")), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "shows.jsonl"), []byte(strings.Join(shows, "\n")), 0o600))
	assert.Len(t, checkFiles(t, jsonlint.Options{}, dir), 1, "all pages are there")
}

// TestNamesAreIDs checks that a document read again has the id that it got from
// its name, so that a message can mention it.
func TestNamesAreIDs(t *testing.T) {
	t.Parallel()
	var authors, books []string
	for i := range 30 {
		authors = append(authors, fmt.Sprintf(`"ann%d":{"name":"A %[1]d","books":["red%[1]d"]}`, i))
		books = append(books, fmt.Sprintf(`"red%d":{"title":"T %[1]d","authors":["ann%[1]d"]}`, i))
	}
	books[29] = `"red29":{"title":"T 29","authors":[]}`
	file := filepath.Join(t.TempDir(), "db.json")
	text := `{"authors":{` + strings.Join(authors, ",") + `},"books":{` + strings.Join(books, ",") + `}}`
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	found := checkFiles(t, jsonlint.Options{}, file)
	i := slices.IndexFunc(found, func(f finding.Finding) bool { return f.Rule == "inconsistent-many-to-many" })
	require.GreaterOrEqual(t, i, 0)
	assert.Contains(t, found[i].Message, `"ann29" has "red29" in books[], but "red29" has no "ann29" in authors[]`)
}

// TestDocumentUnderTheNameOfItsFile checks that files with one document each, under its
// id, are read as one collection.
func TestDocumentUnderTheNameOfItsFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ships", "ship3"} { // a file may have the name of the directory
		dir := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		for i := range 12 {
			text := fmt.Sprintf("{\n  \"ship%d\": {\n    \"hull\": %[1]d,\n    \"crew\": 2\n  }\n}", i)
			if i == 7 {
				text = strings.ReplaceAll(text, "2\n", "\"two\"\n")
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("ship%d.json", i)), []byte(text), 0o600))
		}
		found := checkFiles(t, jsonlint.Options{}, dir)
		require.Len(t, found, 1)
		assert.Equal(t, name+`.crew holds 11 numbers and 1 string: here "two", elsewhere 2`, found[0].Message)
		assert.Equal(t, 4, found[0].Location.Line)
	}
}

// TestTablesInside: the tables of an export may be nested beside a description
// of the export.
func TestTablesInside(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text                   string
		documents, collections int64
	}{
		"in a list": {`{"db":[{"meta":{"version":"2"},"data":{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"users":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}}]}`, 4, 2},
		"beside":    {`{"meta":{"version":1},"models":{"Post":[{"_id":1,"title":"a"},{"_id":2,"title":"b"}],"Tag":[{"_id":2,"name":"m"},{"_id":3,"name":"n"}]}}`, 4, 2},
		"counted":   {`{"info":{"at":"2026-01-02"},"collections":{"posts":{"document_count":2,"documents":[{"id":1,"title":"a"},{"id":2,"title":"b"}]},"users":{"document_count":2,"documents":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}},"summary":{"ok":2}}`, 4, 2},
		"uncounted": {`{"info":{"at":"2026-01-02"},"parts":{"posts":{"price":9,"documents":[{"id":1,"title":"a"},{"id":2,"title":"b"}]},"users":{"price":7,"documents":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}},"summary":{"ok":2}}`, 1, 1},
		"named":     {`{"info":{"at":"2026-01-02"},"parts":{"posts":{"count":2,"lines":[{"id":1,"title":"a"},{"id":2,"title":"b"}]},"users":{"count":2,"lines":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}},"summary":{"ok":2}}`, 1, 1},
		"lists":     {`{"stats":{"rows":4,"empty":["logs","media"]},"data":{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"users":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}}`, 4, 2},
		"a note":    {`{"export_notes":"Run the migrations first.","data":{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"users":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}}`, 4, 2},
		"a backup":  {`{"backup_by":"night job","data":{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"users":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}}`, 4, 2},
		"one word":  {`{"export":"cars","data":{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"users":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}}`, 1, 1},
		"a title":   {`{"title":"Run the migrations first.","data":{"posts":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"users":[{"id":2,"mail":"m"},{"id":3,"mail":"n"}]}}`, 1, 1},
		"no tables": {`{"users":[{"profile":{"name":"a"},"orders":{"items":[{"sku":1}],"returns":[{"why":"x"}]}}]}`, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "export.json")
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
			report, err := jsonlint.Check(context.Background(), []string{file}, jsonlint.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.documents, report.Summary.Documents)
			assert.Equal(t, int(c.collections), report.Summary.Collections)
		})
	}
}
