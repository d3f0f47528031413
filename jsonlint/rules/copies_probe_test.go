package rules

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// TestCopyProbesMerge checks that what the probes hold does not depend on the
// order of the documents, nor on how they were split between workers.
func TestCopyProbesMerge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		settings := &copySettings{
			path: profile.Path{{Name: "list"}, {Kind: profile.Element}}, id: "id", names: map[string]int{"v": 0}, fields: 1,
			capacity: rapid.IntRange(1, 20).Draw(t, "capacity"),
		}
		snapshots := &snapshotSettings{key: profile.Path{{Name: "id"}}, clock: "_ts", others: []string{"other"}, places: []*copySettings{settings}}
		probes := func() []Probe {
			return []Probe{
				newCopyProbe(settings),
				&originalProbe{settings: &originalSettings{key: profile.Path{{Name: "id"}}, leaves: []leaf{{path: profile.Path{{Name: "other"}}}}}, things: map[uint64]*original{}},
				&snapshotProbe{settings: snapshots, documents: map[uint64][]docVersion{}},
				&refererProbe{path: append(settings.path, profile.Step{Name: "id"}), counts: map[uint64]int64{}},
				&storedProbe{key: profile.Path{{Name: "id"}}, field: "other", stored: map[uint64]offender{}},
				&tupleProbe{settings: &tupleSettings{path: settings.path, names: []string{"v"}}, tuples: map[uint64]tuple{}},
			}
		}
		values := rapid.SampledFrom([]int{2, 300}).Draw(t, "values") // the larger overflows cells
		things := 30
		if values > 2 {
			things = 1
		}
		var texts []string
		for range rapid.IntRange(1, 40).Draw(t, "documents") {
			list := ""
			for k := range rapid.IntRange(0, 8).Draw(t, "length") {
				if k > 0 {
					list += ","
				}
				list += fmt.Sprintf(`{"id":%d,"v":%d}`, rapid.IntRange(0, things).Draw(t, "thing"), rapid.IntRange(0, values).Draw(t, "value"))
			}
			texts = append(texts, fmt.Sprintf(`{"id":%d,"_ts":%d,"other":%d,"list":[%s]}`,
				rapid.IntRange(0, 9).Draw(t, "id"), rapid.IntRange(1, 4).Draw(t, "ts"), rapid.IntRange(0, 2).Draw(t, "other"), list))
		}
		visit := func(into []Probe, i int) {
			var parser scan.Parser
			d, err := parser.Parse([]byte(texts[i]))
			require.NoError(t, err)
			for _, p := range into {
				p.Visit(&profile.Document{Document: d, Base: int64(1000 * i)})
			}
		}
		whole := probes()
		for i := range texts {
			visit(whole, i)
		}
		workers := make([][]Probe, 3)
		merged := probes()
		for w := range workers {
			for _, p := range merged {
				workers[w] = append(workers[w], p.New())
			}
		}
		order := rapid.Permutation(indexes(len(texts))).Draw(t, "order")
		for _, i := range order {
			visit(workers[rapid.IntRange(0, 2).Draw(t, "worker")], i)
		}
		for _, w := range rapid.Permutation(workers).Draw(t, "merge") {
			for i := range w {
				merged[i].Merge(w[i])
			}
		}
		for i := range whole {
			require.Equal(t, settled(whole[i]), settled(merged[i]), "%T", whole[i])
		}
	})
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// settled takes out what a probe only uses while it visits.
func settled(p Probe) Probe {
	switch p := p.(type) {
	case *copyProbe:
		p.visit, p.order = 0, nil
		for _, t := range p.things {
			t.lastVisit = 0
			for i := range t.cells {
				t.cells[i].values = append([]variant{}, t.cells[i].values...)
			}
		}
	case *refererProbe:
		p.seen = nil
	}
	return p
}
