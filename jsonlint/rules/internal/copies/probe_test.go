package copies

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/probetest"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

func TestCopyProbesMerge(t *testing.T) {
	t.Parallel()
	probetest.MergesAlike(t, func(t *rapid.T) func() []check.Probe {
		settings := &copySettings{
			path: profile.Path{{Name: "list"}, {Kind: profile.Element}}, id: "id", names: map[string]int{"v": 0}, fields: 1,
			capacity: rapid.IntRange(1, 20).Draw(t, "capacity"),
		}
		snapshots := &snapshotSettings{key: profile.Path{{Name: "id"}}, clock: "_ts", others: []string{"other"}, places: []*copySettings{settings}}
		return func() []check.Probe {
			return []check.Probe{
				newCopyProbe(settings),
				&originalProbe{settings: &originalSettings{leaves: []Leaf{{Path: profile.Path{{Name: "other"}}}}}, key: profile.NewTrail(profile.Path{{Name: "id"}}), things: sample.NewByHash[original](maxOriginals)},
				&snapshotProbe{settings: snapshots, documents: sample.NewByHash[[]docVersion](maxSnapshots)},
			}
		}
	}, func(p check.Probe) {
		if p, ok := p.(*originalProbe); ok {
			p.things, p.values = probetest.Ordered(p.things), nil
		}
		if p, ok := p.(*snapshotProbe); ok {
			p.documents = probetest.Ordered(p.documents)
		}
		if p, ok := p.(*copyProbe); ok {
			p.visit, p.order = 0, nil
			for _, t := range p.things {
				t.lastVisit = 0
				for i := range t.Cells {
					t.Cells[i].values = append([]variant{}, t.Cells[i].values...)
				}
			}
		}
	})
}
