package duplicatekey_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestDuplicateKey(t *testing.T) {
	t.Parallel()
	ruletest.Expect(t, "duplicate-key", []ruletest.Expectation{
		{Name: "at the root", Documents: []string{`{"id":"a","n":1}`, `{"id":"b","n":1, "m":2,"n":3}`}, Want: []string{"error n 2:24"},
			Message: `"n" occurs twice in one object, as 1 and as 3; some readers keep the first, others the last`},
		{Name: "below", Documents: []string{`{"id":"a","x":{"y":[{"n":1,"n":"1"}]}}`}, Want: []string{"error x.y[].n 1:28"}},
		{Name: "escaped", Documents: []string{`{"id":"a","name":1,"\u006eame":2}`}, Want: []string{"error name 1:20"}},
		{Name: "three times", Documents: []string{`{"id":"a","n":1,"n":2,"n":3}`}, Want: []string{"error n 1:17"}},
		{Name: "objects and lists", Documents: []string{`{"id":"a","n":{"a":1},"n":[1]}`}, Want: []string{"error n 1:23"}},
		{Name: "in different objects", Documents: []string{`{"id":"a","n":{"n":1},"m":[{"n":1},{"n":2}]}`, `{"id":"b","n":1}`}},
		{Name: "case differs", Documents: []string{`{"id":"a","n":1,"N":2}`}},
	})
}

// TestDuplicateKeyEdit applies the edit: the first of the two goes.
func TestDuplicateKeyEdit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, want string
		safety     finding.Safety
	}{
		"different values": {`{"id":"a","n":1, "m":2,"n":3}`, `{"id":"a","m":2,"n":3}`, finding.Unsafe},
		"equal values":     {`{"id":"a","n":{"x":[1,2]} , "n":{"x":[1,2]}}`, `{"id":"a","n":{"x":[1,2]}}`, finding.Safe},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "items.jsonl")
			require.NoError(t, os.WriteFile(file, []byte(c.text+"\n"), 0o600))
			found := ruletest.FindingsIn(t, "duplicate-key", []string{file}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			fix := found[0].Fixes[0]
			assert.Equal(t, c.safety, fix.Safety)
			require.Len(t, fix.Edits, 1)
			edit := fix.Edits[0]
			assert.Equal(t, c.want, c.text[:edit.Start]+edit.NewText+c.text[edit.End:])
		})
	}
}
