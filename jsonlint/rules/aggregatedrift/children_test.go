package aggregatedrift

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/probetest"
)

func TestChildProbesMerge(t *testing.T) {
	t.Parallel()
	probetest.MergesAlike(t, func(*rapid.T) func() []check.Probe {
		return func() []check.Probe {
			return []check.Probe{
				&refererProbe{path: profile.Path{{Name: "list"}, {Kind: profile.Element}, {Name: "id"}}, counts: map[uint64]int64{}},
				&storedProbe{key: profile.Path{{Name: "id"}}, field: "other", stored: map[uint64]offender{}},
			}
		}
	}, func(p check.Probe) {
		if p, ok := p.(*refererProbe); ok {
			p.seen = nil
		}
	})
}
