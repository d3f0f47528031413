package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// counting counts the documents it sees, and fails on one of them.
type counting struct{ seen, failsOn int }

func (c *counting) New() Probe { return &counting{failsOn: c.failsOn} }
func (c *counting) Merge(o Probe) {
	c.seen += o.(*counting).seen
}
func (c *counting) Visit(*profile.Document) {
	if c.seen++; c.seen == c.failsOn {
		panic("a mistake")
	}
}

// TestProbesFailAlone lets the probe of one rule panic: the others see every
// document, and only the rule's own report is left out.
func TestProbesFailAlone(t *testing.T) {
	t.Parallel()
	run := &Run{shared: shared{ctx: t.Context()}}
	sound, broken := &counting{}, &counting{failsOn: 2}
	run.shared.probes = []watched{{nil, sound, "sound-rule"}, {nil, broken, "broken-rule"}, {nil, sound, "sound-rule"}}
	v := run.NewVisitor()
	probes := []Probe{v.all[0].probe, v.all[1].probe, v.all[2].probe}
	for range 3 {
		for i := 0; i < len(probes); {
			i = v.visit(probes, i, nil)
		}
	}
	run.Collect(v)
	assert.Equal(t, 6, sound.seen, "three documents, twice")
	require.Len(t, run.Problems(), 1)
	assert.Equal(t, "internal error in rule broken-rule: a mistake", run.Problems()[0].Message)

	reported := map[string]bool{}
	for _, rule := range []string{"sound-rule", "broken-rule"} {
		run.shared.guard(rule, func() { reported[rule] = true })
	}
	assert.Equal(t, map[string]bool{"sound-rule": true}, reported)
}
