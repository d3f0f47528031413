package aggregatedrift

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/probetest"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

func TestChildProbesMerge(t *testing.T) {
	t.Parallel()
	probetest.MergesAlike(t, func(*rapid.T) func() []check.Probe {
		return func() []check.Probe {
			return []check.Probe{
				&refererProbe{path: profile.Path{{Name: "list"}, {Kind: profile.Element}, {Name: "id"}}, counts: sample.NewByHash[int64](sample.Joined)},
				&storedProbe{key: profile.Path{{Name: "id"}}, field: "other", stored: sample.NewByHash[offender](sample.Joined)},
			}
		}
	}, func(p check.Probe) {
		switch p := p.(type) {
		case *refererProbe:
			p.seen, p.counts = nil, probetest.Ordered(p.counts)
		case *storedProbe:
			p.stored = probetest.Ordered(p.stored)
		}
	})
}
