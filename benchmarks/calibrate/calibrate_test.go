package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// made draws findings of a rule that says 0.7 and is right as often as truth.
func made(r *rand.Rand, set, rule string, n int, truth float64) []judged {
	var out []judged
	for range n {
		out = append(out, judged{Set: set, Rule: rule, Confidence: 0.7, Right: r.Float64() < truth})
	}
	return out
}

// TestFitFindsTheTruth fits findings of which it is known how often they are
// right: rules that say 0.7 and are right in 92 of 100 cases are too modest.
func TestFitFindsTheTruth(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, truth := range []float64{0.55, 0.7, 0.92} {
		slope := fit(made(r, "a", "rule", 2000, truth), 0.95)
		assert.InDelta(t, truth, predict(judged{Confidence: 0.7}, slope, 0.95), 0.03)
		assert.InDelta(t, 0.5, predict(judged{Confidence: 0.5}, slope, 0.95), 0, "no side is changed")
		assert.InDelta(t, 0.95, predict(judged{Confidence: 0.95}, slope, 0.95), 0, "proofs stay as they are")
	}
}

func TestFewFindingsMoveLittle(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 1, fit(nil, 0.95), 1e-9)
	assert.InDelta(t, 1, fit([]judged{{Set: "a", Rule: "rule", Confidence: 0.7, Right: true}}, 0.95), 1)
}

// TestLeftOut: a rule that is wrong in all other sets is not believed in this
// one, and a rule that is right keeps its findings.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	var all []judged
	for i := range 6 {
		for range 10 {
			set := fmt.Sprint("set", i)
			all = append(all, judged{Set: set, Rule: "right", Confidence: 0.7, Right: true}, judged{Set: set, Rule: "wrong", Confidence: 0.7})
		}
	}
	right, wrong, lost := leftOut(all, 0.95)
	assert.Equal(t, []int{60, 0, 0}, []int{right, wrong, lost})
	alone := made(rand.New(rand.NewPCG(1, 2)), "only", "wrong", 10, 0)
	right, wrong, lost = leftOut(alone, 0.95)
	assert.Equal(t, []int{0, 10, 0}, []int{right, wrong, lost}, "nothing else is known")
}

func TestRun(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var in strings.Builder
	for i := range 6 {
		for _, f := range made(r, fmt.Sprint("set", i), "modest", 60, 0.93) {
			line, err := json.Marshal(f)
			require.NoError(t, err)
			in.Write(append(line, '\n'))
		}
	}
	var out strings.Builder
	require.NoError(t, run(strings.NewReader(in.String()), &out, 0.95))
	said, fitted, _ := strings.Cut(out.String(), "with the slope")
	assert.Contains(t, said, "360 judged findings of 6 sets")
	assert.Regexp(t, `mean gap 0\.2`, said)
	assert.Regexp(t, `mean gap 0\.0`, fitted)

	err := run(strings.NewReader(`{"set":"a","rule":"b","confidence":1.5}`), &out, 0.95)
	assert.ErrorContains(t, err, "line 1")
}
