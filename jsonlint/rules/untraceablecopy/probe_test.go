package untraceablecopy

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/probetest"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
)

func TestTupleProbeMerges(t *testing.T) {
	t.Parallel()
	settings := &tupleSettings{path: profile.Path{{Name: "list"}, {Kind: profile.Element}}, names: []string{"v"}}
	probetest.MergesAlike(t, func(*rapid.T) func() []check.Probe {
		return func() []check.Probe {
			return []check.Probe{&tupleProbe{settings: settings, tuples: sample.NewByHash[tuple](sample.Joined)}}
		}
	}, func(p check.Probe) { p.(*tupleProbe).tuples = probetest.Ordered(p.(*tupleProbe).tuples) })
}
