package model_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// TestReferencesAmongErrors plants references with known shares of values that
// lead nowhere beside fields that refer to nothing, and counts what is found.
func TestReferencesAmongErrors(t *testing.T) {
	t.Parallel()
	const documents = 60
	for name, tc := range map[string]struct {
		key    func(n int) string // of the n-th document, as JSON
		absent float64            // share of the references that lead nowhere
		field  string
		want   float64 // share of the runs in which the reference is found
		at     int     // references; 0 for one in each document
	}{
		"ObjectIds":                        {key: objectID, field: "held", want: 1},
		"ObjectIds, half of them gone":     {key: objectID, absent: 0.5, field: "held", want: 1},
		"ObjectIds, three in four gone":    {key: objectID, absent: 0.75, field: "held", want: 1},
		"three ObjectIds":                  {key: objectID, field: "held", want: 1, at: 3},
		"numbers, unnamed":                 {key: func(n int) string { return fmt.Sprint(n + 1) }, field: "held", want: 0},
		"numbers, named":                   {key: func(n int) string { return fmt.Sprint(n + 1) }, field: "thingId", want: 1},
		"numbers, named, a tenth is gone":  {key: func(n int) string { return fmt.Sprint(n + 1) }, absent: 0.1, field: "thingId", want: 1},
		"numbers far apart, unnamed":       {key: func(n int) string { return fmt.Sprint(100003 + n*7919) }, field: "held", want: 1},
		"numbers far apart, half are gone": {key: func(n int) string { return fmt.Sprint(100003 + n*7919) }, absent: 0.5, field: "held", want: 1},
		"codes":                            {key: func(n int) string { return fmt.Sprintf(`"ab-%d-x"`, n*31) }, absent: 0.05, field: "held", want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, runs := 0.0, 20
			for seed := range runs {
				r := rand.New(rand.NewPCG(uint64(seed), 1))
				var things, others []string
				for n := range documents {
					things = append(things, fmt.Sprintf(`{"_id":%s,"title":"t"}`, tc.key(n)))
					to := r.IntN(documents)
					if r.Float64() < tc.absent {
						to += 10 * documents
					}
					if tc.at == 0 || n < tc.at {
						others = append(others, fmt.Sprintf(`{"_id":"o-%d","%s":%s,"level":%d}`, n, tc.field, tc.key(to), r.IntN(documents)))
					}
				}
				db := database(t, map[string][]string{"things": things, "others": others}, model.Settings{})
				for _, ref := range db.References {
					if assert.Equal(t, tc.field, ref.Path.String(), "seed %d: no reference", seed) {
						found++
						assert.Positive(t, ref.Odds.Sum())
					}
				}
			}
			assert.InDelta(t, tc.want, found/float64(runs), 0.05)
		})
	}
}

func objectID(n int) string { return fmt.Sprintf(`{"$oid":"5a9427648b0beebe%08x"}`, 7_654_321*(n+1)) }

// TestReferencesInOtherLanguages: words that share most of their letters name
// the same thing.
func TestReferencesInOtherLanguages(t *testing.T) {
	t.Parallel()
	db := database(t, map[string][]string{
		"Squadre":   repeated(20, `{"_id":%d,"nome":"n"}`),
		"Giocatori": repeated(40, `{"_id":%d,"idSquadra":%[1]d,"numero":%[1]d}`)[:20],
	}, model.Settings{})
	assert.Equal(t, []string{"Giocatori.idSquadra -> Squadre._id"}, references(db))
}

// TestInferenceStops: a run that is called off ends while references are
// looked for, however many collections there are.
func TestInferenceStops(t *testing.T) {
	t.Parallel()
	var profiles []*profile.Collection
	var parser scan.Parser
	var builder profile.Builder
	for c := range 300 {
		p := profile.NewCollection(fmt.Sprintf("part_%d", c))
		for n := range 10 {
			d, err := parser.Parse(fmt.Appendf(nil, `{"_id":%d,"part_%d_id":%d,"part_%d_id":%d,"level":%d}`, n, (c*7+n)%300, n, (c*5+n*3)%300, n, n))
			require.NoError(t, err)
			builder.Add(p, d, uint32(c), int64(n)<<16)
		}
		profiles = append(profiles, p)
	}
	ctx, cancel := context.WithCancel(t.Context())
	settings := model.Settings{Lexicon: lexicon.Default(), Jobs: 1}
	split := func(splitters []*model.Splitter) error { return nil }
	called := make(chan time.Time, 1)
	time.AfterFunc(20*time.Millisecond, func() {
		called <- time.Now()
		cancel()
	})
	_, err := model.Infer(ctx, profiles, settings, split)
	require.ErrorIs(t, err, context.Canceled)
	assert.Less(t, time.Since(<-called), 500*time.Millisecond) // 100 on a machine with nothing else to do
}
