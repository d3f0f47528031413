package missingdiscriminator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// TestAnOutlierIsNoKind checks that one document of a handful which is unlike the
// others makes no kind, and that two make one.
func TestAnOutlierIsNoKind(t *testing.T) {
	t.Parallel()
	alike := ruletest.Times(1, 4, `{"id":"b%[1]d","title":"n","lang":"en","owner":"o","pages":2,"isbn":"i","shelf":"s","year":1}`)
	for name, c := range map[string]struct {
		documents []string
		want      []string
	}{
		"one unlike the others":  {ruletest.Concat(alike, []string{`{"id":"x","stars":2,"text":"t","likes":1,"votes":2,"reader":"r","said":"x","mood":"y"}`}), nil},
		"a kind under two names": {ruletest.Concat(ruletest.Times(1, 24, `{"name":"n%[1]d","itemType":"tool","text":"t","use":1}`), ruletest.Times(31, 24, `{"name":"n%[1]d","type":"herb","root":1,"leaf":2}`)), []string{"inconsistent-discriminator"}},
		"two unlike the others":  {ruletest.Concat(alike, ruletest.Times(1, 2, `{"id":"x%d","stars":2,"text":"t","likes":1,"votes":2,"reader":"r"}`)), []string{"missing-discriminator"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "items.jsonl")
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(c.documents, "\n")), 0o600))
			report, err := jsonlint.Check(t.Context(), []string{file}, jsonlint.Options{})
			require.NoError(t, err)
			var found []string
			for _, f := range report.Findings {
				if f.Confidence >= 0.5 {
					found = append(found, fmt.Sprint(f.Rule))
				}
			}
			assert.Equal(t, c.want, found)
		})
	}
}
