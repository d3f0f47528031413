package casevariantvalues

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// TestCasesAlike checks that nothing is reported of values that the profile
// alone shows to be alike, and that it does show it of some.
func TestCasesAlike(t *testing.T) {
	t.Parallel()
	id := "0123456789abcdef01234567"
	texts := []string{"a", "b", "B", "\u00e4", "\u00c4", id, strings.ToUpper(id), strings.Repeat("x", 90), strings.Repeat("x", 90) + "Y"}
	alike := 0
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfN(rapid.SampledFrom(texts), 1, 5).Draw(t, "texts")
		c := profile.NewCollection("things")
		probe := newCaseProbe(profile.Path{{Name: "code"}})
		var builder profile.Builder
		for i := range rapid.IntRange(1, 40).Draw(t, "documents") {
			value, err := json.Marshal(rapid.SampledFrom(some).Draw(t, "text"))
			require.NoError(t, err)
			text := `{"code":` + string(value) + "}"
			if rapid.IntRange(0, 50).Draw(t, "odd") == 0 {
				text = `{"code":1,"code":` + string(value) + "}"
			}
			d, err := new(scan.Parser).Parse([]byte(text))
			require.NoError(t, err)
			builder.Add(c, d, 0, int64(i)<<10)
			probe.Visit(&profile.Document{Document: d, Base: int64(i) << 10})
		}
		c.Settle()
		node := c.Root.Object.Field("code")
		entity := &model.Entity{Collection: &model.Collection{Name: "things"}, Profile: c}
		values := &cases{entity: entity, node: node, path: node.Path(), values: probe}
		thresholds := map[string]float64{"min-values": 5, "lower-share": 0.5, "other-share": 0.01}
		shown := false
		run := check.Start(context.Background(), []check.Rule{{Name: Rule.Name, Run: func(p *check.Pass) {
			values.report(p)
			shown = values.alike(p)
		}}}, &model.Database{}, check.Settings{
			Thresholds: func(string) map[string]float64 { return thresholds },
			Enabled:    func(string) bool { return true },
			Fetch:      func(profile.Pos) (*profile.Document, error) { return nil, errors.New("nothing to read") },
		})
		found := run.Finish()
		require.Empty(t, run.Problems())
		if shown {
			alike++
			require.Empty(t, found)
		}
	})
	require.Positive(t, alike)
}
