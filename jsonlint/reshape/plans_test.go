package reshape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const post = `{"id":"p1","title":"T","comments":[{"id":1,"at":3,"text":"a"},{"id":2,"at":9,"text":"b"},{"id":3,"at":5,"text":"c"}],"n":2.50}`

func TestSplitArray(t *testing.T) {
	t.Parallel()
	split := Split{Path: path("comments"), ParentID: "id", ChildRef: "postId", RecentName: "recentComments", Keep: 2}
	parent, children, err := SplitArray(parse(t, post), split)
	require.NoError(t, err)
	assert.Equal(t, `{"id":"p1","title":"T","recentComments":[{"id":3,"at":5,"text":"c"},{"id":2,"at":9,"text":"b"}],"n":2.50}`, text(parent))
	assert.Equal(t, []string{
		`{"postId":"p1","id":1,"at":3,"text":"a"}`, `{"postId":"p1","id":2,"at":9,"text":"b"}`, `{"postId":"p1","id":3,"at":5,"text":"c"}`,
	}, texts(children))

	split.NewestBy, split.IDKeys = By(path("at")), []string{"id"}
	parent, children, err = SplitArray(parse(t, post), split)
	require.NoError(t, err)
	assert.Equal(t, `[{"id":2,"at":9,"text":"b"},{"id":3,"at":5,"text":"c"}]`, text(parent.Get("recentComments")))
	assert.Equal(t, `{"id":1,"postId":"p1","at":3,"text":"a"}`, text(children[0]))

	split.RecentName = ""
	parent, _, err = SplitArray(parse(t, post), split)
	require.NoError(t, err)
	assert.Equal(t, `{"id":"p1","title":"T","n":2.50}`, text(parent))

	split.RecentName, split.Keep = "comments", 1
	parent, _, err = SplitArray(parse(t, post), split)
	require.NoError(t, err)
	assert.Equal(t, `{"id":"p1","title":"T","comments":[{"id":2,"at":9,"text":"b"}],"n":2.50}`, text(parent))
}

func TestSplitArrayNames(t *testing.T) {
	t.Parallel()
	split := Split{Path: path("a.items"), ParentID: "_id", ChildRef: "post_id", RecentName: "recent_items", Keep: 1, IDKeys: []string{"_id", "id"}}
	parent, children, err := SplitArray(parse(t, `{"_id":{"$oid":"64b7f3c2a1d2e3f405060708"},"a":{"recent_items":0,"items":[{"post_id":"other"},"x",[1]]}}`), split)
	require.NoError(t, err)
	assert.Equal(t, `{"recent_items":0,"kept_recent_items":[[1]]}`, text(parent.Get("a")))
	const ref = `"parent_post_id":{"$oid":"64b7f3c2a1d2e3f405060708"}`
	assert.Equal(t, []string{
		`{"_id":"64b7f3c2a1d2e3f405060708:1",` + ref + `,"post_id":"other"}`,
		`{"_id":"64b7f3c2a1d2e3f405060708:2",` + ref + `,"value":"x"}`,
		`{"_id":"64b7f3c2a1d2e3f405060708:3",` + ref + `,"value":[1]}`,
	}, texts(children))

	_, children, err = SplitArray(parse(t, `{"id":1,"items":[{"postId":1,"x":2}]}`), Split{Path: path("items"), ParentID: "id", ChildRef: "postId"})
	require.NoError(t, err)
	assert.Equal(t, []string{`{"postId":1,"x":2}`}, texts(children), "an element that carries the reference already keeps it")
}

func TestSplitArrayIntoBuckets(t *testing.T) {
	t.Parallel()
	_, buckets, err := SplitArray(parse(t, `{"id":"p","xs":[1,2,3,4,5]}`), Split{
		Path: path("xs"), ParentID: "id", ChildRef: "pId", Bucket: 2, IDKeys: []string{"id"},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{
		`{"id":"p:1","pId":"p","bucket":1,"count":2,"xs":[1,2]}`,
		`{"id":"p:2","pId":"p","bucket":2,"count":2,"xs":[3,4]}`,
		`{"id":"p:3","pId":"p","bucket":3,"count":1,"xs":[5]}`,
	}, texts(buckets))
}

func TestSplitArrayErrors(t *testing.T) {
	t.Parallel()
	for doc, where := range map[string]string{
		`{"id":1}`:                       "comments",
		`{"id":1,"comments":2}`:          "comments",
		`{"comments":[]}`:                "comments",
		`{"id":null,"comments":[]}`:      "comments",
		`{"id":{},"comments":[]}`:        "comments",
		`{"id":1,"a":[{"comments":[]}]}`: "a[].comments",
		`{"id":2}`:                       "",
	} {
		_, _, err := SplitArray(parse(t, doc), Split{Path: path(where), ParentID: "id", ChildRef: "postId"})
		assert.ErrorContains(t, err, "split", doc)
	}
}

func TestSplitArrayLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parent := object(2).Draw(t, "parent")
		parent.Set("id", scalar().Filter(isID).Draw(t, "id"))
		name := rapid.SampledFrom([]string{"comments", "value", "a_b", "recentComments"}).Draw(t, "array")
		parent.Set(name, Array(rapid.SliceOfN(tree(2), 0, 6).Draw(t, "elements")...))
		before, elements := text(parent), parent.Get(name).Len()
		split := Split{
			Path: path(name), ParentID: "id", ChildRef: names.Draw(t, "ref"), RecentName: rapid.SampledFrom([]string{"", "recentComments", "id"}).Draw(t, "recent"),
			Keep: rapid.IntRange(0, 3).Draw(t, "keep"), Bucket: rapid.IntRange(0, 3).Draw(t, "bucket"),
		}
		if rapid.Bool().Draw(t, "ids") {
			split.IDKeys = []string{"id", "_id"}
		}
		newParent, children, err := SplitArray(parent, split)
		require.NoError(t, err)
		require.Equal(t, before, text(parent), "the parent given must not change")
		requireNothingLost(t, leaves(parent), leaves(append(children, newParent)...))
		if split.Bucket == 0 {
			require.Len(t, children, elements)
		}
		for _, child := range children {
			require.True(t, child.Equal(parse(t, text(child))))
			require.Contains(t, leaves(child), text(parent.Get("id")))
		}
	})
}

func TestExtractEntity(t *testing.T) {
	t.Parallel()
	display := func(name string) bool { return name == "name" }
	for _, c := range []struct {
		doc, path, id, want string
		entities            []string
	}{
		{
			`{"id":1,"holdings":[{"qty":3,"stock":{"symbol":"zaza","name":"Z","open":1.0}},{"qty":4}]}`, "holdings[].stock", "symbol",
			`{"id":1,"holdings":[{"qty":3,"stockId":"zaza","stockName":"Z"},{"qty":4}]}`,
			[]string{`{"symbol":"zaza","name":"Z","open":1.0}`},
		},
		{
			`{"first_name":"A","author":{"id":7,"bio":"…"},"z":0}`, "author", "id",
			`{"first_name":"A","author_id":7,"z":0}`, []string{`{"id":7,"bio":"…"}`},
		},
		{
			`{"authors":[{"id":1,"name":"A","bio":"x"},{"name":"no id"},5]}`, "authors[]", "id",
			`{"authors":[{"id":1,"name":"A"},{"name":"no id"},5]}`, []string{`{"id":1,"name":"A","bio":"x"}`},
		},
		{
			`{"stockId":"zaza","stock":{"id":"zaza"}}`, "stock", "id", `{"stockId":"zaza"}`, []string{`{"id":"zaza"}`},
		},
		{
			`{"stockId":"old","stock":{"id":"zaza"}}`, "stock", "id", `{"stockId":"old","embeddedStockId":"zaza"}`, []string{`{"id":"zaza"}`},
		},
		{
			`{"m":{"k":{"id":1,"v":2}}}`, "m{}", "id", `{"m":{"k":{"id":1}}}`, []string{`{"id":1,"v":2}`},
		},
	} {
		got, entities, err := ExtractEntity(parse(t, c.doc), Extract{Path: path(c.path), ID: c.id, Keep: display})
		require.NoError(t, err)
		assert.Equal(t, c.want, text(got))
		assert.Equal(t, c.entities, texts(entities))
	}

	_, entities, err := ExtractEntity(parse(t, `{"stock":{"symbol":"zaza"}}`), Extract{Path: path("stock"), ID: "symbol", EntityID: "id"})
	require.NoError(t, err)
	assert.Equal(t, []string{`{"id":"zaza","symbol":"zaza"}`}, texts(entities))

	_, _, err = ExtractEntity(parse(t, `{"stock":{"name":"x"}}`), Extract{Path: path("stock"), ID: "id"})
	require.ErrorContains(t, err, `extract "stock"`)
	_, _, err = ExtractEntity(parse(t, `{}`), Extract{ID: "id"})
	require.Error(t, err)
}

func TestExtractEntityLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc, holding := object(2).Draw(t, "doc"), object(1).Draw(t, "holding")
		stock := object(1).Draw(t, "stock")
		stock.Set("id", scalar().Filter(isID).Draw(t, "id"))
		holding.Set("stock", stock)
		doc.Set("holdings", Array(holding, object(1).Draw(t, "other")))
		before := text(doc)
		where := rapid.SampledFrom([]string{"holdings[].stock", "holdings[]"}).Draw(t, "path")
		if where == "holdings[]" {
			holding.Set("id", Int(1))
			before = text(doc)
		}
		newDoc, entities, err := ExtractEntity(doc, Extract{
			Path: path(where), ID: "id", Keep: func(name string) bool { return strings.Contains("name stock value", name) },
		})
		require.NoError(t, err)
		require.Equal(t, before, text(doc), "the document given must not change")
		requireNothingLost(t, leaves(doc), leaves(append(entities, newDoc)...))
		require.True(t, newDoc.Equal(parse(t, text(newDoc))))
	})
}

func TestDistinct(t *testing.T) {
	t.Parallel()
	copies := parseAll(t, `{"id":1,"p":5,"at":1}`, `{"id":2,"p":1,"at":9}`, `{"id":1,"p":6,"at":7}`, `{"p":5,"at":1,"id":1}`, `{"none":0}`)
	distinct, conflicts := Distinct(copies, "id", nil)
	assert.Equal(t, []string{`{"id":1,"p":5,"at":1}`, `{"id":2,"p":1,"at":9}`}, texts(distinct))
	assert.Equal(t, []string{`{"id":1,"p":6,"at":7}`}, texts(conflicts))
	distinct, conflicts = Distinct(copies, "id", By(path("at")))
	assert.Equal(t, []string{`{"id":1,"p":6,"at":7}`, `{"id":2,"p":1,"at":9}`}, texts(distinct))
	assert.Equal(t, []string{`{"id":1,"p":5,"at":1}`}, texts(conflicts))
}

func TestJoinToArrays(t *testing.T) {
	t.Parallel()
	authors := parseAll(t, `{"id":"a1","name":"A"}`, `{"id":"a2","name":"B"}`, `{"id":"a3"}`)
	books := parseAll(t, `{"id":2,"title":"Y"}`, `{"id":10,"title":"X"}`)
	rows := parseAll(t,
		`{"authorId":"a1","bookId":"10"}`, `{"authorId":"a1","bookId":"2","_ts":5}`, `{"authorId":"a1","bookId":"2"}`, `{"authorId":"a2","bookId":"2"}`,
		`{"authorId":"a9","bookId":"2"}`, `{"authorId":"a2","bookId":"10","role":"editor"}`, `{"authorId":"a2"}`)
	housekeeping := func(name string) bool { return name == "_ts" }
	joined, err := JoinToArrays(rows,
		Side{Documents: authors, ID: "id", Ref: "authorId", Array: "books"},
		Side{Documents: books, ID: "id", Ref: "bookId", Array: "authors"}, housekeeping)
	require.NoError(t, err)
	assert.Equal(t, []string{`{"id":"a1","name":"A","books":[2,10]}`, `{"id":"a2","name":"B","books":[2]}`, `{"id":"a3","books":[]}`}, texts(joined.A))
	assert.Equal(t, []string{`{"id":2,"title":"Y","authors":["a1","a2"]}`, `{"id":10,"title":"X","authors":["a1"]}`}, texts(joined.B))
	assert.Equal(t, []string{`{"authorId":"a9","bookId":"2"}`}, texts(joined.Dangling))
	assert.Equal(t, []string{`{"authorId":"a2","bookId":"10","role":"editor"}`, `{"authorId":"a2"}`}, texts(joined.Remaining))
	assert.False(t, authors[0].Has("books"), "the documents given must not change")

	joined, err = JoinToArrays(rows[:1],
		Side{Documents: parseAll(t, `{"id":"a1","books":[3,"x"]}`, `{"id":"a2","books":"many"}`), ID: "id", Ref: "authorId", Array: "books"},
		Side{Documents: books, ID: "id", Ref: "bookId"}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{`{"id":"a1","books":[3,"x"],"linkedBooks":[10]}`, `{"id":"a2","books":"many","linkedBooks":[]}`}, texts(joined.A))
	assert.Equal(t, texts(books), texts(joined.B))

	_, err = JoinToArrays(rows, Side{}, Side{}, nil)
	require.Error(t, err)
}

func TestJoinIDsOfBothSpellings(t *testing.T) {
	t.Parallel()
	joined, err := JoinToArrays(parseAll(t, `{"a":1,"b":"1"}`, `{"a":"1","b":"1"}`),
		Side{Documents: parseAll(t, `{"id":"1"}`, `{"id":1}`), ID: "id", Ref: "a", Array: "bs"},
		Side{Documents: parseAll(t, `{"id":"1","as":["2","10","2"]}`), ID: "id", Ref: "b", Array: "as"}, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{`{"id":"1","bs":["1"]}`, `{"id":1,"bs":["1"]}`}, texts(joined.A))
	assert.Equal(t, []string{`{"id":"1","as":[1,"1","2","10"]}`}, texts(joined.B))
}

// Every pair of the rows is in exactly one place: in both arrays, or among the
// returned rows.
func TestJoinToArraysLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.IntRange(0, 12), 0, 6, rapid.ID[int])
		side := func(label, ref, array string) Side {
			s := Side{ID: "id", Ref: ref, Array: array}
			for _, n := range ids.Draw(t, label) {
				d := object(1).Draw(t, "document")
				d.Set("id", Int(int64(n)))
				s.Documents = append(s.Documents, d)
			}
			return s
		}
		a, b := side("a", "x", "value"), side("b", "y", "stock")
		var rows []*Value
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			row := Object(Member{"x", Int(int64(rapid.IntRange(0, 12).Draw(t, "x")))}, Member{"y", Int(int64(rapid.IntRange(0, 12).Draw(t, "y")))})
			if rapid.Bool().Draw(t, "payload") {
				row.Set("role", String("editor"))
			}
			rows = append(rows, row)
		}
		joined, err := JoinToArrays(rows, a, b, nil)
		require.NoError(t, err)
		requireContains(t, a.Documents, joined.A)
		requireContains(t, b.Documents, joined.B)
		back := map[string]bool{}
		for _, row := range append(joined.Dangling, joined.Remaining...) {
			back[text(row)] = true
		}
		for _, row := range rows {
			x, y := row.Get("x"), row.Get("y")
			inA, inB := listed(joined.A, x, y), listed(joined.B, y, x)
			if back[text(row)] {
				continue
			}
			require.True(t, inA && inB, text(row))
		}
	})
}

func requireContains(t require.TestingT, before, after []*Value) {
	require.Len(t, after, len(before))
	for i := range before {
		have := leaves(after[i])
		for leaf := range leaves(before[i]) {
			require.Contains(t, have, leaf)
		}
	}
}

// listed reports whether the document with the id lists the other id.
func listed(documents []*Value, id, other *Value) bool {
	for _, d := range documents {
		if !d.Get("id").Equal(id) {
			continue
		}
		for _, m := range d.Members() {
			if isArray(m.Value) && isIDArray(m.Value) {
				for _, e := range m.Value.Elements() {
					if e.Equal(other) {
						return true
					}
				}
			}
		}
	}
	return false
}
