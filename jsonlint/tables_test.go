package jsonlint_test

import (
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
