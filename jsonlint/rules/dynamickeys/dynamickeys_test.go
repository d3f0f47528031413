package dynamickeys_test

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

// mapped makes documents with an object "m" whose names and values come from
// the number of the document and of the member.
func mapped(documents, members int, member func(doc, i int) string) []string {
	out := make([]string, documents)
	for d := range out {
		parts := make([]string, members)
		for i := range parts {
			parts[i] = member(d, i)
		}
		out[d] = fmt.Sprintf(`{"id":"d%d","m":{%s}}`, d, strings.Join(parts, ","))
	}
	return out
}

// nicknames are what users call themselves.
var nicknames = strings.Fields(`ann bob cid dora emil fritz gus hans ida jo kai lea max nina otto paul quinn rosa sam tina udo vera willi xenia yan zoe
	adam bea carl dina edda finn greta hugo ines jens karla liam mona nils olga pia rolf sina timo ulla vito wanda yara zeno`)

// TestMapInSeveralCollections: collections alike have one mistake.
func TestMapInSeveralCollections(t *testing.T) {
	t.Parallel()
	nodes := []string{`{` + strings.Join(ruletest.Numbered(120, `"node%da":{"name":"x","type":"y"}`), ",") + `}`}
	ruletest.Run(t, "dynamic-keys", []ruletest.ShapeCase{{
		Name: "three of one shape", DB: ruletest.Database{"a": nodes, "b": nodes, "c": nodes},
		Want: []string{"warning a.jsonl:1 "}, Says: "the same in 2 more collections",
	}})
	stats := ruletest.Documents(60, func(i int, _ *rand.Rand) string {
		return fmt.Sprintf(`{"id":"e%d","stats":{"day%da":%[1]d,"day%[2]da":2,"day%[3]da":3}}`, i, i%40, 50+i%37)
	})
	ruletest.Run(t, "dynamic-keys", []ruletest.ShapeCase{{
		Name: "one map stored twice", DB: ruletest.Database{"events": stats, "scores": stats[:59]},
		Want: []string{"warning events.jsonl:1 stats"}, Says: "the same in 1 more collection",
	}})
	unlike := ruletest.Database{}
	for n, name := range []string{"a", "b", "c", "d", "e", "f"} {
		unlike[name] = []string{`{` + strings.Join(ruletest.Numbered(120, fmt.Sprintf(`"node%%da":{"p%d":1,"q%[1]d":"x"}`, n)), ",") + `}`}
	}
	ruletest.Run(t, "dynamic-keys", []ruletest.ShapeCase{{
		Name: "six of different shapes", DB: unlike, Want: []string{"warning a.jsonl:1 "}, Says: "the same in 5 more places",
	}})
}

func TestDynamicKeys(t *testing.T) {
	t.Parallel()
	languages := strings.Fields("de en fr es it pt nl sv da fi no pl cs sk hu ro bg el tr ru uk ja ko zh ar he hi th vi id")
	flags := strings.Fields("wifi pool gym parking kitchen washer dryer heating cooling desk crib grill elevator fireplace")
	ruletest.Expect(t, "dynamic-keys", []ruletest.Expectation{
		{Name: "ObjectIds in one document", Documents: mapped(1, 3, func(_, i int) string { return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab34c%d":{"points":%d}`, i, i) }),
			Want: []string{"info m 1:12"}},
		{Name: "ObjectIds beside fields", Documents: mapped(12, 6, func(d, i int) string {
			if i < 4 {
				return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab34c%d":"%d"`, i, 10*d+i)
			}
			return []string{`"from":"2026-01-02"`, `"table":{"id":1}`}[i-4]
		}), Want: []string{"info m 1:12"}},
		{Name: "two ObjectIds beside fields", Documents: mapped(12, 4, func(d, i int) string {
			if i < 2 {
				return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab34c%d":"%d"`, i, 10*d+i)
			}
			return []string{`"from":"2026-01-02"`, `"table":{"id":1}`}[i-2]
		})},
		{Name: "ObjectIds among names", Documents: mapped(48, 4, func(d, i int) string {
			if i == 0 && d < 12 {
				return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab34c%d":7`, d%3)
			}
			return fmt.Sprintf(`"%s%d":%d`, nicknames[(d+13*i)%48], d, i)
		}), Want: []string{"warning m 1:12"}},
		{Name: "two ObjectIds in one document of many, over unlike values", Documents: append(mapped(3, 0, nil), mapped(1, 2, func(_, i int) string {
			return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab34c%d":{"%s":%d}`, i, []string{"S", "M"}[i], i)
		})...), Want: []string{"info m 1:12"}},
		{Name: "two short codes over unlike values", Documents: append(mapped(3, 0, nil), mapped(1, 2, func(_, i int) string {
			return fmt.Sprintf(`"a%d":{"%s":%d}`, i, []string{"S", "M"}[i], i)
		})...)},
		{Name: "ObjectIds", Documents: mapped(30, 2, func(d, i int) string { return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab%04d":{"points":%d}`, 2*d+i, i) }),
			Want: []string{"warning m 1:12"}, Message: `60 distinct keys ("5f1d7a3e9b1c4a0012ab0000"`},
		{Name: "the same ObjectIds in each document", Documents: mapped(3, 4, func(_, i int) string { return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab34c%d":{"points":%d}`, i, i) }),
			Want: []string{"info m 1:12"}},
		{Name: "UUIDs", Documents: mapped(10, 2, func(d, i int) string { return fmt.Sprintf(`"5f1d7a3e-9b1c-4a00-92ab-34c15f1d%04d":%d`, 2*d+i, i) }), Want: []string{"warning m 1:12"}},
		{Name: "dates", Documents: mapped(5, 6, func(d, i int) string { return fmt.Sprintf(`"2026-%02d-%02d":%d`, d+1, i+1, i) }), Want: []string{"warning m 1:12"}},
		{Name: "e-mails", Documents: mapped(12, 1, func(d, _ int) string { return fmt.Sprintf(`"user%d@example.com":true`, d) }), Want: []string{"warning m 1:12"}},
		{Name: "push ids", Documents: mapped(4, 3, func(d, i int) string { return fmt.Sprintf(`"-Kb%dHu%dtKN4u96sVH8gj":{"text":"x"}`, d, i) }), Want: []string{"warning m 1:12"}},
		{Name: "ids of a name and a number", Documents: mapped(1, 3, func(_, i int) string { return fmt.Sprintf(`"orderId675c44%db12300e6.61562%d95":{"total":%d}`, i, i, i) }),
			Want: []string{"info m 1:12"}},
		{Name: "nicknames", Documents: mapped(25, 2, func(d, i int) string { return fmt.Sprintf(`"%s":{"points":%d}`, nicknames[2*d+i], d) }), Want: []string{"warning m 1:12"}},
		{Name: "a nickname beside a time", Documents: mapped(48, 2, func(d, i int) string {
			return []string{fmt.Sprintf(`"%s":%d`, nicknames[d], d), `"updatedAt":"2026-01-02"`}[i]
		}), Want: []string{"warning m 1:12"}, Message: `items.m is used as a map, with 48 distinct keys ("ann", "bob", "cid") in 48 objects, a median of 1 per object`},
		{Name: "a nickname beside an object of another shape", Documents: mapped(48, 2, func(d, i int) string {
			return []string{fmt.Sprintf(`"%s":{"points":%d,"lives":3}`, nicknames[d], d), `"host":{"address":"a"}`}[i]
		}), Want: []string{"warning m 1:12"}, Message: "48 distinct keys"},
		{Name: "many optional objects of one shape in one of three objects", Documents: append(mapped(2, 3, func(_, i int) string {
			return []string{`"active":true`, `"kind":"k"`, `"owner":"o"`}[i]
		}), mapped(1, 33, func(_, i int) string {
			return append([]string{`"active":true`, `"kind":"k"`, `"owner":"o"`}, ruletest.Numbered(30, `"method%dx":{"on":true,"rank":1}`)...)[i]
		})...)},
		{Name: "a nickname beside a type", Documents: mapped(48, 2, func(d, i int) string {
			return []string{fmt.Sprintf(`"%s":{"points":%d,"lives":3}`, nicknames[d], d), fmt.Sprintf(`"type":"k%d"`, d)}[i]
		})},
		{Name: "nicknames, one of them in all", Documents: mapped(48, 4, func(d, i int) string {
			return fmt.Sprintf(`"%s%s":{"points":%d,"lives":3}`, []string{"", nicknames[d], nicknames[d], nicknames[d]}[i], nicknames[i], d)
		}), Want: []string{"warning m 1:12"}, Message: `145 distinct keys ("ann",`},
		{Name: "a collection in one document", Documents: []string{`{` + strings.Join(ruletest.Numbered(70, `"name%da":{"age":%d,"city":"x"}`), ",") + `}`}, Want: []string{"warning  1:1"}},
		{Name: "lists of one shape in one document", Documents: []string{`{` + strings.Join(ruletest.Numbered(70, `"town%da":[{"title":"x","kind":"y","city":"z"}]`), ",") + `}`}, Want: []string{"warning  1:1"}},
		{Name: "lists that have little more than ids in common", Documents: []string{`{` + strings.Join(ruletest.Numbered(70, `"things%da":[{"id":1,"at":2,"a%[1]da":3,"b%[1]da":4,"c%[1]da":5}]`), ",") + `}`}},
		{Name: "a thousand in one", Documents: mapped(1, 1000, func(_, i int) string { return fmt.Sprintf(`"%d":{"x":1}`, 5000+i) }), Want: []string{"error m 1:12"}},
		{Name: "inside a list", Documents: []string{`{"id":"a","games":[{"scores":{"5f1d7a3e9b1c4a0012ab34c1":1,"5f1d7a3e9b1c4a0012ab34c2":2,"5f1d7a3e9b1c4a0012ab34c3":3}}]}`},
			Want: []string{"info games[].scores 1:21"}},
		{Name: "a map of maps is one", Documents: mapped(10, 3, func(d, i int) string {
			return fmt.Sprintf(`"2026-%02d-%02d":{"5f1d7a3e9b1c4a0012ab34c1":1,"5f1d7a3e9b1c4a0012ab34c2":2,"5f1d7a3e9b1c4a0012ab34c3":3}`, d+1, i+1)
		}), Want: []string{"warning m 1:12"}},
		{Name: "a map for each country is one", Documents: mapped(1, 3, func(_, i int) string {
			return fmt.Sprintf(`"%s":{"5f1d7a3e9b1c4a0012ab34c1":{"points":1},"5f1d7a3e9b1c4a0012ab34c2":{"points":2},"5f1d7a3e9b1c4a0012ab34c%d":{"points":3}}`, []string{"AU", "BR", "CA"}[i], i+3)
		}), Want: []string{"info m.AU 1:17"}, Message: "the same in 2 fields beside it"},

		{Name: "numbers in the only object", Documents: mapped(1, 6, func(_, i int) string { return fmt.Sprintf(`"%d":{"label":"x"}`, i) })},
		{Name: "numbers in several objects", Documents: mapped(2, 6, func(d, i int) string { return fmt.Sprintf(`"%d":{"label":"x"}`, 10*d+17*i) }), Want: []string{"warning m 1:12"}},
		{Name: "optional fields", Documents: mapped(60, 4, func(d, i int) string { return fmt.Sprintf(`"%s":true`, flags[(d*5+i*3)%len(flags)]) })},
		{Name: "a collection in a file that may be a database", Documents: []string{`{"theme":"dark","rooms":{"5f1d7a3e9b1c4a0012ab34c1":1,"5f1d7a3e9b1c4a0012ab34c2":2,"5f1d7a3e9b1c4a0012ab34c3":3}}`}},
		{Name: "two maps of texts", Documents: []string{`{"id":"a","set":{"5f1d7a3e9b1c4a0012ab34c1":"x","5f1d7a3e9b1c4a0012ab34c2":"y","5f1d7a3e9b1c4a0012ab34c3":"z"},"see":{"6f1d7a3e9b1c4a0012ab34c1":"u","6f1d7a3e9b1c4a0012ab34c2":"v","6f1d7a3e9b1c4a0012ab34c3":"w"}}`},
			Want: []string{"info set 1:11", "info see 1:112"}},
		{Name: "two maps with the same keys", Documents: []string{`{"id":"a","set":{"5f1d7a3e9b1c4a0012ab34c1":"x","5f1d7a3e9b1c4a0012ab34c2":"y","5f1d7a3e9b1c4a0012ab34c3":"z"},"count":{"5f1d7a3e9b1c4a0012ab34c1":1,"5f1d7a3e9b1c4a0012ab34c2":2,"5f1d7a3e9b1c4a0012ab34c3":3}}`},
			Want: []string{"info set 1:11"}, Message: "the same in 1 field beside it"},
		{Name: "a record, and one of other making", Documents: append(ruletest.Times(1, 12, `{"_id":"a%[1]d","name":"n%[1]d","mail":"m%[1]d","city":"x"}`),
			`{"_id":"b","name":"","mail":"","class1":"x","subject1":"","class2":"","subject2":"","class3":"","subject3":"","class4":"","subject4":"","class5":"","subject5":"","class6":"","subject6":"","class7":"","subject7":""}`)},
		{Name: "a record", Documents: mapped(40, 1, func(d, _ int) string { return fmt.Sprintf(`"street":"x","city":"y","zip":"%d","state":"z"`, d) })},
		{Name: "modes of movement", Documents: mapped(60, 1, func(d, _ int) string {
			return fmt.Sprintf(`%q:"30 ft.","%s":"10 ft."`, "walk", []string{"fly", "swim", "climb", "burrow", "hover"}[d%5])
		})},
		{Name: "the same translations", Documents: mapped(30, 11, func(_, i int) string { return fmt.Sprintf(`%q:"x"`, languages[i]) })},
		{Name: "some languages", Documents: mapped(20, 3, func(d, i int) string { return fmt.Sprintf(`%q:"x"`, languages[(d*3+i)%len(languages)]) })},
		{Name: "currencies", Documents: mapped(12, 2, func(d, i int) string { return fmt.Sprintf(`"%c%cX":%d`, 'A'+d, 'A'+i, d) })},
		{Name: "weekdays", Documents: mapped(30, 7, func(_, i int) string {
			return fmt.Sprintf(`%q:{"open":"9","close":"18"}`, strings.Fields("mon tue wed thu fri sat sun")[i])
		})},
		{Name: "stars of a rating", Documents: mapped(30, 5, func(d, i int) string { return fmt.Sprintf(`"%d":%d`, i+1, d) })},
		{Name: "the same rows of a table in each document", Documents: mapped(12, 120, func(_, i int) string { return fmt.Sprintf(`"node%da":{"name":"x","type":"y"}`, i) }),
			Want: []string{"warning m 1:12"}},
		{Name: "the same parts in each document", Documents: mapped(12, 60, func(_, i int) string { return fmt.Sprintf(`"part%da":{"name":"x","type":"y"}`, i) })},
		{Name: "numbered fields", Documents: mapped(3, 25, func(_, i int) string { return fmt.Sprintf(`"q%d":"x"`, i+1) })},
		{Name: "address lines", Documents: mapped(30, 3, func(_, i int) string { return fmt.Sprintf(`"line%d":"x"`, i+1) })},
		{Name: "methods", Documents: mapped(1, 4, func(_, i int) string { return fmt.Sprintf(`%q:{"x":1}`, []string{"GET", "PUT", "POST", "HEAD"}[i]) })},
		{Name: "browsers", Documents: mapped(40, 17, func(_, i int) string { return fmt.Sprintf(`%q:{"added":"1","removed":false}`, nicknames[i]) })},
		{Name: "wrappers", Documents: mapped(30, 1, func(d, _ int) string { return fmt.Sprintf(`"$date":{"$numberLong":"%d"}`, 1767225600000+d) })},
	})
}

// TestDynamicKeysFreeForm checks that objects meant for the user's own names
// are left alone, unless the names are ids.
func TestDynamicKeysFreeForm(t *testing.T) {
	t.Parallel()
	labels := mapped(30, 3, func(d, i int) string { return fmt.Sprintf(`%q:"x"`, nicknames[(3*d+i)%len(nicknames)]+fmt.Sprint(d)) })
	for i := range labels {
		labels[i] = strings.Replace(labels[i], `"m"`, `"labels"`, 1)
	}
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"items": labels}, jsonlint.Options{}))
	for i := range labels {
		labels[i] = strings.Replace(labels[i], `"labels"`, `"parameters"`, 1)
	}
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"items": labels}, jsonlint.Options{}))
	for i := range labels {
		labels[i] = strings.Replace(labels[i], `"parameters"`, `"variables"`, 1)
	}
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"items": labels}, jsonlint.Options{}))
	ids := mapped(30, 3, func(d, i int) string { return fmt.Sprintf(`"5f1d7a3e9b1c4a0012ab%04d":"x"`, 3*d+i) })
	for i := range ids {
		ids[i] = strings.Replace(ids[i], `"m"`, `"attributes"`, 1)
	}
	assert.Len(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"items": ids}, jsonlint.Options{}), 1)
}

func TestDynamicKeysFix(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		document string
		after    []string
	}{
		"an array": {`{"id":"a","m":{"2026-01-01":{"n":1},"2026-01-02":{"n":2},"2026-01-03":{"n":3}}}`,
			[]string{`{"id":"a","m":[{"key":"2026-01-01","n":1},{"key":"2026-01-02","n":2},{"key":"2026-01-03","n":3}]}`}},
		"lists as values": {`{"id":"a","m":{"2026-01-01":[1],"2026-01-02":[2,3],"2026-01-03":[]}}`,
			[]string{`{"id":"a","m":[{"key":"2026-01-01","value":[1]},{"key":"2026-01-02","value":[2,3]},{"key":"2026-01-03","value":[]}]}`}},
		"numbers as values": {`{"id":"a","o":{"m":{"2026-01-01":1,"2026-01-02":2,"2026-01-03":3}}}`,
			[]string{`{"id":"a","o":{"m":[{"key":"2026-01-01","value":1},{"key":"2026-01-02","value":2},{"key":"2026-01-03","value":3}]}}`}},
		"documents": {`{"2026-01-01":{"n":1},"2026-01-02":{"n":2},"2026-01-03":{"n":3}}`,
			[]string{`{"id":"2026-01-01","n":1}`, `{"id":"2026-01-02","n":2}`, `{"id":"2026-01-03","n":3}`}},
		"a document with an id": {`{"_id":"a","2026-01-01":1,"2026-01-02":2,"2026-01-03":3}`,
			[]string{`{"_id":"a","entries":[{"key":"2026-01-01","value":1},{"key":"2026-01-02","value":2},{"key":"2026-01-03","value":3}]}`}},
		"a large document with an id at its end": {`{` + strings.Join(ruletest.Numbered(300, `"2026-01-01T00:00:%d":"%[1]d times"`), ",") + `,"_id":"a"}`,
			[]string{`{"_id":"a","entries":[{"key":"2026-01-01T00:00:1","value":"1 times"},{"key":"2026-01-01T00:00:2","value":"2 times"}]}`}},
		"the name is taken": {`{"id":"a","m":{"2026-01-01":{"key":1},"2026-01-02":{"key":2},"2026-01-03":{"key":3}}}`,
			[]string{`{"id":"a","m":[{"entryKey":"2026-01-01","key":1},{"entryKey":"2026-01-02","key":2},{"entryKey":"2026-01-03","key":3}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"items": {c.document}}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			fix := found[0].Fixes[0]
			assert.Equal(t, finding.Plan, fix.Safety)
			require.Len(t, fix.After, len(c.after))
			for i, want := range c.after {
				assert.JSONEq(t, want, string(fix.After[i].Document))
			}
			ruletest.AssertKeepsValues(t, fix)
		})
	}
}

func TestDynamicKeysOfASet(t *testing.T) {
	t.Parallel()
	var documents []string
	for i := range 60 {
		documents = append(documents, fmt.Sprintf(`{"id":"b%d","tools":{"%d":true,"%d":true,"%d":true}}`, i, 700+i%20, 730+i%17, 760+i%13))
	}
	found := ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"blocks": documents}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "Make tools an array of the keys")
	assert.Empty(t, found[0].Fixes, "a plan would drop the values")
}

// TestIDOfAMap: the id of a document that is a map is no entry of it.
func TestIDOfAMap(t *testing.T) {
	t.Parallel()
	var documents []string
	for i := range 5 {
		documents = append(documents, fmt.Sprintf(`{"_id":"u%d","%d":3,"%d":4,"1003":1}`, i, 1004+i, 1009+i))
	}
	db := ruletest.Database{"ratings": documents}
	found := ruletest.FindingsOf(t, "dynamic-keys", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, `("1004", "1009", "1003") in 5 objects, a median of 3 per object`)
	assert.Contains(t, found[0].Advice, "Move the entries of each document into an array")
	assert.Empty(t, ruletest.FindingsOf(t, "mixed-types", db, jsonlint.Options{}))
	assert.Empty(t, ruletest.FindingsOf(t, "missing-id", db, jsonlint.Options{}))
}

// TestMapOfSeveralKinds checks that a map is one mistake in all kinds of
// documents, also in those that have too few names to show it.
func TestMapOfSeveralKinds(t *testing.T) {
	t.Parallel()
	var reports []string
	for i := range 30 {
		id := func(n int) string { return fmt.Sprintf("59a47286cfa9a3a73e51%04d", 10*i+n) }
		reports = append(reports,
			fmt.Sprintf(`{"_id":"r%d","type":"report","topic":"t","pages":3,"sections":{"%s":{"n":1},"%s":{"n":2}}}`, i, id(1), id(2)),
			fmt.Sprintf(`{"_id":"p%d","type":"paper","author":"a","school":"s","course":"c","sections":{"%s":{"n":1},"%s":{"n":2},"%s":{"n":3}}}`, i, id(3), id(4), id(5)))
	}
	reports = append(reports, `{"_id":"x","type":"draft","words":3,"due":"d","sections":{"historical-part":{"n":1}}}`, `{"_id":"y","type":"draft","words":3,"due":"d","sections":{"historical-part":{"n":"2"}}}`)
	reports = append(reports, ruletest.Times(1, 5, `{"_id":"m%d","type":"memo","to":"t","office":"o","urgent":true,"sections":{"count":2,"title":"x","last":true}}`)...)
	var found []string
	for _, rule := range []string{"dynamic-keys", "awkward-field-name", "mixed-types"} {
		for _, f := range ruletest.FindingsOf(t, rule, ruletest.Database{"reports": reports}, jsonlint.Options{}) {
			found = append(found, f.Rule+" "+f.Subject.Path)
		}
	}
	assert.Equal(t, []string{"dynamic-keys sections", "mixed-types sections{}.n"}, found)
}

// TestNamesOfDigits: no field is named like a number, even if every document has it.
func TestNamesOfDigits(t *testing.T) {
	t.Parallel()
	object := func(name string) []string {
		return ruletest.Times(1, 4, `{`+strings.Join(ruletest.Numbered(100, name+`:"%[1]d"`), ",")+`}`)
	}
	ruletest.Run(t, "dynamic-keys", []ruletest.ShapeCase{
		{Name: "codes", DB: ruletest.Database{"names": object(`"%dF"`)}, Want: []string{"warning names.jsonl:1 "}},
		{Name: "words", DB: ruletest.Database{"names": object(`"F%d"`)}},
		{Name: "maps by number", DB: ruletest.Database{"drops": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"d%d","items":{%s}}`, i, ruletest.Joined(3, func(k int) string {
				return fmt.Sprintf(`"300%d":{"%s":1,"%s":2}`, 10+(i+7*k)%20, nicknames[(3*i+k)%50], nicknames[(7*i+k+25)%50])
			}))
		})}, Want: []string{"warning drops.jsonl:1 items"}},
	})
}

// TestFieldsOfKinds checks that the names of the fields of many kinds of object, which come in
// sets or with a type, are no keys.
func TestFieldsOfKinds(t *testing.T) {
	t.Parallel()
	var words []string
	for _, first := range strings.Fields("line hand head role text link slogan quote banner heading image thumb") {
		for _, second := range strings.Fields("Place Door Lamp Chair Table Spoon Glass Plate Fork Knife") {
			words = append(words, first+second)
		}
	}
	objects := func(always string, names func(n int) (a, b int)) (documents []string) {
		for n := range 3 * len(words) {
			a, b := names(n)
			documents = append(documents, fmt.Sprintf(`{"id":"a%d","parts":{%s%q:"a",%q:"b"}}`, n, always, words[a%120], words[b%120]))
		}
		return documents
	}
	each := func(n int) (a, b int) { return n, 7*n + 13 + n/120*31 }
	sets := objects("", func(n int) (a, b int) { return 2 * n, 2*n + 1 })
	apart, typed := objects("", each), objects(`"type":"t",`, each)
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"pages": sets}, jsonlint.Options{}))
	assert.Len(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"pages": apart}, jsonlint.Options{}), 1)
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"pages": typed}, jsonlint.Options{}))
}

// Whatever names collections of a file, very many numbers do not.
func TestMapInAFile(t *testing.T) {
	t.Parallel()
	users := func(n int) string {
		return `{"at":"2026-01-01","users":{` + ruletest.Joined(n, func(i int) string { return fmt.Sprintf(`"%d":%d`, 116000+7*i, i) }) + `}}`
	}
	journals := `{"at":"2026-01-01","journals":[` + ruletest.Joined(80, func(i int) string {
		return fmt.Sprintf(`{"title":"t","editions":{"Vol. %d":"a","No. %d":"b"}}`, i, 2*i)
	}) + `]}`
	ruletest.Run(t, "dynamic-keys", []ruletest.ShapeCase{
		{Name: "a few numbers", DB: ruletest.Database{"map": {users(60)}}},
		{Name: "many numbers", DB: ruletest.Database{"map": {users(61)}}, Want: []string{"warning map.jsonl:1 users"}},
		{Name: "in several objects", DB: ruletest.Database{"map": {journals}}, Want: []string{"warning map.jsonl:1 journals[].editions"}},
	})
}

// Nobody declares a thousand objects of several kinds as fields, but translates as many
// texts.
func TestMapOfVeryManyNames(t *testing.T) {
	t.Parallel()
	pages := func(a, b string) []string {
		return []string{"{" + ruletest.Joined(1200, func(i int) string {
			return fmt.Sprintf(`"review/page-%c%c%c":%s`, 'a'+i%26, 'a'+i/26%26, 'a'+i/676, []string{a, b}[i%2])
		}) + "}"}
	}
	kinds := pages(`{"see":"x"}`, `{"name":"n","logo":"l","slug":"s"}`)
	found := ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"all": kinds}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "with 1,200 distinct keys")
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", ruletest.Database{"all": pages(`"Open"`, `7`)}, jsonlint.Options{}))
}

// The optional columns of a table are fields.
func TestOptionalColumns(t *testing.T) {
	t.Parallel()
	name := func(n int) string { return "bcdfghjklm"[n/10:n/10+1] + "aeioulrnst"[n%10:n%10+1] + "ation" }
	db := ruletest.Database{"cards": ruletest.Documents(92, func(i int, r *rand.Rand) string {
		text := fmt.Sprintf(`{"id":"c%d"`, i)
		for k := range 20 {
			text += fmt.Sprintf(`,"is_%s":true`, name(k))
		}
		for _, k := range r.Perm(80)[:7] {
			text += fmt.Sprintf(`,%q:%d`, name(k), i)
		}
		return text + "}"
	})}
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", db, jsonlint.Options{}))
}

// TestMapBesideFields: only the names that are data are entries.
func TestMapBesideFields(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"items": ruletest.Times(0, 12,
		`{"id":"d%d","m":{"5f1d7a3e9b1c4a0012ab34c1":"7","5f1d7a3e9b1c4a0012ab34c2":"8","5f1d7a3e9b1c4a0012ab34c3":"9","5f1d7a3e9b1c4a0012ab34c4":"%[1]d","from":"2026-01-02","table":{"n":1}}}`)}
	found := ruletest.FindingsOf(t, "dynamic-keys", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, `with 4 distinct keys ("5f1d7a3e9b1c4a0012ab34c1", "5f1d7a3e9b1c4a0012ab34c2", "5f1d7a3e9b1c4a0012ab34c3") in 12 objects, a median of 4 per object`)
	assert.Empty(t, found[0].Fixes)
	assert.Empty(t, ruletest.FindingsOf(t, "mixed-types", db, jsonlint.Options{}))
}

// TestMapOfWrittenNames: people wrote the names, beside two that all objects have.
func TestMapOfWrittenNames(t *testing.T) {
	t.Parallel()
	bills := func(name string) ruletest.Database {
		return ruletest.Database{"bills": ruletest.Documents(40, func(i int, _ *rand.Rand) string {
			more := ""
			if i < 24 {
				more = fmt.Sprintf(`,"%s %s":100`, name, nicknames[i])
			}
			return fmt.Sprintf(`{"id":"b%d","charges":{"rent":%d,"heat":50%s}}`, i, 700+i, more)
		})}
	}
	ruletest.Run(t, "dynamic-keys", []ruletest.ShapeCase{
		{Name: "each in one object", DB: bills("Garage of"), Want: []string{"warning bills.jsonl:1 charges"}, Says: "with 26 distinct keys"},
	})
	assert.Empty(t, ruletest.FindingsOf(t, "awkward-field-name", bills("Garage of"), jsonlint.Options{}))
	twice := bills("Garage of")
	twice["bills"] = ruletest.Concat(twice["bills"], []string{`{"id":"x","charges":{"rent":1,"heat":50,"Garage of ann":100}}`})
	assert.Empty(t, ruletest.FindingsOf(t, "dynamic-keys", twice, jsonlint.Options{}))
}

// One random name looks like a word by accident.
func TestMapOfRandomNames(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"nodes": ruletest.Concat(
		ruletest.Times(0, 6, `{"id":"d%d","needs":{"btL3sABEPxsohyv2r":%[1]d,"Wkn85exAkxehswDt5":2,"cdchgsQcdRwQvFnff":4}}`),
		ruletest.Times(6, 6, `{"id":"d%d","needs":{"9nS2cKXx6va2yWNpd":3,"RzxvaatcYLL4NrHug":4}}`))}
	found := ruletest.FindingsOf(t, "dynamic-keys", db, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "with 5 distinct keys")
}

// TestNamesThatAreIDs: the ids of documents are data, also if they are words.
func TestNamesThatAreIDs(t *testing.T) {
	t.Parallel()
	holders := func(n int, word string) []string {
		return ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"h%d","stock":{%s}}`, i, ruletest.Joined(4, func(k int) string {
				return fmt.Sprintf(`"%s_%s":%d`, word, nicknames[(i+3*k)%n], i+k)
			}))
		})
	}
	rooms := ruletest.Documents(12, func(i int, _ *rand.Rand) string { return fmt.Sprintf(`{"id":"room_%s","seats":%d}`, nicknames[i], i%5) })
	ruletest.Run(t, "dynamic-keys", []ruletest.ShapeCase{
		{Name: "ids", DB: ruletest.Database{"holders": holders(12, "room"), "rooms": rooms}, Want: []string{"warning holders.jsonl:1 stock"}, Says: "), ids of rooms, in 30 objects"},
		{Name: "one of them is none", DB: ruletest.Database{"holders": holders(12, "room"), "rooms": rooms[1:]}},
		{Name: "a few ids", DB: ruletest.Database{"holders": holders(9, "room"), "rooms": rooms}},
		{Name: "other words", DB: ruletest.Database{"holders": holders(12, "hall"), "rooms": rooms}},
		{Name: "most in all objects", DB: ruletest.Database{"rooms": rooms, "holders": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"h%d","stock":{%s}}`, i, ruletest.Joined(11, func(k int) string { return fmt.Sprintf(`"room_%s":%d`, nicknames[(i+k)%12], i) }))
		})}},
		{Name: "values of different types", DB: ruletest.Database{"rooms": rooms, "holders": ruletest.Documents(30, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"h%d","stock":{%s}}`, i, ruletest.Joined(4, func(k int) string {
				return fmt.Sprintf(`"room_%s":%s`, nicknames[(i+3*k)%12], []string{"1", `"x"`, "true", "[1]"}[(i+3*k)%4])
			}))
		})}},
	})
}

// TestPayloadsOfEvents: the things that events are about have hardly a name in common, so that
// they are no entries of one map, and one of them may be a text.
func TestPayloadsOfEvents(t *testing.T) {
	t.Parallel()
	events := func(own int) ruletest.Database {
		return ruletest.Database{"events": append(mapped(60, 2, func(d, i int) string {
			thing := "thing" + nicknames[(d+7*i)%40]
			fields := []string{fmt.Sprintf(`"id":%d,"url":"u%[1]d"`, d)}
			for f := range own {
				fields = append(fields, fmt.Sprintf(`"%s%s":%d`, thing, nicknames[f], f))
			}
			return fmt.Sprintf(`%q:{%s}`, thing, strings.Join(fields, ","))
		}), `{"id":"d60","m":{"text":"x"}}`)}
	}
	ruletest.Run(t, "mixed-types", []ruletest.ShapeCase{
		{Name: "two names in common and six of their own", DB: events(6), Want: []string{"warning events.jsonl:61 m{}"}},
		{Name: "two names in common and seven of their own", DB: events(7)},
	})
}
