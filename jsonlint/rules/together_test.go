package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// TestTogether: one cause in several collections, or in several fields of a free
// object, is one finding; in two, or in collections of other documents, it is not.
func TestTogether(t *testing.T) {
	t.Parallel()
	boards := func(years int) ruletest.Database {
		db := ruletest.Database{}
		for i := range years {
			db[fmt.Sprintf("boards%d", 2020+i)] = ruletest.Times(3*i, 3, `{"id":"%d","name":"n","rows":[[{"a":1}],[{"a":2}]]}`)
		}
		return db
	}
	found := ruletest.FindingsOf(t, "nested-array", boards(4), jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 3 more collections")
	assert.Len(t, found[0].Related, 3)
	assert.Len(t, ruletest.FindingsOf(t, "nested-array", boards(2), jsonlint.Options{}), 2)

	const shelf = `{"id":"%[1]d","room":"hall %[1]d","floor":1,"wall":"north","size":2,"rows":[[{"a":1}],[{"a":2}]]}`
	shelves := ruletest.Times(1, 3, shelf)
	backup := func(copies []string) []finding.Finding {
		return ruletest.FindingsOf(t, "nested-array", ruletest.Database{"shelves": shelves, "shelves_2024": copies}, jsonlint.Options{})
	}
	found = backup(shelves[1:])
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 1 more collection")
	assert.Len(t, backup(ruletest.Times(4, 3, shelf)), 2)
	assert.Len(t, backup(ruletest.Times(1, 3, `{"id":"%d","room":"cellar","floor":0,"wall":"south","size":2,"rows":[[{"a":1}],[{"a":2}]]}`)), 2) // numbered alike
	assert.Len(t, backup(ruletest.Times(1, 3, `{"id":"%d","size":1,"colour":2,"owner":3,"rows":[[{"a":1}],[{"a":2}]]}`)), 2)
	for _, n := range []int{1, 9} {
		assert.Len(t, backup(ruletest.Times(1, n, `{"floor":1,"wall":"north","size":2,"rows":[[{"a":1}],[{"a":2}]]}`)), 2)
	}

	cast := func(years int) []finding.Finding { // with fixes that change the files of many
		db := ruletest.Database{}
		for i := range years {
			db[fmt.Sprintf("boards%d", 2020+i)] = ruletest.Concat(ruletest.Times(9*i, 9, `{"id":"%d","name":"n","pages":1}`), []string{fmt.Sprintf(`{"id":"x%d","name":"n","pages":"2"}`, i)})
		}
		return ruletest.FindingsOf(t, "mixed-types", db, jsonlint.Options{})
	}
	found = cast(6)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 5 more collections")
	require.Len(t, found[0].Fixes, 1)
	assert.Len(t, found[0].Fixes[0].Edits, 6)
	assert.Len(t, cast(5), 5)

	strangers := ruletest.Database{"items": ruletest.Concat(ruletest.Times(1, 1500, `{"id":"%[1]d","item":"i","size":{"h":1,"w":2},"qty":%[1]d}`),
		[]string{`{"error":"timeout","stack":"at","code":7}`, `{"rows":3,"took":[7],"query":"q"}`})}
	assert.Len(t, ruletest.FindingsOf(t, "structural-outlier", strangers, jsonlint.Options{}), 2)

	apart := ruletest.Database{}
	for _, name := range []string{"one", "two", "three"} {
		apart[name] = ruletest.Times(1, 3, `{"id":"%[1]d","`+name+`A":1,"`+name+`B":1,"`+name+`C":1,"rows":[[{"a":1}],[{"a":2}]]}`)
	}
	assert.Len(t, ruletest.FindingsOf(t, "nested-array", apart, jsonlint.Options{}), 3)

	free := ruletest.Database{"steps": ruletest.Concat(
		ruletest.Times(1, 9, `{"id":"%[1]d","of":{"x%[1]d":1,"y%[1]d":true}}`),
		[]string{`{"id":"a","of":{"p":[[{"a":1}],[{"a":2}]],"q":[[{"a":1}],[{"a":2}]],"r":[[{"a":1}],[{"a":2}]]}}`},
	)}
	found = ruletest.FindingsOf(t, "nested-array", free, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 2 more fields")

	free["steps"] = append(free["steps"], `{"id":"b","of":{"s":[[{"a":1}],[{"a":2}]]}}`) // the same object, from another document on
	found = ruletest.FindingsOf(t, "nested-array", free, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 3 more fields")

	fixed := ruletest.Database{"steps": ruletest.Times(1, 9, `{"id":"%[1]d","of":{"p":[[{"a":1}],[{"a":2}]],"q":[[{"a":1}],[{"a":2}]],"r":[[{"a":1}],[{"a":2}]]}}`)}
	assert.Len(t, ruletest.FindingsOf(t, "nested-array", fixed, jsonlint.Options{}), 3)

	kinds := []string{"goods", "units", "quests", "lords", "skills", "ranks"}
	deep, named := ruletest.Database{}, ruletest.Database{} // of one program, though the documents differ in most
	for _, kind := range kinds {
		own := fmt.Sprintf(`{"id":"%%[1]d","%[1]sA":1,"%[1]sB":1,"%[1]sC":1,`, kind)
		deep[kind] = ruletest.Concat(ruletest.Times(1, 9, own+`"from":{"sheet":{"column":"a b"}}}`), ruletest.Times(10, 1, own+`"from":{"sheet":{"column":["c d"]}}}`))
		named[kind] = ruletest.Times(1, 3, own+`"`+kind+` no":2}`)
	}
	found = ruletest.FindingsOf(t, "mixed-types", deep, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 5 more collections")
	found = ruletest.FindingsOf(t, "awkward-field-name", named, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 5 more places")
	delete(deep, "goods")
	assert.Len(t, ruletest.FindingsOf(t, "mixed-types", deep, jsonlint.Options{}), 5)

	sheets := ruletest.Database{} // a converter that takes what looks like a number for one
	for i, name := range []string{"goods", "units", "quests", "lords", "skills", "ranks", "slots"} {
		sheets[name] = ruletest.Concat(ruletest.Times(1, 9, fmt.Sprintf(`{"id":"%%[1]d","%[1]sA":1,"%[1]sB":1,"%[1]sC":1,"%[1]sKinds":"%%[1]d,2,3"}`, name)),
			[]string{fmt.Sprintf(`{"id":"x","%[1]sA":1,"%[1]sB":1,"%[1]sC":1,"%[1]sKinds":%[2]d}`, name, i)})
	}
	found = ruletest.FindingsOf(t, "mixed-types", sheets, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 6 more places")
	delete(sheets, "goods")
	delete(sheets, "units")
	assert.Len(t, ruletest.FindingsOf(t, "mixed-types", sheets, jsonlint.Options{}), 5)

	stamped := func(a, b string) ruletest.Database { // two documents, of which one is the first, by another program
		return ruletest.Database{"shows": ruletest.Concat([]string{fmt.Sprintf(`{"id":"0","opens":%[1]q,"ends":%[1]q,"made":%[1]q}`, a)},
			ruletest.Times(1, 5, fmt.Sprintf(`{"id":"%%[1]d","opens":%[1]q,"ends":%[1]q,"made":%[1]q}`, b)), []string{fmt.Sprintf(`{"id":"9","opens":%[1]q,"ends":%[1]q,"made":%[1]q}`, a)})}
	}
	found = ruletest.FindingsOf(t, "inconsistent-date-format", stamped("2023-04-20T10:00:00.000Z", "2023-04-20 10:00:00"), jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 2 more fields")

	spelt := ruletest.Database{"events": ruletest.Concat(
		ruletest.Times(1, 5, `{"id":"a%[1]d","type":"case_filed","court":"c","judge":"j"}`), ruletest.Times(1, 5, `{"id":"b%[1]d","type":"user_login","name":"n","ip":"i"}`),
		[]string{`{"id":"c","type":"CASE_FILED","court":"c","judge":"j"}`, `{"id":"d","type":"USER_LOGIN","name":"n","ip":"i"}`})}
	found = ruletest.FindingsOf(t, "inconsistent-discriminator", spelt, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 1 more value")

	people := ruletest.Database{"users": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","email":"a%[1]d@x.org"}`),
		[]string{`{"id":"a","email":"ann@x.org"}`, `{"id":"b","email":"bob@x.org"}`, `{"id":"c","email":"Ann@x.org"}`, `{"id":"d","email":"bob@x.org "}`})}
	found = ruletest.FindingsOf(t, "case-variant-values", people, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "they differ only in case; the same in 1 more value")

	var recipes []string // kinds of one collection
	for _, kind := range []string{"soup", "cake", "salad"} {
		recipes = append(recipes, ruletest.Concat(
			ruletest.Times(1, 30, fmt.Sprintf(`{"id":"%[1]s%%[1]d","type":"%[1]s","bookId":"b1","%[1]sA":1,"%[1]sB":2,"%[1]sC":3}`, kind)),
			[]string{fmt.Sprintf(`{"id":"%[1]sx","type":"%[1]s","%[1]sA":1,"%[1]sB":2,"%[1]sC":3}`, kind)})...)
	}
	found = ruletest.FindingsOf(t, "missing-reference", ruletest.Database{"recipes": recipes, "books": ruletest.Times(1, 9, `{"id":"b%d"}`)}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 2 more kinds")

	pages := ruletest.Database{} // a fix is applied where it is told
	for _, name := range []string{"shelf1", "shelf2", "shelf3"} {
		pages[name] = ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","pages":1,"isbn":"a%[1]d"}`), []string{`{"id":"10","pages":2,"isbn":"b","pages":2}`})
	}
	mended := ruletest.FindingsOf(t, "duplicate-key", pages, jsonlint.Options{})
	require.Len(t, mended, 3)
	assert.NotEmpty(t, mended[0].Fixes)
}

// TestTogetherFromOneWriter: the same mistake that begins with one document in several
// fields has one cause and one fix; begun by several, or with the first of all
// documents, it may have as many causes as fields.
func TestTogetherFromOneWriter(t *testing.T) {
	t.Parallel()
	const plain = `{"id":"%[1]d","unit_price":1,"home_price":2,"test_name":"n","made":"x","by":"y","at":3,"on":true,"lab":"l"}`
	found := ruletest.FindingsOf(t, "field-name-variant", ruletest.Database{"tests": ruletest.Concat(
		ruletest.Times(1, 30, plain),
		ruletest.Times(31, 2, `{"id":"%[1]d","unitPrice":1,"homePrice":2,"testName":"n","made":"x","by":"y","at":3,"on":true,"lab":"l"}`),
	)}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 2 more fields")
	assert.Len(t, found[0].Related, 3, "the first of the common name, and the two others")
	require.Len(t, found[0].Fixes, 1)
	assert.Contains(t, found[0].Fixes[0].Title, "; the same in 2 more fields")
	assert.Len(t, found[0].Fixes[0].Edits, 6)

	assert.Len(t, ruletest.FindingsOf(t, "field-name-variant", ruletest.Database{"tests": ruletest.Concat(
		ruletest.Times(1, 9, plain),
		[]string{
			`{"id":"a","unitPrice":1,"home_price":2,"test_name":"n","made":"x","by":"y","at":3,"on":true,"lab":"l"}`,
			`{"id":"b","unit_price":1,"homePrice":2,"test_name":"n","made":"x","by":"y","at":3,"on":true,"lab":"l"}`,
			`{"id":"c","unit_price":1,"home_price":2,"testName":"n","made":"x","by":"y","at":3,"on":true,"lab":"l"}`,
		},
	)}, jsonlint.Options{}), 3, "three documents")

	assert.Len(t, ruletest.FindingsOf(t, "mixed-types", ruletest.Database{"tests": ruletest.Concat(
		ruletest.Times(1, 9, `{"id":"%[1]d","low":%[1]d,"high":%[1]d,"from":"x%[1]d"}`),
		[]string{`{"id":"a","low":"7","high":["8"],"from":9}`},
	)}, jsonlint.Options{}), 3, "three mistakes")
}

// TestTogetherByCause: what a rule says has one cause is one finding, if it is sure from
// three places on.
func TestTogetherByCause(t *testing.T) {
	t.Parallel()
	names := []string{"rooms", "tours", "meals", "cars", "seats", "films"}
	database := func(n int, docs func(name string) []string) ruletest.Database {
		db := ruletest.Database{"owners": ruletest.Times(1, 9, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c%[1]d"},"mail":"m%[1]d@x.org"}`)}
		for _, name := range names[:n] {
			db[name] = docs(name)
		}
		return db
	}
	for _, c := range []struct {
		rule  string
		least int
		docs  func(name string) []string
	}{
		{"dangling-reference", 3, func(name string) []string { // one owner is lost
			return ruletest.Concat(ruletest.Times(1, 9, `{"id":"`+name+`%[1]d","`+name+`A":1,"`+name+`B":2,"owner_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c%[1]d"}}`), []string{`{"id":"` + name + `x","` + name + `A":1,"` + name + `B":2,"owner_id":{"$oid":"5f1d7a3e9b1c4a0012ab34cf"}}`})
		}},
		{"inconsistent-date-format", 3, func(name string) []string { // one program imports, and another one updates
			if name == "tours" { // most of them
				return ruletest.Concat(ruletest.Times(1, 9, `{"id":"tours%[1]d","toursA":1,"changed":{"$date":"2024-01-0%[1]dT10:00:00Z"}}`), []string{`{"id":"toursx","toursA":1,"changed":"2024-01-05T10:00:00Z"}`})
			}
			return ruletest.Concat(ruletest.Times(1, 9, `{"id":"`+name+`%[1]d","`+name+`A":1,"`+name+`B":2,"changed":"2024-01-0%[1]dT10:00:00Z"}`), []string{`{"id":"` + name + `x","` + name + `A":1,"` + name + `B":2,"changed":{"$date":"2024-01-05T10:00:00Z"}}`})
		}},
		{"awkward-field-name", 6, func(name string) []string {
			return ruletest.Times(1, 9, `{"id":"`+name+`%[1]d","`+name+`Of":1,"`+name+` ":3}`)
		}},
	} {
		found := ruletest.FindingsOf(t, c.rule, database(c.least, c.docs), jsonlint.Options{})
		if assert.Len(t, found, 1, c.rule) {
			assert.Contains(t, found[0].Message, fmt.Sprintf("; the same in %d more places", c.least-1), c.rule)
		}
		assert.Len(t, ruletest.FindingsOf(t, c.rule, database(c.least-1, c.docs), jsonlint.Options{}), c.least-1, c.rule)
	}
	apart := ruletest.Database{} // an id that means something else in each collection
	for i, name := range names[:3] {
		apart["of_"+name] = ruletest.Times(1, 9, fmt.Sprintf(`{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab%d4c%%[1]d"},"mail":"m%%[1]d@x.org"}`, i))
		apart[name] = ruletest.Concat(ruletest.Times(1, 9, fmt.Sprintf(`{"id":"%%[1]d","%[1]sA":1,"of_%[1]s_id":{"$oid":"5f1d7a3e9b1c4a0012ab%[2]d4c%%[1]d"}}`, name, i)),
			[]string{fmt.Sprintf(`{"id":"x","%[1]sA":1,"of_%[1]s_id":{"$oid":"5f1d7a3e9b1c4a0012abcdef"}}`, name)})
	}
	assert.Len(t, ruletest.FindingsOf(t, "dangling-reference", apart, jsonlint.Options{}), 3)
	lost := database(3, func(name string) []string { // an owner each
		return ruletest.Concat(ruletest.Times(1, 9, `{"id":"`+name+`%[1]d","`+name+`A":1,"`+name+`B":2,"owner_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c%[1]d"}}`),
			[]string{fmt.Sprintf(`{"id":"x","%[1]sA":1,"%[1]sB":2,"owner_id":{"$oid":"%[2]x"}}`, name, "owner-"+name+".")})
	})
	assert.Len(t, ruletest.FindingsOf(t, "dangling-reference", lost, jsonlint.Options{}), 3)
	stamps := database(3, func(name string) []string { // a field each
		return ruletest.Concat(ruletest.Times(1, 9, `{"id":"`+name+`%[1]d","`+name+`A":1,"`+name+`B":2,"`+name+`At":"2024-01-0%[1]dT10:00:00Z"}`), []string{`{"id":"` + name + `x","` + name + `A":1,"` + name + `B":2,"` + name + `At":{"$date":"2024-01-05T10:00:00Z"}}`})
	})
	assert.Len(t, ruletest.FindingsOf(t, "inconsistent-date-format", stamps, jsonlint.Options{}), 3)
	formats := database(3, func(name string) []string { // formats of its own in one
		return ruletest.Concat(ruletest.Times(1, 9, `{"id":"`+name+`%[1]d","`+name+`A":1,"`+name+`B":2,"changed":"2024-01-0%[1]dT10:00:00Z"}`),
			[]string{`{"id":"` + name + `x","` + name + `A":1,"` + name + `B":2,"changed":` + map[bool]string{true: `"2024-01-05"`, false: `{"$date":"2024-01-05T10:00:00Z"}`}[name == "tours"] + `}`})
	})
	assert.Len(t, ruletest.FindingsOf(t, "inconsistent-date-format", formats, jsonlint.Options{}), 3)

	sizes := func(last ...string) []finding.Finding { // the name of an option is copied to the choice of it
		return ruletest.FindingsOf(t, "case-variant-values", ruletest.Database{"cakes": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","choice":"Small","size":"Small"}`), ruletest.Times(21, 20, `{"id":"%[1]d","choice":"Large","size":"Large"}`), last)}, jsonlint.Options{})
	}
	found := sizes(`{"id":"x","choice":" Small","size":" Small"}`)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 1 more field")
	assert.Len(t, sizes(`{"id":"x","choice":" Small","size":"small"}`), 2)
	found = sizes(`{"id":"x","choice":" Small","size":" Small"}`, `{"id":"y","choice":"Small","size":" Large"}`) // the finding that says most represents the others
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "cakes.size is")
	assert.Contains(t, found[0].Message, "; 1 more value like it; the same in 1 more field")

	fees := func(last string) []finding.Finding { // the name of a fee is copied from collection to collection
		return ruletest.FindingsOf(t, "case-variant-values", database(3, func(name string) []string {
			other := "Inscripcion"
			if name == "tours" {
				other = last
			}
			return ruletest.Concat(ruletest.Times(1, 9, `{"id":"`+name+`%[1]d","`+name+`A":1,"`+name+`Fee":"Inscripción"}`), ruletest.Times(20, 9, `{"id":"`+name+`%[1]d","`+name+`A":1,"`+name+`Fee":"Colegiatura"}`),
				[]string{`{"id":"` + name + `x","` + name + `A":1,"` + name + `Fee":"` + other + `"}`})
		}), jsonlint.Options{})
	}
	found = fees("Inscripcion")
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "; the same in 2 more places")
	assert.Len(t, fees("colegiatura"), 3)
}
