package jsonlint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// TestTablesOfPHPMyAdmin checks that the rows of an exported table are documents, and
// that only such an export has tables.
func TestTablesOfPHPMyAdmin(t *testing.T) {
	t.Parallel()
	const (
		header   = `{"type":"header","version":"5.2.1","comment":"Export to JSON plugin for PHPMyAdmin"}`
		database = `{"type":"database","name":"shop"}`
		users    = `{"type":"table","name":"users","database":"shop","data":[{"id":"1","name":"Ann"},{"id":"2","name":"Bob"}]}`
		orders   = `{"type":"table","name":"orders","database":"shop","data":[{"id":"1","user_id":"2"},{"id":"2","user_id":"1"},{"id":"3","user_id":"1"}]}`
		none     = `{"type":"table","name":"tags","database":"shop","data":[]}`
	)
	for name, c := range map[string]struct {
		elements               []string
		documents, collections int
	}{
		"two tables":             {[]string{header, database, users, orders, none}, 5, 2},
		"another header":         {[]string{`{"type":"header","comment":"of a page","size":1}`, `{"type":"text","size":2}`}, 2, 1},
		"a database by itself":   {[]string{`{"type":"page","name":"home"}`, database}, 2, 1},
		"a table with a size":    {[]string{`{"type":"table","name":"oak","database":"x","data":[{"w":1}],"size":3}`, `{"type":"chair","name":"ash"}`}, 2, 1},
		"a table of numbers":     {[]string{`{"type":"table","name":"sizes","database":"x","data":[1,2,3]}`, `{"type":"chair","name":"ash"}`}, 2, 1},
		"a table of no database": {[]string{`{"type":"table","name":"oak","database":7,"data":[{"w":1}]}`, `{"type":"chair","name":"ash"}`}, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "shop.json")
			require.NoError(t, os.WriteFile(file, []byte("["+strings.Join(c.elements, ",\n")+"]"), 0o600))
			report, err := jsonlint.Check(t.Context(), []string{file}, jsonlint.Options{})
			require.NoError(t, err)
			assert.EqualValues(t, c.documents, report.Summary.Documents)
			assert.Equal(t, c.collections, report.Summary.Collections)
		})
	}
}

// TestRowsOfDjango checks that the rows of a fixture are documents of their models, each
// with its own types and keys.
func TestRowsOfDjango(t *testing.T) {
	t.Parallel()
	rows := []string{}
	for i := range 30 {
		rows = append(rows, fmt.Sprintf(`{"model":"shop.item","pk":%d,"fields":{"size":%[1]d,"name":"n%[1]d"}}`, i+1),
			fmt.Sprintf(`{"model":"shop.basket","pk":%d,"fields":{"size":"big","owner":"o%[1]d"}}`, i+1),
			fmt.Sprintf(`{"model":"auth.permission","fields":{"codename":"c","kind":%d}}`, i%3))
	}
	for i := range 12 {
		named := []string{"alice", "bob", "carl", "dora", "eve", "fred"}[i/2]
		if i == 1 {
			named = "staff" // object 1 of another model
		}
		rows = append(rows, fmt.Sprintf(`{"model":"admin.entry","pk":%d,"fields":{"object_id":"%d","object_repr":"%s","flag":%d,"user":["x"]}}`, i+1, i/2+1, named, i%2))
	}
	for name, c := range map[string]struct {
		rows        []string
		collections int
		found       []string
	}{
		"rows":               {rows, 4, nil},
		"a size as a text":   {append(rows[:len(rows):len(rows)], `{"model":"shop.item","pk":99,"fields":{"size":"7","name":"n"}}`), 4, []string{"mixed-types"}},
		"a version":          {[]string{`{"model":"1.2.3","fields":{"a":1}}`, `{"model":"1.2.4","fields":{"a":1}}`}, 1, []string{"missing-id"}},
		"a list of fields":   {[]string{`{"model":"v1.2","fields":["a"]}`, `{"model":"v1.3","fields":["a"]}`}, 1, []string{"missing-id"}},
		"fields of no model": {[]string{`{"name":"a.b","fields":{"a":1}}`, `{"name":"a.c","fields":{"a":1}}`}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "shop.json")
			require.NoError(t, os.WriteFile(file, []byte("["+strings.Join(c.rows, ",\n")+"]"), 0o600))
			report, err := jsonlint.Check(t.Context(), []string{file}, jsonlint.Options{})
			require.NoError(t, err)
			assert.Equal(t, c.collections, report.Summary.Collections)
			var found []string
			for _, f := range report.Findings {
				found = append(found, f.Rule)
			}
			assert.Equal(t, c.found, found)
		})
	}
}

// TestFixturesOfTwoApps checks that the same key in two fixtures is no mistake.
func TestFixturesOfTwoApps(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, app := range []string{"wiki", "search"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, app, "fixtures", app), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, app, "fixtures", app, "pages.json"),
			[]byte(`[{"model":"wiki.page","pk":1,"fields":{"title":"`+app+`"}},{"model":"wiki.page","pk":2,"fields":{"title":"other"}}]`), 0o600))
	}
	report, err := jsonlint.Check(t.Context(), []string{root}, jsonlint.Options{})
	require.NoError(t, err)
	assert.Equal(t, 2, report.Summary.Collections)
	assert.Empty(t, report.Findings)
}
