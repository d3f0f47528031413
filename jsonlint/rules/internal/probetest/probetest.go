// Package probetest checks that probes are monoids.
package probetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// MergesAlike checks that what probes hold depends neither on the order of the
// documents nor on how they are split between workers. The documents look like
// {"id":1,"_ts":2,"other":1,"list":[{"id":3,"v":7}]}. settle removes what a
// probe only uses during visits.
func MergesAlike(t *testing.T, probes func(*rapid.T) func() []check.Probe, settle func(check.Probe)) {
	rapid.Check(t, func(t *rapid.T) {
		empty := probes(t)
		texts := listDocuments(t)
		visit := func(into []check.Probe, i int) {
			var parser scan.Parser
			d, err := parser.Parse([]byte(texts[i]))
			require.NoError(t, err)
			for _, p := range into {
				p.Visit(&profile.Document{Document: d, Base: int64(1000 * i)})
			}
		}
		whole := empty()
		for i := range texts {
			visit(whole, i)
		}
		workers := make([][]check.Probe, 3)
		merged := empty()
		for w := range workers {
			for _, p := range merged {
				workers[w] = append(workers[w], p.New())
			}
		}
		order := make([]int, len(texts))
		for i := range order {
			order[i] = i
		}
		for _, i := range rapid.Permutation(order).Draw(t, "order") {
			visit(workers[rapid.IntRange(0, 2).Draw(t, "worker")], i)
		}
		for _, w := range rapid.Permutation(workers).Draw(t, "merge") {
			for i := range w {
				merged[i].Merge(w[i])
			}
		}
		for i := range whole {
			settle(whole[i])
			settle(merged[i])
			require.Equal(t, whole[i], merged[i], "%T", whole[i])
		}
	})
}

// Ordered returns a map's content ordered by hash, so that maps filled in
// different orders are equal.
func Ordered[V any](m *sample.ByHash[V]) *sample.ByHash[V] {
	ordered := sample.NewByHash[V](m.Len() + 1)
	for _, hash := range m.Hashes() {
		v, _ := m.Get(hash)
		ordered.Put(hash, v, func(a, _ V) V { return a })
	}
	return ordered
}

func listDocuments(t *rapid.T) []string {
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
	return texts
}
