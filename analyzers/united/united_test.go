package united_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/united"
	"github.com/shapevet/shapevet/internal/finding"
)

func onCode(rule, symbol string, stored ...finding.Place) finding.Finding {
	return finding.Finding{
		Rule: rule, Severity: finding.Info, Confidence: 0.7, Message: "code says", Fingerprint: rule + ":" + symbol,
		Subject:  finding.Subject{Kind: finding.KindGo, Collection: "code." + stored[0].Collection, Path: stored[0].Path, Symbol: symbol},
		Location: finding.Location{File: "m/m.go", Line: 3, Column: 2},
		Related:  []finding.Related{{Message: "it is added here", Location: finding.Location{File: "m/m.go", Line: 9}}},
		Stored:   stored,
	}
}

func onDocuments(rule, collection, path, kind string) finding.Finding {
	return finding.Finding{
		Rule: rule, Severity: finding.Warning, Confidence: 0.9, Message: "documents say", Fingerprint: rule + ":" + collection + ":" + path + ":" + kind,
		Subject:  finding.Subject{Kind: finding.KindDocument, Collection: collection, Path: path},
		Location: finding.Location{File: "samples/" + collection + ".jsonl", Line: 7, Column: 1}, Entity: kind,
	}
}

func TestSamePlace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		stored finding.Place
		rule   string
		found  finding.Finding
		want   bool
	}{
		{"same path", finding.Place{Collection: "posts", Path: "comments"}, "unbounded-array", onDocuments("unbounded-array", "posts", "comments", ""), true},
		{"another rule", finding.Place{Collection: "posts", Path: "author"}, "volatile-embed", onDocuments("stale-copy", "posts", "author", ""), false},
		{"another collection", finding.Place{Collection: "posts", Path: "comments"}, "unbounded-array", onDocuments("unbounded-array", "blogs", "comments", ""), false},
		{"another path", finding.Place{Collection: "posts", Path: "comments"}, "unbounded-array", onDocuments("unbounded-array", "posts", "likes", ""), false},
		{"a list and its elements", finding.Place{Collection: "posts", Path: "lines"}, "volatile-embed", onDocuments("volatile-embed", "posts", "lines[]", ""), true},
		{"a list and what its elements hold", finding.Place{Collection: "posts", Path: "lines"}, "volatile-embed", onDocuments("volatile-embed", "posts", "lines[].product", ""), false},
		{"a map of few names", finding.Place{Collection: "posts", Path: "prices{}.history"}, "unbounded-array", onDocuments("unbounded-array", "posts", "prices.eur.history", ""), true},
		{"a name with a dot", finding.Place{Collection: "posts", Path: `["a.b"].c`}, "inline-blob", onDocuments("inline-blob", "posts", `["a.b"].c`, ""), true},
		{"the same kind", finding.Place{Collection: "posts", Entity: "review", Path: "votes"}, "unbounded-array", onDocuments("unbounded-array", "posts", "votes", "review"), true},
		{"another kind", finding.Place{Collection: "posts", Entity: "review", Path: "votes"}, "unbounded-array", onDocuments("unbounded-array", "posts", "votes", "poll"), false},
		{"a type of any kind", finding.Place{Collection: "posts", Path: "votes"}, "unbounded-array", onDocuments("unbounded-array", "posts", "votes", "poll"), true},
		{"about documents", finding.Place{Collection: "posts", Path: "id"}, "missing-id", onDocuments("missing-id", "posts", "", ""), true},
		{"levels", finding.Place{Collection: "posts"}, "deep-nesting", onDocuments("deep-nesting", "posts", "", ""), true},
		{"a tree", finding.Place{Collection: "posts", Path: "a.children"}, "deep-nesting", onDocuments("deep-nesting", "posts", "a.children[]", ""), true},
		{"levels and a tree", finding.Place{Collection: "posts", Path: "a.children"}, "deep-nesting", onDocuments("deep-nesting", "posts", "", ""), false},
		{"a join", finding.Place{Collection: "links"}, "join-document", onDocuments("join-document", "links", "", ""), true},
		{"kinds, told in most documents", finding.Place{Collection: "posts"}, "missing-discriminator", onDocuments("missing-discriminator", "posts", "type", ""), true},
		{"kinds of documents and of elements", finding.Place{Collection: "posts"}, "missing-discriminator", onDocuments("missing-discriminator", "posts", "blocks[]", ""), false},
		{"another spelling", finding.Place{Collection: "posts", Path: "a.createdAt"}, "field-name-variant", onDocuments("field-name-variant", "posts", "a.created_at", ""), true},
		{"another name", finding.Place{Collection: "posts", Path: "a.createdAt"}, "field-name-variant", onDocuments("field-name-variant", "posts", "a.updatedAt", ""), false},
		{"another spelling, another rule", finding.Place{Collection: "posts", Path: "createdAt"}, "inline-blob", onDocuments("inline-blob", "posts", "created_at", ""), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, united.Shown(rule(test.rule), []finding.Place{test.stored}, &test.found))
			all := united.Findings([]finding.Finding{onCode(test.rule, "m.T.F", test.stored), test.found}, united.Code{Rules: analyzers.Rules()})
			assert.Len(t, all, map[bool]int{true: 1, false: 2}[test.want])
		})
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	code := onCode("unbounded-array", "m.Post.Comments", finding.Place{Collection: "posts", Path: "comments"})
	code.Evidence = []finding.Evidence{{Name: "length.max", Value: int64(300)}, {Name: "documents", Value: 2}}
	code.Fixes = []finding.Fix{{Title: "add a type", Safety: finding.Safe}}
	documents := onDocuments("unbounded-array", "posts", "comments", "")
	documents.Evidence = []finding.Evidence{{Name: "length.max", Value: 300}, {Name: "documents", Value: 5}, {Name: "bytes", Value: 9}}
	documents.Related = []finding.Related{{Message: "the longest"}}
	documents.Fixes = []finding.Fix{{Title: "move them", Safety: finding.Plan}}
	other := onDocuments("stale-copy", "posts", "comments", "")

	all := united.Findings([]finding.Finding{documents, other, code}, united.Code{Rules: analyzers.Rules()})
	require.Len(t, all, 2)
	f := all[0]
	assert.Equal(t, "code says", f.Message)
	assert.Equal(t, "m/m.go", f.Location.File)
	assert.Equal(t, "unbounded-array:m.Post.Comments", f.Fingerprint)
	assert.Equal(t, finding.Warning, f.Severity)
	assert.InDelta(t, 0.9, f.Confidence, 0)
	assert.Equal(t, []finding.Twin{{Rule: documents.Rule, Subject: documents.Subject, Location: documents.Location, Fingerprint: documents.Fingerprint}}, f.Also)
	assert.Equal(t, []finding.Evidence{
		{Name: "length.max", Value: int64(300)}, {Name: "documents", Value: 2}, {Name: "documents.documents", Value: 5}, {Name: "bytes", Value: 9},
	}, f.Evidence)
	assert.Equal(t, []string{"in documents: documents say", "it is added here", "in documents: the longest"}, messages(f.Related))
	assert.Equal(t, []finding.Fix{{Title: "add a type", Safety: finding.Safe}, {Title: "in documents: move them", Safety: finding.Plan}}, f.Fixes)
	assert.Equal(t, other, all[1])
	assert.Empty(t, code.Also, "what was given stays as it was")
	assert.Len(t, code.Related, 1)
}

func messages(places []finding.Related) (out []string) {
	for _, r := range places {
		out = append(out, r.Message)
	}
	return out
}

func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	all := []finding.Finding{
		onCode("unbounded-array", "m.Post.Comments", finding.Place{Collection: "posts", Path: "comments"}),
		onDocuments("unbounded-array", "posts", "comments", "post"),
		onDocuments("unbounded-array", "posts", "comments", "poll"),
		onDocuments("unbounded-array", "posts", "comments[]", "poll"),
	}
	want := united.Findings(all, united.Code{Rules: analyzers.Rules()})
	require.Len(t, want, 1)
	assert.Len(t, want[0].Also, 3)
	slices.Reverse(all)
	got := united.Findings(all, united.Code{Rules: analyzers.Rules()})
	assert.Equal(t, want, got)
}

func TestNearest(t *testing.T) {
	t.Parallel()
	list := onCode("unbounded-array", "m.Post.Rows", finding.Place{Collection: "posts", Path: "rows"})
	cells := onCode("unbounded-array", "m.Row.Cells", finding.Place{Collection: "posts", Path: "rows[]"})
	all := united.Findings([]finding.Finding{list, cells, onDocuments("unbounded-array", "posts", "rows[]", "")}, united.Code{Rules: analyzers.Rules()})
	require.Len(t, all, 2)
	for _, f := range all {
		assert.Equal(t, f.Subject.Symbol == "m.Row.Cells", len(f.Also) == 1, f.Subject.Symbol)
	}
}

func TestSharedStruct(t *testing.T) {
	t.Parallel()
	// One field of a struct that two types hold; another type of the same collection.
	line := onCode("numeric-identifier", "m.Address.Zip", finding.Place{Collection: "orders", Path: "to.zip"}, finding.Place{Collection: "users", Path: "zip"})
	guest := onCode("numeric-identifier", "m.Guest.Zip", finding.Place{Collection: "users", Path: "zip"})
	all := united.Findings([]finding.Finding{
		line, guest, onDocuments("numeric-identifier", "users", "zip", ""), onDocuments("numeric-identifier", "orders", "to.zip", ""),
	}, united.Code{Rules: analyzers.Rules()})
	require.Len(t, all, 2)
	assert.Len(t, all[0].Also, 2, "one field is mended once")
	assert.Len(t, all[1].Also, 1, "and so is the other")
}

func TestValues(t *testing.T) {
	t.Parallel()
	code := onCode("inconsistent-discriminator", "m.Post.Type", finding.Place{Collection: "posts", Path: "type"})
	code.Evidence = []finding.Evidence{{Name: "values", Value: []string{"review", "Review"}}}
	spelled := onDocuments("inconsistent-discriminator", "posts", "type", "")
	spelled.Evidence = []finding.Evidence{{Name: "values", Value: []string{"Review", "review"}}}
	misspelled := onDocuments("inconsistent-discriminator", "posts", "type", "")
	misspelled.Evidence = []finding.Evidence{{Name: "values", Value: []string{"review", "reviwe"}}}
	all := united.Findings([]finding.Finding{code, spelled, misspelled}, united.Code{Rules: analyzers.Rules()})
	require.Len(t, all, 2, "another mistake at the same field")
	assert.Len(t, all[0].Also, 1)
}

func TestAccepted(t *testing.T) {
	t.Parallel()
	accepted := onCode("unbounded-array", "m.Post.Comments", finding.Place{Collection: "posts", Path: "comments"})
	documents := onDocuments("unbounded-array", "posts", "comments", "")
	all := united.Findings([]finding.Finding{documents, onDocuments("unbounded-array", "posts", "likes", "")}, united.Code{Rules: analyzers.Rules(), Accepted: []finding.Finding{accepted}})
	require.Len(t, all, 1)
	assert.Equal(t, "likes", all[0].Subject.Path)
}

func TestPlaceInCode(t *testing.T) {
	t.Parallel()
	holder := func(name, collection, kind, path string, line int) finding.Holder {
		return finding.Holder{
			Place: finding.Place{Collection: collection, Entity: kind, Path: path}, Symbol: "m." + name, Name: name,
			Location: finding.Location{File: "m.go", Line: line},
		}
	}
	code := united.Code{Rules: analyzers.Rules(), Holders: []finding.Holder{
		holder("Post", "posts", "", "", 1), holder("Post.Tags", "posts", "", "tags", 2), holder("Draft.Tags", "posts", "", "tags", 9),
		holder("Post.Tags", "posts", "", "tags", 2), holder("Poll.Votes", "posts", "poll", "votes", 5), holder("User.Tags", "users", "", "tags", 7),
		holder("Poll.Votes", "posts", "review", "votes", 5),
	}}
	for _, test := range []struct {
		found finding.Finding
		want  []string
	}{
		{onDocuments("mixed-types", "posts", "tags", ""), []string{"in code: Post.Tags", "in code: Draft.Tags"}},
		{onDocuments("mixed-types", "posts", "tags[]", ""), []string{"in code: Post.Tags", "in code: Draft.Tags"}},
		{onDocuments("mixed-types", "posts", "votes", "review"), []string{"in code: Poll.Votes"}},
		{onDocuments("missing-id", "posts", "", ""), []string{"in code: Post"}},
		{onDocuments("missing-id", "gone", "", ""), nil},
		{onDocuments("mixed-types", "posts", "likes", ""), nil},
	} {
		all := united.Findings([]finding.Finding{test.found}, code)
		require.Len(t, all, 1)
		assert.Equal(t, test.want, messages(all[0].Related), test.found.Fingerprint)
		assert.Equal(t, test.found.Fingerprint, all[0].Fingerprint)
	}
}

func TestConsequence(t *testing.T) {
	t.Parallel()
	drift := onCode("struct-drift", "m.Post.Age", finding.Place{Collection: "posts", Path: "age"})
	mixed := onDocuments("mixed-types", "posts", "age", "")
	drift.Related = []finding.Related{finding.InDocuments("a string", mixed.Location)}
	all := united.Findings([]finding.Finding{drift, mixed, onDocuments("mixed-types", "posts", "name", "")}, united.Code{Rules: analyzers.Rules()})
	require.Len(t, all, 2)
	assert.Equal(t, "struct-drift", all[0].Rule)
	assert.Equal(t, []finding.Twin{{Rule: "mixed-types", Subject: mixed.Subject, Location: mixed.Location, Fingerprint: mixed.Fingerprint}}, all[0].Also)
	assert.Len(t, all[0].Related, 1, "one place")
	assert.Empty(t, finding.Filter{Suppressions: []finding.Suppression{{Rule: "mixed-types", Collection: "posts", Path: "age"}}}.Apply(&finding.Report{Findings: all}), "it is accepted by either rule")
}

func rule(name string) check.Rule {
	for _, r := range analyzers.Rules() {
		if r.Name == name {
			return r
		}
	}
	return check.Rule{Name: name}
}
